//! The core's values as JavaScript's: plain objects, which the host makes from one text.

use crate::argument::Misuse;
use crate::json;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// A value as a plain object. One text costs less than a call over the border for each field.
pub(super) fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&json::text(value))
}

/// What is thrown for a misuse.
#[cold]
#[inline(never)]
pub(super) fn thrown(misuse: &Misuse) -> JsValue {
    misuse.serialize(&Serializer::json_compatible()).unwrap_or_else(JsValue::from)
}

/// The end of a function that the core may refuse.
pub(super) fn answer<T: Serialize>(result: Result<T, Misuse>) -> Result<JsValue, JsValue> {
    result.map_err(|misuse| thrown(&misuse)).and_then(|value| to_js(&value))
}
