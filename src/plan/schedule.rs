//! A policy's attempts in time, each taking as long as assumed and every wait at its longest.

use crate::millis::Millis;
use crate::pace;
use crate::policy::{Budget, BudgetMode, Policy};

/// Attempts one after the other.
pub(super) struct Schedule<'a> {
    pub(super) policy: &'a Policy,
    /// How long an attempt takes; `None` where nothing limits it and nothing is assumed.
    pub(super) assume: Option<Millis>,
    /// All waits together.
    pub(super) waits: Millis,
}

impl<'a> Schedule<'a> {
    /// Attempts that take so long, but never longer than their limit; all of it where nothing is assumed.
    pub(super) fn assuming(policy: &'a Policy, assume: Option<Millis>) -> Self {
        let assume = match (assume, policy.timeout) {
            (Some(assume), Some(timeout)) => Some(assume.min(timeout)),
            (assume, timeout) => assume.or(timeout),
        };
        Self { policy, assume, waits: policy.longest_waits(1, policy.max_attempts - 1) }
    }

    /// When `attempt` starts where no limit ends the run before.
    pub(super) fn start(&self, attempt: u64) -> Millis {
        let before = (attempt - 1) as f64;
        self.assume.unwrap_or_default() * before + self.waits_before(attempt)
    }

    fn waits_before(&self, attempt: u64) -> Millis {
        match attempt == self.policy.max_attempts {
            true => self.waits,
            false => self.policy.longest_waits(1, attempt - 1),
        }
    }

    /// How many attempts the total limit lets start at all: with each failing at once, after the
    /// shortest waits.
    pub(super) fn reachable_attempts(&self) -> u64 {
        let Budget::Declared(limit) = self.policy.budget else { return self.policy.max_attempts };
        self.policy.last_attempt(&|attempt| !(limit - self.shortest_before(attempt)).floor().is_zero())
    }

    fn shortest_before(&self, attempt: u64) -> Millis {
        self.policy.jitter.shortest_sum(&self.policy.backoff, attempt - 1)
    }

    /// The end, if every attempt takes `took` and fails.
    pub(super) fn end_of_all(&self, took: Millis) -> Millis {
        let limit = match self.policy.budget {
            Budget::Declared(limit) => limit,
            _ => return took * self.policy.max_attempts as f64 + self.waits,
        };
        let last = self.policy.last_attempt(&|attempt| !(limit - self.start(attempt)).floor().is_zero());
        if last < self.policy.max_attempts {
            let in_vain = self.start(last + 1);
            if in_vain < limit {
                // A fraction of a millisecond is left after the wait: it is waited for, and nothing starts.
                return in_vain;
            }
        }
        let start = self.start(last);
        let bound = pace::bound(self.policy, last, start).and_then(|bound| bound.limit);
        start + bound.map_or(took, |bound| took.min(bound))
    }

    /// The latest end, whenever attempts fail and whichever waits are drawn: the last attempt that the
    /// shortest waits alone leave room for is reached as late as can be.
    pub(super) fn latest_end(&self, timeout: Millis) -> Millis {
        let limit = match self.policy.budget {
            Budget::Declared(limit) => limit,
            _ => return timeout * self.policy.max_attempts as f64 + self.waits,
        };
        // What is left may be too little to start it: it is waited for all the same.
        let last = self.policy.last_attempt(&|attempt| self.shortest_before(attempt) < limit);
        let end = self.start(last) + timeout;
        match self.policy.mode {
            BudgetMode::Clip => end.min(limit),
            BudgetMode::Gate => end.min(limit + timeout),
        }
    }
}
