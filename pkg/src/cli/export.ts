/**
 * `step-retry export`: a step's retries in the words of another engine.
 *
 * @module
 */

import type { ExportTarget, ExportVerdict, Loss, PolicyExport } from "../export/types.js";
import { EXPORT_TARGETS, exportPolicy } from "../export.js";
import { validate } from "../index.js";
import { readArguments } from "./arguments.js";
import { EXIT, Refusal, WrongUsage } from "./exit.js";
import { readWorkflow } from "./files.js";
import { mark } from "./report-text.js";
import { findStep, limitsOf } from "./steps.js";
import type { Terminal } from "./terminal.js";

/** What `step-retry export --help` prints. */
export const EXPORT_HELP = `Writes the retries of a step for another engine.

Usage: step-retry export FILE STEP --to ENGINE [options]

The text in the engine's own language is on stdout, what is lost on the way on stderr.

Engines: ${listed(EXPORT_TARGETS)}

Options:
  --to ENGINE       The engine
  --max-loss LEVEL  What may be lost: exact (nothing), code (what the text's own code makes up for),
                    approximate (what the engine does a little otherwise; the default)
  --json            Text, settings, losses and both tables of waits as one JSON object
  --help            This text

Exit code: 0 written, 1 more would be lost than may be, or the step has no such retries, 2 wrong usage.`;

const OPTIONS = {
  to: { type: "string" },
  "max-loss": { type: "string", default: "approximate" },
  json: { type: "boolean", default: false },
} as const;

/** What may be lost, in the words of the option. */
const LEVELS: ReadonlyMap<string, ExportVerdict> = new Map([
  ["exact", "exact"],
  ["code", "exact-with-code"],
  ["approximate", "approximate"],
]);

/** Best first. */
const VERDICTS: readonly ExportVerdict[] = ["exact", "exact-with-code", "approximate", "refused"];

/** Runs the command and returns its exit code. */
export async function exportCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [path, name, ...rest] = positionals;
  if (path === undefined || name === undefined || rest.length > 0)
    throw new WrongUsage("give one workflow file and one step");
  const target = engine(values.to);
  const most = level(values["max-loss"]);
  const report = validate((await readWorkflow(path)).text);
  const exported = exportPolicy(limitsOf(report, findStep(report, name)), target, { name });
  if (values.json) terminal.out(JSON.stringify(exported, null, 2));
  else printLosses(exported.losses, terminal);
  const held = VERDICTS.indexOf(exported.verdict) <= VERDICTS.indexOf(most);
  if (held && !values.json) terminal.pass("out", exported.text);
  if (!held) throw new Refusal(tooMuch(name, target, exported));
  return EXIT.ok;
}

function engine(word: string | undefined): ExportTarget {
  if (word === undefined) throw new WrongUsage("say for which engine: --to ENGINE");
  const target = EXPORT_TARGETS.find((target) => target === word);
  if (target === undefined) throw new WrongUsage(`--to takes one of ${EXPORT_TARGETS.join(", ")}, not '${word}'`);
  return target;
}

function level(word: string): ExportVerdict {
  const verdict = LEVELS.get(word);
  if (verdict === undefined) throw new WrongUsage(`--max-loss takes exact, code or approximate, not '${word}'`);
  return verdict;
}

function printLosses(losses: readonly Loss[], terminal: Terminal): void {
  for (const { code, verdict, message } of losses) {
    const severity = verdict === "refused" ? "error" : verdict === "approximate" ? "warning" : "info";
    terminal.err([mark(severity), ` ${code}: ${message}`]);
  }
}

function tooMuch(name: string, target: ExportTarget, { verdict, losses }: PolicyExport): string {
  const codes = new Set(losses.filter((loss) => loss.verdict === verdict).map(({ code }) => code));
  return `Step '${name}' is ${verdict} on ${target}: ${Array.from(codes).join(", ")}`;
}

/** Words in lines of a help text. */
function listed(words: readonly string[]): string {
  const half = Math.ceil(words.length / 2);
  return `${words.slice(0, half).join(", ")},\n         ${words.slice(half).join(", ")}`;
}
