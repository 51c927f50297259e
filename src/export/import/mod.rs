//! The policy of another engine or library in our words. A number means what it means there ("3
//! retries" are 4 attempts), and whatever cannot be carried over is named.

mod duration;
mod engines;
mod foreign;
mod libraries;

use crate::argument::{Arguments, Misuse};
use crate::named::{Named, named};
use crate::policy::StepLimits;
use crate::text::concat;
use crate::value::Value;
use serde::{Serialize, Serializer};

named! {
    /// Where a policy can be imported from.
    pub enum Source {
        /// Temporal: activity options, or a retry policy alone.
        Temporal = "temporal",
        /// AWS Step Functions: a Task state, or its list of retriers.
        StepFunctions = "step-functions",
        /// p-retry (npm): its options.
        PRetry = "p-retry",
        /// cockatiel (npm): the options of `retry()`, a backoff as the options it is made from.
        Cockatiel = "cockatiel",
        /// async-retry (npm): its options.
        AsyncRetry = "async-retry",
        /// Polly (.NET): `RetryStrategyOptions` as in a settings file.
        Polly = "polly",
        /// tenacity (Python): its stops and waits by their names, in seconds.
        Tenacity = "tenacity",
    }
}

named! {
    /// What a note is about.
    pub enum NoteCode {
        /// How the number of attempts was read.
        AttemptsCounted = "attempts-counted",
        /// Attempts without end.
        AttemptsUnlimited = "attempts-unlimited",
        /// A default of theirs, which stands in the step now.
        DefaultWritten = "default-written",
        /// Waits that have no equal here; the nearest are taken.
        BackoffNearest = "backoff-nearest",
        /// A limit in whole seconds, where there were parts of one.
        SecondsRounded = "seconds-rounded",
        /// Waits are spread at random there.
        JitterDropped = "jitter-dropped",
        /// A choice of errors by type, name or function.
        PredicateDropped = "predicate-dropped",
        /// Something else that is code.
        FunctionDropped = "function-dropped",
        /// A setting without a counterpart.
        SettingDropped = "setting-dropped",
        /// There every failure is tried again, here only one that says so.
        RetryableInverted = "retryable-inverted",
        /// There a timeout is tried again, here only where the step attests that this does no harm.
        TimeoutRetried = "timeout-retried",
    }
}

/// Something to know about an imported policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// What it is about.
    pub code: NoteCode,
    /// One sentence for people.
    pub message: String,
    /// The setting there.
    pub key: Option<String>,
}

impl Note {
    pub(crate) fn new(code: NoteCode, key: Option<&str>, message: &[&str]) -> Self {
        Self { code, message: concat(message), key: key.map(str::to_owned) }
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::entries(vec![
            ("code", Some(self.code.name().into())),
            ("message", Some(self.message.as_str().into())),
            ("key", self.key.as_deref().map(Value::from)),
        ])
        .serialize(serializer)
    }
}

/// A policy in our words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Imported {
    /// The step's limits.
    pub step: StepLimits,
    /// What to know about it.
    pub notes: Vec<Note>,
}

/// Reads the policy `value` as `source` means it.
///
/// # Errors
/// `INVALID_ARGUMENT` with the path of a value that `source` would not take either.
pub fn import(source: Source, value: &Value) -> Result<Imported, Misuse> {
    if let (Source::StepFunctions, Value::List(_)) = (source, value) {
        // The retriers of a state alone.
        return import(source, &Value::entries(vec![("Retry", Some(value.clone()))]));
    }
    let policy = Arguments::new("INVALID_ARGUMENT", "value", value)?;
    let mut foreign = match source {
        Source::Temporal => engines::temporal(&policy),
        Source::StepFunctions => engines::step_functions(&policy),
        Source::PRetry => libraries::node_retry(&policy, &libraries::P_RETRY),
        Source::AsyncRetry => libraries::node_retry(&policy, &libraries::ASYNC_RETRY),
        Source::Cockatiel => libraries::cockatiel(&policy),
        Source::Polly => libraries::polly(&policy),
        Source::Tenacity => libraries::tenacity(&policy),
    }?;
    if let Value::Map(entries) = value {
        for (key, _) in entries.iter().filter(|(key, _)| !known(source).contains(&key.as_str())) {
            let words = ["'", key, "' is not read: it says nothing that a step's limits can hold"];
            foreign.notes.push(Note::new(NoteCode::SettingDropped, Some(key), &words));
        }
    }
    Ok(foreign.adopt())
}

/// The settings that are read or noted one by one.
const fn known(source: Source) -> &'static [&'static str] {
    match source {
        Source::Temporal => &[
            "startToCloseTimeout",
            "scheduleToCloseTimeout",
            "scheduleToStartTimeout",
            "heartbeatTimeout",
            "retry",
            "maximumAttempts",
            "initialInterval",
            "backoffCoefficient",
            "maximumInterval",
            "nonRetryableErrorTypes",
        ],
        // What a state does is no part of its policy.
        Source::StepFunctions => {
            &["TimeoutSeconds", "Retry", "Type", "Resource", "Parameters", "End", "Next", "Comment"]
        }
        Source::PRetry | Source::AsyncRetry => &[
            "retries",
            "forever",
            "minTimeout",
            "maxTimeout",
            "factor",
            "randomize",
            "maxRetryTime",
            "shouldRetry",
            "shouldConsumeRetry",
            "onFailedAttempt",
            "onRetry",
            "signal",
        ],
        Source::Cockatiel => &["maxAttempts", "backoff", "errorFilter", "resultFilter"],
        Source::Polly => &[
            "MaxRetryAttempts",
            "BackoffType",
            "Delay",
            "MaxDelay",
            "UseJitter",
            "ShouldHandle",
            "DelayGenerator",
            "OnRetry",
        ],
        Source::Tenacity => &[
            "stop_after_attempt",
            "stop_after_delay",
            "wait_fixed",
            "wait_exponential",
            "wait_random_exponential",
            "wait_incrementing",
            "wait_random",
            "wait_exponential_jitter",
            "wait_chain",
            "wait_combine",
            "retry",
            "before",
            "after",
            "before_sleep",
            "retry_error_callback",
        ],
    }
}
