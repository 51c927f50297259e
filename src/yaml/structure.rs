//! Indentation, keys and brackets: what makes collections of words.

use super::ErrorKind;
use super::chars::{self, BLANK, BREAK, FLOW};
use super::scanner::{Scanned, Scanner};
use super::token::Word;

/// How many characters there may be between the start of a key without `?` and its `:` (`[154]`, `[155]`).
const LONGEST_KEY: usize = 1024;

/// An indentation that something inner has replaced.
pub(super) struct Indent {
    outer: i32,
    /// Whether the inner one is a collection; else it is only what the content of an entry must have.
    is_block: bool,
}

/// A flow collection; the default is the block around all of them.
#[derive(Default)]
pub(super) struct Level {
    /// Where its bracket stands.
    pub(super) open: usize,
    is_list: bool,
    /// An entry of the list began with `?`, and needs no opening.
    explicit: bool,
    /// A pair is open that is a mapping of its own (`ns-flow-pair [150]`).
    in_pair: bool,
    key: PossibleKey,
}

/// A place where a key would begin, should a `:` come.
#[derive(Default, Clone, Copy)]
struct PossibleKey {
    possible: bool,
    /// Nothing but a key can stand there.
    required: bool,
    start: usize,
    /// The last byte at which its `:` can stand; 0 where that is not yet known.
    limit: usize,
    /// The number of the token.
    token: usize,
}

impl PossibleKey {
    fn is_too_long(&mut self, text: &str, at: usize) -> bool {
        if at - self.start <= LONGEST_KEY {
            return false;
        }
        if self.limit == 0 {
            let mut chars = text[self.start..].char_indices();
            self.limit = chars.nth(LONGEST_KEY).map_or(text.len(), |(length, _)| self.start + length);
        }
        at > self.limit
    }
}

