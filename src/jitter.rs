//! Spreading a wait so that workers which fail together do not come back together.
//!
//! Every draw is made from the seed and the attempt's number alone: it needs no state, comes out the
//! same after a restart, and never feeds the growth of later waits. The one exception is in the
//! nature of `decorrelated`, whose range is made from the wait before.

use crate::backoff::Backoff;
use crate::millis::Millis;
use crate::named::named;

named! {
    /// How a wait is spread. All kinds stay within zero and the wait's cap.
    #[derive(Default)]
    pub enum Jitter {
        /// Not at all: the wait is the backoff (the reference page).
        #[default]
        None = "none",
        /// Anywhere from zero to the backoff.
        Full = "full",
        /// Half of the backoff, and anywhere up to as much again.
        Equal = "equal",
        /// Anywhere from the base to three times the wait before, whatever the backoff's shape.
        Decorrelated = "decorrelated",
    }
}

/// A server's own wait may only be lengthened, by at most this share of it.
const SPREAD_AFTER_HINT: f64 = 0.1;

impl Jitter {
    /// The wait after attempt `attempt`, drawn from `seed`. `previous` is the wait before that
    /// attempt, `None` at the first.
    pub fn draw(self, backoff: &Backoff, attempt: u64, previous: Option<Millis>, seed: u64) -> Millis {
        let unit = unit(seed, attempt);
        match self {
            Self::None => backoff.after(attempt),
            Self::Full => backoff.after(attempt) * unit,
            Self::Equal => backoff.after(attempt) * ((1.0 + unit) / 2.0),
            Self::Decorrelated => {
                let (low, high) = decorrelated_range(backoff, previous);
                (low + (high - low) * unit).min(high)
            }
        }
    }

    /// The shortest and the longest wait that [`Jitter::draw`] can give after `attempt`.
    pub fn bounds(self, backoff: &Backoff, attempt: u64) -> (Millis, Millis) {
        let plain = backoff.after(attempt);
        match self {
            Self::None => (plain, plain),
            Self::Full => (Millis::ZERO, plain),
            Self::Equal => (plain * 0.5, plain),
            Self::Decorrelated => {
                let (low, _) = decorrelated_range(backoff, None);
                (low, backoff.geometric(3.0).term(attempt.saturating_add(1)))
            }
        }
    }

    /// The mean wait after `attempt`: by formula, but for capped `decorrelated` waits, whose mean has
    /// none and is sampled from fixed seeds.
    pub fn mean(self, backoff: &Backoff, attempt: u64) -> Millis {
        let plain = backoff.after(attempt);
        match (self, backoff.cap) {
            (Self::None, _) => plain,
            (Self::Full, _) => plain * 0.5,
            (Self::Equal, _) => plain * 0.75,
            (Self::Decorrelated, None) => {
                // Each mean is half of the base and one and a half times the mean before.
                let grown = i32::try_from(attempt).map_or(f64::INFINITY, |n| 1.5f64.powi(n));
                backoff.base * (2.0 * grown - 1.0)
            }
            (Self::Decorrelated, Some(_)) => sampled_mean(backoff, attempt),
        }
    }

    /// The longest waits after `first..=last` together.
    pub fn longest_sum(self, backoff: &Backoff, first: u64, last: u64) -> Millis {
        match self {
            Self::Decorrelated => backoff.geometric(3.0).sum(first.saturating_add(1), last.saturating_add(1)),
            _ => backoff.sum(first, last),
        }
    }

    /// A server's hint, spread upward only; as it is without jitter.
    pub fn spread_hint(self, hint: Millis, attempt: u64, seed: u64) -> Millis {
        match self {
            Self::None => hint,
            _ => hint + hint * (SPREAD_AFTER_HINT * unit(seed, attempt)),
        }
    }
}

/// Chains of draws, and how long a chain must be to have forgotten its beginning.
const SAMPLES: u64 = 512;
const MEMORY: u64 = 64;

fn sampled_mean(backoff: &Backoff, attempt: u64) -> Millis {
    let draws = attempt.min(MEMORY);
    let last_range = |seed: u64| {
        let draw = |previous, n| Some(Jitter::Decorrelated.draw(backoff, n, previous, seed));
        decorrelated_range(backoff, (1..draws).fold(None, draw))
    };
    // The last draw's mean is known: the middle of its range.
    let middle = |(low, high): (Millis, Millis)| (low + high) * 0.5;
    (0..SAMPLES).fold(Millis::ZERO, |sum, seed| sum + middle(last_range(seed))) * (1.0 / SAMPLES as f64)
}

