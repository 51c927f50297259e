//! Plain data out and in again: what is told of a type names each of its fields once, for both ways.
//! On the way in, a field that is not what it has to be is refused by its path.

use crate::argument::{Arguments, Misuse};
use crate::millis::Millis;
use crate::named::Named;
use crate::value::Value;
use std::collections::VecDeque;

/// A type that goes out as plain data and comes in again.
pub(crate) trait Fields {
    /// Passes every field to the codec, in the order in which they are told.
    fn fields(&mut self, codec: &mut Codec<'_>);
}

/// One mapping on its way out or in.
pub(crate) enum Codec<'a> {
    /// Out: the entries so far.
    Writing(Vec<(String, Value)>),
    /// In: the mapping, and the first refusal.
    Reading(Arguments<'a>, Option<Misuse>),
}

/// How it is told that there is no number.
#[derive(Clone, Copy)]
pub(crate) enum Told {
    /// As `null`.
    Null,
    /// As a word.
    Word(&'static str),
}

/// What is told of `item`. It comes back as it was: it is only lent for writing.
pub(crate) fn write(item: &mut impl Fields) -> Value {
    let mut codec = Codec::Writing(Vec::new());
    item.fields(&mut codec);
    match codec {
        Codec::Writing(entries) => Value::Map(entries),
        Codec::Reading(..) => Value::Null,
    }
}

/// Reads `item` from a mapping, over what is in it.
pub(crate) fn read<T: Fields>(mut item: T, from: Arguments<'_>) -> Result<T, Misuse> {
    let mut refused = None;
    read_over(&mut item, from, &mut refused);
    refused.map_or(Ok(item), Err)
}

impl<'a> Codec<'a> {
    /// Fields that must be there.
    pub(crate) fn millis(&mut self, key: &str, field: &mut Millis) {
        self.required(key, field, |ms| Value::Number(ms.get()), Arguments::millis);
    }

    pub(crate) fn number(&mut self, key: &str, field: &mut f64) {
        self.required(key, field, |number| Value::Number(*number), Arguments::number);
    }

    /// A whole number, 0 or more.
    pub(crate) fn count(&mut self, key: &str, field: &mut u64) {
        self.required(key, field, |count| Value::Number(*count as f64), |from, key| from.whole(key, 0));
    }

    pub(crate) fn flag(&mut self, key: &str, field: &mut bool) {
        self.required(key, field, |flag| Value::Bool(*flag), Arguments::flag);
    }

    pub(crate) fn text(&mut self, key: &str, field: &mut String) {
        self.required(key, field, |text| Value::Text(text.clone()), Arguments::owned_text);
    }

    pub(crate) fn named<T: Named>(&mut self, key: &str, field: &mut T) {
        self.required(key, field, |word| Value::Text(word.name().into()), Arguments::named);
    }

    /// Fields that keep what is in them where nothing is said.
    pub(crate) fn preset_number(&mut self, key: &str, field: &mut f64) {
        self.preset(key, field, |number| Value::Number(*number), Arguments::number);
    }

    pub(crate) fn preset_millis(&mut self, key: &str, field: &mut Millis) {
        self.preset(key, field, |ms| Value::Number(ms.get()), Arguments::millis);
    }

    pub(crate) fn preset_flag(&mut self, key: &str, field: &mut bool) {
        self.preset(key, field, |flag| Value::Bool(*flag), Arguments::flag);
    }

    pub(crate) fn preset_text(&mut self, key: &str, field: &mut String) {
        self.preset(key, field, |text| Value::Text(text.clone()), Arguments::owned_text);
    }

    pub(crate) fn preset_named<T: Named>(&mut self, key: &str, field: &mut T) {
        self.preset(key, field, |word| Value::Text(word.name().into()), Arguments::named);
    }

    /// Fields that may be absent.
    pub(crate) fn maybe_millis(&mut self, key: &str, field: &mut Option<Millis>) {
        self.maybe(key, field, |ms| Value::Number(ms.get()), Arguments::millis);
    }

    pub(crate) fn maybe_number(&mut self, key: &str, field: &mut Option<f64>) {
        self.maybe(key, field, |number| Value::Number(*number), Arguments::number);
    }

    pub(crate) fn maybe_text(&mut self, key: &str, field: &mut Option<String>) {
        self.maybe(key, field, |text| Value::Text(text.clone()), Arguments::owned_text);
    }

    pub(crate) fn maybe_named<T: Named>(&mut self, key: &str, field: &mut Option<T>) {
        self.maybe(key, field, |word| Value::Text(word.name().into()), Arguments::named);
    }

    pub(crate) fn maybe_flag(&mut self, key: &str, field: &mut Option<bool>) {
        self.maybe(key, field, |flag| Value::Bool(*flag), Arguments::flag);
    }

