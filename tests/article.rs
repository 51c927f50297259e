//! The bounded-retry article: its default policy and the seven behaviours that its own tests check,
//! on a clock that nobody waits for.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value as Json, json};
use step_retry::policy::StepLimits;
use step_retry::run::{Lateness, RunOptions, SimulatedOutcome, simulate};
use support::value;

/// Three attempts, ten seconds, half a second doubling up to two: the article's numbers as a step and
/// options (`fromBounded` makes the same in TypeScript).
fn bounded(max_attempts: u64, outcomes: &Json) -> Json {
    let step = json!({"retry": {
        "max_attempts": max_attempts, "backoff": "exponential", "base_delay_ms": 500, "max_delay_ms": 2000,
    }});
    let options = json!({"budget": "gate", "budgetMs": 10_000});
    let result = simulate(
        StepLimits::read("load", &value(&step)).unwrap(),
        &SimulatedOutcome::read_list(&value(outcomes)).unwrap(),
        RunOptions::read(&value(&options)).unwrap(),
        Lateness::default(),
    );
    serde_json::to_value(result.unwrap()).unwrap()
}

fn waits(result: &Json) -> Vec<f64> {
    let attempts = result["record"]["attempts"].as_array().unwrap();
    attempts.iter().skip(1).map(|attempt| attempt["wait_before_ms"].as_f64().unwrap()).collect()
}

fn attempts(result: &Json) -> usize {
    result["record"]["attempts"].as_array().unwrap().len()
}

const UNAVAILABLE: &str = r#"{"result": "retryable", "ms": 0}"#;

fn unavailable() -> Json {
    serde_json::from_str(UNAVAILABLE).unwrap()
}

#[test]
fn two_temporary_failures_then_the_text_after_half_a_second_and_one() {
    let result = bounded(3, &json!([unavailable(), unavailable(), {"result": "ok"}]));
    assert_eq!((result["ok"].as_bool(), waits(&result)), (Some(true), vec![500.0, 1000.0]));
}

#[test]
fn a_persistent_failure_stops_after_three_attempts_without_another_wait() {
    let result = bounded(3, &json!([unavailable()]));
    assert_eq!((attempts(&result), waits(&result)), (3, vec![500.0, 1000.0]));
    assert_eq!(result["record"]["elapsed_ms"], 1500.0, "no wait after the last failure");
    assert_eq!(result["error"]["code"], "STEP_RETRY_EXHAUSTED");
}

#[test]
fn a_permanent_error_leaves_at_once_and_as_it_is() {
    let result = bounded(3, &json!([{"result": "fatal", "code": "ValueError", "message": "invalid input"}]));
    assert_eq!(attempts(&result), 1);
    assert_eq!(
        (&result["error"]["code"], &result["error"]["message"]),
        (&json!("ValueError"), &json!("invalid input"))
    );
}

#[test]
fn a_wait_that_would_use_all_that_is_left_is_not_begun() {
    let result = bounded(3, &json!([{"result": "retryable", "ms": 9_500}]));
    assert_eq!((attempts(&result), &result["record"]["exhausted_by"]), (1, &json!("total_timeout")));
    assert_eq!(result["record"]["elapsed_ms"], 9_500.0);
    let result = bounded(3, &json!([{"result": "retryable", "ms": 9_499}, {"result": "ok"}]));
    assert_eq!(
        (attempts(&result), result["ok"].as_bool()),
        (2, Some(true)),
        "a millisecond less and it fits"
    );
}

#[test]
fn a_policy_of_one_attempt_never_waits() {
    let result = bounded(1, &json!([unavailable()]));
    assert_eq!((attempts(&result), &result["record"]["elapsed_ms"]), (1, &json!(0.0)));
}

#[test]
fn longer_policies_keep_to_the_cap() {
    let result = bounded(6, &json!([unavailable()]));
    assert_eq!(waits(&result), [500.0, 1000.0, 2000.0, 2000.0, 2000.0]);
}

#[test]
fn a_call_of_thirty_seconds_is_not_interrupted_and_its_result_counts() {
    let result = bounded(3, &json!([{"result": "ok", "ms": 30_000}]));
    assert_eq!((result["ok"].as_bool(), &result["record"]["elapsed_ms"]), (Some(true), &json!(30_000.0)));
    assert_eq!(result["record"]["attempts"][0]["effective_timeout_seconds"], Json::Null);
}
