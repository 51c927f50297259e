const PATIENCE_MS = 60_000;
/** How long an editor may take that is not there where CodeMirror is not. */
const EDITOR_MS = 15_000;

/** What `find` gives, once it gives something. */
export async function seen(find, patienceMs = PATIENCE_MS) {
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nothing was seen by ${find}`);
}

/** Puts the element of a piece of HTML into the page, touches its text, and tells what came of both. */
export async function touch(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const playground = document.importNode(body.querySelector("step-retry-playground"), true);
  document.body.append(playground);
  const { shadowRoot } = playground;
  const sentence = await seen(() => shadowRoot.querySelector(".sentence")?.textContent);
  const text = shadowRoot.querySelector(".text");
  for (const event of [new PointerEvent("pointerdown"), new FocusEvent("focus")]) text.dispatchEvent(event);
  // The editor has a shadow root of its own.
  const editor = () => shadowRoot.querySelector(".code")?.shadowRoot.querySelector(".cm-content");
  // A plain field takes what is typed until the editor is there.
  const plain = await seen(() => shadowRoot.querySelector("textarea"));
  const field = await seen(editor, EDITOR_MS).catch(() => plain);
  return { sentence, field: field.localName === "textarea" ? "a plain field" : "an editor" };
}
