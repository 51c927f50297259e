//! Reading what a caller hands over: options, outcomes, snapshots. A value that is not what it has
//! to be is refused by its path; nothing is guessed and nothing is dropped in silence.

use crate::millis::Millis;
use crate::policy::Refusal;
use crate::value::Value;
use serde::Serialize;

/// A call that cannot be carried out, and why: what JavaScript gets as a `StepRetryError`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Misuse {
    /// `INVALID_ARGUMENT`, `WRONG_STATE`, `SNAPSHOT_INVALID`, `SNAPSHOT_VERSION`, or the code of a
    /// refused policy.
    pub code: &'static str,
    /// One sentence: what was wrong, and what is right.
    pub message: String,
    /// Where in the argument, dotted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Misuse {
    /// A misuse without a path.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), path: None }
    }
}

impl From<Refusal> for Misuse {
    fn from(refusal: Refusal) -> Self {
        Self { code: refusal.code, message: refusal.message, path: Some(refusal.key) }
    }
}

/// One mapping that a caller handed over.
pub(crate) struct Arguments<'a> {
    code: &'static str,
    at: String,
    map: &'a Value,
}

impl<'a> Arguments<'a> {
    /// The mapping `value`, called `at` in messages; a refusal carries `code`.
    pub(crate) fn new(code: &'static str, at: impl Into<String>, map: &'a Value) -> Result<Self, Misuse> {
        let arguments = Self { code, at: at.into(), map };
        match map {
            Value::Map(_) => Ok(arguments),
            _ => Err(arguments.refuse("", "must be an object")),
        }
    }

    /// The refusal of what stands under `key`.
    pub(crate) fn refuse(&self, key: &str, demand: &str) -> Misuse {
        let dot = if key.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{key}", self.at);
        Misuse { code: self.code, message: format!("'{path}' {demand}"), path: Some(path) }
    }

    pub(crate) fn value(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key)
    }

    /// What `key` must have, where absent is wrong.
    pub(crate) fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, Misuse> {
        value.ok_or_else(|| self.refuse(key, "is missing"))
    }

    pub(crate) fn map(&self, key: &str) -> Result<Option<Self>, Misuse> {
        self.value(key).map(|map| Self::new(self.code, format!("{}.{key}", self.at), map)).transpose()
    }

    pub(crate) fn list(&self, key: &str) -> Result<Option<&'a [Value]>, Misuse> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::List(items)) => Ok(Some(items)),
            Some(_) => Err(self.refuse(key, "must be an array")),
        }
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<&'a str>, Misuse> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(_) => Err(self.refuse(key, "must be a string")),
        }
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

    /// One of `names`, as `read` takes it.
    pub(crate) fn one_of<T>(
        &self,
        key: &str,
        names: &[&str],
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Misuse> {
        let refuse = || self.refuse(key, &format!("must be one of {}", names.join(", ")));
        match self.value(key) {
            None => Ok(None),
            Some(Value::Text(name)) => read(name).map(Some).ok_or_else(refuse),
            Some(_) => Err(refuse()),
        }
    }
}
