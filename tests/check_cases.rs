//! Every case of `tests/cases/validate.json`, each field of what it expects.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use step_retry::check::{Options, check};

fn report(yaml: &str, strict: bool) -> Value {
    serde_json::to_value(check(yaml, &Options { strict, ..Options::default() })).unwrap()
}

/// Takes ` (line N)` and ` (step at line N)` out of a text.
fn without_position(text: &str) -> String {
    let mut text = text.to_owned();
    for opening in [" (line ", " (step at line "] {
        while let Some(start) = text.find(opening) {
            let end = start + text[start..].find(')').unwrap() + 1;
            text.replace_range(start..end, "");
        }
    }
    text
}

/// What differs between a diagnostic and what a case expects of it.
fn differences(expected: &Value, found: &Value) -> Vec<String> {
    let message = found["message"].as_str().unwrap();
    let any_position = expected["any_position"] == true;
    let message = if any_position { without_position(message) } else { message.to_owned() };
    let text = |key: &str| {
        expected[key].as_str().map(|text| if any_position { without_position(text) } else { text.to_owned() })
    };
    let mut differences = Vec::new();
    for key in ["severity", "code"] {
        if expected.get(key).is_some_and(|value| value != &found[key]) {
            differences.push(format!("{key}: {} instead of {}", found[key], expected[key]));
        }
    }
    if text("message").is_some_and(|text| text != message)
        || text("message_prefix").is_some_and(|text| !message.starts_with(&text))
        || text("message_suffix").is_some_and(|text| !message.ends_with(&text))
    {
        differences.push(format!("{message}\n      instead of {expected}"));
    }
    if let Some(line) = expected["line"].as_i64() {
        let found = found["range"]["start"]["line"].as_i64().unwrap();
        if (line - found).abs() > 1 {
            differences.push(format!("on line {found} instead of {line}"));
        }
    }
    differences
}

#[test]
fn every_case_holds() {
    let mut failures = Vec::new();
    let cases = support::cases("validate.json");
    assert!(cases.len() >= 153);
    for case in &cases {
        let (id, expect) = (case["id"].as_str().unwrap(), &case["expect"]);
        let mut fail = |what: String| failures.push(format!("{id}: {what}"));
        for (strict, valid, lines) in [(false, "valid", "stdout"), (true, "strict_valid", "strict_stdout")] {
            let report = report(case["yaml"].as_str().unwrap(), strict);
            if report["valid"] != expect[valid] {
                fail(format!("{valid} is {}", report["valid"]));
            }
            if expect[lines].get(0).is_some_and(|line| line != &report["summary"]) {
                fail(format!("{} instead of {}", report["summary"], expect[lines][0]));
            }
            let found: Vec<_> = report["diagnostics"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|diagnostic| diagnostic["severity"] != "info")
                .collect();
            let expected = expect["diagnostics"].as_array().unwrap();
            if found.len() != expected.len() {
                fail(format!("{} diagnostics instead of {}: {found:#?}", found.len(), expected.len()));
                continue;
            }
            for (expected, found) in expected.iter().zip(found) {
                differences(expected, found).into_iter().for_each(&mut fail);
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
