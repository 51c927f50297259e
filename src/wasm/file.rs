//! Checking a workflow file.

use super::input::options;
use super::output::{thrown, to_js};
use super::trap::trap_in;
use crate::argument::Misuse;
use crate::check;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    /// Texts come in here: JavaScript encodes them straight into this memory, and no copy is made.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where `bytes` bytes of text can be written until the next call.
#[wasm_bindgen(js_name = textBuffer)]
pub fn text_buffer(bytes: usize) -> *const u8 {
    TEXT.with_borrow_mut(|text| {
        if text.len() < bytes {
            // What is in there is of no more use: growing in place would copy it.
            *text = vec![0; bytes.next_power_of_two()];
        }
        text.as_ptr()
    })
}

/// Checks the first `bytes` bytes of the text buffer.
#[wasm_bindgen]
pub fn validate(bytes: usize, strict: bool, recover: bool, limits: &JsValue) -> Result<JsValue, JsValue> {
    let limits = check::Limits::read(&options(limits)?).map_err(|misuse| thrown(&misuse))?;
    TEXT.with_borrow(|text| {
        let source = text.get(..bytes).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let source = source.ok_or_else(|| thrown(&Misuse::new("NOT_UTF8", "the source is not UTF-8")))?;
        trap_in("validate", source);
        let options = check::Options { strict, recover, limits };
        to_js(&check::check(source, &options))
    })
}
