//! What a listener is told while a run goes on: each event says what happened (`type`), in which
//! step, to which attempt, and when.

use super::machine::{State, StepRun};
use super::record::Outcome;
use crate::codec;
use crate::named::Named;
use crate::value::{Entries, Value};

/// The attempt that has just begun, and its limit: `null` where it has none.
pub fn begun(run: &StepRun) -> Option<Value> {
    let State::Running { attempt, bound, .. } = run.state else {
        return None;
    };
    let mut told = told(run, "attempt", attempt);
    told.millis_or_null("timeoutMs", bound.limit);
    told.maybe_millis("clippedToMs", bound.clipped_to());
    Some(told.done())
}

/// How the attempt failed that has just ended; nothing where it worked or somebody stopped it.
pub fn failed(run: &StepRun) -> Option<Value> {
    let last = run.attempts.last()?;
    let stopped = matches!(run.state, State::Ended { outcome: Outcome::Aborted, .. });
    let mut error = last.error.clone().filter(|_| !stopped)?;
    let mut told = told(run, "failed", last.attempt);
    told.put("error", codec::write(&mut error));
    told.millis("durationMs", last.duration_ms);
    Some(told.done())
}

/// The wait that has just begun before the coming attempt, and the server's hint, where there is one.
pub fn waiting(run: &StepRun) -> Option<Value> {
    let State::Ready { attempt, .. } = run.state else {
        return None;
    };
    let mut told = told(run, "waiting", attempt);
    told.millis("ms", run.coming_wait()?);
    told.maybe_millis("retryAfterMs", run.last_failure.as_ref().and_then(|failure| failure.retry_after));
    Some(told.done())
}

/// The end of the run: `succeeded`, `gaveUp` with the step's error, or `aborted`.
pub fn ended(run: &StepRun) -> Option<Value> {
    let State::Ended { outcome, error } = &run.state else {
        return None;
    };
    let kind = match outcome {
        Outcome::Succeeded => "succeeded",
        Outcome::Aborted => "aborted",
        Outcome::Failed => "gaveUp",
    };
    let last = run.attempts.last();
    let mut told = told(run, kind, last.map_or(0, |last| last.attempt));
    match error {
        None => told.maybe_millis("durationMs", last.map(|last| last.duration_ms)),
        Some(error) => {
            if *outcome == Outcome::Failed {
                told.text("code", &error.code);
            }
            told.text("message", &error.message);
            if let Some(limit) = error.exhausted_by {
                told.text("exhaustedBy", limit.name());
            }
        }
    }
    Some(told.done())
}

/// What all events tell.
fn told(run: &StepRun, kind: &str, attempt: u64) -> Entries {
    let mut told = Entries::default();
    told.text("type", kind);
    told.text("step", &run.options.name);
    if let Some(id) = &run.options.task_id {
        told.text("taskId", id);
    }
    told.count("attempt", attempt);
    told.count("maxAttempts", run.policy.max_attempts);
    told.millis("atMs", run.elapsed(run.clock));
    told
}
