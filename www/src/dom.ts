/**
 * Finding the page's own elements.
 *
 * @module
 */

/** The page's own element with `id`. */
export function byId<T extends HTMLElement>(id: string, kind: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page lacks its #${id}`);
}
