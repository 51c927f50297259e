//! A step from JavaScript, and the options that its limits are read under.

use super::input::{Given, given};
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
    /// The options as they were given, with what else they say.
    pub(super) given: Value,
}

/// Has `tell` answer what is asked for in the first `bytes` bytes of the buffer: of options, a step, and whatever
/// else it reads.
pub(super) fn asked(
    bytes: usize,
    tell: &dyn Fn(&Asked, &mut Given) -> Result<JsValue, JsValue>,
) -> Result<JsValue, JsValue> {
    let mut given = given(0..bytes);
    let asked = Asked::read(&mut given)?;
    tell(&asked, &mut given)
}

impl Asked {
    /// Out of the next two values: the options, then the step.
    pub(super) fn read(values: &mut Given) -> Result<Self, JsValue> {
        let given = values.value();
        let options = RunOptions::read(&given).map_err(|misuse| thrown(&misuse))?;
        let step = values.step()?;
        let limits = StepLimits::read(&options.name, &step).map_err(|refusal| thrown(&refusal.into()))?;
        Ok(Self { step, limits, options, given })
    }

    pub(super) fn policy(&self) -> Policy {
        self.options.policy(&self.limits)
    }
}
