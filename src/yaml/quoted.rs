//! Quoted scalars (7.3.1, 7.3.2).

use super::ErrorKind;
use super::chars::{self, BLANK, BREAK, FLOW, LINE_END};
use super::plain::{push_breaks, push_lines};
use super::scanner::{Scanned, Scanner};
use super::token::{Style, Word};
use crate::text::push;

impl Scanner<'_> {
    /// `c-double-quoted [109]` or `c-single-quoted [120]`.
    pub(super) fn quoted(&mut self, style: Style) -> Scanned {
        self.may_be_key();
        self.key_allowed = false;
        let start = self.at;
        let quote = self.byte(0);
        self.at += 1;
        let text = self.quoted_text(quote, start)?;
        self.at += 1;
        self.leading = false;
        let end = self.at;

        self.end_line()?;
        let next = self.byte(0);
        let flow = self.in_flow();
        let fits = match next {
            b':' => flow || start >= self.line,
            _ => chars::is(next, LINE_END) || flow && next != b'[' && next != b'{' && chars::is(next, FLOW),
        };
        if !fits {
            let single = style == Style::SingleQuoted;
            let kind = if single { ErrorKind::AfterSingleQuote } else { ErrorKind::AfterDoubleQuote };
            return self.fail(kind, self.at);
        }
        let commented = self.separation()?;
        self.adjacent = if commented { None } else { Some(self.at) };
        self.push_text(Word::Scalar, style, start, end, text);
        Some(())
    }

    /// Goes up to the closing quote; the text, where it is not what stands there.
    fn quoted_text(&mut self, quote: u8, start: usize) -> Scanned<Option<String>> {
        let mut text = None::<String>;
        let mut from = self.at;
        loop {
            let byte = self.byte(0);
            match byte {
                0 => return self.fail(ErrorKind::OpenQuote, start),
                b'\n' | b'\r' => {
                    let text = self.put(&mut text, from);
                    text.truncate(text.len() - self.blanks_since(from));
                    push_breaks(text, self.quoted_breaks(start)?);
                    from = self.at;
                }
                b'\\' if quote == b'"' => {
                    let text = self.put(&mut text, from);
                    if chars::is(self.byte(1), BREAK) {
                        // `s-double-escaped [112]`
                        self.at += 1;
                        push_lines(text, self.quoted_breaks(start)? - 1);
                    } else {
                        let escape = self.at;
                        match self.escape() {
                            Some(character) => text.push(character),
                            None => return self.fail(ErrorKind::Escape, escape),
                        }
                    }
                    from = self.at;
                }
                _ if byte != quote => self.at += 1,
                _ if quote == b'\'' && self.byte(1) == quote => {
                    self.at += 1;
                    self.put(&mut text, from);
                    self.at += 1;
                    from = self.at;
                }
                _ => break,
            }
        }
        if text.is_some() {
            self.put(&mut text, from);
        }
        Some(text)
    }

    /// Appends what stands since `from` as it is.
    fn put<'t>(&self, text: &'t mut Option<String>, from: usize) -> &'t mut String {
        let text = text.get_or_insert_default();
        push(text, self.since(from));
        text
    }

    /// How many blanks end what stands since `from`.
    fn blanks_since(&self, from: usize) -> usize {
        self.since(from).bytes().rev().take_while(|byte| chars::is(*byte, BLANK)).count()
    }

    /// Skips line breaks and what surrounds them; how many there are.
    fn quoted_breaks(&mut self, start: usize) -> Scanned<usize> {
        let mut breaks = 0;
        while chars::is(self.byte(0), BLANK | BREAK) {
            if chars::is(self.byte(0), BREAK) {
                self.line_break();
                breaks += 1;
            } else {
                self.at += 1;
            }
        }
        if self.at == self.line && self.is_marker() {
            return self.fail(ErrorKind::MarkerInQuotes, start);
        }
        Some(breaks)
    }

    /// The character that the escape here stands for (`c-ns-esc-char [62]`).
    fn escape(&mut self) -> Option<char> {
        let letter = self.byte(1);
        self.at += 2;
        let code = match letter {
            b'0' => 0,
            b'a' => 0x07,
            b'b' => 0x08,
            b't' | b'\t' => 0x09,
            b'n' => 0x0A,
            b'v' => 0x0B,
            b'f' => 0x0C,
            b'r' => 0x0D,
            b'e' => 0x1B,
            b' ' | b'"' | b'/' | b'\\' => u32::from(letter),
            b'N' => 0x85,
            b'_' => 0xA0,
            b'L' => 0x2028,
            b'P' => 0x2029,
            b'x' => self.hex(2)?,
            b'u' => self.hex(4)?,
            b'U' => self.hex(8)?,
            _ => return None,
        };
        // JSON writes characters beyond the first 65536 as two.
        if letter == b'u' && code & !0x3FF == 0xD800 && self.byte(0) == b'\\' && self.byte(1) == b'u' {
            self.at += 2;
            let low = self.hex(4).filter(|low| low & !0x3FF == 0xDC00)?;
            return char::from_u32(0x10000 + ((code & 0x3FF) << 10 | low & 0x3FF));
        }
        char::from_u32(code)
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let mut value = 0;
        for _ in 0..digits {
            value = value << 4 | char::from(self.byte(0)).to_digit(16)?;
            self.at += 1;
        }
        Some(value)
    }

    /// The byte that two hexadecimal digits stand for, in a tag's `%`.
    pub(super) fn hex_byte(&mut self) -> Option<u8> {
        self.hex(2).map(|byte| byte as u8)
    }
}
