//! A step from JavaScript, and the options that its limits are read under.

use super::input::{options, step};
use super::output::thrown;
use crate::policy::{Policy, StepLimits};
use crate::run::RunOptions;
use crate::value::Value;
use wasm_bindgen::JsValue;

/// A step and the options that its limits are read under.
pub(super) struct Asked {
    pub(super) step: Value,
    pub(super) limits: StepLimits,
    pub(super) options: RunOptions,
}

impl Asked {
    pub(super) fn read(step_given: &JsValue, options_given: &JsValue) -> Result<Self, JsValue> {
        let options = RunOptions::read(&options(options_given)?).map_err(|misuse| thrown(&misuse))?;
        let step = step(step_given)?;
        let limits = StepLimits::read(&options.name, &step).map_err(|refusal| thrown(&refusal.into()))?;
        Ok(Self { step, limits, options })
    }

    pub(super) fn policy(&self) -> Policy {
        self.options.policy(&self.limits)
    }
}
