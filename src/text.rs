//! Texts out of parts. The standard library's ways of formatting and joining are several times as much
//! code, in themselves and at each place where they are used.

use crate::millis::Millis;
use crate::number;

/// Something that stands in a text.
pub(crate) trait Part {
    /// Puts it at the end of `text`.
    fn put(&self, text: &mut String);
}

/// Puts `part` at the end of `text`. To make room and copy is too much code for each place that does it.
#[inline(never)]
pub(crate) fn push(text: &mut String, part: &str) {
    text.push_str(part);
}

impl Part for str {
    fn put(&self, text: &mut String) {
        push(text, self);
    }
}

impl Part for String {
    fn put(&self, text: &mut String) {
        push(text, self);
    }
}

impl Part for char {
    fn put(&self, text: &mut String) {
        text.push(*self);
    }
}

impl Part for Millis {
    fn put(&self, text: &mut String) {
        push(text, &number::to_text(self.get()));
    }
}

impl Part for u64 {
    fn put(&self, text: &mut String) {
        push(text, &number::whole_to_text(*self));
    }
}

impl Part for usize {
    fn put(&self, text: &mut String) {
        (*self as u64).put(text);
    }
}

impl Part for u32 {
    fn put(&self, text: &mut String) {
        u64::from(*self).put(text);
    }
}

impl Part for u16 {
    fn put(&self, text: &mut String) {
        u64::from(*self).put(text);
    }
}

impl<T: Part + ?Sized> Part for &T {
    fn put(&self, text: &mut String) {
        (**self).put(text);
    }
}

/// The parts in one text.
macro_rules! text {
    ($($part:expr),+ $(,)?) => {{
        let mut text = $crate::text::with_room();
        $($crate::text::Part::put(&$part, &mut text);)+
        text
    }};
}
pub(crate) use text;

/// An empty text with room for a sentence.
#[inline(never)]
pub(crate) fn with_room() -> String {
    String::with_capacity(128)
}

/// The parts with `separator` between any two.
pub(crate) fn joined(parts: &mut dyn Iterator<Item = &str>, separator: &str) -> String {
    let mut text = String::new();
    for (at, part) in parts.enumerate() {
        if at > 0 {
            push(&mut text, separator);
        }
        push(&mut text, part);
    }
    text
}

/// The parts in one.
pub(crate) fn concat(parts: &[&str]) -> String {
    let mut length = 0;
    for part in parts {
        length += part.len();
    }
    let mut text = String::with_capacity(length);
    for part in parts {
        push(&mut text, part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{concat, joined};
    use crate::millis::Millis;

    #[test]
    fn a_text_is_its_parts_one_after_the_other() {
        let half = Millis::saturating(0.5);
        let name = String::from("é");
        assert_eq!(text!["a ", name, &name, 'c', u64::MAX, 0_u32, half], "a ééc1844674407370955161500.5");
        assert_eq!(joined(&mut ["a", "", "b"].into_iter(), ", "), "a, , b");
        assert_eq!(concat(&["a", "", "b"]), "ab");
    }
}
