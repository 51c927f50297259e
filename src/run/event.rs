//! What a listener is told while a run goes on.

use super::machine::{State, StepRun};
use super::record::{AttemptStatus, ExhaustedBy, Outcome, RecordedError, as_number};
use crate::millis::Millis;
use serde::Serialize;

/// Something that happened in a run; which fields are there depends on `kind`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunEvent<'a> {
    /// `attempt`, `failed`, `waiting`, `succeeded`, `gaveUp` or `aborted`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The step's name.
    pub step: &'a str,
    /// The caller's own id of the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<&'a str>,
    /// The attempt it is about; for `waiting` the one that comes next.
    #[serde(serialize_with = "as_number")]
    pub attempt: u64,
    /// How many attempts the policy allows.
    #[serde(serialize_with = "as_number")]
    pub max_attempts: u64,
    /// When it happened, from the beginning of attempt 1.
    pub at_ms: Millis,
    /// `attempt`: its limit, `null` where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Option<Millis>>,
    /// `attempt`: its limit, where the total limit cut it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clipped_to_ms: Option<Millis>,
    /// `failed`: how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'a RecordedError>,
    /// `failed`, `succeeded`: how long the attempt ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<Millis>,
    /// `waiting`: how long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<Millis>,
    /// `waiting`: the server's hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<Millis>,
    /// `gaveUp`: the code of the step's error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'a str>,
    /// `gaveUp`, `aborted`: the step's error in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<&'a str>,
    /// `gaveUp`: which limit allowed no further attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_by: Option<ExhaustedBy>,
}

impl<'a> RunEvent<'a> {
    /// The attempt that has just begun.
    pub fn begun(run: &'a StepRun) -> Option<Self> {
        let State::Running { attempt, bound, .. } = &run.state else {
            return None;
        };
        let event = Self::new(run, "attempt", *attempt);
        Some(Self { timeout_ms: Some(bound.limit), clipped_to_ms: bound.clipped_to(), ..event })
    }

    /// The attempt that has just failed; none where it worked or somebody stopped it.
    pub fn failed(run: &'a StepRun) -> Option<Self> {
        let last = run.attempts.back()?;
        if matches!(run.state, State::Ended { outcome: Outcome::Aborted, .. }) {
            return None;
        }
        let error = last.error.as_ref().filter(|_| last.status != AttemptStatus::Success)?;
        let event = Self::new(run, "failed", last.attempt);
        Some(Self { error: Some(error), duration_ms: Some(last.duration_ms), ..event })
    }

    /// The wait that has just begun.
    pub fn waiting(run: &'a StepRun) -> Option<Self> {
        let State::Ready { attempt, .. } = run.state else {
            return None;
        };
        let hint = run.last_failure.as_ref().and_then(|failure| failure.retry_after);
        let event = Self::new(run, "waiting", attempt);
        Some(Self { ms: Some(run.coming_wait()?), retry_after_ms: hint, ..event })
    }

    /// The end of the run.
    pub fn ended(run: &'a StepRun) -> Option<Self> {
        let State::Ended { outcome, error } = &run.state else {
            return None;
        };
        let last = run.attempts.back();
        let event = |kind| Self::new(run, kind, last.map_or(0, |last| last.attempt));
        let message = error.as_ref().map(|error| error.message.as_str());
        Some(match outcome {
            Outcome::Succeeded => {
                Self { duration_ms: last.map(|last| last.duration_ms), ..event("succeeded") }
            }
            Outcome::Aborted => Self { message, ..event("aborted") },
            Outcome::Failed => Self {
                message,
                code: error.as_ref().map(|error| error.code.as_str()),
                exhausted_by: error.as_ref().and_then(|error| error.exhausted_by),
                ..event("gaveUp")
            },
        })
    }

    fn new(run: &'a StepRun, kind: &'static str, attempt: u64) -> Self {
        Self {
            kind,
            step: &run.options.name,
            task_id: run.options.task_id.as_deref(),
            attempt,
            max_attempts: run.policy.max_attempts,
            at_ms: run.elapsed(run.clock),
            timeout_ms: None,
            clipped_to_ms: None,
            error: None,
            duration_ms: None,
            ms: None,
            retry_after_ms: None,
            code: None,
            message: None,
            exhausted_by: None,
        }
    }
}
