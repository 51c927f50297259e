//! A run as plain data, to be kept and taken up again, also in another process.
//!
//! A snapshot carries a version and is checked field by field on its way back in: what a run could
//! not have written is refused, never repaired. Where the clock of the new process is another one
//! than the old one's, give both the wall clock.

use super::machine::{Bound, State, StepRun};
use super::options::RunOptions;
use super::record::{Outcome, UNKNOWN_COST};
use crate::argument::{Arguments, Misuse};
use crate::codec::{self, Codec, Fields};
use crate::millis::Millis;
use crate::named::named;
use crate::policy::StepLimits;
use crate::text::text;
use crate::value::Value;

/// The version of snapshots that this crate writes and reads.
const VERSION: f64 = 1.0;

const INVALID: &str = "SNAPSHOT_INVALID";

const ARGUMENT: &str = "snapshot";

impl StepRun {
    /// This run as plain data. It is only lent, and goes on as if nothing had been asked.
    pub fn snapshot(&mut self) -> Value {
        let mut told = vec![
            ("version".into(), Value::Number(VERSION)),
            ("step".into(), codec::write(&mut self.limits)),
            ("options".into(), codec::write(&mut self.options)),
        ];
        if let Value::Map(state) = codec::write(self) {
            told.extend(state);
        }
        Value::Map(told)
    }

    /// Takes a run up again where `snapshot` left it.
    ///
    /// # Errors
    /// `SNAPSHOT_VERSION` for a version this crate does not know, `SNAPSHOT_INVALID` with the path
    /// of the first field that no run could have written.
    pub fn restore(snapshot: &Value) -> Result<Self, Misuse> {
        let from = Arguments::new(INVALID, ARGUMENT, snapshot)?;
        check_version(&from, snapshot)?;
        // What a caller may leave out, a snapshot may not.
        let options = from.required("options", from.map("options")?)?;
        let options = codec::read_whole(RunOptions::default(), options)?;
        let limits = StepLimits::read(&options.name, from.required("step", from.value("step"))?)
            .map_err(|refusal| from.refuse("step", &text!["is refused: ", refusal.message]))?;
        codec::read(Self::new(limits, options), from)
    }
}

fn check_version(from: &Arguments<'_>, snapshot: &Value) -> Result<(), Misuse> {
    match from.value("version") {
        Some(Value::Number(VERSION)) => Ok(()),
        Some(Value::Number(_)) => {
            let from = Arguments::new("SNAPSHOT_VERSION", ARGUMENT, snapshot)?;
            Err(from.refuse("version", "is of another step-retry than this one, which reads version 1"))
        }
        _ => Err(from.refuse("version", "must be a number")),
    }
}

/// What changes while a run goes on; its step and options stand beside it.
impl Fields for StepRun {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.nested("state", &mut self.state);
        codec.millis("clockMs", &mut self.clock);
        codec.maybe_millis("beganMs", &mut self.began);
        codec.maybe_millis("pausedMs", &mut self.paused);
        codec.millis("waitMs", &mut self.wait);
        codec.maybe_millis("drawnMs", &mut self.drawn);
        codec.maybe_nested("lastFailure", &mut self.last_failure);
        codec.number("overrunMs", &mut self.overrun);
        codec.maybe_number("attemptCost", &mut self.attempt_cost);
        codec.list("attempts", &mut self.attempts);
        codec.count("omitted", &mut self.omitted);
        codec.millis("busyMs", &mut self.busy);
        codec.number_or("cost", &mut self.cost, UNKNOWN_COST);
        self.check_story(codec);
    }
}

impl StepRun {
    /// Whether the parts tell one story: attempts are numbered without a gap, and times are in order.
    fn check_story(&self, codec: &mut Codec<'_>) {
        let recorded = self.attempts_begun();
        let (made, since, ended) = match self.state {
            State::Ready { attempt, .. } => (attempt.checked_sub(1), None, false),
            State::Running { attempt, since, .. } => (attempt.checked_sub(1), Some(since), false),
            State::Ended { .. } => (Some(recorded), None, true),
        };
        codec.demand(made == Some(recorded), "attempts", "do not lead to the state");
        let at_most = self.policy.max_attempts - u64::from(!ended);
        codec.demand(recorded <= at_most, "attempts", "are more than the step's max_attempts");
        let mut number = self.omitted;
        let in_order = self.attempts.iter().all(|record| {
            number += 1;
            record.attempt == number && record.of == self.policy.max_attempts
        });
        codec.demand(in_order, "attempts", "are out of order");
        let begun = since.is_some() || recorded > 0;
        codec.demand(self.began.is_some() == begun, "beganMs", "does not go with the attempts");
        codec.demand(self.paused.is_some() == (recorded > 0), "pausedMs", "does not go with the attempts");
        let mut latest = Millis::ZERO;
        let in_order = [self.began, self.paused, since, Some(self.clock)].into_iter().all(|time| {
            let before = latest;
            latest = time.unwrap_or(before);
            before <= latest
        });
        codec.demand(in_order, "clockMs", "is before what it has seen");
        if let State::Ended { outcome, error } = &self.state {
            let goes = (*outcome == Outcome::Succeeded) == error.is_none();
            codec.demand(goes, "state", "has an error that does not go with its outcome");
        }
    }
}

named! {
    /// The names of a run's states.
    enum StateName {
        /// The next attempt may begin, now or later.
        Ready = "ready",
        /// An attempt is running.
        Running = "running",
        /// Nothing will happen any more.
        Ended = "ended",
    }
}

impl State {
    const fn name(&self) -> StateName {
        match self {
            Self::Ready { .. } => StateName::Ready,
            Self::Running { .. } => StateName::Running,
            Self::Ended { .. } => StateName::Ended,
        }
    }

    /// A state of this name, to be read into.
    fn blank(name: StateName) -> Self {
        match name {
            StateName::Ready => Self::Ready { attempt: 0, not_before: Millis::ZERO, offer: None },
            StateName::Running => Self::Running { attempt: 0, since: Millis::ZERO, bound: Bound::default() },
            StateName::Ended => Self::Ended { outcome: Outcome::default(), error: None },
        }
    }
}

impl Fields for State {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        let mut name = self.name();
        codec.named("is", &mut name);
        if name != self.name() {
            *self = Self::blank(name);
        }
        match self {
            Self::Ready { attempt, not_before, offer } => {
                codec.count("attempt", attempt);
                codec.millis("notBeforeMs", not_before);
                codec.maybe_nested("offer", offer);
            }
            Self::Running { attempt, since, bound } => {
                codec.count("attempt", attempt);
                codec.millis("sinceMs", since);
                codec.nested("bound", bound);
            }
            Self::Ended { outcome, error } => {
                codec.named("outcome", outcome);
                codec.maybe_nested("error", error);
            }
        }
    }
}

impl Fields for Bound {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.maybe_millis("limitMs", &mut self.limit);
        codec.flag("clipped", &mut self.clipped);
        codec.maybe_millis("leftMs", &mut self.left);
    }
}
