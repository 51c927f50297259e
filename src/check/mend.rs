//! Mendings as text edits that keep comments, quoting and layout. Each is `None` where the text is
//! written in a way that a small edit would spoil, or where changing it would change another place
//! as well (a merge, an alias, an anchor).

use super::block::{Block, Field};
use super::diagnostic::{Edit, Fix};
use crate::text::{concat, text};
use crate::workflow::{NodeId, Span, Tree, line_end, line_start};

/// Calls the key of `field` by another name.
pub(super) fn rename_key(block: &Block<'_>, field: &Field<'_>, name: &str) -> Option<Fix> {
    if !block.is_own(field) || block.has(name) {
        return None;
    }
    let word = word(block.tree(), field.entry.key)?;
    Some(one(block.tree(), text!["Rename to '", name, "'"], word, name.to_owned()))
}

/// Puts `text` in the place of the value of `field`, quotes included.
pub(super) fn replace_value(block: &Block<'_>, field: &Field<'_>, text: &str) -> Option<Fix> {
    let (tree, value) = (block.tree(), field.entry.value);
    if !block.is_own(field) || tree.is_alias(value) || tree.is_tagged(value) || tree.anchor(value).is_some() {
        return None;
    }
    if !(tree.is_plain(value) || tree.is_quoted(value)) {
        return None;
    }
    let span = tree.span(value);
    let title = text!["Set '", field.name, "' to ", text];
    if span.start < span.end {
        return Some(one(tree, title, span, text.to_owned()));
    }
    let before = tree.source().get(..span.start as usize)?;
    before.ends_with(':').then(|| one(tree, title, span, text![" ", text]))
}

/// Puts another word in the place of the value of `field`, in the same quotes.
pub(super) fn replace_word(block: &Block<'_>, field: &Field<'_>, text: &str) -> Option<Fix> {
    replace_item(block, field, field.entry.value, text)
}

/// Puts another word in the place of `item`, which is in the value of `field`.
pub(super) fn replace_item(block: &Block<'_>, field: &Field<'_>, item: NodeId, text: &str) -> Option<Fix> {
    let tree = block.tree();
    let value = field.entry.value;
    if !block.is_own(field) || tree.is_alias(value) || tree.anchor(value).is_some() {
        return None;
    }
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    let title = text!["Change to '", text, "'"];
    plain.then(|| Some(one(tree, title, word(tree, item)?, text.to_owned())))?
}

/// Takes the key of `field` out with its value.
pub(super) fn remove(block: &Block<'_>, field: &Field<'_>) -> Option<Fix> {
    let tree = block.tree();
    let shared = tree.holds_anchor(field.entry.value) || tree.anchor(field.entry.key).is_some();
    if !block.is_own(field) || shared || tree.has_merge(block.node) || block.fields.len() < 2 {
        return None;
    }
    let span = if tree.is_flow(block.node) { flow_entry(block, field)? } else { block_entry(tree, field)? };
    Some(one(tree, text!["Remove '", field.name, "'"], span, String::new()))
}

/// Writes `name: value` before the key of `field`, in its style.
pub(super) fn insert_before(block: &Block<'_>, field: &Field<'_>, name: &str, value: &str) -> Option<Fix> {
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
        let line_break = line_break(source, line_end(source, at));
        concat(&[if line_break.is_empty() { "\n" } else { line_break }, indentation])
    } else {
        return None;
    };
    let text = text![quote, name, quote, ": ", value, after];
    Some(one(tree, text!["Add '", name, ": ", value, "'"], Span::at(at), text))
}

/// The mending that is one edit.
pub(super) fn one(tree: &Tree<'_>, title: String, span: Span, new_text: String) -> Fix {
    Fix { title, edits: vec![Edit { range: tree.places().range(span), new_text }] }
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
    let mut text = span.of(tree.source()).bytes();
    (!text.any(|byte| matches!(byte, b'#' | b'&' | b'!'))).then_some(span)
}

fn block_entry(tree: &Tree<'_>, field: &Field<'_>) -> Option<Span> {
    let source = tree.source();
    let key = tree.span(field.entry.key);
    let start = line_start(source, key.start);
    if !Span::new(start, key.start).of(source).bytes().all(|b| b == b' ') {
        return None;
    }
    let end = end(tree, field) as usize;
    if source[..end].ends_with(is_break) {
        return Some(Span::new(start, end as u32));
    }
    let line = Span::new(end as u32, line_end(source, end as u32));
    let spent = line.of(source).trim_start();
    let comment = spent.starts_with('#') && spent.len() < line.of(source).len();
    if !(spent.is_empty() || comment) {
        return None;
    }
    Some(Span::new(start, line.end + line_break(source, line.end).len() as u32))
}

fn end(tree: &Tree<'_>, field: &Field<'_>) -> u32 {
    tree.span(field.entry.value).end.max(tree.span(field.entry.key).end)
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// The line break at `at`; nothing at the end of the text.
fn line_break(source: &str, at: u32) -> &str {
    let rest = &source[at as usize..];
    let length = usize::from(rest.starts_with(is_break)) + usize::from(rest.starts_with("\r\n"));
    &rest[..length]
}
