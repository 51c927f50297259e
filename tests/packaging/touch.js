const PATIENCE_MS = 60_000;

/** What `find` gives, once it gives something. */
export async function seen(find) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
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
  shadowRoot.querySelector(".text").dispatchEvent(new PointerEvent("pointerdown"));
  // The editor has a shadow root of its own.
  const editor = () => shadowRoot.querySelector(".code")?.shadowRoot.querySelector(".cm-content");
  const field = await seen(() => editor() ?? shadowRoot.querySelector("textarea"));
  return { sentence, field: field.localName === "textarea" ? "a plain field" : "an editor" };
}
