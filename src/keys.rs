//! The key tables: what each key of a workflow file takes, and the sentence that refuses anything
//! else. Checks, policies, hover texts, the JSON Schema and the docs are all made from these
//! tables; a fact about a key stands nowhere else.

use crate::value::Value;

/// What a key's value has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Anything.
    Any,
    /// A whole number above zero, however it is written (`3`, `3.0`, `1e3`, `0x1E`).
    PositiveInteger,
    /// A finite number of zero or more (`-0` counts as zero).
    NonNegativeNumber,
    /// `true` or `false`.
    Boolean,
    /// One of the backoff shapes, in lower case.
    Backoff,
    /// A mapping.
    Map,
}

impl Rule {
    /// Whether `value` is what the rule asks for.
    pub fn accepts(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Any, _) | (Self::Map, Value::Map(_)) | (Self::Boolean, Value::Bool(_)) => true,
            (Self::PositiveInteger, Value::Number(n)) => n.is_finite() && n.fract() == 0.0 && *n > 0.0,
            (Self::NonNegativeNumber, Value::Number(n)) => n.is_finite() && *n >= 0.0,
            (Self::Backoff, Value::Text(text)) => BACKOFF_SHAPES.contains(&text.as_str()),
            _ => false,
        }
    }

    /// The demand, as it stands in a message after the key.
    pub const fn demand(self) -> &'static str {
        match self {
            Self::Any => "may be anything",
            Self::PositiveInteger => "must be a positive integer",
            Self::NonNegativeNumber => "must be a non-negative number",
            Self::Boolean => "must be a boolean",
            Self::Backoff => "must be 'fixed', 'linear', or 'exponential'",
            Self::Map => "must be an object",
        }
    }
}

/// The three shapes of `retry.backoff`.
pub const BACKOFF_SHAPES: [&str; 3] = ["fixed", "linear", "exponential"];

/// The limit of one attempt of an `auto` step that says nothing, in seconds.
pub const DEFAULT_TIMEOUT_SECONDS: f64 = 3600.0;

/// The six keys of a `retry` block in the order of the reference, which decides ties between
/// suggestions.
pub const RETRY: [(&str, Rule); 6] = [
    ("max_attempts", Rule::PositiveInteger),
    ("backoff", Rule::Backoff),
    ("base_delay_ms", Rule::NonNegativeNumber),
    ("max_delay_ms", Rule::NonNegativeNumber),
    ("on_timeout", Rule::Boolean),
    ("total_timeout_seconds", Rule::PositiveInteger),
];

/// Why `retry.on_timeout: true` is refused on a step that is not `idempotent: true`, as it stands
/// after the step's name.
pub const ON_TIMEOUT_NEEDS_IDEMPOTENT: &str = "'retry.on_timeout: true' requires 'idempotent: true' declared on the step — a timeout-retry can run concurrently with the still-in-flight original attempt, so the step must explicitly attest that any partial prior application is harmless to re-apply. Declare 'idempotent: true' or remove 'on_timeout'.";

/// The sentence that refuses the value of `key`; `prefix` is the block it stands in (`retry.`).
pub fn refusal(step: &str, prefix: &str, key: &str, rule: Rule) -> String {
    format!("Step '{step}': '{prefix}{key}' {}", rule.demand())
}
