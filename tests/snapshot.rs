//! A run that is put away and taken up again decides as the one that was never stopped; a snapshot
//! that no run could have written is refused by its path.
#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use step_retry::failure::Failure;
use step_retry::millis::Millis;
use step_retry::policy::StepLimits;
use step_retry::run::{Decision, RunOptions, StepRun};
use support::value;

/// One thing that a caller may tell a run, and how long it took.
#[derive(Debug, Clone)]
enum Told {
    Next,
    Begin,
    Cost(f64),
    Succeed,
    Fail { retryable: bool, hint: Option<u32> },
    Timeout,
    Lost,
    Abort,
    Skip,
    Deny,
}

fn told() -> impl Strategy<Value = Told> {
    prop_oneof![
        8 => Just(Told::Next),
        6 => Just(Told::Begin),
        1 => (0.0..10.0f64).prop_map(Told::Cost),
        1 => Just(Told::Succeed),
        6 => (any::<bool>(), proptest::option::of(0u32..3000))
            .prop_map(|(fatal, hint)| Told::Fail { retryable: !fatal || hint.is_some(), hint }),
        3 => Just(Told::Timeout),
        1 => Just(Told::Lost),
        1 => prop_oneof![Just(Told::Abort), Just(Told::Skip), Just(Told::Deny)],
    ]
}

/// What the run answers, whatever it is told: refusals are answers too.
fn tell(run: &mut StepRun, told: &Told, now: Millis) -> String {
    match told {
        Told::Next => format!("{:?}", run.next(now)),
        Told::Begin => format!("{:?}", run.begin(now)),
        Told::Cost(cost) => format!("{:?}", run.report_cost(*cost)),
        Told::Succeed => format!("{:?}", run.succeed(now, Some("{\"draft\":1}"))),
        Told::Fail { retryable, hint } => {
            let retry_after = hint.map(|ms| Millis::saturating(ms.into()));
            format!("{:?}", run.fail(now, Failure { retry_after, ..Failure::new("X", "x", *retryable) }))
        }
        Told::Timeout => format!("{:?}", run.timeout(now)),
        Told::Lost => format!("{:?}", run.lost(now)),
        Told::Abort => format!("{:?}", run.abort(now, Some("enough"))),
        Told::Skip => format!("{:?}", run.skip(now, None)),
        Told::Deny => format!("{:?}", run.deny(now)),
    }
}

fn runs() -> impl Strategy<Value = StepRun> {
    let step = (1u32..4, 1u32..6, 0u32..900, proptest::option::of(1u32..6), any::<bool>(), any::<bool>());
    let options = (0usize..4, 0usize..4, any::<bool>(), proptest::option::of(1u64..4), any::<f64>());
    (step, options).prop_map(|((timeout, attempts, base, total, on_timeout, retry), (jitter, hint, gate, limit, seed))| {
        let mut step = json!({"timeout_seconds": timeout, "idempotent": true});
        if retry {
            step["retry"] = json!({"max_attempts": attempts, "backoff": "exponential", "base_delay_ms": base,
                "on_timeout": on_timeout});
            if let Some(total) = total {
                step["retry"]["total_timeout_seconds"] = json!(total);
            }
        }
        let mut options = json!({
            "name": "s", "hash": gate, "seed": if seed.is_finite() { seed } else { 0.0 },
            "jitter": (["none", "full", "equal", "decorrelated"][jitter]),
            "retryAfter": (["honor", "clamp", "fail", "ignore"][hint]),
            "budget": if gate { "gate" } else { "clip" },
        });
        if let Some(limit) = limit {
            options["recordLimit"] = json!(limit);
        }
        let limits = StepLimits::read("s", &value(&step)).unwrap();
        StepRun::new(limits, RunOptions::read(&value(&options)).unwrap())
    })
}

