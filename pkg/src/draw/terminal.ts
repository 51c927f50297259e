/**
 * A table and a bar chart in characters.
 *
 * @module
 */

import { duration } from "./duration.js";
import { NOT_REACHED } from "./texts.js";
import type { Lane, Timeline } from "./timeline.js";

/** Which side of its column a cell keeps to. */
export type Side = "left" | "right";

/** `rows` under `header` in columns two spaces apart, one string for each line. */
export function drawTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  sides: readonly Side[],
): string[] {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => characters(line[column] ?? ""))));
  return lines.map((line) =>
    widths
      .map((width, column) => pad(line[column] ?? "", width, sides[column] ?? "left"))
      .join("   ")
      .trimEnd(),
  );
}

function pad(text: string, width: number, side: Side): string {
  const blank = " ".repeat(width - characters(text));
  return side === "left" ? text + blank : blank + text;
}

function characters(text: string): number {
  return [...text].length;
}

/** How a bar chart is drawn. */
export interface ChartOptions {
  /** Columns to draw in; fewer than 30 are taken as 30. */
  width: number;
  /** Whether to keep to ASCII. Default `false`. */
  ascii?: boolean;
}

interface Marks {
  attempt: string;
  wait: string;
  limit: string;
}

const UNICODE: Marks = { attempt: "█", wait: "░", limit: "┊" };
const ASCII: Marks = { attempt: "#", wait: ".", limit: "|" };
const NARROWEST = 30;

/** A bar for each attempt on a common line of time, then the scale and a legend. */
export function drawTimeline(timeline: Timeline, options: ChartOptions): string[] {
  const marks = options.ascii === true ? ASCII : UNICODE;
  const gutter = Math.max(...timeline.lanes.map(({ label }) => label.length)) + 4;
  const width = Math.max(options.width, NARROWEST) - gutter - 1;
  const column = (ms: number) => Math.min(width, Math.round((ms / timeline.endMs) * width));
  const limit = timeline.limitMs === null ? null : column(timeline.limitMs);
  const bars = timeline.lanes.map((lane) => {
    const bar = lane.reachable ? drawLane(lane, column, marks, width) : NOT_REACHED;
    return `${pad(lane.label, gutter - 2, "right")}  ${limit === null ? bar : withLimit(bar, limit, marks.limit)}`;
  });
  return [
    ...bars,
    " ".repeat(gutter) + drawScale(timeline.endMs, width),
    " ".repeat(gutter) + drawLegend(timeline, marks),
  ];
}

function drawLane(lane: Lane, column: (ms: number) => number, marks: Marks, width: number): string {
  const start = Math.min(column(lane.startMs), width - 1);
  const waitFrom = Math.min(column(lane.waitFromMs), start);
  const end = Math.max(column(lane.endMs), start + 1);
  return " ".repeat(waitFrom) + marks.wait.repeat(start - waitFrom) + marks.attempt.repeat(end - start);
}

function withLimit(bar: string, column: number, mark: string): string {
  return bar.length > column ? bar : bar + " ".repeat(column - bar.length) + mark;
}

function drawScale(endMs: number, width: number): string {
  const end = duration(endMs);
  return `0${" ".repeat(Math.max(1, width - 1 - end.length))}${end}`;
}

function drawLegend(timeline: Timeline, marks: Marks): string {
  const shown = [`${marks.attempt} attempt, to its limit`];
  if (timeline.lanes.some(({ waitFromMs, startMs }) => waitFromMs < startMs)) shown.push(`${marks.wait} wait`);
  if (timeline.limitMs !== null) shown.push(`${marks.limit} total limit`);
  return shown.join("   ");
}
