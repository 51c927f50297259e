//! The search for an engine's waits that are equal to ours, and for the nearest where there are none.

use super::engine::{CapRule, Engine, Form, Grid};
use super::loss::LossCode;
use super::waits::{Band, Growth, Waits, samples};
use crate::backoff::{Backoff, Shape};
use crate::millis::Millis;

/// What was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    /// The engine's settings; `None` where it has none and everything is up to code.
    pub(crate) waits: Option<Waits>,
    /// Whether the waits are made by code; the settings are then only beside it.
    pub(crate) by_code: bool,
    /// What the settings alone cannot do.
    pub(crate) misses: Option<LossCode>,
    ours: Backoff,
}

impl Found {
    /// The wait there after attempt `k`.
    pub(crate) fn after(&self, k: u64) -> Band {
        match self.waits {
            Some(waits) if !self.by_code => waits.after(k),
            _ => Band::sharp(self.ours.after(k)),
        }
    }
}

/// Whether two tables agree, and how far they are apart at most.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Distance {
    /// 0: equal; 1: equal but for what the engine adds at random; 2: never shorter; 3: shorter somewhere.
    rank: u8,
    ms: f64,
}

/// The waits of `engine` for the first `count` of `ours`.
pub(crate) fn search(ours: &Backoff, count: u64, engine: &Engine) -> Found {
    let found = |waits, by_code, misses| Found { waits, by_code, misses, ours: *ours };
    if count == 0 {
        return found(None, false, None);
    }
    let best = nearest(ours, count, engine, true);
    match best {
        Some((waits, distance)) if distance.rank == 0 => return found(Some(waits), false, None),
        _ => (),
    }
    let misses = why(ours, count, engine, best.map(|(_, distance)| distance));
    let by_code = engine.code_waits.is_some_and(|grid| {
        grid.holds(ours.after(count)) && samples(count).into_iter().all(|wait| grid.holds(ours.after(wait)))
    });
    // What is left of the settings where code takes over must still be accepted.
    found(best.map(|(waits, _)| waits), by_code || best.is_none(), Some(misses))
}

/// Why the engine has no table that is equal to ours.
fn why(ours: &Backoff, count: u64, engine: &Engine, best: Option<Distance>) -> LossCode {
    let possible = |ours: &Backoff, gridded| {
        nearest(ours, count, engine, gridded).is_some_and(|(_, distance)| distance.rank == 0)
    };
    if best.is_some_and(|distance| distance.rank == 1) {
        return LossCode::JitterForced;
    }
    if possible(ours, false) {
        let first = ours.after(1);
        return match (first.is_zero(), ours.after(count).get() > engine.delay.most) {
            (true, _) => LossCode::DelayZero,
            (_, true) => LossCode::DelayRange,
            _ => LossCode::DelayRounded,
        };
    }
    if let CapRule::Fixed(cap) = engine.cap
        && ours.after(count).get() > cap
    {
        return LossCode::DelayRange;
    }
    if ours.cap.is_some() && possible(&Backoff { cap: None, ..*ours }, false) {
        return LossCode::CapMissing;
    }
    match ours.shape {
        Shape::Linear => LossCode::LinearMissing,
        _ => LossCode::BackoffMissing,
    }
}

/// The nearest of the engine's tables; `gridded`: of those that its settings can hold.
fn nearest(ours: &Backoff, count: u64, engine: &Engine, gridded: bool) -> Option<(Waits, Distance)> {
    let places = samples(count);
    let mut best: Option<(Waits, Distance)> = None;
    for waits in candidates(ours, count, engine, gridded) {
        let distance = distance(ours, &waits, &places);
        if best.is_none_or(|(_, least)| distance < least) {
            best = Some((waits, distance));
        }
    }
    best
}

fn distance(ours: &Backoff, theirs: &Waits, places: &[u64]) -> Distance {
    let (mut rank, mut ms) = (0, 0.0_f64);
    for &wait in places {
        let (ours, theirs) = (ours.after(wait), theirs.after(wait));
        if !same(ours, theirs.min) {
            rank = rank.max(if theirs.min < ours { 3 } else { 2 });
        } else if theirs.max > theirs.min {
            rank = rank.max(1);
        }
        ms = ms.max((ours.get() - theirs.min.get()).abs()).max((ours.get() - theirs.max.get()).abs());
    }
    if rank == 0 { Distance { rank, ms: 0.0 } } else { Distance { rank, ms } }
}

/// Whether two waits are the same but for the last digits of a product.
pub(crate) fn same(a: Millis, b: Millis) -> bool {
    (a.get() - b.get()).abs() <= a.get() * 1e-12
}

fn candidates(ours: &Backoff, count: u64, engine: &Engine, gridded: bool) -> Vec<Waits> {
    let grid = |grid: Grid| if gridded { grid } else { Grid::ANY };
    let (first, last) = (ours.after(1), ours.after(count));
    let mut all = Vec::new();
    for form in engine.forms {
        for (growth, base) in parameters(*form, first, ours.after(2.min(count)), last, gridded) {
            let delay = if *form == Form::Immediate { Grid::ANY } else { grid(engine.delay) };
            let waits = Waits {
                growth,
                base: delay.place(base),
                cap: None,
                cap_of_later: None,
                rounded: gridded && engine.rounds,
            };
            match engine.cap {
                CapRule::Missing => all.push(waits),
                CapRule::Fixed(cap) => {
                    all.push(Waits { cap_of_later: Some(Millis::saturating(cap)), ..waits });
                }
                CapRule::Optional(cap) => {
                    all.push(waits);
                    all.push(Waits { cap: Some(grid(cap).place(last)), ..waits });
                }
                CapRule::Always(cap) => {
                    all.push(Waits { cap: Some(grid(cap).place(last).max(waits.base)), ..waits });
                }
            }
        }
    }
    all
}

/// The parameters worth a look: an equal table begins with our first wait, and grows from there as
/// our first two do, or ends at our longest.
fn parameters(
    form: Form,
    first: Millis,
    second: Millis,
    last: Millis,
    gridded: bool,
) -> Vec<(Growth, Millis)> {
    let ratio = if first.is_zero() { 1.0 } else { second.get() / first.get() };
    match form {
        Form::Fixed => vec![(Growth::Ratio(1.0), first), (Growth::Ratio(1.0), last)],
        Form::Linear => vec![(Growth::Linear, first)],
        Form::Double => vec![(Growth::Ratio(2.0), first)],
        Form::AnyRatio => {
            vec![(Growth::Ratio(1.0), first), (Growth::Ratio(2.0), first), (Growth::Ratio(ratio), first)]
        }
        Form::Power if gridded => vec![(Growth::Power, first)],
        // A power that is cut to its own base is the same wait each time.
        Form::Power => vec![(Growth::Power, first), (Growth::Ratio(1.0), first)],
        Form::Natural => vec![(Growth::Natural, first)],
        Form::Spread => vec![(Growth::Spread, first)],
        Form::Immediate => vec![(Growth::Ratio(1.0), Millis::ZERO)],
    }
}
