//! Many workers that fail together: laws that hold for any load, and a fleet of one against a run.
#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use step_retry::fleet::{FleetLoad, FleetOptions, MOST_CALLS, RetryStock, fewest_calls, simulate};
use step_retry::jitter::Jitter;
use step_retry::millis::Millis;
use step_retry::policy::{Policy, StepLimits};
use step_retry::run::{self, Lateness, RunOptions, SimulatedOutcome, SimulatedResult};
use support::value;

fn policy(step: &Json, given: &Json) -> Policy {
    let limits = StepLimits::read("s", &value(step)).unwrap();
    RunOptions::read(&value(given)).unwrap().policy(&limits)
}

fn load(step: &Json, given: &Json, options: &FleetOptions) -> FleetLoad {
    simulate(&policy(step, given), options, None).unwrap()
}

fn six_attempts() -> Json {
    json!({"timeout_seconds": 10, "retry": {"max_attempts": 6, "backoff": "exponential", "base_delay_ms": 1000}})
}

/// Times of the buckets that are not empty, with what is in them.
fn waves(load: &FleetLoad, counts: &[f64]) -> Vec<(f64, f64)> {
    let bucket = load.bucket_ms.get();
    let all = counts.iter().enumerate().map(|(index, count)| (index as f64 * bucket, *count));
    all.filter(|(_, count)| *count > 0.0).collect()
}

#[test]
fn without_jitter_all_come_back_together() {
    let options =
        FleetOptions { bucket: Millis::saturating(100.0), ..FleetOptions::new(1000, 5000.0, 1000.0) };
    let load = load(&six_attempts(), &json!({}), &options);
    // Waits of 1, 2, 4, 8 and 16 s; the outage ends before the fourth attempt, and 100 fit into each tenth.
    let calls = [
        (0.0, 1000.0),
        (1000.0, 1000.0),
        (3000.0, 1000.0),
        (7000.0, 1000.0),
        (15_000.0, 900.0),
        (31_000.0, 800.0),
    ];
    assert_eq!(waves(&load, &load.calls), calls);
    assert_eq!(waves(&load, &load.served), [(7000.0, 100.0), (15_000.0, 100.0), (31_000.0, 100.0)]);
    assert_eq!((load.succeeded, load.gave_up, load.done_at_ms.get()), (300.0, 700.0, 31_000.0));
    assert_eq!((load.peak, load.peak_at_ms.get(), load.overload), (1000.0, 0.0, Some(10.0)));
}

#[test]
fn with_jitter_they_come_spread_out() {
    let options =
        FleetOptions { bucket: Millis::saturating(100.0), ..FleetOptions::new(1000, 5000.0, 1000.0) };
    let together = load(&six_attempts(), &json!({}), &options);
    let spread = load(&six_attempts(), &json!({"jitter": "full"}), &options);
    assert!(spread.overload < together.overload && spread.overload.unwrap() < 1.5, "{:?}", spread.overload);
    assert!(spread.gave_up < 20.0 && spread.succeeded > 980.0, "{}", spread.gave_up);
}

#[test]
fn the_same_seed_gives_the_same_load_bit_for_bit_and_another_another() {
    let options = FleetOptions::new(500, 5000.0, 100.0);
    let jitter = json!({"jitter": "decorrelated"});
    let first = load(&six_attempts(), &jitter, &options);
    assert_eq!(first, load(&six_attempts(), &jitter, &options));
    let other = load(&six_attempts(), &jitter, &FleetOptions { seed: 1.0, ..options });
    assert_ne!(first.calls, other.calls);
}

/// A fixed number of retries, whenever.
struct Stock {
    left: u32,
    told: Vec<f64>,
}

impl RetryStock for Stock {
    fn take(&mut self, _now: Millis) -> bool {
        let had = self.left > 0;
        self.left = self.left.saturating_sub(1);
        had
    }

    fn succeeded(&mut self, now: Millis) {
        self.told.push(now.get());
    }
}

#[test]
fn a_shared_stock_of_retries_holds_the_herd_back() {
    let mut stock = Stock { left: 250, told: Vec::new() };
    let options =
        FleetOptions { service: Millis::saturating(40.0), ..FleetOptions::new(100, 2000.0, 1000.0) };
    let load = simulate(&policy(&six_attempts(), &json!({})), &options, Some(&mut stock)).unwrap();
    // All come a first and a second time; a third time half of them, who find the service up.
    assert_eq!(load.attempts, 100.0 + 100.0 + 100.0);
    assert_eq!((load.succeeded, load.gave_up), (100.0, 0.0));
    assert_eq!(stock.told, [3040.0; 100]);

    let mut stock = Stock { left: 150, told: Vec::new() };
    let load = simulate(&policy(&six_attempts(), &json!({})), &options, Some(&mut stock)).unwrap();
    assert_eq!((load.attempts, load.succeeded, load.gave_up), (250.0, 50.0, 50.0));
}

