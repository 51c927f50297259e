/**
 * Calling code that is not ours: hooks, getters, what makes a text of a value.
 *
 * @module
 */

/** What `call` gives. Nothing that it does wrong, at once or later, leaves here; then it gives nothing. */
export function quietly<T>(call: () => T): T | undefined {
  try {
    const given = call();
    // An async hook may reject long after.
    if (isThenable(given)) Promise.resolve(given).catch(() => {});
    return given;
  } catch {
    return undefined;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as Partial<PromiseLike<unknown>>).then === "function"
  );
}
