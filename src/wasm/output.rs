//! The core's values as JavaScript's: plain objects, as `JSON.parse` would make them.

use crate::argument::Misuse;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// A value as a plain object.
pub(super) fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(JsValue::from)
}

/// What is thrown for a misuse.
pub(super) fn thrown(misuse: &Misuse) -> JsValue {
    to_js(misuse).unwrap_or_else(|error| error)
}

/// The end of a function that the core may refuse.
pub(super) fn answer<T: Serialize>(result: Result<T, Misuse>) -> Result<JsValue, JsValue> {
    result.map_err(|misuse| thrown(&misuse)).and_then(|value| to_js(&value))
}
