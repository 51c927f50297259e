/**
 * What this browser keeps of the last visit. A browser that keeps nothing is no trouble.
 *
 * @module
 */

const TEXT = "step-retry.text";
const PLAIN = "step-retry.plain";

/** The text of last time: that of this tab, or else of the tab that was last worked in. */
export function keptText(): string | null {
  return read(() => sessionStorage, TEXT) ?? read(() => localStorage, TEXT);
}

/** Keeps `text`, or nothing. */
export function keepText(text: string | null): void {
  for (const storage of [() => sessionStorage, () => localStorage]) write(storage, TEXT, text);
}

/** Whether the plain field was asked for. */
export function keptPlain(): boolean {
  return read(() => localStorage, PLAIN) !== null;
}

/** Keeps whether the plain field is asked for. */
export function keepPlain(plain: boolean): void {
  write(() => localStorage, PLAIN, plain ? "1" : null);
}

/** Where a browser keeps things; one that is told not to throws when it is asked for the place. */
type Place = () => Storage;

function read(place: Place, key: string): string | null {
  try {
    return place().getItem(key);
  } catch {
    return null;
  }
}

function write(place: Place, key: string, value: string | null): void {
  try {
    if (value === null) place().removeItem(key);
    else place().setItem(key, value);
  } catch {
    // Private windows and full disks keep nothing.
  }
}
