//! A YAML document as a flat list of nodes with their places. Aliases stay aliases, so that a small
//! text never becomes a large tree; merges are resolved once, when their mapping has been read.

use super::position::Places;
use super::scalar::{self, Tag};
use crate::number;
use crate::value::Outline;
use crate::yaml::Span;

/// A node of a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Quoted,
    Block,
    List,
    Map,
    Alias,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) tag: Tag,
    /// Written in flow style, where that makes a difference.
    pub(super) flow: bool,
    pub(super) span: Span,
    /// The node after this one and all that is in it; 0 while it is still being read.
    pub(super) next: u32,
    /// A scalar: 1 + the index of its text, or 0 where the source says it as it is. A mapping: 1 +
    /// the index of its merged entries, or 0. A list: how many items. An alias: the node it stands for.
    pub(super) link: u32,
}

/// One key of a mapping with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: NodeId,
    /// The value; possibly an alias.
    pub value: NodeId,
    /// What was merged (`<<`) to bring it, where it was brought.
    pub merged: Option<NodeId>,
}

/// An anchor's definition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub(super) node: NodeId,
    pub(super) span: Span,
}

/// A document; node 0 is its root.
#[derive(Debug)]
pub struct Tree<'s> {
    pub(super) source: &'s str,
    places: Places<'s>,
    pub(super) nodes: Vec<Node>,
    pub(super) texts: Vec<String>,
    pub(super) merged: Vec<Vec<Entry>>,
    pub(super) anchors: Vec<Anchor>,
    /// The names that keys written as numbers go by, in the order of the keys.
    made_names: Vec<(NodeId, String)>,
}

impl<'s> Tree<'s> {
    /// A text of which nothing was read.
    pub(super) const fn empty(source: &'s str) -> Self {
        Self {
            source,
            places: Places::new(source),
            nodes: Vec::new(),
            texts: Vec::new(),
            merged: Vec::new(),
            anchors: Vec::new(),
            made_names: Vec::new(),
        }
    }

