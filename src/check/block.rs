//! A mapping of the file as the rules look at it: its keys by name, and the way that leads to it.

use super::finding::Finding;
use super::mend;
use crate::codes::Code;
use crate::value::PathItem;
use crate::value::{self, Outline};
use crate::workflow::{Entry, NodeId, Span, Tree, without_breaks};

/// A mapping with its way.
#[derive(Debug)]
pub(super) struct Block<'t> {
    tree: &'t Tree<'t>,
    pub(super) node: NodeId,
    pub(super) fields: Vec<Field<'t>>,
    way: Way<'t>,
    /// The alias by which it is reached, where it is.
    via: Option<Span>,
    /// From its key to the next key, or to the end of what it is in.
    pub(super) extent: Span,
}

/// The keys that lead to a block; rules look at none that lies deeper than a block of a step.
#[derive(Debug, Clone, Copy, Default)]
struct Way<'t> {
    keys: [&'t str; 3],
    length: usize,
}

/// One key of a block, with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'t> {
    pub(super) name: &'t str,
    pub(super) entry: Entry,
    pub(super) outline: Outline<'t>,
    /// From the key to the next key, or to the end of the block.
    pub(super) extent: Span,
}

impl<'t> Block<'t> {
    /// The file's own mapping.
    pub(super) fn root(tree: &'t Tree<'t>, root: NodeId) -> Self {
        let extent = Span::new(0, tree.source().len() as u32);
        Self::read(tree, root, Way::default(), None, extent)
    }

    /// The mapping under `field`; `None` where that is no mapping.
    pub(super) fn under(&self, field: &Field<'t>) -> Option<Self> {
        if field.outline != Outline::Map {
            return None;
        }
        let mut way = self.way;
        *way.keys.get_mut(way.length)? = field.name;
        way.length += 1;
        let value = field.entry.value;
        let via = if self.tree.is_alias(value) { Some(self.tree.span(value)) } else { self.via };
        let node = self.tree.resolve(value);
        let extent = if via.is_some() { self.tree.span(node) } else { field.extent };
        Some(Self::read(self.tree, node, way, via, extent))
    }

    fn read(tree: &'t Tree<'t>, node: NodeId, way: Way<'t>, via: Option<Span>, extent: Span) -> Self {
        let entries = tree.entries(node);
        let mut fields: Vec<Field<'t>> = Vec::with_capacity(entries.len());
        for entry in entries {
            let start = tree.span(entry.key).start;
            if let Some(before) = fields.last_mut() {
                before.extent.end = start.max(before.extent.start);
            }
            fields.push(Field {
                name: tree.name(entry.key),
                entry,
                outline: tree.outline(entry.value),
                extent: Span::new(start, extent.end.max(start)),
            });
        }
        Self { tree, node, fields, way, via, extent }
    }

    pub(super) const fn tree(&self) -> &'t Tree<'t> {
        self.tree
    }

    /// The way to the block.
    pub(super) fn path(&self) -> Vec<PathItem> {
        value::path(self.way.keys.get(..self.way.length).unwrap_or_default())
    }

    /// The field called `name`.
    pub(super) fn field(&self, name: &str) -> Option<&Field<'t>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether there is a key called `name`.
    pub(super) fn has(&self, name: &str) -> bool {
        self.field(name).is_some()
    }

    /// What stands under `name`.
    pub(super) fn value(&self, name: &str) -> Option<Outline<'t>> {
        self.field(name).map(|field| field.outline)
    }

    /// The number under `name`, where it is one.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(Outline::Number(n)) => Some(n),
            _ => None,
        }
    }

    /// Whether `name` is literally `true`.
    pub(super) fn is_true(&self, name: &str) -> bool {
        self.value(name) == Some(Outline::Bool(true))
    }

    /// Whether what stands under `name` is found here alone: neither merged nor reached through an
    /// alias, so that changing it changes nothing else.
    pub(super) fn is_own(&self, field: &Field<'_>) -> bool {
        self.via.is_none() && field.entry.merged.is_none()
    }

    /// The place of the key.
    pub(super) fn key_span(&self, field: &Field<'_>) -> Span {
        self.tree.span(field.entry.key)
    }

    /// The place of the value, without line breaks after it; that of the key where nothing is written.
    pub(super) fn value_span(&self, field: &Field<'_>) -> Span {
        let span = self.tree.span(field.entry.value);
        let length = without_breaks(span.of(self.tree.source())).len() as u32;
        if length == 0 { self.key_span(field) } else { Span::new(span.start, span.start + length) }
    }

    /// A finding about the key of `field`.
    pub(super) fn on_key(&self, code: Code, field: &Field<'_>, message: String) -> Box<Finding> {
        self.about(field, Finding::new(code, self.key_span(field), message))
    }

    /// A finding about the value of `field`.
    pub(super) fn on_value(&self, code: Code, field: &Field<'_>, message: String) -> Box<Finding> {
        let mut finding = self.about(field, Finding::new(code, self.value_span(field), message));
        let value = field.entry.value;
        if let (true, Some(anchor)) = (self.tree.is_alias(value), self.tree.anchor(self.tree.resolve(value)))
        {
            finding.relate(self.tree, anchor, "this is what the alias stands for");
        }
        if field.outline == Outline::Null {
            finding.lacks_in = Some(field.extent);
        }
        finding
    }

    /// A finding about the key of `field`, which may as well go.
    pub(super) fn needless(&self, code: Code, field: &Field<'_>, message: String) -> Box<Finding> {
        let mut finding = self.on_key(code, field, message);
        finding.offer(mend::remove(self, field));
        finding
    }

    /// A finding about `key`, which is not there, told at `span`.
    pub(super) fn on_lack(&self, code: Code, key: &str, span: Span, message: String) -> Box<Finding> {
        let mut finding = Finding::new(code, span, message);
        finding.key = Some(key.to_owned());
        finding.path = self.path();
        finding.lacks_in = Some(self.extent);
        finding
    }

    fn about(&self, field: &Field<'_>, mut finding: Box<Finding>) -> Box<Finding> {
        finding.key = Some(field.name.to_owned());
        finding.path = self.path();
        finding.path.push(field.name.into());
        if let Some(merge) = field.entry.merged {
            finding.relate(self.tree, self.tree.span(merge), "it is merged in here");
        } else if let Some(alias) = self.via {
            finding.relate(self.tree, alias, "it is used here");
        }
        finding
    }
}
