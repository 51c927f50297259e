/**
 * What is shared, packed into the part of an address that no server sees: `#v1=`, then deflated JSON in
 * base64url.
 *
 * @module
 */

/** What a link holds. */
export interface Shared {
  /** The file. */
  text: string;
  /** The step that is shown. */
  step?: string;
  /** The tab that is open. */
  tab?: string;
}

const PREFIX = "#v1=";

/** A longer text than this is no workflow file, or a small link that unpacks to a large one. */
export const MOST_TEXT = 5_000_000;

/** Browsers and chats cut addresses that are longer. */
const LONGEST_LINK = 60_000;

/** The fragment that holds `shared`; `undefined` where it would be too long. */
export async function pack(shared: Shared): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await through(new CompressionStream("deflate-raw"), bytes, Number.POSITIVE_INFINITY);
  if (packed === undefined || packed.length > LONGEST_LINK) return undefined;
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Whether `fragment` is one of ours, whole or damaged. */
export function isLink(fragment: string): boolean {
  return fragment.startsWith(PREFIX);
}

/** What `fragment` holds; `undefined` where it is damaged. Whatever it holds is only ever shown as text. */
export async function unpack(fragment: string): Promise<Shared | undefined> {
  try {
    const text = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const bytes = await through(new DecompressionStream("deflate-raw"), packed, MOST_TEXT);
    return bytes && checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

function checked(value: unknown): Shared | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { text, step, tab } = value as Record<string, unknown>;
  if (typeof text !== "string") return undefined;
  return { text, ...(typeof step === "string" ? { step } : {}), ...(typeof tab === "string" ? { tab } : {}) };
}

/** What comes out of `stream`; `undefined` where it is more than `most` bytes. */
async function through(stream: GenericTransformStream, bytes: Uint8Array<ArrayBuffer>, most: number) {
  const writer = stream.writable.getWriter();
  // What is wrong with the bytes is told where they are read.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.readable.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const chunk: Uint8Array = next.value;
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) {
      await reader.cancel();
      return undefined;
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
