//! What an HTTP answer says about trying again.

use super::output::to_js;
use crate::failure::Failure;
use crate::hint;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A set of headers; TypeScript makes one of whatever it was given.
    pub type Headers;

    /// A header's value by its lower-case name.
    #[wasm_bindgen(method)]
    fn get(this: &Headers, name: &str) -> Option<String>;
}

/// The failure that an answer with this status is.
#[wasm_bindgen(js_name = httpFailure)]
pub fn http_failure(status: u16, headers: &Headers, wall_clock: f64) -> Result<JsValue, JsValue> {
    to_js(&Failure::http(status, &|name| headers.get(name), wall_clock).to_value())
}

/// The wait in ms that a server asks for, where it does.
#[wasm_bindgen(js_name = parseRetryAfter)]
pub fn parse_retry_after(headers: &Headers, wall_clock: f64) -> Option<f64> {
    hint::retry_after(&|name| headers.get(name), wall_clock).map(crate::millis::Millis::get)
}
