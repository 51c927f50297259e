//! Every mending mends: its diagnostic goes, and nothing new comes.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use step_retry::check::{Diagnostic, Fix, Options, Report, check};

fn report(source: &str) -> Report {
    check(source, &Options::default())
}

/// The text with the edits of `fix` made in it.
fn apply(source: &str, fix: &Fix) -> String {
    let mut units: Vec<u16> = source.encode_utf16().collect();
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start.offset));
    for edit in edits {
        let range = edit.range.start.offset as usize..edit.range.end.offset as usize;
        units.splice(range, edit.new_text.encode_utf16());
    }
    String::from_utf16(&units).unwrap()
}

/// What tells one diagnostic from another, wherever it has moved.
fn identity(diagnostic: &Diagnostic) -> (&'static str, String) {
    (diagnostic.code, serde_json::to_string(&diagnostic.path).unwrap())
}

/// What only shows where something else has gone, and is no new mistake.
fn was_hidden(found: &Diagnostic, mended: &Diagnostic, before: &Report) -> bool {
    let early_exit = ["YAML_PARSE_ERROR", "MISSING_FIELD", "INVALID_VERSION", "INVALID_STEPS"];
    let refused = before.diagnostics.iter().any(|d| format!("{:?}", d.severity) == "Error");
    found.code == "RETRY_NO_TIMEOUT"
        || (refused && format!("{:?}", found.severity) == "Info")
        || (mended.step.is_none() && early_exit.contains(&mended.code))
        || (mended.code == "INVALID_EXECUTION" && found.step == mended.step)
}

/// The mendings that were tried, and what was wrong with them.
#[derive(Default)]
struct Trial {
    fixes: usize,
    failures: Vec<String>,
}

impl Trial {
    /// Tries every mending of `source`.
    fn all(&mut self, name: &str, source: &str) {
        let before = report(source);
        for diagnostic in &before.diagnostics {
            for fix in &diagnostic.fixes {
                self.fixes += 1;
                if let Err(what) = mends(source, &before, diagnostic, fix) {
                    let (title, told) = (&fix.title, &diagnostic.message);
                    self.failures.push(format!("{name}: {title} ({told})\n  {what}\n{}", apply(source, fix)));
                }
            }
        }
    }

    fn assert(self, least: usize) {
        let shown: Vec<_> = self.failures.iter().take(5).cloned().collect();
        assert!(self.failures.is_empty(), "{} failures\n{}", self.failures.len(), shown.join("\n"));
        assert!(self.fixes >= least, "only {} mendings were tried", self.fixes);
    }
}

fn mends(source: &str, before: &Report, diagnostic: &Diagnostic, fix: &Fix) -> Result<(), String> {
    let mended = apply(source, fix);
    let after = report(&mended);
    let same = |d: &&Diagnostic| identity(d) == identity(diagnostic) && d.message == diagnostic.message;
    let count = |all: &Report| all.diagnostics.iter().filter(same).count();
    if count(&after) >= count(before) {
        return Err("the diagnostic is still there".into());
    }
    let known: Vec<_> = before.diagnostics.iter().map(identity).collect();
    for found in &after.diagnostics {
        if !known.contains(&identity(found)) && !was_hidden(found, diagnostic, before) {
            return Err(format!("brings {}", found.message));
        }
    }
    if !fix.title.starts_with("Remove") && mended.matches('#').count() != source.matches('#').count() {
        return Err("a comment is lost".into());
    }
    Ok(())
}

/// A file with one step of `kind`, whose key `key` has a value that may be anything.
fn files(kind: &str, rest: &[&str], key: &str, value: &str) -> [String; 3] {
    let (block, entry) = key.split_once('.').map_or(("", key), |(block, entry)| (block, entry));
    let head = "id: w # the workflow\nname: W\nversion: 1\nsteps:\n  first: {description: d, execution: auto, handler: h}\n";
    let mut lines = vec![format!("description: d # {kind}"), format!("execution: {kind}")];
    lines.extend(
        rest.iter().filter(|line| !line.starts_with(&format!("{key}:"))).map(|line| (*line).to_owned()),
    );
    let (nested, flow) = if block.is_empty() {
        (format!("{entry}: {value} # why"), format!("{entry}: {value}"))
    } else {
        let more = if block == "gate" { "message: m" } else { "max_attempts: 3" };
        let more = if more.starts_with(&format!("{entry}:")) { "base_delay_ms: 5" } else { more };
        (
            format!("{block}: # block\n      {more}\n      {entry}: {value} # why"),
            format!("{block}: {{{more}, {entry}: {value}}}"),
        )
    };
    let body: String = lines.iter().chain([&nested]).map(|line| format!("    {line}\n")).collect();
    let plain: Vec<_> = lines.iter().map(|line| line.split(" #").next().unwrap().to_owned()).collect();
    let in_line = format!("  it: {{{}, {flow}}}\n", plain.join(", "));
    [
        format!("{head}  it:\n{body}"),
        format!("{head}{in_line}"),
        format!("{head}  it:\n{body}").replace('\n', "\r\n"),
    ]
}

