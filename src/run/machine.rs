//! The machine: the states of a run, and the events that lead from one to the next.

use super::decision::Decision;
use super::options::RunOptions;
use super::record::{AttemptRecord, AttemptStatus, ExhaustedBy, Outcome, RunError, RunResult, StepRecord};
use crate::argument::Misuse;
use crate::codec;
use crate::failure::Failure;
use crate::millis::Millis;
use crate::policy::{Policy, StepLimits};
use crate::text::text;
use crate::value::Value;
use std::mem;

/// What became of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// It counts as reported.
    Counted,
    /// It came at or after the attempt's limit: the attempt counts as timed out.
    TooLate,
}

/// The limit of one attempt, decided once, when the attempt is offered.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Bound {
    /// The longest it may run.
    pub(super) limit: Option<Millis>,
    /// Whether the total limit cut it below its full timeout; equality is no cut.
    pub(super) clipped: bool,
    /// What was left of the total limit, where that cuts attempts.
    pub(super) left: Option<Millis>,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    /// The next attempt may begin, at `not_before` or later. `offer` is the limit it was last
    /// offered with.
    Ready { attempt: u64, not_before: Millis, offer: Option<Bound> },
    /// An attempt is running.
    Running { attempt: u64, since: Millis, bound: Bound },
    /// Nothing will happen any more.
    Ended { outcome: Outcome, error: Option<Box<RunError>> },
}

/// One step's attempts under its policy.
///
/// Clock readings are milliseconds of any clock that does not run backward; a reading that does is
/// taken as the latest one seen.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRun {
    pub(super) limits: StepLimits,
    pub(super) options: RunOptions,
    pub(super) policy: Policy,
    pub(super) state: State,
    pub(super) clock: Millis,
    /// When attempt 1 began.
    pub(super) began: Option<Millis>,
    /// When the last attempt ended.
    pub(super) paused: Option<Millis>,
    /// The wait before the coming or running attempt, as asked for.
    pub(super) wait: Millis,
    /// The last wait of our own, which `decorrelated` jitter grows from; hints never feed it.
    pub(super) drawn: Option<Millis>,
    /// The failure that the coming attempt follows.
    pub(super) last_failure: Option<Box<Failure>>,
    /// How much more than the schedule says has been used of a computed limit; below zero where
    /// attempts were quicker than their limits.
    pub(super) overrun: f64,
    /// What the running attempt has reported as its cost.
    pub(super) attempt_cost: Option<f64>,
    pub(super) attempts: Vec<AttemptRecord>,
    pub(super) omitted: u64,
    /// How long attempts have run, together.
    pub(super) busy: Millis,
    /// What all attempts have reported as their cost, together; `None` as soon as one reported nothing.
    pub(super) cost: Option<f64>,
}

impl StepRun {
    /// A run that has not begun.
    pub fn new(limits: StepLimits, options: RunOptions) -> Self {
        Self {
            policy: options.policy(&limits),
            limits,
            options,
            state: State::Ready { attempt: 1, not_before: Millis::ZERO, offer: None },
            clock: Millis::ZERO,
            began: None,
            paused: None,
            wait: Millis::ZERO,
            drawn: None,
            last_failure: None,
            overrun: 0.0,
            attempt_cost: None,
            attempts: Vec::new(),
            omitted: 0,
            busy: Millis::ZERO,
            cost: Some(0.0),
        }
    }

    /// The policy that this run follows.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The step's name.
    pub fn name(&self) -> &str {
        &self.options.name
    }

    /// The latest clock reading.
    pub const fn clock(&self) -> Millis {
        self.clock
    }

    /// The wait before the coming attempt; `None` unless the run is between two attempts.
    pub const fn coming_wait(&self) -> Option<Millis> {
        match self.state {
            State::Ready { attempt, .. } if attempt > 1 => Some(self.wait),
            _ => None,
        }
    }

    /// What is left of the total limit at the latest clock reading; `None` without one.
    pub fn remaining(&self) -> Option<Millis> {
        match self.state {
            State::Ready { attempt, .. } => self.left(attempt),
            State::Running { attempt, since, .. } => {
                let running = self.clock - since;
                self.left_at(attempt, since).map(|left| left - running)
            }
            State::Ended { .. } => None,
        }
    }

