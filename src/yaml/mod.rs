//! YAML 1.2.2: a text to the events that describe it, with byte spans. This part knows the language
//! and nothing of what is written in it. It makes no copy of what stands in the text as it is, goes
//! over the text once, and nests without recursion.
//!
//! ```text
//!  text ──scanner──▶ tokens ──parser──▶ events
//! ```
//!
//! Numbers in brackets are the productions of the specification. Two places are less strict than it,
//! as all parsers in use are: lines inside quotes and brackets may be indented less than the block
//! around them.

mod block;
mod chars;
mod collection;
mod error;
mod names;
mod parser;
mod plain;
mod property;
mod quoted;
mod scanner;
mod structure;
mod token;

pub use chars::unprintable;
pub use error::{Error, ErrorKind};
pub use parser::{Parser, SCHEMA};
pub use token::Style;

/// A stretch of a text in bytes, end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty span at `at`.
    pub const fn at(at: u32) -> Self {
        Self { start: at, end: at }
    }

    /// The text of the span.
    pub fn of(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// What stands at a place of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// A document begins, by `---` where it is explicit.
    DocumentStart {
        /// Whether it says so.
        explicit: bool,
    },
    /// A document ends.
    DocumentEnd,
    /// A scalar. One that is left out is plain and has an empty span.
    Scalar(Style),
    /// An alias, with the number of the anchor that it names, counted from 0 through the text; none
    /// where its document has no such anchor before it.
    Alias(Option<u32>),
    /// A list begins. One in block style has an empty span, at its first item or at what is in that.
    ListStart {
        /// Whether it is written in brackets.
        flow: bool,
    },
    /// A list ends: its bracket, or what comes after a block.
    ListEnd,
    /// A mapping begins. One in block style has an empty span, at its first key.
    MapStart {
        /// Whether it is written in braces.
        flow: bool,
    },
    /// A mapping ends.
    MapEnd,
}

/// The tag of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Where it is written.
    pub span: Span,
    /// What it stands for, handle and escapes resolved; `!` for the tag that is only that.
    pub name: String,
}

/// A part of what a text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What it is.
    pub kind: EventKind,
    /// Where it stands: a quoted scalar with its quotes, a block scalar without its header.
    pub span: Span,
    /// What a scalar says, where that is not what stands in the text.
    pub text: Option<String>,
    /// Where the node's anchor stands, with its `&`.
    pub anchor: Option<Span>,
    /// The node's tag.
    pub tag: Option<Box<Tag>>,
}

impl Event {
    const fn new(kind: EventKind, span: Span) -> Self {
        Self { kind, span, text: None, anchor: None, tag: None }
    }

    /// What a scalar says; `source` is the text that was read.
    pub fn text<'e>(&'e self, source: &'e str) -> &'e str {
        match (&self.text, self.kind) {
            (Some(text), _) => text,
            (None, EventKind::Scalar(Style::SingleQuoted | Style::DoubleQuoted)) => {
                Span::new(self.span.start + 1, self.span.end.saturating_sub(1)).of(source)
            }
            _ => self.span.of(source),
        }
    }
}
