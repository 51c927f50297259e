/**
 * A plan as a picture: a bar for each attempt on a common line of time, as a tree of SVG elements
 * that knows no document. Colours are the reader's style sheet's; every part has a class.
 *
 * @module
 */

import { duration } from "./duration.js";
import { ticks } from "./ticks.js";
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
}

const LANE = 26;
const BAR = 14;
const GUTTER = 44;
const MARGIN = 44;
const AXIS = 26;
const NARROWEST = 240;
const THINNEST_BAR = 2;
/** Room that a label on the axis needs. */
const TICK_SPACING = 84;

/** The picture of `timeline`. */
export function drawPicture(timeline: Timeline, options: PictureOptions): SvgNode {
  const width = Math.max(options.width, NARROWEST);
  const bottom = timeline.lanes.length * LANE;
  const scale = (ms: number) => GUTTER + (ms / timeline.endMs) * (width - GUTTER - MARGIN);
  const most = Math.max(2, Math.floor((width - GUTTER - MARGIN) / TICK_SPACING));
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
      ...ticks(timeline.endMs, most).flatMap((ms) => drawTick(ms, scale(ms), bottom)),
      ...timeline.lanes.flatMap((lane, index) => drawLane(lane, scale, index * LANE)),
      ...(timeline.limitMs === null
        ? []
        : [line("limit", scale(timeline.limitMs), 0, scale(timeline.limitMs), bottom)]),
    ],
  );
}

function drawTick(ms: number, x: number, bottom: number): SvgNode[] {
  return [
    line("tick", x, 0, x, bottom + 4),
    text("tick-label", x, bottom + 18, ms === 0 ? "0" : duration(ms), "middle"),
  ];
}

function drawLane(lane: Lane, scale: (ms: number) => number, top: number): SvgNode[] {
  const middle = top + LANE / 2;
  const label = text("attempt-label", GUTTER - 12, middle + 4, lane.label, "end");
  if (!lane.reachable) return [label, text("unreached", GUTTER + 6, middle + 4, "not reached", "start")];
  const start = scale(lane.startMs);
  const bar = element("rect", {
    class: lane.clipped ? "attempt clipped" : "attempt",
    x: start,
    y: top + (LANE - BAR) / 2,
    width: Math.max(THINNEST_BAR, scale(lane.endMs) - start),
    height: BAR,
    rx: 3,
  });
  const wait = lane.waitFromMs < lane.startMs ? [line("wait", scale(lane.waitFromMs), middle, start, middle)] : [];
  return [label, ...wait, bar];
}

function line(kind: string, x1: number, y1: number, x2: number, y2: number): SvgNode {
  return element("line", { class: kind, x1, y1, x2, y2 });
}

function text(kind: string, x: number, y: number, content: string, anchor: "start" | "middle" | "end"): SvgNode {
  return element("text", { class: kind, x, y, "text-anchor": anchor }, [content]);
}

function element(name: string, attributes: SvgNode["attributes"], children: SvgNode["children"] = []): SvgNode {
  return { name, attributes, children };
}
