//! What this crate and granit-parser make of a text, in one form.

use granit_parser as granit;
use step_retry::yaml::{self, EventKind, Style};

/// How deep collections may be nested, in both.
pub(crate) const DEEPEST: usize = 255;

/// One event with its place in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) kind: EventKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) text: String,
    pub(crate) anchor: Option<(u32, u32)>,
    /// What an anchor or an alias is called.
    pub(crate) name: String,
    /// Where a tag begins, and what it stands for.
    pub(crate) tag: Option<(u32, String)>,
}

/// All events of a text, and the mistake that ends them.
pub(crate) struct Reading<E> {
    pub(crate) events: Vec<Seen>,
    pub(crate) error: Option<E>,
}

pub(crate) fn ours(text: &str) -> Reading<yaml::Error> {
    let mut events = Vec::new();
    for event in yaml::Parser::new(text, DEEPEST) {
        match event {
            Ok(event) => events.push(Seen {
                kind: event.kind,
                start: event.span.start,
                end: event.span.end,
                text: match event.kind {
                    EventKind::Scalar(_) => event.text(text).to_owned(),
                    _ => String::new(),
                },
                anchor: event.anchor.map(|anchor| (anchor.start, anchor.end)),
                name: match (event.anchor, event.kind) {
                    (Some(name), _) => name.of(text)[1..].to_owned(),
                    (None, EventKind::Alias(_)) => event.span.of(text)[1..].to_owned(),
                    _ => String::new(),
                },
                tag: event.tag.map(|tag| (tag.span.start, tag.name)),
            }),
            Err(error) => return Reading { events, error: Some(error) },
        }
    }
    Reading { events, error: None }
}

pub(crate) fn theirs(text: &str) -> Reading<granit::ScanError> {
    let mut options = granit::options! { emit_anchor_events: true, emit_unresolved_aliases: true };
    options.flow_nesting_limit = DEEPEST;
    options.block_nesting_limit = DEEPEST;
    // Limits of memory that this crate has no need of.
    options.max_directive_bytes = usize::MAX;
    options.max_reserved_directive_params = usize::MAX;
    let text_of = |start: u32, end: u32| text[start as usize..end as usize].to_owned();
    let mut events: Vec<Seen> = Vec::new();
    for event in granit::Parser::new_from_str_with_options(text, options) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => return Reading { events, error: Some(error) },
        };
        let byte = |mark: granit::Marker| mark.byte_offset().unwrap_or_default() as u32;
        let (start, end) = (byte(span.start), byte(span.end));
        let (kind, says, tag) = match event {
            granit::Event::DocumentStart(explicit, _) => (EventKind::DocumentStart { explicit }, None, None),
            granit::Event::DocumentEnd => (EventKind::DocumentEnd, None, None),
            granit::Event::Scalar(says, style, _, tag) => {
                let left_out = style == granit::ScalarStyle::Plain && start == end;
                (EventKind::Scalar(self::style(style)), (!left_out).then_some(says), tag)
            }
            granit::Event::SequenceStart(style, _, tag) => {
                (EventKind::ListStart { flow: style == granit::StructureStyle::Flow }, None, tag)
            }
            granit::Event::SequenceEnd => (EventKind::ListEnd, None, None),
            granit::Event::MappingStart(style, _, tag) => {
                (EventKind::MapStart { flow: style == granit::StructureStyle::Flow }, None, tag)
            }
            granit::Event::MappingEnd => (EventKind::MapEnd, None, None),
            granit::Event::Alias(anchor) => (EventKind::Alias(Some(anchor as u32 - 1)), None, None),
            granit::Event::UnresolvedAlias(_) => (EventKind::Alias(None), None, None),
            granit::Event::Anchor(_, name) => {
                if let Some(node) = events.last_mut() {
                    node.anchor = Some((start, end));
                    node.name = name.into_owned();
                }
                continue;
            }
            _ => continue,
        };
        let tag_start = span.tag_start().map(byte).unwrap_or_default();
        let tag = tag.map(|tag| (tag_start, format!("{}{}", tag.handle(), tag.suffix())));
        let text = says.map(|says| says.into_owned()).unwrap_or_default();
        let name = match kind {
            EventKind::Alias(_) => text_of(start + 1, end),
            _ => String::new(),
        };
        events.push(Seen { kind, start, end, text, anchor: None, name, tag });
    }
    Reading { events, error: None }
}

const fn style(style: granit::ScalarStyle) -> Style {
    match style {
        granit::ScalarStyle::Plain => Style::Plain,
        granit::ScalarStyle::SingleQuoted => Style::SingleQuoted,
        granit::ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        granit::ScalarStyle::Literal => Style::Literal,
        granit::ScalarStyle::Folded => Style::Folded,
    }
}
