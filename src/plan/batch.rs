//! The totals of many steps at once, as bare numbers.

use crate::argument::Misuse;
use crate::backoff::Shape;
use crate::jitter::Jitter;
use crate::millis::Millis;
use crate::named::Named;
use crate::plan::schedule::Schedule;
use crate::policy::{Budget, BudgetMode, Policy, RetryBlock, StepLimits};
use crate::text::text;
use crate::value::{PathItem, Value};

/// How many numbers stand for one step: `timeout_seconds`, then of its retry block `max_attempts`,
/// `backoff` (0 fixed, 1 linear, 2 exponential), `base_delay_ms`, `max_delay_ms` and
/// `total_timeout_seconds`. `NaN` is absent.
pub const STEP_NUMBERS: usize = 6;

/// The totals of `steps`, four numbers each: the total limit, all waits, the end if every attempt fails
/// at its last moment, and the latest end.
///
/// # Errors
/// `INVALID_VALUE`, as in a file, with the number of the step; `INVALID_ARGUMENT` for a number too many
/// or too few.
pub fn totals(steps: &[f64]) -> Result<Vec<f64>, Misuse> {
    let (steps, rest) = steps.as_chunks::<STEP_NUMBERS>();
    if !rest.is_empty() {
        let message = text!["'steps' must have ", STEP_NUMBERS, " numbers for each step"];
        return Err(Misuse::at(vec!["steps".into()], "INVALID_ARGUMENT", message));
    }
    let mut totals = vec![0.0; steps.len() * 4];
    let (places, _) = totals.as_chunks_mut();
    for (index, (step, place)) in steps.iter().zip(places).enumerate() {
        *place = totals_of(index, step)?;
    }
    Ok(totals)
}

fn totals_of(index: usize, step: &[f64; STEP_NUMBERS]) -> Result<[f64; 4], Misuse> {
    let limits = match usable(step) {
        Some(limits) => limits,
        None => StepLimits::read(&index.to_string(), &as_in_a_file(step)).map_err(|refusal| {
            let path = vec!["steps".into(), PathItem::Index(index)];
            Misuse::at(path, refusal.code, refusal.message)
        })?,
    };
    let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
    let timeout = policy.timeout.unwrap_or_default();
    let schedule = Schedule::assuming(&policy, None);
    let [limit, end, latest_end] = match policy.budget {
        Budget::Declared(limit) => [limit, schedule.end_of_all(timeout), schedule.latest_end(timeout)],
        // What is computed is the schedule itself.
        budget => [budget.limit().unwrap_or_default(); 3],
    };
    Ok([limit, schedule.waits, end, latest_end].map(Millis::get))
}

/// The limits that nothing can be said against; all others take the long way, by the rules of a file.
fn usable(step: &[f64; STEP_NUMBERS]) -> Option<StepLimits> {
    let [timeout, attempts, backoff, base, cap, total] = *step;
    let written = |number: f64| (!number.is_nan()).then_some(number);
    let whole = |n: f64| n.is_nan() || (n > 0.0 && n.fract() == 0.0 && n.is_finite());
    let span = |n: f64| n.is_nan() || (n >= 0.0 && n.is_finite());
    let shape = Shape::ALL.iter().find(|shape| shape.index() as f64 == backoff);
    let all = whole(timeout) && whole(attempts) && span(base) && span(cap) && whole(total);
    (all && (shape.is_some() || backoff.is_nan())).then(|| StepLimits {
        timeout_seconds: written(timeout),
        idempotent: None,
        retry: Some(RetryBlock {
            max_attempts: written(attempts),
            backoff: shape.copied(),
            base_delay_ms: written(base),
            max_delay_ms: written(cap),
            on_timeout: None,
            total_timeout_seconds: written(total),
        }),
    })
}

fn as_in_a_file(step: &[f64; STEP_NUMBERS]) -> Value {
    let [timeout, attempts, backoff, base, cap, total] =
        step.map(|number| (!number.is_nan()).then_some(Value::Number(number)));
    let shape = Shape::ALL.iter().find(|shape| shape.index() as f64 == step[2]);
    let retry = Value::entries(vec![
        ("max_attempts", attempts),
        ("backoff", shape.map(|shape| shape.name().into()).or(backoff)),
        ("base_delay_ms", base),
        ("max_delay_ms", cap),
        ("total_timeout_seconds", total),
    ]);
    Value::entries(vec![("timeout_seconds", timeout), ("retry", Some(retry))])
}
