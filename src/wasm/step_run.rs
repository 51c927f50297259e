//! The machine's handle, behind the public TypeScript class `StepRun`.

use super::asked::Asked;
use super::input::value;
use super::output::{thrown, to_js};
use super::trap::trap_in;
use crate::argument::Misuse;
use crate::failure::Failure;
use crate::millis::Millis;
use crate::run::{Accepted, StepRun};
use wasm_bindgen::prelude::*;

/// One step's attempts under its policy.
#[wasm_bindgen]
pub struct Run(StepRun);

#[wasm_bindgen]
impl Run {
    /// A run that has not begun.
    #[wasm_bindgen(constructor)]
    pub fn new(step: &JsValue, options: &JsValue) -> Result<Self, JsValue> {
        let asked = Asked::read(step, options)?;
        Ok(Self(StepRun::new(asked.limits, asked.options)))
    }

    /// A run as `snapshot` left it.
    pub fn restore(snapshot: &JsValue) -> Result<Self, JsValue> {
        StepRun::restore(&value(snapshot)?).map(Self).map_err(|misuse| thrown(&misuse))
    }

    /// What to do at `now`.
    pub fn next(&mut self, now: f64) -> Result<JsValue, JsValue> {
        to_js(&self.0.tell_next(reading(now)?))
    }

    /// The offered attempt begins.
    pub fn begin(&mut self, now: f64) -> Result<(), JsValue> {
        refused(self.0.begin(reading(now)?))
    }

    /// The running attempt costs this much more.
    #[wasm_bindgen(js_name = reportCost)]
    pub fn report_cost(&mut self, cost: f64) -> Result<(), JsValue> {
        refused(self.0.report_cost(cost))
    }

    /// The running attempt worked; `false` where that came too late.
    pub fn succeed(&mut self, now: f64, output: Option<String>) -> Result<bool, JsValue> {
        counted(self.0.succeed(reading(now)?, output.as_deref()))
    }

    /// The running attempt failed; `false` where that came too late.
    pub fn fail(&mut self, now: f64, failure: &JsValue) -> Result<bool, JsValue> {
        let now = reading(now)?;
        let failure = read_failure(failure)?;
        trap_in("fail", self.0.name());
        counted(self.0.fail(now, failure))
    }

    /// The running attempt was stopped at its limit.
    pub fn timeout(&mut self, now: f64) -> Result<(), JsValue> {
        refused(self.0.timeout(reading(now)?))
    }

    /// The running attempt will never be reported.
    pub fn lost(&mut self, now: f64) -> Result<(), JsValue> {
        refused(self.0.lost(reading(now)?))
    }

    /// The caller wants no more of it.
    pub fn abort(&mut self, now: f64, reason: Option<String>) -> Result<(), JsValue> {
        refused(self.0.abort(reading(now)?, reason.as_deref()))
    }

    /// The run as plain data.
    pub fn snapshot(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.snapshot())
    }
}

/// A failure by its public names.
pub(super) fn read_failure(failure: &JsValue) -> Result<Failure, JsValue> {
    Failure::read(&value(failure)?).map_err(|misuse| thrown(&misuse))
}

fn reading(now: f64) -> Result<Millis, JsValue> {
    let misuse = || Misuse::new("INVALID_ARGUMENT", "'nowMs' must be a number of milliseconds, 0 or more");
    Millis::new(now).ok_or_else(|| thrown(&misuse()))
}

fn refused(done: Result<(), Misuse>) -> Result<(), JsValue> {
    done.map_err(|misuse| thrown(&misuse))
}

fn counted(accepted: Result<Accepted, Misuse>) -> Result<bool, JsValue> {
    accepted.map(|accepted| accepted == Accepted::Counted).map_err(|misuse| thrown(&misuse))
}
