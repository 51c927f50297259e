/**
 * The load that many workers make, over time: bars for calls, a line for what the service can take.
 *
 * @module
 */

import { element, line, type SvgNode, text } from "./svg.js";
import { namedTicks, tickName } from "./ticks.js";

/** What is drawn, each with a number for each bucket. */
export interface Load {
  /** The length of a bucket, in ms. */
  bucketMs: number;
  calls: ArrayLike<number>;
  served: ArrayLike<number>;
  capacity: ArrayLike<number>;
}

/** How a load is drawn. */
export interface LoadOptions {
  /** Its width in CSS pixels; less than 240 is taken as 240. */
  width: number;
  /** Its name for those who do not see it. */
  title: string;
  /** The right end, in ms, so that two drawings can be compared. */
  endMs: number;
  /** What the height stands for, in calls a bucket; what is higher is cut off and its number written. */
  most: number;
  /** How a number of calls is written. */
  count: (calls: number) => string;
}

const NARROWEST = 240;
const HEIGHT = 120;
const TOP = 18;
const AXIS = 24;
const LEFT = 52;
/** Room for half the name of a time at the end. */
const RIGHT = 36;
const THINNEST_BAR = 2;

/** The picture of `load`. */
export function drawLoad(load: Load, options: LoadOptions): SvgNode {
  const width = Math.max(options.width, NARROWEST);
  const room = width - LEFT - RIGHT;
  const x = (ms: number) => LEFT + (ms / options.endMs) * room;
  const y = (calls: number) => TOP + HEIGHT * (1 - Math.min(calls / options.most, 1));
  const columns = Math.max(1, Math.floor(room / (THINNEST_BAR + 1)));
  const perColumn = Math.max(1, Math.ceil(options.endMs / load.bucketMs / columns));
  const height = TOP + HEIGHT + AXIS;
  const labelled = namedTicks(options.endMs, room);
  return element(
    "svg",
    { class: "load", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": options.title },
    [
      ...labelled.flatMap((ms) => [
        line("tick", x(ms), TOP, x(ms), TOP + HEIGHT + 4),
        text("tick-label", x(ms), TOP + HEIGHT + 17, tickName(ms), "middle"),
      ]),
      text("tick-label", LEFT - 6, TOP + 8, options.count(options.most), "end"),
      text("tick-label", LEFT - 6, TOP + HEIGHT, "0", "end"),
      ...bars(load, perColumn, x, y, options),
      ...capacityLine(load, x, y),
    ],
  );
}

type Scale = (value: number) => number;

/** Buckets too thin to be seen share a bar, as high as the highest of them. */
function bars(load: Load, perColumn: number, x: Scale, y: Scale, { most, count }: LoadOptions): SvgNode[] {
  const made: SvgNode[] = [];
  const base = TOP + HEIGHT;
  for (let first = 0; first < load.calls.length; first += perColumn) {
    const { calls, served } = highest(load, first, perColumn);
    if (calls === 0) continue;
    const left = x(first * load.bucketMs);
    const wide = Math.max(THINNEST_BAR, x((first + perColumn) * load.bucketMs) - left - 1);
    made.push(element("rect", { class: "calls", x: left, y: y(calls), width: wide, height: base - y(calls) }));
    if (served > 0) {
      made.push(element("rect", { class: "served", x: left, y: y(served), width: wide, height: base - y(served) }));
    }
    if (calls > most) made.push(text("mark", left, TOP - 6, `▲ ${count(calls)}`, "start"));
  }
  return made;
}

function highest({ calls, served }: Load, first: number, many: number): { calls: number; served: number } {
  let at = first;
  for (let next = first; next < Math.min(first + many, calls.length); next++) {
    if ((calls[next] ?? 0) > (calls[at] ?? 0)) at = next;
  }
  return { calls: calls[at] ?? 0, served: served[at] ?? 0 };
}

/** From the bucket that first has room; what a bucket has room for is the same from there on, but for rounding. */
function capacityLine({ bucketMs, capacity }: Load, x: Scale, y: Scale): SvgNode[] {
  const all = Array.from(capacity);
  const up = all.findIndex((calls) => calls > 0);
  if (up < 0) return [];
  const level = y(Math.max(...all.slice(up, up + 10)));
  return [line("limit", x(up * bucketMs), level, x(all.length * bucketMs), level)];
}
