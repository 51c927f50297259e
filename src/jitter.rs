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
    /// The share of the backoff that a wait has at least, where it lies evenly between that and the
    /// whole; `None` for `decorrelated`, which asks for more than the backoff.
    const fn least(self) -> Option<f64> {
        match self {
            Self::None => Some(1.0),
            Self::Full => Some(0.0),
            Self::Equal => Some(0.5),
            Self::Decorrelated => None,
        }
    }

    /// The wait after attempt `attempt`, drawn from `seed`. `previous` is the wait before that
    /// attempt, `None` at the first.
    pub fn draw(self, backoff: &Backoff, attempt: u64, previous: Option<Millis>, seed: u64) -> Millis {
        let unit = unit(seed, attempt);
        match self.least() {
            Some(least) => backoff.after(attempt) * (least + (1.0 - least) * unit),
            None => {
                let (low, high) = decorrelated_range(backoff, previous);
                (low + (high - low) * unit).min(high)
            }
        }
    }

    /// The shortest and the longest wait that [`Jitter::draw`] can give after `attempt`.
    pub fn bounds(self, backoff: &Backoff, attempt: u64) -> (Millis, Millis) {
        match self.least() {
            Some(least) => {
                let plain = backoff.after(attempt);
                (plain * least, plain)
            }
            None => {
                let (low, _) = decorrelated_range(backoff, None);
                (low, backoff.geometric(3.0).term(attempt.saturating_add(1)))
            }
        }
    }

    /// The wait after `attempt` that `share` of all draws do not pass. `None` where there is no formula
    /// for it: from the second wait on under `decorrelated`.
    pub fn quantile(self, backoff: &Backoff, attempt: u64, share: f64) -> Option<Millis> {
        let (low, high) = match self.least() {
            None if attempt > 1 => return None,
            _ => self.bounds(backoff, attempt),
        };
        Some(low + (high - low) * share)
    }

    /// The mean wait after `attempt`. `None` where there is no formula for it: from the second wait on
    /// under `decorrelated` with a cap.
    pub fn mean(self, backoff: &Backoff, attempt: u64) -> Option<Millis> {
        match (self.least(), backoff.cap) {
            (None, None) => {
                // Each mean is half of the base and one and a half times the mean before.
                let grown = i32::try_from(attempt).map_or(f64::INFINITY, |n| 1.5f64.powi(n));
                Some(backoff.base * (2.0 * grown - 1.0))
            }
            _ => self.quantile(backoff, attempt, 0.5),
        }
    }

    /// The longest waits after `first..=last` together.
    pub fn longest_sum(self, backoff: &Backoff, first: u64, last: u64) -> Millis {
        match self.least() {
            Some(_) => backoff.sum(first, last),
            None => backoff.geometric(3.0).sum(first.saturating_add(1), last.saturating_add(1)),
        }
    }

    /// The shortest waits after the first `count` attempts together.
    pub fn shortest_sum(self, backoff: &Backoff, count: u64) -> Millis {
        match self.least() {
            Some(least) => backoff.sum(1, count) * least,
            None => decorrelated_range(backoff, None).0 * count as f64,
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

/// From the base to three times the wait before. The range is cut at the cap, not the draw: so the
/// spread stays when the waits have grown that far.
fn decorrelated_range(backoff: &Backoff, previous: Option<Millis>) -> (Millis, Millis) {
    let reach = previous.unwrap_or(backoff.base) * 3.0;
    let within_cap = |wait: Millis| backoff.cap.map_or(wait, |cap| wait.min(cap));
    let low = within_cap(backoff.base);
    (low, within_cap(reach).max(low))
}

/// A number in [0, 1) made from a seed and an attempt's number.
pub(crate) fn unit(seed: u64, attempt: u64) -> f64 {
    let bits = scattered(seed.wrapping_add(attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// A number as unlike `bits` as can be; zero stays zero (the finishing steps of SplitMix64).
pub(crate) const fn scattered(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
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
                if let Some(mean) = jitter.mean(&backoff, 4) {
                    let mean = mean.get();
                    assert!((drawn - mean).abs() < mean * 0.05, "{jitter:?} {cap:?}: {drawn}, not {mean}");
                }
            }
        }
    }

    #[test]
    fn a_quantile_is_what_so_many_draws_do_not_pass() {
        for (jitter, attempt) in
            [(Jitter::None, 3), (Jitter::Full, 3), (Jitter::Equal, 3), (Jitter::Decorrelated, 1)]
        {
            let backoff = doubling(100.0, Some(350.0));
            for share in [0.05, 0.5, 0.9] {
                let quantile = jitter.quantile(&backoff, attempt, share).unwrap_or_default();
                let within = (0..10_000)
                    .filter(|seed| jitter.draw(&backoff, attempt, None, *seed) <= quantile)
                    .count();
                let wanted = if jitter == Jitter::None { 1.0 } else { share };
                assert!((within as f64 / 10_000.0 - wanted).abs() < 0.02, "{jitter:?} {share}: {within}");
            }
        }
        assert_eq!(Jitter::Decorrelated.quantile(&doubling(100.0, None), 2, 0.5), None);
    }

    #[test]
    fn the_shortest_waits_are_the_lower_bounds_added_up() {
        for jitter in ALL {
            let backoff = doubling(100.0, Some(350.0));
            let added = (1..=6).fold(Millis::ZERO, |sum, n| sum + jitter.bounds(&backoff, n).0);
            assert_eq!(jitter.shortest_sum(&backoff, 6), added);
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
