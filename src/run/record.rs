//! What happened: one entry an attempt, and the whole step. The names are those of the reference
//! page's own records.

use crate::codec::{self, Codec, Fields, Told};
use crate::failure::{Category, Failure};
use crate::millis::Millis;
use crate::named::named;
use crate::value::Value;
use serde::{Serialize, Serializer};

named! {
    /// How one attempt ended.
    #[derive(Default)]
    pub enum AttemptStatus {
        /// It worked in time.
        #[default]
        Success = "success",
        /// It failed, ran to its limit, or was aborted by the caller.
        Error = "error",
        /// Its handler ended the step.
        Skipped = "skipped",
        /// It was begun and never reported.
        Lost = "lost",
    }
}

named! {
    /// How the step ended.
    #[derive(Default)]
    pub enum Outcome {
        /// An attempt worked.
        #[default]
        Succeeded = "succeeded",
        /// None did.
        Failed = "failed",
        /// The caller or the handler stopped it.
        Aborted = "aborted",
    }
}

named! {
    /// Which limit allowed no further attempt.
    pub enum ExhaustedBy {
        /// `max_attempts` have been made.
        Attempts = "attempts",
        /// The total limit has no room for another attempt.
        TotalTimeout = "total_timeout",
        /// An attempt was lost, and the step is not attested idempotent.
        AttemptLost = "attempt_lost",
        /// The server asked for a longer wait than the caller allows.
        RetryAfter = "retry_after",
        /// The retry budget shared with other steps is empty.
        RetryBudget = "retry_budget",
    }
}

/// The failure of one attempt as the record keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedError {
    /// What kind of failure.
    pub code: String,
    /// The failure in words.
    pub message: String,
    /// Whether it was marked as worth another attempt.
    pub retryable: bool,
    /// What it says about doing the same again.
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

/// How a cost is told that is not known.
pub(super) const UNKNOWN_COST: Told = Told::Word("unknown");

/// One attempt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttemptRecord {
    /// Its number, from 1.
    pub attempt: u64,
    /// How many attempts the policy allows.
    pub of: u64,
    /// How it ended.
    pub status: AttemptStatus,
    /// When it began, from the beginning of attempt 1.
    pub started_at_ms: Millis,
    /// How long it ran, as the clock measured it.
    pub duration_ms: Millis,
    /// Its failure.
    pub error: Option<RecordedError>,
    /// Its own limit, in seconds; `null` where it had none.
    pub effective_timeout_seconds: Option<f64>,
    /// Its limit, where the total limit left it less than its full timeout.
    pub clipped_to_ms: Option<Millis>,
    /// The wait before it, as it was asked for.
    pub wait_before_ms: Millis,
    /// How much longer the wait took than asked for; absent where it did not.
    pub late_ms: Option<Millis>,
    /// What the handler reported as its cost.
    pub cost: Option<f64>,
    /// SHA-256 of the output's JSON, in hex; of `{}` for a failure. Only where it was asked for.
    pub evidence_hash: Option<String>,
    /// Which limit ended the step with this attempt.
    pub exhausted_by: Option<ExhaustedBy>,
}

/// A whole step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepRecord {
    /// The step's name.
    pub step: String,
    /// The caller's own id of the task.
    pub task_id: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Its attempts in order.
    pub attempts: Vec<AttemptRecord>,
    /// How many of the oldest attempts a `recordLimit` left out; absent where none.
    pub attempts_omitted: Option<u64>,
    /// Which limit allowed no further attempt.
    pub exhausted_by: Option<ExhaustedBy>,
    /// From the beginning of attempt 1 to the end, as the clock measured it.
    pub elapsed_ms: Millis,
    /// How much of that no attempt was running.
    pub waited_ms: Millis,
    /// What it cost: the sum of what its attempts reported. `None`, told as `unknown`, as soon as one of
    /// them reported nothing, and where none was begun.
    pub cost: Option<f64>,
}

/// The error that a step ended with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunError {
    /// The failure's own code, or one of [`crate::failure::code`].
    pub code: String,
    /// The error in words.
    pub message: String,
    /// Whether the failure is marked as worth another attempt; never for an exhausted step.
    pub retryable: bool,
    /// How many attempts were begun.
    pub attempts: u64,
    /// Which limit allowed no further attempt.
    pub exhausted_by: Option<ExhaustedBy>,
    /// The last failure, where the error is about more than it.
    pub cause: Option<Box<Failure>>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunResult {
    /// Whether an attempt worked.
    pub ok: bool,
    /// Why none did.
    pub error: Option<Box<RunError>>,
    /// What happened.
    pub record: StepRecord,
}

impl RunResult {
    /// The result by its public names.
    pub fn to_value(mut self) -> Value {
        codec::write(&mut self)
    }
}

impl Serialize for RunResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.clone().to_value().serialize(serializer)
    }
}

impl Fields for RunResult {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.flag("ok", &mut self.ok);
        codec.maybe_nested("error", &mut self.error);
        codec.nested("record", &mut self.record);
    }
}

impl Fields for RunError {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.text("code", &mut self.code);
        codec.text("message", &mut self.message);
        codec.flag("retryable", &mut self.retryable);
        codec.count("attempts", &mut self.attempts);
        codec.maybe_named("exhausted_by", &mut self.exhausted_by);
        codec.maybe_nested("cause", &mut self.cause);
    }
}

impl Fields for StepRecord {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.text("step", &mut self.step);
        codec.maybe_text("task_id", &mut self.task_id);
        codec.named("outcome", &mut self.outcome);
        codec.list("attempts", &mut self.attempts);
        codec.maybe_count("attempts_omitted", &mut self.attempts_omitted);
        codec.maybe_named("exhausted_by", &mut self.exhausted_by);
        codec.millis("elapsed_ms", &mut self.elapsed_ms);
        codec.millis("waited_ms", &mut self.waited_ms);
        codec.number_or("cost", &mut self.cost, UNKNOWN_COST);
    }
}

impl Fields for AttemptRecord {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.count("attempt", &mut self.attempt);
        codec.count("of", &mut self.of);
        codec.named("status", &mut self.status);
        codec.millis("started_at_ms", &mut self.started_at_ms);
        codec.millis("duration_ms", &mut self.duration_ms);
        codec.maybe_nested("error", &mut self.error);
        codec.number_or("effective_timeout_seconds", &mut self.effective_timeout_seconds, Told::Null);
        codec.maybe_millis("clipped_to_ms", &mut self.clipped_to_ms);
        codec.millis("wait_before_ms", &mut self.wait_before_ms);
        codec.maybe_millis("late_ms", &mut self.late_ms);
        codec.maybe_number("cost", &mut self.cost);
        codec.maybe_text("evidence_hash", &mut self.evidence_hash);
        codec.maybe_named("exhausted_by", &mut self.exhausted_by);
    }
}

impl Fields for RecordedError {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.text("code", &mut self.code);
        codec.text("message", &mut self.message);
        codec.flag("retryable", &mut self.retryable);
        codec.maybe_named("category", &mut self.category);
    }
}
