//! A policy in other engines' words, and out of them.

use super::input::{options, step, value};
use super::output::{answer, thrown, to_js};
use crate::argument::{Arguments, Kind, Misuse, refusal};
use crate::export::import::{self, Source};
use crate::export::{self, Target};
use crate::jitter::Jitter;
use crate::named::Named;
use crate::policy::{BudgetMode, Policy, StepLimits};
use wasm_bindgen::prelude::*;

/// A step's limits in the words of `target`.
#[wasm_bindgen(js_name = exportPolicy)]
pub fn export_policy(step_given: &JsValue, target: &JsValue, given: &JsValue) -> Result<JsValue, JsValue> {
    let target = word::<Target>(target, "target")?;
    let name = name(&options(given)?).map_err(|misuse| thrown(&misuse))?;
    let step = step(step_given)?;
    let limits = StepLimits::read(&name, &step).map_err(|refusal| thrown(&refusal.into()))?;
    let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
    to_js(&export::export(&policy, &name, target))
}

/// The limits that `value` means, where it is a policy of `source`.
#[wasm_bindgen(js_name = importPolicy)]
pub fn import_policy(source: &JsValue, given: &JsValue) -> Result<JsValue, JsValue> {
    let source = word::<Source>(source, "source")?;
    answer(import::import(source, &value(given)?))
}

fn word<T: Named>(given: &JsValue, argument: &str) -> Result<T, JsValue> {
    let word = given.as_string().and_then(|word| T::from_name(&word));
    word.ok_or_else(|| {
        let demand = crate::text::concat(&[
            "must be one of ",
            &crate::text::joined(&mut T::WORDS.iter().copied(), ", "),
        ]);
        thrown(&refusal("INVALID_ARGUMENT", vec![argument.into()], &demand))
    })
}

/// What the step is called in the text.
fn name(options: &crate::value::Value) -> Result<String, Misuse> {
    let options = Arguments::new("INVALID_ARGUMENT", "options", options)?;
    let name = options.get("name", Kind::Text)?;
    Ok(name.map_or("step", |name| name.text()).to_owned())
}
