//! The rules of a run, one test each: what the conformance cases leave open on purpose.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value as Json, json};
use step_retry::failure::Failure;
use step_retry::millis::Millis;
use step_retry::policy::StepLimits;
use step_retry::run::{
    Accepted, Decision, ExhaustedBy, Lateness, RunOptions, SimulatedOutcome, StepRun, simulate,
};
use support::value;

fn limits(step: &Json) -> StepLimits {
    StepLimits::read("s", &value(step)).unwrap()
}

fn options(options: &Json) -> RunOptions {
    RunOptions { name: "s".into(), ..RunOptions::read(&value(options)).unwrap() }
}

/// A simulated run, in few words: the attempts as `status@start+duration`, with `/limit` where it was
/// cut, and how it ended.
fn told(step: &Json, outcomes: &Json, given: &Json) -> String {
    let outcomes = SimulatedOutcome::read_list(&value(outcomes)).unwrap();
    let lateness = Lateness::read(&value(given)).unwrap();
    let result = simulate(limits(step), &outcomes, options(given), lateness).unwrap();
    let result = serde_json::to_value(result).unwrap();
    let attempts: Vec<String> =
        result["record"]["attempts"].as_array().unwrap().iter().map(attempt).collect();
    let end = match result.get("error") {
        None => "ok".to_owned(),
        Some(error) => {
            let by =
                error.get("exhausted_by").map_or(String::new(), |by| format!(" by {}", by.as_str().unwrap()));
            format!("{}{by}", error["code"].as_str().unwrap())
        }
    };
    format!("{} -> {end}", attempts.join(", "))
}

fn attempt(attempt: &Json) -> String {
    let status = attempt["status"].as_str().unwrap();
    let cut = attempt.get("clipped_to_ms").map_or(String::new(), |cut| format!("/{cut}"));
    format!("{status}@{}+{}{cut}", attempt["started_at_ms"], attempt["duration_ms"]).replace(".0", "")
}

