//! Reading what a caller hands over: options, outcomes, snapshots. A value that is not what it has
//! to be is refused by its path; nothing is guessed and nothing is dropped in silence.

use crate::millis::Millis;
use crate::named::Named;
use crate::value::{PathItem, Value};
use serde::Serialize;

/// A call that cannot be carried out, and why: what JavaScript gets as a `StepRetryError`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Misuse {
    /// `INVALID_ARGUMENT`, `WRONG_STATE`, `SNAPSHOT_INVALID`, `SNAPSHOT_VERSION`, or the code of a
    /// refused policy.
    pub code: &'static str,
    /// One sentence: what was wrong, and what is right.
    pub message: String,
    /// The way from the argument to the value at fault; empty where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<PathItem>,
}

impl Misuse {
    /// A misuse without a path.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), path: Vec::new() }
    }
}

/// The refusal of what stands at `path`.
pub(crate) fn refusal(code: &'static str, path: Vec<PathItem>, demand: &str) -> Misuse {
    Misuse { code, message: format!("'{}' {demand}", dotted(&path)), path }
}

/// One mapping that a caller handed over.
pub(crate) struct Arguments<'a> {
    code: &'static str,
    at: Vec<PathItem>,
    map: &'a Value,
}

/// A way as people write it: `outcomes[0].ms`.
fn dotted(path: &[PathItem]) -> String {
    let mut text = String::new();
    for item in path {
        match item {
            PathItem::Index(index) => text.push_str(&format!("[{index}]")),
            PathItem::Key(key) if text.is_empty() => text.push_str(key),
            PathItem::Key(key) => text.push_str(&format!(".{key}")),
        }
    }
    text
}

impl<'a> Arguments<'a> {
    /// The mapping that the argument `name` is; a refusal carries `code`.
    pub(crate) fn new(code: &'static str, name: &str, map: &'a Value) -> Result<Self, Misuse> {
        Self::at(code, vec![name.into()], map)
    }

    fn at(code: &'static str, at: Vec<PathItem>, map: &'a Value) -> Result<Self, Misuse> {
        match map {
            Value::Map(_) => Ok(Self { code, at, map }),
            _ => Err(refusal(code, at, "must be an object")),
        }
    }

    /// The mapping at `index` of the list that stands at `at`.
    pub(crate) fn item(
        code: &'static str,
        at: &[PathItem],
        index: usize,
        item: &'a Value,
    ) -> Result<Self, Misuse> {
        let mut at = at.to_vec();
        at.push(PathItem::Index(index));
        Self::at(code, at, item)
    }

    /// The refusal of what stands under `key`.
    pub(crate) fn refuse(&self, key: &str, demand: &str) -> Misuse {
        refusal(self.code, self.way_to(key), demand)
    }

    /// The way to what stands under `key`.
    pub(crate) fn way_to(&self, key: &str) -> Vec<PathItem> {
        let mut path = self.at.clone();
        path.push(key.into());
        path
    }

    pub(crate) fn value(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key)
    }

    /// What `key` must have, where absent is wrong.
    pub(crate) fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, Misuse> {
        value.ok_or_else(|| self.refuse(key, "is missing"))
    }

    pub(crate) fn map(&self, key: &str) -> Result<Option<Self>, Misuse> {
        self.value(key).map(|map| Self::at(self.code, self.way_to(key), map)).transpose()
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<&'a str>, Misuse> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(_) => Err(self.refuse(key, "must be a string")),
        }
    }

    pub(crate) fn owned_text(&self, key: &str) -> Result<Option<String>, Misuse> {
        Ok(self.text(key)?.map(str::to_owned))
    }

    pub(crate) fn flag(&self, key: &str) -> Result<Option<bool>, Misuse> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.refuse(key, "must be true or false")),
        }
    }

    /// A finite number.
    pub(crate) fn number(&self, key: &str) -> Result<Option<f64>, Misuse> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Number(number)) if number.is_finite() => Ok(Some(*number)),
            Some(_) => Err(self.refuse(key, "must be a finite number")),
        }
    }

    /// A finite number of milliseconds, 0 or more.
    pub(crate) fn millis(&self, key: &str) -> Result<Option<Millis>, Misuse> {
        match self.value(key) {
            None => Ok(None),
            Some(value) => match value.number().and_then(Millis::new) {
                Some(span) => Ok(Some(span)),
                None => Err(self.refuse(key, "must be a number of milliseconds, 0 or more")),
            },
        }
    }

    /// A whole number of `least` or more; beyond 2^64 it is 2^64 − 1.
    pub(crate) fn whole(&self, key: &str, least: u64) -> Result<Option<u64>, Misuse> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Number(n)) if n.is_finite() && n.fract() == 0.0 && *n >= least as f64 => {
                Ok(Some(*n as u64))
            }
            Some(_) => Err(self.refuse(key, &format!("must be a whole number, {least} or more"))),
        }
    }

    /// One of a set of words.
    pub(crate) fn named<T: Named>(&self, key: &str) -> Result<Option<T>, Misuse> {
        let word = match self.value(key) {
            None => return Ok(None),
            Some(Value::Text(name)) => T::from_name(name),
            Some(_) => None,
        };
        let known = || T::NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        word.map(Some).ok_or_else(|| self.refuse(key, &format!("must be one of {}", known())))
    }

    /// The mappings of a list that must be there.
    pub(crate) fn items(&self, key: &str) -> Result<Vec<Self>, Misuse> {
        match self.value(key) {
            Some(Value::List(items)) => {
                let at = self.way_to(key);
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| Self::item(self.code, &at, index, item))
                    .collect()
            }
            _ => Err(self.refuse(key, "must be an array")),
        }
    }
}
