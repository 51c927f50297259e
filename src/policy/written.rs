//! What is written about a step's limits, before anything is made of it: as much of each value as
//! rules ask for, wherever it was written. It is small, so that one may ask what would be if.

use super::{Refusal, RetryBlock, StepLimits};
use crate::backoff::Shape;
use crate::keys::{self, Limit};
use crate::named::Named;
use crate::text::concat;
use crate::value::{Outline, Value};

/// The values under the keys of limits, where they are written.
#[derive(Debug, Clone, Copy)]
pub struct Written<'v>([Option<Outline<'v>>; Limit::ALL.len()]);

impl<'v> From<&'v Value> for Written<'v> {
    /// What a step says, or just its limits; other keys are left alone.
    fn from(step: &'v Value) -> Self {
        let retry = step.get("retry");
        Self::new(&|limit| {
            let block = if limit.is_in_retry() { retry? } else { step };
            block.get(limit.name()).map(Outline::from)
        })
    }
}

impl<'v> Written<'v> {
    pub(crate) fn new(value: &dyn Fn(Limit) -> Option<Outline<'v>>) -> Self {
        Self(Limit::ALL.map(value))
    }

    /// What is written under `limit`.
    pub fn get(&self, limit: Limit) -> Option<Outline<'v>> {
        self.0[limit as usize]
    }

    /// The number under `limit`, where it is one.
    pub fn number(&self, limit: Limit) -> Option<f64> {
        match self.get(limit) {
            Some(Outline::Number(n)) => Some(n),
            _ => None,
        }
    }

    /// Whether something is written under `limit`.
    pub fn has(&self, limit: Limit) -> bool {
        self.get(limit).is_some()
    }

    /// Whether `limit` is literally `true`.
    pub fn is_true(&self, limit: Limit) -> bool {
        self.get(limit) == Some(Outline::Bool(true))
    }

    /// The same with another value under `limit`, or with none.
    pub fn with(mut self, limit: Limit, value: Option<Outline<'v>>) -> Self {
        self.0[limit as usize] = value;
        self
    }

    /// Whether an attempt that ran to its limit is to be tried again on a step that is not said to be
    /// idempotent.
    pub fn asks_without_attest(&self) -> bool {
        self.is_true(Limit::OnTimeout) && !self.is_true(Limit::Idempotent)
    }

    /// The first key that is refused; `idempotent` where another one needs it.
    fn refused(&self) -> Option<Limit> {
        Limit::ALL.into_iter().find(|limit| match limit {
            Limit::Idempotent => self.asks_without_attest(),
            _ => self.get(*limit).is_some_and(|value| !limit.rule().accepts(value)),
        })
    }

    /// The limits; none where one of them is refused.
    pub fn limits(&self) -> Option<StepLimits> {
        if self.refused().is_some() {
            return None;
        }
        let flag = |limit| self.get(limit).map(|value| value == Outline::Bool(true));
        let retry = RetryBlock {
            max_attempts: self.number(Limit::MaxAttempts),
            backoff: match self.get(Limit::Backoff) {
                Some(Outline::Text(name)) => Shape::from_name(name),
                _ => None,
            },
            base_delay_ms: self.number(Limit::BaseDelay),
            max_delay_ms: self.number(Limit::MaxDelay),
            on_timeout: flag(Limit::OnTimeout),
            total_timeout_seconds: self.number(Limit::Total),
        };
        Some(StepLimits {
            timeout_seconds: self.number(Limit::Timeout),
            idempotent: flag(Limit::Idempotent),
            retry: self.has(Limit::Retry).then_some(retry),
        })
    }

    /// Why there are no [`limits`](Self::limits).
    pub(super) fn refusal(&self, name: &str) -> Refusal {
        let limit = self.refused().unwrap_or(Limit::Retry);
        let (code, limit, demand) = match limit {
            Limit::Idempotent => {
                let demand = keys::ON_TIMEOUT_NEEDS_IDEMPOTENT.to_owned();
                ("ON_TIMEOUT_NEEDS_IDEMPOTENT", Limit::OnTimeout, demand)
            }
            _ => ("INVALID_VALUE", limit, keys::demand(limit.prefix(), limit.name(), limit.rule())),
        };
        Refusal { code, message: concat(&["Step '", name, "': ", &demand]), limit }
    }
}
