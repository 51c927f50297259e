//! A policy in another engine's words, and what is lost on the way.
//!
//! An engine is a small model of its own waits: how they grow, between which bounds its numbers lie,
//! what it rounds. The exporter looks for parameters under which the engine's table of waits is
//! equal to ours, and takes the nearest one only where there is none; what it reports is the
//! difference of the two tables. It refuses what would run a step again that has not attested that
//! this does no harm. Nothing here talks to an engine.

mod draft;
mod engine;
mod engines;
pub mod import;
mod judge;
mod loss;
mod search;
mod text;
mod waits;

use crate::policy::Policy;
use crate::value::Value;
use draft::Draft;
pub use engine::Target;
pub use loss::{Loss, LossCode, Verdict};
use serde::Serialize;
use waits::Band;

/// A policy for another engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// The engine's own settings, as plain data.
    pub value: Value,
    /// The same in the engine's own language, with the code that the settings need beside them.
    pub text: String,
    /// The worst of the losses.
    pub verdict: Verdict,
    /// What differs, in the order: attempts, waits, limits, the rest.
    pub losses: Vec<Loss>,
    /// The waits of both, at most 100: one row after each attempt but the last.
    pub waits: Vec<WaitRow>,
}

/// One wait, ours and theirs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitRow {
    /// Its number, from 1: it follows the attempt of that number.
    pub wait: f64,
    /// Ours, in ms.
    pub ours_ms: f64,
    /// The engine's, in ms; the shortest where it is spread at random.
    pub theirs_ms: f64,
    /// The engine's longest, where it is spread at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theirs_max_ms: Option<f64>,
}

/// At most so many rows of waits are told.
const MOST_ROWS: u64 = 100;

/// `policy` in the words of `target`; `name` is what the text calls the step.
///
/// The policy's jitter is not carried over: it is the runner's option, no part of the file.
pub fn export(policy: &Policy, name: &str, target: Target) -> Export {
    let engine = engines::of(target);
    let need = judge::Need::of(policy);
    let found = search::search(&need.backoff, need.waits(), engine);
    let losses = judge::losses(&need, &found, engine);
    let draft = Draft::new(name, &need, &found, engine);
    let value = (engine.write)(&draft);
    let text = text::fill(engine.template, &draft, &value);
    let rows = (1..=need.waits().min(MOST_ROWS)).map(|wait| row(wait, &need, found.after(wait)));
    Export { value, text, verdict: Verdict::worst(&losses), waits: rows.collect(), losses }
}

fn row(wait: u64, need: &judge::Need, theirs: Band) -> WaitRow {
    WaitRow {
        wait: wait as f64,
        ours_ms: need.backoff.after(wait).get(),
        theirs_ms: theirs.min.get(),
        theirs_max_ms: (theirs.max > theirs.min).then(|| theirs.max.get()),
    }
}
