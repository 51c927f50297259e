//! The fewest calls that a fleet can make, bounded before it runs: whoever asks for far too many is told
//! so at once, and not after as many calls as are looked at.

use super::events::Event;
use super::load::{MOST_BUCKETS, room_until};
use super::options::FleetOptions;
use super::{MOST_CALLS, end_of, seed_of};
use crate::jitter::Jitter;
use crate::millis::Millis;
use crate::pace::{self, Pace};
use crate::policy::Policy;

/// Means that are added up come out a hair beside a whole number of calls.
const HAIR: f64 = 1e-3;

/// Where so many calls would be made if all workers called as often as one, no more of it is looked at.
const ENOUGH: f64 = 4.0 * MOST_CALLS as f64;

/// A worker of which the service knows nothing: each of its calls fails.
struct Alone {
    pace: Pace,
    seed: u64,
    /// When it calls next; infinite where it does not.
    next: f64,
    calls: f64,
    /// Those of its calls that came in the stretch of time last looked at.
    came: f64,
    /// Its calls, each counted by the share of workers that cannot have been served yet.
    counted: f64,
    /// By how much it may have called more often than the mean, from a stretch on up to now.
    above: f64,
}

impl Alone {
    const fn starting(seed: u64) -> Self {
        Self { pace: Pace::START, seed, next: 0.0, calls: 0.0, came: 0.0, counted: 0.0, above: 0.0 }
    }

    /// Makes the calls that come up to `until`.
    fn call(&mut self, until: f64, policy: &Policy, options: &FleetOptions) {
        self.came = 0.0;
        while self.next <= until {
            let start = Millis::saturating(self.next);
            self.next = f64::INFINITY;
            let Some(bound) = pace::bound(policy, self.pace.attempt, start) else { return };
            self.calls += 1.0;
            self.came += 1.0;
            if self.calls * f64::from(options.workers) >= ENOUGH {
                return;
            }
            let (took, end) = end_of(policy, bound, options.fail, Event::Failed);
            if end == Event::Failed
                && let Some(wait) = self.pace.wait(policy, self.seed, start + took)
            {
                self.next = (start + took + wait).get();
            }
        }
    }

    /// Counts what came, of `mean` calls that came from each, where `served` is the share of the served.
    fn count(&mut self, mean: f64, served: f64) {
        self.counted += (1.0 - served) * self.came;
        self.above = (self.above + self.came - mean).max(0.0);
    }
}

/// The fewest calls that workers with retries without end can make, or more than [`MOST_CALLS`].
///
/// Workers go their ways alone, and of the calls that come in a stretch of time, the share counts whose
/// workers cannot have been served when it ends. Whom the service serves may be those who would have called
/// more often than others from then on, so as many calls are taken off as any so large a share of them can
/// lie above the mean, which mean and deviation bound.
///
/// That is proved where all workers are looked at, or all are alike. Of many, some stand for all. Then the
/// mean is taken six of its deviations too low, and some workers may hardly call: were 16/n of all unlike
/// those looked at, `n` workers without one of them would be a chance of one in ten million. So it is all but
/// certain, and no proof.
pub fn fewest_calls(policy: &Policy, options: &FleetOptions) -> f64 {
    let alike = policy.jitter == Jitter::None;
    let few = if alike { 1 } else { options.workers.min((options.workers / 10).clamp(256, 4096)) };
    let count = f64::from(few);
    let unseen = if alike || few == options.workers { 0.0 } else { 16.0 / count };
    let workers = f64::from(options.workers) * (1.0 - unseen);
    let start = |place| Alone::starting(seed_of(place * (options.workers / few), options));
    let mut some: Vec<_> = (0..few).map(start).collect();
    let (mut most, mut until) = (f64::from(options.workers), 0.0);
    while most <= MOST_CALLS as f64 && until < options.bucket.get() * (MOST_BUCKETS - 1) as f64 {
        let (mut sum, mut next) = (0.0, f64::INFINITY);
        for worker in &mut some {
            worker.call(until, policy, options);
            sum += worker.came;
            next = worker.next.min(next);
        }
        // The most that can have been served when the bucket is over.
        let served = room_until((until / options.bucket.get()) as usize + 1, options) / workers;
        if served >= 1.0 {
            break;
        }
        for worker in &mut some {
            worker.count(sum / count, served);
        }
        let (counted, apart) = spread(&some, |worker| worker.counted);
        let (above, above_apart) = spread(&some, |worker| worker.above);
        let lost = above * served + above_apart * (served * (1.0 - served)).sqrt();
        let sure = counted - lost - 1.5 * unseen.sqrt() * apart;
        most = most.max((workers * sure - HAIR).ceil());
        until = next.max(until * (33.0 / 32.0));
    }
    most
}

/// The mean, and how far from it the workers lie.
fn spread(some: &[Alone], of: fn(&Alone) -> f64) -> (f64, f64) {
    let count = some.len() as f64;
    let mean = some.iter().map(of).sum::<f64>() / count;
    let square = some.iter().map(|worker| (of(worker) - mean) * (of(worker) - mean)).sum::<f64>() / count;
    (mean, square.sqrt())
}
