//! A run as plain data, to be kept and taken up again, also in another process.
//!
//! A snapshot carries a version and is checked field by field on its way back in: what a run could
//! not have written is refused, never repaired. Where the clock of the new process is another one
//! than the old one's, give both the wall clock.

use super::machine::{Bound, State, StepRun};
use super::options::{RunOptions, Written};
use super::record::{
    AttemptRecord, AttemptStatus, Cost, ExhaustedBy, Outcome, RecordedError, RunError, as_number,
};
use crate::argument::{Arguments, Misuse};
use crate::failure::{Category, Failure};
use crate::millis::Millis;
use crate::policy::StepLimits;
use crate::value::Value;
use serde::Serialize;
use std::collections::VecDeque;

/// The version of snapshots that this crate writes and reads.
pub(super) const VERSION: f64 = 1.0;

const INVALID: &str = "SNAPSHOT_INVALID";

/// A run as plain data.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot<'a> {
    version: f64,
    step: &'a StepLimits,
    options: Written<'a>,
    state: WrittenState<'a>,
    clock_ms: Millis,
    #[serde(skip_serializing_if = "Option::is_none")]
    began_ms: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_ms: Option<Millis>,
    wait_ms: Millis,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn_ms: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_failure: Option<&'a Failure>,
    overrun_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt_cost: Option<f64>,
    attempts: &'a VecDeque<AttemptRecord>,
    #[serde(serialize_with = "as_number")]
    omitted: u64,
    busy_ms: Millis,
    cost: Cost,
}

