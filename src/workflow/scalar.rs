//! What a scalar of a file means: the core schema of YAML 1.2, in which `yes` and `1_000` are texts.

use crate::number;
use crate::value::Outline;

/// A tag that the core schema knows, as far as it says something about a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// None; a plain scalar is resolved by its look.
    None,
    /// `!!str`, or the lone `!`.
    Text,
    /// `!!int`.
    Integer,
    /// `!!float`.
    Float,
    /// `!!bool`.
    Bool,
    /// `!!null`.
    Null,
    /// `!!map`.
    Map,
    /// `!!seq`.
    List,
}

impl Tag {
    /// The tag called `name` in the core schema.
    pub(super) fn core(name: &str) -> Option<Self> {
        Some(match name {
            "str" => Self::Text,
            "int" => Self::Integer,
            "float" => Self::Float,
            "bool" => Self::Bool,
            "null" => Self::Null,
            "map" => Self::Map,
            "seq" => Self::List,
            _ => return None,
        })
    }
}

/// What `text` means under `tag`; `plain` says that it was written without quotes and in one piece.
/// `None` where the tag promises something that the text is not.
pub(super) fn resolve(text: &str, plain: bool, tag: Tag) -> Option<Outline<'_>> {
    if tag == Tag::Text || (tag == Tag::None && !plain) {
        return Some(Outline::Text(text));
    }
    let meaning = plain_scalar(text);
    match (tag, meaning) {
        (Tag::None, _)
        | (Tag::Bool, Outline::Bool(_))
        | (Tag::Null, Outline::Null)
        | (Tag::Float, Outline::Number(_)) => Some(meaning),
        (Tag::Integer, Outline::Number(n)) if n.fract() == 0.0 => Some(meaning),
        _ => None,
    }
}

fn plain_scalar(text: &str) -> Outline<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Outline::Null,
        "true" | "True" | "TRUE" => Outline::Bool(true),
        "false" | "False" | "FALSE" => Outline::Bool(false),
        _ => number(text).map_or(Outline::Text(text), Outline::Number),
    }
}

/// The number that `text` writes in the core schema. A decimal too large for a double is none: it
/// stays a text.
fn number(text: &str) -> Option<f64> {
    let (sign, digits) = match text.as_bytes() {
        [b'-', ..] => (-1.0, &text[1..]),
        [b'+', ..] => (1.0, &text[1..]),
        [b'0'..=b'9' | b'.', ..] => (1.0, text),
        _ => return None,
    };
    let signed = digits.len() < text.len();
    match digits {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if !signed => return Some(f64::NAN),
        _ => {}
    }
    if let (Some((radix, digits)), false) = (radix(digits), signed) {
        return whole(digits, radix);
    }
    number::from_decimal(digits).map(|n| sign * n).filter(|n| n.is_finite())
}

fn radix(digits: &str) -> Option<(u32, &str)> {
    Some(match digits.get(..2)? {
        "0x" => (16, &digits[2..]),
        "0o" => (8, &digits[2..]),
        _ => return None,
    })
}

fn whole(digits: &str, radix: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    digits.chars().try_fold(0.0, |n, c| Some(n * f64::from(radix) + f64::from(c.to_digit(radix)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for (text, n) in [
            ("3", 3.0),
            ("3.0", 3.0),
            ("3.", 3.0),
            ("1e3", 1000.0),
            ("0x1E", 30.0),
            ("0o17", 15.0),
            ("+9", 9.0),
            ("010", 10.0),
            (".5", 0.5),
            ("-0", 0.0),
            ("-1.5E+2", -150.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
            (".inf", f64::INFINITY),
            ("-.INF", f64::NEG_INFINITY),
        ] {
            assert_eq!(plain_scalar(text), Outline::Number(n), "{text}");
        }
        assert!(matches!(plain_scalar(".nan"), Outline::Number(n) if n.is_nan()));
        for text in [
            "yes",
            "on",
            "1_000",
            "12:30",
            "2026-01-01",
            "0b11",
            "1e400",
            "-0x1",
            "0x",
            ".",
            "+",
            "e3",
            "1e",
            "1.2.3",
            "tRUE",
            "-.nan",
            "0o8",
            "1 2",
            "٣",
        ] {
            assert_eq!(plain_scalar(text), Outline::Text(text), "{text}");
        }
    }

    #[test]
    fn a_core_tag_is_honoured_and_a_broken_promise_is_none() {
        assert_eq!(resolve("5", true, Tag::Text), Some(Outline::Text("5")));
        assert_eq!(resolve("5", false, Tag::Integer), Some(Outline::Number(5.0)));
        assert_eq!(resolve("5", false, Tag::None), Some(Outline::Text("5")));
        assert_eq!(resolve("x", true, Tag::Integer), None);
        assert_eq!(resolve("yes", true, Tag::Bool), None);
        assert_eq!(resolve("1.5", true, Tag::Integer), None);
        assert_eq!(resolve("a", true, Tag::Map), None);
    }
}
