//! A workflow file as text: YAML to a [`Tree`] with places, mistakes and all. What a file must say is
//! [`crate::check`]'s matter.

mod merge;
mod names;
mod place;
mod position;
mod rank;
mod reader;
mod recover;
mod scalar;
mod tabs;
mod tree;

pub use crate::yaml::Span;
pub(crate) use names::Names;
pub(crate) use place::{line_end, line_start, without_breaks};
pub use position::{Places, Position, Range};
pub(crate) use rank::places;
pub use reader::{Problem, Problems};
pub use tree::{Children, Entry, NodeId, Tree};

use crate::argument::{Arguments, Misuse};
use crate::codec::{self, Codec, Fields};
use crate::codes;
use crate::text::text;
use crate::value::Value;

/// How much of a text is looked at. What goes beyond is reported under a `LIMIT_…` code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes.
    pub bytes: usize,
    /// The deepest nesting of mappings and lists.
    pub nesting: usize,
    /// How many steps are looked at.
    pub steps: usize,
    /// How many entries of mappings may be reached through aliases and merges, each time they are.
    pub alias_visits: usize,
    /// How many errors and warnings are told.
    pub diagnostics: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 16 << 20, nesting: 255, steps: 100_000, alias_visits: 1_000_000, diagnostics: 10_000 }
    }
}

impl Limits {
    /// Reads limits by their public names; one that is not said keeps its default.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of the first that is no whole number of 1 or more.
    pub fn read(limits: &Value) -> Result<Self, Misuse> {
        codec::read(Self::default(), Arguments::new("INVALID_ARGUMENT", "limits", limits)?)
    }
}

impl Fields for Limits {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.preset_size("bytes", &mut self.bytes);
        codec.preset_size("nesting", &mut self.nesting);
        codec.preset_size("steps", &mut self.steps);
        codec.preset_size("aliasEntries", &mut self.alias_visits);
        codec.preset_size("diagnostics", &mut self.diagnostics);
    }
}

/// A text as far as it could be read.
#[derive(Debug)]
pub struct Source<'s> {
    /// Its value.
    pub tree: Tree<'s>,
    /// What makes it no YAML, in the order of the text; empty for a sound file.
    pub problems: Problems,
    /// The stretches that were left out to read on.
    pub skipped: Vec<Span>,
    /// Whether everything else was read.
    pub complete: bool,
}

/// Reads a file. With `recover`, lines that stop the parser are left out and the rest is read;
/// without, reading ends at the first of them and the earliest problem is the only one.
pub fn read<'s>(source: &'s str, recover: bool, limits: &Limits) -> Source<'s> {
    if source.len() > limits.bytes {
        let message = text!["longer than ", limits.bytes, " bytes"];
        let problem = Problem::new(codes::LIMIT_SIZE, Span::at(0), message);
        let (tree, skipped) = (Tree::empty(source), Vec::new());
        return Source { tree, problems: vec![problem], skipped, complete: false };
    }
    if recover { recover::read(source, limits) } else { recover::read_once(source, limits) }
}

/// The line on which `span` begins, or the span where that goes further.
pub(crate) fn line_of(source: &str, span: Span) -> Span {
    let start = place::line_start(source, span.start);
    Span::new(start, place::line_end(source, span.start).max(span.end))
}