    /// A whole number, 1 or more.
    pub(crate) fn maybe_count(&mut self, key: &str, field: &mut Option<u64>) {
        self.maybe(key, field, |count| Value::Number(*count as f64), |from, key| from.whole(key, 1));
    }

    /// A number that is told as something else where there is none.
    pub(crate) fn number_or(&mut self, key: &str, field: &mut Option<f64>, none: Told) {
        let none = match none {
            Told::Null => Value::Null,
            Told::Word(word) => Value::Text(word.into()),
        };
        match self {
            Self::Writing(entries) => entries.push((key.into(), field.map_or(none, Value::Number))),
            Self::Reading(from, _) if from.value(key) == Some(&none) => *field = None,
            Self::Reading(..) => {
                let mut number = 0.0;
                self.number(key, &mut number);
                *field = Some(number);
            }
        }
    }

    /// A mapping of its own.
    pub(crate) fn nested<T: Fields>(&mut self, key: &str, field: &mut T) {
        match self {
            Self::Writing(entries) => entries.push((key.into(), write(field))),
            Self::Reading(from, refused) => {
                let map = from.map(key).and_then(|map| from.required(key, map));
                match map {
                    Ok(map) => read_over(field, map, refused),
                    Err(misuse) => first(refused, misuse),
                }
            }
        }
    }

    /// A mapping of its own that may be absent.
    pub(crate) fn maybe_nested<T: Fields + Default>(&mut self, key: &str, field: &mut Option<T>) {
        match self {
            Self::Writing(entries) => entries.extend(field.as_mut().map(|item| (key.into(), write(item)))),
            Self::Reading(from, refused) => match from.map(key) {
                Ok(map) => *field = map.map(|map| read_new(map, refused)),
                Err(misuse) => first(refused, misuse),
            },
        }
    }

    /// A list of mappings.
    pub(crate) fn list<T: Fields + Default>(&mut self, key: &str, field: &mut VecDeque<T>) {
        match self {
            Self::Writing(entries) => {
                entries.push((key.into(), Value::List(field.iter_mut().map(write).collect())));
            }
            Self::Reading(from, refused) => match from.items(key) {
                Ok(items) => *field = items.into_iter().map(|item| read_new(item, refused)).collect(),
                Err(misuse) => first(refused, misuse),
            },
        }
    }

    /// Refuses what stands under `key` by a rule of the type's own; on the way out nothing is refused.
    pub(crate) fn demand(&mut self, holds: bool, key: &str, demand: &str) {
        if let Self::Reading(from, refused) = self
            && !holds
        {
            let misuse = from.refuse(key, demand);
            first(refused, misuse);
        }
    }

    fn required<T>(
        &mut self,
        key: &str,
        field: &mut T,
        write: fn(&T) -> Value,
        read: fn(&Arguments<'a>, &str) -> Result<Option<T>, Misuse>,
    ) {
        match self {
            Self::Writing(entries) => entries.push((key.into(), write(field))),
            Self::Reading(from, refused) => match read(from, key).and_then(|item| from.required(key, item)) {
                Ok(item) => *field = item,
                Err(misuse) => first(refused, misuse),
            },
        }
    }

    fn preset<T>(
        &mut self,
        key: &str,
        field: &mut T,
        write: fn(&T) -> Value,
        read: fn(&Arguments<'a>, &str) -> Result<Option<T>, Misuse>,
    ) {
        match self {
            Self::Writing(entries) => entries.push((key.into(), write(field))),
            Self::Reading(from, refused) => match read(from, key) {
                Ok(Some(item)) => *field = item,
                Ok(None) => {}
                Err(misuse) => first(refused, misuse),
            },
        }
    }

    fn maybe<T>(
        &mut self,
        key: &str,
        field: &mut Option<T>,
        write: fn(&T) -> Value,
        read: fn(&Arguments<'a>, &str) -> Result<Option<T>, Misuse>,
    ) {
        match self {
            Self::Writing(entries) => entries.extend(field.as_ref().map(|item| (key.into(), write(item)))),
            Self::Reading(from, refused) => match read(from, key) {
                Ok(item) => *field = item,
                Err(misuse) => first(refused, misuse),
            },
        }
    }
}

/// The first refusal is the one that is told.
fn first(refused: &mut Option<Misuse>, misuse: Misuse) {
    refused.get_or_insert(misuse);
}

fn read_new<T: Fields + Default>(from: Arguments<'_>, refused: &mut Option<Misuse>) -> T {
    let mut item = T::default();
    read_over(&mut item, from, refused);
    item
}

fn read_over<T: Fields>(item: &mut T, from: Arguments<'_>, refused: &mut Option<Misuse>) {
    let mut codec = Codec::Reading(from, None);
    item.fields(&mut codec);
    if let Codec::Reading(_, Some(misuse)) = codec {
        first(refused, misuse);
    }
}