macro_rules! runs {
    ($($name:ident: $step:tt, $outcomes:tt, $options:tt => $told:expr;)*) => {
        $(#[test] fn $name() { assert_eq!(told(&json!($step), &json!($outcomes), &json!($options)), $told); })*
    };
}

runs! {
    // R1: the computed limit is used up by nothing that the schedule itself asks for.
    r1_the_last_attempt_may_run_to_its_full_timeout_under_the_computed_limit:
        {"timeout_seconds": 1, "idempotent": true, "retry": {"max_attempts": 2, "on_timeout": true, "base_delay_ms": 100}},
        [{"result": "hang"}], {}
        => "error@0+1000, error@1100+1000 -> STEP_RETRY_EXHAUSTED by attempts";
    // R2: a computed limit is charged with bounds and asked waits, not with what timers add.
    r2_late_timers_do_not_use_up_the_computed_limit:
        {"timeout_seconds": 1, "idempotent": true, "retry": {"max_attempts": 3, "on_timeout": true, "base_delay_ms": 100}},
        [{"result": "hang"}], {"waitLatenessMs": 7, "attemptLatenessMs": 30}
        => "error@0+1030, error@1137+1030, error@2274+1030 -> STEP_RETRY_EXHAUSTED by attempts";
    r2_a_declared_limit_is_charged_by_the_clock:
        {"timeout_seconds": 1, "idempotent": true, "retry": {"max_attempts": 3, "on_timeout": true, "total_timeout_seconds": 2}},
        [{"result": "hang"}], {"attemptLatenessMs": 30}
        => "error@0+1030, error@1030+1000/970 -> STEP_RETRY_EXHAUSTED by total_timeout";
    only_a_hint_can_use_up_the_computed_limit:
        {"timeout_seconds": 1, "retry": {"max_attempts": 3, "base_delay_ms": 100}},
        [{"result": "retryable", "ms": 999, "retryAfterMs": 1500}, {"result": "hang"}], {}
        => "error@0+999, error@2499+701/701 -> STEP_RETRY_EXHAUSTED by total_timeout";
    a_hint_that_the_computed_limit_has_no_room_for_ends_the_step_at_once:
        {"timeout_seconds": 1, "retry": {"max_attempts": 2}},
        [{"result": "retryable", "ms": 10, "retryAfterMs": 1990}], {}
        => "error@0+10 -> STEP_RETRY_EXHAUSTED by total_timeout";
    a_hint_one_ms_shorter_fits_and_leaves_one_ms:
        {"timeout_seconds": 1, "retry": {"max_attempts": 2}},
        [{"result": "retryable", "ms": 10, "retryAfterMs": 1989}, {"result": "ok"}], {}
        => "error@0+10, success@1999+0/1 -> ok";

    // R3 and section 6.6
    r3_without_a_retry_block_the_failure_is_told_as_it_is:
        {"timeout_seconds": 1}, [{"result": "retryable", "ms": 1, "code": "MINE"}], {} => "error@0+1 -> MINE";
    a_fatal_failure_with_attempts_left_is_told_as_it_is:
        {"timeout_seconds": 1, "retry": {"max_attempts": 3}}, [{"result": "fatal", "ms": 1}], {}
        => "error@0+1 -> ENGINE_HANDLER_FAILED";
    trap_27_a_timeout_counts_as_an_attempt:
        {"timeout_seconds": 1, "idempotent": true, "retry": {"max_attempts": 2, "on_timeout": true}},
        [{"result": "hang"}, {"result": "ok", "ms": 3}], {}
        => "error@0+1000, success@1000+3 -> ok";
    without_idempotent_a_timeout_is_final:
        {"timeout_seconds": 1, "retry": {"max_attempts": 2}}, [{"result": "hang"}], {}
        => "error@0+1000 -> STEP_TIMEOUT";

    // Exact fits and ties
    trap_32_a_wait_that_would_reach_the_limit_exactly_ends_the_step:
        {"timeout_seconds": 10, "retry": {"max_attempts": 3, "base_delay_ms": 1000, "total_timeout_seconds": 1}},
        [{"result": "retryable", "ms": 0}], {}
        => "error@0+0/1000 -> STEP_RETRY_EXHAUSTED by total_timeout";
    trap_31_a_wait_beyond_the_limit_is_not_waited_for:
        {"timeout_seconds": 10, "retry": {"max_attempts": 3, "base_delay_ms": 60_000, "total_timeout_seconds": 30}},
        [{"result": "retryable", "ms": 5}], {}
        => "error@0+5 -> STEP_RETRY_EXHAUSTED by total_timeout";
    a_result_at_the_limit_is_a_timeout:
        {"timeout_seconds": 1}, [{"result": "ok", "ms": 1000}], {} => "error@0+1000 -> STEP_TIMEOUT";
    a_result_just_before_the_limit_counts:
        {"timeout_seconds": 1}, [{"result": "ok", "ms": 999.5}], {} => "success@0+999.5 -> ok";
    equality_with_what_is_left_is_no_cut:
        {"timeout_seconds": 1, "retry": {"max_attempts": 2, "total_timeout_seconds": 1}}, [{"result": "ok", "ms": 1}], {}
        => "success@0+1 -> ok";
    a_full_timeout_that_spends_a_declared_limit_ends_it_also_where_timeouts_are_final:
        {"timeout_seconds": 1, "retry": {"max_attempts": 2, "total_timeout_seconds": 1}}, [{"result": "hang"}], {}
        => "error@0+1000 -> STEP_RETRY_EXHAUSTED by total_timeout";
    on_the_last_attempt_the_count_ended_it_where_the_limit_did_not_cut:
        {"timeout_seconds": 1, "retry": {"max_attempts": 1, "total_timeout_seconds": 1}}, [{"result": "hang"}], {}
        => "error@0+1000 -> STEP_RETRY_EXHAUSTED by attempts";
    on_the_last_attempt_the_limit_ended_it_where_it_cut:
        {"timeout_seconds": 2, "retry": {"max_attempts": 1, "total_timeout_seconds": 1}}, [{"result": "hang"}], {}
        => "error@0+1000/1000 -> STEP_RETRY_EXHAUSTED by total_timeout";
    a_wait_that_is_late_past_the_limit_leaves_the_coming_attempt_out:
        {"timeout_seconds": 9, "retry": {"max_attempts": 3, "base_delay_ms": 900, "total_timeout_seconds": 1}},
        [{"result": "retryable", "ms": 0}], {"waitLatenessMs": 200}
        => "error@0+0/1000 -> STEP_RETRY_EXHAUSTED by total_timeout";
    what_is_left_is_whole_milliseconds_rounded_down:
        {"timeout_seconds": 9, "retry": {"max_attempts": 3, "base_delay_ms": 100.5}},
        [{"result": "retryable", "ms": 0}, {"result": "ok"}], {"budgetMs": 200.25}
        => "error@0+0/200.25, success@100.5+0/99 -> ok";
    half_a_millisecond_left_is_nothing:
        {"timeout_seconds": 9, "retry": {"max_attempts": 3, "base_delay_ms": 100}},
        [{"result": "retryable", "ms": 0}, {"result": "ok"}], {"budgetMs": 100.5}
        => "error@0+0/100.5 -> STEP_RETRY_EXHAUSTED by total_timeout";

    // Server hints
    the_wait_is_the_longer_of_backoff_and_hint:
        {"timeout_seconds": 9, "retry": {"max_attempts": 3, "base_delay_ms": 100, "max_delay_ms": 150}},
        [{"result": "retryable", "retryAfterMs": 700}, {"result": "retryable", "retryAfterMs": 20}, {"result": "ok"}], {}
        => "error@0+0, error@700+0, success@800+0 -> ok";
    traps_71_73_a_hint_at_the_ceiling_is_honoured_by_fail:
        {"timeout_seconds": 99, "retry": {"max_attempts": 2}},
        [{"result": "retryable", "retryAfterMs": 60_000}, {"result": "ok"}], {"retryAfter": "fail"}
        => "error@0+0, success@60000+0 -> ok";
    trap_71_a_hint_above_the_ceiling_fails_the_step:
        {"timeout_seconds": 99, "retry": {"max_attempts": 2}},
        [{"result": "retryable", "retryAfterMs": 60_001}, {"result": "ok"}], {"retryAfter": "fail"}
        => "error@0+0 -> STEP_RETRY_EXHAUSTED by retry_after";
    trap_71_a_hint_above_the_ceiling_is_cut_to_it:
        {"timeout_seconds": 99, "retry": {"max_attempts": 2, "max_delay_ms": 500}},
        [{"result": "retryable", "retryAfterMs": 60_000}, {"result": "ok"}], {"retryAfter": "clamp"}
        => "error@0+0, success@500+0 -> ok";
    trap_71_a_hint_may_be_left_alone:
        {"timeout_seconds": 99, "retry": {"max_attempts": 2, "base_delay_ms": 10}},
        [{"result": "retryable", "retryAfterMs": 60_000}, {"result": "ok"}], {"retryAfter": "ignore"}
        => "error@0+0, success@10+0 -> ok";
    trap_78_a_hint_does_not_feed_the_growth:
        {"timeout_seconds": 99, "retry": {"max_attempts": 4, "backoff": "exponential", "base_delay_ms": 100}},
        [{"result": "retryable", "retryAfterMs": 5_000}, {"result": "retryable"}, {"result": "retryable"}, {"result": "ok"}], {}
        => "error@0+0, error@5000+0, error@5200+0, success@5600+0 -> ok";

    // Gate: the limit decides whether an attempt may start, and nothing else.
    gate_leaves_a_running_attempt_alone:
        {"retry": {"max_attempts": 3, "base_delay_ms": 500}}, [{"result": "ok", "ms": 30_000}],
        {"budget": "gate", "budgetMs": 10_000} => "success@0+30000 -> ok";
    gate_stops_a_wait_that_would_use_all_that_is_left:
        {"retry": {"max_attempts": 3, "base_delay_ms": 500}}, [{"result": "retryable", "ms": 9_500}],
        {"budget": "gate", "budgetMs": 10_000} => "error@0+9500 -> STEP_RETRY_EXHAUSTED by total_timeout";
    gate_lets_a_permanent_failure_leave_as_it_is_on_the_last_attempt_too:
        {"retry": {"max_attempts": 2}}, [{"result": "retryable"}, {"result": "fatal"}],
        {"budget": "gate", "budgetMs": 10_000} => "error@0+0, error@0+0 -> ENGINE_HANDLER_FAILED";
    gate_tells_a_temporary_failure_on_the_last_attempt_as_exhausted:
        {"retry": {"max_attempts": 2}}, [{"result": "retryable"}],
        {"budget": "gate", "budgetMs": 10_000} => "error@0+0, error@0+0 -> STEP_RETRY_EXHAUSTED by attempts";
    gate_keeps_an_attempts_own_limit:
        {"timeout_seconds": 1, "retry": {"max_attempts": 2}}, [{"result": "hang"}],
        {"budget": "gate", "budgetMs": 500} => "error@0+1000 -> STEP_TIMEOUT";
}

/// A run by hand: one attempt offered and begun at 0.
fn begun(step: &Json, given: &Json) -> StepRun {
    let mut run = StepRun::new(limits(step), options(given));
    assert!(matches!(run.next(Millis::ZERO), Decision::Attempt { attempt: 1, .. }));
    run.begin(Millis::ZERO).unwrap();
    run
}

fn ms(ms: f64) -> Millis {
    Millis::saturating(ms)
}

fn error_of(run: &StepRun) -> String {
    run.result().and_then(|result| result.error).map_or("none".into(), |error| error.message)
}

#[test]
fn asked_twice_the_machine_says_the_same() {
    let mut run =
        begun(&json!({"timeout_seconds": 1, "retry": {"max_attempts": 2, "base_delay_ms": 50}}), &json!({}));
    run.fail(ms(10.0), Failure::new("X", "x", true)).unwrap();
    let first = run.next(ms(20.0));
    assert_eq!(first, Decision::Wait { wait: ms(40.0), until: ms(60.0) });
    assert_eq!(run.next(ms(20.0)), first);
    assert_eq!(run.next(ms(60.0)), run.next(ms(60.0)));
}

#[test]
fn trap_41_a_clock_that_runs_backward_stands_still() {
    let mut run =
        begun(&json!({"timeout_seconds": 1, "retry": {"max_attempts": 2, "base_delay_ms": 50}}), &json!({}));
    run.fail(ms(500.0), Failure::new("X", "x", true)).unwrap();
    assert_eq!(run.next(ms(3.0)), Decision::Wait { wait: ms(50.0), until: ms(550.0) });
}

#[test]
fn trap_89_an_overdue_attempt_is_visible() {
    let mut run = begun(&json!({"timeout_seconds": 1}), &json!({}));
    assert_eq!(run.next(ms(5000.0)), Decision::Running { attempt: 1, until: Some(ms(1000.0)) });
}

#[test]
fn a_result_that_comes_too_late_says_so_and_counts_as_a_timeout() {
    let mut run = begun(&json!({"timeout_seconds": 1}), &json!({}));
    assert_eq!(run.succeed(ms(1000.0), None), Ok(Accepted::TooLate));
    assert_eq!(error_of(&run), "Step 's' timed out after 1000ms");
}

#[test]
fn settled_means_settled() {
    let mut run = begun(&json!({"timeout_seconds": 1, "retry": {"max_attempts": 3}}), &json!({}));
    run.succeed(ms(5.0), None).unwrap();
    let result = run.result();
    assert_eq!(run.next(ms(900.0)), Decision::Done);
    let told = |refused: Result<(), step_retry::argument::Misuse>| refused.unwrap_err().code;
    assert_eq!(told(run.fail(ms(901.0), Failure::new("X", "x", true)).map(drop)), "WRONG_STATE");
    assert_eq!(told(run.begin(ms(901.0))), "WRONG_STATE");
    assert_eq!(told(run.timeout(ms(901.0))), "WRONG_STATE");
    assert_eq!(told(run.lost(ms(901.0))), "WRONG_STATE");
    assert_eq!(told(run.abort(ms(901.0), None)), "WRONG_STATE");
    assert_eq!(told(run.deny(ms(901.0))), "WRONG_STATE");
    assert_eq!(run.result(), result);
}

#[test]
fn an_attempt_must_be_offered_before_it_begins() {
    let mut run = StepRun::new(limits(&json!({})), options(&json!({})));
    assert_eq!(run.begin(Millis::ZERO).unwrap_err().code, "WRONG_STATE");
}

#[test]
fn a_lost_attempt_is_tried_again_only_where_that_is_attested_harmless() {
    let block = json!({"timeout_seconds": 60, "retry": {"max_attempts": 2}});
    let mut run = begun(&block, &json!({}));
    run.lost(ms(100.0)).unwrap();
    let result = serde_json::to_value(run.result().unwrap()).unwrap();
    assert_eq!(result["error"]["code"], "STEP_ATTEMPT_LOST");
    assert_eq!(result["record"]["exhausted_by"], "attempt_lost");
    assert_eq!(result["record"]["attempts"][0]["status"], "lost");

    let mut attested = block;
    attested["idempotent"] = json!(true);
    let mut run = begun(&attested, &json!({}));
    run.lost(ms(100.0)).unwrap();
    assert!(matches!(run.next(ms(100.0)), Decision::Attempt { attempt: 2, .. }));
    run.begin(ms(100.0)).unwrap();
    run.lost(ms(200.0)).unwrap();
    let error = run.result().unwrap().error.unwrap();
    assert_eq!(error.code, "STEP_RETRY_EXHAUSTED", "a lost attempt counts as one");
    assert_eq!(error.cause.unwrap().code, "STEP_ATTEMPT_LOST");
}

#[test]
fn an_abort_ends_the_run_wherever_it_is_and_keeps_what_was() {
    let step = json!({"timeout_seconds": 60, "retry": {"max_attempts": 3, "base_delay_ms": 50}});
    let mut waiting = begun(&step, &json!({}));
    waiting.fail(ms(10.0), Failure::new("X", "x", true)).unwrap();
    waiting.abort(ms(20.0), Some("no longer needed")).unwrap();
    let result = serde_json::to_value(waiting.result().unwrap()).unwrap();
    assert_eq!(result["record"]["outcome"], "aborted");
    assert_eq!(result["error"]["message"], "Step 's' was aborted: no longer needed");
    assert_eq!(result["record"]["attempts"].as_array().unwrap().len(), 1);
    assert_eq!(result["record"]["elapsed_ms"], 20.0);
    assert_eq!(result["record"]["waited_ms"], 10.0);

    let mut running = begun(&step, &json!({}));
    running.skip(ms(5.0), Some("nothing to do")).unwrap();
    let result = serde_json::to_value(running.result().unwrap()).unwrap();
    assert_eq!(result["record"]["outcome"], "aborted");
    assert_eq!(result["record"]["attempts"][0]["status"], "skipped");
}

#[test]
fn an_empty_shared_budget_ends_the_run_between_attempts() {
    let mut run = begun(&json!({"timeout_seconds": 60, "retry": {"max_attempts": 3}}), &json!({}));
    run.fail(ms(10.0), Failure::new("X", "the reason", true)).unwrap();
    run.deny(ms(10.0)).unwrap();
    let error = run.result().unwrap().error.unwrap();
    assert_eq!(error.message, "Step 's' failed after 1 attempts");
    assert_eq!(error.cause.unwrap().message, "the reason");
    assert_eq!(error.exhausted_by, Some(ExhaustedBy::RetryBudget));
}

#[test]
fn a_cost_is_known_only_where_every_attempt_reported_one() {
    let step = json!({"timeout_seconds": 60, "retry": {"max_attempts": 2}});
    let cost = |reports: [&[f64]; 2]| {
        let mut run = StepRun::new(limits(&step), options(&json!({})));
        for (index, report) in reports.into_iter().enumerate() {
            run.next(run.clock());
            run.begin(run.clock()).unwrap();
            report.iter().for_each(|cost| run.report_cost(*cost).unwrap());
            if index == 0 {
                run.fail(run.clock(), Failure::new("X", "x", true)).unwrap();
            } else {
                run.succeed(run.clock(), None).unwrap();
            }
        }
        serde_json::to_value(run.result().unwrap()).unwrap()["record"]["cost"].clone()
    };
    assert_eq!(cost([&[1.0, 0.5], &[2.0]]), 3.5);
    assert_eq!(cost([&[], &[2.0]]), "unknown");
}

#[test]
fn a_record_can_be_capped_to_its_newest_attempts() {
    let step = json!({"timeout_seconds": 60, "retry": {"max_attempts": 50}});
    let outcomes = [SimulatedOutcome::new(step_retry::run::SimulatedResult::Retryable, 1.0)];
    let result =
        simulate(limits(&step), &outcomes, options(&json!({"recordLimit": 3})), Lateness::default()).unwrap();
    let numbers: Vec<u64> = result.record.attempts.iter().map(|attempt| attempt.attempt).collect();
    assert_eq!(numbers, [48, 49, 50]);
    assert_eq!(result.record.attempts_omitted, Some(47));
    assert_eq!(result.error.unwrap().attempts, 50);
}

#[test]
fn the_wait_that_was_asked_for_and_its_lateness_are_both_recorded() {
    let step = json!({"timeout_seconds": 60, "retry": {"max_attempts": 2, "base_delay_ms": 100}});
    let outcomes =
        SimulatedOutcome::read_list(&value(&json!([{"result": "retryable"}, {"result": "ok"}]))).unwrap();
    let lateness = Lateness { wait: ms(7.0), attempt: Millis::ZERO };
    let record = simulate(limits(&step), &outcomes, options(&json!({})), lateness).unwrap().record;
    assert_eq!((record.attempts[1].wait_before_ms, record.attempts[1].late_ms), (ms(100.0), Some(ms(7.0))));
    assert_eq!(record.waited_ms, ms(107.0));
}

#[test]
fn trap_28_each_run_counts_for_itself() {
    let step = json!({"timeout_seconds": 1, "retry": {"max_attempts": 2}});
    let (mut one, mut other) = (begun(&step, &json!({})), begun(&step, &json!({})));
    one.fail(ms(1.0), Failure::new("X", "x", true)).unwrap();
    other.fail(ms(1.0), Failure::new("X", "x", true)).unwrap();
    assert!(matches!(one.next(ms(1.0)), Decision::Attempt { attempt: 2, .. }));
    assert!(matches!(other.next(ms(1.0)), Decision::Attempt { attempt: 2, .. }));
}

#[test]
fn a_hang_that_nothing_would_stop_is_refused_by_the_simulator() {
    let hang = [SimulatedOutcome::new(step_retry::run::SimulatedResult::Hang, 0.0)];
    let refused =
        simulate(limits(&json!({})), &hang, options(&json!({"budget": "gate"})), Lateness::default());
    assert_eq!(refused.unwrap_err().code, "INVALID_ARGUMENT");
}
