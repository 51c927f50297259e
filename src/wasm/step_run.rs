//! The machine's handle, behind the public TypeScript class `StepRun`.

use super::asked::Asked;
use super::input::{Given, given};
use super::output::{answer, thrown, to_js};
use super::trap::trap_in;
use crate::argument::Misuse;
use crate::failure::Failure;
use crate::millis::Millis;
use crate::run::{Accepted, StepRun};
use crate::value::Value;
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

    /// Tells what happened at `now`, or asks for what to do: a word, and what belongs to it.
    pub fn tell(&mut self, now: f64, bytes: usize) -> Result<JsValue, JsValue> {
        let mut given = given(0..bytes);
        let word = given.text().unwrap_or_default();
        answer(self.heard(&word, now, given))
    }

    /// The run as plain data.
    pub fn snapshot(&mut self) -> JsValue {
        to_js(&self.0.snapshot())
    }
}

impl Run {
    /// What came of it: a decision, or whether it counted.
    fn heard(&mut self, word: &str, now: f64, mut given: Given) -> Result<Value, Misuse> {
        if word == "reportCost" {
            let cost = given.value().number().unwrap_or_default();
            return self.0.report_cost(cost).map(|()| Value::Bool(true));
        }
        let now = reading(now)?;
        let run = &mut self.0;
        match word {
            "next" => return Ok(run.tell_next(now)),
            "begin" => run.begin(now)?,
            "succeed" => return run.succeed(now, given.text().as_deref()).map(counted),
            "fail" => {
                let failure = Failure::read(&given.value())?;
                trap_in("fail", run.name());
                return run.fail(now, failure).map(counted);
            }
            "timeout" => run.timeout(now)?,
            "lost" => run.lost(now)?,
            _ => run.abort(now, given.text().as_deref())?,
        }
        Ok(Value::Bool(true))
    }
}

fn reading(now: f64) -> Result<Millis, Misuse> {
    let misuse = || Misuse::new("INVALID_ARGUMENT", "'nowMs' must be a number of milliseconds, 0 or more");
    Millis::new(now).ok_or_else(misuse)
}

fn counted(accepted: Accepted) -> Value {
    Value::Bool(accepted == Accepted::Counted)
}
