/**
 * Checking one step instead of the whole file, for as long as only that step is changed: of the others a
 * check needs no more than their names, their order, and what they wait for. The file is cut down to that,
 * line for line, so that each line keeps its number; the report on it is then put back into the last one of
 * the whole file.
 *
 * What comes out is the very report that the whole file would get. Where that is not sure, nothing does:
 * where another place is changed, too, or steps are written in braces or share something through an alias.
 *
 * @module
 */

import type { Text } from "@codemirror/state";
import type { Diagnostic, Position, Range, Report, StepSummary } from "../types.js";
import { type KeyLine, readKey } from "./read-key.js";

/** What one step may share with another, ends of lines that the editor does not count, tabs that indent. */
const ENTANGLED = /(?:^|[\s[{,])[&*]\S|\r|^ *\t/m;

/** What is no line of its own in YAML: empty, or nothing but a comment. */
const SAYS_NOTHING = /^\s*(?:#|$)/;

/** Of a step that is cut down, these keys stay: what others look at. */
const LOOKED_AT = new Set(["depends_on", "use_template"]);

/** What names other steps. */
const NAMES_OTHERS = /depends_on/;

/** A template may bring whatever a step does not say, so that nothing is missed of it. */
const NOTHING_MISSED = "use_template: t";

/** Quoted text and brackets that are closed in the line where they open. */
const QUOTED = /(^|[\s[{,])(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')(?=\s*(?:[,\]}:#]|$))/gm;
const BRACKETS = /\[[^[\]{}"'\n]*\]|\{[^[\]{}"'\n]*\}/g;

/** A quote or bracket that opens. */
const OPENING = /(?:^|[\s,:-])["'[{]/m;

/** A line with nothing but a word. */
const WORD = /^\s*[\w.-]*\s*$/;

/** More than this part of the file that must stay is no gain. */
const WORTH = 0.5;

/** Where the steps stand: lines, counted from 1. */
interface Frame {
  /** How far their names are indented. */
  indent: number;
  /** The line of each name, and last the line behind the steps. */
  starts: readonly number[];
}

/** What is said about each step, by its place in the file. */
type ByStep = readonly (readonly Diagnostic[])[];

/** What is left of the file around the step. */
interface Rest {
  /** The steps that are there, the step itself among them, by their places in the whole file. */
  steps: readonly number[];
  before: string;
  behind: string;
}

/** A file cut down, and its steps by their places in the whole file. */
export interface Cut {
  text: string;
  steps: readonly number[];
}

/** One step, and the rest of the file cut down. */
export class OneStep {
  readonly #doc: Text;
  readonly #report: Report;
  readonly #frame: Frame;
  readonly #index: number;
  /** The advice on the other steps, given while the file has no error; `undefined` where it is not known. */
  readonly #advice: ByStep | undefined;
  /** The closing lines while the file is accepted, as far as they are known: no step changes them. */
  readonly #accepted: string | undefined;
  /** The steps of which more is said, or would be; they stay as they are. */
  readonly #told: ReadonlySet<number>;
  /** The steps that are cut down. */
  readonly #cut: ReadonlySet<number>;
  /** With every other step, of those that are cut down what others ask about. */
  readonly #rest: Rest;
  /** Without the steps that are cut down, for as long as nothing names another step; where that is enough. */
  readonly #alone: Rest | undefined;

  private constructor(doc: Text, report: Report, frame: Frame, index: number, last: OneStep | undefined) {
    [this.#doc, this.#report, this.#frame, this.#index] = [doc, report, frame, index];
    // Errors keep advice back: what it was before them still holds for the steps that have not changed.
    const known = loads(report) ? undefined : last;
    const [advice, rest] = byStep(report, frame);
    this.#advice = known ? known.#adviceIn(doc) : loads(report) ? advice : undefined;
    const told = rest.flatMap((some, at) => (some.length > 0 ? [at] : []));
    this.#accepted = report.valid ? report.summary : known ? known.#accepted : undefined;
    this.#told = new Set([...told, ...(known ? [...known.#told, known.#index] : [])]);
    const lines = doc.toString().split("\n");
    const parts = report.steps.map((_, at) => lines.slice(startOf(frame, at) - 1, startOf(frame, at + 1) - 1));
    const mayCut = (at: number) => at !== index && !this.#told.has(at);
    const cut = parts.map((step, at) => (mayCut(at) ? bare(step, report.steps[at]) : undefined));
    this.#cut = new Set(cut.flatMap((step, at) => (step === undefined ? [] : [at])));
    const shown = cut.map((step, at) => step ?? parts[at] ?? []);
    this.#rest = this.#around(lines, shown, [...shown.keys()]);
    const kept = this.#company(shown);
    this.#alone = kept && this.#around(lines, shown, kept);
  }

  /** What is around the step, of `shown` the steps that are `kept`, and as many lines as there were. */
  #around(lines: readonly string[], shown: readonly string[][], kept: readonly number[]): Rest {
    const steps = shown.map((step, at) => (kept.includes(at) ? step : step.map(() => "")));
    const before = [...lines.slice(0, startOf(this.#frame, 0) - 1), ...steps.slice(0, this.#index).flat()];
    const behind = [...steps.slice(this.#index + 1).flat(), ...lines.slice(startOf(this.#frame, shown.length) - 1)];
    return { steps: kept, before: before.map((line) => `${line}\n`).join(""), behind: behind.join("\n") };
  }

  /**
   * The steps that must be there, for as long as this one names no other: what is not cut down, and one of each
   * sort that the rules ask for, a finalizer and a step that is none. `undefined` where one of them names others.
   */
  #company(shown: readonly string[][]): readonly number[] | undefined {
    const isFinalizer = (at: number) => this.#report.steps[at]?.execution === "finalizer";
    const names = (at: number) => at !== this.#index && shown[at]?.some((line) => NAMES_OTHERS.test(line)) === true;
    const free = [...this.#cut].filter((at) => !names(at));
    const one = [free.find(isFinalizer), free.find((at) => !isFinalizer(at))];
    const isMissing = [...this.#cut].some(isFinalizer) && one[0] === undefined;
    const kept = [...shown.keys()].filter((at) => !this.#cut.has(at) || one.includes(at));
    return isMissing || one[1] === undefined || kept.some(names) ? undefined : kept;
  }

  /**
   * The step that `from` to `to` of `doc` are in; `undefined` where they are in none, or it cannot be looked
   * at by itself. `report` is that on `doc`; `last` is what it came about by, should it be about one step.
   */
  static at(doc: Text, report: Report, from: number, to: number, last?: OneStep): OneStep | undefined {
    const frame = frameOf(doc, report);
    const index = frame && stepOn(frame, doc.lineAt(from).number);
    if (frame === undefined || index === undefined) return undefined;
    const made = new OneStep(doc, report, frame, index, last);
    const isWorthIt = made.#rest.before.length + made.#rest.behind.length < doc.length * WORTH;
    return isWorthIt && made.holds(doc, from, to) ? made : undefined;
  }

  /** Whether `from` to `to` of `doc` are all in this step, its name's line left out. */
  holds(doc: Text, from: number, to: number): boolean {
    const [start, end] = this.#place(doc);
    const isLast = end === doc.length && this.#rest.behind === "";
    return from > doc.lineAt(start).to && to <= (isLast ? end : end - 1);
  }

  /** From where to where the step is in `doc`, of which nothing else has changed. */
  #place(doc: Text): [from: number, to: number] {
    const next = startOf(this.#frame, this.#index + 1);
    const behind = next > this.#doc.lines ? 0 : this.#doc.length - this.#doc.line(next).from;
    return [this.#doc.line(startOf(this.#frame, this.#index)).from, doc.length - behind];
  }

  /** The file cut down, with the step as it is in `doc`; `undefined` where that is one step no more. */
  cut(doc: Text): Cut | undefined {
    const text = doc.sliceString(...this.#place(doc));
    const [, ...lines] = text.split("\n");
    const isInside = (line: string) => SAYS_NOTHING.test(line) || indentOf(line) > this.#frame.indent;
    if (ENTANGLED.test(text) || !lines.every(isInside)) return undefined;
    const { before, behind, steps } = NAMES_OTHERS.test(text) ? this.#rest : (this.#alone ?? this.#rest);
    return { text: before + text + behind, steps };
  }

  /** The report on all of `doc`, made from that on what was cut down; `undefined` where it is not sure. */
  widen(doc: Text, report: Report, there: Cut["steps"]): Report | undefined {
    const summary = this.#summaryOf(report, there);
    if (summary === undefined || !this.#isSure(doc, report, there)) return undefined;
    const place = ({ line, column }: Position) => ({ line, column, offset: doc.line(line).from + column - 1 });
    const all = report.diagnostics.map((one) => moved(one, place));
    const own = report.steps[there.indexOf(this.#index)];
    const seen = (at: number) => all.filter(({ severity, step }) => severity === "info" && step === this.#name(at));
    const known = loads(report) ? this.#adviceIn(doc) : [];
    if (known === undefined) return undefined;
    const advice = known.flatMap((some, at) => (this.#cut.has(at) ? some : seen(at)));
    const steps = this.#report.steps.map((step, at) =>
      at === this.#index && own !== undefined
        ? { ...own, range: movedRange(own.range, place) }
        : this.#isMoved(doc, at)
          ? { ...step, range: movedRange(step.range, this.#shift(doc)) }
          : step,
    );
    return {
      ...report,
      summary,
      diagnostics: [...all.filter(({ severity }) => severity !== "info"), ...advice],
      steps,
    };
  }

  /** The closing lines, which count the steps of a file that is accepted; `undefined` where they are not known. */
  #summaryOf({ diagnostics, summary, valid }: Report, there: Cut["steps"]): string | undefined {
    if (there.length === this.#report.steps.length) return summary;
    if (valid) return this.#accepted;
    return diagnostics.some(({ severity }) => severity === "error") ? summary : undefined;
  }

  /** Whether what is said of `doc` cut down is all that there is to say. */
  #isSure(doc: Text, { diagnostics, steps }: Report, there: Cut["steps"]): boolean {
    const down = doc.lines - this.#doc.lines;
    const isThere = ({ name, range }: StepSummary, nth: number) => {
      const at = there[nth] ?? 0;
      return name === this.#name(at) && range.start.line === startOf(this.#frame, at) + (at > this.#index ? down : 0);
    };
    if (steps.length !== there.length || !steps.every(isThere)) return false;
    // Whether there is a finalizer, others are asked about.
    const own = steps[there.indexOf(this.#index)];
    const [last, next] = [this.#report.steps[this.#index]?.execution, own?.execution];
    if (last !== next && (last === "finalizer" || next === "finalizer")) return false;
    const starts = this.#frame.starts.map((start, at) => start + (at > this.#index ? down : 0));
    const isAboutCut = ({ range }: Diagnostic) => {
      const at = stepOn({ ...this.#frame, starts }, range.start.line);
      return at !== undefined && this.#cut.has(at);
    };
    if (diagnostics.some(isAboutCut)) return false;
    // A word without its colon, as while a key is written, is a mistake of that line alone; others may reach far.
    const broken = diagnostics.filter(({ code }) => code === "YAML_PARSE_ERROR");
    const isWord = ({ range }: Diagnostic) => WORD.test(doc.line(range.start.line).text);
    return broken.length === 0 || (broken.every(isWord) && !mayBeOpen(doc.sliceString(...this.#place(doc))));
  }

  #name(at: number): string | undefined {
    return this.#report.steps[at]?.name;
  }

  /** The advice on the other steps as it is in `doc`; `undefined` where it names lines that are others now. */
  #adviceIn(doc: Text): ByStep | undefined {
    const down = doc.lines - this.#doc.lines;
    const after = this.#advice?.slice(this.#index + 1).flat() ?? [];
    if (down !== 0 && after.some(({ message }) => /\bline \d/.test(message))) return undefined;
    const shift = this.#shift(doc);
    return this.#advice?.map((some, at) => (this.#isMoved(doc, at) ? some.map((one) => moved(one, shift)) : some));
  }

  /** Whether the step stands elsewhere in `doc`. */
  #isMoved(doc: Text, at: number): boolean {
    return at > this.#index && (doc.length !== this.#doc.length || doc.lines !== this.#doc.lines);
  }

  /** Where what is behind the step has come to in `doc`. */
  #shift(doc: Text): Place {
    const [down, right] = [doc.lines - this.#doc.lines, doc.length - this.#doc.length];
    return ({ line, column, offset }) => ({ line: line + down, column, offset: offset + right });
  }
}

function startOf({ starts }: Frame, at: number): number {
  return starts[at] ?? 1;
}

/** The step that line `number` is in. */
function stepOn({ starts }: Frame, number: number): number | undefined {
  const at = starts.filter((start) => start <= number).length - 1;
  return at < 0 || at === starts.length - 1 ? undefined : at;
}

/** Where the steps of a sound file stand; `undefined` where they cannot be told apart by their lines. */
function frameOf(doc: Text, { diagnostics, steps }: Report): Frame | undefined {
  const starts = steps.map(({ range }) => range.start.line);
  const indent = (steps[0]?.range.start.column ?? 0) - 1;
  const [first] = starts;
  // Where the file itself is wrong, steps may not have been looked at.
  const isOfFile = (one: Diagnostic) => one.step === undefined && (keepsAdviceBack(one) || one.severity === "info");
  if (first === undefined || indent < 1 || diagnostics.some(isOfFile) || ENTANGLED.test(doc.toString())) {
    return undefined;
  }
  let [at, number] = [0, first];
  for (const line of doc.iterLines(first)) {
    if (!SAYS_NOTHING.test(line) && indentOf(line) <= indent) {
      // What follows the last step is another part of the file.
      if (number !== starts[at] || indentOf(line) < indent) break;
      at += 1;
    }
    number += 1;
  }
  return at === steps.length ? { indent, starts: [...starts, number] } : undefined;
}

function indentOf(line: string): number {
  return line.search(/[^ ]|$/);
}

/** Whether a quote or bracket of `text` may be open at the end of its line. */
function mayBeOpen(text: string): boolean {
  return OPENING.test(text.replace(QUOTED, "$1").replace(BRACKETS, "").replace(BRACKETS, ""));
}

/** The advice on each step, and everything else. */
function byStep({ diagnostics, steps }: Report, frame: Frame): [advice: Diagnostic[][], rest: Diagnostic[][]] {
  const places = new Map(steps.map(({ name }, at) => [name, at]));
  const made = (): Diagnostic[][] => steps.map(() => []);
  const [advice, rest] = [made(), made()];
  for (const one of diagnostics) {
    const at = places.get(one.step ?? "") ?? stepOn(frame, one.range.start.line);
    if (at !== undefined) (one.severity === "info" ? advice : rest)[at]?.push(one);
  }
  return [advice, rest];
}

/**
 * The lines of a step without what only it needs to know, and as many of them; `undefined` where it is not
 * written as a block.
 */
function bare([name = "", ...body]: string[], step: StepSummary | undefined): string[] | undefined {
  const first = body.findIndex((line) => !SAYS_NOTHING.test(line));
  const indent = readKey(body[first] ?? "")?.indent;
  const own = readKey(name);
  if (own === undefined || indent === undefined || indent !== indentOf(body[first] ?? "")) return undefined;
  if (!SAYS_NOTHING.test(name.slice(own.valueAt))) return undefined;
  const left: string[] = [];
  let [stays, isTemplated, room] = [false, false, -1];
  for (const [at, line] of body.entries()) {
    if (!SAYS_NOTHING.test(line) && indentOf(line) < indent) return undefined;
    const key: KeyLine | undefined = indentOf(line) === indent ? readKey(line) : undefined;
    if (key?.indent === indent) {
      stays = LOOKED_AT.has(key.name) || (key.name === "execution" && step?.execution === "finalizer");
      isTemplated ||= key.name === "use_template";
    }
    if (!stays) room = at;
    left.push(stays ? line : "");
  }
  if (isTemplated) return [name, ...left];
  if (room < 0) return undefined;
  left[room] = " ".repeat(indent) + NOTHING_MISSED;
  return [name, ...left];
}

/** Whether advice is given: not while there is an error. */
function loads({ diagnostics }: Report): boolean {
  return !diagnostics.some(keepsAdviceBack);
}

function keepsAdviceBack({ severity, code }: Diagnostic): boolean {
  return severity === "error" && code !== "UNKNOWN_WORKFLOW_KEY" && code !== "UNKNOWN_STEP_KEY";
}

type Place = (position: Position) => Position;

function moved(diagnostic: Diagnostic, place: Place): Diagnostic {
  const { range, related, fixes } = diagnostic;
  return {
    ...diagnostic,
    range: movedRange(range, place),
    ...(related && { related: related.map((one) => ({ ...one, range: movedRange(one.range, place) })) }),
    fixes: fixes.map((fix) => ({
      ...fix,
      edits: fix.edits.map((edit) => ({ ...edit, range: movedRange(edit.range, place) })),
    })),
  };
}

function movedRange({ start, end }: Range, place: Place): Range {
  return { start: place(start), end: place(end) };
}
