//! How likely which wait and which end is, under jitter: by formula where there is one, else from runs
//! with fixed seeds, so that the same question always has the same answer.

use super::numbers;
use super::rows::RowOptions;
use super::schedule::Schedule;
use crate::jitter::Jitter;
use crate::millis::Millis;
use crate::pace::{self, Pace};
use crate::policy::{Budget, BudgetMode, Policy};

/// The percentiles of one time, in the order in which they were asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Percentiles {
    /// Whether they come from runs with fixed seeds instead of a formula.
    pub sampled: bool,
    /// So many of a hundred runs do not pass these milliseconds; `NaN` where nothing bounds the time.
    pub values: Vec<f64>,
}

/// How many runs are sampled where each is short, and how many draws there are at most.
const RUNS: u64 = 4096;
const DRAWS: u64 = 1 << 20;

/// How many waits of a run are drawn at most.
const WAITS: u64 = 256;

/// The same where each wait grows out of the one before. Without a cap there is no end to the growth:
/// waits beyond these are longer than anyone will wait, and told as if there were none.
const CHAINED_WAITS: u64 = 2048;

/// The seed of a sampled run: what `simulate` makes of the options' seed `run`.
const fn seed(run: u64) -> u64 {
    (run as f64).to_bits()
}

/// The percentiles of all waits together, before any limit, and of the end of a run whose attempts all
/// fail.
pub fn total_percentiles(policy: &Policy, assume: Option<Millis>, percents: &[f64]) -> [Percentiles; 2] {
    let schedule = Schedule::assuming(policy, assume);
    let sampled = policy.jitter != Jitter::None && policy.max_attempts > 1;
    let waits = match sampled {
        true => sampled_totals(policy),
        false => vec![schedule.waits.get()],
    };
    let ends = numbers(waits.len() as u64, &mut |run| match (schedule.assume, sampled) {
        (None, _) => f64::NAN,
        (Some(took), true) => end(policy, took, run, waits[run as usize]).get(),
        (Some(took), false) => schedule.end_of_all(took).get(),
    });
    [waits, ends].map(|samples| Percentiles { sampled, values: quantiles(&samples, percents) })
}

/// The percentiles of the wait before each attempt of a page.
pub fn wait_percentiles(policy: &Policy, page: RowOptions, percents: &[f64]) -> Vec<Percentiles> {
    let mut chains = Chains::new(policy);
    let mut waits = Vec::new();
    for attempt in page.attempts(policy) {
        let mut values = Vec::new();
        for percent in percents {
            values.extend(match attempt {
                1 => Some(0.0),
                _ => policy.jitter.quantile(&policy.backoff, attempt - 1, percent / 100.0).map(Millis::get),
            });
        }
        let sampled = values.len() < percents.len();
        if sampled {
            values = quantiles(chains.after(attempt - 1), percents);
        }
        waits.push(Percentiles { sampled, values });
    }
    waits
}

/// All waits of each sampled run together. Of many waits some are drawn, each for a stretch of its
/// neighbours: the mean of the whole is then known, and its spread is that of the drawn ones times the
/// root of the stretch's length.
fn sampled_totals(policy: &Policy) -> Vec<f64> {
    let Policy { jitter, backoff, .. } = policy;
    let waits = policy.max_attempts - 1;
    let chained = *jitter == Jitter::Decorrelated;
    let drawn = waits.min(if chained { CHAINED_WAITS } else { WAITS });
    let stretch = if chained && backoff.cap.is_none() { 1.0 } else { waits as f64 / drawn as f64 };
    let attempt = |index: u64| ((index as f64 + 0.5) * stretch) as u64 + 1;
    let sums = numbers((DRAWS / drawn).min(RUNS), &mut |run| {
        let (mut sum, mut previous) = (0.0, None);
        for index in 0..drawn {
            let wait = jitter.draw(backoff, attempt(index), previous, seed(run));
            sum += wait.get();
            previous = Some(wait);
        }
        f64::min(sum, f64::MAX)
    });
    if stretch <= 1.0 {
        return sums;
    }
    let mean = match chained {
        true => mean(&sums),
        false => {
            (jitter.shortest_sum(backoff, waits) + jitter.longest_sum(backoff, 1, waits)).get()
                / 2.0
                / stretch
        }
    };
    numbers(sums.len() as u64, &mut |run| {
        Millis::saturating(mean * stretch + (sums[run as usize] - mean) * stretch.sqrt()).get()
    })
}

fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// When one run ends whose attempts take `took` and fail.
fn end(policy: &Policy, took: Millis, run: u64, waits: f64) -> Millis {
    let whole = took * policy.max_attempts as f64 + Millis::saturating(waits);
    let Budget::Declared(limit) = policy.budget else { return whole };
    if policy.max_attempts > CHAINED_WAITS {
        let longest = limit + if policy.mode == BudgetMode::Clip { Millis::ZERO } else { took };
        return whole.min(longest);
    }
    let (mut pace, mut start) = (Pace::START, Millis::ZERO);
    while let Some(bound) = pace::bound(policy, pace.attempt, start) {
        let end = start + bound.limit.map_or(took, |limit| limit.min(took));
        let Some(wait) = pace.wait(policy, seed(run), end) else { return end };
        start = end + wait;
    }
    start
}

fn quantiles(samples: &[f64], percents: &[f64]) -> Vec<f64> {
    numbers(percents.len() as u64, &mut |at| quantile(samples, percents[at as usize] / 100.0))
}

/// The smallest of `samples` that `share` of them do not pass.
fn quantile(samples: &[f64], share: f64) -> f64 {
    let wanted = (samples.len() as f64 * share).ceil().max(1.0) as usize;
    // Bits of numbers that are not negative lie in the order of the numbers, and those of no number above
    // all: the place is found by halving, without sorting.
    let (mut low, mut high) = (0, f64::NAN.to_bits());
    while low < high {
        let middle = low + (high - low) / 2;
        if samples.iter().filter(|sample| sample.to_bits() <= middle).count() >= wanted {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    f64::from_bits(low)
}

/// The waits of many runs side by side, in ms, one attempt after the other.
pub(super) struct Chains<'a> {
    policy: &'a Policy,
    waits: Vec<f64>,
    attempt: u64,
}

/// How long a chain of capped waits must be to have forgotten its beginning.
const MEMORY: u64 = 256;

impl<'a> Chains<'a> {
    pub(super) const fn new(policy: &'a Policy) -> Self {
        Self { policy, waits: Vec::new(), attempt: 0 }
    }

    /// The mean wait after `attempt`.
    pub(super) fn mean_after(&mut self, attempt: u64) -> Millis {
        Millis::saturating(mean(self.after(attempt)))
    }

    /// A wait of each run after `attempt`, which is never before one that was asked for earlier.
    fn after(&mut self, attempt: u64) -> &[f64] {
        let Policy { jitter, backoff, .. } = self.policy;
        let memory = if backoff.cap.is_none() { CHAINED_WAITS } else { MEMORY };
        let from = (self.attempt + 1).max((attempt + 1).saturating_sub(memory));
        for attempt in from..=attempt {
            let previous = std::mem::take(&mut self.waits);
            self.waits = numbers(RUNS, &mut |run| {
                let previous = previous.get(run as usize).map(|wait| Millis::saturating(*wait));
                jitter.draw(backoff, attempt, previous, seed(run)).get()
            });
        }
        self.attempt = attempt;
        &self.waits
    }
}
