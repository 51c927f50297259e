/**
 * The workflow files of `examples/`, for the picker.
 *
 * @module
 */

const FILES = import.meta.glob<string>("../../examples/*/workflow.yaml", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Name of the folder and text of the file, by name. */
export const EXAMPLES: ReadonlyMap<string, string> = new Map(
  Object.entries(FILES).map(([path, text]) => [path.split("/").at(-2) ?? path, text]),
);