/// From the base to three times the wait before. The range is cut at the cap, not the draw: so the
/// spread stays when the waits have grown that far.
fn decorrelated_range(backoff: &Backoff, previous: Option<Millis>) -> (Millis, Millis) {
    let reach = previous.unwrap_or(backoff.base) * 3.0;
    let within_cap = |wait: Millis| backoff.cap.map_or(wait, |cap| wait.min(cap));
    let low = within_cap(backoff.base);
    (low, within_cap(reach).max(low))
}

/// A number in [0, 1) made from a seed and an attempt's number (the finishing steps of SplitMix64).
pub(crate) fn unit(seed: u64, attempt: u64) -> f64 {
    let mut bits = seed.wrapping_add(attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backoff::Shape;
    use proptest::prelude::*;

    const ALL: [Jitter; 4] = [Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated];

    fn doubling(base: f64, cap: Option<f64>) -> Backoff {
        Backoff {
            shape: Shape::Exponential,
            base: Millis::saturating(base),
            cap: cap.map(Millis::saturating),
        }
    }

    proptest! {
        /// Traps 5, 8 and 10: the bounds are the machine's promise to plans and limits.
        #[test]
        fn a_wait_stays_in_its_bounds_and_under_the_cap(
            kind in 0usize..4, base in 0.0..5000f64, cap in proptest::option::of(0.0..60_000f64), seed: u64,
        ) {
            let (jitter, backoff) = (ALL[kind], doubling(base, cap));
            let mut previous = None;
            for attempt in 1..60 {
                let wait = jitter.draw(&backoff, attempt, previous, seed);
                let (low, high) = jitter.bounds(&backoff, attempt);
                prop_assert!(low <= wait && wait <= high, "{:?} not in {:?}..{:?}", wait, low, high);
                prop_assert!(cap.is_none_or(|cap| wait.get() <= cap));
                previous = Some(wait);
            }
        }

        #[test]
        fn trap_77_a_hint_is_never_shortened_and_lengthened_by_a_tenth_at_most(
            kind in 0usize..4, hint in 0.0..1e9f64, seed: u64,
        ) {
            let spread = ALL[kind].spread_hint(Millis::saturating(hint), 1, seed).get();
            prop_assert!(spread >= hint && spread <= hint * 1.1 + 1e-9);
        }
    }

    #[test]
    fn the_spread_is_kept_at_the_cap() {
        for jitter in [Jitter::Full, Jitter::Equal, Jitter::Decorrelated] {
            let backoff = doubling(100.0, Some(1000.0));
            let mut waits: Vec<f64> = Vec::new();
            let mut previous = None;
            for attempt in 10..210 {
                let wait = jitter.draw(&backoff, attempt, previous, 7);
                previous = Some(wait);
                waits.push(wait.get());
            }
            let at_cap = waits.iter().filter(|wait| **wait >= 999.9).count();
            assert!(at_cap < 10, "{jitter:?} piles up at the cap: {at_cap} of 200");
        }
    }

    #[test]
    fn trap_11_a_draw_never_feeds_the_growth() {
        let backoff = doubling(100.0, None);
        let lone = Jitter::Full.draw(&backoff, 5, None, 3);
        assert_eq!(lone, Jitter::Full.draw(&backoff, 5, Some(Millis::ZERO), 3));
    }

    #[test]
    fn the_mean_is_what_many_draws_come_to() {
        for jitter in ALL {
            for cap in [None, Some(900.0)] {
                let backoff = doubling(100.0, cap);
                let chain = |seed| {
                    let draw = |previous, n| Some(jitter.draw(&backoff, n, previous, seed));
                    (1..=4).fold(None, draw).unwrap_or_default().get()
                };
                let drawn = (1000..21_000).map(chain).sum::<f64>() / 20_000.0;
                let mean = jitter.mean(&backoff, 4).get();
                assert!((drawn - mean).abs() < mean * 0.05, "{jitter:?} {cap:?}: {drawn}, not {mean}");
            }
        }
    }

    #[test]
    fn full_jitter_is_even() {
        let backoff = doubling(1000.0, Some(1000.0));
        let mean =
            (1..=10_000).map(|n| Jitter::Full.draw(&backoff, n, None, 42).get()).sum::<f64>() / 10_000.0;
        assert!((mean - 500.0).abs() < 10.0, "mean {mean}");
    }
}
