//! Plain data out and in again: what is told of a type names each of its fields once, for both ways.
//! On the way in, a field that is not what it has to be is refused by its path; the first refusal is
//! the one that is told.

use crate::argument::{Arguments, Kind, Misuse};
use crate::millis::Millis;
use crate::named::Named;
use crate::value::{Entries, Value};

/// A type that goes out as plain data and comes in again.
pub(crate) trait Fields {
    /// Passes every field to the codec, in the order in which they are told.
    fn fields(&mut self, codec: &mut Codec<'_>);
}

impl<T: Fields + ?Sized> Fields for Box<T> {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        (**self).fields(codec);
    }
}

/// One mapping on its way out or in.
pub(crate) enum Codec<'a> {
    /// Out: the entries so far.
    Writing(Entries),
    /// In: the mapping, the first refusal, and what it means that a field is absent which has a preset.
    Reading(Arguments<'a>, Option<Misuse>, Absent),
}

/// What it means that a field is absent on the way in.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Absent {
    /// It is refused.
    Wrong,
    /// The field keeps what is in it.
    Preset,
    /// The field is emptied.
    Empty,
}

/// How it is told that there is no number.
#[derive(Clone, Copy)]
pub(crate) enum Told {
    /// As `null`.
    Null,
    /// As a word.
    Word(&'static str),
}

/// What is told of `item`, which is only lent and comes back as it was.
pub(crate) fn write(item: &mut dyn Fields) -> Value {
    let mut codec = Codec::Writing(Entries::default());
    item.fields(&mut codec);
    match codec {
        Codec::Writing(entries) => entries.done(),
        Codec::Reading(..) => Value::Null,
    }
}

/// Reads `item` from a mapping, over what is in it.
pub(crate) fn read<T: Fields>(mut item: T, from: Arguments<'_>) -> Result<T, Misuse> {
    refusal(&mut item, from, Absent::Preset).map_or(Ok(item), Err)
}

/// The same, where no field may be absent that is always written.
pub(crate) fn read_whole<T: Fields>(mut item: T, from: Arguments<'_>) -> Result<T, Misuse> {
    refusal(&mut item, from, Absent::Wrong).map_or(Ok(item), Err)
}

fn refusal(item: &mut dyn Fields, from: Arguments<'_>, preset: Absent) -> Option<Misuse> {
    let mut refused = None;
    read_over(item, from, &mut refused, preset);
    refused
}

fn read_over(item: &mut dyn Fields, from: Arguments<'_>, refused: &mut Option<Misuse>, preset: Absent) {
    let mut codec = Codec::Reading(from, refused.take(), preset);
    item.fields(&mut codec);
    if let Codec::Reading(_, first, _) = codec {
        *refused = first;
    }
}

/// Fields that must be there.
impl<'a> Codec<'a> {
    pub(crate) fn millis(&mut self, key: &str, field: &mut Millis) {
        if let Some(value) = self.exchange(key, Some((*field).into()), Kind::Millis, Absent::Wrong).flatten()
        {
            *field = value.to_millis();
        }
    }

    pub(crate) fn number(&mut self, key: &str, field: &mut f64) {
        self.any_number(key, field, Absent::Wrong);
    }

    /// A whole number, 0 or more.
    pub(crate) fn count(&mut self, key: &str, field: &mut u64) {
        let held = Some((*field).into());
        if let Some(value) = self.exchange(key, held, Kind::Whole(0), Absent::Wrong).flatten() {
            *field = value.to_count();
        }
    }

    pub(crate) fn flag(&mut self, key: &str, field: &mut bool) {
        self.any_flag(key, field, Absent::Wrong);
    }

    pub(crate) fn text(&mut self, key: &str, field: &mut String) {
        self.any_text(key, field, Absent::Wrong);
    }

    pub(crate) fn named<T: Named>(&mut self, key: &str, field: &mut T) {
        self.any_word(key, field, Absent::Wrong);
    }

