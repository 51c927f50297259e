//! The wait between two attempts: one number for one attempt, and sums over many of them in closed
//! form, so that a policy of a billion attempts costs no more to look at than one of three.
//!
//! Attempts are counted from 1. The wait *after* attempt `a` is the wait before attempt `a + 1`.

use crate::millis::Millis;
use crate::named::named;

named! {
    /// How the wait grows from one attempt to the next.
    #[derive(Default)]
    pub enum Shape {
        /// The base each time.
        #[default]
        Fixed = "fixed",
        /// The base once more each time: `base · a`.
        Linear = "linear",
        /// Doubled each time: `base · 2^(a−1)`.
        Exponential = "exponential",
    }
}

/// The waits of a policy: a shape, its base, and the longest any one wait may be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Backoff {
    /// How the wait grows.
    pub shape: Shape,
    /// The wait that the growth starts from (`base_delay_ms`).
    pub base: Millis,
    /// The longest any one wait may be (`max_delay_ms`); zero means no wait at all.
    pub cap: Option<Millis>,
}

impl Backoff {
    /// The wait after attempt `attempt` has failed. It saturates before the cap is applied.
    pub fn after(&self, attempt: u64) -> Millis {
        match self.shape {
            Shape::Fixed => capped(self.base, self.cap),
            Shape::Linear => capped(self.base * attempt as f64, self.cap),
            Shape::Exponential => self.geometric(2.0).term(attempt),
        }
    }

    /// All waits after the attempts `first..=last` together; nothing when `last < first`.
    pub fn sum(&self, first: u64, last: u64) -> Millis {
        if last < first {
            return Millis::ZERO;
        }
        match self.shape {
            Shape::Fixed => capped(self.base, self.cap) * count(first, last),
            Shape::Linear => self.linear_sum(first, last),
            Shape::Exponential => self.geometric(2.0).sum(first, last),
        }
    }

    /// The waits of the same base and cap that grow by `ratio`.
    pub(crate) const fn geometric(&self, ratio: f64) -> Geometric {
        Geometric { first: self.base, ratio, cap: self.cap }
    }

    fn linear_sum(&self, first: u64, last: u64) -> Millis {
        if self.base.is_zero() {
            return Millis::ZERO;
        }
        let growing_until = self.cap.map_or(last, |cap| {
            let reach = (cap.get() / self.base.get()).ceil();
            // The first attempt whose wait is the cap itself; division may be off by one.
            let mut at = reach as u64;
            while at > 1 && self.base * (at - 1) as f64 >= cap {
                at -= 1;
            }
            at.saturating_sub(1).min(last)
        });
        let growing = if growing_until < first {
            Millis::ZERO
        } else {
            let middle = (first as f64 + growing_until as f64) / 2.0;
            self.base * middle * count(first, growing_until)
        };
        growing + at_cap(self.cap, first, growing_until, last)
    }
}

/// So few waits are added up sooner than the formula is worked out.
const FEW: u64 = 32;

/// Waits that grow by a factor until they reach a cap.
pub(crate) struct Geometric {
    first: Millis,
    ratio: f64,
    cap: Option<Millis>,
}

impl Geometric {
    /// The wait after attempt `attempt`.
    pub(crate) fn term(&self, attempt: u64) -> Millis {
        capped(self.uncapped(attempt), self.cap)
    }

    /// The waits after `first..=last` together.
    pub(crate) fn sum(&self, first: u64, last: u64) -> Millis {
        if last < first || self.first.is_zero() {
            return Millis::ZERO;
        }
        if self.ratio == 2.0 && last - first < FEW {
            return self.added_up(first, last);
        }
        let growing_until = self.reaches_cap().map_or(last, |at| (at - 1).min(last));
        let growing = if growing_until < first {
            Millis::ZERO
        } else {
            let terms = power(self.ratio, growing_until - first + 1);
            self.uncapped(first) * ((terms - 1.0) / (self.ratio - 1.0))
        };
        growing + at_cap(self.cap, first, growing_until, last)
    }

    /// The same for a few of them. Doubling is exact, so that the terms are what [`Geometric::term`] gives.
    fn added_up(&self, first: u64, last: u64) -> Millis {
        let (mut sum, mut term) = (Millis::ZERO, self.uncapped(first));
        for _ in first..=last {
            sum += capped(term, self.cap);
            term = term * 2.0;
        }
        sum
    }

    fn uncapped(&self, attempt: u64) -> Millis {
        self.first * power(self.ratio, attempt.saturating_sub(1))
    }

    /// The first attempt whose wait is the cap; `None` without a cap.
    fn reaches_cap(&self) -> Option<u64> {
        let cap = self.cap?;
        let doublings = f64::from(exponent(cap) - exponent(self.first)).max(0.0);
        // The exponents tell the answer to within a step or two; the rest is walked.
        let mut at = (doublings / exponent_of_ratio(self.ratio)) as u64 + 1;
        while at > 1 && self.uncapped(at - 1) >= cap {
            at -= 1;
        }
        while self.uncapped(at) < cap {
            at += 1;
        }
        Some(at)
    }
}

/// How many powers of two a growth by `ratio` takes in one step.
const fn exponent_of_ratio(ratio: f64) -> f64 {
    if ratio == 2.0 { 1.0 } else { 1.584_962_500_721_156 }
}

fn exponent(span: Millis) -> i32 {
    ((span.get().to_bits() >> 52) & 0x7ff) as i32
}

/// `ratio` to the power of `n`, infinite where it is beyond what a number can hold.
fn power(ratio: f64, n: u64) -> f64 {
    i32::try_from(n).map_or(f64::INFINITY, |n| ratio.powi(n))
}

