//! What an author wrote about a step's limits, and what will be done about it.
//!
//! [`StepLimits`] is the file's own shape, read from what is [`Written`] and checked key by key against
//! [`keys`]. [`Policy`] is the same with every default filled in: what the machine runs by and the
//! plan is made of.

mod written;

pub use written::Written;

use crate::argument::Misuse;
use crate::backoff::{Backoff, Shape};
use crate::codec::{self, Codec, Fields};
use crate::jitter::Jitter;
use crate::keys::{self, Limit};
use crate::millis::Millis;
use crate::named::named;
use crate::value::{self, Value};
use serde::{Serialize, Serializer};

/// The limits of one step as its author wrote them, absent where nothing was written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepLimits {
    /// The longest one attempt may run, in seconds: a whole number above 0.
    pub timeout_seconds: Option<f64>,
    /// Whether running the step again, even at the same time, does no harm.
    pub idempotent: Option<bool>,
    /// The `retry` block.
    pub retry: Option<RetryBlock>,
}

/// The six keys of a `retry` block as written.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RetryBlock {
    /// How many times the step is tried, counting the first: a whole number above 0.
    pub max_attempts: Option<f64>,
    /// How the wait between attempts grows.
    pub backoff: Option<Shape>,
    /// The wait the growth starts from, in milliseconds: 0 or more.
    pub base_delay_ms: Option<f64>,
    /// The longest any one wait may be, in milliseconds: 0 or more.
    pub max_delay_ms: Option<f64>,
    /// Whether an attempt that ran to its limit is tried again.
    pub on_timeout: Option<bool>,
    /// The longest all attempts and waits may take together, in seconds: a whole number above 0.
    pub total_timeout_seconds: Option<f64>,
}

/// A step's limits that cannot be used: the file's own code and text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `INVALID_VALUE` or `ON_TIMEOUT_NEEDS_IDEMPOTENT`.
    pub code: &'static str,
    /// The text of the reference, without a position.
    pub message: String,
    /// The key at fault.
    pub limit: Limit,
}

impl From<Refusal> for Misuse {
    fn from(refusal: Refusal) -> Self {
        Self::at(value::path(refusal.limit.path()), refusal.code, refusal.message)
    }
}

impl StepLimits {
    /// Reads the limits out of a whole step or just its limits; other keys are left alone.
    ///
    /// # Errors
    /// The first refusal in the reference's own order of checks.
    pub fn read(name: &str, step: &Value) -> Result<Self, Refusal> {
        let written = Written::from(step);
        written.limits().ok_or_else(|| written.refusal(name))
    }

    /// The limits as they are written in a file.
    pub fn to_value(&self) -> Value {
        codec::write(&mut self.clone())
    }
}

impl Fields for StepLimits {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.maybe_number("timeout_seconds", &mut self.timeout_seconds);
        codec.maybe_flag("idempotent", &mut self.idempotent);
        codec.maybe_nested("retry", &mut self.retry);
    }
}

impl Fields for RetryBlock {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.maybe_number("max_attempts", &mut self.max_attempts);
        codec.maybe_named("backoff", &mut self.backoff);
        codec.maybe_number("base_delay_ms", &mut self.base_delay_ms);
        codec.maybe_number("max_delay_ms", &mut self.max_delay_ms);
        codec.maybe_flag("on_timeout", &mut self.on_timeout);
        codec.maybe_number("total_timeout_seconds", &mut self.total_timeout_seconds);
    }
}

impl Serialize for StepLimits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

named! {
    /// What a total limit does.
    #[derive(Default)]
    pub enum BudgetMode {
        /// The reference page: each attempt is cut to what is left, and a wait that would reach the
        /// limit ends the step.
        #[default]
        Clip = "clip",
        /// The bounded-retry article: the limit only decides whether another attempt may start; a
        /// running one is left alone.
        Gate = "gate",
    }
}

/// The limit on all attempts and waits together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// There is none: the step has no retry block, or nothing to compute a limit from.
    None,
    /// Said by the author or the caller, and measured by the clock.
    Declared(Millis),
    /// The step's own schedule: every attempt to its limit, with the waits between. It is charged by
    /// the schedule too, so that only waits beyond it (a server's hints) can use it up.
    Computed(Millis),
}

impl Budget {
    /// The limit, where there is one.
    pub const fn limit(self) -> Option<Millis> {
        match self {
            Self::None => None,
            Self::Declared(limit) | Self::Computed(limit) => Some(limit),
        }
    }

    /// `declared`, `computed` or `none`.
    pub const fn source(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Declared(_) => "declared",
            Self::Computed(_) => "computed",
        }
    }
}

/// What will be done: a step's limits with every default filled in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    /// How many attempts there may be, counting the first; at least 1. Numbers beyond 2^64 are 2^64 − 1.
    pub max_attempts: u64,
    /// The limit of one attempt. `None` only under [`BudgetMode::Gate`] on a step without
    /// `timeout_seconds`: there a call is left alone.
    pub timeout: Option<Millis>,
    /// The waits.
    pub backoff: Backoff,
    /// How the waits are spread.
    pub jitter: Jitter,
    /// Whether an attempt that ran to its limit is tried again (opted in, and attested idempotent).
    pub on_timeout: bool,
    /// Whether the author attests that running the step again does no harm.
    pub idempotent: bool,
    /// Whether the step has a retry block: its last failure is then told as
    /// `STEP_RETRY_EXHAUSTED`.
    pub has_retry: bool,
    /// What the total limit does.
    pub mode: BudgetMode,
    /// The total limit.
    pub budget: Budget,
}