    /// A mapping of its own.
    pub(crate) fn nested(&mut self, key: &str, field: &mut dyn Fields) {
        match self {
            Self::Writing(entries) => entries.put(key, write(field)),
            Self::Reading(from, refused, preset) => {
                match from.map(key).and_then(|map| from.required(key, map)) {
                    Ok(map) => read_over(field, map, refused, *preset),
                    Err(misuse) => refuse(refused, misuse),
                }
            }
        }
    }

    /// A list of mappings.
    pub(crate) fn list<T: Fields + Default>(&mut self, key: &str, field: &mut Vec<T>) {
        match self {
            Self::Writing(entries) => {
                let items = field.iter_mut().map(|item| write(item)).collect();
                entries.put(key, Value::List(items));
            }
            Self::Reading(from, refused, preset) => match from.list(key) {
                Ok(maps) => {
                    field.clear();
                    for (index, map) in maps.iter().enumerate() {
                        match from.nth(key, index, map) {
                            Ok(from) => {
                                let mut item = T::default();
                                read_over(&mut item, from, refused, *preset);
                                field.push(item);
                            }
                            Err(misuse) => refuse(refused, misuse),
                        }
                    }
                }
                Err(misuse) => refuse(refused, misuse),
            },
        }
    }
}

/// Fields that keep what is in them where nothing is said.
impl Codec<'_> {
    pub(crate) fn preset_millis(&mut self, key: &str, field: &mut Millis) {
        let held = Some((*field).into());
        if let Some(value) = self.exchange(key, held, Kind::Millis, Absent::Preset).flatten() {
            *field = value.to_millis();
        }
    }

    pub(crate) fn preset_number(&mut self, key: &str, field: &mut f64) {
        self.any_number(key, field, Absent::Preset);
    }

    /// A whole number, 1 or more.
    pub(crate) fn preset_size(&mut self, key: &str, field: &mut usize) {
        let held = Some((*field as u64).into());
        if let Some(value) = self.exchange(key, held, Kind::Whole(1), Absent::Preset).flatten() {
            *field = usize::try_from(value.to_count()).unwrap_or(usize::MAX);
        }
    }

    pub(crate) fn preset_flag(&mut self, key: &str, field: &mut bool) {
        self.any_flag(key, field, Absent::Preset);
    }

    pub(crate) fn preset_text(&mut self, key: &str, field: &mut String) {
        self.any_text(key, field, Absent::Preset);
    }

    pub(crate) fn preset_named<T: Named>(&mut self, key: &str, field: &mut T) {
        self.any_word(key, field, Absent::Preset);
    }
}

/// Fields that may be absent.
impl Codec<'_> {
    pub(crate) fn maybe_millis(&mut self, key: &str, field: &mut Option<Millis>) {
        if let Some(value) = self.exchange(key, field.map(Value::from), Kind::Millis, Absent::Empty) {
            *field = value.map(Value::to_millis);
        }
    }

    pub(crate) fn maybe_number(&mut self, key: &str, field: &mut Option<f64>) {
        if let Some(value) = self.exchange(key, field.map(Value::Number), Kind::Number, Absent::Empty) {
            *field = value.and_then(Value::number);
        }
    }

    pub(crate) fn maybe_flag(&mut self, key: &str, field: &mut Option<bool>) {
        if let Some(value) = self.exchange(key, field.map(Value::Bool), Kind::Flag, Absent::Empty) {
            *field = value.map(Value::is_true);
        }
    }

    /// A whole number, 1 or more.
    pub(crate) fn maybe_count(&mut self, key: &str, field: &mut Option<u64>) {
        if let Some(value) = self.exchange(key, field.map(Value::from), Kind::Whole(1), Absent::Empty) {
            *field = value.map(Value::to_count);
        }
    }

    pub(crate) fn maybe_text(&mut self, key: &str, field: &mut Option<String>) {
        let held = field.as_deref().map(Value::from);
        if let Some(value) = self.exchange(key, held, Kind::Text, Absent::Empty) {
            *field = value.map(|value| value.text().to_owned());
        }
    }

    pub(crate) fn maybe_named<T: Named>(&mut self, key: &str, field: &mut Option<T>) {
        if let Some(index) = self.word(key, field.map(T::index), T::WORDS, Absent::Empty) {
            *field = index.and_then(|index| T::ALL.get(index)).copied();
        }
    }

    /// A number that is told as something else where there is none.
    pub(crate) fn number_or(&mut self, key: &str, field: &mut Option<f64>, none: Told) {
        let none = match none {
            Told::Null => Value::Null,
            Told::Word(word) => word.into(),
        };
        match self {
            Self::Writing(entries) => entries.put(key, field.map_or(none, Value::Number)),
            Self::Reading(from, ..) if from.value(key).is_some_and(|value| value.is(&none)) => *field = None,
            Self::Reading(..) => self.number(key, field.get_or_insert(0.0)),
        }
    }

    /// A mapping of its own.
    pub(crate) fn maybe_nested<T: Fields + Default>(&mut self, key: &str, field: &mut Option<T>) {
        match self {
            Self::Writing(entries) => {
                if let Some(item) = field {
                    entries.put(key, write(item));
                }
            }
            Self::Reading(from, refused, preset) => match from.map(key) {
                Ok(None) => *field = None,
                Ok(Some(map)) => read_over(field.insert(T::default()), map, refused, *preset),
                Err(misuse) => refuse(refused, misuse),
            },
        }
    }
}

