/**
 * A plan as a picture: a bar for each attempt on a common line of time, as a tree of SVG elements
 * that knows no document. Colours are the reader's style sheet's; every part has a class.
 *
 * @module
 */

import { NOT_REACHED } from "./texts.js";
import { namedLogTicks, namedTicks, tickName } from "./ticks.js";
import type { Lane, Timeline } from "./timeline.js";

/** An element of the picture. */
export interface SvgNode {
  name: string;
  attributes: Record<string, string | number>;
  children: (SvgNode | string)[];
}

/** How the picture is drawn. */
export interface PictureOptions {
  /** Its width in CSS pixels; less than 240 is taken as 240. */
  width: number;
  /** Its name for those who do not see it. */
  title: string;
  /** Whether a centimetre is always as long, or ten times as long as the one before. Default `linear`. */
  scale?: Scale;
}

/** How times become lengths. */
export type Scale = "linear" | "log";

const LANE = 26;
const BAR = 14;
const GUTTER = 44;
const MARGIN = 44;
const AXIS = 26;
const NARROWEST = 240;
const THINNEST_BAR = 2;

/** The picture of `timeline`. */
export function drawPicture(timeline: Timeline, options: PictureOptions): SvgNode {
  const width = Math.max(options.width, NARROWEST);
  const bottom = timeline.lanes.length * LANE;
  const room = width - GUTTER - MARGIN;
  const { part, labelled } = options.scale === "log" ? logarithmic(timeline, room) : linear(timeline, room);
  const scale = (ms: number) => GUTTER + part(ms) * room;
  return element(
    "svg",
    {
      class: "timeline",
      width,
      height: bottom + AXIS,
      viewBox: `0 0 ${width} ${bottom + AXIS}`,
      role: "img",
      "aria-label": options.title,
    },
    [
      ...labelled.flatMap((ms) => drawTick(ms, scale(ms), bottom)),
      ...timeline.lanes.flatMap((lane, index) => drawLane(lane, scale, index * LANE)),
      ...(timeline.limitMs === null
        ? []
        : [line("limit", scale(timeline.limitMs), 0, scale(timeline.limitMs), bottom)]),
      ...(timeline.nowMs === undefined ? [] : [line("now", scale(timeline.nowMs), 0, scale(timeline.nowMs), bottom)]),
    ],
  );
}

/** Which part of the width a time takes, and the times that are written below. */
interface Axis {
  part: (ms: number) => number;
  labelled: number[];
}

function linear({ endMs }: Timeline, room: number): Axis {
  const part = (ms: number) => Math.min(ms / endMs, 1);
  return { part, labelled: namedTicks(endMs, room) };
}

/** Zero is where it always is; the shortest time there is takes an eighth of the width. */
function logarithmic({ lanes, endMs, limitMs }: Timeline, room: number): Axis {
  const times = lanes.flatMap(({ waitFromMs, startMs, endMs: end }) => [startMs - waitFromMs, end - startMs, end]);
  const least = Math.min(endMs, limitMs ?? endMs, ...times.filter((ms) => ms > 0));
  const part = (ms: number) => Math.min(Math.log1p(ms / least) / Math.log1p(endMs / least), 1);
  return { part, labelled: namedLogTicks(endMs, (ms) => part(ms) * room) };
}

function drawTick(ms: number, x: number, bottom: number): SvgNode[] {
  return [line("tick", x, 0, x, bottom + 4), text("tick-label", x, bottom + 18, tickName(ms), "middle")];
}

function drawLane(lane: Lane, scale: (ms: number) => number, top: number): SvgNode[] {
  const middle = top + LANE / 2;
  const label = text("attempt-label", GUTTER - 12, middle + 4, lane.label, "end");
  if (!lane.reachable) return [label, text("unreached", GUTTER + 6, middle + 4, NOT_REACHED, "start")];
  const start = scale(lane.startMs);
  const bar = element("rect", {
    class: ["attempt", lane.outcome ?? "", lane.clipped ? "clipped" : ""].filter((name) => name !== "").join(" "),
    x: start,
    y: top + (LANE - BAR) / 2,
    width: Math.max(THINNEST_BAR, scale(lane.endMs) - start),
    height: BAR,
    rx: 3,
  });
  const wait = lane.waitFromMs < lane.startMs ? [line("wait", scale(lane.waitFromMs), middle, start, middle)] : [];
  const mark = lane.mark === undefined ? [] : [text("mark", scale(lane.endMs) + 6, middle + 4, lane.mark, "start")];
  return [label, ...wait, bar, ...mark];
}

/** A line; its `kind` is its class, here as below. */
export function line(kind: string, x1: number, y1: number, x2: number, y2: number): SvgNode {
  return element("line", { class: kind, x1, y1, x2, y2 });
}

/** A text that begins, is centred or ends at `x`. */
export function text(kind: string, x: number, y: number, content: string, anchor: "start" | "middle" | "end"): SvgNode {
  return element("text", { class: kind, x, y, "text-anchor": anchor }, [content]);
}

/** An element of the drawing. */
export function element(name: string, attributes: SvgNode["attributes"], children: SvgNode["children"] = []): SvgNode {
  return { name, attributes, children };
}
