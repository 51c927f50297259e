//! The grammar of collections: block (8.2) and flow (7.4).

use super::parser::{Parser, Place, State, nothing};
use super::scanner::Scanned;
use super::token::{Word, Words};
use super::{ErrorKind, Event, EventKind, Span};

/// What ends an entry of a block mapping.
const BLOCK_ENTRY_END: Words = Words::of(&[Word::Key, Word::Value, Word::BlockEnd]);
const BLOCK_ITEM_END: Words = Words::of(&[Word::Item, Word::BlockEnd]);
const INDENTLESS_ITEM_END: Words = Words::of(&[Word::Item, Word::Key, Word::Value, Word::BlockEnd]);
/// What ends an entry of a flow list.
const LIST_ENTRY_END: Words = Words::of(&[Word::Comma, Word::FlowListEnd]);
/// What ends the value of a flow mapping.
const MAP_VALUE_END: Words = Words::of(&[Word::Comma, Word::FlowMapEnd]);
const MAP_KEY_END: Words = Words::of(&[Word::Value, Word::Comma, Word::FlowMapEnd]);

impl Parser<'_> {
    /// A node before `next`; an empty one if one of `ends` comes, which stands at `empty` or before that.
    fn entry(&mut self, ends: Words, next: State, place: Place, empty: Option<Span>) -> Scanned<Event> {
        let (word, span) = self.scanner.peek()?;
        if ends.have(word) {
            self.state = next;
            return Some(nothing(empty.unwrap_or(Span::at(span.start))));
        }
        self.states.push(next);
        self.node(place, (word, span))
    }

    /// An empty node before the next word.
    pub(super) fn left_out(&mut self, next: State) -> Scanned<Event> {
        let (_, span) = self.scanner.peek()?;
        self.state = next;
        Some(nothing(Span::at(span.start)))
    }

    /// `l+block-sequence [183]`.
    pub(super) fn block_item(&mut self) -> Scanned<Event> {
        let (word, span) = self.scanner.peek()?;
        match word {
            Word::Item => {
                self.scanner.skip_word();
                self.entry(BLOCK_ITEM_END, State::BlockItem, Place::Block, Some(span))
            }
            Word::BlockEnd => {
                self.depth -= 1;
                Some(self.end(EventKind::ListEnd, span))
            }
            _ => self.scanner.fail(ErrorKind::ExpectedItem, span.start as usize),
        }
    }

    pub(super) fn indentless_item(&mut self) -> Scanned<Event> {
        let (word, span) = self.scanner.peek()?;
        if word == Word::Item {
            self.scanner.skip_word();
            return self.entry(INDENTLESS_ITEM_END, State::IndentlessItem, Place::Block, Some(span));
        }
        self.depth -= 1;
        self.state = self.after();
        Some(Event::new(EventKind::ListEnd, Span::at(span.start)))
    }

    /// `l+block-mapping [187]`.
    pub(super) fn block_key(&mut self) -> Scanned<Event> {
        let (word, span) = self.scanner.peek()?;
        match word {
            Word::Key => {
                self.scanner.skip_word();
                self.entry(BLOCK_ENTRY_END, State::BlockValue, Place::Entry, None)
            }
            Word::Value => self.left_out(State::BlockValue),
            Word::BlockEnd => {
                self.depth -= 1;
                Some(self.end(EventKind::MapEnd, span))
            }
            _ => self.scanner.fail(ErrorKind::ExpectedKey, span.start as usize),
        }
    }

    pub(super) fn block_value(&mut self) -> Scanned<Event> {
        let (word, span) = self.scanner.peek()?;
        if word != Word::Value {
            return self.left_out(State::BlockKey);
        }
        self.scanner.skip_word();
        self.entry(BLOCK_ENTRY_END, State::BlockKey, Place::Entry, Some(span))
    }

    /// `c-flow-sequence [137]`.
    pub(super) fn flow_item(&mut self, first: bool) -> Scanned<Event> {
        let (word, span) = self.separator(first, Word::FlowListEnd, ErrorKind::ExpectedBracket)?;
        match word {
            Word::FlowListEnd => Some(self.end(EventKind::ListEnd, span)),
            Word::Key => {
                self.scanner.skip_word();
                self.state = State::PairKey;
                Some(Event::new(EventKind::MapStart { flow: true }, span))
            }
            _ => {
                self.states.push(State::FlowItem);
                self.node(Place::Flow, (word, span))
            }
        }
    }

    /// `c-flow-mapping [140]`.
    pub(super) fn flow_key(&mut self, first: bool) -> Scanned<Event> {
        let (word, span) = self.separator(first, Word::FlowMapEnd, ErrorKind::ExpectedBrace)?;
        match word {
            Word::FlowMapEnd => Some(self.end(EventKind::MapEnd, span)),
            Word::Key => {
                self.scanner.skip_word();
                self.entry(MAP_KEY_END, State::FlowValue, Place::Flow, None)
            }
            Word::Value => self.left_out(State::FlowValue),
            _ => {
                self.states.push(State::NoFlowValue);
                self.node(Place::Flow, (word, span))
            }
        }
    }

    /// Takes the comma before an entry that is not the first; what comes next, which may be the end.
    fn separator(&mut self, first: bool, end: Word, missing: ErrorKind) -> Scanned<(Word, Span)> {
        let (word, span) = self.scanner.peek()?;
        if first || word == end {
            return Some((word, span));
        }
        if word != Word::Comma {
            return self.scanner.fail(missing, span.start as usize);
        }
        self.scanner.skip_word();
        self.scanner.peek()
    }

    pub(super) fn flow_value(&mut self) -> Scanned<Event> {
        let (word, span) = self.scanner.peek()?;
        if word != Word::Value {
            return self.left_out(State::FlowKey);
        }
        self.scanner.skip_word();
        self.entry(MAP_VALUE_END, State::FlowKey, Place::Flow, Some(span))
    }

    /// The key of a `ns-flow-pair [150]` that begins with `?`.
    pub(super) fn pair_key(&mut self) -> Scanned<Event> {
        self.entry(LIST_ENTRY_END, State::PairValue, Place::Flow, None)
    }

    pub(super) fn pair_value(&mut self) -> Scanned<Event> {
        if self.scanner.peek()?.0 != Word::Value {
            return self.left_out(State::PairEnd);
        }
        self.scanner.skip_word();
        self.entry(LIST_ENTRY_END, State::PairEnd, Place::Flow, None)
    }

    pub(super) fn pair_end(&mut self) -> Scanned<Event> {
        let (_, span) = self.scanner.peek()?;
        self.state = State::FlowItem;
        Some(Event::new(EventKind::MapEnd, Span::at(span.start)))
    }
}
