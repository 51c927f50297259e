//! A plan says what the machine will do: its totals are held against simulated runs.
#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use step_retry::plan::{Plan, PlanOptions, PlanRow, RowOptions, rows};
use step_retry::policy::StepLimits;
use step_retry::run::{Lateness, RunOptions, SimulatedOutcome, SimulatedResult, simulate};
use support::value;

fn limits(step: &Json) -> StepLimits {
    StepLimits::read("s", &value(step)).unwrap()
}

fn options(given: &Json) -> RunOptions {
    RunOptions::read(&value(given)).unwrap()
}

fn plan(step: &Json, given: &Json) -> Plan {
    Plan::new(&options(given).policy(&limits(step)), PlanOptions { inner_attempts: 1 }, Vec::new())
}

fn page(step: &Json, from: u64, count: u64) -> Vec<PlanRow> {
    rows(&options(&json!({})).policy(&limits(step)), RowOptions { from, count, assume: None })
}

fn elapsed(step: &Json, given: &Json, outcome: SimulatedOutcome) -> f64 {
    simulate(limits(step), &[outcome], options(given), Lateness::default()).unwrap().record.elapsed_ms.get()
}

fn steps() -> impl Strategy<Value = Json> {
    let delays = (0u32..20_000, proptest::option::of(0u32..20_000));
    let shapes = prop_oneof![Just("fixed"), Just("linear"), Just("exponential")];
    (1u32..30, 1u32..12, shapes, delays, proptest::option::of(1u32..90), any::<bool>()).prop_map(
        |(timeout, attempts, backoff, (base, cap), total, on_timeout)| {
            let mut retry = json!({
                "max_attempts": attempts, "backoff": backoff, "base_delay_ms": f64::from(base) / 4.0,
                "on_timeout": on_timeout,
            });
            if let Some(cap) = cap {
                retry["max_delay_ms"] = json!(cap);
            }
            if let Some(total) = total {
                retry["total_timeout_seconds"] = json!(total);
            }
            json!({"timeout_seconds": timeout, "idempotent": true, "retry": retry})
        },
    )
}

fn modes() -> impl Strategy<Value = Json> {
    prop_oneof![Just(json!({})), Just(json!({"budget": "gate"}))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40_000))]

    #[test]
    fn the_worst_case_is_when_a_run_ends_whose_attempts_all_fail_at_their_last_moment(step in steps(), given in modes()) {
        const MOMENT: f64 = 1.0 / 1024.0;
        // Where an attempt would start exactly at the limit, the last moment and the one before it differ:
        // the wait before it fits or does not.
        let limit = plan(&step, &given).budget_ms.unwrap();
        prop_assume!(page(&step, 1, 100).iter().all(|row| row.start_ms != limit));
        let timeout = step["timeout_seconds"].as_f64().unwrap() * 1000.0;
        let outcome = SimulatedOutcome::new(SimulatedResult::Retryable, timeout - MOMENT);
        let (planned, ran) = (plan(&step, &given).worst_case_ms.unwrap().get(), elapsed(&step, &given, outcome));
        // The last moment is as close to the limit as can be: a run of twelve is twelve moments short,
        // and may be one millisecond longer where a limit is cut to whole ones.
        prop_assert!(planned - 12.0 * MOMENT <= ran && ran <= planned + 1.0, "planned {planned}, ran {ran}");
    }

    #[test]
    fn it_is_also_when_a_run_ends_whose_attempts_all_hang_where_timeouts_are_retried(step in steps()) {
        let mut step = step;
        step["retry"]["on_timeout"] = json!(true);
        let ran = elapsed(&step, &json!({}), SimulatedOutcome::new(SimulatedResult::Hang, 0.0));
        prop_assert_eq!(plan(&step, &json!({})).worst_case_ms.unwrap().get(), ran);
    }

    #[test]
    fn no_run_ends_later_than_the_plan_says(
        step in steps(), given in modes(), share in proptest::collection::vec(0.0..1.1f64, 1..6),
    ) {
        let timeout = step["timeout_seconds"].as_f64().unwrap() * 1000.0;
        let outcomes: Vec<_> =
            share.iter().map(|share| SimulatedOutcome::new(SimulatedResult::Retryable, timeout * share)).collect();
        let ran = simulate(limits(&step), &outcomes, options(&given), Lateness::default()).unwrap();
        let latest = plan(&step, &given).latest_end_ms.unwrap();
        prop_assert!(ran.record.elapsed_ms <= latest, "{:?} is after {latest:?}", ran.record.elapsed_ms);
    }

    #[test]
    fn rows_tell_when_each_attempt_starts_and_what_it_is_given(step in steps()) {
        let mut step = step;
        step["retry"]["on_timeout"] = json!(true);
        let hang = [SimulatedOutcome::new(SimulatedResult::Hang, 0.0)];
        let ran = simulate(limits(&step), &hang, options(&json!({})), Lateness::default()).unwrap().record;
        let page = page(&step, 1, 100);
        let reachable: Vec<_> = page.iter().filter(|row| row.reachable).collect();
        prop_assert_eq!(reachable.len(), ran.attempts.len());
        for (row, attempt) in reachable.into_iter().zip(&ran.attempts) {
            prop_assert_eq!(row.start_ms, attempt.started_at_ms);
            prop_assert_eq!(row.clipped_to_ms, attempt.clipped_to_ms);
        }
    }
}

