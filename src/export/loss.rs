//! What is lost when a policy moves, and how much that matters.

use crate::millis::Millis;
use crate::named::{Named, named};
use serde::{Serialize, Serializer};

named! {
    /// How well an engine does what a policy says, best first.
    pub enum Verdict {
        /// The engine does the same.
        Exact = "exact",
        /// The same, with the code that stands in the text.
        ExactWithCode = "exact-with-code",
        /// Something else, within what the losses tell.
        Approximate = "approximate",
        /// Not what the author said.
        Refused = "refused",
    }
}

impl Verdict {
    /// The worst among `losses`.
    pub(crate) fn worst(losses: &[Loss]) -> Self {
        losses.iter().fold(Self::Exact, |worst, loss| {
            if loss.verdict.index() > worst.index() { loss.verdict } else { worst }
        })
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

named! {
    /// What differs.
    pub enum LossCode {
        /// The engine counts retries, not attempts.
        AttemptsOffset = "attempts-offset",
        /// More attempts than the engine allows.
        AttemptsRange = "attempts-range",
        /// A wait that the engine's unit cannot hold.
        DelayRounded = "delay-rounded",
        /// No wait, where the engine needs one.
        DelayZero = "delay-zero",
        /// A wait longer than the engine's longest.
        DelayRange = "delay-range",
        /// Linear growth, which the engine does not have.
        LinearMissing = "linear-missing",
        /// Another growth that the engine does not have.
        BackoffMissing = "backoff-missing",
        /// A longest wait, which the engine does not have.
        CapMissing = "cap-missing",
        /// A default of the engine's that would change something is written out.
        EngineDefault = "engine-default",
        /// The engine spreads its waits at random.
        JitterForced = "jitter-forced",
        /// The engine does not limit an attempt.
        AttemptTimeoutMissing = "attempt-timeout-missing",
        /// The engine tries again after a timeout.
        TimeoutRetried = "timeout-retried",
        /// The engine has no limit on all attempts together.
        TotalMissing = "total-missing",
        /// The engine looks at the total limit between attempts only.
        TotalSoft = "total-soft",
        /// The total limit counts from when the work was handed over.
        TotalFromSubmit = "total-from-submit",
        /// A wait that reaches the total limit exactly is still waited for.
        TotalEquality = "total-equality",
        /// An attempt is not cut to what the total limit leaves.
        ClipMissing = "clip-missing",
        /// The engine tries again after every failure that does not say otherwise.
        RetryableInverted = "retryable-inverted",
        /// The wait that a server asks for is not kept.
        RetryAfterMissing = "retry-after-missing",
        /// The count of attempts does not survive a crash.
        CounterVolatile = "counter-volatile",
        /// Nothing records what the attempts ran out of.
        ExhaustedByMissing = "exhausted-by-missing",
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// What differs.
    pub code: LossCode,
    /// How much this one matters.
    pub verdict: Verdict,
    /// One sentence for people.
    pub message: String,
    /// The wait it is about, from 1.
    pub wait: Option<u64>,
    /// That wait here.
    pub ours: Option<Millis>,
    /// That wait there; its longest where it is spread at random.
    pub theirs: Option<Millis>,
}

impl Loss {
    pub(crate) fn new(code: LossCode, verdict: Verdict, message: impl Into<String>) -> Self {
        Self { code, verdict, message: message.into(), wait: None, ours: None, theirs: None }
    }
}

impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use crate::value::Value;
        Value::entries(vec![
            ("code", Some(self.code.name().into())),
            ("verdict", Some(self.verdict.name().into())),
            ("message", Some(self.message.as_str().into())),
            ("wait", self.wait.map(Value::from)),
            ("oursMs", self.ours.map(Value::from)),
            ("theirsMs", self.theirs.map(Value::from)),
        ])
        .serialize(serializer)
    }
}
