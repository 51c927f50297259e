//! Places in a text: byte spans inside, lines and UTF-16 columns for people and editors.

use crate::yaml::Span;
use serde::Serialize;
use std::cell::OnceCell;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Position {
    /// From 1; `\n`, `\r\n` and a lone `\r` end a line.
    pub line: u32,
    /// From 1, in UTF-16 units.
    pub column: u32,
    /// From 0, in UTF-16 units.
    pub offset: u32,
}

/// A stretch of a text, end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Range {
    /// Where it begins.
    pub start: Position,
    /// The place after its last character.
    pub end: Position,
}

/// Finds lines and columns in one text. The lines are counted once, when the first place is asked
/// for.
#[derive(Debug)]
pub struct Places<'s> {
    source: &'s str,
    lines: OnceCell<Vec<LineStart>>,
}

#[derive(Debug, Clone, Copy)]
struct LineStart {
    byte: u32,
    utf16: u32,
}

impl<'s> Places<'s> {
    /// The places of `source`.
    pub const fn new(source: &'s str) -> Self {
        Self { source, lines: OnceCell::new() }
    }

    /// The line, from 1, that byte `at` is on.
    pub fn line(&self, at: u32) -> u32 {
        self.line_index(at) as u32 + 1
    }

    /// The place of byte `at`, which is brought back to the text's end and to a character's start.
    pub fn position(&self, at: u32) -> Position {
        let mut at = (at as usize).min(self.source.len());
        while !self.source.is_char_boundary(at) {
            at -= 1;
        }
        let index = self.line_index(at as u32);
        let start = self.lines()[index];
        let column = utf16_len(&self.source[start.byte as usize..at]);
        Position { line: index as u32 + 1, column: column + 1, offset: start.utf16 + column }
    }

    /// The range of `span`.
    pub fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    fn line_index(&self, at: u32) -> usize {
        self.lines().partition_point(|line| line.byte <= at).saturating_sub(1)
    }

    fn lines(&self) -> &[LineStart] {
        self.lines.get_or_init(|| line_starts(self.source))
    }
}

fn line_starts(source: &str) -> Vec<LineStart> {
    let bytes = source.as_bytes();
    let mut lines = vec![LineStart { byte: 0, utf16: 0 }];
    let mut utf16 = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        utf16 += utf16_units(byte);
        if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
            lines.push(LineStart { byte: at as u32 + 1, utf16 });
        }
    }
    lines
}

/// How many UTF-16 units the character has that begins with `byte`; none for a later byte of one.
const fn utf16_units(byte: u8) -> u32 {
    match byte {
        0x80..=0xBF => 0,
        0xF0.. => 2,
        _ => 1,
    }
}

fn utf16_len(text: &str) -> u32 {
    text.bytes().map(utf16_units).sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_break_counts_once_and_columns_are_utf16() {
        let source = "a\r\nb\rc\nd😀é x";
        let places = Places::new(source);
        let at = |needle: &str| places.position(source.find(needle).unwrap() as u32);
        assert_eq!(at("b"), Position { line: 2, column: 1, offset: 3 });
        assert_eq!(at("c"), Position { line: 3, column: 1, offset: 5 });
        assert_eq!(at("x"), Position { line: 4, column: 6, offset: 12 });
        assert_eq!(places.position(u32::MAX).offset as usize, source.encode_utf16().count());
    }
}
