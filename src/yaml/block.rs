//! Block scalars (8.1).

use super::ErrorKind;
use super::chars::{self, BLANK, BREAK, LINE_END};
use super::plain::push_lines;
use super::scanner::{Scanned, Scanner};
use super::token::{Style, Word};
use crate::text::push;

/// What becomes of the line breaks at the end (`[164]`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    /// `c-l+literal [170]` or `c-l+folded [174]`.
    pub(super) fn block_scalar(&mut self, style: Style) -> Scanned {
        self.may_be_key();
        self.key_allowed = true;
        self.drop_content_indent();
        let header = self.at;
        let (chomping, digit) = self.block_header()?;
        let has_lines = chars::is(self.byte(0), BREAK);
        if has_lines {
            self.line_break();
        }
        if self.byte(0) == b'\t' {
            return self.fail(ErrorKind::BlockTab, header);
        }
        let mut breaks = 0;
        let indent = if digit > 0 { self.indent.max(0) + digit } else { i32::MAX };
        let widest = self.block_breaks(indent, &mut breaks);
        let indent = if digit > 0 { indent } else { widest.max(self.indent + 1) };

        let mut text = String::new();
        if self.byte(0) == 0 {
            if chomping == Chomping::Keep {
                let indented = has_lines && self.column() > 0;
                push_lines(&mut text, breaks.max(usize::from(indented)));
            }
            self.push_text(Word::Scalar, style, header, self.at, Some(text));
            return Some(());
        }
        let column = self.column();
        if column < indent && column > self.indent {
            let ends = self.indent < 0 && column == 0 && (self.is_marker() || self.byte(0) == b'#');
            if !ends {
                return self.fail(ErrorKind::BlockIndentation, self.at);
            }
        }
        let start = self.at;
        breaks = self.block_lines(&mut text, indent, style == Style::Folded, breaks);
        if chomping != Chomping::Strip && self.at > start {
            text.push('\n');
        }
        if chomping == Chomping::Keep {
            push_lines(&mut text, breaks);
        }
        self.push_text(Word::Scalar, style, start, self.at, Some(text));
        Some(())
    }

    /// `c-b-block-header [162]`: the chomping, and the indentation where it is said.
    fn block_header(&mut self) -> Scanned<(Chomping, i32)> {
        let header = self.at;
        let (mut chomping, mut digit) = (Chomping::Clip, 0);
        self.at += 1;
        loop {
            match self.byte(0) {
                b'+' if chomping == Chomping::Clip => chomping = Chomping::Keep,
                b'-' if chomping == Chomping::Clip => chomping = Chomping::Strip,
                byte @ b'1'..=b'9' if digit == 0 => digit = i32::from(byte - b'0'),
                b'0' => return self.fail(ErrorKind::BlockHeader, header),
                _ => break,
            }
            self.at += 1;
        }
        self.end_line()?;
        if chars::is(self.byte(0), LINE_END) {
            Some((chomping, digit))
        } else {
            self.fail(ErrorKind::BlockHeader, header)
        }
    }

    /// Appends the lines that are indented by `indent`, the first of them after `breaks` empty ones; how
    /// many empty lines there are at the end.
    fn block_lines(&mut self, text: &mut String, indent: i32, folded: bool, mut breaks: usize) -> usize {
        let (mut first, mut after_blank) = (true, false);
        while self.column() == indent && self.byte(0) != 0 && !(indent == 0 && self.is_marker()) {
            let blank = chars::is(self.byte(0), BLANK);
            if folded && !first && !after_blank && !blank {
                if breaks == 0 {
                    text.push(' ');
                }
            } else if !first {
                text.push('\n');
            }
            push_lines(text, breaks);
            (first, after_blank, breaks) = (false, blank, 0);

            let start = self.at;
            self.skip_comment();
            push(text, self.since(start));
            if self.byte(0) == 0 {
                break;
            }
            self.line_break();
            self.block_breaks(indent, &mut breaks);
        }
        breaks
    }

    /// Skips empty lines and the indentation of the next one, `indent` at most; the widest of them.
    fn block_breaks(&mut self, indent: i32, breaks: &mut usize) -> i32 {
        let mut widest = 0;
        loop {
            while self.column() < indent && self.byte(0) == b' ' {
                self.at += 1;
            }
            widest = widest.max(self.column());
            if !chars::is(self.byte(0), BREAK) {
                return widest;
            }
            self.line_break();
            *breaks += 1;
        }
    }
}
