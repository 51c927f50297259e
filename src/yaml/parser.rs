//! Words to events: the grammar of collections and documents (chapters 7 to 9), as a stack of what is
//! still to come.

use super::names::Names;
use super::property;
use super::scanner::{Scanned, Scanner};
use super::token::{Style, Word, Words};
use super::{Error, ErrorKind, Event, EventKind, Span, Tag};

/// How the names of YAML's own tags begin, those of `!!`.
pub const SCHEMA: &str = "tag:yaml.org,2002:";

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// A document, with or without `---`.
    Document,
    /// A document with `---`.
    ExplicitDocument,
    /// What follows `---`.
    Content,
    DocumentEnd,
    Node,
    BlockItem,
    /// An item of a list that is indented as its key is.
    IndentlessItem,
    BlockKey,
    BlockValue,
    FirstFlowItem,
    FlowItem,
    FirstFlowKey,
    FlowKey,
    FlowValue,
    /// The value of a key that has no `:`.
    NoFlowValue,
    /// Of a pair in a list.
    PairKey,
    PairValue,
    PairEnd,
    End,
}

/// Where a node stands, and so what it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Flow,
    Block,
    /// The key or value of a block mapping, where a list may be indented as the mapping is.
    Entry,
}

/// Reads a text as events, until there are no more or a mistake ends it.
///
/// The text must have only characters that YAML allows, see [`super::unprintable`]; what follows a zero
/// byte is not read.
pub struct Parser<'s> {
    pub(super) scanner: Scanner<'s>,
    pub(super) state: State,
    /// What comes after what comes next.
    pub(super) states: Vec<State>,
    anchors: Names,
    /// How many anchors there have been.
    anchored: u32,
    handles: Names,
    /// What the handles stand for.
    prefixes: Vec<String>,
    /// How many block collections are open, and may be.
    pub(super) depth: usize,
    deepest: usize,
    /// The end of the last event.
    end: u32,
}

impl Iterator for Parser<'_> {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(event) = self.event() {
            self.end = event.span.end;
            return Some(Ok(event));
        }
        self.state = State::End;
        self.scanner.error.take().map(Err)
    }
}

impl<'s> Parser<'s> {
    /// Reads `text`, in which block collections may be nested `deepest` deep, and flow collections in
    /// them as deep again.
    pub fn new(text: &'s str, deepest: usize) -> Self {
        Self {
            scanner: Scanner::new(text, deepest),
            state: State::Document,
            states: Vec::new(),
            anchors: Names::default(),
            anchored: 0,
            handles: Names::default(),
            prefixes: Vec::new(),
            depth: 0,
            deepest,
            end: 0,
        }
    }

    /// Where the outermost bracket opens that has been read and not closed.
    pub fn open_bracket(&self) -> Option<u32> {
        let scanner = &self.scanner;
        scanner.in_flow().then(|| scanner.outer.get(1).unwrap_or(&scanner.level).open as u32)
    }

    /// The next event; none at the end, and where a mistake comes before it.
    fn event(&mut self) -> Scanned<Event> {
        match self.state {
            State::End => None,
            State::Document => self.document(true),
            State::ExplicitDocument => self.document(false),
            State::Content => self.content(),
            State::DocumentEnd => self.document_end(),
            State::Node => {
                let next = self.scanner.peek()?;
                self.node(Place::Block, next)
            }
            State::BlockItem => self.block_item(),
            State::IndentlessItem => self.indentless_item(),
            State::BlockKey => self.block_key(),
            State::BlockValue => self.block_value(),
            State::FirstFlowItem => self.flow_item(true),
            State::FlowItem => self.flow_item(false),
            State::FirstFlowKey => self.flow_key(true),
            State::FlowKey => self.flow_key(false),
            State::FlowValue => self.flow_value(),
            State::NoFlowValue => self.left_out(State::FlowKey),
            State::PairKey => self.pair_key(),
            State::PairValue => self.pair_value(),
            State::PairEnd => self.pair_end(),
        }
    }

    /// The start of the next document, or the end of all (`[211]`).
    fn document(&mut self, implicit: bool) -> Scanned<Event> {
        let (mut word, mut span) = self.scanner.peek()?;
        while word == Word::DocumentEnd {
            self.scanner.skip_word();
            (word, span) = self.scanner.peek()?;
        }
        if word == Word::StreamEnd {
            self.state = State::End;
            return None;
        }
        self.anchors.clear();
        self.handles.clear();
        self.prefixes.clear();
        let explicit = !implicit || word == Word::DocumentStart || Words::DIRECTIVE.have(word);
        if explicit {
            span = self.document_start()?;
        }
        self.states.push(State::DocumentEnd);
        self.state = if explicit { State::Content } else { State::Node };
        Some(Event::new(EventKind::DocumentStart { explicit }, span))
    }

    /// Directives up to `---`, which they need (`[209]`).
    fn document_start(&mut self) -> Scanned<Span> {
        let mut has_version = false;
        loop {
            let (word, span) = self.scanner.peek()?;
            let at = span.start as usize;
            match word {
                Word::Version if has_version => return self.scanner.fail(ErrorKind::SecondVersion, at),
                Word::Version => has_version = true,
                Word::TagDirective | Word::ReservedDirective | Word::DocumentStart => {}
                _ => return self.scanner.fail(ErrorKind::DocumentStart, at),
            }
            let token = self.scanner.take();
            if word == Word::DocumentStart {
                return Some(span);
            }
            if let (Word::TagDirective, Some(prefix)) = (word, token.and_then(|token| token.text)) {
                self.declare(span, prefix)?;
            }
        }
    }

