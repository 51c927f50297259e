//! What stands before nodes and documents: anchors and tags (6.9), directives (6.8). An alias is
//! spelled as an anchor is.

use super::ErrorKind;
use super::chars::{self, BLANK, BREAK, FLOW, LINE_END, SPACE, TAG, URI, WORD};
use super::scanner::{Scanned, Scanner};
use super::token::{Style, Word};

impl<'s> Scanner<'s> {
    /// `c-ns-anchor-property [101]` or `c-ns-alias-node [104]`.
    pub(super) fn anchor(&mut self, word: Word) -> Scanned {
        self.may_be_key();
        self.key_allowed = false;
        let start = self.at;
        self.at += 1;
        while !chars::is(self.byte(0), SPACE | FLOW) && !self.is_byte_order_mark() {
            self.at += 1;
        }
        if self.at == start + 1 {
            return self.fail(ErrorKind::AnchorName, start);
        }
        self.push(word, start, self.at);
        Some(())
    }

    /// `c-ns-tag-property [97]`.
    pub(super) fn tag(&mut self) -> Scanned {
        self.may_be_key();
        self.key_allowed = false;
        let start = self.at;
        let mut suffix = String::new();
        let verbatim = self.byte(1) == b'<';
        let handle = if verbatim { "" } else { handle(&self.text[start..]) };
        self.at += if verbatim { 2 } else { handle.len() };
        let mut sound = self.escaped(if verbatim { URI } else { TAG }, &mut suffix);
        sound &= !suffix.is_empty() || handle == "!";
        if verbatim {
            sound &= self.byte(0) == b'>';
            self.at += 1;
        }
        let next = self.byte(0);
        let ends = chars::is(next, SPACE) || self.in_flow() && matches!(next, b',' | b']' | b'}');
        if !(sound && ends) {
            return self.fail(ErrorKind::Tag, start);
        }
        self.push_text(Word::Tag, Style::Plain, start, self.at, Some(suffix));
        Some(())
    }

    /// `l-directive [82]`.
    pub(super) fn directive(&mut self) -> Scanned {
        self.end_blocks(-1);
        self.no_key()?;
        self.key_allowed = false;
        let start = self.at;
        self.at += 1;
        self.skip_name();
        let name = self.since(start);
        if name == "%" || !chars::is(self.byte(0), SPACE) {
            return self.fail(ErrorKind::Directive, start + 1);
        }
        let mut prefix = None;
        let word = match name {
            "%YAML" => {
                if self.version().is_none() {
                    return self.fail(ErrorKind::Version, start);
                }
                Word::Version
            }
            "%TAG" => {
                prefix = self.tag_directive();
                if prefix.is_none() {
                    return self.fail(ErrorKind::TagDirective, start);
                }
                Word::TagDirective
            }
            _ => {
                self.parameters();
                Word::ReservedDirective
            }
        };
        let end = self.at;
        self.end_line()?;
        if !chars::is(self.byte(0), LINE_END) {
            return self.fail(ErrorKind::Directive, start);
        }
        if chars::is(self.byte(0), BREAK) {
            self.line_break();
        }
        self.push_text(word, Style::Plain, start, end, prefix);
        Some(())
    }

    /// `ns-yaml-version [87]` of YAML 1.
    fn version(&mut self) -> Option<()> {
        self.skip(BLANK);
        let major = self.number()?;
        if self.byte(0) != b'.' {
            return None;
        }
        self.at += 1;
        self.number()?;
        (major.trim_start_matches('0') == "1").then_some(())
    }

    fn number(&mut self) -> Option<&'s str> {
        let start = self.at;
        while self.byte(0).is_ascii_digit() {
            self.at += 1;
        }
        Some(self.since(start)).filter(|number| (1..10).contains(&number.len()))
    }

    /// The prefix of `ns-tag-directive [88]`, which ends here.
    fn tag_directive(&mut self) -> Option<String> {
        self.skip(BLANK);
        let handle = handle(&self.text[self.at..]);
        if !handle.starts_with('!') {
            return None;
        }
        self.at += handle.len();
        if chars::is(self.byte(0), WORD) && handle == "!" {
            return None;
        }
        self.skip(BLANK);
        if self.byte(0) != b'!' && !chars::is(self.byte(0), TAG) {
            return None;
        }
        let mut prefix = String::new();
        let sound = self.escaped(URI, &mut prefix) && chars::is(self.byte(0), SPACE);
        sound.then_some(prefix)
    }

    /// Skips what follows the name of a directive that has no meaning here.
    fn parameters(&mut self) {
        loop {
            let end = self.at;
            self.skip(BLANK);
            if end == self.at || chars::is(self.byte(0), LINE_END) || self.byte(0) == b'#' {
                self.at = end;
                return;
            }
            self.skip_name();
        }
    }

    fn skip_name(&mut self) {
        while !chars::is(self.byte(0), SPACE) && !self.is_byte_order_mark() {
            self.at += 1;
        }
    }

    /// Appends the characters of `classes` that stand here, `%` escapes decoded; whether these are sound.
    fn escaped(&mut self, classes: u8, text: &mut String) -> bool {
        while chars::is(self.byte(0), classes) {
            let character = match self.byte(0) {
                b'%' => self.uri_escape(),
                byte => {
                    self.at += 1;
                    Some(char::from(byte))
                }
            };
            let Some(character) = character else { return false };
            text.push(character);
        }
        true
    }

    /// The character whose UTF-8 the next `%` escapes spell.
    fn uri_escape(&mut self) -> Option<char> {
        let mut bytes = [0; 4];
        for length in 1..=bytes.len() {
            if self.byte(0) != b'%' {
                return None;
            }
            self.at += 1;
            bytes[length - 1] = self.hex_byte()?;
            match std::str::from_utf8(&bytes[..length]) {
                Ok(text) => return text.chars().next(),
                Err(error) if error.error_len().is_some() => return None,
                Err(_) => {}
            }
        }
        None
    }
}

/// The handle with which a tag begins (`c-tag-handle [89]`), or its first character.
pub(super) fn handle(tag: &str) -> &str {
    let words = tag.bytes().skip(1).take_while(|byte| chars::is(*byte, WORD)).count();
    let named = tag.as_bytes().get(words + 1) == Some(&b'!');
    tag.get(..if named { words + 2 } else { 1 }).unwrap_or_default()
}
