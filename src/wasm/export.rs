//! A policy in other engines' words, and out of them.

use super::input::given;
use super::output::{answer, thrown, to_js};
use crate::argument::{Arguments, Kind, Misuse, refusal};
use crate::export::import::{self, Source};
use crate::export::{self, Target};
use crate::jitter::Jitter;
use crate::named::Named;
use crate::policy::{BudgetMode, Policy, StepLimits};
use crate::value::Value;
use wasm_bindgen::prelude::*;

/// A step's limits in the words of an engine: of its name, options and a step.
#[wasm_bindgen(js_name = exportPolicy)]
pub fn export_policy(bytes: usize) -> Result<JsValue, JsValue> {
    let mut given = given(0..bytes);
    let target = word::<Target>(&given.value(), "target")?;
    let name = name(&given.value()).map_err(|misuse| thrown(&misuse))?;
    let step = given.step()?;
    let limits = StepLimits::read(&name, &step).map_err(|refusal| thrown(&refusal.into()))?;
    let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
    Ok(to_js(&export::export(&policy, &name, target)))
}

/// The limits that another side's policy means: of that side's name, and the policy.
#[wasm_bindgen(js_name = importPolicy)]
pub fn import_policy(bytes: usize) -> Result<JsValue, JsValue> {
    let mut given = given(0..bytes);
    let source = word::<Source>(&given.value(), "source")?;
    answer(import::import(source, &given.value()))
}

fn word<T: Named>(given: &Value, argument: &str) -> Result<T, JsValue> {
    T::from_name(given.text()).ok_or_else(|| {
        let demand = crate::text::concat(&[
            "must be one of ",
            &crate::text::joined(&mut T::WORDS.iter().copied(), ", "),
        ]);
        thrown(&refusal("INVALID_ARGUMENT", vec![argument.into()], &demand))
    })
}

/// What the step is called in the text.
fn name(options: &Value) -> Result<String, Misuse> {
    let options = Arguments::new("INVALID_ARGUMENT", "options", options)?;
    let name = options.get("name", Kind::Text)?;
    Ok(name.map_or("step", |name| name.text()).to_owned())
}