impl<'a> Codec<'a> {
    /// Refuses what stands under `key` by a rule of the type's own; on the way out nothing is refused.
    pub(crate) fn demand(&mut self, holds: bool, key: &str, demand: &str) {
        if let Self::Reading(from, refused, _) = self
            && !holds
        {
            refuse(refused, from.refuse(key, demand));
        }
    }

    fn any_number(&mut self, key: &str, field: &mut f64, absent: Absent) {
        let value = self.exchange(key, Some(Value::Number(*field)), Kind::Number, absent).flatten();
        if let Some(number) = value.and_then(Value::number) {
            *field = number;
        }
    }

    fn any_flag(&mut self, key: &str, field: &mut bool, absent: Absent) {
        if let Some(value) = self.exchange(key, Some(Value::Bool(*field)), Kind::Flag, absent).flatten() {
            *field = value.is_true();
        }
    }

    fn any_text(&mut self, key: &str, field: &mut String, absent: Absent) {
        let held = Some(field.as_str().into());
        if let Some(value) = self.exchange(key, held, Kind::Text, absent).flatten() {
            *field = value.text().to_owned();
        }
    }

    fn any_word<T: Named>(&mut self, key: &str, field: &mut T, absent: Absent) {
        let index = self.word(key, Some(field.index()), T::WORDS, absent).flatten();
        if let Some(word) = index.and_then(|index| T::ALL.get(index)) {
            *field = *word;
        }
    }

    /// One of `words` by its place among them.
    #[inline(never)]
    fn word(
        &mut self,
        key: &str,
        held: Option<usize>,
        words: &'static [&'static str],
        absent: Absent,
    ) -> Option<Option<usize>> {
        let held = held.and_then(|index| words.get(index)).map(|word| Value::from(*word));
        let value = self.exchange(key, held, Kind::Word(words), absent)?;
        Some(value.and_then(|value| words.iter().position(|word| *word == value.text())))
    }

    /// The one place where a field goes out or comes in: `held` is what the field has to tell. Gives
    /// what the field is to hold from now on, or nothing where it keeps what it has.
    #[inline(never)]
    fn exchange(
        &mut self,
        key: &str,
        held: Option<Value>,
        kind: Kind,
        absent: Absent,
    ) -> Option<Option<&'a Value>> {
        match self {
            Self::Writing(entries) => {
                if let Some(value) = held {
                    entries.put(key, value);
                }
                None
            }
            Self::Reading(from, refused, preset) => {
                let absent = if absent == Absent::Preset { *preset } else { absent };
                match from.get(key, kind) {
                    Ok(None) if absent == Absent::Preset => None,
                    Ok(None) if absent == Absent::Wrong => {
                        refuse(refused, from.refuse(key, "is missing"));
                        None
                    }
                    Ok(value) => Some(value),
                    Err(misuse) => {
                        refuse(refused, misuse);
                        None
                    }
                }
            }
        }
    }
}

fn refuse(refused: &mut Option<Misuse>, misuse: Misuse) {
    refused.get_or_insert(misuse);
}
