//! What a step's limits will do.

use super::asked::{Asked, asked};
use super::input::{self, given};
use super::output::{thrown, to_js};
use crate::advice;
use crate::plan::{self, Plan, PlanOptions, RowOptions};
use wasm_bindgen::prelude::*;

/// What a step's limits will do: of options and a step.
#[wasm_bindgen(js_name = plan)]
pub fn plan_of(bytes: usize) -> Result<JsValue, JsValue> {
    asked(bytes, &|asked, _| {
        let options = PlanOptions::read(&asked.given).map_err(|misuse| thrown(&misuse))?;
        let advice = advice::advice(&asked.options.name, &asked.step);
        Ok(to_js(&Plan::new(&asked.options.name, &asked.policy(), &options, advice)))
    })
}

/// A page of a plan's attempts: of options and a step.
#[wasm_bindgen(js_name = planRows)]
pub fn plan_rows(bytes: usize) -> Result<JsValue, JsValue> {
    asked(bytes, &|asked, _| Ok(to_js(&plan::rows(&asked.policy(), page(asked)?))))
}

pub(super) fn page(asked: &Asked) -> Result<RowOptions, JsValue> {
    RowOptions::read(&asked.given).map_err(|misuse| thrown(&misuse))
}

/// The waits after the first `count` attempts: of options and a step.
#[wasm_bindgen]
pub fn delays(bytes: usize, count: f64) -> Result<Vec<f64>, JsValue> {
    let asked = Asked::read(&mut given(0..bytes))?;
    let count = input::delay_count(count).map_err(|misuse| thrown(&misuse))?;
    Ok(plan::delays(&asked.policy(), count))
}
