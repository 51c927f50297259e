//! The end of an attempt and of the run: what is written down, and which error is told.

use super::evidence;
use super::machine::{Running, State, StepRun};
use super::record::{AttemptRecord, AttemptStatus, ExhaustedBy, Outcome, RecordedError, RunError};
use crate::failure::{Failure, code};
use crate::millis::Millis;
use crate::text::text;
use std::mem;

impl StepRun {
    /// Writes the attempt down, and charges a computed limit with what it used of its own share.
    pub(super) fn close(
        &mut self,
        running: &Running,
        status: AttemptStatus,
        end: Result<Option<&str>, &Failure>,
    ) {
        let (output, failure) =
            end.map_or_else(|failure| (Some("{}"), Some(failure)), |output| (output, None));
        let duration = self.clock - running.since;
        if let (Some(timeout), Some(limit)) = (self.policy.timeout, running.bound.limit) {
            self.charge(duration.min(limit).get() - timeout.get());
        }
        let due = self.paused.map_or(running.since, |paused| paused + self.wait);
        self.attempts.push(AttemptRecord {
            attempt: running.attempt,
            of: self.policy.max_attempts,
            status,
            started_at_ms: self.elapsed(running.since),
            duration_ms: duration,
            error: failure.map(RecordedError::from),
            effective_timeout_seconds: running.bound.limit.map(Millis::seconds),
            clipped_to_ms: running.bound.clipped_to(),
            wait_before_ms: self.wait,
            late_ms: Some(running.since - due).filter(|late| !late.is_zero()),
            cost: self.attempt_cost,
            evidence_hash: output.filter(|_| self.options.hash).map(evidence::hash),
            exhausted_by: None,
        });
        if self.options.record_limit.is_some_and(|limit| self.attempts.len() as u64 > limit) {
            // A limit is small; what keeps a ring in order would be more code than this is work.
            self.attempts.remove(0);
            self.omitted += 1;
        }
        self.busy += duration;
        self.cost = self.cost.zip(self.attempt_cost).map(|(sum, cost)| (sum + cost).min(f64::MAX));
        self.paused = Some(self.clock);
    }

    /// Ends the run with `STEP_RETRY_EXHAUSTED`; the cause is the last failure.
    pub(super) fn exhausted(&mut self, reason: ExhaustedBy, failure: Option<Box<Failure>>) {
        self.stamp(reason);
        let attempts = self.attempts_begun();
        let error = Box::new(RunError {
            code: code::STEP_RETRY_EXHAUSTED.into(),
            message: text!["Step '", self.options.name, "' failed after ", attempts, " attempts"],
            retryable: false,
            attempts,
            exhausted_by: Some(reason),
            cause: failure.or_else(|| self.last_failure.take()),
        });
        self.state = State::Ended { outcome: Outcome::Failed, error: Some(error) };
    }

    /// Ends the run with the failure as it is.
    pub(super) fn fail_with(&mut self, failure: &mut Failure, exhausted_by: Option<ExhaustedBy>) {
        let error = Some(self.error_of(failure, exhausted_by));
        self.state = State::Ended { outcome: Outcome::Failed, error };
    }

    pub(super) fn error_of(&self, failure: &mut Failure, exhausted_by: Option<ExhaustedBy>) -> Box<RunError> {
        Box::new(RunError {
            code: mem::take(&mut failure.code),
            message: mem::take(&mut failure.message),
            retryable: failure.retryable,
            attempts: self.attempts_begun(),
            exhausted_by,
            cause: None,
        })
    }

    pub(super) fn stamp(&mut self, reason: ExhaustedBy) {
        if let Some(last) = self.attempts.last_mut() {
            last.exhausted_by = Some(reason);
        }
    }

    pub(super) fn attempts_begun(&self) -> u64 {
        self.omitted + self.attempts.len() as u64
    }
}
