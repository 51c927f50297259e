//! The conformance cases of a run: waits, total limits, and what each attempt's record says.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value as Json, json};
use step_retry::plan;
use step_retry::policy::StepLimits;
use step_retry::run::{Lateness, RunOptions, SimulatedOutcome, simulate};
use support::value;

fn limits(case: &Json) -> StepLimits {
    StepLimits::read(case["name"].as_str().unwrap(), &value(&case["step"])).unwrap()
}

fn options(case: &Json) -> RunOptions {
    RunOptions { name: case["name"].as_str().unwrap().into(), ..RunOptions::default() }
}

#[test]
fn waits_and_total_limits_are_those_of_the_cases() {
    for case in support::cases("run.json") {
        let id = &case["id"];
        let policy = options(&case).policy(&limits(&case));
        if let Some(expected) = case["delays_ms"].as_array() {
            let expected: Vec<f64> = expected.iter().map(|delay| delay.as_f64().unwrap()).collect();
            assert_eq!(plan::delays(&policy, u64::MAX), expected, "{id}");
        }
        let budget = policy.budget.limit().map(|limit| limit.get());
        assert_eq!(budget, case["budget_ms"].as_f64(), "{id}");
        assert_eq!(policy.budget.source(), case["budget_source"].as_str().unwrap_or("none"), "{id}");
    }
}

#[test]
fn runs_end_as_the_cases_say() {
    let mut run = 0;
    for case in support::cases("run.json").iter().filter(|case| case.get("expect").is_some()) {
        let outcomes = SimulatedOutcome::read_list(&value(&case["plan"])).unwrap();
        let lateness = json!({ "waitLatenessMs": case["wait_lateness_ms"].as_f64().unwrap_or(0.0) });
        let lateness = Lateness::read(&value(&lateness)).unwrap();
        let result = simulate(limits(case), &outcomes, options(case), lateness).unwrap();
        let result = serde_json::to_value(&result).unwrap();
        assert_eq!(told(&result), case["expect"], "{}", case["id"]);
        run += 1;
    }
    assert!(run >= 20, "only {run} cases were run");
}

/// A result in the words of the cases.
fn told(result: &Json) -> Json {
    let attempt = |attempt: &Json| {
        let mut told = json!({
            "attempt": whole(&attempt["attempt"]),
            "start_ms": whole(&attempt["started_at_ms"]),
            "duration_ms": whole(&attempt["duration_ms"]),
            "status": attempt["status"],
        });
        if let Some(clipped) = attempt.get("clipped_to_ms") {
            told["clipped_to_ms"] = whole(clipped);
        }
        told
    };
    let attempts: Vec<Json> = result["record"]["attempts"].as_array().unwrap().iter().map(attempt).collect();
    let mut told = json!({ "ok": result["ok"], "attempts": attempts });
    if let Some(error) = result.get("error") {
        told["error_code"] = error["code"].clone();
        told["message"] = error["message"].clone();
    }
    if let Some(reason) = result["record"].get("exhausted_by") {
        told["exhausted_by"] = reason.clone();
    }
    told
}

/// The cases write whole numbers; ours go out as numbers with fractions.
fn whole(number: &Json) -> Json {
    let number = number.as_f64().unwrap();
    assert_eq!(number.fract(), 0.0);
    json!(number as u64)
}
