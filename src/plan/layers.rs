//! Layers that try again inside one another: their attempts multiply.

use crate::advice::{self, Advice};
use crate::argument::{Arguments, Misuse};
use crate::text::{push, text};
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
            let mut layers = Vec::new();
            add(&mut layers, "client", options.whole(OPTION, 1)?);
            return Ok(layers);
        };
        let mut layers = Vec::new();
        if let Some(given) = options.map(OPTION)? {
            for (name, _) in entries {
                add(&mut layers, name, given.whole(name, 1)?);
            }
        }
        Ok(layers)
    }
}

fn add(layers: &mut Vec<Layer>, name: &str, attempts: Option<u64>) {
    if let Some(attempts) = attempts {
        layers.push(Layer { name: name.to_owned(), attempts });
    }
}

/// The calls of so many attempts through all layers.
pub(super) fn calls(attempts: u64, layers: &[Layer]) -> f64 {
    layers.iter().fold(attempts as f64, |calls, layer| (calls * layer.attempts as f64).min(f64::MAX))
}

/// Where at least two layers try again, what that comes to.
pub(super) fn advice(step: &str, attempts: u64, layers: &[Layer]) -> Option<Advice> {
    let (mut tried, mut left) = (times("tries", attempts), 0);
    for layer in layers {
        left += usize::from(layer.attempts > 1);
    }
    if left + usize::from(attempts > 1) < 2 {
        return None;
    }
    for layer in layers.iter().filter(|layer| layer.attempts > 1) {
        left -= 1;
        push(&mut tried, if left == 0 { " and its " } else { ", its " });
        push(&mut tried, &times(&layer.name, layer.attempts));
    }
    Some(advice::layers_multiply(step, &tried, calls(attempts, layers)))
}

fn times(who: &str, count: u64) -> String {
    if count == 1 { [who, " once"].concat() } else { text![who, " ", count, " times"] }
}
