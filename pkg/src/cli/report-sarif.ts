/**
 * What was found in files, as a SARIF 2.1.0 log for code scanning.
 *
 * @module
 */

import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic, Fix, Range, Severity } from "../types.js";
import type { Checked, CheckedFile } from "./checked.js";

const LEVELS: Record<Severity, "error" | "warning" | "note"> = { error: "error", warning: "warning", info: "note" };

/** The log of `files`. `version` is ours. */
export function sarifLog(files: readonly Checked[], version: string) {
  const read = files.filter((checked) => "report" in checked);
  const unread = files.filter((checked) => "failure" in checked);
  const ruleIds = [...new Set(read.flatMap(({ report }) => report.diagnostics.map(({ code }) => code)))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "step-retry", version, rules: ruleIds.map((id) => ({ id })) } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: unread.length === 0,
            toolExecutionNotifications: unread.map(({ path, failure }) => ({
              level: "error",
              message: { text: failure },
              locations: [{ physicalLocation: { artifactLocation: artifact(path) } }],
            })),
          },
        ],
        results: read.flatMap((checked) => results(checked, ruleIds)),
      },
    ],
  };
}

function results({ file, report }: CheckedFile, ruleIds: readonly string[]) {
  return report.diagnostics.map((diagnostic) => result(file.path, diagnostic, ruleIds.indexOf(diagnostic.code)));
}

function result(path: string, { code, severity, message, range, related, fixes }: Diagnostic, ruleIndex: number) {
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: message },
    locations: [location(path, range)],
    ...(related === undefined
      ? {}
      : {
          relatedLocations: related.map((place) => ({
            ...location(path, place.range),
            message: { text: place.message },
          })),
        }),
    ...(fixes.length === 0 ? {} : { fixes: fixes.map((fix) => sarifFix(path, fix)) }),
  };
}

function sarifFix(path: string, { title, edits }: Fix) {
  const replacements = edits.map(({ range, newText }) => ({
    deletedRegion: region(range),
    insertedContent: { text: newText },
  }));
  return { description: { text: title }, artifactChanges: [{ artifactLocation: artifact(path), replacements }] };
}

function location(path: string, range: Range) {
  return { physicalLocation: { artifactLocation: artifact(path), region: region(range) } };
}

function region({ start, end }: Range) {
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

/** A path as a URI: relative ones stay relative, so that the log can move to another machine. */
function artifact(path: string) {
  return { uri: isAbsolute(path) ? pathToFileURL(path).href : path.split(sep).map(encodeURIComponent).join("/") };
}
