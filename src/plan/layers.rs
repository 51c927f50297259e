//! Layers that try again inside one another: their attempts multiply.

use crate::advice::{self, Advice};
use crate::argument::{Arguments, Misuse};
use crate::text::{concat, whole};
use crate::value::Value;

/// Something inside an attempt that tries again by itself, such as the client of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// What it is called in advice.
    pub name: String,
    /// How many calls it makes of one that it is asked for; at least 1.
    pub attempts: u64,
}

const OPTION: &str = "innerAttempts";

impl Layer {
    /// Reads a bare number of the step's client, or layers by their names.
    pub(super) fn read(options: &Arguments<'_>) -> Result<Vec<Self>, Misuse> {
        let Some(Value::Map(entries)) = options.value(OPTION) else {
            let client = options.whole(OPTION, 1)?;
            return Ok(client.map(|attempts| Self { name: "client".into(), attempts }).into_iter().collect());
        };
        let mut layers = Vec::new();
        if let Some(given) = options.map(OPTION)? {
            for (name, _) in entries {
                layers.extend(given.whole(name, 1)?.map(|attempts| Self { name: name.clone(), attempts }));
            }
        }
        Ok(layers)
    }
}

/// The calls of so many attempts through all layers.
pub(super) fn calls(attempts: u64, layers: &[Layer]) -> f64 {
    layers.iter().fold(attempts as f64, |calls, layer| (calls * layer.attempts as f64).min(f64::MAX))
}

/// Where at least two layers try again, what that comes to.
pub(super) fn advice(step: &str, attempts: u64, layers: &[Layer]) -> Option<Advice> {
    let retrying = || layers.iter().filter(|layer| layer.attempts > 1);
    let count = retrying().count();
    if count + usize::from(attempts > 1) < 2 {
        return None;
    }
    let mut tried = times("tries", attempts);
    for (index, layer) in retrying().enumerate() {
        tried.push_str(if index + 1 == count { " and its " } else { ", its " });
        tried.push_str(&times(&layer.name, layer.attempts));
    }
    Some(advice::layers_multiply(step, &tried, calls(attempts, layers)))
}

fn times(who: &str, count: u64) -> String {
    if count == 1 { [who, " once"].concat() } else { concat(&[who, " ", &whole(count), " times"]) }
}
