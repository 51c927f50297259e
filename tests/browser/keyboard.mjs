// Somebody at the playground who has a keyboard and nothing else.

import assert from "node:assert/strict";

/** More Tabs than it takes to go through the page. */
const MOST_TABS = 150;

export class KeyboardUser {
  constructor(page) {
    this.page = page;
    this.source = page.getByRole("textbox", { name: "Workflow file" });
    this.problems = page.locator("#problems .problem");
    this.sentence = page.locator("#sentence");
  }

  /** Presses `keys` one after the other. */
  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Takes the keyboard to `target` by Tab or Shift-Tab; it must then be seen, in the window and not under anything. */
  async reach(target) {
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      const key = await target.evaluate(wayTo);
      if (key === null) {
        await this.page.waitForFunction(isSeen, await target.elementHandle(), { timeout: 3000 });
        return;
      }
      await this.page.keyboard.press(key);
    }
    assert.fail(`${target} cannot be reached by keyboard`);
  }

  /** Presses the button `target`. */
  async activate(target) {
    await this.reach(target);
    await this.press("Enter");
  }

  button(name, options = { exact: true }) {
    return this.page.getByRole("button", { name, ...options });
  }

  /** Turns the switch `target` over. */
  async toggle(target) {
    await this.reach(target);
    await this.press("Space");
  }

  /** Chooses what is called `wanted` in the list `target`, with the arrow keys. */
  async pick(target, wanted) {
    await this.reach(target);
    const { at, to } = await target.evaluate((list, sought) => {
      const shown = Array.from(list.options).filter(({ hidden }) => !hidden);
      return {
        at: shown.indexOf(list.selectedOptions[0]),
        to: shown.findIndex(({ label }) => label === sought),
      };
    }, wanted);
    assert.ok(to >= 0, `no ${wanted} in the list`);
    for (let way = at; way < to; way++) await this.press("ArrowDown");
    for (let way = at; way > to; way--) await this.press("ArrowUp");
    assert.equal(await target.evaluate((list) => list.selectedOptions[0].label), wanted);
  }

  /** Types `text` over what stands in the field `target`. */
  async type(target, text) {
    await this.reach(target);
    await this.press("Control+a");
    await this.page.keyboard.type(text);
  }

  /** Opens the tab called `name`. */
  async openTab(name) {
    await this.reach(this.page.getByRole("tab", { selected: true }));
    const wanted = this.page.getByRole("tab", { name, selected: true });
    for (let arrows = 0; arrows < 6 && (await wanted.count()) === 0; arrows++) await this.press("ArrowRight");
    await this.reach(wanted);
  }

  /** Puts `text` in place of the file, as a paste does. */
  async write(text) {
    await this.reach(this.source);
    await this.press("Control+a");
    await this.page.keyboard.insertText(text);
    await this.frame();
  }

  /** Takes the cursor to the end of the line `number`, counted from 1. */
  async toLine(number) {
    await this.reach(this.source);
    await this.press("Control+Home");
    for (let line = 1; line < number; line++) await this.press("ArrowDown");
    await this.press("End");
  }

  /** Waits until what was done is drawn. */
  frame() {
    return this.page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  }

  /** The file as it is seen. */
  text() {
    return this.source.evaluate((field) =>
      field.value === undefined
        ? Array.from(field.querySelectorAll(".cm-line"), (line) => line.textContent).join("\n")
        : field.value,
    );
  }
}

/** The key that leads to `target` from where the keyboard is; null where it is there. */
function wayTo(target) {
  if (target.getRootNode().activeElement === target) return null;
  const hosts = (element) => {
    const found = [element];
    for (let root = element.getRootNode(); root.host; root = root.host.getRootNode()) found.unshift(root.host);
    return found;
  };
  let [active, way] = [document.activeElement, hosts(target)];
  while (active?.shadowRoot && way[0] === active) [active, way] = [active.shadowRoot.activeElement, way.slice(1)];
  if (active === null || active === document.body) return "Tab";
  return active.compareDocumentPosition(way[0]) & Node.DOCUMENT_POSITION_FOLLOWING ? "Tab" : "Shift+Tab";
}

/** Whether the middle of what its surroundings let one see of `target` is not under anything. */
async function isSeen(target) {
  const { left, top, width, height } = await new Promise((seen) => {
    new IntersectionObserver(([entry], observer) => {
      observer.disconnect();
      seen(entry.intersectionRect);
    }).observe(target);
  });
  if (width === 0 || height === 0) return false;
  const there = target.getRootNode().elementFromPoint(left + width / 2, top + height / 2);
  return there !== null && (target.contains(there) || there.contains(target));
}
