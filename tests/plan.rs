//! A plan says what the machine will do: its totals are held against simulated runs.
#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use step_retry::millis::Millis;
use step_retry::plan::{
    Percentiles, Plan, PlanOptions, PlanRow, RowOptions, rows, total_percentiles, wait_percentiles,
};
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
    let asked = PlanOptions::read(&value(given)).unwrap();
    Plan::new("s", &options(given).policy(&limits(step)), &asked, Vec::new())
}

fn page_under(step: &Json, given: &Json) -> Vec<PlanRow> {
    rows(&options(given).policy(&limits(step)), RowOptions::read(&value(given)).unwrap())
}

fn page(step: &Json, from: u64, count: u64) -> Vec<PlanRow> {
    page_under(step, &json!({ "from": from, "count": count }))
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

/// Modes with any jitter, and draws of it.
fn chances() -> impl Strategy<Value = Json> {
    let jitters = prop_oneof![Just("none"), Just("full"), Just("equal"), Just("decorrelated")];
    (modes(), jitters, 0u32..1000).prop_map(|(mut given, jitter, seed)| {
        given["jitter"] = json!(jitter);
        given["seed"] = json!(seed);
        given
    })
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
        step in steps(), given in chances(), share in proptest::collection::vec(0.0..1.1f64, 1..6),
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
fn a_shorter_wait_than_the_longest_may_end_later() {
    let step = json!({"timeout_seconds": 1, "retry":
        {"max_attempts": 2, "base_delay_ms": 3000, "total_timeout_seconds": 3}});
    assert_eq!(plan(&step, &json!({})).latest_end_ms.unwrap().get(), 1000.0);
    for jitter in ["full", "equal", "decorrelated"] {
        let latest = plan(&step, &json!({ "jitter": jitter })).latest_end_ms.unwrap().get();
        assert_eq!(latest, if jitter == "decorrelated" { 1000.0 } else { 3000.0 }, "{jitter}");
    }
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
fn a_run_without_a_failure_is_one_attempt_within_its_bound() {
    let step = json!({"timeout_seconds": 5, "retry": {"max_attempts": 3, "total_timeout_seconds": 2}});
    let first = &page(&step, 1, 1)[0];
    assert_eq!((first.start_ms.get(), first.clipped_to_ms.unwrap().get()), (0.0, 2000.0));
    assert_eq!(elapsed(&step, &json!({}), SimulatedOutcome::new(SimulatedResult::Ok, 1999.0)), 1999.0);
    let timed_out = SimulatedOutcome::new(SimulatedResult::Ok, 2000.0);
    let ran = simulate(limits(&step), &[timed_out], options(&json!({})), Lateness::default()).unwrap();
    assert!(!ran.ok);
}

/// Layers, the calls that come of them, and the advice on them.
fn layered(attempts: u32, layers: &Json) -> (f64, Option<String>) {
    let plan = plan(&json!({"retry": {"max_attempts": attempts}}), &json!({ "innerAttempts": layers }));
    (plan.max_calls, plan.advice.first().map(|advice| advice.message.clone()))
}

#[test]
fn trap_81_calls_through_layers_that_try_again_inside_multiply() {
    let says =
        |text: &str| Some(format!("Step 's': the step tries {text} calls — let only one of them try again."));
    let client = "3 times and its client 3 times: the other side sees up to 9";
    assert_eq!(layered(3, &json!(3)), (9.0, says(client)));
    let named = json!({"SDK": 4, "proxy": 2});
    let both = "5 times, its SDK 4 times and its proxy 2 times: the other side sees up to 40";
    assert_eq!(layered(5, &named), (40.0, says(both)));
    assert_eq!(layered(1, &named), (8.0, says(&both.replace("5 times", "once").replace("40", "8"))));
}

#[test]
fn one_layer_that_tries_again_is_as_it_should_be() {
    assert_eq!(layered(3, &json!(1)), (3.0, None));
    assert_eq!(layered(1, &json!(3)), (3.0, None));
    assert_eq!(layered(1, &json!({"SDK": 1, "proxy": 2})), (2.0, None));
    assert_eq!(layered(1, &json!({})), (1.0, None));
}

#[test]
fn what_is_asked_wrongly_is_refused_by_its_path() {
    let refusal = |given: Json| PlanOptions::read(&value(&given)).unwrap_err().message.clone();
    let layers = "'options.innerAttempts' must be a whole number, 1 or more";
    assert_eq!(refusal(json!({"innerAttempts": 0})), layers);
    assert_eq!(refusal(json!({"innerAttempts": "3"})), layers);
    assert_eq!(refusal(json!({"innerAttempts": [3]})), layers);
    let named = "'options.innerAttempts.SDK' must be a whole number, 1 or more";
    assert_eq!(refusal(json!({"innerAttempts": {"SDK": 1.5}})), named);
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

#[test]
fn an_attempt_that_no_quickness_helps_can_never_start() {
    let step = json!({"timeout_seconds": 30, "retry": {"max_attempts": 4, "total_timeout_seconds": 5, "base_delay_ms": 2000}});
    let at_once = page_under(&step, &json!({"assume": 0}));
    assert_eq!(at_once.iter().map(|row| row.reachable).collect::<Vec<_>>(), [true, true, true, false]);
    assert_eq!(plan(&step, &json!({})).reachable_attempts, 3.0);
    let reason = "Attempt 4 can never start: the waits before it take 6000 ms, when the total limit of 5000 ms is used up";
    assert_eq!(at_once[3].reason.as_deref(), Some(reason));
    let jitter = json!({"jitter": "full", "assume": 0});
    assert_eq!(plan(&step, &jitter).reachable_attempts, 4.0);
    let reason = "Attempt 4 would start after 6000 ms, when the total limit of 5000 ms is used up";
    assert_eq!(page_under(&step, &jitter)[3].reason.as_deref(), Some(reason));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_attempts_that_can_start_at_all_are_those_of_a_run_that_fails_at_once(step in steps(), given in modes()) {
        let at_once = [SimulatedOutcome::new(SimulatedResult::Retryable, 0.0)];
        let ran = simulate(limits(&step), &at_once, options(&given), Lateness::default()).unwrap();
        prop_assert_eq!(plan(&step, &given).reachable_attempts, ran.record.attempts.len() as f64);
    }
}

const DOUBLING: &str = r#"{"timeout_seconds": 1, "retry":
    {"max_attempts": 5, "backoff": "exponential", "base_delay_ms": 100, "max_delay_ms": 600}}"#;

fn doubling() -> Json {
    serde_json::from_str(DOUBLING).unwrap()
}

/// Percentiles of the waits of a page.
fn of_waits(step: &Json, given: &Json, percents: &[f64]) -> Vec<Percentiles> {
    let page = RowOptions::read(&value(given)).unwrap();
    wait_percentiles(&options(given).policy(&limits(step)), page, percents)
}

/// Percentiles of all waits and of the end.
fn of_totals(step: &Json, given: &Json, percents: &[f64]) -> [Percentiles; 2] {
    let page = RowOptions::read(&value(given)).unwrap();
    total_percentiles(&options(given).policy(&limits(step)), page.assume, percents)
}

#[test]
fn percentiles_of_a_wait_come_from_its_formula() {
    for (jitter, waits) in [("none", [400.0, 400.0]), ("full", [100.0, 360.0]), ("equal", [250.0, 380.0])] {
        let told = of_waits(&doubling(), &json!({ "jitter": jitter }), &[25.0, 90.0]);
        assert_eq!(told[3], Percentiles { sampled: false, values: waits.to_vec() }, "{jitter}");
        assert_eq!(told[0], Percentiles { sampled: false, values: vec![0.0, 0.0] });
    }
}

/// What runs with the seeds 0, 1, 2 and so on come to, in order.
fn sorted_runs(
    step: &Json,
    given: &Json,
    took: f64,
    runs: u32,
    of: fn(&step_retry::run::RunResult) -> f64,
) -> Vec<f64> {
    let outcome = [SimulatedOutcome::new(SimulatedResult::Retryable, took)];
    let run = |seed| {
        let options = RunOptions { seed: f64::from(seed), ..options(given) };
        of(&simulate(limits(step), &outcome, options, Lateness::default()).unwrap())
    };
    let mut all: Vec<f64> = (0..runs).map(run).collect();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn where_there_is_no_formula_they_come_from_runs_with_fixed_seeds() {
    let given = json!({"jitter": "decorrelated", "from": 4, "count": 1});
    let waits =
        sorted_runs(&doubling(), &given, 0.0, 4096, |ran| ran.record.attempts[3].wait_before_ms.get());
    let told = Percentiles { sampled: true, values: vec![waits[2047], waits[4095]] };
    assert_eq!(of_waits(&doubling(), &given, &[50.0, 100.0]), [told]);
    let expected = page_under(&doubling(), &given)[0].wait_before_ms.expected.get();
    assert!((expected - waits.iter().sum::<f64>() / 4096.0).abs() < 1e-6);
}

#[test]
fn percentiles_of_the_totals_come_from_runs_with_fixed_seeds() {
    for jitter in ["full", "equal", "decorrelated"] {
        for more in [json!({}), json!({"budgetMs": 1500.5}), json!({"budgetMs": 1200, "budget": "gate"})] {
            let mut given = more;
            given["jitter"] = json!(jitter);
            given["assume"] = json!(250);
            let [waits, told] = of_totals(&doubling(), &given, &[10.0, 50.0, 99.0]);
            assert!(waits.sampled && told.sampled);
            let ends = sorted_runs(&doubling(), &given, 250.0, 4096, |ran| ran.record.elapsed_ms.get());
            for (at, end) in [409, 2047, 4055].into_iter().zip(told.values) {
                assert!((end - ends[at]).abs() < 1e-6, "{given}: {end}, not {}", ends[at]);
            }
        }
    }
}

#[test]
fn without_jitter_every_percentile_is_the_plan_itself() {
    let plan = plan(&doubling(), &json!({}));
    let all = |time: Millis| Percentiles { sampled: false, values: vec![time.get(); 3] };
    let told = of_totals(&doubling(), &json!({}), &[0.0, 50.0, 100.0]);
    assert_eq!(told, [all(plan.total_wait_ms), all(plan.worst_case_ms.unwrap())]);
}

#[test]
fn an_end_that_nothing_bounds_is_no_number() {
    let step = json!({"retry": {"max_attempts": 3, "base_delay_ms": 100}});
    let mut given = json!({"budget": "gate", "jitter": "full"});
    assert!(of_totals(&step, &given, &[50.0])[1].values[0].is_nan());
    given["assume"] = json!(10);
    assert!(of_totals(&step, &given, &[50.0])[1].values[0] > 30.0);
}

/// Of many waits only some are drawn: the spread is that of the whole all the same.
#[test]
fn the_totals_of_many_waits_are_as_if_all_were_drawn() {
    for (backoff, jitter) in
        [("fixed", "full"), ("linear", "full"), ("exponential", "equal"), ("fixed", "decorrelated")]
    {
        let step = json!({"timeout_seconds": 1, "retry":
            {"max_attempts": 6001, "backoff": backoff, "base_delay_ms": 100, "max_delay_ms": 50_000}});
        let given = json!({"jitter": jitter, "assume": 0});
        let [told, _] = of_totals(&step, &given, &[5.0, 50.0, 95.0]);
        let all = sorted_runs(&step, &given, 0.0, 200, |ran| ran.record.waited_ms.get());
        let (middle, spread) = (all[99], all[189] - all[9]);
        assert!((told.values[1] - middle).abs() < middle * 0.02, "{backoff} {jitter}: {told:?}, {middle}");
        let told = told.values[2] - told.values[0];
        assert!((told / spread - 1.0).abs() < 0.25, "{backoff} {jitter}: spread {told}, not {spread}");
    }
}

#[test]
fn percentiles_of_a_billion_attempts_are_told_as_well() {
    let step =
        json!({"timeout_seconds": 1, "retry": {"max_attempts": 1_000_000_000u64, "base_delay_ms": 100}});
    for jitter in ["full", "equal", "decorrelated"] {
        let given = json!({ "jitter": jitter });
        let plan = plan(&step, &given);
        let [waits, ends] = of_totals(&step, &given, &[50.0]);
        assert!(waits.values[0] <= plan.total_wait_ms.get() && waits.values[0] > 1e10, "{jitter}: {waits:?}");
        assert!(ends.values[0] <= plan.worst_case_ms.unwrap().get(), "{jitter}: {ends:?}");
    }
}
