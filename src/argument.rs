//! Reading what a caller hands over: options, outcomes, snapshots. A value that is not what it has
//! to be is refused by its path; nothing is guessed and nothing is dropped in silence.

use crate::millis::Millis;
use crate::text::{concat, joined, push, text};
use crate::value::{PathItem, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A call that cannot be carried out, and why: what JavaScript gets as a `StepRetryError`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misuse {
    /// `INVALID_ARGUMENT`, `WRONG_STATE`, `SNAPSHOT_INVALID`, `SNAPSHOT_VERSION`, or the code of a
    /// refused policy.
    pub code: &'static str,
    /// One sentence: what was wrong, and what is right.
    pub message: String,
    /// The way from the argument to the value at fault; empty where there is none.
    pub path: Vec<PathItem>,
}

/// A mapping and no struct, for whose names serde-wasm-bindgen would keep a hash table.
impl Serialize for Misuse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut told = serializer.serialize_map(None)?;
        told.serialize_entry("code", self.code)?;
        told.serialize_entry("message", &self.message)?;
        if !self.path.is_empty() {
            told.serialize_entry("path", &self.path)?;
        }
        told.end()
    }
}

impl Misuse {
    /// A misuse without a path.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), path: Vec::new() }
    }
}

/// The refusal of what stands at `path`.
pub(crate) fn refusal(code: &'static str, path: Vec<PathItem>, demand: &str) -> Misuse {
    let message = concat(&["'", &dotted(&path), "' ", demand]);
    Misuse { code, message, path }
}

/// A way as people write it: `outcomes[0].ms`.
fn dotted(path: &[PathItem]) -> String {
    let mut text = String::new();
    for item in path {
        match item {
            PathItem::Index(index) => push(&mut text, &text!["[", index, "]"]),
            PathItem::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                push(&mut text, key);
            }
        }
    }
    text
}

/// What an argument has to be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A finite number of milliseconds, 0 or more.
    Millis,
    /// A finite number.
    Number,
    /// A whole number of so much or more.
    Whole(u64),
    /// `true` or `false`.
    Flag,
    /// A text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A mapping.
    Map,
    /// A list.
    List,
}

impl Kind {
    fn accepts(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Millis, Value::Number(n)) => n.is_finite() && *n >= 0.0,
            (Self::Number, Value::Number(n)) => n.is_finite(),
            (Self::Whole(least), Value::Number(n)) => n.is_finite() && n.fract() == 0.0 && *n >= least as f64,
            (Self::Word(words), Value::Text(text)) => words.contains(&text.as_str()),
            (Self::Flag, Value::Bool(_))
            | (Self::Text, Value::Text(_))
            | (Self::Map, Value::Map(_))
            | (Self::List, Value::List(_)) => true,
            _ => false,
        }
    }

    fn demand(self) -> String {
        match self {
            Self::Millis => "must be a number of milliseconds, 0 or more".into(),
            Self::Number => "must be a finite number".into(),
            Self::Whole(least) => text!["must be a whole number, ", least, " or more"],
            Self::Flag => "must be true or false".into(),
            Self::Text => "must be a string".into(),
            Self::Word(words) => "must be one of ".to_owned() + &joined(&mut words.iter().copied(), ", "),
            Self::Map => "must be an object".into(),
            Self::List => "must be an array".into(),
        }
    }
}

/// One mapping that a caller handed over.
pub(crate) struct Arguments<'a> {
    code: &'static str,
    at: Vec<PathItem>,
    map: &'a Value,
}

impl<'a> Arguments<'a> {
    /// The mapping that the argument `name` is; a refusal carries `code`.
    pub(crate) fn new(code: &'static str, name: &str, map: &'a Value) -> Result<Self, Misuse> {
        Self::at(code, vec![name.into()], map)
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

    fn at(code: &'static str, at: Vec<PathItem>, map: &'a Value) -> Result<Self, Misuse> {
        match map {
            Value::Map(_) => Ok(Self { code, at, map }),
            _ => Err(refusal(code, at, &Kind::Map.demand())),
        }
    }

    /// The refusal of what stands under `key`.
    pub(crate) fn refuse(&self, key: &str, demand: &str) -> Misuse {
        let mut path = self.at.clone();
        path.push(key.into());
        refusal(self.code, path, demand)
    }

    /// What stands under `key`, whatever it is.
    pub(crate) fn value(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key)
    }

    /// What stands under `key`, of this kind.
    pub(crate) fn get(&self, key: &str, kind: Kind) -> Result<Option<&'a Value>, Misuse> {
        match self.value(key) {
            Some(value) if !kind.accepts(value) => Err(self.refuse(key, &kind.demand())),
            value => Ok(value),
        }
    }

    /// What `key` must have, where absent is wrong.
    pub(crate) fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, Misuse> {
        value.ok_or_else(|| self.refuse(key, "is missing"))
    }

    /// The mapping under `key`.
    pub(crate) fn map(&self, key: &str) -> Result<Option<Self>, Misuse> {
        let Some(map) = self.get(key, Kind::Map)? else { return Ok(None) };
        let mut at = self.at.clone();
        at.push(key.into());
        Ok(Some(Self { code: self.code, at, map }))
    }

    /// The mappings of the list under `key`, which must be there.
    pub(crate) fn items(&self, key: &str) -> Result<Vec<Self>, Misuse> {
        let list = self.required(key, self.get(key, Kind::List)?)?;
        let mut at = self.at.clone();
        at.push(key.into());
        let mut items = Vec::new();
        for (index, item) in list.items().iter().enumerate() {
            items.push(Self::item(self.code, &at, index, item)?);
        }
        Ok(items)
    }

    /// The span under `key`.
    pub(crate) fn millis(&self, key: &str) -> Result<Option<Millis>, Misuse> {
        Ok(self.get(key, Kind::Millis)?.map(Value::to_millis))
    }

    /// The whole number under `key`, `least` or more; beyond 2^64 it is 2^64 − 1.
    pub(crate) fn whole(&self, key: &str, least: u64) -> Result<Option<u64>, Misuse> {
        Ok(self.get(key, Kind::Whole(least))?.map(Value::to_count))
    }
}
