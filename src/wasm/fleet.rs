//! Many at once: workers that fail together, and the totals of many steps.

use super::asked::Asked;
use super::input::given;
use super::output::thrown;
use crate::fleet::{self, FleetOptions, RetryStock};
use crate::millis::Millis;
use crate::plan;
use js_sys::{Float64Array, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The caller's own stock of retries, which never throws into here.
    pub type Stock;

    #[wasm_bindgen(method)]
    fn take(this: &Stock, now: f64) -> bool;

    #[wasm_bindgen(method)]
    fn succeeded(this: &Stock, now: f64);
}

impl RetryStock for Stock {
    fn take(&mut self, now: Millis) -> bool {
        Stock::take(self, now.get())
    }

    fn succeeded(&mut self, now: Millis) {
        Stock::succeeded(self, now.get());
    }
}

/// The load that many workers make which fail together: of options and a step.
#[wasm_bindgen(js_name = simulateFleet)]
pub fn simulate_fleet(bytes: usize, mut stock: Option<Stock>) -> Result<JsValue, JsValue> {
    let asked = Asked::read(&mut given(0..bytes))?;
    let fleet_options = FleetOptions::read(&asked.given).map_err(|misuse| thrown(&misuse))?;
    let stock = stock.as_mut().map(|stock| stock as &mut dyn RetryStock);
    let load = fleet::simulate(&asked.policy(), &fleet_options, stock);
    let load = load.map_err(|misuse| thrown(&misuse))?;
    // Value by value, and not as a text like all else: its lists are long and bare numbers.
    let told = load.serialize(&Serializer::json_compatible())?;
    for (name, list) in [
        ("calls", &load.calls),
        ("served", &load.served),
        ("refused", &load.refused),
        ("capacity", &load.capacity),
    ] {
        Reflect::set(&told, &name.into(), &Float64Array::from(list.as_slice()))?;
    }
    Ok(told)
}

/// The totals of many steps.
#[wasm_bindgen]
pub fn plans(steps: &[f64]) -> Result<Vec<f64>, JsValue> {
    plan::batch::totals(steps).map_err(|misuse| thrown(&misuse))
}