    /// Notes what the handle of the `%TAG` at `span` stands for.
    fn declare(&mut self, span: Span, prefix: String) -> Scanned {
        let text = self.scanner.text;
        let before = span.of(text).find('!').unwrap_or_default() as u32;
        let start = span.start + before;
        let handle = property::handle(Span::new(start, span.end).of(text));
        if self.handles.find(text, handle).is_some() {
            return self.scanner.fail(ErrorKind::SecondHandle, span.start as usize);
        }
        let handle = Span::new(start, start + handle.len() as u32);
        self.handles.insert(text, handle, self.prefixes.len() as u32);
        self.prefixes.push(prefix);
        Some(())
    }

    fn content(&mut self) -> Scanned<Event> {
        const NONE: Words = Words::of(&[
            Word::Version,
            Word::TagDirective,
            Word::ReservedDirective,
            Word::DocumentStart,
            Word::DocumentEnd,
            Word::StreamEnd,
        ]);
        let next = self.scanner.peek()?;
        if NONE.have(next.0) {
            self.state = self.after();
            return Some(nothing(Span::at(self.end)));
        }
        self.node(Place::Block, next)
    }

    fn document_end(&mut self) -> Scanned<Event> {
        let (word, span) = self.scanner.peek()?;
        if word == Word::DocumentEnd {
            self.scanner.skip_word();
            self.state = State::Document;
            return Some(Event::new(EventKind::DocumentEnd, span));
        }
        if Words::DIRECTIVE.have(word) {
            return self.scanner.fail(ErrorKind::DirectiveInDocument, span.start as usize);
        }
        self.state = State::ExplicitDocument;
        Some(Event::new(EventKind::DocumentEnd, Span::at(self.end)))
    }

    /// A node with its properties (`[96]`), which begins with the word given.
    pub(super) fn node(&mut self, place: Place, (mut word, mut span): (Word, Span)) -> Scanned<Event> {
        if word == Word::Alias {
            return Some(self.alias(span));
        }
        let mut event = nothing(span);
        let mut end = None;
        loop {
            match word {
                Word::Anchor if event.anchor.is_none() => {
                    self.scanner.skip_word();
                    self.anchors.insert(
                        self.scanner.text,
                        Span::new(span.start + 1, span.end),
                        self.anchored,
                    );
                    self.anchored += 1;
                    event.anchor = Some(span);
                }
                Word::Tag if event.tag.is_none() => {
                    let suffix = self.scanner.take().and_then(|token| token.text).unwrap_or_default();
                    event.tag = Some(Box::new(self.resolve(span, suffix)?));
                }
                _ => break,
            }
            end = Some(span.end);
            (word, span) = self.scanner.peek()?;
        }
        event.span = span;
        let block = place != Place::Flow;
        event.kind = match word {
            Word::Scalar => {
                self.state = self.after();
                let token = self.scanner.take();
                let style = token.as_ref().map_or(Style::Plain, |token| token.style);
                event.text = token.and_then(|token| token.text);
                EventKind::Scalar(style)
            }
            Word::FlowListStart => self.begin(State::FirstFlowItem, EventKind::ListStart { flow: true }),
            Word::FlowMapStart => self.begin(State::FirstFlowKey, EventKind::MapStart { flow: true }),
            Word::Item if place == Place::Entry => {
                self.deeper(span)?;
                self.state = State::IndentlessItem;
                EventKind::ListStart { flow: false }
            }
            Word::BlockListStart if block => {
                self.deeper(span)?;
                self.begin(State::BlockItem, EventKind::ListStart { flow: false })
            }
            Word::BlockMapStart if block => {
                self.deeper(span)?;
                self.begin(State::BlockKey, EventKind::MapStart { flow: false })
            }
            _ => {
                // Properties alone are an empty node's (example 7.2).
                let Some(end) = end else {
                    return self.scanner.fail(ErrorKind::ExpectedNode, span.start as usize);
                };
                self.state = self.after();
                event.span = Span::at(end);
                EventKind::Scalar(Style::Plain)
            }
        };
        Some(event)
    }

    fn alias(&mut self, span: Span) -> Event {
        self.scanner.skip_word();
        self.state = self.after();
        let text = self.scanner.text;
        let name = Span::new(span.start + 1, span.end).of(text);
        Event::new(EventKind::Alias(self.anchors.find(text, name)), span)
    }

    fn resolve(&mut self, span: Span, suffix: String) -> Scanned<Tag> {
        let text = self.scanner.text;
        let written = span.of(text);
        let handle = if written.starts_with("!<") { "" } else { property::handle(written) };
        let prefix = match self.handles.find(text, handle) {
            _ if written == "!" => "!",
            Some(declared) => self.prefixes.get(declared as usize).map_or("", String::as_str),
            None if handle == "!!" => SCHEMA,
            None if handle.len() > 1 => return self.scanner.fail(ErrorKind::TagHandle, span.start as usize),
            None => handle,
        };
        let mut name = suffix;
        name.insert_str(0, prefix);
        Some(Tag { span, name })
    }

    fn begin(&mut self, first: State, kind: EventKind) -> EventKind {
        self.scanner.skip_word();
        self.state = first;
        kind
    }

    /// Goes one block collection deeper.
    fn deeper(&mut self, span: Span) -> Scanned {
        if self.depth >= self.deepest {
            return self.scanner.fail(ErrorKind::Nesting, span.start as usize);
        }
        self.depth += 1;
        Some(())
    }

    /// Takes the end of a collection.
    pub(super) fn end(&mut self, kind: EventKind, span: Span) -> Event {
        self.scanner.skip_word();
        self.state = self.after();
        Event::new(kind, span)
    }

    pub(super) fn after(&mut self) -> State {
        self.states.pop().unwrap_or(State::End)
    }
}

/// A node that is left out.
pub(super) const fn nothing(span: Span) -> Event {
    Event::new(EventKind::Scalar(Style::Plain), span)
}
