//! What makes one mapping of its own keys and those that `<<` brings: a key twice is a mistake, a
//! merged key gives way.

use super::reader::{Problem, Reader};
use super::tree::{Entry, Kind, NodeId};
use crate::codes;
use std::borrow::Cow;
use std::collections::HashMap;

impl Reader<'_> {
    /// Tells each key of the mapping that stands there already.
    pub(super) fn find_duplicates(&mut self, map: NodeId) {
        let tree = &self.tree;
        let entries = tree.own_entries(map);
        let names: Vec<_> = entries.iter().map(|entry| tree.name(entry.key)).collect();
        let mut seen = Seen::new(names.len());
        for (at, name) in names.iter().enumerate() {
            let earlier = seen.put(&names[..at], name, at);
            let is_merge = tree.is_merge_key(entries[at].key);
            if let (Some(first), false) = (earlier, is_merge) {
                let span = tree.span(entries[at].key);
                let mut problem = Problem::yaml(span, format!("duplicated mapping key '{name}'"));
                problem.related = Some((tree.span(entries[first].key), "the same key stands here first"));
                self.problems.push(problem);
            }
        }
    }

    /// Puts the entries that `<<` brings where it stands; the mapping's own keys win over them, and
    /// an earlier merge over a later one.
    pub(super) fn merge(&mut self, map: NodeId) {
        let own = self.tree.own_entries(map);
        let mut merged: Vec<Entry> = Vec::with_capacity(own.len());
        let mut seen: HashMap<String, usize> = HashMap::new();
        for entry in own {
            if self.tree.is_merge_key(entry.key) {
                for brought in self.brought(entry.value) {
                    let name = self.tree.name(brought.key).into_owned();
                    let place = merged.len();
                    if *seen.entry(name).or_insert(place) == place {
                        merged.push(Entry { merged: Some(entry.value), ..brought });
                    }
                }
                continue;
            }
            let name = self.tree.name(entry.key).into_owned();
            match seen.get(&name) {
                Some(&at) => merged[at] = entry,
                None => {
                    seen.insert(name, merged.len());
                    merged.push(entry);
                }
            }
        }
        self.tree.merged.push(merged);
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

/// Finds the first of two equal names: by looking through few, by hash among many.
enum Seen<'n> {
    Few,
    Many(HashMap<&'n str, usize>),
}

impl<'n> Seen<'n> {
    fn new(names: usize) -> Self {
        if names <= 16 { Self::Few } else { Self::Many(HashMap::with_capacity(names)) }
    }

    /// Notes the name at `at`, after `before`; the place of the same name among these.
    fn put(&mut self, before: &[Cow<'n, str>], name: &'n str, at: usize) -> Option<usize> {
        match self {
            Self::Few => before.iter().position(|earlier| earlier == name),
            Self::Many(places) => {
                let first = *places.entry(name).or_insert(at);
                (first < at).then_some(first)
            }
        }
    }
}