#[test]
fn a_wait_for_an_attempt_that_then_has_no_room_is_part_of_the_latest_end() {
    let step = json!({"timeout_seconds": 1, "retry":
        {"max_attempts": 2, "base_delay_ms": 9999.75, "total_timeout_seconds": 10}});
    let at_once = SimulatedOutcome::new(SimulatedResult::Retryable, 0.0);
    assert_eq!(elapsed(&step, &json!({}), at_once), 9999.75);
    assert_eq!(plan(&step, &json!({})).latest_end_ms.unwrap().get(), 10_000.0);
}

#[test]
fn a_quick_failure_may_end_later_than_slow_ones() {
    let step = json!({"timeout_seconds": 1, "retry":
        {"max_attempts": 3, "base_delay_ms": 5000, "total_timeout_seconds": 6}});
    let plan = plan(&step, &json!({}));
    assert_eq!((plan.worst_case_ms.unwrap().get(), plan.latest_end_ms.unwrap().get()), (1000.0, 6000.0));
}

#[test]
fn without_a_limit_of_one_attempt_there_is_no_worst_case() {
    let plan = plan(&json!({"retry": {"max_attempts": 3}}), &json!({"budget": "gate", "budgetMs": 10_000}));
    assert_eq!((plan.attempt_timeout_ms, plan.worst_case_ms, plan.latest_end_ms), (None, None, None));
}

#[test]
fn trap_81_calls_through_a_layer_that_retries_inside_multiply() {
    let policy = options(&json!({})).policy(&limits(&json!({"retry": {"max_attempts": 3}})));
    assert_eq!(Plan::new(&policy, PlanOptions { inner_attempts: 3 }, Vec::new()).max_calls, 9.0);
}

#[test]
fn a_billion_attempts_are_looked_at_as_three_are() {
    let step = json!({"timeout_seconds": 30, "retry": {
        "max_attempts": 1_000_000_000u64, "backoff": "exponential", "base_delay_ms": 1000, "max_delay_ms": 60_000,
    }});
    let plan = plan(&step, &json!({}));
    // 1 + 2 + 4 + 8 + 16 + 32 s, then a minute each.
    assert_eq!(plan.total_wait_ms.get(), 63_000.0 + 60_000.0 * (1e9 - 7.0));
    let last = page(&step, 1_000_000_000, 5);
    assert_eq!((last.len(), last[0].attempt), (1, 1e9));
    assert_eq!(last[0].start_ms.get(), plan.worst_case_ms.unwrap().get() - 30_000.0);
}

#[test]
fn an_attempt_that_cannot_start_says_why() {
    let step = json!({"timeout_seconds": 30, "retry": {"max_attempts": 3, "total_timeout_seconds": 40, "base_delay_ms": 1000}});
    let page = page(&step, 1, 3);
    assert_eq!(page[1].clipped_to_ms.unwrap().get(), 9_000.0);
    assert!(!page[2].reachable);
    let reason = page[2].reason.as_deref().unwrap();
    assert_eq!(reason, "Attempt 3 would start after 62000 ms, when the total limit of 40000 ms is used up");
}
