//! The fewest calls that a fleet can make, estimated before it runs: whoever asks for far too many is told
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
}

impl Alone {
    /// Makes the calls that come up to `until`.
    fn call(&mut self, until: f64, policy: &Policy, options: &FleetOptions) {
        while self.next <= until {
            let start = Millis::saturating(self.next);
            self.next = f64::INFINITY;
            let Some(bound) = pace::bound(policy, self.pace.attempt, start) else { return };
            self.calls += 1.0;
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
}

/// The fewest calls that workers with retries without end can make, or more than [`MOST_CALLS`].
///
/// Some of the workers go their ways alone, and stand for all. Of the calls that come in a stretch of time,
/// the share counts whose workers cannot have been served when it ends. Whom the service serves may be those
/// who call more often than others, and the others may be unlike those looked at. Both are allowed for: by
/// how far the numbers of their calls lie apart, and by a share of workers that may hardly call. Were 16/n of
/// all like that, `n` workers without one of them would be a chance of one in ten million. So it is all but
/// certain, and no proof.
pub fn fewest_calls(policy: &Policy, options: &FleetOptions) -> f64 {
    let workers = f64::from(options.workers);
    let alike = policy.jitter == Jitter::None;
    let few = if alike { 1 } else { options.workers.min((options.workers / 10).clamp(256, 4096)) };
    let count = f64::from(few);
    let unseen = if alike || few == options.workers { 0.0 } else { 16.0 / count };
    let mut some = Vec::new();
    for place in 0..few {
        let seed = seed_of(place * (options.workers / few), options);
        some.push(Alone { pace: Pace::START, seed, next: 0.0, calls: 0.0 });
    }
    let (mut most, mut made, mut mean_before, mut until) = (workers, 0.0, 0.0, 0.0);
    while most <= MOST_CALLS as f64 && until < options.bucket.get() * (MOST_BUCKETS - 1) as f64 {
        let (mut sum, mut squares, mut next) = (0.0, 0.0, f64::INFINITY);
        for worker in &mut some {
            worker.call(until, policy, options);
            sum += worker.calls;
            squares += worker.calls * worker.calls;
            next = worker.next.min(next);
        }
        let mean = sum / count;
        let apart = (squares / count - mean * mean).max(0.0).sqrt();
        // The most that can have been served when the bucket is over.
        let served = room_until((until / options.bucket.get()) as usize + 1, options) / workers;
        if served >= 1.0 {
            break;
        }
        made += (1.0 - served) * (mean - mean_before);
        let sure = (made - apart * (2.0 * served.sqrt() + 1.5 * unseen.sqrt())) * (1.0 - unseen);
        most = most.max((workers * sure - HAIR).ceil());
        (mean_before, until) = (mean, next.max(until * (33.0 / 32.0)));
    }
    most
}
