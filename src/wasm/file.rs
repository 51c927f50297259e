//! Checking a workflow file.

use super::input::{given, written};
use super::output::{thrown, to_js};
use super::trap::trap_in;
use crate::argument::Misuse;
use crate::check;
use wasm_bindgen::prelude::*;

/// Checks the text in the buffer, which is so many bytes long. The limits of the check are handed over behind
/// it, up to `end`.
#[wasm_bindgen]
pub fn validate(length: usize, end: usize, strict: bool, recover: bool) -> Result<JsValue, JsValue> {
    let limits = given(length..end).value();
    let limits = check::Limits::read(&limits).map_err(|misuse| thrown(&misuse))?;
    written(0..length, |text| {
        let source = std::str::from_utf8(text);
        let source = source.map_err(|_| thrown(&Misuse::new("NOT_UTF8", "the source is not UTF-8")))?;
        trap_in("validate", source);
        let options = check::Options { strict, recover, limits };
        Ok(to_js(&check::check(source, &options)))
    })
}
