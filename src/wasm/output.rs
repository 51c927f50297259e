//! The core's values as JavaScript's: plain objects, which the host makes from one text. That costs less
//! than a call over the border for each field.

use crate::argument::Misuse;
use crate::json;
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Of a text that is JSON.
    #[wasm_bindgen(js_namespace = JSON)]
    fn parse(text: &str) -> JsValue;
}

/// A value as a plain object.
pub(super) fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    parse(&json::text(value))
}

/// What is thrown for a misuse.
#[cold]
#[inline(never)]
pub(super) fn thrown(misuse: &Misuse) -> JsValue {
    to_js(misuse)
}

/// The end of a function that the core may refuse.
pub(super) fn answer<T: Serialize>(result: Result<T, Misuse>) -> Result<JsValue, JsValue> {
    match result {
        Ok(value) => Ok(to_js(&value)),
        Err(misuse) => Err(thrown(&misuse)),
    }
}
