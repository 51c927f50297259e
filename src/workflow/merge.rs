//! What makes one mapping of its own keys and those that `<<` brings: a key twice is a mistake, a
//! merged key gives way.

use super::names::Names;
use super::reader::{Problem, Reader};
use super::tree::{Entry, Kind, NodeId};
use crate::codes;
use crate::text::text;

impl Reader<'_, '_> {
    /// Tells each key of the mapping that stands there already.
    pub(super) fn find_duplicates(&mut self, map: NodeId) {
        let tree = &self.tree;
        let entries = tree.own_entries(map);
        let names = Names::new(entries.iter().map(|entry| tree.name(entry.key)).collect());
        for (at, name) in names.iter().enumerate() {
            let first = names.first(name).unwrap_or(at);
            if first < at && !tree.is_merge_key(entries[at].key) {
                let span = tree.span(entries[at].key);
                let mut problem = Problem::yaml(span, text!["duplicated mapping key '", name, "'"]);
                problem.related = Some((tree.span(entries[first].key), "the same key stands here first"));
                self.problems.push(problem);
            }
        }
    }

    /// Puts the entries that `<<` brings where it stands; the mapping's own keys win over them, and
    /// an earlier merge over a later one.
    pub(super) fn merge(&mut self, map: NodeId) {
        let mut all: Vec<Entry> = Vec::new();
        for entry in self.tree.own_entries(map) {
            if self.tree.is_merge_key(entry.key) {
                let brought = self.brought(entry.value);
                for brought in brought {
                    all.push(Entry { merged: Some(entry.value), ..brought });
                }
            } else {
                all.push(entry);
            }
        }
        let names = Names::new(all.iter().map(|entry| self.tree.name(entry.key)).collect());
        let (mut kept, mut places) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
        for (at, (entry, name)) in all.iter().zip(names.iter()).enumerate() {
            let first = names.first(name).unwrap_or(at);
            places.push(kept.len());
            if first == at {
                kept.push(*entry);
            } else if entry.merged.is_none() {
                kept[places[first]] = *entry;
            }
        }
        self.tree.merged.push(kept);
        self.tree.nodes[map.0 as usize].link = self.tree.merged.len() as u32;
    }

    /// The entries of the mapping, or of the list of mappings, that is merged.
    fn brought(&mut self, value: NodeId) -> Vec<Entry> {
        let source = self.tree.resolve(value);
        let maps = match self.tree.node(source).kind {
            Kind::List => self.tree.items(source).collect(),
            _ => vec![value],
        };
        let mut entries = Vec::new();
        for map in maps {
            let target = self.tree.resolve(map);
            if self.tree.node(target).kind != Kind::Map {
                let span = self.tree.span(map);
                let unknown_alias = self.problems.iter().any(|problem| problem.span == span);
                if !unknown_alias {
                    let message = "a merge ('<<') takes a mapping, or a list of mappings";
                    self.problems.push(Problem::yaml(span, message.into()));
                }
                continue;
            }
            let brought = self.tree.entries(target);
            if brought.len() > self.merge_allowance {
                let message = "the merges of this file bring in more keys than is looked at".into();
                let span = self.tree.span(map);
                self.problems.push(Problem::new(codes::LIMIT_ALIASES, span, message));
                self.merge_allowance = 0;
                break;
            }
            self.merge_allowance -= brought.len();
            entries.extend(brought);
        }
        entries
    }
}
