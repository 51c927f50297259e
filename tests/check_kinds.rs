//! Where each key of a step belongs: one case for each cell of the table.
#![allow(clippy::unwrap_used)]

use step_retry::check::{Diagnostic, Options, check};

/// Key, value, and what becomes of it on auto, agent, guard and finalizer steps: `+` read,
/// `-` accepted and unread, `not` refused as not valid there, `only:X` refused as only valid on X;
/// a word in capitals is the one diagnostic besides.
const TABLE: &str = "
description           | text                    | +                        | +                       | +                       | +
depends_on            | [first]                 | +                        | +                       | +                       | not
trigger_rule          | all_done                | +                        | +                       | not                     | not
when                  | first.ok                | +                        | +                       | +                       | not
preconditions         | [first.ok]              | +                        | +                       | not                     | -
uses_service          | mail                    | +                        | -                       | not                     | not
service_method        | send                    | +                        | -                       | not                     | not
operation             | send                    | +                        | -                       | not                     | not
input_map             | {a: b}                  | +                        | only:auto               | not                     | not
handler               | h                       | +                        | +                       | not                     | +
config                | {a: b}                  | +                        | -                       | -                       | +
timeout_seconds       | 5                       | +                        | not                     | not                     | +
retry                 | {max_attempts: 2}       | + RETRY_NO_TIMEOUT       | - RETRY_INERT_NON_AUTO  | - RETRY_INERT_NON_AUTO  | not
idempotent            | true                    | +                        | only:auto               | only:auto               | only:auto
prompt                | text                    | +                        | +                       | -                       | -
instructions          | text                    | +                        | +                       | -                       | -
display               | text                    | +                        | +                       | -                       | -
agent_profile         | p                       | only:agent               | +                       | only:agent              | only:agent
output_schema         | {type: object}          | only:agent               | +                       | not                     | not
structured_output     | true                    | only:agent               | +                       | only:agent              | only:agent
validation_exhaustion | {threshold: 2}          | only:agent               | +                       | only:agent              | only:agent
tools                 | [a]                     | only:agent               | +                       | not                     | not
trace_schema          | {type: object}          | only:agent               | +                       | only:agent              | only:agent
trace_validation_mode | strict                  | only:agent               | +                       | only:agent              | only:agent
llm_timeout_seconds   | 5                       | only:agent               | +                       | only:agent              | only:agent
input_schema          | {type: object}          | +                        | +                       | not                     | -
max_tool_calls        | 5                       | -                        | +                       | -                       | -
max_fan_out           | 5                       | -                        | +                       | -                       | -
tool_timeout          | 5                       | + TOOL_TIMEOUT_NEEDS_TOOLS | + TOOL_TIMEOUT_NEEDS_TOOLS | + TOOL_TIMEOUT_NEEDS_TOOLS | + TOOL_TIMEOUT_NEEDS_TOOLS
trust                 | auto                    | +                        | +                       | not                     | +
gate                  | {message: ok?}          | + DEAD_GATE_CONFIG       | + DEAD_GATE_CONFIG      | - DEAD_GATE_CONFIG      | - DEAD_GATE_CONFIG
abort_unless          | first.ok                | only:guard               | only:guard              | +                       | only:guard
abort_message         | stop                    | only:guard               | only:guard              | +                       | only:guard
on_outcome            | fail                    | only:finalizer           | only:finalizer          | only:finalizer          | +
use_template          | t                       | +                        | +                       | +                       | +
";

const KINDS: [(&str, &str); 4] = [
    ("auto", "handler: h"),
    ("agent", "instructions: text"),
    ("guard", "abort_unless: first.ok"),
    ("finalizer", "handler: h\n    on_outcome: always"),
];

/// A file with one step of the kind under test, the key in it, and a step before it.
fn file(kind: &str, body: &str, key: &str, value: &str) -> String {
    let kept = |line: &&str| !line.trim_start().starts_with(&format!("{key}:"));
    let step = format!("    description: text\n    execution: {kind}\n    {body}");
    let step: Vec<_> = step.lines().filter(kept).collect();
    format!(
        "id: w\nname: W\nversion: 1\nsteps:\n  first:\n    description: text\n    execution: auto\n    handler: h\n  it:\n{}\n    {key}: {value}\n",
        step.join("\n")
    )
}

fn told(source: &str) -> Vec<Diagnostic> {
    check(source, &Options::default()).diagnostics
}

#[test]
fn each_cell_of_the_table_holds() {
    let mut cells = 0;
    for row in TABLE.lines().filter(|row| !row.is_empty()) {
        let columns: Vec<_> = row.split('|').map(str::trim).collect();
        let (key, value) = (columns[0], columns[1]);
        for ((kind, body), cell) in KINDS.iter().zip(&columns[2..]) {
            let source = file(kind, body, key, value);
            let diagnostics = told(&source);
            let (fate, besides) = cell.split_once(' ').unwrap_or((cell, ""));
            let refusal = match fate.strip_prefix("only:") {
                Some(home) => Some(format!("Step 'it': '{key}' is only valid on execution: {home} steps — ")),
                None if fate == "not" => {
                    Some(format!("Step 'it': '{key}' is not valid on execution: {kind} steps — "))
                }
                None => None,
            };
            let context = format!("{key} on {kind}: {diagnostics:#?}");
            match refusal {
                Some(text) => {
                    let [refused] = diagnostics.as_slice() else { panic!("{context}") };
                    assert_eq!(refused.code, "KEY_NOT_ALLOWED", "{context}");
                    assert!(refused.message.starts_with(&text), "{context}");
                    let line = source.lines().count();
                    assert!(refused.message.ends_with(&format!("{}{line})", " (line ")), "{context}");
                    assert_eq!(refused.range.start.line as usize, line, "{context}");
                    assert_eq!(refused.range.start.column, 5, "{context}");
                    assert_eq!(refused.range.end.column as usize, 5 + key.len(), "{context}");
                }
                None => {
                    let codes: Vec<_> = diagnostics.iter().map(|d| d.code).collect();
                    let expected: Vec<_> = besides.split_whitespace().collect();
                    assert_eq!(codes, expected, "{context}");
                }
            }
            cells += 1;
        }
    }
    assert_eq!(cells, 4 * 35);
}

#[test]
fn a_tool_limit_is_accepted_beside_tools() {
    let source = file("agent", "tools: [a]", "tool_timeout", "5");
    assert!(told(&source).is_empty());
    let source = file("auto", "handler: h\n    tools: [a]", "tool_timeout", "5");
    let codes: Vec<_> = told(&source).iter().map(|d| (d.code, d.key.clone().unwrap())).collect();
    assert_eq!(codes, [("KEY_NOT_ALLOWED", "tools".to_owned())]);
}
