//! The waits of an engine: its own formula over its own parameters.

use crate::millis::Millis;

/// The shortest and the longest that a wait can be; the same where nothing is left to chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Band {
    pub(crate) min: Millis,
    pub(crate) max: Millis,
}

impl Band {
    pub(crate) const fn sharp(wait: Millis) -> Self {
        Self { min: wait, max: wait }
    }
}

/// How waits grow: the wait after attempt `k`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Growth {
    /// `base · ratio^(k−1)`.
    Ratio(f64),
    /// `base · k`.
    Linear,
    /// `base^k`, base and wait in seconds.
    Power,
    /// `e^min(k, 10)` seconds, whatever the base.
    Natural,
    /// At random between `base · 2^(k−1)` and twice that; from the 16th wait on it grows no more.
    Spread,
}

/// An engine's waits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Waits {
    pub(crate) growth: Growth,
    pub(crate) base: Millis,
    /// The longest any one wait may be.
    pub(crate) cap: Option<Millis>,
    /// The same, where it does not hold the first wait.
    pub(crate) cap_of_later: Option<Millis>,
    /// Whether the engine rounds each wait to the nearest millisecond.
    pub(crate) rounded: bool,
}

const SPREAD_GROWS_UNTIL: u64 = 16;
const NATURAL_GROWS_UNTIL: u64 = 10;

impl Waits {
    /// The wait after attempt `k`.
    pub(crate) fn after(&self, k: u64) -> Band {
        let raw = match self.growth {
            Growth::Ratio(ratio) => Band::sharp(self.base * power(ratio, k - 1)),
            Growth::Linear => Band::sharp(self.base * k as f64),
            Growth::Power => Band::sharp(Millis::from_seconds(power(self.base.seconds(), k))),
            Growth::Natural => {
                let seconds = power(std::f64::consts::E, k.min(NATURAL_GROWS_UNTIL));
                Band::sharp(Millis::from_seconds(seconds))
            }
            Growth::Spread => {
                let min = self.base * power(2.0, k.min(SPREAD_GROWS_UNTIL) - 1);
                Band { min, max: min * 2.0 }
            }
        };
        Band { min: self.rounded(self.capped(raw.min, k)), max: self.rounded(self.capped(raw.max, k)) }
    }

    fn rounded(&self, wait: Millis) -> Millis {
        if self.rounded { (wait + Millis::saturating(0.5)).floor() } else { wait }
    }

    fn capped(&self, wait: Millis, k: u64) -> Millis {
        let wait = self.cap.map_or(wait, |cap| wait.min(cap));
        match self.cap_of_later {
            Some(cap) if k > 1 => wait.min(cap),
            _ => wait,
        }
    }
}

/// `base` to the power of `n`, infinite where it is beyond what a number can hold.
fn power(base: f64, n: u64) -> f64 {
    match i32::try_from(n) {
        Ok(n) => base.powi(n),
        Err(_) if base > 1.0 => f64::INFINITY,
        Err(_) => base,
    }
}

/// The waits of `1..=count` that tell two tables apart: the first ones each, later ones by leaps, and
/// the last one. Waits of one formula that differ at all differ at the last of them.
pub(crate) fn samples(count: u64) -> Vec<u64> {
    const EACH: u64 = 64;
    let mut waits: Vec<u64> = (1..=count.min(EACH)).collect();
    let mut at = EACH * 2;
    while at < count {
        waits.push(at);
        at = at.saturating_mul(2);
    }
    if count > EACH {
        waits.push(count);
    }
    waits
}