#[test]
fn a_call_that_takes_longer_than_its_limit_is_tried_again_only_where_timeouts_are() {
    let mut step = json!({"timeout_seconds": 1, "idempotent": true, "retry": {"max_attempts": 3}});
    let options = FleetOptions { service: Millis::saturating(1500.0), ..FleetOptions::new(10, 0.0, 100.0) };
    let load_of = |step: &Json| load(step, &json!({}), &options);
    assert_eq!((load_of(&step).attempts, load_of(&step).gave_up), (10.0, 10.0));
    step["retry"]["on_timeout"] = json!(true);
    assert_eq!((load_of(&step).attempts, load_of(&step).done_at_ms.get()), (30.0, 3000.0));
}

#[test]
fn what_cannot_be_looked_at_is_refused() {
    let refused = |step: Json, options: FleetOptions| {
        simulate(&policy(&step, &json!({})), &options, None).unwrap_err().message.clone()
    };
    let endless = json!({"timeout_seconds": 1, "retry": {"max_attempts": 1e9}});
    assert_eq!(
        refused(endless, FleetOptions::new(1000, 1.0, 1.0)),
        "'options.workers' must be fewer: these would make more than 20000000 calls"
    );
    let days = json!({"timeout_seconds": 1, "retry": {"max_attempts": 2, "base_delay_ms": 1e10}});
    assert_eq!(
        refused(days, FleetOptions::new(1, 1.0, 1.0)),
        "'options.bucketMs' must be longer: the calls spread over more than 1000000 buckets"
    );
}

#[test]
fn far_too_many_calls_are_refused_before_any_is_made() {
    let minutes = json!({"timeout_seconds": 60, "idempotent": true, "retry":
        {"max_attempts": 1_000_000, "backoff": "exponential", "base_delay_ms": 10, "max_delay_ms": 1000, "on_timeout": true}});
    let capped = json!({"timeout_seconds": 1, "retry":
        {"max_attempts": 1_000_000, "base_delay_ms": 10, "total_timeout_seconds": 10}});
    let seconds = json!({"timeout_seconds": 1, "retry": {"max_attempts": 1_000_000, "base_delay_ms": 1000}});
    let fail = Millis::saturating(3.0);
    for (step, jitter, options) in [
        (&seconds, "full", FleetOptions::new(100_000, 150_000.0, 1000.0)),
        (&seconds, "equal", FleetOptions::new(100_000, 180_000.0, 1000.0)),
        (&seconds, "full", FleetOptions::new(100_000, 0.0, 200.0)),
        (&minutes, "none", FleetOptions::new(100_000, 1e6, 1.0)),
        (
            &minutes,
            "none",
            FleetOptions { fail: Millis::saturating(90_000.0), ..FleetOptions::new(1_000_000, 1e9, 0.0) },
        ),
        (&minutes, "full", FleetOptions::new(100_000, 1e6, 1.0)),
        (&minutes, "decorrelated", FleetOptions::new(1_000_000, 3e4, 1000.0)),
        (&capped, "none", FleetOptions { fail, ..FleetOptions::new(1_000_000, 1e4, 0.0) }),
        (&capped, "equal", FleetOptions { fail, ..FleetOptions::new(100_000, 0.0, 100.0) }),
    ] {
        let refused = simulate(&policy(step, &json!({"jitter": jitter})), &options, None);
        assert_eq!(
            refused.unwrap_err().message,
            "'options.workers' must be fewer: these would make more than 20000000 calls"
        );
        assert!(fewest_calls(&policy(step, &json!({"jitter": jitter})), &options) > MOST_CALLS as f64);
    }
}

