//! What a run asks of its caller, and the plain data that it is told as.

use super::machine::StepRun;
use crate::millis::Millis;
use crate::value::{Entries, Value};

/// What the caller is to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Begin this attempt: tell [`StepRun::begin`], then run it.
    Attempt {
        /// Its number, from 1.
        attempt: u64,
        /// The longest it may run; `None` where it has no limit.
        timeout: Option<Millis>,
        /// The same, where the total limit left it less than its full timeout.
        clipped_to: Option<Millis>,
    },
    /// Nothing until then.
    Wait {
        /// How long from now.
        wait: Millis,
        /// The clock's reading at the end of it.
        until: Millis,
    },
    /// An attempt is running; report how it ended, or that it ran to its limit.
    Running {
        /// Its number.
        attempt: u64,
        /// The clock's reading at its limit; past it, the attempt is overdue.
        until: Option<Millis>,
    },
    /// The run has ended; see [`StepRun::result`].
    Done,
}

impl StepRun {
    /// What to do at `now`, by its public names; of a run that has ended, with its result.
    pub fn tell_next(&mut self, now: Millis) -> Value {
        let mut told = Entries::default();
        match self.next(now) {
            Decision::Attempt { attempt, timeout, clipped_to } => {
                told.text("do", "attempt");
                told.count("attempt", attempt);
                told.millis_or_null("timeoutMs", timeout);
                told.maybe_millis("clippedToMs", clipped_to);
            }
            Decision::Wait { wait, until } => {
                told.text("do", "wait");
                told.millis("ms", wait);
                told.millis("untilMs", until);
            }
            Decision::Running { attempt, until } => {
                told.text("do", "running");
                told.count("attempt", attempt);
                told.millis_or_null("untilMs", until);
            }
            Decision::Done => {
                told.text("do", "done");
                if let Some(result) = self.tell_result() {
                    told.put("result", result);
                }
            }
        }
        told.done()
    }
}
