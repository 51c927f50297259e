//! A span of time in milliseconds. Every product, sum and difference saturates, so that no rule
//! has to think of overflow, `NaN` or negative time.

use crate::number;
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A span of time, or a clock reading, in milliseconds.
///
/// Always finite and never negative; fractions are allowed. Arithmetic saturates at zero below and
/// at [`Millis::MAX`] above.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Millis(f64);

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0.0);
    /// The longest span that can be told; it stands for "longer than anyone will wait".
    pub const MAX: Self = Self(f64::MAX);

    /// The span of `ms` milliseconds; what is below zero or no number is zero, infinity is
    /// [`Millis::MAX`].
    pub const fn saturating(ms: f64) -> Self {
        if ms >= f64::MAX {
            Self::MAX
        } else if ms > 0.0 {
            Self(ms)
        } else {
            Self::ZERO
        }
    }

    /// The span of `ms` milliseconds, or `None` where `ms` is negative or not finite.
    pub fn new(ms: f64) -> Option<Self> {
        (ms.is_finite() && ms >= 0.0).then_some(Self::saturating(ms))
    }

    /// The span of `seconds` seconds, saturating.
    pub const fn from_seconds(seconds: f64) -> Self {
        Self::saturating(seconds * 1000.0)
    }

    /// The number of milliseconds.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The number of seconds, with fractions.
    pub const fn seconds(self) -> f64 {
        self.0 / 1000.0
    }

    /// Whole milliseconds, rounded down.
    pub fn floor(self) -> Self {
        Self(self.0.floor())
    }

    /// Whether this is no time at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0.0
    }

    /// The shorter of two spans.
    pub const fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The longer of two spans.
    pub const fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Millis {
    /// The number alone, as JavaScript writes it.
    pub fn to_text(self) -> String {
        number::to_text(self.0)
    }
}

/// The number alone, as JavaScript writes it.
impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

impl Add for Millis {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::saturating(self.0 + other.0)
    }
}

impl AddAssign for Millis {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Millis {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::saturating(self.0 - other.0)
    }
}

impl Mul<f64> for Millis {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::saturating(self.0 * factor)
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_finite_and_never_negative() {
        for odd in [f64::NAN, -0.0, -1.0, f64::NEG_INFINITY] {
            assert_eq!(Millis::saturating(odd).get().to_bits(), 0.0f64.to_bits());
        }
        assert_eq!(Millis::saturating(f64::INFINITY), Millis::MAX);
        assert_eq!(Millis::MAX + Millis::MAX, Millis::MAX);
        assert_eq!(Millis::ZERO - Millis::MAX, Millis::ZERO);
        assert_eq!(Millis::ZERO * f64::INFINITY, Millis::ZERO, "0·∞ is no time");
        assert_eq!(Millis::new(f64::NAN), None);
        assert_eq!(Millis::new(-1.0), None);
        assert_eq!(Millis::from_seconds(1e308), Millis::MAX);
    }
}
