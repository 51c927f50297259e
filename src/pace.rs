//! A run at its barest: how long each attempt may take and when the next one starts, where attempts
//! fail and no server gives a hint. It keeps no record, so that a million of them run side by side.
//! The machine in [`crate::run`] decides alike; tests hold the two together.

use crate::millis::Millis;
use crate::policy::{Budget, BudgetMode, Policy};

/// What an attempt may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bound {
    /// The longest it may run; `None` where nothing limits it.
    pub(crate) limit: Option<Millis>,
    /// Whether the total limit leaves it less than its full timeout.
    pub(crate) clipped: bool,
    /// Whether running to the limit uses the total limit up.
    uses_up: bool,
}

/// What an attempt that starts at `start` may take; `None` where the total limit is used up. Attempt 1
/// has all of it by definition.
pub(crate) fn bound(policy: &Policy, attempt: u64, start: Millis) -> Option<Bound> {
    let left = match policy.budget {
        // A computed limit always leaves what the schedule needs.
        Budget::Declared(limit) if attempt > 1 => Some((limit - start).floor()),
        Budget::Declared(limit) => Some(limit),
        _ => None,
    };
    if attempt > 1 && left.is_some_and(Millis::is_zero) {
        return None;
    }
    let cut = left.filter(|_| policy.mode == BudgetMode::Clip);
    let limit = match (policy.timeout, cut) {
        (Some(timeout), Some(left)) => Some(timeout.min(left)),
        (timeout, left) => timeout.or(left),
    };
    Some(Bound { limit, clipped: limit < policy.timeout, uses_up: cut.is_some() && limit >= cut })
}

impl Bound {
    /// Whether an attempt that ran to its limit is tried again, as far as the limit goes.
    pub(crate) const fn timeout_is_tried_again(&self, policy: &Policy) -> bool {
        policy.on_timeout && !self.uses_up
    }
}

/// A run between its attempts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// The attempt that is running, or the one that starts next.
    pub(crate) attempt: u64,
    drawn: Option<Millis>,
}

impl Pace {
    /// Before attempt 1.
    pub(crate) const START: Self = Self { attempt: 1, drawn: None };

    /// The wait after an attempt that failed at `end` and may be tried again; `None` where there is no
    /// attempt left, or no room for the wait.
    pub(crate) fn wait(&mut self, policy: &Policy, seed: u64, end: Millis) -> Option<Millis> {
        if self.attempt >= policy.max_attempts {
            return None;
        }
        let wait = policy.jitter.draw(&policy.backoff, self.attempt, self.drawn, seed);
        if let Budget::Declared(limit) = policy.budget
            && end + wait >= limit
        {
            return None;
        }
        self.drawn = Some(wait);
        self.attempt += 1;
        Some(wait)
    }
}
