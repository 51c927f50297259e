//! Everything an engine's settings and text are written from.

use super::engine::{By, Engine};
use super::judge::Need;
use super::search::Found;
use super::waits::Growth;
use crate::backoff::{Backoff, Shape};
use crate::millis::Millis;
use crate::text::concat;
use crate::value::Value;

/// What an engine is asked to write.
pub(crate) struct Draft<'a> {
    pub(crate) name: &'a str,
    /// How many attempts, counting the first.
    pub(crate) attempts: u64,
    /// How the engine's own waits grow; the same wait each time where they are made by code.
    pub(crate) growth: Growth,
    /// The engine's first wait.
    pub(crate) base: Millis,
    /// The engine's longest wait, where it is told.
    pub(crate) cap: Option<Millis>,
    /// Whether waits are made by code.
    pub(crate) by_code: bool,
    /// Our waits.
    pub(crate) backoff: Backoff,
    /// Our longest wait.
    pub(crate) longest: Millis,
    /// The limit of one attempt.
    pub(crate) timeout: Millis,
    /// Whether a timer of the step's own keeps that limit.
    pub(crate) timer: bool,
    pub(crate) on_timeout: bool,
    pub(crate) idempotent: bool,
    /// The limit of all attempts together, where it can be reached.
    pub(crate) total: Option<Millis>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(name: &'a str, need: &Need, found: &Found, engine: &Engine) -> Self {
        let longest = if need.waits() == 0 { Millis::ZERO } else { need.backoff.after(need.waits()) };
        let settings = found.waits.filter(|_| !found.by_code);
        let first = if need.waits() == 0 { Millis::ZERO } else { need.backoff.after(1) };
        Self {
            name,
            attempts: need.attempts.min(engine.most_attempts),
            growth: settings.map_or(Growth::Ratio(1.0), |waits| waits.growth),
            base: settings.map_or(first, |waits| waits.base),
            cap: settings.and_then(|waits| waits.cap),
            by_code: found.by_code,
            backoff: need.backoff,
            longest,
            timeout: need.timeout,
            timer: need.needs_timer(found, engine),
            on_timeout: need.on_timeout,
            idempotent: need.idempotent,
            total: need.total,
        }
    }

    pub(crate) const fn retries(&self) -> u64 {
        self.attempts - 1
    }

    pub(crate) const fn tries_again(&self) -> bool {
        self.attempts > 1
    }

    /// The factor by which the engine's waits grow.
    pub(crate) const fn ratio(&self) -> Value {
        match self.growth {
            Growth::Ratio(ratio) => Value::Number(ratio),
            _ => Value::Number(2.0),
        }
    }

    /// The limit of an attempt for an engine that is only to step in where the step's own timer has
    /// not: some seconds later.
    pub(crate) fn backstop(&self) -> Millis {
        const LATER: f64 = 5.0;
        if self.timer { self.timeout + Millis::from_seconds(LATER) } else { self.timeout }
    }

    /// Our wait after attempt `attempt`, as an expression of JavaScript.
    pub(crate) fn wait_expression(&self) -> String {
        let Backoff { shape, base, cap } = self.backoff;
        let raw = match shape {
            Shape::Fixed => base.to_string(),
            Shape::Linear => concat(&[&base.to_string(), " * attempt"]),
            Shape::Exponential => concat(&[&base.to_string(), " * 2 ** (attempt - 1)"]),
        };
        match cap {
            Some(cap) if cap <= base => cap.to_string(),
            Some(cap) if cap <= self.longest => concat(&["Math.min(", &raw, ", ", &cap.to_string(), ")"]),
            _ => raw,
        }
    }
}

/// A span in whole or broken seconds, as a number.
pub(crate) const fn seconds(span: Millis) -> Value {
    Value::Number(span.seconds())
}

/// A span in seconds, as a duration of Go: `30s`.
pub(crate) fn go_seconds(span: Millis) -> Value {
    Value::Text(concat(&[&crate::number::to_text(span.seconds()), "s"]))
}

impl Need {
    /// Whether the step needs a timer of its own: the engine has none, or would try again after it,
    /// or would wait by its settings after it where the waits are made by code.
    fn needs_timer(&self, found: &Found, engine: &Engine) -> bool {
        let Some(grid) = engine.timeout else { return engine.timer };
        let stops = self.attempts > 1 && !self.on_timeout && engine.stop_timeouts == By::Code;
        let spaces = found.by_code && self.on_timeout;
        engine.timer && (stops || spaces || !grid.holds(self.timeout))
    }
}
