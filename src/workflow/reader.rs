//! YAML text to [`Tree`]: the parser's events into nodes, and the errors that an event parser does
//! not see (a second document, duplicate keys, aliases and tags without meaning, merges of what is
//! no mapping).

use super::Limits;
use super::place::{self, OpenFlow, Syntax};
use super::scalar::{self, Tag};
use super::tree::{Anchor, Kind, Node, NodeId, Tree};
use crate::codes::{self, Code};
use crate::text::text;
use crate::yaml::{self, Event, EventKind, Parser, Span, Style};

/// Something that makes the text no YAML, or too much of it.
#[derive(Debug)]
pub struct Problem {
    /// [`codes::YAML_PARSE_ERROR`] or a limit.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// One sentence, without a position.
    pub message: String,
    /// A second place that belongs to it, and what it has to do with it.
    pub related: Option<(Span, &'static str)>,
    /// The obvious mending: what it does, and what it puts where.
    pub mending: Option<(&'static str, Span, String)>,
}

/// Problems in their order.
#[allow(clippy::vec_box, reason = "a problem is large, and each move of a large value is code")]
pub type Problems = Vec<Box<Problem>>;

impl Problem {
    pub(super) fn yaml(span: Span, message: String) -> Box<Self> {
        Self::new(codes::YAML_PARSE_ERROR, span, message)
    }

    pub(super) fn new(code: Code, span: Span, message: String) -> Box<Self> {
        Box::new(Self { code, span, message, related: None, mending: None })
    }
}

/// What one pass over a text gave.
pub(super) struct Reading<'s> {
    pub(super) tree: Tree<'s>,
    pub(super) problems: Problems,
    /// What stopped the parser, where something did.
    pub(super) stopped: Option<Syntax>,
}

/// Reads `text`, which is `source` but for blanked lines, as far as it goes.
pub(super) fn read<'s>(source: &'s str, text: &str, limits: &Limits) -> Reading<'s> {
    let mut reader = Reader::new(source, text, limits);
    let mut stopped = None;
    let mut parser = Parser::new(text, limits.nesting);
    while let Some(event) = parser.next() {
        match event {
            Ok(event) => {
                if !reader.event(event) {
                    break;
                }
            }
            Err(error) => {
                let open = parser.open_bracket();
                let reached = Reached { end: reader.reached, scalar: reader.last_scalar, open };
                let syntax = place::syntax(source, text, error, reader.open_flow(), reached, limits);
                stopped = Some(syntax.within(source.len() as u32));
                break;
            }
        }
    }
    reader.close_all();
    Reading { tree: reader.tree, problems: reader.problems, stopped }
}

struct Frame {
    node: u32,
    is_map: bool,
    flow: bool,
    has_merge: bool,
    children: u32,
}

/// The last scalar that the parser gave: where the mistake often is when it stops.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastScalar {
    pub(super) span: Span,
    pub(super) plain: bool,
    /// It stands where a key belongs.
    pub(super) is_key: bool,
    /// The end of what was read before it.
    pub(super) after: u32,
}

/// How far the parser came before it stopped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// The end of the last thing it gave.
    pub(super) end: u32,
    pub(super) scalar: Option<LastScalar>,
    /// The outermost bracket that it has read, given or not, and that is not closed.
    pub(super) open: Option<u32>,
}

pub(super) struct Reader<'s, 't> {
    /// The text that is parsed.
    text: &'t str,
    pub(super) tree: Tree<'s>,
    frames: Vec<Frame>,
    pub(super) problems: Problems,
    /// The node of each anchor, by the parser's number for it.
    anchored: Vec<u32>,
    documents: u32,
    last_scalar: Option<LastScalar>,
    /// The end of the last thing read.
    reached: u32,
    /// How many entries merges may still bring.
    pub(super) merge_allowance: usize,
}

impl<'s, 't> Reader<'s, 't> {
    fn new(source: &'s str, text: &'t str, limits: &Limits) -> Self {
        let mut tree = Tree::empty(source);
        tree.nodes.reserve(source.len() / 12);
        Self {
            text,
            tree,
            frames: Vec::new(),
            problems: Vec::new(),
            anchored: Vec::new(),
            documents: 0,
            last_scalar: None,
            reached: 0,
            merge_allowance: limits.alias_visits,
        }
    }

    /// Takes one event; `false` when there is nothing more to read.
    fn event(&mut self, mut event: Event) -> bool {
        // Brackets that recovery has added lie beyond the end.
        let last = self.tree.source.len() as u32;
        let span = Span::new(event.span.start.min(last), event.span.end.min(last));
        match event.kind {
            EventKind::DocumentStart { .. } => {
                self.documents += 1;
                if self.documents > 1 {
                    let message = "a workflow file is one document, and here a second one begins";
                    self.problems.push(Problem::yaml(span, message.into()));
                    return false;
                }
            }
            EventKind::Scalar(style) => self.scalar(&mut event, style, span),
            EventKind::MapStart { flow } => self.open(Kind::Map, flow, span, event.tag.as_deref()),
            EventKind::ListStart { flow } => self.open(Kind::List, flow, span, event.tag.as_deref()),
            EventKind::MapEnd | EventKind::ListEnd => self.close(Some(span.end)),
            EventKind::Alias(anchor) => self.alias(anchor, span),
            EventKind::DocumentEnd => {}
        }
        if let Some(span) = event.anchor {
            let node = self.tree.nodes.len() as u32 - 1;
            self.anchored.push(node);
            self.tree.anchors.push(Anchor { node: NodeId(node), span });
        }
        true
    }