#[derive(Serialize)]
#[serde(tag = "is", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum WrittenState<'a> {
    Ready {
        attempt: f64,
        not_before_ms: Millis,
        #[serde(skip_serializing_if = "Option::is_none")]
        offer: Option<WrittenBound>,
    },
    Running {
        attempt: f64,
        since_ms: Millis,
        bound: WrittenBound,
    },
    Ended {
        outcome: Outcome,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a RunError>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenBound {
    #[serde(skip_serializing_if = "Option::is_none")]
    limit_ms: Option<Millis>,
    clipped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_ms: Option<Millis>,
}

impl From<Bound> for WrittenBound {
    fn from(bound: Bound) -> Self {
        Self { limit_ms: bound.limit, clipped: bound.clipped, left_ms: bound.left }
    }
}

impl StepRun {
    /// This run as plain data.
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            version: VERSION,
            step: &self.limits,
            options: self.options.written(),
            state: match &self.state {
                State::Ready { attempt, not_before, offer } => WrittenState::Ready {
                    attempt: *attempt as f64,
                    not_before_ms: *not_before,
                    offer: offer.map(WrittenBound::from),
                },
                State::Running { attempt, since, bound } => WrittenState::Running {
                    attempt: *attempt as f64,
                    since_ms: *since,
                    bound: WrittenBound::from(*bound),
                },
                State::Ended { outcome, error } => {
                    WrittenState::Ended { outcome: *outcome, error: error.as_ref() }
                }
            },
            clock_ms: self.clock,
            began_ms: self.began,
            paused_ms: self.paused,
            wait_ms: self.wait,
            drawn_ms: self.drawn,
            last_failure: self.last_failure.as_ref(),
            overrun_ms: self.overrun,
            attempt_cost: self.attempt_cost,
            attempts: &self.attempts,
            omitted: self.omitted,
            busy_ms: self.busy,
            cost: self.cost,
        }
    }

    /// Takes a run up again where `snapshot` left it.
    ///
    /// # Errors
    /// `SNAPSHOT_VERSION` for a version this crate does not know, `SNAPSHOT_INVALID` with the path
    /// of the first field that no run could have written.
    pub fn restore(snapshot: &Value) -> Result<Self, Misuse> {
        let field = Arguments::new(INVALID, "snapshot", snapshot)?;
        check_version(&field)?;
        let step = field.required("step", field.value("step"))?;
        let options = RunOptions::read_from(&field.required("options", field.map("options")?)?)?;
        let limits = StepLimits::read(&options.name, step)
            .map_err(|refusal| field.refuse("step", &format!("is refused: {}", refusal.message)))?;
        let mut run = Self::new(limits, options);
        run.clock = required_millis(&field, "clockMs")?;
        run.began = field.millis("beganMs")?;
        run.paused = field.millis("pausedMs")?;
        run.wait = required_millis(&field, "waitMs")?;
        run.drawn = field.millis("drawnMs")?;
        run.last_failure = field.map("lastFailure")?.map(|failure| Failure::read(&failure)).transpose()?;
        run.overrun = field.required("overrunMs", field.number("overrunMs")?)?;
        run.attempt_cost = field.number("attemptCost")?;
        run.omitted = field.required("omitted", field.whole("omitted", 0)?)?;
        run.busy = required_millis(&field, "busyMs")?;
        run.cost = read_cost(&field)?;
        run.attempts = run.read_attempts(&field)?;
        run.state = run.read_state(&field.required("state", field.map("state")?)?)?;
        run.check_story(&field)?;
        Ok(run)
    }

    fn read_state(&self, state: &Arguments<'_>) -> Result<State, Misuse> {
        match state.text("is")? {
            Some("ready") => Ok(State::Ready {
                attempt: self.read_attempt_number(state)?,
                not_before: required_millis(state, "notBeforeMs")?,
                offer: state.map("offer")?.map(|bound| read_bound(&bound)).transpose()?,
            }),
            Some("running") => Ok(State::Running {
                attempt: self.read_attempt_number(state)?,
                since: required_millis(state, "sinceMs")?,
                bound: read_bound(&state.required("bound", state.map("bound")?)?)?,
            }),
            Some("ended") => Ok(State::Ended {
                outcome: state
                    .required("outcome", state.one_of("outcome", &Outcome::NAMES, Outcome::from_name)?)?,
                error: state.map("error")?.map(|error| read_error(&error)).transpose()?,
            }),
            _ => Err(state.refuse("is", "must be one of ready, running, ended")),
        }
    }

    fn read_attempt_number(&self, state: &Arguments<'_>) -> Result<u64, Misuse> {
        let attempt = state.required("attempt", state.whole("attempt", 1)?)?;
        if attempt > self.policy.max_attempts {
            return Err(state.refuse("attempt", "is above the step's max_attempts"));
        }
        Ok(attempt)
    }

    fn read_attempts(&self, field: &Arguments<'_>) -> Result<VecDeque<AttemptRecord>, Misuse> {
        let items = field.required("attempts", field.list("attempts")?)?;
        let read = |(index, item)| {
            let attempt = Arguments::item(INVALID, &field.way_to("attempts"), index, item)?;
            let record = read_attempt(&attempt)?;
            if record.attempt != self.omitted + index as u64 + 1 || record.of != self.policy.max_attempts {
                return Err(attempt.refuse("attempt", "is out of order"));
            }
            Ok(record)
        };
        items.iter().enumerate().map(read).collect()
    }

    /// Whether the parts tell one story: attempts are numbered without a gap, and times are in order.
    fn check_story(&self, field: &Arguments<'_>) -> Result<(), Misuse> {
        let recorded = self.omitted + self.attempts.len() as u64;
        let (expected, latest) = match &self.state {
            State::Ready { attempt, .. } => (*attempt - 1, self.paused),
            State::Running { attempt, since, .. } => (*attempt - 1, Some(*since)),
            State::Ended { outcome, error } => {
                if (*outcome == Outcome::Succeeded) != error.is_none() {
                    return Err(field.refuse("state.error", "does not go with the outcome"));
                }
                (recorded, self.paused)
            }
        };
        if recorded != expected {
            return Err(field.refuse("attempts", "do not lead to the state"));
        }
        let begun = matches!(self.state, State::Running { .. }) || recorded > 0;
        if self.began.is_some() != begun || self.paused.is_some() != (recorded > 0) {
            return Err(field.refuse("beganMs", "does not go with the attempts"));
        }
        if self.began > latest.or(self.began) || latest.is_some_and(|latest| latest > self.clock) {
            return Err(field.refuse("clockMs", "is before what it has seen"));
        }
        Ok(())
    }
}

