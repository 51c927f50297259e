/**
 * The element in a page of its own, for a frame in sites whose policy lets no module in: the file comes in
 * the address, as in a link of the playground.
 *
 * @module
 */

import { PAGE } from "../../pkg/src/element/texts.js";
import { coreReady } from "./core.js";
import { byId } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { isLink, unpack } from "./link.js";

const element = document.querySelector("step-retry-playground");

async function show(): Promise<void> {
  if (element === null) return;
  const shared = isLink(location.hash) ? await unpack(location.hash) : undefined;
  byId("news", HTMLElement).textContent = isLink(location.hash) && shared === undefined ? PAGE.badLink : "";
  element.source = shared?.text ?? [...EXAMPLES.values()][0] ?? "";
  if (shared?.step !== undefined) element.step = shared.step;
}

async function start(): Promise<void> {
  await coreReady();
  await import("step-retry/element");
  addEventListener("hashchange", () => void show());
  await show();
}

start().catch((cause: unknown) => {
  byId("news", HTMLElement).textContent = PAGE.broken(cause instanceof Error ? cause.message : `${cause}`);
});
