//! What only those need who look ahead: percentiles under jitter, and a whole run on a virtual clock.

use super::asked::{Asked, asked};
use super::input::given;
use super::output::{answer, to_js};
use super::plan::page;
use crate::plan::{self, Percentiles};
use crate::run::{self, Lateness, SimulatedOutcome};
use crate::value::Value;
use wasm_bindgen::prelude::*;

/// Percentiles of a plan's totals, and of the waits of a page where `by_row`: of options, a step and the
/// percents. A list of pairs: whether it is sampled, and a number for each of the percents. The totals are all
/// waits, then the ends, which are `null` where nothing bounds them.
#[wasm_bindgen]
pub fn percentiles(bytes: usize, by_row: bool) -> Result<JsValue, JsValue> {
    asked(bytes, &|asked, given| {
        let (policy, page) = (asked.policy(), page(asked)?);
        let percents: Vec<f64> = given.value().items().iter().filter_map(Value::number).collect();
        let lists = match by_row {
            true => plan::wait_percentiles(&policy, page, &percents),
            false => plan::total_percentiles(&policy, page.assume, &percents).into(),
        };
        let told = |Percentiles { sampled, values }| {
            let values = values.into_iter().map(Value::Number).collect();
            Value::List(vec![Value::Bool(sampled), Value::List(values)])
        };
        Ok(to_js(&Value::List(lists.into_iter().map(told).collect())))
    })
}

/// A whole run on a virtual clock: of options, a step and the outcomes.
#[wasm_bindgen]
pub fn simulate(bytes: usize) -> Result<JsValue, JsValue> {
    let mut given = given(0..bytes);
    let Asked { limits, options, given: timing, .. } = Asked::read(&mut given)?;
    let outcomes = given.value();
    let simulated = || {
        let outcomes = SimulatedOutcome::read_list(&outcomes)?;
        let result = run::simulate(limits, &outcomes, options, Lateness::read(&timing)?)?;
        Ok(result.to_value())
    };
    answer(simulated())
}
