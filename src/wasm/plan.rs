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
    let plan_options = input::plan_options(options_given)?;
    let plan_options = PlanOptions::read(&plan_options).map_err(|misuse| thrown(&misuse))?;
    let advice = advice::advice(&asked.options.name, &asked.step);
    to_js(&Plan::new(&asked.options.name, &asked.policy(), &plan_options, advice))
}

/// A page of a plan's attempts.
#[wasm_bindgen(js_name = planRows)]
pub fn plan_rows(step: &JsValue, options_given: &JsValue) -> Result<JsValue, JsValue> {
    let asked = Asked::read(step, options_given)?;
    to_js(&plan::rows(&asked.policy(), page(options_given)?))
}

/// Percentiles of a plan's totals, and of the waits of a page where `by_row`: lists one after the other,
/// each of whether it is sampled and a number for each of `percents`. The totals are all waits, then the
/// ends, which are `NaN` where nothing bounds them.
#[wasm_bindgen]
pub fn percentiles(
    step: &JsValue,
    options_given: &JsValue,
    percents: &[f64],
    by_row: bool,
) -> Result<Vec<f64>, JsValue> {
    let policy = Asked::read(step, options_given)?.policy();
    let page = page(options_given)?;
    let lists = match by_row {
        true => plan::wait_percentiles(&policy, page, percents),
        false => plan::total_percentiles(&policy, page.assume, percents).into(),
    };
    let mut numbers = Vec::new();
    for list in lists {
        numbers.push(f64::from(u8::from(list.sampled)));
        numbers.extend(list.values);
    }
    Ok(numbers)
}

fn page(options_given: &JsValue) -> Result<RowOptions, JsValue> {
    RowOptions::read(&input::plan_options(options_given)?).map_err(|misuse| thrown(&misuse))
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
