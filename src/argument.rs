//! Reading what a caller hands over: options, outcomes, snapshots. A value that is not what it has
//! to be is refused by its path; nothing is guessed and nothing is dropped in silence.

use crate::millis::Millis;
use crate::text::{concat, joined, push, text};
use crate::value::{PathItem, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::ops::Deref;

/// A call that cannot be carried out, and why: what JavaScript gets as a `StepRetryError`. In a box, since it
/// is rare and passes through many hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misuse(Box<Grounds>);

/// What a [`Misuse`] says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grounds {
    /// `INVALID_ARGUMENT`, `WRONG_STATE`, `SNAPSHOT_INVALID`, `SNAPSHOT_VERSION`, or the code of a
    /// refused policy.
    pub code: &'static str,
    /// One sentence: what was wrong, and what is right.
    pub message: String,
    /// The way from the argument to the value at fault; empty where there is none.
    pub path: Vec<PathItem>,
}

impl Deref for Misuse {
    type Target = Grounds;

    fn deref(&self) -> &Grounds {
        &self.0
    }
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
        Self::at(Vec::new(), code, message.into())
    }

    /// A misuse of what stands at `path`.
    #[inline(never)]
    pub fn at(path: Vec<PathItem>, code: &'static str, message: String) -> Self {
        Self(Box::new(Grounds { code, message, path }))
    }
}

/// The refusal of what stands at `path`.
pub(crate) fn refusal(code: &'static str, path: Vec<PathItem>, demand: &str) -> Misuse {
    let message = concat(&["'", &dotted(&path), "' ", demand]);
    Misuse::at(path, code, message)
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
    /// The mapping that this one stands in, if any.
    within: Option<&'a Self>,
    /// The key that it stands under; the argument's name where it stands in nothing.
    key: &'a str,
    /// Its place, where a list of mappings stands under that key.
    index: Option<usize>,
    map: &'a Value,
}

impl<'a> Arguments<'a> {
    /// The mapping that the argument `name` is; a refusal carries `code`.
    pub(crate) fn new(code: &'static str, name: &'a str, map: &'a Value) -> Result<Self, Misuse> {
        Self { code, within: None, key: name, index: None, map }.checked()
    }

    /// The mapping at `index` of the list that the argument `name` is.
    pub(crate) fn item(
        code: &'static str,
        name: &'a str,
        index: usize,
        map: &'a Value,
    ) -> Result<Self, Misuse> {
        Self { code, within: None, key: name, index: Some(index), map }.checked()
    }

    fn checked(self) -> Result<Self, Misuse> {
        match self.map {
            Value::Map(_) => Ok(self),
            _ => Err(refusal(self.code, self.path(), &Kind::Map.demand())),
        }
    }

    /// The way from the argument to here.
    fn path(&self) -> Vec<PathItem> {
        let mut path = self.within.map_or_else(Vec::new, Self::path);
        path.push(self.key.into());
        if let Some(index) = self.index {
            path.push(PathItem::Index(index));
        }
        path
    }

    /// The refusal of what stands under `key`.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&self, key: &str, demand: &str) -> Misuse {
        let mut path = self.path();
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
    pub(crate) fn map<'b>(&'b self, key: &'b str) -> Result<Option<Arguments<'b>>, Misuse> {
        let map = self.get(key, Kind::Map)?;
        Ok(map.map(|map| Arguments { code: self.code, within: Some(self), key, index: None, map }))
    }

    /// The list of mappings under `key`, which must be there: the items as they are, each for [`Self::nth`].
    pub(crate) fn list(&self, key: &str) -> Result<&'a [Value], Misuse> {
        Ok(self.required(key, self.get(key, Kind::List)?)?.items())
    }

    /// The mapping at `index` of that list.
    pub(crate) fn nth<'b>(
        &'b self,
        key: &'b str,
        index: usize,
        map: &'b Value,
    ) -> Result<Arguments<'b>, Misuse> {
        Arguments { code: self.code, within: Some(self), key, index: Some(index), map }.checked()
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
