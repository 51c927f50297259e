//! A policy as the others have it, and the way from there to a step's limits.

use super::{Imported, Note, NoteCode};
use crate::backoff::{Backoff, Shape};
use crate::export::search::same;
use crate::export::waits::{Growth, Waits, samples};
use crate::millis::Millis;
use crate::policy::{RetryBlock, StepLimits};
use crate::text::concat;

/// What was read of a policy.
pub(crate) struct Foreign {
    /// Counting the first; `None` where there is no end.
    pub(crate) attempts: Option<u64>,
    pub(crate) waits: Waits,
    pub(crate) timeout: Option<Millis>,
    pub(crate) total: Option<Millis>,
    pub(crate) notes: Vec<Note>,
}

/// Where there is no end there, this many attempts are as good as none here.
const ENDLESS: u64 = 1_000_000_000;

impl Foreign {
    pub(crate) fn new() -> Self {
        let waits = Waits {
            growth: Growth::Ratio(1.0),
            base: Millis::ZERO,
            cap: None,
            cap_of_later: None,
            rounded: false,
        };
        Self { attempts: Some(1), waits, timeout: None, total: None, notes: Vec::new() }
    }

    pub(crate) fn note(&mut self, code: NoteCode, key: &'static str, message: &[&str]) {
        self.notes.push(Note::new(code, Some(key), message));
    }

    /// Counts `retries` after the first attempt; `None` is no end.
    pub(crate) fn retries(&mut self, key: &'static str, retries: Option<u64>) {
        self.attempts = retries.map(|retries| retries.saturating_add(1));
        if let (Some(retries), Some(attempts)) = (retries, self.attempts) {
            let (retries, attempts) = (retries.to_string(), attempts.to_string());
            self.note(NoteCode::AttemptsCounted, key, &[&retries, " retries = ", &attempts, " attempts"]);
        }
    }

    /// Counts `attempts`, the first among them; `None` is no end.
    pub(crate) fn attempts(&mut self, key: &'static str, attempts: Option<u64>) {
        self.attempts = attempts;
        if let Some(attempts) = attempts {
            let attempts = attempts.to_string();
            self.note(NoteCode::AttemptsCounted, key, &[&attempts, " attempts, the first among them"]);
        }
    }

    /// The step's limits, with a note on whatever they say otherwise.
    pub(crate) fn adopt(mut self) -> Imported {
        let attempts = self.attempts.unwrap_or(ENDLESS);
        if self.attempts.is_none() {
            let words = concat(&["attempts without end are ", &ENDLESS.to_string(), " attempts here"]);
            self.notes.push(Note::new(NoteCode::AttemptsUnlimited, None, &[&words]));
        }
        let timeout_seconds = self.timeout.map(|limit| self.whole_seconds("an attempt", limit));
        let total_timeout_seconds =
            self.total.map(|limit| self.whole_seconds("all attempts together", limit));
        let backoff = self.backoff(attempts - 1);
        let retry = (attempts > 1 || total_timeout_seconds.is_some()).then(|| RetryBlock {
            max_attempts: Some(attempts as f64),
            backoff: Some(backoff.shape),
            base_delay_ms: Some(backoff.base.get()),
            max_delay_ms: backoff.cap.map(Millis::get),
            on_timeout: None,
            total_timeout_seconds,
        });
        Imported { step: StepLimits { timeout_seconds, idempotent: None, retry }, notes: self.notes }
    }

    /// A limit in whole seconds, never shorter.
    fn whole_seconds(&mut self, of: &str, limit: Millis) -> f64 {
        let seconds = limit.seconds().ceil().max(1.0);
        if !same(Millis::from_seconds(seconds), limit) {
            let words = [
                "the limit of ",
                of,
                " is ",
                &limit.to_string(),
                " ms there and ",
                &(seconds as u64).to_string(),
                " s here",
            ];
            self.notes.push(Note::new(NoteCode::SecondsRounded, None, &words));
        }
        seconds
    }

    /// Our waits with the same table for `count` waits, or else the nearest.
    fn backoff(&mut self, count: u64) -> Backoff {
        if count == 0 {
            return Backoff::default();
        }
        let places = samples(count);
        let (first, last) = (self.waits.after(1).min, self.waits.after(count).min);
        let mut best: Option<(Backoff, f64)> = None;
        for shape in [Shape::Fixed, Shape::Exponential, Shape::Linear] {
            for cap in [None, Some(last), self.waits.cap] {
                let ours = Backoff { shape, base: first, cap };
                let distance = places.iter().fold(0.0, |most: f64, place| {
                    let (ours, theirs) = (ours.after(*place), self.waits.after(*place).min);
                    if same(ours, theirs) { most } else { most.max((ours.get() - theirs.get()).abs()) }
                });
                if best.is_none_or(|(_, least)| distance < least) {
                    best = Some((ours, distance));
                }
            }
        }
        let (ours, distance) = best.unwrap_or_default();
        if distance > 0.0 {
            let off = places.iter().find(|wait| !same(ours.after(**wait), self.waits.after(**wait).min));
            let wait = off.copied().unwrap_or(1);
            let (here, there) = (ours.after(wait).to_string(), self.waits.after(wait).min.to_string());
            let most = Millis::saturating(distance).to_string();
            let words = [
                "no waits here are equal: wait ",
                &wait.to_string(),
                " is ",
                &there,
                " ms there and ",
                &here,
                " ms here, and none differs by more than ",
                &most,
                " ms",
            ];
            self.notes.push(Note::new(NoteCode::BackoffNearest, None, &words));
        }
        ours
    }
}