/// Through JSON text, as a snapshot goes through a database.
fn put_away(run: &mut StepRun) -> Json {
    serde_json::from_str(&serde_json::to_string(&run.snapshot()).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn a_restored_run_is_the_run_that_was_never_stopped(
        run in runs(), history in proptest::collection::vec((told(), 0u32..1500), 1..25),
    ) {
        let (mut kept, mut stopped, mut now) = (run.clone(), run, Millis::ZERO);
        for (told, took) in &history {
            now += Millis::saturating(f64::from(*took) / 2.0);
            stopped = StepRun::restore(&value(&put_away(&mut stopped))).unwrap();
            prop_assert_eq!(&stopped, &kept);
            prop_assert_eq!(tell(&mut stopped, told, now), tell(&mut kept, told, now));
            prop_assert_eq!(stopped.result(), kept.result());
        }
    }

    #[test]
    fn a_damaged_snapshot_is_refused_or_as_good_as_undamaged(
        run in runs(), history in proptest::collection::vec((told(), 0u32..1500), 1..20),
        place in any::<prop::sample::Index>(), damage in 0usize..7,
    ) {
        let (mut run, mut now) = (run, Millis::ZERO);
        for (told, took) in &history {
            now += Millis::saturating(f64::from(*took));
            tell(&mut run, told, now);
        }
        let mut snapshot = put_away(&mut run);
        let paths = leaves(&snapshot, String::new());
        let path = place.get(&paths);
        let leaf = snapshot.pointer_mut(path).unwrap();
        *leaf = [json!(null), json!(-1), json!(1.5), json!("?"), json!([]), json!({}), json!(true)][damage].clone();
        if let Ok(mut restored) = StepRun::restore(&value(&snapshot)) {
            // What was taken in must be a state that the machine can go on from.
            let again = put_away(&mut restored);
            prop_assert_eq!(StepRun::restore(&value(&again)).unwrap(), restored);
        }
    }
}

fn leaves(json: &Json, at: String) -> Vec<String> {
    match json {
        Json::Object(entries) => {
            entries.iter().flat_map(|(key, item)| leaves(item, format!("{at}/{key}"))).collect()
        }
        Json::Array(items) if !items.is_empty() => {
            items.iter().enumerate().flat_map(|(index, item)| leaves(item, format!("{at}/{index}"))).collect()
        }
        _ => vec![at],
    }
}

fn waiting() -> Json {
    let step = json!({"timeout_seconds": 60, "retry": {"max_attempts": 3, "base_delay_ms": 100}});
    let mut run = StepRun::new(StepLimits::read("s", &value(&step)).unwrap(), RunOptions::default());
    run.next(Millis::ZERO);
    run.begin(Millis::ZERO).unwrap();
    run.fail(Millis::saturating(10.0), Failure::new("X", "x", true)).unwrap();
    put_away(&mut run)
}

fn refusal(change: impl Fn(&mut Json)) -> (String, String) {
    let mut snapshot = waiting();
    change(&mut snapshot);
    let misuse = StepRun::restore(&value(&snapshot)).unwrap_err();
    (misuse.code.into(), misuse.message.clone())
}

#[test]
fn trap_87_a_snapshot_is_versioned_and_each_field_is_checked() {
    let invalid = |message: &str| ("SNAPSHOT_INVALID".to_owned(), message.to_owned());
    assert_eq!(refusal(|snapshot| snapshot["version"] = json!(2)).0, "SNAPSHOT_VERSION");
    assert_eq!(
        refusal(|snapshot| snapshot["version"] = json!("1")),
        invalid("'snapshot.version' must be a number")
    );
    assert_eq!(
        refusal(|snapshot| snapshot["state"]["attempt"] = json!(1.5)),
        invalid("'snapshot.state.attempt' must be a whole number, 0 or more")
    );
    assert_eq!(
        refusal(|snapshot| snapshot["state"]["attempt"] = json!(3)),
        invalid("'snapshot.attempts' do not lead to the state")
    );
    assert_eq!(
        refusal(|snapshot| snapshot["attempts"][0]["status"] = json!("fine")),
        invalid("'snapshot.attempts[0].status' must be one of success, error, skipped, lost")
    );
    assert_eq!(
        refusal(|snapshot| snapshot["clockMs"] = json!(5)),
        invalid("'snapshot.clockMs' is before what it has seen")
    );
    assert_eq!(
        refusal(|snapshot| snapshot["step"]["retry"]["max_attempts"] = json!(0)),
        invalid("'snapshot.step' is refused: Step 'step': 'retry.max_attempts' must be a positive integer")
    );
    assert_eq!(
        refusal(|snapshot| drop(snapshot["options"].as_object_mut().unwrap().remove("seed"))),
        invalid("'snapshot.options.seed' is missing")
    );
    assert_eq!(
        refusal(|snapshot| drop(snapshot.as_object_mut().unwrap().remove("waitMs"))),
        invalid("'snapshot.waitMs' is missing")
    );
}

#[test]
fn a_restored_wait_still_ends_when_it_was_to_end() {
    let mut run = StepRun::restore(&value(&waiting())).unwrap();
    assert_eq!(
        run.next(Millis::saturating(50.0)),
        Decision::Wait { wait: Millis::saturating(60.0), until: Millis::saturating(110.0) }
    );
}
