//! The border to JavaScript: each function takes plain values, calls one function of the core, and
//! gives plain values back. Names, types and errors that people see are TypeScript, in `pkg/src/`.
//!
//! What the core refuses is thrown as a plain object `{ code, message, path? }`.

mod driver;
mod http;
mod input;
mod output;
mod step_run;

use crate::advice;
use crate::argument::Misuse;
use crate::check;
use crate::plan::{self, Plan, PlanOptions, RowOptions};
use crate::policy::{Policy, StepLimits};
use crate::run::{self, Lateness, RunOptions, SimulatedOutcome};
pub use driver::run_step;
pub use http::{http_failure, parse_retry_after};
use input::{options, step, value};
use output::{answer, thrown, to_js};
use std::cell::RefCell;
pub use step_run::Run;
use wasm_bindgen::prelude::*;

thread_local! {
    /// Texts come in here: JavaScript encodes them straight into this memory, and no copy is made.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where `bytes` bytes of text can be written until the next call.
#[wasm_bindgen(js_name = textBuffer)]
pub fn text_buffer(bytes: usize) -> *const u8 {
    TEXT.with_borrow_mut(|text| {
        if text.len() < bytes {
            // What is in there is of no more use: growing in place would copy it.
            *text = vec![0; bytes.next_power_of_two()];
        }
        text.as_ptr()
    })
}

/// Checks the first `bytes` bytes of the text buffer.
#[wasm_bindgen]
pub fn validate(bytes: usize, strict: bool, recover: bool, limits: &JsValue) -> Result<JsValue, JsValue> {
    let limits = check::Limits::read(&options(limits)?).map_err(|misuse| thrown(&misuse))?;
    TEXT.with_borrow(|text| {
        let source = text.get(..bytes).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let source = source.ok_or_else(|| thrown(&Misuse::new("NOT_UTF8", "the source is not UTF-8")))?;
        let options = check::Options { strict, recover, limits };
        to_js(&check::check(source, &options))
    })
}

/// A step and the options that its limits are read under.
struct Asked {
    step: crate::value::Value,
    limits: StepLimits,
    options: RunOptions,
}

impl Asked {
    fn read(step_given: &JsValue, options_given: &JsValue) -> Result<Self, JsValue> {
        let options = RunOptions::read(&options(options_given)?).map_err(|misuse| thrown(&misuse))?;
        let step = step(step_given)?;
        let limits = StepLimits::read(&options.name, &step).map_err(|refusal| thrown(&refusal.into()))?;
        Ok(Self { step, limits, options })
    }

    fn policy(&self) -> Policy {
        self.options.policy(&self.limits)
    }
}

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
        run::simulate(asked.limits, &outcomes, asked.options, Lateness::read(&timing)?)
    };
    answer(simulated())
}
