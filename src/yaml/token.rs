//! The words of the language, between scanner and parser.

use super::Span;

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// Between `'`.
    SingleQuoted,
    /// Between `"`.
    DoubleQuoted,
    /// After `|`.
    Literal,
    /// After `>`.
    Folded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    StreamEnd,
    Version,
    TagDirective,
    ReservedDirective,
    DocumentStart,
    DocumentEnd,
    BlockListStart,
    BlockMapStart,
    BlockEnd,
    FlowListStart,
    FlowListEnd,
    FlowMapStart,
    FlowMapEnd,
    /// `-`.
    Item,
    /// `,`.
    Comma,
    /// `?`, or where a key begins without it.
    Key,
    /// `:`.
    Value,
    Alias,
    Anchor,
    Tag,
    Scalar,
}

/// Words, for asking whether one is among them.
#[derive(Clone, Copy)]
pub(super) struct Words(u32);

impl Words {
    pub(super) const DIRECTIVE: Self =
        Self::of(&[Word::Version, Word::TagDirective, Word::ReservedDirective]);

    pub(super) const fn of(words: &[Word]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < words.len() {
            bits |= 1 << words[at] as u32;
            at += 1;
        }
        Self(bits)
    }

    pub(super) const fn have(self, word: Word) -> bool {
        self.0 & 1 << word as u32 != 0
    }
}

/// A word with its place.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) word: Word,
    pub(super) style: Style,
    pub(super) span: Span,
    /// A scalar's text, where its span does not say it as it is; a tag's suffix, a directive's prefix.
    pub(super) text: Option<String>,
    /// The mapping that begins before this word, as its `:` has shown.
    pub(super) opens: Option<Word>,
    /// Whether a key begins here, as its `:` has shown.
    pub(super) is_key: bool,
}
