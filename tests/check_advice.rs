//! Advice on limits that are accepted: when it is given, what it says, and when it keeps quiet.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value as Json, json};
use step_retry::advice::{Advice, advice};
use step_retry::check::{Options, check};

fn told(step: &Json) -> Vec<Advice> {
    advice("s", &support::value(step))
}

fn codes(step: &Json) -> Vec<&'static str> {
    told(step).iter().map(|advice| advice.code).collect()
}

fn retry(retry: Json) -> Json {
    json!({ "timeout_seconds": 10, "retry": retry })
}

#[test]
fn each_surprise_is_told_with_its_numbers() {
    for (step, code, says) in [
        (
            retry(json!({ "max_attempts": 3, "base_delay_ms": 500, "max_delay_ms": 100 })),
            "CAP_BELOW_BASE",
            "Step 's': 'retry.max_delay_ms' (100) is below 'retry.base_delay_ms' (500) — ",
        ),
        (
            retry(
                json!({ "max_attempts": 4, "backoff": "exponential", "base_delay_ms": 500, "max_delay_ms": 2001 }),
            ),
            "CAP_NEVER_REACHED",
            "Step 's': 'retry.max_delay_ms' (2001) is never reached — the longest wait is 2000 ms; ",
        ),
        (
            retry(json!({ "max_attempts": 5, "base_delay_ms": 43_200_000, "total_timeout_seconds": 25_200 })),
            "WAIT_EXCEEDS_TOTAL",
            "Step 's': the wait before attempt 2 (43200000 ms) does not fit into 'retry.total_timeout_seconds: 25200' — ",
        ),
        (
            retry(
                json!({ "max_attempts": 5, "base_delay_ms": 600, "total_timeout_seconds": 11, "backoff": "exponential" , "max_delay_ms": 9600}),
            ),
            "CAP_NEVER_REACHED",
            "Step 's': 'retry.max_delay_ms' (9600) is never reached — the longest wait is 4800 ms; ",
        ),
        (
            retry(json!({ "max_attempts": 9, "base_delay_ms": 10_000, "total_timeout_seconds": 30 })),
            "TOTAL_ALLOWS_FEWER_ATTEMPTS",
            "Step 's': 'retry.total_timeout_seconds: 30' leaves time for at most 3 of 9 attempts, even if each fails at once — ",
        ),
        (
            json!({ "timeout_seconds": 3600, "retry": { "max_attempts": 36 } }),
            "SCHEDULE_OVER_A_DAY",
            "Step 's': its attempts and waits can take 1.5 days — ",
        ),
        (
            retry(json!({ "max_attempts": 1_000_000, "base_delay_ms": 1_000_000 })),
            "SCHEDULE_OVER_A_DAY",
            "Step 's': its attempts and waits can take 32 years — ",
        ),
        (
            json!({ "retry": { "max_attempts": 2 } }),
            "RETRY_NO_TIMEOUT",
            "Step 's': declares 'retry' but no 'timeout_seconds' — each attempt is bounded by the default execution timeout (3600s), ",
        ),
        (
            retry(json!({ "max_attempts": 2, "max_atempts": 3 })),
            "UNKNOWN_RETRY_KEY",
            "step 's': unknown key 'max_atempts' — ignored (did you mean 'max_attempts'?)",
        ),
        (
            json!({ "timeout_seconds": 10, "idempotent": true, "retry": { "on_timeout": true } }),
            "ON_TIMEOUT_SINGLE_ATTEMPT",
            "Step 's': 'retry.on_timeout: true' has no effect with an effective 'max_attempts' of 1 — ",
        ),
        (
            retry(json!({ "max_attempts": 2, "total_timeout_seconds": 9 })),
            "TOTAL_TIMEOUT_BELOW_ATTEMPT",
            "Step 's': 'retry.total_timeout_seconds: 9' is at or below its per-attempt timeout (10s) — ",
        ),
    ] {
        let told = told(&step);
        let [found] = told.as_slice() else { panic!("{step}: {told:#?}") };
        assert_eq!(found.code, code, "{step}");
        assert!(found.message.starts_with(says), "{}", found.message);
        assert_eq!(found.step, "s");
        assert_eq!(found.docs, format!("diagnostics.md#{}", code.to_lowercase()));
    }
}

#[test]
fn what_is_right_gets_no_advice() {
    for step in [
        json!({}),
        json!({ "handler": "delete_everything", "timeout_seconds": 10 }),
        retry(json!({})),
        retry(json!({ "max_attempts": 3, "base_delay_ms": 500, "max_delay_ms": 500 })),
        retry(json!({ "max_attempts": 1, "base_delay_ms": 500, "max_delay_ms": 100 })),
        retry(
            json!({ "max_attempts": 4, "backoff": "exponential", "base_delay_ms": 500, "max_delay_ms": 2000 }),
        ),
        retry(json!({ "max_attempts": 3, "base_delay_ms": 14_999, "total_timeout_seconds": 30 })),
        retry(json!({ "max_attempts": 1e300 })),
        json!({ "timeout_seconds": 3600, "retry": { "max_attempts": 48, "total_timeout_seconds": 7200 } }),
        json!({ "timeout_seconds": 10, "handler": "send_mail", "retry": { "max_attempts": 3 } }),
    ] {
        let expected: &[&str] =
            if step["retry"]["max_attempts"] == 1e300 { &["SCHEDULE_OVER_A_DAY"] } else { &[] };
        assert_eq!(codes(&step), expected, "{step}");
    }
}

#[test]
fn limits_that_cannot_be_used_get_only_the_advice_of_the_reference() {
    let step = retry(
        json!({ "max_attempts": 0, "base_delay_ms": 9, "max_delay_ms": 1, "total_timeout_seconds": 0 }),
    );
    assert_eq!(codes(&step), ["TOTAL_TIMEOUT_BELOW_ATTEMPT"]);
    for step in
        [json!({ "retry": [] }), json!({ "retry": null, "timeout_seconds": 1 }), json!(5), json!(null)]
    {
        assert!(codes(&step).iter().all(|code| *code == "RETRY_NO_TIMEOUT"), "{step}");
    }
}

#[test]
fn the_checker_tells_the_same_advice_at_its_place_and_never_counts_it() {
    let file = |retry: &str| {
        format!(
            "id: w\nname: W\nversion: 1\nsteps:\n  s:\n    description: d\n    execution: auto\n    handler: h\n    timeout_seconds: 10\n    retry: {retry}\n"
        )
    };
    let source = file("{max_attempts: 3, base_delay_ms: 500, max_delay_ms: 100}");
    let report = check(&source, &Options { strict: true, ..Options::default() });
    assert!(report.valid);
    assert_eq!(report.summary, "Valid: w v1 (1 step)");
    let [found] = report.diagnostics.as_slice() else { panic!("{report:#?}") };
    let step = json!({ "timeout_seconds": 10, "retry": { "max_attempts": 3, "base_delay_ms": 500, "max_delay_ms": 100 } });
    assert_eq!(found.message, told(&step)[0].message);
    assert_eq!(report.steps[0].plan.as_ref().unwrap().advice, told(&step));
    let broken = file("{max_attempts: 3, base_delay_ms: 500, max_delay_ms: 100, on_timeout: 1}");
    let report = check(&broken, &Options::default());
    assert_eq!(report.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["INVALID_VALUE"]);
}