    /// What to do at `now`. Asking changes nothing that a second question would not find the same;
    /// only a total limit that is used up ends the run here.
    pub fn next(&mut self, now: Millis) -> Decision {
        if matches!(self.state, State::Ended { .. }) {
            return Decision::Done;
        }
        self.read_clock(now);
        match self.state {
            State::Ready { not_before, .. } if self.clock < not_before => {
                Decision::Wait { wait: not_before - self.clock, until: not_before }
            }
            State::Ready { attempt, not_before, .. } => match self.bound(attempt) {
                Some(bound) => {
                    self.state = State::Ready { attempt, not_before, offer: Some(bound) };
                    Decision::Attempt { attempt, timeout: bound.limit, clipped_to: bound.clipped_to() }
                }
                None => {
                    self.exhausted(ExhaustedBy::TotalTimeout, None);
                    Decision::Done
                }
            },
            State::Running { attempt, since, bound } => {
                Decision::Running { attempt, until: bound.limit.map(|limit| since + limit) }
            }
            State::Ended { .. } => Decision::Done,
        }
    }

    /// The offered attempt begins now. With attempt 1 the total limit begins.
    ///
    /// # Errors
    /// `WRONG_STATE` unless [`StepRun::next`] has offered the attempt.
    pub fn begin(&mut self, now: Millis) -> Result<(), Misuse> {
        let State::Ready { attempt, offer: Some(bound), .. } = self.state else {
            return Err(self.wrong_state("begin() needs an attempt that next() has offered"));
        };
        self.read_clock(now);
        self.began.get_or_insert(self.clock);
        self.attempt_cost = None;
        self.state = State::Running { attempt, since: self.clock, bound };
        Ok(())
    }

    /// The running attempt costs this much, beside what it has reported before.
    ///
    /// # Errors
    /// `WRONG_STATE` when no attempt is running.
    pub fn report_cost(&mut self, cost: f64) -> Result<(), Misuse> {
        self.running("reportCost()")?;
        self.attempt_cost = Some((self.attempt_cost.unwrap_or(0.0) + cost).min(f64::MAX));
        Ok(())
    }

    /// The running attempt has worked. `output` is the JSON text of what it gave; without it there is
    /// no hash.
    ///
    /// # Errors
    /// `WRONG_STATE` when no attempt is running.
    pub fn succeed(&mut self, now: Millis, output: Option<&str>) -> Result<Accepted, Misuse> {
        let running = self.running("succeed()")?;
        self.read_clock(now);
        if self.overdue(&running) {
            self.timed_out(&running);
            return Ok(Accepted::TooLate);
        }
        self.close(&running, AttemptStatus::Success, Ok(output));
        self.state = State::Ended { outcome: Outcome::Succeeded, error: None };
        Ok(Accepted::Counted)
    }

    /// The running attempt has failed.
    ///
    /// # Errors
    /// `WRONG_STATE` when no attempt is running.
    pub fn fail(&mut self, now: Millis, failure: impl Into<Box<Failure>>) -> Result<Accepted, Misuse> {
        let running = self.running("fail()")?;
        self.read_clock(now);
        if self.overdue(&running) {
            self.timed_out(&running);
            return Ok(Accepted::TooLate);
        }
        let failure = failure.into();
        self.close(&running, AttemptStatus::Error, Err(&failure));
        let again = failure.retryable;
        self.failed(&running, failure, again, false);
        Ok(Accepted::Counted)
    }

    /// The running attempt was stopped at its limit.
    ///
    /// # Errors
    /// `WRONG_STATE` when no attempt is running, or the running one has no limit.
    pub fn timeout(&mut self, now: Millis) -> Result<(), Misuse> {
        let running = self.running("timeout()")?;
        if running.bound.limit.is_none() {
            return Err(self.wrong_state("timeout() needs an attempt that has a limit"));
        }
        self.read_clock(now);
        self.timed_out(&running);
        Ok(())
    }

    /// The running attempt will never be reported: its process died. It counts as an attempt and is
    /// tried again only where the step is attested idempotent.
    ///
    /// # Errors
    /// `WRONG_STATE` when no attempt is running.
    pub fn lost(&mut self, now: Millis) -> Result<(), Misuse> {
        let running = self.running("lost()")?;
        self.read_clock(now);
        let mut failure = Failure::lost(&self.options.name);
        self.close(&running, AttemptStatus::Lost, Err(&failure));
        let attempts_remain = running.attempt < self.policy.max_attempts;
        if !self.policy.idempotent || !(attempts_remain || self.policy.has_retry) {
            self.stamp(ExhaustedBy::AttemptLost);
            self.fail_with(&mut failure, Some(ExhaustedBy::AttemptLost));
        } else {
            self.failed(&running, failure, true, false);
        }
        Ok(())
    }

    /// The caller wants no more of it: the run ends, whether an attempt is running or not.
    ///
    /// # Errors
    /// `WRONG_STATE` when the run has ended.
    pub fn abort(&mut self, now: Millis, reason: Option<&str>) -> Result<(), Misuse> {
        self.stop(now, AttemptStatus::Error, reason)
    }

