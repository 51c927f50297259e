//! What JavaScript hands over: texts and plain values, written into a buffer of this module's memory.
//! TypeScript (`pkg/src/given.ts`) takes no more of an object than was asked for, so that a cyclic or
//! endless one can do no harm.

use super::output::thrown;
use crate::argument::refusal;
use crate::text::text;
use crate::value::Value;
use std::cell::RefCell;
use std::ops::Range;
use wasm_bindgen::prelude::*;

const INVALID: &str = "INVALID_ARGUMENT";

thread_local! {
    /// JavaScript encodes straight into this memory, and no copy is made.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where `bytes` bytes can be written until the next call.
#[wasm_bindgen(js_name = textBuffer)]
pub fn text_buffer(bytes: usize) -> *const u8 {
    BUFFER.with_borrow_mut(|buffer| {
        if buffer.len() < bytes {
            // What is in there is of no more use: growing in place would copy it.
            *buffer = vec![0; bytes.next_power_of_two()];
        }
        buffer.as_ptr()
    })
}

/// Lends these bytes of the buffer to `read`.
pub(super) fn written<R>(place: Range<usize>, read: impl FnOnce(&[u8]) -> R) -> R {
    BUFFER.with_borrow(|buffer| read(buffer.get(place).unwrap_or_default()))
}

/// The values in these bytes of the buffer, from the first on.
pub(super) fn given(place: Range<usize>) -> Given {
    written(place, |bytes| Given(Reader(bytes).values().into_iter()))
}

/// Values that were handed over together.
pub(super) struct Given(std::vec::IntoIter<Value>);

impl Given {
    /// The next one; nothing where there is none.
    pub(super) fn value(&mut self) -> Value {
        self.0.next().unwrap_or(Value::Null)
    }

    /// The next one, which has to be a step.
    pub(super) fn step(&mut self) -> Result<Value, JsValue> {
        match self.value() {
            step @ Value::Map(_) => Ok(step),
            _ => Err(thrown(&refusal(INVALID, vec!["step".into()], "must be an object"))),
        }
    }
}

/// Reads values as TypeScript writes them: a letter for the kind, and what belongs to it.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn values(mut self) -> Vec<Value> {
        let mut values = Vec::new();
        while let Some(kind) = self.byte() {
            let value = self.value(kind);
            values.push(value);
        }
        values
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn next(&mut self) -> Value {
        match self.byte() {
            Some(kind) => self.value(kind),
            None => Value::Null,
        }
    }

    fn value(&mut self, kind: u8) -> Value {
        match kind {
            b't' => Value::Bool(true),
            b'f' => Value::Bool(false),
            b'n' => Value::Number(f64::from_bits(self.number())),
            b's' => Value::Text(self.text()),
            b'[' => Value::List((0..self.number()).map(|_| self.next()).collect()),
            b'{' => Value::Map((0..self.number()).map(|_| (self.text(), self.next())).collect()),
            b'z' => Value::Null,
            _ => Value::Other,
        }
    }

    /// Hexadecimal digits to their end, which is marked.
    fn number(&mut self) -> u64 {
        let mut number = 0;
        while let Some(digit) = self.byte().and_then(|byte| char::from(byte).to_digit(16)) {
            number = number << 4 | u64::from(digit);
        }
        number
    }

    /// A text after the number of its bytes.
    fn text(&mut self) -> String {
        let length = (self.number() as usize).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8(text.to_vec()).unwrap_or_default()
    }
}

/// How many waits are asked for.
#[cfg(feature = "run")]
pub(super) fn delay_count(count: f64) -> Result<u64, crate::argument::Misuse> {
    /// More than this many numbers at once are asked for by mistake.
    const MOST: u32 = 10_000_000;
    if count.fract() == 0.0 && (0.0..=f64::from(MOST)).contains(&count) {
        return Ok(count as u64);
    }
    Err(refusal(INVALID, vec!["count".into()], &text!["must be a whole number, 0 to ", MOST]))
}
