//! A value as a rule sees it, whether it was written in YAML or handed over from JavaScript.

use crate::millis::Millis;
use serde::{Serialize, Serializer};

/// One step of the way to a value: a mapping's key, or a list's index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathItem {
    /// The key of a mapping.
    Key(String),
    /// The index of a list, from 0.
    Index(usize),
}

impl Serialize for PathItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Key(key) => serializer.serialize_str(key),
            // Of a longer number the border would have to say that JavaScript may not have it.
            Self::Index(index) => serializer.serialize_u32(*index as u32),
        }
    }
}

impl From<&str> for PathItem {
    fn from(key: &str) -> Self {
        Self::Key(key.into())
    }
}

/// The way that these keys are.
pub(crate) fn path(keys: &[&str]) -> Vec<PathItem> {
    let mut path = Vec::with_capacity(keys.len() + 1);
    for key in keys {
        path.push(PathItem::from(*key));
    }
    path
}

/// A value of a workflow file, or of the same shape from elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`, `~` or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number; it may be `NaN` or infinite.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// A mapping, in the order of its keys.
    Map(Vec<(String, Self)>),
    /// What no workflow file can hold (a function, a symbol, a big integer).
    Other,
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null | Self::Other => serializer.serialize_unit(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<Millis> for Value {
    fn from(span: Millis) -> Self {
        Self::Number(span.get())
    }
}

/// Counts go out as plain numbers: JavaScript has no other that JSON can hold.
impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Number(count as f64)
    }
}

/// A mapping that is put together entry by entry: less code than a list of all of them.
#[derive(Default)]
pub(crate) struct Entries(Vec<(String, Value)>);

impl Entries {
    #[inline(never)]
    pub(crate) fn put(&mut self, key: &str, value: Value) {
        self.0.push((key.to_owned(), value));
    }

    #[inline(never)]
    pub(crate) fn number(&mut self, key: &str, number: f64) {
        self.put(key, Value::Number(number));
    }

    #[inline(never)]
    pub(crate) fn text(&mut self, key: &str, text: &str) {
        self.put(key, text.into());
    }

    pub(crate) fn count(&mut self, key: &str, count: u64) {
        self.number(key, count as f64);
    }

    pub(crate) fn millis(&mut self, key: &str, span: Millis) {
        self.number(key, span.get());
    }

    /// A span, or nothing at all.
    pub(crate) fn maybe_millis(&mut self, key: &str, span: Option<Millis>) {
        if let Some(span) = span {
            self.millis(key, span);
        }
    }

    /// A span, or `null`.
    #[inline(never)]
    pub(crate) fn millis_or_null(&mut self, key: &str, span: Option<Millis>) {
        self.put(key, span.map_or(Value::Null, Value::from));
    }

    /// The mapping.
    pub(crate) fn done(self) -> Value {
        Value::Map(self.0)
    }
}

impl Value {
    /// A mapping of what is there of these.
    pub(crate) fn entries(entries: Vec<(&str, Option<Self>)>) -> Self {
        let mut there = Entries::default();
        for (key, value) in entries {
            if let Some(value) = value {
                there.put(key, value);
            }
        }
        there.done()
    }

    /// The value under `key` of a mapping; `None` where there is none or this is no mapping.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The number, where it is one.
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(n) => Some(*n),
            _ => None,
        }
    }

    /// The span of so many milliseconds; none at all where this is no number.
    pub(crate) fn to_millis(&self) -> Millis {
        Millis::saturating(self.number().unwrap_or_default())
    }

    /// The whole number; beyond 2^64 it is 2^64 − 1, and zero where this is none.
    pub(crate) fn to_count(&self) -> u64 {
        self.number().unwrap_or_default() as u64
    }

    /// The text; empty where this is none.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }

    /// The items of a list; none where this is no list.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// Whether both are nothing, or the same text.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Text(text), Self::Text(other)) => text == other,
            _ => false,
        }
    }

    /// Whether this is literally `true`.
    pub const fn is_true(&self) -> bool {
        matches!(self, Self::Bool(true))
    }
}

/// What a value is on the outside: enough for every rule about one key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outline<'a> {
    /// `null`, `~` or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number; it may be `NaN` or infinite.
    Number(f64),
    /// A text.
    Text(&'a str),
    /// A list of so many items.
    List(usize),
    /// A mapping.
    Map,
    /// What no workflow file can hold.
    Other,
}

impl<'a> From<&'a Value> for Outline<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(*b),
            Value::Number(n) => Self::Number(*n),
            Value::Text(text) => Self::Text(text),
            Value::List(items) => Self::List(items.len()),
            Value::Map(_) => Self::Map,
            Value::Other => Self::Other,
        }
    }
}