    /// The running attempt's handler ends the step.
    ///
    /// # Errors
    /// `WRONG_STATE` when no attempt is running.
    pub fn skip(&mut self, now: Millis, message: Option<&str>) -> Result<(), Misuse> {
        self.running("skip()")?;
        self.stop(now, AttemptStatus::Skipped, message)
    }

    /// The retry budget that this step shares with others has nothing left: the coming attempt will
    /// not be made.
    ///
    /// # Errors
    /// `WRONG_STATE` unless the run is between two attempts.
    pub fn deny(&mut self, now: Millis) -> Result<(), Misuse> {
        match self.state {
            State::Ready { attempt, .. } if attempt > 1 => {
                self.read_clock(now);
                self.exhausted(ExhaustedBy::RetryBudget, None);
                Ok(())
            }
            _ => Err(self.wrong_state("deny() needs a run between two attempts")),
        }
    }

    /// Whether nothing will happen any more.
    pub const fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended { .. })
    }

    /// How the run ended; `None` while it has not.
    pub fn result(&self) -> Option<RunResult> {
        self.clone().into_result()
    }

    /// The same, of a run that is not needed any more.
    pub fn into_result(mut self) -> Option<RunResult> {
        self.take_result()
    }

    /// The same by its public names. The run is only lent: copying its record would take as long as
    /// telling it.
    pub fn tell_result(&mut self) -> Option<Value> {
        let mut result = self.take_result()?;
        let told = codec::write(&mut result);
        self.attempts = result.record.attempts;
        self.state = State::Ended { outcome: result.record.outcome, error: result.error };
        Some(told)
    }

    fn take_result(&mut self) -> Option<RunResult> {
        let State::Ended { outcome, error } = &mut self.state else {
            return None;
        };
        let (outcome, error) = (*outcome, error.take());
        let last = self.attempts.last();
        let exhausted_by = last.and_then(|attempt| attempt.exhausted_by);
        let cost = self.cost.filter(|_| last.is_some());
        let elapsed = self.elapsed(self.clock);
        Some(RunResult {
            ok: outcome == Outcome::Succeeded,
            error,
            record: StepRecord {
                step: self.options.name.clone(),
                task_id: self.options.task_id.clone(),
                outcome,
                attempts: mem::take(&mut self.attempts),
                attempts_omitted: (self.omitted > 0).then_some(self.omitted),
                exhausted_by,
                elapsed_ms: elapsed,
                waited_ms: elapsed - self.busy,
                cost,
            },
        })
    }
}

/// One running attempt, taken out of its state.
#[derive(Clone, Copy)]
pub(super) struct Running {
    pub(super) attempt: u64,
    pub(super) since: Millis,
    pub(super) bound: Bound,
}

impl Bound {
    pub(super) fn clipped_to(&self) -> Option<Millis> {
        self.limit.filter(|_| self.clipped)
    }
}

/// What the events have in common.
impl StepRun {
    fn stop(&mut self, now: Millis, status: AttemptStatus, reason: Option<&str>) -> Result<(), Misuse> {
        if matches!(self.state, State::Ended { .. }) {
            return Err(self.wrong_state("abort() needs a run that has not ended"));
        }
        self.read_clock(now);
        let mut failure = Failure::aborted(&self.options.name, reason);
        if let State::Running { attempt, since, bound } = self.state {
            self.close(&Running { attempt, since, bound }, status, Err(&failure));
        }
        self.state =
            State::Ended { outcome: Outcome::Aborted, error: Some(self.error_of(&mut failure, None)) };
        Ok(())
    }

    fn overdue(&self, running: &Running) -> bool {
        running.bound.limit.is_some_and(|limit| self.clock >= running.since + limit)
    }

    fn read_clock(&mut self, now: Millis) {
        self.clock = self.clock.max(now);
    }

    fn running(&self, event: &str) -> Result<Running, Misuse> {
        match self.state {
            State::Running { attempt, since, bound } => Ok(Running { attempt, since, bound }),
            _ => Err(self.wrong_state(&text![event, " needs a running attempt"])),
        }
    }

    fn wrong_state(&self, demand: &str) -> Misuse {
        let state = match &self.state {
            State::Ready { attempt, .. } => text!["attempt ", attempt, " is yet to begin"],
            State::Running { attempt, .. } => text!["attempt ", attempt, " is running"],
            State::Ended { .. } => "this run has ended".into(),
        };
        Misuse::new("WRONG_STATE", text![demand, "; ", state])
    }
}