    fn scalar(&mut self, event: &mut Event, style: Style, span: Span) {
        let tag = self.tag(event.tag.as_deref());
        let kind = match style {
            Style::Plain => Kind::Plain,
            Style::Literal | Style::Folded => Kind::Block,
            Style::SingleQuoted | Style::DoubleQuoted => Kind::Quoted,
        };
        let as_written = match kind {
            Kind::Quoted => Span::new(span.start + 1, span.end.saturating_sub(1)),
            _ => span,
        };
        let text = event.text(self.text);
        let plain = kind == Kind::Plain;
        if tag != Tag::None && scalar::resolve(text, plain, tag).is_none() {
            self.problems.push(Problem::yaml(span, text!["'", text, "' is not what its tag says it is"]));
        }
        let is_key = self.key_is_next();
        if let Some(frame) = self.frames.last_mut() {
            frame.has_merge |= is_key && plain && text == "<<";
        }
        let mut link = 0;
        if as_written.of(self.tree.source) != text {
            let made = event.text.take();
            self.tree.texts.push(made.unwrap_or_else(|| as_written.of(self.text).to_owned()));
            link = self.tree.texts.len() as u32;
        }
        self.last_scalar = Some(LastScalar { span, plain, is_key, after: self.reached });
        self.push(kind, tag, span, link);
        if is_key {
            self.name_key();
        }
    }

    /// Sees to the name of the key that has just been read.
    fn name_key(&mut self) {
        self.tree.make_name(NodeId(self.tree.nodes.len() as u32 - 1));
    }

    fn key_is_next(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_map && frame.children % 2 == 0)
    }

    fn alias(&mut self, anchor: Option<u32>, span: Span) {
        match anchor.and_then(|anchor| self.anchored.get(anchor as usize)) {
            Some(target) => {
                let (target, is_key) = (*target, self.key_is_next());
                self.push(Kind::Alias, Tag::None, span, target);
                if is_key {
                    self.name_key();
                }
            }
            None => {
                let name = span.of(self.text).trim_start_matches('*');
                let message = text!["there is no anchor '&", name, "' before this alias"];
                self.problems.push(Problem::yaml(span, message));
                self.push(Kind::Plain, Tag::None, span, 0);
            }
        }
    }

    fn open(&mut self, kind: Kind, flow: bool, span: Span, tag: Option<&yaml::Tag>) {
        let tag = self.tag(tag);
        let promised = match tag {
            Tag::None => true,
            Tag::Map => kind == Kind::Map,
            Tag::List => kind == Kind::List,
            _ => false,
        };
        if !promised {
            self.problems.push(Problem::yaml(span, "this is not what its tag says it is".into()));
        }
        self.push(kind, tag, span, 0);
        let node = self.tree.nodes.len() as u32 - 1;
        self.tree.nodes[node as usize].next = 0;
        self.tree.nodes[node as usize].flow = flow;
        self.frames.push(Frame { node, is_map: kind == Kind::Map, flow, has_merge: false, children: 0 });
    }

    fn push(&mut self, kind: Kind, tag: Tag, span: Span, link: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.children += 1;
        }
        if kind != Kind::Map && kind != Kind::List {
            self.reached = span.end;
        }
        let next = self.tree.nodes.len() as u32 + 1;
        self.tree.nodes.push(Node { kind, tag, flow: false, span, next, link });
    }

    fn tag(&mut self, tag: Option<&yaml::Tag>) -> Tag {
        let Some(tag) = tag else { return Tag::None };
        match tag.name.strip_prefix(yaml::SCHEMA).and_then(Tag::core) {
            Some(known) => known,
            None if tag.name == "!" => Tag::Text,
            None => {
                let message = text!["unknown tag '", tag.span.of(self.text), "'"];
                self.problems.push(Problem::yaml(tag.span, message));
                Tag::None
            }
        }
    }

    /// Ends the innermost collection; a block collection ends where its last child does.
    fn close(&mut self, flow_end: Option<u32>) {
        let Some(frame) = self.frames.pop() else { return };
        if frame.is_map && frame.children % 2 == 1 {
            self.push(Kind::Plain, Tag::None, Span::at(self.reached), 0);
        }
        if let (Some(end), true) = (flow_end, frame.flow) {
            self.reached = end;
        }
        let next = self.tree.nodes.len() as u32;
        let node = &mut self.tree.nodes[frame.node as usize];
        node.next = next;
        node.span.end = self.reached.max(node.span.end);
        if !frame.is_map {
            node.link = frame.children;
        } else {
            let map = NodeId(frame.node);
            self.find_duplicates(map);
            if frame.has_merge {
                self.merge(map);
            }
        }
    }

    fn open_flow(&self) -> Option<OpenFlow> {
        let flows = self.frames.iter().filter(|frame| frame.flow);
        let mut starts = flows.map(|frame| self.tree.nodes[frame.node as usize].span.start);
        let start = starts.next()?;
        Some(OpenFlow { start, innermost: starts.last().unwrap_or(start) })
    }

    fn close_all(&mut self) {
        while !self.frames.is_empty() {
            self.close(None);
        }
    }
}
