//! What a listener is told while a run goes on: each event says what happened (`type`), in which
//! step, to which attempt, and when.

use super::machine::{State, StepRun};
use super::record::Outcome;
use crate::codec;
use crate::named::Named;
use crate::value::Value;

/// The attempt that has just begun, and its limit: `null` where it has none.
pub fn begun(run: &StepRun) -> Option<Value> {
    let State::Running { attempt, bound, .. } = run.state else {
        return None;
    };
    let limit = ("timeoutMs", Some(bound.limit.map_or(Value::Null, Value::from)));
    Some(told(run, "attempt", attempt, vec![limit, ("clippedToMs", bound.clipped_to().map(Value::from))]))
}

/// How the attempt failed that has just ended; nothing where it worked or somebody stopped it.
pub fn failed(run: &StepRun) -> Option<Value> {
    let last = run.attempts.back()?;
    let stopped = matches!(run.state, State::Ended { outcome: Outcome::Aborted, .. });
    let mut error = last.error.clone().filter(|_| !stopped)?;
    let error = ("error", Some(codec::write(&mut error)));
    Some(told(run, "failed", last.attempt, vec![error, ("durationMs", Some(last.duration_ms.into()))]))
}

/// The wait that has just begun before the coming attempt, and the server's hint, where there is one.
pub fn waiting(run: &StepRun) -> Option<Value> {
    let State::Ready { attempt, .. } = run.state else {
        return None;
    };
    let hint = run.last_failure.as_ref().and_then(|failure| failure.retry_after);
    let wait = ("ms", Some(run.coming_wait()?.into()));
    Some(told(run, "waiting", attempt, vec![wait, ("retryAfterMs", hint.map(Value::from))]))
}

/// The end of the run: `succeeded`, `gaveUp` with the step's error, or `aborted`.
pub fn ended(run: &StepRun) -> Option<Value> {
    let State::Ended { outcome, error } = &run.state else {
        return None;
    };
    let last = run.attempts.back();
    let attempt = last.map_or(0, |last| last.attempt);
    let message = ("message", error.as_ref().map(|error| error.message.as_str().into()));
    Some(match outcome {
        Outcome::Succeeded => {
            told(run, "succeeded", attempt, vec![("durationMs", last.map(|last| last.duration_ms.into()))])
        }
        Outcome::Aborted => told(run, "aborted", attempt, vec![message]),
        Outcome::Failed => {
            let code = error.as_ref().map(|error| error.code.as_str().into());
            let limit = error.as_ref().and_then(|error| error.exhausted_by);
            let limit = limit.map(|limit| limit.name().into());
            told(run, "gaveUp", attempt, vec![("code", code), message, ("exhaustedBy", limit)])
        }
    })
}

fn told(run: &StepRun, kind: &str, attempt: u64, more: Vec<(&str, Option<Value>)>) -> Value {
    let mut entries = vec![
        ("type", Some(kind.into())),
        ("step", Some(run.options.name.as_str().into())),
        ("taskId", run.options.task_id.as_deref().map(Value::from)),
        ("attempt", Some(attempt.into())),
        ("maxAttempts", Some(run.policy.max_attempts.into())),
        ("atMs", Some(run.elapsed(run.clock).into())),
    ];
    entries.extend(more);
    Value::entries(entries)
}