#[test]
fn how_many_calls_a_fleet_makes_with_jitter_is_nearly_known_before_any_is_made() {
    let shapes = [
        (json!({"max_attempts": 1000, "base_delay_ms": 1000, "max_delay_ms": 1500}), 60_000.0, 40.0),
        (json!({"max_attempts": 1000, "base_delay_ms": 1000, "max_delay_ms": 1500}), 0.0, 40.0),
        (json!({"max_attempts": 12, "base_delay_ms": 1000, "backoff": "linear"}), 1e9, 1.0),
        (
            json!({"max_attempts": 1000, "base_delay_ms": 200, "max_delay_ms": 4000, "backoff": "exponential"}),
            5000.0,
            20.0,
        ),
    ];
    for jitter in ["full", "equal", "decorrelated"] {
        for (retry, outage, capacity) in &shapes {
            let policy = policy(&json!({"timeout_seconds": 1, "retry": retry}), &json!({"jitter": jitter}));
            let options = FleetOptions::new(3000, *outage, *capacity);
            let made = simulate(&policy, &options, None).unwrap().attempts;
            let share = fewest_calls(&policy, &options) / made;
            println!("{jitter} {retry}: {made} calls, {share}");
            assert!((0.5..=1.0).contains(&share), "{jitter} {retry}: {share} of {made}");
        }
    }
}

#[test]
fn where_all_fail_at_the_same_times_each_call_is_expected() {
    let down = FleetOptions::new(100, 1e6, 0.0);
    assert_eq!(fewest_calls(&policy(&six_attempts(), &json!({})), &down), 600.0);
    assert_eq!(load(&six_attempts(), &json!({}), &down).attempts, 600.0);
}

#[test]
fn calls_that_a_served_worker_would_have_made_later_are_not_expected() {
    // At the end all of the 26 have called seven times or been served, and one of them was.
    let step = json!({
        "timeout_seconds": 1, "idempotent": true,
        "retry": {"max_attempts": 7, "backoff": "linear", "base_delay_ms": 399, "on_timeout": false},
    });
    let options = FleetOptions {
        fail: Millis::saturating(42.0),
        service: Millis::ZERO,
        bucket: Millis::saturating(10.0),
        seed: 143.0,
        ..FleetOptions::new(26, 201.0, 0.25)
    };
    let policy = policy(&step, &json!({"jitter": "full", "budget": "clip"}));
    let made = simulate(&policy, &options, None).unwrap().attempts;
    let fewest = fewest_calls(&policy, &options);
    assert!(made < 26.0 * 7.0 && fewest <= made, "{fewest} of {made}");
}

#[test]
fn options_are_refused_by_their_path() {
    let refusal = |given: Json| FleetOptions::read(&value(&given)).unwrap_err().message.clone();
    let good = json!({"workers": 5, "outageMs": 0, "capacityPerSecond": 10});
    assert_eq!(FleetOptions::read(&value(&good)), Ok(FleetOptions::new(5, 0.0, 10.0)));
    let with = |key: &str, what: Json| {
        let mut given = good.clone();
        given[key] = what;
        given
    };
    assert_eq!(refusal(json!({"outageMs": 0, "capacityPerSecond": 1})), "'options.workers' is missing");
    assert_eq!(refusal(with("workers", json!(0))), "'options.workers' must be a whole number, 1 or more");
    assert_eq!(refusal(with("workers", json!(1_000_001))), "'options.workers' must be at most 1000000");
    assert_eq!(
        refusal(with("capacityPerSecond", json!(-1))),
        "'options.capacityPerSecond' must be a number of calls a second, 0 or more"
    );
    assert_eq!(
        refusal(with("bucketMs", json!(0.5))),
        "'options.bucketMs' must be a number of milliseconds, 1 or more"
    );
}

fn steps() -> impl Strategy<Value = Json> {
    let shapes = prop_oneof![Just("fixed"), Just("linear"), Just("exponential")];
    let total = proptest::option::of(1u32..40);
    (1u32..6, 1u32..9, shapes, 0u32..8000, total, any::<bool>()).prop_map(
        |(timeout, attempts, backoff, base, total, on_timeout)| {
            let mut retry = json!({
                "max_attempts": attempts, "backoff": backoff, "base_delay_ms": f64::from(base) / 4.0,
                "on_timeout": on_timeout,
            });
            if let Some(total) = total {
                retry["total_timeout_seconds"] = json!(total);
            }
            json!({"timeout_seconds": timeout, "idempotent": true, "retry": retry})
        },
    )
}

fn modes() -> impl Strategy<Value = Json> {
    let jitter = prop_oneof![Just("none"), Just("full"), Just("equal"), Just("decorrelated")];
    let budget = prop_oneof![Just("clip"), Just("gate")];
    (jitter, budget).prop_map(|(jitter, budget)| json!({"jitter": jitter, "budget": budget}))
}

