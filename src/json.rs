//! Plain data as JSON text: what goes to a host in one piece. It knows what the crate's own types are
//! made of, and no more of serde's model than that.

use crate::number;
use serde::Serialize;
use serde::ser::{Impossible, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use std::fmt::{self, Display};

/// The text of `value`; a number that JSON has not is `null`.
///
/// # Errors
/// Where the value is made of what no type of this crate is made of.
pub fn text(value: &(impl Serialize + ?Sized)) -> Result<String, fmt::Error> {
    let mut text = String::new();
    value.serialize(&mut Writer { text: &mut text })?;
    Ok(text)
}

/// Puts `text` down as a JSON string.
pub(crate) fn string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            byte if byte < b' ' => out.push_str(&format!("\\u{byte:04x}")),
            byte => out.extend(['\\', char::from(byte)]),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

struct Writer<'t> {
    text: &'t mut String,
}

/// A list or a mapping of which some may have been put down.
struct Items<'w, 't> {
    writer: &'w mut Writer<'t>,
    close: char,
    any: bool,
}

impl<'w, 't> Items<'w, 't> {
    fn open(writer: &'w mut Writer<'t>, open: char, close: char) -> Self {
        writer.text.push(open);
        Self { writer, close, any: false }
    }

    fn next(&mut self) -> &mut Writer<'t> {
        if self.any {
            self.writer.text.push(',');
        }
        self.any = true;
        self.writer
    }

    fn key(&mut self, key: &str) -> &mut Writer<'t> {
        let writer = self.next();
        string(key, writer.text);
        writer.text.push(':');
        writer
    }

    fn close(self) -> fmt::Result {
        self.writer.text.push(self.close);
        Ok(())
    }
}

type Unknown = Impossible<(), fmt::Error>;

/// The methods of what none of our types is made of.
macro_rules! unknown {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(fn $name(self, $(_: $argument),*) -> Result<$result, fmt::Error> { Err(fmt::Error) })*
    };
}

impl<'w, 't> Serializer for &'w mut Writer<'t> {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Items<'w, 't>;
    type SerializeMap = Items<'w, 't>;
    type SerializeStruct = Items<'w, 't>;
    type SerializeTuple = Unknown;
    type SerializeTupleStruct = Unknown;
    type SerializeTupleVariant = Unknown;
    type SerializeStructVariant = Unknown;

    fn serialize_unit(self) -> fmt::Result {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_bool(self, flag: bool) -> fmt::Result {
        self.text.push_str(if flag { "true" } else { "false" });
        Ok(())
    }

    fn serialize_f64(self, n: f64) -> fmt::Result {
        if !n.is_finite() {
            return self.serialize_unit();
        }
        self.text.push_str(&number::to_text(n));
        Ok(())
    }

    fn serialize_u32(self, n: u32) -> fmt::Result {
        self.serialize_f64(n.into())
    }

    fn serialize_u64(self, n: u64) -> fmt::Result {
        self.serialize_f64(n as f64)
    }

    fn serialize_str(self, text: &str) -> fmt::Result {
        string(text, self.text);
        Ok(())
    }

    fn serialize_none(self) -> fmt::Result {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'w, 't>, fmt::Error> {
        Ok(Items::open(self, '[', ']'))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Items<'w, 't>, fmt::Error> {
        Ok(Items::open(self, '{', '}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Items<'w, 't>, fmt::Error> {
        Ok(Items::open(self, '{', '}'))
    }

    fn collect_str<T: Display + ?Sized>(self, text: &T) -> fmt::Result {
        string(&text.to_string(), self.text);
        Ok(())
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
    ) -> fmt::Result {
        Err(fmt::Error)
    }
}

impl SerializeSeq for Items<'_, '_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        value.serialize(self.next())
    }

    fn end(self) -> fmt::Result {
        self.close()
    }
}

impl SerializeMap for Items<'_, '_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> fmt::Result {
        key.serialize(self.next())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        self.writer.text.push(':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> fmt::Result {
        self.close()
    }
}

impl SerializeStruct for Items<'_, '_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> fmt::Result {
        value.serialize(self.key(key))
    }

    fn end(self) -> fmt::Result {
        self.close()
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
        let source = "id: w\nname: \"W \\u0001\\t\\\"é😀\"\nversion: 1.5\nsteps:\n  a: &a\n    execution: auto\n    retry: {max_atempts: 2, base_delay_ms: 0.1}\n  b: {<<: *a, timeout_seconds: 1}\n";
        let report = check(source, &Options::default());
        let ours: serde_json::Value = serde_json::from_str(&text(&report).unwrap()).unwrap();
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
        assert_eq!(text(&Value::List(items)).unwrap(), "[null,null,null,null]");
        assert_eq!(text(&Value::Map(Vec::new())).unwrap(), "{}");
    }
}
