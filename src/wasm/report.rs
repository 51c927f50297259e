//! What becomes of an attempt, as JavaScript reports it: a number, when, and what belongs to it.

use super::trap::trap_in;
use crate::argument::Misuse;
use crate::failure::Failure;
use crate::millis::Millis;
use crate::run::{Accepted, StepRun};
use crate::value::Value;

/// The numbers, which `pkg/src/run/attempt.ts` has too.
pub(super) const WORKED: f64 = 0.0;
pub(super) const FAILED: f64 = 1.0;
pub(super) const SKIPPED: f64 = 2.0;
pub(super) const STOPPED: f64 = 3.0;
pub(super) const TIMED_OUT: f64 = 4.0;
pub(super) const LOST: f64 = 5.0;

/// Tells the machine. With it comes the JSON text of what the attempt gave where a hash is asked for, its
/// failure, or why it was given up.
pub(super) fn report(run: &mut StepRun, kind: f64, now: Millis, more: &Value) -> Result<Accepted, Misuse> {
    let words = match more {
        Value::Text(words) => Some(words.as_str()),
        _ => None,
    };
    match kind {
        WORKED => return run.succeed(now, words),
        FAILED => {
            let failure = Failure::read(more)?;
            trap_in("fail", run.name());
            return run.fail(now, failure);
        }
        SKIPPED => run.skip(now, words)?,
        TIMED_OUT => {
            run.timeout(now)?;
            return Ok(Accepted::TooLate);
        }
        LOST => run.lost(now)?,
        _ => run.abort(now, words)?,
    }
    Ok(Accepted::Counted)
}