fn fleets(workers: impl Strategy<Value = u32>) -> impl Strategy<Value = FleetOptions> {
    let bucket = prop_oneof![Just(10.0), Just(700.0), Just(1000.0)];
    (workers, 0u32..20_000, 0u32..200, 0u32..2500, 0u32..2500, bucket, 0u32..1000).prop_map(
        |(workers, outage, capacity, fail, service, bucket, seed)| FleetOptions {
            fail: Millis::saturating(fail.into()),
            service: Millis::saturating(service.into()),
            bucket: Millis::saturating(bucket),
            seed: f64::from(seed),
            ..FleetOptions::new(workers, outage.into(), f64::from(capacity) / 4.0)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_call_and_every_worker_is_accounted_for(step in steps(), given in modes(), options in fleets(1u32..60)) {
        let load = load(&step, &given, &options);
        prop_assert_eq!(load.succeeded + load.gave_up, f64::from(options.workers));
        prop_assert_eq!(load.calls.iter().sum::<f64>(), load.attempts);
        prop_assert_eq!(load.peak, load.calls.iter().copied().fold(0.0, f64::max));
        let fewest = fewest_calls(&policy(&step, &given), &options);
        prop_assert!(fewest <= load.attempts, "{} of {}", fewest, load.attempts);
        let most = step["retry"]["max_attempts"].as_f64().unwrap() * f64::from(options.workers);
        prop_assert!(f64::from(options.workers) <= load.attempts && load.attempts <= most);
        if options.service.seconds() < step["timeout_seconds"].as_f64().unwrap() && load.capacity.len() > 1 {
            prop_assert!(load.succeeded <= load.served.iter().sum::<f64>());
        }
        for bucket in 0..load.calls.len() {
            prop_assert!(load.served[bucket] <= load.capacity[bucket]);
            prop_assert!(load.served[bucket] + load.refused[bucket] <= load.calls[bucket]);
        }
        // All buckets together have room for what the service takes in that time, less a fraction of a call.
        let up = (options.bucket.get() * load.capacity.len() as f64 - options.outage.get()).max(0.0) / 1000.0;
        prop_assert!((load.capacity.iter().sum::<f64>() - (up * options.capacity).floor()).abs() < 1e-6);
    }

    #[test]
    fn no_fleet_makes_fewer_calls_than_the_fewest(
        step in steps(), given in modes(), options in fleets(300u32..3000).prop_map(|options| FleetOptions {
            capacity: options.capacity * 20.0,
            ..options
        }),
    ) {
        let policy = policy(&step, &given);
        prop_assert!(fewest_calls(&policy, &options) <= simulate(&policy, &options, None).unwrap().attempts);
    }

    #[test]
    fn a_fleet_of_one_is_a_run(step in steps(), given in modes(), options in fleets(Just(1u32))) {
        let options = FleetOptions { capacity: 1e6, ..options };
        let fleet = load(&step, &given, &options);
        let limits = StepLimits::read("s", &value(&step)).unwrap();
        let run_options = RunOptions { seed: options.seed, ..RunOptions::read(&value(&given)).unwrap() };
        // The run's outcomes by number, as the service would give them at the time at which each starts.
        let fails = SimulatedOutcome::new(SimulatedResult::Retryable, options.fail.get());
        let works = SimulatedOutcome::new(SimulatedResult::Ok, options.service.get());
        let mut outcomes = vec![if options.outage.is_zero() { works.clone() } else { fails.clone() }];
        let ran = loop {
            let ran = run::simulate(limits.clone(), &outcomes, run_options.clone(), Lateness::default()).unwrap();
            let Some(next) = ran.record.attempts.get(outcomes.len()) else { break ran };
            outcomes.push(if next.started_at_ms < options.outage { fails.clone() } else { works.clone() });
        };
        prop_assert_eq!(fleet.attempts, ran.record.attempts.len() as f64);
        prop_assert_eq!(fleet.succeeded == 1.0, ran.ok);
        prop_assert_eq!(fleet.done_at_ms, ran.record.elapsed_ms);
        for attempt in &ran.record.attempts {
            prop_assert!(fleet.calls[(attempt.started_at_ms.get() / options.bucket.get()) as usize] >= 1.0);
        }
    }
}

#[test]
fn jitter_spreads_workers_apart_from_each_other() {
    let policy = Policy { jitter: Jitter::Full, ..policy(&six_attempts(), &json!({})) };
    let options = FleetOptions { bucket: Millis::saturating(10.0), ..FleetOptions::new(10_000, 1e9, 1.0) };
    let load = simulate(&policy, &options, None).unwrap();
    // The second calls are even over the first second: 100 in each hundredth of it, give or take.
    assert!(load.calls[1..100].iter().all(|calls| (50.0..400.0).contains(calls)));
}