impl Scanner<'_> {
    /// Opens a flow collection (`[137]`, `[140]`).
    pub(super) fn flow_start(&mut self, word: Word) -> Scanned {
        self.may_be_key();
        self.indent_content();
        if self.outer.len() >= self.deepest {
            return self.fail(ErrorKind::Nesting, self.at);
        }
        let open = self.at;
        let level = Level { open, is_list: word == Word::FlowListStart, ..Level::default() };
        self.outer.push(std::mem::replace(&mut self.level, level));
        self.key_allowed = true;
        self.at += 1;
        self.end_line()?;
        self.push(word, open, open + 1);
        Some(())
    }

    /// Closes a flow collection.
    pub(super) fn flow_end(&mut self, word: Word) -> Scanned {
        let is_list = word == Word::FlowListEnd;
        if !self.in_flow() {
            return self.fail(ErrorKind::ClosingBracket, self.at);
        }
        if self.level.is_list != is_list {
            return self.fail(ErrorKind::OtherBracket, self.level.open);
        }
        self.no_key()?;
        self.end_pair();
        self.level = self.outer.pop().unwrap_or_default();
        self.key_allowed = false;
        let start = self.at;
        self.at += 1;
        self.end_line()?;
        if self.in_flow() {
            self.adjacent = Some(self.at);
        }
        self.push(word, start, start + 1);
        Some(())
    }

    pub(super) fn comma(&mut self) -> Scanned {
        self.no_key()?;
        self.key_allowed = true;
        self.end_pair();
        self.level.explicit = false;
        let start = self.at;
        self.at += 1;
        self.end_line()?;
        self.push(Word::Comma, start, start + 1);
        Some(())
    }

    fn end_pair(&mut self) {
        if std::mem::take(&mut self.level.in_pair) {
            self.level.explicit = false;
            self.push(Word::FlowMapEnd, self.at, self.at);
        }
    }

    /// `-` of a block list (`[184]`).
    pub(super) fn item(&mut self) -> Scanned {
        if self.in_flow() {
            return self.fail(ErrorKind::ItemInFlow, self.at);
        }
        if !self.key_allowed {
            return self.fail(ErrorKind::Item, self.at);
        }
        self.begin_block(self.at, Word::BlockListStart, None);
        self.at += 1;
        let tab = self.end_line()?;
        if tab && self.byte(0) == b'-' && chars::is(self.byte(1), chars::SPACE) {
            return self.fail(ErrorKind::TabBeforeItem, self.at);
        }
        if chars::is(self.byte(0), BREAK | FLOW) {
            self.indent_content();
        }
        self.no_key()?;
        self.key_allowed = true;
        self.push(Word::Item, self.at, self.at);
        Some(())
    }

    /// `?` (`[190]`, `[142]`).
    pub(super) fn explicit_key(&mut self) -> Scanned {
        let start = self.at;
        let flow = self.in_flow();
        if !flow && !self.key_allowed {
            return self.fail(ErrorKind::ExplicitKey, start);
        }
        if flow {
            self.level.explicit = true;
        } else {
            self.begin_block(start, Word::BlockMapStart, None);
        }
        self.no_key()?;
        self.key_allowed = !flow;
        self.at += 1;
        self.after_key = false;
        if !flow {
            self.after_key = self.space_after_key()?;
        }
        self.push(Word::Key, start, start + 1);
        Some(())
    }

    /// Skips what separates `?` from its key, up to a comment's end; whether there was a comment.
    fn space_after_key(&mut self) -> Scanned<bool> {
        loop {
            match self.byte(0) {
                b' ' => self.at += 1,
                b'\t' => self.tab_after_key()?,
                b'\n' | b'\r' => self.next_line(),
                b'#' => {
                    self.skip_comment();
                    return Some(true);
                }
                _ => return Some(false),
            }
        }
    }

    /// `:` after a key, or in place of one that is left out (`[147]`, `[194]`).
    pub(super) fn value(&mut self) -> Scanned {
        let start = self.at;
        let flow = self.in_flow();
        let is_pair = self.level.is_list && !self.level.explicit;
        self.level.in_pair |= is_pair;
        self.at += 1;
        let tab = chars::is(self.byte(0), BLANK) && self.end_line()?;
        let opens = if is_pair { Some(Word::FlowMapStart) } else { None };
        let key = self.level.key;
        if key.possible {
            let spread = flow && key.start < self.line;
            if spread && (is_pair || self.is_under_indented(key, start)) {
                return self.fail(ErrorKind::Colon, start);
            }
            if let Some(token) = self.tokens.get_mut(key.token - self.taken) {
                token.is_key = true;
                token.opens = opens;
            }
            self.begin_block(key.start, Word::BlockMapStart, Some(key.token));
            self.indent_content();
            self.forget_key();
            self.key_allowed = false;
        } else {
            if let Some(opens) = opens {
                self.push(opens, start, start);
            }
            if !flow {
                if !self.key_allowed {
                    return self.fail(ErrorKind::Value, start);
                }
                self.begin_block(start, Word::BlockMapStart, None);
            }
            self.indent_content();
            // Only spaces can indent a collection that begins on this line.
            self.key_allowed = !flow && !tab;
        }
        self.push(Word::Value, start, start);
        Some(())
    }

    /// Whether a part of a key over several lines, or its `:`, is indented no more than the block that
    /// the brackets are in.
    fn is_under_indented(&self, key: PossibleKey, colon: usize) -> bool {
        let under = |at: usize| self.is_within(at, self.block_indent());
        if under(key.start) || under(colon) {
            return true;
        }
        let mut part = key.token - self.taken;
        while let Some(token) = self.tokens.get(part) {
            if under(token.span.start as usize) {
                return true;
            }
            if !matches!(token.word, Word::Anchor | Word::Tag) {
                break;
            }
            part += 1;
        }
        false
    }

    /// Whether the column of `at` is `column` at most.
    fn is_within(&self, at: usize, column: i32) -> bool {
        let before = self.text[..at].chars().rev();
        let reach = usize::try_from(column + 1).unwrap_or_default();
        reach > 0 && before.take(reach).any(|c| c == '\n' || c == '\r')
    }

    /// The column of the innermost block collection, whatever its content must have.
    fn block_indent(&self) -> i32 {
        self.indents.last().filter(|last| !last.is_block).map_or(self.indent, |last| last.outer)
    }

    /// Begins a block collection at `at`, unless one is open there; `key` is the token before which it
    /// begins, where that has been scanned.
    fn begin_block(&mut self, at: usize, word: Word, key: Option<usize>) {
        if self.in_flow() {
            return;
        }
        let column = (at - self.line) as i32;
        if self.indent <= column {
            self.drop_content_indent();
        }
        if self.indent < column {
            self.indents.push(Indent { outer: self.indent, is_block: true });
            self.indent = column;
            match key.and_then(|key| self.tokens.get_mut(key - self.taken)) {
                Some(token) => token.opens = Some(word),
                None => self.push(word, at, at),
            }
        }
    }

    /// Ends the block collections that are indented deeper than `column`.
    pub(super) fn end_blocks(&mut self, column: i32) {
        while !self.in_flow()
            && self.indent > column
            && let Some(last) = self.indents.pop()
        {
            self.indent = last.outer;
            if last.is_block {
                self.push(Word::BlockEnd, self.at, self.at);
            }
        }
    }

    /// Asks of what follows to be indented deeper than the block collection that it is in.
    fn indent_content(&mut self) {
        if !self.in_flow() && self.indents.last().is_some_and(|last| last.is_block) {
            self.indents.push(Indent { outer: self.indent, is_block: false });
            self.indent += 1;
        }
    }

    /// Takes that back: what follows sees to its indentation itself.
    pub(super) fn drop_content_indent(&mut self) {
        if let Some(last) = self.indents.pop_if(|last| !last.is_block) {
            self.indent = last.outer;
        }
    }

    /// Notes that a key may begin here.
    pub(super) fn may_be_key(&mut self) {
        if self.key_allowed {
            let required = !self.in_flow()
                && self.indent == self.column()
                && self.indents.last().is_some_and(|last| last.is_block);
            let token = self.taken + self.tokens.len();
            self.level.key = PossibleKey { possible: true, required, start: self.at, limit: 0, token };
            self.oldest_key.get_or_insert(self.outer.len());
        }
    }

    /// Whether a `:` that stands here would make what was noted a key.
    pub(super) fn is_key(&self) -> bool {
        let key = &self.level.key;
        key.possible && key.start >= self.line && self.at - key.start <= LONGEST_KEY
    }

    /// What was noted is no key; an error where it has to be one.
    pub(super) fn no_key(&mut self) -> Scanned {
        let key = self.level.key;
        if key.possible && key.required {
            return self.fail(ErrorKind::MissingColon, key.start);
        }
        self.forget_key();
        Some(())
    }

    fn forget_key(&mut self) {
        self.level.key.possible = false;
        if self.oldest_key == Some(self.outer.len()) {
            self.oldest_key = None;
        }
    }

    /// Gives up the keys whose `:` would come too late here: on another line, or too far off.
    pub(super) fn expire_keys(&mut self) -> Scanned {
        while let Some(oldest) = self.oldest_key {
            let (at, text) = (self.at, self.text);
            let on_other_line = !self.in_flow() && self.level.key.start < self.line;
            let key = self.key_of(oldest);
            if !on_other_line && !key.is_too_long(text, at) {
                break;
            }
            if key.required {
                let start = key.start;
                return self.fail(ErrorKind::MissingColon, start);
            }
            key.possible = false;
            self.oldest_key = (oldest + 1..=self.outer.len()).find(|level| self.key_of(*level).possible);
        }
        Some(())
    }

    /// Whether the first token may turn out to begin a key.
    pub(super) fn first_may_be_key(&mut self) -> bool {
        let first = self.taken;
        self.oldest_key.is_some_and(|oldest| self.key_of(oldest).token == first)
    }

    fn key_of(&mut self, level: usize) -> &mut PossibleKey {
        match self.outer.get_mut(level) {
            Some(level) => &mut level.key,
            None => &mut self.level.key,
        }
    }
}
