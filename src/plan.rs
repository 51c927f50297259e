//! What a policy will do, before it does it: totals in closed form, and its attempts by the page.
//!
//! Where waits are spread by jitter, times and totals are told for the longest waits, as limits are
//! made for them too.

use crate::advice::Advice;
use crate::argument::{Arguments, Misuse};
use crate::millis::Millis;
use crate::policy::{Budget, BudgetMode, Policy};
use crate::value::Value;
use serde::Serialize;

/// A policy's totals.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// How many attempts there may be, counting the first.
    pub max_attempts: f64,
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
    /// attempt has no limit. It is above `worst_case_ms` where a quicker failure leaves room for an
    /// attempt more.
    pub latest_end_ms: Option<Millis>,
    /// The attempts that the other side may see: attempts times those of a layer inside.
    pub max_calls: f64,
    /// What is accepted but will surprise.
    pub advice: Vec<Advice>,
}

/// What a plan is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanOptions {
    /// How many attempts a layer inside the step makes of one of ours.
    pub inner_attempts: u64,
}

impl PlanOptions {
    /// Reads the options by their public names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of a value that is not what it has to be.
    pub fn read(options: &Value) -> Result<Self, Misuse> {
        let options = Arguments::new("INVALID_ARGUMENT", "options", options)?;
        Ok(Self { inner_attempts: options.whole("innerAttempts", 1)?.unwrap_or(1) })
    }
}

impl Plan {
    /// The totals of `policy`.
    pub fn new(policy: &Policy, options: PlanOptions, advice: Vec<Advice>) -> Self {
        let schedule = Schedule { policy, assume: policy.timeout };
        Self {
            max_attempts: policy.max_attempts as f64,
            attempt_timeout_ms: policy.timeout,
            budget_ms: policy.budget.limit(),
            budget_source: policy.budget.source(),
            total_wait_ms: policy.longest_waits(1, policy.max_attempts - 1),
            worst_case_ms: policy.timeout.map(|timeout| schedule.worst_case(timeout)),
            latest_end_ms: policy.timeout.map(|timeout| schedule.latest_end(timeout)),
            max_calls: policy.max_attempts as f64 * options.inner_attempts as f64,
            advice,
        }
    }
}

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
                options.refuse("count", &format!("must be at most {MOST_ROWS}; ask for the next page"))
            );
        }
        Ok(Self { from: options.whole("from", 1)?.unwrap_or(1), count, assume: options.millis("assume")? })
    }
}

/// A page of a policy's attempts.
pub fn rows(policy: &Policy, options: RowOptions) -> Vec<PlanRow> {
    let assume = match (options.assume, policy.timeout) {
        (Some(assume), Some(timeout)) => Some(assume.min(timeout)),
        (assume, timeout) => assume.or(timeout),
    };
    let schedule = Schedule { policy, assume };
    let last = options.from.saturating_add(options.count).min(policy.max_attempts.saturating_add(1));
    (options.from..last).map(|attempt| schedule.row(attempt)).collect()
}

/// The waits after attempts `1..=count`, at most as many as the policy has.
pub fn delays(policy: &Policy, count: u64) -> Vec<f64> {
    let waits = (policy.max_attempts - 1).min(count);
    (1..=waits).map(|attempt| policy.backoff.after(attempt).get()).collect()
}

/// A policy's attempts in time, each taking `assume`.
struct Schedule<'a> {
    policy: &'a Policy,
    assume: Option<Millis>,
}

impl Schedule<'_> {
    /// When `attempt` starts where no limit ends the run before.
    fn start(&self, attempt: u64) -> Millis {
        let before = (attempt - 1) as f64;
        self.assume.unwrap_or_default() * before + self.policy.longest_waits(1, attempt - 1)
    }

    fn row(&self, attempt: u64) -> PlanRow {
        let policy = self.policy;
        let start = self.start(attempt);
        let left = self.left(attempt, start);
        let reachable = attempt == 1 || left.is_none_or(|left| !left.floor().is_zero());
        let cut = left.map(|left| if attempt == 1 { left } else { left.floor() });
        let clipped = match (policy.timeout, cut) {
            (Some(timeout), Some(left)) if reachable && policy.mode == BudgetMode::Clip && left < timeout => {
                Some(left)
            }
            _ => None,
        };
        PlanRow {
            attempt: attempt as f64,
            wait_before_ms: self.wait_before(attempt),
            start_ms: start,
            timeout_ms: clipped.or(policy.timeout),
            clipped_to_ms: clipped,
            reachable,
            reason: (!reachable).then(|| self.why_not(attempt, start)),
        }
    }

    /// What is left of a declared limit; a computed one always leaves what the schedule needs.
    fn left(&self, attempt: u64, start: Millis) -> Option<Millis> {
        match self.policy.budget {
            Budget::Declared(limit) if attempt == 1 => Some(limit),
            Budget::Declared(limit) => Some(limit - start),
            _ => None,
        }
    }

    fn wait_before(&self, attempt: u64) -> Band {
        if attempt == 1 {
            return Band { min: Millis::ZERO, expected: Millis::ZERO, max: Millis::ZERO };
        }
        let (min, max) = self.policy.jitter.bounds(&self.policy.backoff, attempt - 1);
        let expected = self.policy.jitter.mean(&self.policy.backoff, attempt - 1);
        Band { min, expected, max }
    }

    fn why_not(&self, attempt: u64, start: Millis) -> String {
        let limit = self.policy.budget.limit().unwrap_or_default();
        format!(
            "Attempt {attempt} would start after {start} ms, when the total limit of {limit} ms is used up"
        )
    }

    /// The last attempt for which `may_start` holds. It holds for the first, and ends for good
    /// somewhere, since starts only grow: so the place can be found by halving.
    fn last_that(&self, may_start: impl Fn(u64) -> bool) -> u64 {
        let (mut low, mut high) = (1, self.policy.max_attempts);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if may_start(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }

    /// The end, if every attempt fails at its last moment.
    fn worst_case(&self, timeout: Millis) -> Millis {
        let limit = match self.policy.budget {
            Budget::Declared(limit) => limit,
            _ => return self.policy.schedule_from(1, timeout),
        };
        let last = self.last_that(|attempt| !(limit - self.start(attempt)).floor().is_zero());
        let in_vain = self.start(last.saturating_add(1));
        if last < self.policy.max_attempts && in_vain < limit {
            // A fraction of a millisecond is left after the wait: it is waited for, and nothing starts.
            return in_vain;
        }
        let start = self.start(last);
        start + self.bound(last, start, limit, timeout)
    }

    /// The latest end, whenever attempts fail: the last attempt that waits alone leave room for is
    /// reached as late as can be.
    fn latest_end(&self, timeout: Millis) -> Millis {
        let limit = match self.policy.budget {
            Budget::Declared(limit) => limit,
            _ => return self.policy.schedule_from(1, timeout),
        };
        // What is left may be too little to start it: it is waited for all the same.
        let last = self.last_that(|attempt| self.policy.longest_waits(1, attempt - 1) < limit);
        let end = self.start(last) + timeout;
        match self.policy.mode {
            BudgetMode::Clip => end.min(limit),
            BudgetMode::Gate => end.min(limit + timeout),
        }
    }

    fn bound(&self, attempt: u64, start: Millis, limit: Millis, timeout: Millis) -> Millis {
        match self.policy.mode {
            BudgetMode::Clip if attempt == 1 => timeout.min(limit),
            BudgetMode::Clip => timeout.min((limit - start).floor()),
            BudgetMode::Gate => timeout,
        }
    }
}
