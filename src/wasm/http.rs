//! What an HTTP answer says about trying again.

use super::input::written;
use super::output::to_js;
use crate::failure::Failure;
use crate::hint;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A set of headers; TypeScript makes one of whatever it was given.
    pub type Headers;

    /// Writes a header's value, by its lower-case name, into the text buffer. Gives its length in bytes;
    /// a negative one where there is none.
    #[wasm_bindgen(method)]
    fn get(this: &Headers, name: &str) -> f64;
}

impl Headers {
    fn value(&self, name: &str) -> Option<String> {
        let length = self.get(name);
        let text =
            || written(0..length as usize, |text| String::from_utf8(text.to_vec()).unwrap_or_default());
        (length >= 0.0).then(text)
    }
}

/// The failure that an answer with this status is.
#[wasm_bindgen(js_name = httpFailure)]
pub fn http_failure(status: u16, headers: &Headers, wall_clock: f64) -> JsValue {
    to_js(&Failure::http(status, &|name| headers.value(name), wall_clock).to_value())
}

/// The wait in ms that a server asks for, where it does.
#[wasm_bindgen(js_name = parseRetryAfter)]
pub fn parse_retry_after(headers: &Headers, wall_clock: f64) -> Option<f64> {
    hint::retry_after(&|name| headers.value(name), wall_clock).map(crate::millis::Millis::get)
}