fn capped(span: Millis, cap: Option<Millis>) -> Millis {
    cap.map_or(span, |cap| span.min(cap))
}

fn count(first: u64, last: u64) -> f64 {
    (last - first) as f64 + 1.0
}

/// What the attempts of `first..=last` that come after `growing_until` wait at the cap.
fn at_cap(cap: Option<Millis>, first: u64, growing_until: u64, last: u64) -> Millis {
    let from = first.max(growing_until.saturating_add(1));
    match cap {
        Some(cap) if from <= last => cap * count(from, last),
        _ => Millis::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn backoff(shape: Shape, base: f64, cap: Option<f64>) -> Backoff {
        Backoff { shape, base: Millis::saturating(base), cap: cap.map(Millis::saturating) }
    }

    fn waits(backoff: &Backoff, count: u64) -> Vec<f64> {
        (1..=count).map(|attempt| backoff.after(attempt).get()).collect()
    }

    /// The reference page's table of measured waits, less the timers' lateness.
    #[test]
    fn the_four_rows_of_the_reference_table() {
        assert_eq!(waits(&backoff(Shape::Fixed, 200.0, None), 3), [200.0, 200.0, 200.0]);
        assert_eq!(waits(&backoff(Shape::Linear, 200.0, None), 3), [200.0, 400.0, 600.0]);
        assert_eq!(waits(&backoff(Shape::Exponential, 200.0, None), 3), [200.0, 400.0, 800.0]);
        assert_eq!(waits(&backoff(Shape::Exponential, 200.0, Some(300.0)), 3), [200.0, 300.0, 300.0]);
    }

    #[test]
    fn a_cap_of_zero_means_no_wait_and_a_cap_holds_fixed_waits_too() {
        for shape in [Shape::Fixed, Shape::Linear, Shape::Exponential] {
            assert_eq!(waits(&backoff(shape, 500.0, Some(0.0)), 3), [0.0; 3]);
            for base in [500.0, 0.0] {
                assert_eq!(backoff(shape, base, Some(0.0)).sum(1, 1_000_000_000), Millis::ZERO);
            }
        }
        assert_eq!(backoff(Shape::Fixed, 500.0, Some(100.0)).after(7).get(), 100.0);
    }

    /// Traps 3 to 6: a power beyond what a number holds.
    #[test]
    fn trap_3_4_5_6_growth_saturates_before_the_cap() {
        for attempt in [1025, 5000, u64::MAX] {
            assert_eq!(backoff(Shape::Exponential, 1.0, Some(10.0)).after(attempt).get(), 10.0);
            assert_eq!(backoff(Shape::Exponential, 1.0, None).after(attempt), Millis::MAX);
            assert_eq!(backoff(Shape::Exponential, 0.0, None).after(attempt), Millis::ZERO);
            assert_eq!(backoff(Shape::Exponential, 0.0, Some(9.0)).sum(1, attempt), Millis::ZERO);
            assert_eq!(backoff(Shape::Linear, f64::MAX, None).after(attempt), Millis::MAX);
        }
    }

    #[test]
    fn traps_15_16_the_first_wait_is_the_base_and_fractions_are_kept() {
        let halves = backoff(Shape::Exponential, 0.5, None);
        assert_eq!(waits(&halves, 4), [0.5, 1.0, 2.0, 4.0]);
    }

    fn shapes() -> impl Strategy<Value = Shape> {
        prop_oneof![Just(Shape::Fixed), Just(Shape::Linear), Just(Shape::Exponential)]
    }

    proptest! {
        #[test]
        fn waits_never_shrink_and_never_pass_the_cap(
            shape in shapes(), base in 0.0..1e9f64, cap in proptest::option::of(0.0..1e9f64), at in 1u64..5000,
        ) {
            let backoff = backoff(shape, base, cap);
            prop_assert!(backoff.after(at) <= backoff.after(at + 1));
            prop_assert!(cap.is_none_or(|cap| backoff.after(at).get() <= cap));
        }

        #[test]
        fn a_sum_is_its_terms_added_up(
            shape in shapes(), base in 0u32..5000, cap in proptest::option::of(0u32..100_000),
            first in 1u64..40, length in 0u64..40,
        ) {
            let backoff = backoff(shape, f64::from(base), cap.map(f64::from));
            let last = first + length;
            let added: f64 = (first..=last).map(|attempt| backoff.after(attempt).get()).sum();
            prop_assert_eq!(backoff.sum(first, last).get(), added);
        }

        #[test]
        fn a_sum_is_close_to_its_terms_for_any_numbers(
            shape in shapes(), base in 1e-3..1e7f64, cap in proptest::option::of(1e-3..1e9f64),
            first in 1u64..400, length in 0u64..400,
        ) {
            let backoff = backoff(shape, base, cap);
            let last = first + length;
            let added: f64 = (first..=last).map(|attempt| backoff.after(attempt).get()).sum();
            let sum = backoff.sum(first, last).get();
            prop_assert!((sum - added).abs() <= added * 1e-9, "{} is not {}", sum, added);
        }

        #[test]
        fn growth_by_three_is_its_terms_added_up(base in 1u32..50, cap in 1u32..1_000_000, last in 1u64..60) {
            let waits = backoff(Shape::Fixed, f64::from(base), Some(f64::from(cap))).geometric(3.0);
            let added: f64 = (1..=last).map(|attempt| waits.term(attempt).get()).sum();
            prop_assert_eq!(waits.sum(1, last).get(), added);
        }
    }
}
