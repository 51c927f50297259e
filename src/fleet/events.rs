//! What happens next, among all workers.

use crate::millis::Millis;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What happens to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// An attempt starts.
    Start,
    /// Its attempt worked.
    Worked,
    /// Its attempt failed, and may be tried again.
    Failed,
    /// Its attempt failed for good.
    GaveUp,
}

/// Events in the order of their times; at the same time, in the order in which they were told.
pub(super) struct Events {
    waiting: BinaryHeap<Reverse<Entry>>,
    told: u32,
}

/// The bits of a time that is not negative are in the order of the times.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    at: u64,
    order: u32,
    worker: u32,
    event: Event,
}

impl Events {
    /// All workers start at time zero.
    pub(super) fn starting(workers: u32) -> Self {
        let start = |worker| Reverse(Entry { at: 0, order: worker, worker, event: Event::Start });
        Self { waiting: (0..workers).map(start).collect(), told: workers }
    }

    pub(super) fn push(&mut self, at: Millis, worker: u32, event: Event) {
        self.waiting.push(Reverse(Entry { at: at.get().to_bits(), order: self.told, worker, event }));
        self.told += 1;
    }

    pub(super) fn next(&mut self) -> Option<(Millis, u32, Event)> {
        let Reverse(Entry { at, worker, event, .. }) = self.waiting.pop()?;
        Some((Millis::saturating(f64::from_bits(at)), worker, event))
    }
}