impl Policy {
    /// The policy of `limits`; `declared` is a total limit in place of the file's whole seconds.
    pub fn new(limits: &StepLimits, jitter: Jitter, mode: BudgetMode, declared: Option<Millis>) -> Self {
        let retry = limits.retry.unwrap_or_default();
        let idempotent = limits.idempotent == Some(true);
        let timeout = match (limits.timeout_seconds, mode) {
            (None, BudgetMode::Gate) => None,
            (seconds, _) => Some(Millis::from_seconds(seconds.unwrap_or(keys::DEFAULT_TIMEOUT_SECONDS))),
        };
        let mut policy = Self {
            max_attempts: retry.max_attempts.map_or(1, |n| n as u64).max(1),
            timeout,
            backoff: Backoff {
                shape: retry.backoff.unwrap_or_default(),
                base: Millis::saturating(retry.base_delay_ms.unwrap_or(0.0)),
                cap: retry.max_delay_ms.map(Millis::saturating),
            },
            jitter,
            on_timeout: retry.on_timeout == Some(true) && idempotent,
            idempotent,
            has_retry: limits.retry.is_some(),
            mode,
            budget: Budget::None,
        };
        let declared = declared.or_else(|| retry.total_timeout_seconds.map(Millis::from_seconds));
        policy.budget = match (declared, timeout) {
            (Some(limit), _) => Budget::Declared(limit),
            (None, Some(timeout)) if policy.has_retry => Budget::Computed(policy.schedule_from(1, timeout)),
            _ => Budget::None,
        };
        policy
    }

    /// What the schedule needs from attempt `attempt` on: each attempt to `timeout`, and the longest
    /// waits between them.
    pub fn schedule_from(&self, attempt: u64, timeout: Millis) -> Millis {
        let attempts = (self.max_attempts - attempt.min(self.max_attempts)) as f64 + 1.0;
        timeout * attempts + self.longest_waits(attempt, self.max_attempts - 1)
    }

    /// The longest waits after the attempts `first..=last`, together.
    pub fn longest_waits(&self, first: u64, last: u64) -> Millis {
        self.jitter.longest_sum(&self.backoff, first, last)
    }

    /// The last attempt for which `may_start` holds. It holds for the first, and ends for good somewhere,
    /// since starts only grow: so the place can be found by halving.
    pub(crate) fn last_attempt(&self, may_start: &dyn Fn(u64) -> bool) -> u64 {
        let (mut low, mut high) = (1, self.max_attempts);
        if may_start(high) {
            return high;
        }
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if may_start(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }

    /// The longest wait after attempt `attempt`.
    pub fn longest_wait(&self, attempt: u64) -> Millis {
        self.jitter.bounds(&self.backoff, attempt).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, Value)]) -> Value {
        Value::Map(entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
    }

    fn limits(step: &Value) -> Result<StepLimits, String> {
        StepLimits::read("s", step).map_err(|refusal| refusal.message)
    }

    #[test]
    fn the_defaults_of_the_reference_page() {
        let policy = Policy::new(
            &StepLimits { retry: Some(RetryBlock::default()), ..StepLimits::default() },
            Jitter::None,
            BudgetMode::Clip,
            None,
        );
        assert_eq!(policy.max_attempts, 1);
        assert_eq!(policy.timeout, Some(Millis::from_seconds(3600.0)));
        assert_eq!(policy.backoff, Backoff::default());
        assert_eq!(policy.budget, Budget::Computed(Millis::from_seconds(3600.0)));
        assert!(!policy.on_timeout);
    }

    #[test]
    fn other_keys_of_a_whole_step_are_left_alone() {
        let step = map(&[("handler", Value::Text("fetch".into())), ("timeout_seconds", Value::Number(3.0))]);
        assert_eq!(limits(&step), Ok(StepLimits { timeout_seconds: Some(3.0), ..StepLimits::default() }));
    }

    #[test]
    fn traps_20_51_82_90_a_value_that_no_run_can_use_is_refused_by_name() {
        let number = "'retry.base_delay_ms' must be a non-negative number";
        let whole = "'retry.max_attempts' must be a positive integer";
        for (key, value, text) in [
            ("base_delay_ms", Value::Number(f64::NAN), number),
            ("base_delay_ms", Value::Number(f64::INFINITY), number),
            ("base_delay_ms", Value::Number(-5.0), number),
            ("base_delay_ms", Value::Null, number),
            ("max_attempts", Value::Number(2.5), whole),
            ("max_attempts", Value::Number(f64::INFINITY), whole),
            ("max_attempts", Value::Text("3".into()), whole),
            ("max_attempts", Value::Number(0.0), whole),
            ("on_timeout", Value::Text("yes".into()), "'retry.on_timeout' must be a boolean"),
        ] {
            let step = map(&[("retry", map(&[(key, value)]))]);
            assert_eq!(limits(&step), Err(format!("Step 's': {text}")));
        }
        assert_eq!(
            limits(&map(&[("retry", Value::List(Vec::new()))])),
            Err("Step 's': 'retry' must be an object".into())
        );
    }

    #[test]
    fn a_computed_limit_of_an_endless_schedule_saturates() {
        let retry =
            RetryBlock { max_attempts: Some(1e300), base_delay_ms: Some(1.0), ..RetryBlock::default() };
        let retry = RetryBlock { backoff: Some(Shape::Exponential), ..retry };
        let limits = StepLimits { retry: Some(retry), ..StepLimits::default() };
        let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
        assert_eq!(policy.max_attempts, u64::MAX);
        assert_eq!(policy.budget, Budget::Computed(Millis::MAX));
    }
}
