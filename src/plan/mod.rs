//! What a policy will do, before it does it: totals in closed form, its attempts by the page, and how
//! likely which wait is.
//!
//! Where waits are spread by jitter, times and totals are told for the longest waits, as limits are
//! made for them too; percentiles tell the rest.

pub mod batch;
mod layers;
mod percentiles;
mod rows;
mod schedule;

pub use layers::Layer;
pub use percentiles::{Percentiles, total_percentiles, wait_percentiles};
pub use rows::{Band, PlanRow, RowOptions, rows};

use crate::advice::Advice;
use crate::argument::{Arguments, Misuse};
use crate::millis::Millis;
use crate::policy::Policy;
use crate::value::Value;
use schedule::Schedule;
use serde::Serialize;

/// A policy's totals.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// How many attempts there may be, counting the first.
    pub max_attempts: f64,
    /// How many of them the total limit lets start, if each fails at once and every wait is as short
    /// as it can be.
    pub reachable_attempts: f64,
    /// The limit of one attempt; `null` where it has none.
    pub attempt_timeout_ms: Option<Millis>,
    /// The total limit; `null` where there is none.
    pub budget_ms: Option<Millis>,
    /// Where the total limit comes from: `declared`, `computed` or `none`.
    pub budget_source: &'static str,
    /// All waits as scheduled, before any limit.
    pub total_wait_ms: Millis,
    /// When the run ends if every attempt fails at its last moment; `null` where an attempt has no
    /// limit.
    pub worst_case_ms: Option<Millis>,
    /// The latest moment at which the run can end, whenever its attempts fail; `null` where an
    /// attempt has no limit. It is above `worst_case_ms` where a quicker failure, or with jitter a
    /// shorter wait, leaves room for an attempt more.
    pub latest_end_ms: Option<Millis>,
    /// The calls that the other side may see: attempts times those of every layer inside.
    pub max_calls: f64,
    /// What is accepted but will surprise.
    pub advice: Vec<Advice>,
}

/// What a plan is asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanOptions {
    /// What tries again inside one attempt, the outermost first.
    pub layers: Vec<Layer>,
}

impl PlanOptions {
    /// Reads the options by their public names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of a value that is not what it has to be.
    pub fn read(options: &Value) -> Result<Self, Misuse> {
        let options = Arguments::new("INVALID_ARGUMENT", "options", options)?;
        Ok(Self { layers: Layer::read(&options)? })
    }
}

impl Plan {
    /// The totals of `policy`; `advice` is what the step named `name` is told anyway.
    pub fn new(name: &str, policy: &Policy, options: &PlanOptions, mut advice: Vec<Advice>) -> Self {
        let schedule = Schedule::assuming(policy, None);
        advice.extend(layers::advice(name, policy.max_attempts, &options.layers));
        Self {
            max_attempts: policy.max_attempts as f64,
            reachable_attempts: schedule.reachable_attempts() as f64,
            attempt_timeout_ms: policy.timeout,
            budget_ms: policy.budget.limit(),
            budget_source: policy.budget.source(),
            total_wait_ms: schedule.waits,
            worst_case_ms: policy.timeout.map(|timeout| schedule.end_of_all(timeout)),
            latest_end_ms: policy.timeout.map(|timeout| schedule.latest_end(timeout)),
            max_calls: layers::calls(policy.max_attempts, &options.layers),
            advice,
        }
    }
}

/// The waits after attempts `1..=count`, at most as many as the policy has.
pub fn delays(policy: &Policy, count: u64) -> Vec<f64> {
    let waits = (policy.max_attempts - 1).min(count);
    numbers(waits, &mut |before| policy.backoff.after(before + 1).get())
}

/// So many numbers by their places; one loop for all that a plan lists.
fn numbers(count: u64, number: &mut dyn FnMut(u64) -> f64) -> Vec<f64> {
    let mut numbers = Vec::with_capacity(count as usize);
    for at in 0..count {
        numbers.push(number(at));
    }
    numbers
}
