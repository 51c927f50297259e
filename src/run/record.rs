//! What happened: one entry an attempt, and the whole step. The names are those of the reference
//! page's own records.

use crate::failure::{Category, Failure};
use crate::millis::Millis;
use serde::{Serialize, Serializer};

/// How one attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptStatus {
    /// It worked in time.
    Success,
    /// It failed, ran to its limit, or was aborted by the caller.
    Error,
    /// Its handler ended the step.
    Skipped,
    /// It was begun and never reported.
    Lost,
}

impl AttemptStatus {
    /// The names of all statuses.
    pub const NAMES: [&'static str; 4] = ["success", "error", "skipped", "lost"];

    /// The status called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "success" => Some(Self::Success),
            "error" => Some(Self::Error),
            "skipped" => Some(Self::Skipped),
            "lost" => Some(Self::Lost),
            _ => None,
        }
    }
}

/// How the step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// An attempt worked.
    Succeeded,
    /// None did.
    Failed,
    /// The caller or the handler stopped it.
    Aborted,
}

impl Outcome {
    /// The names of all outcomes.
    pub const NAMES: [&'static str; 3] = ["succeeded", "failed", "aborted"];

    /// The outcome called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "succeeded" => Some(Self::Succeeded),
            "failed" => Some(Self::Failed),
            "aborted" => Some(Self::Aborted),
            _ => None,
        }
    }
}

/// Which limit allowed no further attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExhaustedBy {
    /// `max_attempts` have been made.
    Attempts,
    /// The total limit has no room for another attempt.
    TotalTimeout,
    /// An attempt was lost, and the step is not attested idempotent.
    AttemptLost,
    /// The server asked for a longer wait than the caller allows.
    RetryAfter,
    /// The retry budget shared with other steps is empty.
    RetryBudget,
}

impl ExhaustedBy {
    /// The names of all limits.
    pub const NAMES: [&'static str; 5] =
        ["attempts", "total_timeout", "attempt_lost", "retry_after", "retry_budget"];

    /// The limit called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "attempts" => Some(Self::Attempts),
            "total_timeout" => Some(Self::TotalTimeout),
            "attempt_lost" => Some(Self::AttemptLost),
            "retry_after" => Some(Self::RetryAfter),
            "retry_budget" => Some(Self::RetryBudget),
            _ => None,
        }
    }
}

/// The failure of one attempt as the record keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedError {
    /// What kind of failure.
    pub code: String,
    /// The failure in words.
    pub message: String,
    /// Whether it was marked as worth another attempt.
    pub retryable: bool,
    /// What it says about doing the same again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
}

impl From<&Failure> for RecordedError {
    fn from(failure: &Failure) -> Self {
        Self {
            code: failure.code.clone(),
            message: failure.message.clone(),
            retryable: failure.retryable,
            category: failure.category,
        }
    }
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttemptRecord {
    /// Its number, from 1.
    #[serde(serialize_with = "as_number")]
    pub attempt: u64,
    /// How many attempts the policy allows.
    #[serde(serialize_with = "as_number")]
    pub of: u64,
    /// How it ended.
    pub status: AttemptStatus,
    /// When it began, from the beginning of attempt 1.
    pub started_at_ms: Millis,
    /// How long it ran, as the clock measured it.
    pub duration_ms: Millis,
    /// Its failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RecordedError>,
    /// Its own limit, in seconds; `null` where it had none.
    pub effective_timeout_seconds: Option<f64>,
    /// Its limit, where the total limit left it less than its full timeout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clipped_to_ms: Option<Millis>,
    /// The wait before it, as it was asked for.
    pub wait_before_ms: Millis,
    /// How much longer the wait took than asked for; absent where it did not.
    #[serde(skip_serializing_if = "Millis::is_zero_ref")]
    pub late_ms: Millis,
    /// What the handler reported as its cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// SHA-256 of the output's JSON, in hex; of `{}` for a failure. Only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence_hash: Option<String>,
    /// Which limit ended the step with this attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_by: Option<ExhaustedBy>,
}

/// What a step cost: the sum of what its attempts reported, and unknown as soon as one of them did
/// not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cost {
    /// The sum of all reports.
    Known(f64),
    /// At least one attempt reported nothing.
    Unknown,
}

impl Cost {
    pub(super) fn with(self, reported: Option<f64>) -> Self {
        match (self, reported) {
            (Self::Known(sum), Some(cost)) => Self::Known(sum + cost),
            _ => Self::Unknown,
        }
    }
}

impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Known(sum) => serializer.serialize_f64(*sum),
            Self::Unknown => serializer.serialize_str("unknown"),
        }
    }
}

/// A whole step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepRecord {
    /// The step's name.
    pub step: String,
    /// The caller's own id of the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Its attempts in order.
    pub attempts: Vec<AttemptRecord>,
    /// How many of the oldest attempts a `recordLimit` left out; absent where none.
    #[serde(skip_serializing_if = "is_zero", serialize_with = "as_number")]
    pub attempts_omitted: u64,
    /// Which limit allowed no further attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_by: Option<ExhaustedBy>,
    /// From the beginning of attempt 1 to the end, as the clock measured it.
    pub elapsed_ms: Millis,
    /// How much of that no attempt was running.
    pub waited_ms: Millis,
    /// What it cost; `unknown` too where no attempt was begun.
    pub cost: Cost,
}

/// The error that a step ended with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunError {
    /// The failure's own code, or one of [`crate::failure::code`].
    pub code: String,
    /// The error in words.
    pub message: String,
    /// Whether the failure is marked as worth another attempt; never for an exhausted step.
    pub retryable: bool,
    /// How many attempts were begun.
    #[serde(serialize_with = "as_number")]
    pub attempts: u64,
    /// Which limit allowed no further attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted_by: Option<ExhaustedBy>,
    /// The last failure, where the error is about more than it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Failure>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunResult {
    /// Whether an attempt worked.
    pub ok: bool,
    /// Why none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RunError>,
    /// What happened.
    pub record: StepRecord,
}

/// Numbers of attempts go out as plain numbers: JavaScript has no other that JSON can hold.
pub(super) fn as_number<S: Serializer>(count: &u64, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_f64(*count as f64)
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
