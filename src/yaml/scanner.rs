//! The text as words. What is a key shows only at its `:`, so that words wait in a queue while the
//! first of them may still turn out to begin one.

use super::chars::{self, BLANK, BREAK, BYTE_ORDER_MARK, END, FLOW, LINE_END, SPACE};
use super::structure::{Indent, Level};
use super::token::{Style, Token, Word, Words};
use super::{Error, ErrorKind, Span};
use std::collections::VecDeque;

/// Something that is none where a mistake ends the reading; the scanner then knows which.
pub(super) type Scanned<T = ()> = Option<T>;

pub(super) struct Scanner<'s> {
    pub(super) text: &'s str,
    pub(super) at: usize,
    /// Where the line begins, after a byte order mark.
    pub(super) line: usize,
    /// Where the line before begins.
    line_before: usize,
    /// Whether nothing but blanks stands before `at` on its line.
    pub(super) leading: bool,

    pub(super) tokens: VecDeque<Token>,
    /// How many tokens have been taken.
    pub(super) taken: usize,
    /// Whether the first token is known to be what it seems.
    settled: bool,

    /// The column of the innermost block collection; -1 outside of all.
    pub(super) indent: i32,
    pub(super) indents: Vec<Indent>,
    /// The innermost flow collection, or the block around all of them.
    pub(super) level: Level,
    pub(super) outer: Vec<Level>,
    /// How many flow collections may be nested.
    pub(super) deepest: usize,
    /// The outermost level on which a key is possible.
    pub(super) oldest_key: Option<usize>,
    /// Whether a key may begin here.
    pub(super) key_allowed: bool,
    /// Where a `:` needs no space after it, because a JSON-like key ends there.
    pub(super) adjacent: Option<usize>,
    /// Whether only space stands between a `?` and here.
    pub(super) after_key: bool,

    /// The comment at which the last plain scalar ended.
    pub(super) comment: Option<usize>,
    /// Whether a byte order mark may come.
    in_prefix: bool,

    /// The mistake that has ended the reading.
    pub(super) error: Option<Error>,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(text: &'s str, deepest: usize) -> Self {
        Self {
            text,
            at: 0,
            line: 0,
            line_before: 0,
            leading: true,
            tokens: VecDeque::new(),
            taken: 0,
            settled: false,
            indent: -1,
            indents: Vec::new(),
            level: Level::default(),
            outer: Vec::new(),
            deepest,
            oldest_key: None,
            key_allowed: true,
            adjacent: None,
            after_key: false,
            comment: None,
            in_prefix: true,
            error: None,
        }
    }

    /// Ends the reading with a mistake.
    pub(super) fn fail<T>(&mut self, kind: ErrorKind, at: usize) -> Scanned<T> {
        self.error = Some(Error::new(kind, at));
        None
    }

    /// The next word and where it stands, without taking it.
    pub(super) fn peek(&mut self) -> Scanned<(Word, Span)> {
        while !self.settled {
            let waits = match self.tokens.back() {
                None => true,
                Some(last) => {
                    // What was read before a marker is told before anything after it is looked at.
                    let marker = Words::of(&[Word::DocumentStart, Word::DocumentEnd]).have(last.word);
                    self.expire_keys()?;
                    !marker && self.first_may_be_key()
                }
            };
            if waits {
                self.scan()?;
            } else {
                self.settled = true;
            }
        }
        let end = Span::at(self.at as u32);
        let Some(token) = self.tokens.front() else { return Some((Word::StreamEnd, end)) };
        let before = Span::at(token.span.start);
        Some(match token.opens {
            Some(opens) => (opens, before),
            None if token.is_key => (Word::Key, before),
            None => (token.word, token.span),
        })
    }

    /// Goes on to the next word; what was said about this one.
    pub(super) fn take(&mut self) -> Option<Token> {
        let first = self.tokens.front_mut()?;
        if first.opens.take().is_some() || std::mem::take(&mut first.is_key) {
            return None;
        }
        self.settled = false;
        self.taken += 1;
        self.tokens.pop_front()
    }

    /// Goes on to the next word, where there is no more to say about this one.
    #[inline(never)]
    pub(super) fn skip_word(&mut self) {
        self.take();
    }

    pub(super) fn push(&mut self, word: Word, start: usize, end: usize) {
        self.push_text(word, Style::Plain, start, end, None);
    }

    pub(super) fn push_text(
        &mut self,
        word: Word,
        style: Style,
        start: usize,
        end: usize,
        text: Option<String>,
    ) {
        let span = Span::new(start as u32, end as u32);
        self.tokens.push_back(Token { word, style, span, text, opens: None, is_key: false });
    }

    fn scan(&mut self) -> Scanned {
        while self.separation()? {
            // The comment ends what came before it: that can be told first.
            if !self.tokens.is_empty() {
                return Some(());
            }
        }
        self.expire_keys()?;
        self.end_blocks(self.column());
        let at_margin = self.at == self.line;
        match self.byte(0) {
            0 => return self.stream_end(),
            b'%' if at_margin => return self.directive(),
            b'-' if at_margin && self.is_marker() => return self.document_marker(Word::DocumentStart),
            b'.' if at_margin && self.is_marker() => return self.document_marker(Word::DocumentEnd),
            _ => {}
        }
        self.in_prefix = false;
        self.leading = false;
        self.word()
    }

    fn word(&mut self) -> Scanned {
        let (byte, next) = (self.byte(0), self.byte(1));
        let (apart, flow) = (chars::is(next, SPACE), self.in_flow());
        match byte {
            b'[' => self.flow_start(Word::FlowListStart),
            b'{' => self.flow_start(Word::FlowMapStart),
            b']' => self.flow_end(Word::FlowListEnd),
            b'}' => self.flow_end(Word::FlowMapEnd),
            b',' => self.comma(),
            b'-' if apart => self.item(),
            b'?' if apart => self.explicit_key(),
            b':' if apart => self.value(),
            b':' if flow && self.adjacent == Some(self.at) => self.value(),
            b':' if flow && (next == b'[' || next == b'{') => self.fail(ErrorKind::ColonSpace, self.at),
            b':' if flow && chars::is(next, FLOW) => self.value(),
            b'*' => self.anchor(Word::Alias),
            b'&' => self.anchor(Word::Anchor),
            b'!' => self.tag(),
            b'|' if !flow => self.block_scalar(Style::Literal),
            b'>' if !flow => self.block_scalar(Style::Folded),
            b'\'' => self.quoted(Style::SingleQuoted),
            b'"' => self.quoted(Style::DoubleQuoted),
            b'|' | b'>' | b'%' | b'@' | b'`' => self.fail(ErrorKind::Indicator, self.at),
            _ if self.is_byte_order_mark() => self.fail(ErrorKind::ByteOrderMark, self.at),
            _ => self.plain(),
        }
    }

    /// Skips what separates words (`s-separate [80]`), up to the end of a comment's line; whether there
    /// was a comment.
    pub(super) fn separation(&mut self) -> Scanned<bool> {
        loop {
            let byte = self.byte(0);
            match byte {
                b'\t' if self.after_key => self.tab_after_key()?,
                b'\t' if self.leading && !self.indents.is_empty() && self.column() < self.indent => {
                    self.skip(BLANK);
                    if !chars::is(self.byte(0), LINE_END) && self.byte(0) != b'#' {
                        return self.fail(ErrorKind::Tab, self.at);
                    }
                }
                b' ' | b'\t' => self.at += 1,
                b'\n' | b'\r' => self.next_line(),
                b'#' => {
                    self.skip_comment();
                    if chars::is(self.byte(0), BREAK) {
                        self.next_line();
                    }
                    return Some(true);
                }
                _ if self.in_prefix
                    && self.at == self.line
                    && !self.in_flow()
                    && self.is_byte_order_mark() =>
                {
                    self.at += BYTE_ORDER_MARK.len();
                    self.line = self.at;
                }
                _ => break,
            }
        }
        self.after_key = false;
        match self.comment.take() {
            Some(comment) if self.would_continue(comment) => self.fail(ErrorKind::CommentInScalar, comment),
            _ => Some(false),
        }
    }

    /// Whether the plain scalar before `comment` would go on here, were it not for the comment.
    fn would_continue(&self, comment: usize) -> bool {
        let on_next_line = (self.line_before..self.line).contains(&comment);
        let ends = chars::is(self.byte(0), END)
            || self.is_marker()
            || self.byte(0) == b':' && chars::is(self.byte(1), SPACE);
        !self.in_flow() && on_next_line && self.column() > self.indent && !ends
    }

    /// Skips a tab between `?` and its key: it separates, and does not indent.
    pub(super) fn tab_after_key(&mut self) -> Scanned {
        let tab = self.at;
        self.skip(BLANK);
        let indents = self.leading && (tab - self.line) as i32 <= self.indent;
        if indents && !chars::is(self.byte(0), LINE_END) && self.byte(0) != b'#' {
            return self.fail(ErrorKind::Tab, tab);
        }
        self.key_allowed = false;
        Some(())
    }

    /// Skips blanks and a comment; whether there was a tab.
    pub(super) fn end_line(&mut self) -> Scanned<bool> {
        let start = self.at;
        self.skip(BLANK);
        let tab = self.text.as_bytes()[start..self.at].contains(&b'\t');
        if self.byte(0) == b'#' {
            if start == self.at {
                return self.fail(ErrorKind::CommentSpace, start);
            }
            self.skip_comment();
        }
        Some(tab)
    }

    pub(super) fn skip_comment(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| chars::is(*byte, LINE_END)).unwrap_or(rest.len());
    }

    /// Skips the bytes of `classes`.
    pub(super) fn skip(&mut self, classes: u8) {
        while chars::is(self.byte(0), classes) {
            self.at += 1;
        }
    }

    /// Goes over a line break between words.
    pub(super) fn next_line(&mut self) {
        self.line_break();
        if !self.in_flow() {
            self.key_allowed = true;
        }
    }

    /// Goes over a line break (`b-break [28]`).
    pub(super) fn line_break(&mut self) {
        self.at += if self.byte(0) == b'\r' && self.byte(1) == b'\n' { 2 } else { 1 };
        self.line_before = self.line;
        self.line = self.at;
        self.leading = true;
    }

    fn document_marker(&mut self, word: Word) -> Scanned {
        if self.in_flow() {
            return self.fail(ErrorKind::OpenBracket, self.level.open);
        }
        self.end_blocks(-1);
        self.no_key()?;
        self.key_allowed = false;
        let start = self.at;
        self.at += 3;
        self.leading = false;
        self.in_prefix = word == Word::DocumentEnd;
        self.push(word, start, self.at);
        if word == Word::DocumentEnd {
            self.end_line()?;
            if !chars::is(self.byte(0), LINE_END) {
                return self.fail(ErrorKind::AfterDocumentEnd, self.at);
            }
        }
        Some(())
    }

    fn stream_end(&mut self) -> Scanned {
        if self.in_flow() {
            return self.fail(ErrorKind::OpenBracket, self.level.open);
        }
        self.end_blocks(-1);
        self.no_key()?;
        self.key_allowed = false;
        self.push(Word::StreamEnd, self.at, self.at);
        Some(())
    }

    /// The byte at `ahead` from here; 0 beyond the end.
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or_default()
    }

    /// The text from `start` up to here.
    pub(super) fn since(&self, start: usize) -> &'s str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The column, from 0. Bytes do for characters: what can begin a block has nothing but ASCII before
    /// it on its line.
    pub(super) fn column(&self) -> i32 {
        (self.at - self.line) as i32
    }

    pub(super) fn in_flow(&self) -> bool {
        !self.outer.is_empty()
    }

    /// Whether `---` or `...` stands here alone (`c-forbidden [206]`, at the start of a line).
    pub(super) fn is_marker(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        (rest.starts_with(b"---") || rest.starts_with(b"...")) && chars::is(self.byte(3), SPACE)
    }

    pub(super) fn is_byte_order_mark(&self) -> bool {
        self.text.as_bytes()[self.at..].starts_with(BYTE_ORDER_MARK)
    }
}
