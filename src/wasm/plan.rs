//! What a step's limits will do, and a whole run on a virtual clock.

use super::asked::Asked;
use super::input::{self, options, value};
use super::output::{answer, thrown, to_js};
use crate::advice;
use crate::plan::{self, Plan, PlanOptions, RowOptions};
use crate::run::{self, Lateness, SimulatedOutcome};
use wasm_bindgen::prelude::*;

/// What a step's limits will do.
#[wasm_bindgen(js_name = plan)]
pub fn plan_of(step: &JsValue, options_given: &JsValue) -> Result<JsValue, JsValue> {
    let asked = Asked::read(step, options_given)?;
    let plan_options = PlanOptions::read(&options(options_given)?).map_err(|misuse| thrown(&misuse))?;
    let advice = advice::advice(&asked.options.name, &asked.step);
    to_js(&Plan::new(&asked.policy(), plan_options, advice))
}

/// A page of a plan's attempts.
#[wasm_bindgen(js_name = planRows)]
pub fn plan_rows(step: &JsValue, options_given: &JsValue) -> Result<JsValue, JsValue> {
    let asked = Asked::read(step, options_given)?;
    let rows = RowOptions::read(&options(options_given)?).map_err(|misuse| thrown(&misuse))?;
    to_js(&plan::rows(&asked.policy(), rows))
}

/// The waits after the first `count` attempts.
#[wasm_bindgen]
pub fn delays(step: &JsValue, count: f64) -> Result<Vec<f64>, JsValue> {
    let asked = Asked::read(step, &JsValue::UNDEFINED)?;
    let count = input::delay_count(count).map_err(|misuse| thrown(&misuse))?;
    Ok(plan::delays(&asked.policy(), count))
}

/// A whole run on a virtual clock.
#[wasm_bindgen]
pub fn simulate(step: &JsValue, outcomes: &JsValue, options_given: &JsValue) -> Result<JsValue, JsValue> {
    let asked = Asked::read(step, options_given)?;
    let (outcomes, timing) = (value(outcomes)?, options(options_given)?);
    let simulated = || {
        let outcomes = SimulatedOutcome::read_list(&outcomes)?;
        let result = run::simulate(asked.limits, &outcomes, asked.options, Lateness::read(&timing)?)?;
        Ok(result.to_value())
    };
    answer(simulated())
}
