//! The attempts of a plan, by the page.

use super::percentiles::Chains;
use super::schedule::Schedule;
use crate::argument::{Arguments, Misuse};
use crate::millis::Millis;
use crate::pace;
use crate::policy::Policy;
use crate::text::text;
use crate::value::Value;
use serde::Serialize;

/// The shortest, the expected and the longest of a spread wait.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Band {
    /// The shortest.
    pub min: Millis,
    /// The mean.
    pub expected: Millis,
    /// The longest.
    pub max: Millis,
}

/// One attempt of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanRow {
    /// Its number, from 1.
    pub attempt: f64,
    /// The wait before it; nothing before attempt 1.
    pub wait_before_ms: Band,
    /// When it starts, with every attempt before it as long as assumed and every wait at its longest.
    pub start_ms: Millis,
    /// The longest it may run; `null` where it has no limit.
    pub timeout_ms: Option<Millis>,
    /// The same, where the total limit leaves it less than its full timeout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clipped_to_ms: Option<Millis>,
    /// Whether it can start at all.
    pub reachable: bool,
    /// Why it cannot, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Which rows of a plan are asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowOptions {
    /// The first attempt.
    pub from: u64,
    /// At most so many rows.
    pub count: u64,
    /// How long an attempt takes; its own limit when absent.
    pub assume: Option<Millis>,
}

/// A page of rows where nothing is said, and the longest page there is.
const ROWS: u64 = 100;
const MOST_ROWS: u64 = 100_000;

impl RowOptions {
    /// Reads the options by their public names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of a value that is not what it has to be.
    pub fn read(options: &Value) -> Result<Self, Misuse> {
        let options = Arguments::new("INVALID_ARGUMENT", "options", options)?;
        let count = options.whole("count", 0)?.unwrap_or(ROWS);
        if count > MOST_ROWS {
            return Err(
                options.refuse("count", &text!["must be at most ", MOST_ROWS, "; ask for the next page"])
            );
        }
        Ok(Self { from: options.whole("from", 1)?.unwrap_or(1), count, assume: options.millis("assume")? })
    }

    /// The attempts that are asked for, as far as the policy has them.
    pub(super) fn attempts(self, policy: &Policy) -> std::ops::Range<u64> {
        self.from..self.from.saturating_add(self.count).min(policy.max_attempts.saturating_add(1))
    }
}

/// A page of a policy's attempts.
pub fn rows(policy: &Policy, options: RowOptions) -> Vec<PlanRow> {
    let schedule = Schedule::assuming(policy, options.assume);
    let reachable = schedule.reachable_attempts();
    let mut chains = Chains::new(policy);
    let mut rows = Vec::new();
    for attempt in options.attempts(policy) {
        rows.push(row(&schedule, attempt, reachable, &mut chains));
    }
    rows
}

fn row(schedule: &Schedule<'_>, attempt: u64, reachable_attempts: u64, chains: &mut Chains<'_>) -> PlanRow {
    let policy = schedule.policy;
    let start = schedule.start(attempt);
    let bound = pace::bound(policy, attempt, start);
    let clipped = bound.filter(|bound| bound.clipped).and_then(|bound| bound.limit);
    PlanRow {
        attempt: attempt as f64,
        wait_before_ms: wait_before(policy, attempt, chains),
        start_ms: start,
        timeout_ms: clipped.or(policy.timeout),
        clipped_to_ms: clipped,
        reachable: bound.is_some(),
        reason: bound.is_none().then(|| why_not(policy, attempt, start, reachable_attempts)),
    }
}

fn why_not(policy: &Policy, attempt: u64, start: Millis, reachable_attempts: u64) -> String {
    let limit = policy.budget.limit().unwrap_or_default();
    let (when, at) = match attempt > reachable_attempts {
        true => (
            "can never start: the waits before it take",
            policy.jitter.shortest_sum(&policy.backoff, attempt - 1),
        ),
        false => ("would start after", start),
    };
    text!["Attempt ", attempt, " ", when, " ", at, " ms, when the total limit of ", limit, " ms is used up"]
}

fn wait_before(policy: &Policy, attempt: u64, chains: &mut Chains<'_>) -> Band {
    if attempt == 1 {
        return Band { min: Millis::ZERO, expected: Millis::ZERO, max: Millis::ZERO };
    }
    let (min, max) = policy.jitter.bounds(&policy.backoff, attempt - 1);
    let expected = policy.jitter.mean(&policy.backoff, attempt - 1);
    Band { min, expected: expected.unwrap_or_else(|| chains.mean_after(attempt - 1)), max }
}
