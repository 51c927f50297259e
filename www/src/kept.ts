/**
 * What this browser keeps of the last visit. A browser that keeps nothing is no trouble.
 *
 * @module
 */

const TEXT = "step-retry.text";
const PLAIN = "step-retry.plain";

/** The text of last time. */
export function keptText(): string | null {
  return read(TEXT);
}

/** Keeps `text`, or nothing. */
export function keepText(text: string | null): void {
  write(TEXT, text);
}

/** Whether the plain field was asked for. */
export function keptPlain(): boolean {
  return read(PLAIN) !== null;
}

/** Keeps whether the plain field is asked for. */
export function keepPlain(plain: boolean): void {
  write(PLAIN, plain ? "1" : null);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Private windows and full disks keep nothing.
  }
}
