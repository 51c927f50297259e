//! The machine's handle, behind the public TypeScript class `StepRun`.

use super::asked::Asked;
use super::input::given;
use super::output::{answer, thrown, to_js};
use super::report::report;
use crate::argument::Misuse;
use crate::millis::Millis;
use crate::run::{Accepted, StepRun};
use wasm_bindgen::prelude::*;

/// One step's attempts under its policy.
#[wasm_bindgen]
pub struct Run(StepRun);

#[wasm_bindgen]
impl Run {
    /// A run that has not begun: of options and a step.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: usize) -> Result<Self, JsValue> {
        let asked = Asked::read(&mut given(0..bytes))?;
        Ok(Self(StepRun::new(asked.limits, asked.options)))
    }

    /// A run as `snapshot` left it: of that snapshot.
    pub fn restore(bytes: usize) -> Result<Self, JsValue> {
        let snapshot = given(0..bytes).value();
        StepRun::restore(&snapshot).map(Self).map_err(|misuse| thrown(&misuse))
    }

    /// What to do at `now`.
    pub fn next(&mut self, now: f64) -> Result<JsValue, JsValue> {
        answer(reading(now).map(|now| self.0.tell_next(now)))
    }

    /// The attempt that was offered begins at `now`.
    pub fn begin(&mut self, now: f64) -> Result<(), JsValue> {
        reading(now).and_then(|now| self.0.begin(now)).map_err(|misuse| thrown(&misuse))
    }

    /// The running attempt has cost so much.
    #[wasm_bindgen(js_name = reportCost)]
    pub fn report_cost(&mut self, cost: f64) -> Result<(), JsValue> {
        self.0.report_cost(cost).map_err(|misuse| thrown(&misuse))
    }

    /// Reports what became of the attempt at `now`: of what belongs to it. Gives whether it counted.
    pub fn report(&mut self, kind: f64, now: f64, bytes: usize) -> Result<bool, JsValue> {
        let more = given(0..bytes).value();
        let accepted = reading(now).and_then(|now| report(&mut self.0, kind, now, &more));
        Ok(accepted.map_err(|misuse| thrown(&misuse))? == Accepted::Counted)
    }

    /// The run as plain data.
    pub fn snapshot(&mut self) -> JsValue {
        to_js(&self.0.snapshot())
    }
}

fn reading(now: f64) -> Result<Millis, Misuse> {
    let misuse = || Misuse::new("INVALID_ARGUMENT", "'nowMs' must be a number of milliseconds, 0 or more");
    Millis::new(now).ok_or_else(misuse)
}
