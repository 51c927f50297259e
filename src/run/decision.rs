//! What a run asks of its caller, and the plain data that it is told as.

use super::machine::StepRun;
use crate::millis::Millis;
use crate::value::Value;

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
        let number = |span: Option<Millis>| Some(span.map_or(Value::Null, Value::from));
        match self.next(now) {
            Decision::Attempt { attempt, timeout, clipped_to } => Value::entries(vec![
                ("do", Some("attempt".into())),
                ("attempt", Some(attempt.into())),
                ("timeoutMs", number(timeout)),
                ("clippedToMs", clipped_to.map(Value::from)),
            ]),
            Decision::Wait { wait, until } => Value::entries(vec![
                ("do", Some("wait".into())),
                ("ms", Some(wait.into())),
                ("untilMs", Some(until.into())),
            ]),
            Decision::Running { attempt, until } => Value::entries(vec![
                ("do", Some("running".into())),
                ("attempt", Some(attempt.into())),
                ("untilMs", number(until)),
            ]),
            Decision::Done => {
                Value::entries(vec![("do", Some("done".into())), ("result", self.tell_result())])
            }
        }
    }
}