fn check_version(field: &Arguments<'_>) -> Result<(), Misuse> {
    match field.value("version") {
        Some(Value::Number(VERSION)) => Ok(()),
        Some(Value::Number(other)) => Err(Misuse {
            code: "SNAPSHOT_VERSION",
            ..field.refuse("version", &format!("is {other}; this version of step-retry reads {VERSION}"))
        }),
        _ => Err(field.refuse("version", "must be a number")),
    }
}

fn required_millis(field: &Arguments<'_>, key: &str) -> Result<Millis, Misuse> {
    field.required(key, field.millis(key)?)
}

fn read_bound(bound: &Arguments<'_>) -> Result<Bound, Misuse> {
    Ok(Bound {
        limit: bound.millis("limitMs")?,
        clipped: bound.required("clipped", bound.flag("clipped")?)?,
        left: bound.millis("leftMs")?,
    })
}

fn read_cost(field: &Arguments<'_>) -> Result<Cost, Misuse> {
    match field.value("cost") {
        Some(Value::Text(text)) if text == "unknown" => Ok(Cost::Unknown),
        _ => field.required("cost", field.number("cost")?).map(Cost::Known),
    }
}

fn read_exhausted_by(field: &Arguments<'_>) -> Result<Option<ExhaustedBy>, Misuse> {
    field.one_of("exhausted_by", &ExhaustedBy::NAMES, ExhaustedBy::from_name)
}

fn read_error(error: &Arguments<'_>) -> Result<RunError, Misuse> {
    Ok(RunError {
        code: error.required_text("code")?,
        message: error.required_text("message")?,
        retryable: error.required("retryable", error.flag("retryable")?)?,
        attempts: error.required("attempts", error.whole("attempts", 0)?)?,
        exhausted_by: read_exhausted_by(error)?,
        cause: error.map("cause")?.map(|cause| Failure::read(&cause)).transpose()?,
    })
}

fn read_attempt(attempt: &Arguments<'_>) -> Result<AttemptRecord, Misuse> {
    let error = attempt.map("error")?.map(|error| {
        Ok::<_, Misuse>(RecordedError {
            code: error.required_text("code")?,
            message: error.required_text("message")?,
            retryable: error.required("retryable", error.flag("retryable")?)?,
            category: error.one_of("category", &Category::NAMES, Category::from_name)?,
        })
    });
    let status = attempt.one_of("status", &AttemptStatus::NAMES, AttemptStatus::from_name)?;
    Ok(AttemptRecord {
        attempt: attempt.required("attempt", attempt.whole("attempt", 1)?)?,
        of: attempt.required("of", attempt.whole("of", 1)?)?,
        status: attempt.required("status", status)?,
        started_at_ms: required_millis(attempt, "started_at_ms")?,
        duration_ms: required_millis(attempt, "duration_ms")?,
        error: error.transpose()?,
        effective_timeout_seconds: match attempt.value("effective_timeout_seconds") {
            Some(Value::Null) => None,
            _ => attempt.number("effective_timeout_seconds")?,
        },
        clipped_to_ms: attempt.millis("clipped_to_ms")?,
        wait_before_ms: required_millis(attempt, "wait_before_ms")?,
        late_ms: attempt.millis("late_ms")?.unwrap_or_default(),
        cost: attempt.number("cost")?,
        evidence_hash: attempt.text("evidence_hash")?.map(str::to_owned),
        exhausted_by: read_exhausted_by(attempt)?,
    })
}
