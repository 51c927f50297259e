//! Plain data as JSON text: what goes to a host in one piece. It knows what the crate's own types are
//! made of, and no more of serde's model than that.

use crate::number;
use serde::Serialize;
use serde::ser::{Error, Impossible, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use std::fmt::{self, Display};

/// The text of `value`; a number that JSON has not is `null`.
pub fn text(value: &(impl Serialize + ?Sized)) -> String {
    let mut writer = Writer { text: Vec::new() };
    match value.serialize(&mut writer) {
        Ok(()) => String::from_utf8(writer.text).unwrap_or_default(),
        Err(never) => match never {},
    }
}

/// Nothing that this crate tells can fail to be told.
#[derive(Debug)]
enum Never {}

impl Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl Error for Never {
    fn custom<T: Display>(_: T) -> Self {
        unknown()
    }
}

/// What none of this crate's types is made of.
fn unknown() -> ! {
    std::process::abort()
}

/// Bytes are put down one by one: in a module, to copy a few of them costs a call.
struct Writer {
    text: Vec<u8>,
}

impl Writer {
    /// The text, with a comma after what stands there already.
    #[inline(never)]
    fn next(&mut self) -> &mut Self {
        if !matches!(self.text.last(), Some(b'{' | b'[')) {
            self.text.push(b',');
        }
        self
    }

    /// A name of Rust's, which has nothing to escape.
    #[inline(never)]
    fn key(&mut self, key: &str) {
        self.next().text.push(b'"');
        self.word(key);
        self.word("\":");
    }

    fn word(&mut self, word: &str) {
        self.text.reserve(word.len());
        word.bytes().for_each(|byte| self.text.push(byte));
    }

    fn string(&mut self, text: &str) {
        self.text.reserve(text.len() + 2);
        self.text.push(b'"');
        for byte in text.bytes() {
            match byte {
                b'"' | b'\\' => self.text.extend([b'\\', byte]),
                b'\n' => self.word("\\n"),
                b'\r' => self.word("\\r"),
                b'\t' => self.word("\\t"),
                ..b' ' => {
                    self.word("\\u00");
                    for digit in [byte >> 4, byte & 15] {
                        self.text.push(b"0123456789abcdef"[usize::from(digit)]);
                    }
                }
                _ => self.text.push(byte),
            }
        }
        self.text.push(b'"');
    }
}

type Unknown = Impossible<(), Never>;
type Done = Result<(), Never>;

macro_rules! unknown {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(fn $name(self, $(_: $argument),*) -> Result<$result, Never> { unknown() })*
    };
}

impl Serializer for &mut Writer {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeTuple = Unknown;
    type SerializeTupleStruct = Unknown;
    type SerializeTupleVariant = Unknown;
    type SerializeStructVariant = Unknown;

    fn serialize_unit(self) -> Done {
        self.word("null");
        Ok(())
    }

    fn serialize_bool(self, flag: bool) -> Done {
        self.word(if flag { "true" } else { "false" });
        Ok(())
    }

    #[inline(never)]
    fn serialize_f64(self, n: f64) -> Done {
        if !n.is_finite() {
            return self.serialize_unit();
        }
        number::write(n, &mut self.text);
        Ok(())
    }

    fn serialize_u32(self, n: u32) -> Done {
        self.serialize_f64(n.into())
    }

    fn serialize_u64(self, n: u64) -> Done {
        self.serialize_f64(n as f64)
    }

    fn serialize_str(self, text: &str) -> Done {
        self.string(text);
        Ok(())
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Never> {
        self.text.push(b'[');
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Never> {
        self.text.push(b'{');
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        self.text.push(b'{');
        Ok(self)
    }

    fn collect_str<T: Display + ?Sized>(self, text: &T) -> Done {
        self.serialize_str(&text.to_string())
    }

    unknown! {
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_f32(f32) -> ();
        serialize_char(char) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_tuple(usize) -> Unknown;
        serialize_tuple_struct(&'static str, usize) -> Unknown;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Unknown;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Unknown;
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Done {
        unknown()
    }
}

impl SerializeSeq for &mut Writer {
    type Ok = ();
    type Error = Never;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(self.next())
    }

    fn end(self) -> Done {
        self.text.push(b']');
        Ok(())
    }
}

impl SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        key.serialize(self.next())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.text.push(b':');
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        self.text.push(b'}');
        Ok(())
    }
}

impl SerializeStruct for &mut Writer {
    type Ok = ();
    type Error = Never;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Done {
        self.key(key);
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        self.text.push(b'}');
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::text;
    use crate::check::{Options, check};
    use crate::value::Value;

    #[test]
    fn a_report_is_told_as_any_json_writer_tells_it() {
        let source = "id: w\nname: \"W \\u0001\\t\\\"é😀{[\"\nversion: 1.5\nsteps:\n  \"a{\": &a\n    execution: auto\n    retry: {max_atempts: 2, base_delay_ms: 0.1}\n  b: {<<: *a, timeout_seconds: 1}\n";
        let report = check(source, &Options::default());
        let ours: serde_json::Value = serde_json::from_str(&text(&report)).unwrap();
        let theirs: serde_json::Value = serde_json::to_value(&report).unwrap();
        assert_eq!(without_kinds_of_numbers(ours), without_kinds_of_numbers(theirs));
    }

    /// `1` and `1.0` are the same number in JavaScript.
    fn without_kinds_of_numbers(value: serde_json::Value) -> serde_json::Value {
        match value {
            serde_json::Value::Number(n) => n.as_f64().into(),
            serde_json::Value::Array(items) => items.into_iter().map(without_kinds_of_numbers).collect(),
            serde_json::Value::Object(map) => {
                map.into_iter().map(|(key, value)| (key, without_kinds_of_numbers(value))).collect()
            }
            other => other,
        }
    }

    #[test]
    fn what_json_has_not_is_null() {
        let items = vec![Value::Number(f64::INFINITY), Value::Number(f64::NAN), Value::Other, Value::Null];
        assert_eq!(text(&Value::List(items)), "[null,null,null,null]");
        assert_eq!(text(&Value::Map(Vec::new())), "{}");
    }

    #[test]
    fn a_comma_stands_between_any_two() {
        let items = |items: &[&str]| Value::List(items.iter().map(|text| (*text).into()).collect());
        let map = Value::Map(vec![
            ("{".into(), items(&["[", "{"])),
            ("[".into(), items(&[])),
            ("".into(), items(&[""])),
        ]);
        assert_eq!(text(&map), r#"{"{":["[","{"],"[":[],"":[""]}"#);
    }
}
