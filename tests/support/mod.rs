//! What the Rust tests share: the conformance data, read into the crate's own values.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)]

use serde_json::Value as Json;
use step_retry::value::Value;

/// The cases in `tests/cases/{name}`.
pub fn cases(name: &str) -> Vec<Json> {
    let path = format!("{}/tests/cases/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// JSON as the crate sees it.
pub fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => Value::Number(number.as_f64().unwrap()),
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(value).collect()),
        Json::Object(entries) => {
            Value::Map(entries.iter().map(|(key, item)| (key.clone(), value(item))).collect())
        }
    }
}