    /// The text that was read.
    pub const fn source(&self) -> &'s str {
        self.source
    }

    /// The lines and columns of the text.
    pub const fn places(&self) -> &Places<'s> {
        &self.places
    }

    /// The document's value; `None` for a text without one.
    pub fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId(0))
    }

    /// Where the node stands: a quoted scalar with its quotes, a block scalar without its header, a
    /// block collection from its first child to the end of its last.
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The node that `id` stands for: itself, but for an alias.
    pub fn resolve(&self, id: NodeId) -> NodeId {
        let node = self.node(id);
        if node.kind == Kind::Alias { NodeId(node.link) } else { id }
    }

    /// Whether the node is an alias.
    pub fn is_alias(&self, id: NodeId) -> bool {
        self.node(id).kind == Kind::Alias
    }

    /// Whether the collection is written with brackets or braces.
    pub fn is_flow(&self, id: NodeId) -> bool {
        self.node(id).flow
    }

    /// Whether the scalar is written in quotes.
    pub fn is_quoted(&self, id: NodeId) -> bool {
        self.node(id).kind == Kind::Quoted
    }

    /// Whether the node is a scalar of one plain word.
    pub fn is_plain(&self, id: NodeId) -> bool {
        self.node(id).kind == Kind::Plain
    }

    /// Whether the node carries a tag.
    pub fn is_tagged(&self, id: NodeId) -> bool {
        self.node(id).tag != Tag::None
    }

    /// What the node is on the outside, aliases followed.
    pub fn outline(&self, id: NodeId) -> Outline<'_> {
        let id = self.resolve(id);
        let node = self.node(id);
        match node.kind {
            Kind::Map => Outline::Map,
            Kind::List => Outline::List(node.link as usize),
            Kind::Alias => Outline::Other,
            kind => {
                let text = self.text(id);
                scalar::resolve(text, kind == Kind::Plain, node.tag).unwrap_or(Outline::Text(text))
            }
        }
    }

    /// The text of a scalar, decoded; nothing for a collection.
    pub fn text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        match (node.kind, node.link) {
            (Kind::Map | Kind::List | Kind::Alias, _) => "",
            (Kind::Quoted, 0) => Span::new(node.span.start + 1, node.span.end - 1).of(self.source),
            (_, 0) => node.span.of(self.source),
            (_, link) => self.texts.get(link as usize - 1).map_or("", String::as_str),
        }
    }

    /// A key's name as JavaScript would have it: `1.0` is `1`, an empty key is `null`; a collection
    /// goes by its source text.
    pub fn name(&self, key: NodeId) -> &str {
        let key = self.resolve(key);
        match self.outline(key) {
            Outline::Text(text) => text,
            Outline::Null => "null",
            Outline::Bool(true) => "true",
            Outline::Bool(false) => "false",
            Outline::Number(_) => {
                let made = self.made_names.binary_search_by_key(&key, |(node, _)| *node);
                made.map_or("", |at| &self.made_names[at].1)
            }
            _ => self.span(key).of(self.source),
        }
    }

    /// Makes the name of a key that is written as a number.
    pub(super) fn make_name(&mut self, key: NodeId) {
        let key = self.resolve(key);
        if let Outline::Number(n) = self.outline(key) {
            let made = (key, number::to_text(n));
            match self.made_names.binary_search_by_key(&key, |(node, _)| *node) {
                Ok(at) => self.made_names[at] = made,
                Err(at) => self.made_names.insert(at, made),
            }
        }
    }

    /// The items of a list; none for anything else.
    pub fn items(&self, list: NodeId) -> Children<'_, 's> {
        self.children(list, Kind::List)
    }

    /// The entries of a mapping in the order of the file, merges resolved: a merged key stands where
    /// its `<<` stands and gives way to the mapping's own. None for anything else.
    pub fn entries(&self, map: NodeId) -> Vec<Entry> {
        let node = self.node(map);
        if node.kind == Kind::Map && node.link > 0 {
            return self.merged.get(node.link as usize - 1).cloned().unwrap_or_default();
        }
        self.own_entries(map)
    }

    /// Whether a merge brings keys into the mapping.
    pub fn has_merge(&self, map: NodeId) -> bool {
        self.node(map).kind == Kind::Map && self.node(map).link > 0
    }

    /// The entry of `map` called `name`.
    pub fn entry(&self, map: NodeId, name: &str) -> Option<Entry> {
        if self.has_merge(map) {
            return self.entries(map).into_iter().find(|entry| self.name(entry.key) == name);
        }
        let mut children = self.children(map, Kind::Map);
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            if self.name(key) == name {
                return Some(Entry { key, value, merged: None });
            }
        }
        None
    }

    /// The value of `map` under `name`, aliases not followed.
    pub fn get(&self, map: NodeId, name: &str) -> Option<NodeId> {
        self.entry(map, name).map(|entry| entry.value)
    }

    /// Where the anchor of `node` is written.
    pub fn anchor(&self, node: NodeId) -> Option<Span> {
        let at = self.anchors.binary_search_by_key(&node, |anchor| anchor.node).ok()?;
        Some(self.anchors[at].span)
    }

    /// Whether `node` or anything in it has an anchor.
    pub fn holds_anchor(&self, node: NodeId) -> bool {
        let first = self.anchors.partition_point(|anchor| anchor.node < node);
        self.anchors.get(first).is_some_and(|anchor| anchor.node.0 < self.end(node))
    }

    /// Gives words back that were cut to be read as keys.
    pub(super) fn give_back(&mut self, words: &[Span]) {
        for word in words {
            let cut = |node: &Node| {
                node.kind == Kind::Plain && node.span.start <= word.start && word.start < node.span.end
            };
            if let Some(at) = self.nodes.iter().position(cut) {
                self.nodes[at].span = *word;
                self.nodes[at].link = 0;
                self.make_name(NodeId(at as u32));
            }
        }
    }

    /// Whether the key is `<<`, unquoted.
    pub(super) fn is_merge_key(&self, key: NodeId) -> bool {
        let node = self.node(key);
        node.kind == Kind::Plain && node.tag == Tag::None && self.text(key) == "<<"
    }

    pub(super) fn own_entries(&self, map: NodeId) -> Vec<Entry> {
        let mut children = self.children(map, Kind::Map);
        let mut entries = Vec::new();
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            entries.push(Entry { key, value, merged: None });
        }
        entries
    }

    /// The children of a collection of this kind; none of anything else.
    fn children(&self, id: NodeId, kind: Kind) -> Children<'_, 's> {
        let end = if self.node(id).kind == kind { self.end(id) } else { 0 };
        Children { tree: self, at: id.0 + 1, end }
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    fn end(&self, id: NodeId) -> u32 {
        self.node(id).next
    }
}

/// The children of a collection, in order.
#[derive(Debug, Clone)]
pub struct Children<'t, 's> {
    tree: &'t Tree<'s>,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_, '_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.at >= self.end {
            return None;
        }
        let id = NodeId(self.at);
        self.at = self.tree.end(id);
        Some(id)
    }
}
