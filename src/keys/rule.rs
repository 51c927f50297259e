//! What a value has to be.

use crate::value::Outline;

/// What a key's value has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Anything.
    Any,
    /// Any number at all.
    Number,
    /// A whole number above zero, however it is written (`3`, `3.0`, `1e3`, `0x1E`).
    PositiveInteger,
    /// A finite number of zero or more (`-0` counts as zero).
    NonNegativeNumber,
    /// `true` or `false`.
    Boolean,
    /// A mapping.
    Map,
    /// A list of step names.
    StepNames,
    /// One of the kinds of step.
    Execution,
    /// One of the backoff shapes, in lower case.
    Backoff,
    /// One of the ways to wait for the steps before.
    TriggerRule,
    /// One of the ways to trust a step's output.
    Trust,
    /// One of the ways a gate ends by itself.
    OnExpiry,
    /// One of the ways a run ends, or a list of them that is not empty.
    OnOutcome,
}

/// The three shapes of `retry.backoff`.
pub const BACKOFF_SHAPES: [&str; 3] = ["fixed", "linear", "exponential"];

impl Rule {
    /// Whether `value` is what the rule asks for; of a list, only that it is one.
    pub fn accepts<'v>(self, value: impl Into<Outline<'v>>) -> bool {
        match (self, value.into()) {
            (Self::Any, _)
            | (Self::Map, Outline::Map)
            | (Self::Boolean, Outline::Bool(_))
            | (Self::Number, Outline::Number(_))
            | (Self::StepNames, Outline::List(_)) => true,
            (Self::PositiveInteger, Outline::Number(n)) => n.is_finite() && n.fract() == 0.0 && n > 0.0,
            (Self::NonNegativeNumber, Outline::Number(n)) => n.is_finite() && n >= 0.0,
            (Self::OnOutcome, Outline::List(items)) => items > 0,
            (rule, Outline::Text(text)) => rule.words().contains(&text),
            _ => false,
        }
    }

    /// The words that the rule takes; none where it is not about words.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Execution => &["auto", "agent", "guard", "finalizer"],
            Self::Backoff => &BACKOFF_SHAPES,
            Self::TriggerRule => {
                &["all_success", "all_failed", "all_done", "one_failed", "one_success", "none_failed"]
            }
            Self::Trust => &["auto", "human_confirmed", "human_reviewed"],
            Self::OnExpiry => &["settle_default", "abort"],
            Self::OnOutcome => &["complete", "fail", "abort", "always", "completed_with_failed_steps"],
            _ => &[],
        }
    }

    /// The demand, as it stands in a message after the key.
    pub const fn demand(self) -> &'static str {
        match self {
            Self::Any => "may be anything",
            Self::Number => "must be a number",
            Self::PositiveInteger => "must be a positive integer",
            Self::NonNegativeNumber => "must be a non-negative number",
            Self::Boolean => "must be a boolean",
            Self::Map => "must be an object",
            Self::StepNames => "must be a list of step names",
            Self::Execution => "must be 'auto', 'agent', 'guard', or 'finalizer'",
            Self::Backoff => "must be 'fixed', 'linear', or 'exponential'",
            Self::OnExpiry => "must be 'settle_default' or 'abort'",
            Self::TriggerRule => {
                "must be one of all_success, all_failed, all_done, one_failed, one_success, none_failed"
            }
            Self::Trust => "must be one of auto, human_confirmed, human_reviewed",
            Self::OnOutcome => "must be one of complete, fail, abort, always, completed_with_failed_steps",
        }
    }
}
