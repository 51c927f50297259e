//! Mendings as text edits that keep comments, quoting and layout. Each is `None` where the text is
//! written in a way that a small edit would spoil, or where changing it would change another place
//! as well (a merge, an alias, an anchor).

use super::block::{Block, Field};
use super::finding::Mending;
use crate::workflow::{NodeId, Span, Tree};

/// Calls the key of `field` by another name.
pub(super) fn rename_key(block: &Block<'_>, field: &Field<'_>, name: &str) -> Option<Mending> {
    if !block.is_own(field) || block.has(name) {
        return None;
    }
    let word = word(block.tree(), field.entry.key)?;
    Some(one(format!("Rename to '{name}'"), word, name.to_owned()))
}

/// Puts `text` in the place of the value of `field`, quotes included.
pub(super) fn replace_value(block: &Block<'_>, field: &Field<'_>, text: &str) -> Option<Mending> {
    let (tree, value) = (block.tree(), field.entry.value);
    if !block.is_own(field) || tree.is_alias(value) || tree.is_tagged(value) || tree.anchor(value).is_some() {
        return None;
    }
    if !(tree.is_plain(value) || tree.is_quoted(value)) {
        return None;
    }
    let span = tree.span(value);
    let title = format!("Set '{}' to {text}", field.name);
    if span.start < span.end {
        return Some(one(title, span, text.to_owned()));
    }
    let before = tree.source().get(..span.start as usize)?;
    before.ends_with(':').then(|| one(title, span, format!(" {text}")))
}

/// Puts another word in the place of the value of `field`, in the same quotes.
pub(super) fn replace_word(block: &Block<'_>, field: &Field<'_>, text: &str) -> Option<Mending> {
    replace_item(block, field, field.entry.value, text)
}

/// Puts another word in the place of `item`, which is in the value of `field`.
pub(super) fn replace_item(
    block: &Block<'_>,
    field: &Field<'_>,
    item: NodeId,
    text: &str,
) -> Option<Mending> {
    let tree = block.tree();
    let value = field.entry.value;
    if !block.is_own(field) || tree.is_alias(value) || tree.anchor(value).is_some() {
        return None;
    }
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    let title = format!("Change to '{text}'");
    plain.then(|| Some(one(title, word(tree, item)?, text.to_owned())))?
}

/// Takes the key of `field` out with its value.
pub(super) fn remove(block: &Block<'_>, field: &Field<'_>) -> Option<Mending> {
    let tree = block.tree();
    let shared = tree.holds_anchor(field.entry.value) || tree.anchor(field.entry.key).is_some();
    if !block.is_own(field) || shared || tree.has_merge(block.node) || block.fields.len() < 2 {
        return None;
    }
    let span = if tree.is_flow(block.node) { flow_entry(block, field)? } else { block_entry(tree, field)? };
    Some(one(format!("Remove '{}'", field.name), span, String::new()))
}

/// Writes `name: value` before the key of `field`, in its style.
pub(super) fn insert_before(
    block: &Block<'_>,
    field: &Field<'_>,
    name: &str,
    value: &str,
) -> Option<Mending> {
    let (tree, key) = (block.tree(), field.entry.key);
    if !block.is_own(field) || block.has(name) {
        return None;
    }
    let (source, at) = (tree.source(), tree.span(key).start);
    let quote = if tree.is_quoted(key) { source.get(at as usize..=at as usize)? } else { "" };
    let line = line_start(source, at);
    let indentation = Span::new(line, at).of(source);
    let after = if tree.is_flow(block.node) {
        ", ".to_owned()
    } else if indentation.bytes().all(|b| b == b' ') {
        format!("{}{indentation}", line_break(source, at))
    } else {
        return None;
    };
    let text = format!("{quote}{name}{quote}: {value}{after}");
    Some(one(format!("Add '{name}: {value}'"), Span::at(at), text))
}

pub(super) fn one(title: String, span: Span, text: String) -> Mending {
    Mending { title, edits: vec![(span, text)] }
}

/// The word itself, without quotes; `None` where it is written with escapes or over several lines.
fn word(tree: &Tree<'_>, node: NodeId) -> Option<Span> {
    let span = tree.span(node);
    if tree.is_alias(node) || tree.is_tagged(node) || tree.anchor(node).is_some() {
        return None;
    }
    let inner = if tree.is_quoted(node) { Span::new(span.start + 1, span.end - 1) } else { span };
    (inner.of(tree.source()) == tree.text(node) && inner.start < inner.end).then_some(inner)
}

fn flow_entry(block: &Block<'_>, field: &Field<'_>) -> Option<Span> {
    let tree = block.tree();
    let at = block.fields.iter().position(|other| other.entry == field.entry)?;
    let span = match block.fields.get(at + 1) {
        Some(next) => Span::new(tree.span(field.entry.key).start, tree.span(next.entry.key).start),
        None => Span::new(end(tree, block.fields.get(at.checked_sub(1)?)?), end(tree, field)),
    };
    // An anchor, a tag or a comment in between belongs to something that stays.
    let text = span.of(tree.source());
    (!text.contains(['#', '&', '!'])).then_some(span)
}

fn block_entry(tree: &Tree<'_>, field: &Field<'_>) -> Option<Span> {
    let source = tree.source();
    let key = tree.span(field.entry.key);
    let start = line_start(source, key.start);
    if !Span::new(start, key.start).of(source).bytes().all(|b| b == b' ') {
        return None;
    }
    let end = end(tree, field) as usize;
    if source[..end].ends_with(['\n', '\r']) {
        return Some(Span::new(start, end as u32));
    }
    let rest = &source[end..];
    let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
    let spent = line.trim_start();
    let comment = spent.starts_with('#') && spent.len() < line.len();
    if !(spent.is_empty() || comment) {
        return None;
    }
    let after = end + line.len();
    let break_length =
        ["\r\n", "\n", "\r"].iter().find(|b| source[after..].starts_with(**b)).map_or(0, |b| b.len());
    Some(Span::new(start, (after + break_length) as u32))
}

fn end(tree: &Tree<'_>, field: &Field<'_>) -> u32 {
    tree.span(field.entry.value).end.max(tree.span(field.entry.key).end)
}

fn line_start(source: &str, at: u32) -> u32 {
    source[..at as usize].rfind(['\n', '\r']).map_or(0, |line_break| line_break as u32 + 1)
}

/// The line break that the file uses around `at`.
fn line_break(source: &str, at: u32) -> &str {
    let rest = &source[at as usize..];
    let Some(end) = rest.find(['\n', '\r']) else { return "\n" };
    if rest[end..].starts_with("\r\n") { "\r\n" } else { &rest[end..=end] }
}
