//! What the service gets to see, by buckets of time.

use super::options::FleetOptions;
use crate::argument::{Misuse, refusal};
use crate::millis::Millis;
use crate::text::text;
use serde::Serialize;

/// The load that a fleet makes. Its lists have one entry for each bucket, up to the last call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FleetLoad {
    /// The length of a bucket.
    pub bucket_ms: Millis,
    /// Calls that came.
    #[serde(skip)]
    pub calls: Vec<f64>,
    /// Calls that were served.
    #[serde(skip)]
    pub served: Vec<f64>,
    /// Calls that were refused, as the service was up but had no room.
    #[serde(skip)]
    pub refused: Vec<f64>,
    /// Calls that the service had room for.
    #[serde(skip)]
    pub capacity: Vec<f64>,
    /// All calls together.
    pub attempts: f64,
    /// How many workers succeeded.
    pub succeeded: f64,
    /// How many gave up.
    pub gave_up: f64,
    /// The calls of the fullest bucket.
    pub peak: f64,
    /// When that bucket begins.
    pub peak_at_ms: Millis,
    /// The most calls that come in one bucket while the service is up, as a multiple of what fits into
    /// one; zero where none comes then, `null` where none fits.
    pub overload: Option<f64>,
    /// When the last worker was done, one way or the other.
    pub done_at_ms: Millis,
}

/// What becomes of a call.
pub(super) enum Answer {
    Served,
    Failed,
}

pub(super) const MOST_BUCKETS: usize = 1_000_000;

impl FleetLoad {
    pub(super) const fn new(options: &FleetOptions) -> Self {
        Self {
            bucket_ms: options.bucket,
            calls: Vec::new(),
            served: Vec::new(),
            refused: Vec::new(),
            capacity: Vec::new(),
            attempts: 0.0,
            succeeded: 0.0,
            gave_up: 0.0,
            peak: 0.0,
            peak_at_ms: Millis::ZERO,
            overload: None,
            done_at_ms: Millis::ZERO,
        }
    }

    /// A call comes.
    pub(super) fn call(&mut self, at: Millis, options: &FleetOptions) -> Result<Answer, Misuse> {
        let bucket = (at.get() / options.bucket.get()) as usize;
        if bucket >= MOST_BUCKETS {
            let demand = text!["must be longer: the calls spread over more than ", MOST_BUCKETS, " buckets"];
            return Err(refusal("INVALID_ARGUMENT", vec!["options".into(), "bucketMs".into()], &demand));
        }
        while self.calls.len() <= bucket {
            self.capacity.push(room(self.calls.len(), options));
            for list in [&mut self.calls, &mut self.served, &mut self.refused] {
                list.push(0.0);
            }
        }
        self.attempts += 1.0;
        self.calls[bucket] += 1.0;
        if at < options.outage {
            return Ok(Answer::Failed);
        }
        if self.served[bucket] < self.capacity[bucket] {
            self.served[bucket] += 1.0;
            return Ok(Answer::Served);
        }
        self.refused[bucket] += 1.0;
        Ok(Answer::Failed)
    }

    pub(super) fn worked(&mut self, at: Millis) {
        self.succeeded += 1.0;
        self.done_at_ms = self.done_at_ms.max(at);
    }

    pub(super) fn gave_up(&mut self, at: Millis) {
        self.gave_up += 1.0;
        self.done_at_ms = self.done_at_ms.max(at);
    }

    /// Nothing comes any more.
    pub(super) fn close(&mut self, options: &FleetOptions) {
        let mut most_when_up = 0.0f64;
        for (bucket, (calls, served)) in self.calls.iter().zip(&self.served).enumerate() {
            let begins = options.bucket * bucket as f64;
            if *calls > self.peak {
                (self.peak, self.peak_at_ms) = (*calls, begins);
            }
            most_when_up = most_when_up.max(served + self.refused[bucket]);
        }
        let fits = options.capacity * options.bucket.seconds();
        self.overload = Some(most_when_up / fits).filter(|overload| overload.is_finite());
    }
}

/// The calls that fit into a bucket: whole ones, so that all buckets together take neither more nor
/// less than the capacity says.
fn room(bucket: usize, options: &FleetOptions) -> f64 {
    room_until(bucket + 1, options) - room_until(bucket, options)
}

/// The calls that fit into all buckets before `bucket`.
pub(super) fn room_until(bucket: usize, options: &FleetOptions) -> f64 {
    let up = options.bucket * bucket as f64 - options.outage;
    (options.capacity * up.seconds()).min(f64::MAX).floor()
}
