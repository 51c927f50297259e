//! Plain scalars (7.3.3).

use super::ErrorKind;
use super::chars::{self, BLANK, BREAK, FLOW, LINE_END, SPACE};
use super::scanner::{Scanned, Scanner};
use super::token::{Style, Word};
use crate::text::push;

impl Scanner<'_> {
    /// `ns-plain [131]`.
    pub(super) fn plain(&mut self) -> Scanned {
        self.may_be_key();
        self.key_allowed = false;
        self.drop_content_indent();
        let flow = self.in_flow();
        if flow && self.byte(0) == b'-' && chars::is(self.byte(1), FLOW) {
            return self.fail(ErrorKind::ItemInFlow, self.at);
        }
        let indent = self.indent + 1;
        let start = self.at;
        let (mut from, mut end) = (start, start);
        let mut text = None;
        loop {
            self.skip_plain(flow);
            end = end.max(self.at);
            if !chars::is(self.byte(0), BLANK | BREAK) {
                break;
            }
            let breaks = self.plain_space(indent, start)?;
            if breaks > 0 && !flow && self.column() < indent {
                break;
            }
            if self.byte(0) == b'#' {
                if breaks == 0 && !flow {
                    self.comment = Some(self.at);
                }
                break;
            }
            if !self.is_plain(flow) || self.at == self.line && self.is_marker() {
                break;
            }
            if breaks > 0 {
                self.leading = false;
                let text = text.get_or_insert_with(String::new);
                push(text, &self.text[from..end]);
                push_breaks(text, breaks);
                from = self.at;
            }
        }
        if self.leading {
            self.key_allowed = true;
        }
        if let Some(text) = &mut text {
            push(text, &self.text[from..end]);
        }
        self.push_text(Word::Scalar, Style::Plain, start, end, text);
        // Nearly every key of a block is one plain word and its `:`.
        if !flow && self.byte(0) == b':' && self.is_key() { self.value() } else { Some(()) }
    }

    /// Skips a word of a plain scalar.
    fn skip_plain(&mut self, flow: bool) {
        let stops = if flow { SPACE | FLOW } else { SPACE };
        let bytes = self.text.as_bytes();
        loop {
            let rest = &bytes[self.at..];
            let word = rest.iter().position(|byte| chars::is(*byte, stops) || *byte == b':');
            self.at += word.unwrap_or(rest.len());
            if self.byte(0) != b':' || chars::is(self.byte(1), stops) {
                return;
            }
            self.at += 1;
        }
    }

    /// Whether a plain scalar can go on with what stands here (`ns-plain-char [130]`).
    fn is_plain(&self, flow: bool) -> bool {
        let stops = if flow { SPACE | FLOW } else { SPACE };
        let byte = self.byte(0);
        let stop = chars::is(byte, stops) || byte == b':' && chars::is(self.byte(1), stops);
        !stop
    }

    /// Skips the space in a plain scalar; how many line breaks it has.
    fn plain_space(&mut self, indent: i32, start: usize) -> Scanned<usize> {
        let mut breaks = 0;
        loop {
            match self.byte(0) {
                b'\t' if breaks > 0 && self.column() < indent => {
                    self.end_line()?;
                    if !chars::is(self.byte(0), LINE_END) {
                        return self.fail(ErrorKind::TabInScalar, start);
                    }
                }
                b' ' | b'\t' => self.at += 1,
                b'\n' | b'\r' => {
                    self.line_break();
                    breaks += 1;
                }
                _ => return Some(breaks),
            }
        }
    }
}

/// Folds line breaks (`b-l-folded [73]`): one is a space, more are one less.
pub(super) fn push_breaks(text: &mut String, breaks: usize) {
    if breaks == 1 {
        text.push(' ');
    }
    push_lines(text, breaks.saturating_sub(1));
}

pub(super) fn push_lines(text: &mut String, breaks: usize) {
    for _ in 0..breaks {
        text.push('\n');
    }
}
