//! The rules: how long an attempt may run, what follows a failure, and what a total limit allows.

use super::machine::{Bound, Running, State, StepRun};
use super::record::{AttemptStatus, ExhaustedBy};
use crate::failure::Failure;
use crate::millis::Millis;
use crate::policy::{Budget, BudgetMode};

impl StepRun {
    /// The limit of an attempt that begins now; `None` where the total limit is used up. Attempt 1
    /// has all of it by definition.
    pub(super) fn bound(&self, attempt: u64) -> Option<Bound> {
        let left = match self.left(attempt) {
            Some(left) if attempt > 1 => Some(left.floor()),
            left => left,
        };
        if attempt > 1 && left.is_some_and(Millis::is_zero) {
            return None;
        }
        let cut = left.filter(|_| self.policy.mode == BudgetMode::Clip);
        let limit = match (self.policy.timeout, cut) {
            (Some(timeout), Some(left)) => Some(timeout.min(left)),
            (timeout, left) => timeout.or(left),
        };
        Some(Bound { limit, clipped: limit < self.policy.timeout, left: cut })
    }

    /// What is left of the total limit when `attempt` begins at the latest clock reading.
    pub(super) fn left(&self, attempt: u64) -> Option<Millis> {
        self.left_at(attempt, self.clock)
    }

    pub(super) fn left_at(&self, attempt: u64, now: Millis) -> Option<Millis> {
        match self.policy.budget {
            Budget::None => None,
            Budget::Declared(limit) => Some(limit - self.elapsed(now)),
            Budget::Computed(_) => {
                let schedule = self.policy.schedule_from(attempt, self.policy.timeout?);
                Some(Millis::saturating(schedule.get() - self.overrun))
            }
        }
    }

    /// Whether the total limit has room for `wait` after `attempt`, and something behind it. An
    /// exact fit has not.
    pub(super) fn fits(&self, attempt: u64, wait: Millis) -> bool {
        match (self.policy.budget, self.policy.timeout) {
            (Budget::Declared(limit), _) => self.elapsed(self.clock) + wait < limit,
            (Budget::Computed(_), Some(timeout)) => {
                let overrun = self.overrun + self.beyond_schedule(attempt, wait);
                // Without overrun the rest of the schedule fits as it is, however large its numbers.
                overrun <= 0.0 || overrun < self.policy.schedule_from(attempt + 1, timeout).get()
            }
            _ => true,
        }
    }

    pub(super) fn beyond_schedule(&self, attempt: u64, wait: Millis) -> f64 {
        wait.get() - self.policy.longest_wait(attempt).get()
    }

    pub(super) fn elapsed(&self, now: Millis) -> Millis {
        self.began.map_or(Millis::ZERO, |began| now - began)
    }

    pub(super) fn timed_out(&mut self, running: &Running) {
        let limit = running.bound.limit.unwrap_or_default();
        let failure = Failure::timed_out(&self.options.name, limit);
        self.close(running, AttemptStatus::Error, Err(&failure));
        self.failed(running, failure, self.policy.on_timeout, true);
    }

    /// What follows a failed attempt. `again` is whether the failure is of the kind that is tried
    /// again.
    pub(super) fn failed(
        &mut self,
        running: &Running,
        mut failure: Box<Failure>,
        again: bool,
        timed_out: bool,
    ) {
        let attempts_remain = running.attempt < self.policy.max_attempts;
        let used_up = attempts_remain && self.used_up(running, timed_out);
        if again && attempts_remain && !(timed_out && used_up) {
            return self.schedule(running.attempt, failure);
        }
        let reason = if used_up || (timed_out && running.bound.clipped) {
            Some(ExhaustedBy::TotalTimeout)
        } else if !attempts_remain && (again || self.policy.mode == BudgetMode::Clip) {
            Some(ExhaustedBy::Attempts)
        } else {
            None
        };
        match reason.filter(|_| self.policy.has_retry) {
            Some(reason) => self.exhausted(reason, Some(failure)),
            None => self.fail_with(&mut failure, None),
        }
    }

    /// Whether a declared limit that cuts attempts is spent, although attempts remain: nothing is
    /// left, or the attempt was stopped at the end of it.
    pub(super) fn used_up(&self, running: &Running, timed_out: bool) -> bool {
        let Budget::Declared(limit) = self.policy.budget else {
            return false;
        };
        let stopped_at_the_end = timed_out && running.bound.limit >= running.bound.left;
        self.policy.mode == BudgetMode::Clip && (self.elapsed(self.clock) >= limit || stopped_at_the_end)
    }

    /// The wait before the next attempt: the longer of our own and the server's.
    pub(super) fn schedule(&mut self, attempt: u64, failure: Box<Failure>) {
        let seed = self.options.seed.to_bits();
        let own = self.policy.jitter.draw(&self.policy.backoff, attempt, self.drawn, seed);
        let asked = failure.retry_after.unwrap_or_default();
        let Some(hint) = self.options.hint(asked, self.policy.backoff.cap) else {
            return self.exhausted(ExhaustedBy::RetryAfter, Some(failure));
        };
        let wait = if hint > own { self.policy.jitter.spread_hint(hint, attempt, seed) } else { own };
        if !self.fits(attempt, wait) {
            return self.exhausted(ExhaustedBy::TotalTimeout, Some(failure));
        }
        self.charge(self.beyond_schedule(attempt, wait));
        self.drawn = Some(own);
        self.wait = wait;
        self.last_failure = Some(failure);
        self.state = State::Ready { attempt: attempt + 1, not_before: self.clock + wait, offer: None };
    }

    pub(super) fn charge(&mut self, beyond: f64) {
        self.overrun = (self.overrun + beyond).clamp(f64::MIN, f64::MAX);
    }
}
