//! Many workers whose calls of one service fail together: what the service gets to see of them, and
//! how long it takes until all are done.
//!
//! Each worker runs one step under the same policy, and all make their first call at time zero. The
//! service is down at first: every call fails. Then it takes so many calls a second, counted in
//! buckets of time: in each, the first calls that fit are served, in the order in which they come;
//! any other is refused at once and may be tried again. What a bucket has left is not kept for the
//! next.

mod events;
mod fewest;
mod load;
mod options;

pub use fewest::fewest_calls;
pub use load::FleetLoad;
pub use options::FleetOptions;

use crate::argument::{Misuse, refusal};
use crate::jitter::scattered;
use crate::millis::Millis;
use crate::pace::{self, Bound, Pace};
use crate::policy::Policy;
use crate::text::text;
use events::{Event, Events};
use load::Answer;

/// A stock of retries that the workers share. Who owns the rule is outside; here it is only asked.
pub trait RetryStock {
    /// Takes one retry, if there is one.
    fn take(&mut self, now: Millis) -> bool;
    /// A worker has succeeded.
    fn succeeded(&mut self, now: Millis);
}

/// More calls than this take too long to be looked at.
pub const MOST_CALLS: u64 = 20_000_000;

/// Lets the workers run until all are done; without a stock, there is always one more retry. The same
/// seed gives the same load, bit for bit; the first worker's waits are those of a single run with that seed.
///
/// # Errors
/// `INVALID_ARGUMENT` where it would be more than [`MOST_CALLS`], or more buckets than a load can have.
pub fn simulate<'a>(
    policy: &'a Policy,
    options: &'a FleetOptions,
    stock: Option<&'a mut dyn RetryStock>,
) -> Result<FleetLoad, Misuse> {
    let most = u64::from(options.workers).saturating_mul(policy.max_attempts);
    if most > MOST_CALLS && stock.is_none() && fewest_calls(policy, options) > MOST_CALLS as f64 {
        return Err(too_many());
    }
    let workers = options.workers;
    let mut fleet = Fleet {
        policy,
        options,
        stock,
        workers: vec![Pace::START; workers as usize],
        events: Events::starting(workers),
        load: FleetLoad::new(options),
    };
    while let Some((at, worker, event)) = fleet.events.next() {
        match event {
            Event::Start => fleet.start(at, worker)?,
            end => fleet.end(at, worker, end),
        }
    }
    fleet.load.close(options);
    Ok(fleet.load)
}

/// What a worker's waits are drawn from.
fn seed_of(worker: u32, options: &FleetOptions) -> u64 {
    options.seed.to_bits() ^ scattered(worker.into())
}

/// How long an attempt takes and how it ends, which would end so after `took` were it not limited.
fn end_of(policy: &Policy, bound: Bound, took: Millis, end: Event) -> (Millis, Event) {
    match bound.limit.filter(|limit| took >= *limit) {
        Some(limit) if bound.timeout_is_tried_again(policy) => (limit, Event::Failed),
        Some(limit) => (limit, Event::GaveUp),
        None => (took, end),
    }
}

fn too_many() -> Misuse {
    let demand = text!["must be fewer: these would make more than ", MOST_CALLS, " calls"];
    refusal("INVALID_ARGUMENT", vec!["options".into(), "workers".into()], &demand)
}

struct Fleet<'a> {
    policy: &'a Policy,
    options: &'a FleetOptions,
    stock: Option<&'a mut dyn RetryStock>,
    workers: Vec<Pace>,
    events: Events,
    load: FleetLoad,
}

impl Fleet<'_> {
    fn start(&mut self, at: Millis, worker: u32) -> Result<(), Misuse> {
        let attempt = self.workers[worker as usize].attempt;
        let Some(bound) = pace::bound(self.policy, attempt, at) else {
            self.load.gave_up(at);
            return Ok(());
        };
        if self.load.attempts >= MOST_CALLS as f64 {
            return Err(too_many());
        }
        let (took, end) = match self.load.call(at, self.options)? {
            Answer::Served => (self.options.service, Event::Worked),
            Answer::Failed => (self.options.fail, Event::Failed),
        };
        let (took, end) = end_of(self.policy, bound, took, end);
        self.ends(at, at + took, worker, end);
        Ok(())
    }

    /// An attempt ends later, or at once where it takes no time.
    fn ends(&mut self, now: Millis, at: Millis, worker: u32, end: Event) {
        if at > now {
            self.events.push(at, worker, end);
        } else {
            self.end(at, worker, end);
        }
    }

    fn end(&mut self, at: Millis, worker: u32, end: Event) {
        match end {
            Event::Worked => {
                if let Some(stock) = &mut self.stock {
                    stock.succeeded(at);
                }
                self.load.worked(at);
            }
            Event::GaveUp => self.load.gave_up(at),
            Event::Start | Event::Failed => self.failed(at, worker),
        }
    }

    fn failed(&mut self, at: Millis, worker: u32) {
        let seed = seed_of(worker, self.options);
        match self.workers[worker as usize].wait(self.policy, seed, at) {
            Some(wait) if self.stock.as_mut().is_none_or(|stock| stock.take(at)) => {
                self.events.push(at + wait, worker, Event::Start);
            }
            _ => self.load.gave_up(at),
        }
    }
}
