//! The golden cases of exported policies: every engine's table of waits, its settings and every loss,
//! made by hand from the engines' own formulas.
#![allow(clippy::unwrap_used)]
#![cfg(feature = "export")]

mod support;

use serde_json::{Value as Json, json};
use step_retry::export::{self, LossCode, Target};
use step_retry::jitter::Jitter;
use step_retry::named::Named;
use step_retry::policy::{BudgetMode, Policy, StepLimits};
use support::value;

fn cases() -> Json {
    let path = format!("{}/tests/export/cases.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn exported(step: &Json, target: &str) -> Json {
    let limits = StepLimits::read("pull", &value(step)).unwrap();
    let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
    let target = Target::from_name(target).unwrap();
    serde_json::to_value(export::export(&policy, "pull", target)).unwrap()
}

/// Whole numbers as serde_json reads them, so that both sides compare.
fn plain(json: &Json) -> Json {
    match json {
        Json::Number(number) => json!(number.as_f64()),
        Json::Array(items) => items.iter().map(plain).collect(),
        Json::Object(entries) => entries.iter().map(|(key, item)| (key.clone(), plain(item))).collect(),
        other => other.clone(),
    }
}

fn strings(json: &Json) -> Vec<&str> {
    json.as_array().map(|items| items.iter().map(|item| item.as_str().unwrap()).collect()).unwrap_or_default()
}

/// What a code weighs where a case does not say.
fn usual(code: &str) -> &'static str {
    match code {
        "attempts-range" | "cap-missing" | "linear-missing" | "backoff-missing" | "delay-range" => "refused",
        "attempt-timeout-missing" | "retryable-inverted" => "exact-with-code",
        _ => "approximate",
    }
}

/// Each case by its title; what differs is told for all of them at once.
#[test]
fn every_engine_does_what_its_cases_say() {
    let mut wrong = Vec::new();
    for (target, engine) in cases().as_object().unwrap() {
        for case in engine["cases"].as_array().unwrap() {
            let got = exported(&case["step"], target);
            let differs = differences(engine, case, &got);
            if !differs.is_empty() {
                wrong.push(format!("{target}: {}\n  {}", case["says"], differs.join("\n  ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn differences(engine: &Json, case: &Json, got: &Json) -> Vec<String> {
    let mut differs = Vec::new();
    let mut hold = |what: &str, got: Json, expected: &Json| {
        if !expected.is_null() && plain(&got) != plain(expected) {
            differs.push(format!("{what}: {got} is not {expected}"));
        }
    };
    let losses = got["losses"].as_array().unwrap();
    let (notes, weighing): (Vec<&Json>, Vec<&Json>) =
        losses.iter().partition(|loss| loss["verdict"] == json!("exact"));
    let expected: Vec<String> = strings(&case["losses"])
        .iter()
        .map(|loss| if loss.contains(": ") { (*loss).to_owned() } else { format!("{loss}: {}", usual(loss)) })
        .collect();
    let told =
        |loss: &&Json| format!("{}: {}", loss["code"].as_str().unwrap(), loss["verdict"].as_str().unwrap());
    hold("losses", json!(weighing.iter().map(told).collect::<Vec<_>>()), &json!(expected));
    let again = !got["waits"].as_array().unwrap().is_empty();
    let usual_notes = if again { &engine["again"] } else { &engine["once"] };
    let expected = if case["notes"].is_null() { usual_notes } else { &case["notes"] };
    hold("notes", json!(notes.iter().map(|loss| loss["code"].clone()).collect::<Vec<_>>()), expected);
    hold("verdict", got["verdict"].clone(), &case["verdict"]);
    let column = |name: &str| -> Json {
        got["waits"].as_array().unwrap().iter().map(|row| row[name].clone()).collect()
    };
    hold("waits", column("theirsMs"), &case["theirs"]);
    hold("longest waits", column("theirsMaxMs"), &case["longest"]);
    let apart = losses.iter().filter(|loss| loss["wait"].is_number());
    let apart: Vec<Json> =
        apart.map(|loss| json!([loss["wait"], loss["oursMs"], loss["theirsMs"]])).collect();
    hold("waits apart", json!(apart), &case["apart"]);
    hold("value", got["value"].clone(), &case["value"]);
    let text = got["text"].as_str().unwrap();
    for part in strings(&case["contains"]) {
        hold("text", json!(text.contains(part).then_some(part)), &json!(part));
    }
    differs
}

#[test]
fn every_target_and_every_code_has_a_case() {
    let cases = cases();
    let targets: Vec<&String> = cases.as_object().unwrap().keys().collect();
    assert!(Target::WORDS.iter().all(|word| targets.iter().any(|target| target == word)), "{targets:?}");
    let mut seen: Vec<String> = Vec::new();
    for (target, engine) in cases.as_object().unwrap() {
        for case in engine["cases"].as_array().unwrap() {
            let losses = exported(&case["step"], target)["losses"].clone();
            seen.extend(
                losses.as_array().unwrap().iter().map(|loss| loss["code"].as_str().unwrap().to_owned()),
            );
        }
    }
    let missing: Vec<&&str> =
        LossCode::WORDS.iter().filter(|code| !seen.iter().any(|seen| seen == **code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
