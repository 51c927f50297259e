//! What stands before nodes and documents: anchors and tags (6.9), directives (6.8). An alias is
//! spelled as an anchor is.

use super::chars::{self, BLANK, BREAK, FLOW, LINE_END, SPACE, TAG, URI, WORD};
use super::scanner::{Scanned, Scanner};
use super::token::{Style, Word};
use super::{Error, ErrorKind};

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
            return Err(Error::new(ErrorKind::AnchorName, start));
        }
        self.push(word, start, self.at);
        Ok(())
    }

    /// `c-ns-tag-property [97]`.
    pub(super) fn tag(&mut self) -> Scanned {
        self.may_be_key();
        self.key_allowed = false;
        let start = self.at;
        let error = Error::new(ErrorKind::Tag, start);
        let mut suffix = String::new();
        let verbatim = self.byte(1) == b'<';
        let handle = if verbatim { "" } else { handle(&self.text[start..]) };
        self.at += if verbatim { 2 } else { handle.len() };
        self.escaped(if verbatim { URI } else { TAG }, &mut suffix, error)?;
        if suffix.is_empty() && handle != "!" {
            return Err(error);
        }
        if verbatim {
            if self.byte(0) != b'>' {
                return Err(error);
            }
            self.at += 1;
        }
        let next = self.byte(0);
        let ends = chars::is(next, SPACE) || self.in_flow() && matches!(next, b',' | b']' | b'}');
        if !ends {
            return Err(error);
        }
        self.push_text(Word::Tag, Style::Plain, start, self.at, Some(suffix));
        Ok(())
    }

    /// `l-directive [82]`.
    pub(super) fn directive(&mut self) -> Scanned {
        self.end_blocks(-1);
        self.no_key()?;
        self.key_allowed = false;
        let start = self.at;
        self.at += 1;
        self.skip_word();
        let name = self.since(start);
        if name == "%" || !chars::is(self.byte(0), SPACE) {
            return Err(Error::new(ErrorKind::Directive, start + 1));
        }
        let mut prefix = None;
        let word = match name {
            "%YAML" => {
                self.version().ok_or(Error::new(ErrorKind::Version, start))?;
                Word::Version
            }
            "%TAG" => {
                prefix = Some(self.tag_directive(Error::new(ErrorKind::TagDirective, start))?);
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
            return Err(Error::new(ErrorKind::Directive, start));
        }
        if chars::is(self.byte(0), BREAK) {
            self.line_break();
        }
        self.push_text(word, Style::Plain, start, end, prefix);
        Ok(())
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
    fn tag_directive(&mut self, error: Error) -> Scanned<String> {
        self.skip(BLANK);
        let handle = handle(&self.text[self.at..]);
        if !handle.starts_with('!') {
            return Err(error);
        }
        self.at += handle.len();
        if chars::is(self.byte(0), WORD) && handle == "!" {
            return Err(error);
        }
        self.skip(BLANK);
        if self.byte(0) != b'!' && !chars::is(self.byte(0), TAG) {
            return Err(error);
        }
        let mut prefix = String::new();
        self.escaped(URI, &mut prefix, error)?;
        if chars::is(self.byte(0), SPACE) { Ok(prefix) } else { Err(error) }
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
            self.skip_word();
        }
    }

    fn skip_word(&mut self) {
        while !chars::is(self.byte(0), SPACE) && !self.is_byte_order_mark() {
            self.at += 1;
        }
    }

    /// Appends the characters of `classes` that stand here, `%` escapes decoded.
    fn escaped(&mut self, classes: u8, text: &mut String, error: Error) -> Scanned {
        while chars::is(self.byte(0), classes) {
            if self.byte(0) == b'%' {
                text.push(self.uri_escape().ok_or(error)?);
            } else {
                text.push(char::from(self.byte(0)));
                self.at += 1;
            }
        }
        Ok(())
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
