//! JavaScript's values as the core's. Each reader takes no more of an object than it was asked for,
//! so that a cyclic or endless one can do no harm.

use super::output::thrown;
use crate::argument::refusal;
use crate::value::Value;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;

const INVALID: &str = "INVALID_ARGUMENT";

/// No argument of ours is nested deeper than this (a snapshot's failures).
const DEEPEST: usize = 6;

/// A whole value.
pub(super) fn value(given: &JsValue) -> Result<Value, JsValue> {
    value_within(given, DEEPEST)
}

/// The limits of a step: the three keys that say something about them, and all of `retry`.
pub(super) fn step(given: &JsValue) -> Result<Value, JsValue> {
    if !given.is_object() || Array::is_array(given) {
        return Err(thrown(&refusal(INVALID, vec!["step".into()], "must be an object")));
    }
    picked(given, &[("timeout_seconds", 0), ("idempotent", 0), ("retry", 1)])
}

/// What a plan is asked for beside a run's options; none at all is an empty mapping.
pub(super) fn plan_options(given: &JsValue) -> Result<Value, JsValue> {
    if given.is_undefined() {
        return Ok(Value::Map(Vec::new()));
    }
    picked(given, &[("innerAttempts", 1), ("assume", 0), ("from", 0), ("count", 0)])
}

/// The values of these keys, each to its depth.
fn picked(given: &JsValue, keys: &[(&str, usize)]) -> Result<Value, JsValue> {
    let mut entries = Vec::new();
    for (key, depth) in keys {
        let under = Reflect::get(given, &(*key).into())?;
        if !under.is_undefined() {
            entries.push(((*key).to_owned(), value_within(&under, *depth)?));
        }
    }
    Ok(Value::Map(entries))
}

/// Options: plain values by their names; none at all is an empty mapping.
pub(super) fn options(given: &JsValue) -> Result<Value, JsValue> {
    if given.is_undefined() {
        return Ok(Value::Map(Vec::new()));
    }
    value_within(given, 1)
}

/// How many waits are asked for.
#[cfg(feature = "run")]
pub(super) fn delay_count(count: f64) -> Result<u64, crate::argument::Misuse> {
    /// More than this many numbers at once are asked for by mistake.
    const MOST: u32 = 10_000_000;
    if count.fract() == 0.0 && (0.0..=f64::from(MOST)).contains(&count) {
        return Ok(count as u64);
    }
    Err(refusal(INVALID, vec!["count".into()], &format!("must be a whole number, 0 to {MOST}")))
}

/// A value to a depth; what lies deeper is of no kind that a rule accepts.
fn value_within(given: &JsValue, depth: usize) -> Result<Value, JsValue> {
    if given.is_undefined() || given.is_null() {
        return Ok(Value::Null);
    }
    if let Some(flag) = given.as_bool() {
        return Ok(Value::Bool(flag));
    }
    if let Some(number) = given.as_f64() {
        return Ok(Value::Number(number));
    }
    if let Some(text) = given.as_string() {
        return Ok(Value::Text(text));
    }
    if !given.is_object() {
        return Ok(Value::Other);
    }
    if let Some(list) = given.dyn_ref::<Array>() {
        let mut items = Vec::new();
        if depth > 0 {
            for item in list.iter() {
                items.push(value_within(&item, depth - 1)?);
            }
        }
        return Ok(Value::List(items));
    }
    match depth {
        0 => Ok(Value::Other),
        _ => entries(given, depth - 1).map(Value::Map),
    }
}

/// The entries of an object; one that is `undefined` is absent.
fn entries(given: &JsValue, depth: usize) -> Result<Vec<(String, Value)>, JsValue> {
    let mut entries = Vec::new();
    for key in Object::keys(given.unchecked_ref::<Object>()) {
        let under = Reflect::get(given, &key)?;
        if !under.is_undefined() {
            entries.push((key.as_string().unwrap_or_default(), value_within(&under, depth)?));
        }
    }
    Ok(entries)
}
