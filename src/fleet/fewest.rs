//! The fewest calls that a fleet can make, known before it runs: whoever asks for far too many is told
//! so at once, and not after as many calls as are looked at.

use super::load::{MOST_BUCKETS, room_until};
use super::options::FleetOptions;
use crate::millis::Millis;
use crate::policy::{Budget, Policy};

/// Sums of waits come out a hair apart when they are made in another order.
const HAIR: f64 = 1.0 + 1e-9;

/// The fewest calls that workers with retries without end can make. Nobody starts an attempt later than
/// after the longest waits, so by then all whom the service could not serve have made that many.
pub fn fewest_calls(policy: &Policy, options: &FleetOptions) -> f64 {
    let workers = f64::from(options.workers);
    let mut most = workers;
    let mut attempt = 1;
    while attempt < policy.max_attempts {
        // Steps that grow keep the number of looks small; what lies between is missed by a few per cent.
        attempt = (attempt + 1 + attempt / 32).min(policy.max_attempts);
        let Some(start) = latest_start(policy, options, attempt) else { break };
        let waiting = workers - served_until(start, options);
        if waiting <= 0.0 {
            break;
        }
        most = most.max(waiting * attempt as f64);
    }
    most
}

/// The latest that `attempt` starts where none before it worked; `None` where it may not start at all, or
/// so late that its bucket is not counted any more.
fn latest_start(policy: &Policy, options: &FleetOptions, attempt: u64) -> Option<Millis> {
    let cut = policy.timeout.filter(|limit| options.fail >= *limit);
    if cut.is_some() && !policy.on_timeout {
        return None;
    }
    let took = cut.unwrap_or(options.fail) * (attempt - 1) as f64;
    let start = (took + policy.jitter.longest_sum(&policy.backoff, 1, attempt - 1)) * HAIR;
    // A total limit is kept to the whole millisecond.
    let room = match policy.budget {
        Budget::Declared(limit) => start + Millis::saturating(1.0) < limit,
        _ => true,
    };
    let counted = start < options.bucket * (MOST_BUCKETS - 1) as f64;
    (room && counted).then_some(start)
}

/// The most calls that can have been served when the bucket of `at` is over.
fn served_until(at: Millis, options: &FleetOptions) -> f64 {
    room_until((at.get() / options.bucket.get()) as usize + 1, options)
}