const KINDS: [(&str, &[&str]); 4] = [
    ("auto", &["handler: h", "timeout_seconds: 30"]),
    ("agent", &["prompt: p", "tools: [a]"]),
    ("guard", &["abort_unless: x", "depends_on: [first]"]),
    ("finalizer", &["handler: h", "on_outcome: always"]),
];

const KEYS: &[&str] = &[
    "depends_on",
    "trigger_rule",
    "on_outcome",
    "idempotent",
    "trust",
    "timeout_seconds",
    "timeout_second",
    "retry",
    "retry.max_attempts",
    "retrys.max_attempts",
    "retrys.on_timeout",
    "retrys.total_timeout_seconds",
    "retry.max_atempts",
    "retry.backoff",
    "retry.base_delay_ms",
    "retry.max_delay_ms",
    "retry.on_timeout",
    "retry.on_timout",
    "retry.total_timeout_seconds",
    "retry.total_timeout_second",
    "gate",
    "gate.choices",
    "gate.timeout_seconds",
    "gate.on_expiry",
    "gate.default_choice",
    "gate.reminder_seconds",
    "gate.reminder_max",
    "gate.mesage",
    "max_tool_calls",
    "max_fan_out",
    "tool_timeout",
    "llm_timeout_seconds",
    "llm_timeout_second",
    "input_schema",
    "output_schema",
    "handlers",
    "tool",
    "x-note",
    "validation_exhaustion",
    "execution",
];

const VALUES: &[&str] = &[
    "5",
    "\"5\"",
    "1.5",
    "0",
    "-1",
    "~",
    "true",
    "\"true\"",
    "yes",
    "off",
    "Exponential",
    "fixd",
    "Abort",
    "settle_defualt",
    "aprove",
    "all_dune",
    "human_confirm",
    "[first]",
    "[frist]",
    "[]",
    "{}",
    "!!str 5",
    "5s",
    "100000",
    "Auto",
];

#[test]
fn every_mending_of_any_key_with_any_value_mends_and_brings_nothing_new() {
    let mut trial = Trial::default();
    for (kind, rest) in KINDS {
        for key in KEYS {
            for value in VALUES {
                for source in files(kind, rest, key, value) {
                    trial.all(&format!("{key}: {value} on {kind}"), &source);
                }
            }
        }
    }
    trial.assert(2000);
}

#[test]
fn every_mending_of_the_cases_mends_and_brings_nothing_new() {
    let mut trial = Trial::default();
    for case in support::cases("validate.json") {
        trial.all(case["id"].as_str().unwrap(), case["yaml"].as_str().unwrap());
    }
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap() {
        let path = entry.unwrap().path().join("workflow.yaml");
        if let Ok(source) = fs::read_to_string(&path) {
            trial.all(&path.to_string_lossy(), &source);
        }
    }
    trial.assert(60);
}

#[test]
fn the_commonest_yaml_errors_mend_themselves() {
    for (text, mended) in [
        ("a: 1\nhandler # why\nc: 2\n", "a: 1\nhandler: # why\nc: 2\n"),
        ("a:\n  retry\n  b: 1\n", "a:\n  retry:\n  b: 1\n"),
        ("a: fetch: it's late # why\n", "a: 'fetch: it''s late' # why\n"),
        ("a:\r\n  b: c: d\r\n", "a:\r\n  b: 'c: d'\r\n"),
    ] {
        let report = report(text);
        let [fix] = report.diagnostics[0].fixes.as_slice() else { panic!("{text}") };
        assert_eq!(apply(text, fix), mended);
        let left = check(mended, &Options::default());
        assert!(left.diagnostics.iter().all(|d| d.code != "YAML_PARSE_ERROR"), "{mended}");
    }
}
