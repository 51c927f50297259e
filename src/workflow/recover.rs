//! Reading on after a YAML error: the line at fault is blanked and the text is read again. Blanking
//! moves nothing, so that every place stays true.

use super::place::{line_end, line_start};
use super::position::Span;
use super::reader::{self, Problem};
use super::tree::Tree;
use super::{Limits, Source};
use std::borrow::Cow;

/// How many lines are blanked at most.
const ROUNDS: usize = 40;

/// How many bytes all rounds together may read; a large file gets fewer of them.
const WORK: usize = 32 << 20;

/// Reads `source` until something stops the parser; the earliest problem is the one that counts.
pub(super) fn read_once<'s>(source: &'s str, limits: &Limits) -> Source<'s> {
    let reading = reader::read(source, source, limits);
    let mut problems = reading.problems;
    problems.extend(control_character(source).map(|at| control_problem(source, at)));
    problems.extend(reading.stopped.map(|syntax| syntax.problem));
    problems.sort_by_key(|problem| problem.span);
    problems.truncate(1);
    Source { tree: reading.tree, problems, skipped: Vec::new() }
}

/// Reads `source`, leaving out what stops the parser.
pub(super) fn read<'s>(source: &'s str, limits: &Limits) -> Source<'s> {
    let mut text = Cow::Borrowed(source);
    let mut found = Vec::new();
    let mut skipped = Vec::new();
    while let Some(at) = control_character(&text) {
        if found.is_empty() {
            found.push(control_problem(source, at));
        }
        let length = text[at as usize..].chars().next().map_or(1, char::len_utf8) as u32;
        blank(&mut text, Span::new(at, at + length));
    }
    let rounds = (WORK / source.len().max(1)).clamp(1, ROUNDS);
    loop {
        let reading = reader::read(source, &text, limits);
        let Some(syntax) = reading.stopped else {
            return finish(reading.tree, reading.problems, found, skipped);
        };
        let (blank, stopped_at) = (syntax.blank, syntax.stopped_at);
        found.push(syntax.problem);
        let blanked = if skipped.len() < rounds { blank_line(&mut text, blank) } else { None };
        let Some(line) = blanked else {
            skipped.push(Span::new(stopped_at, source.len() as u32));
            return finish(reading.tree, reading.problems, found, skipped);
        };
        skipped.push(line);
    }
}

/// The last reading, with what was found on the way to it.
fn finish<'s>(
    tree: Tree<'s>,
    last: Vec<Problem>,
    mut found: Vec<Problem>,
    mut skipped: Vec<Span>,
) -> Source<'s> {
    found.extend(last);
    found.sort_by_key(|problem| problem.span);
    found.dedup_by_key(|problem| problem.span);
    skipped.sort();
    Source { tree, problems: found, skipped }
}

/// Blanks the line of `at`, or the last line before it with something on it.
fn blank_line(text: &mut Cow<'_, str>, at: u32) -> Option<Span> {
    let mut start = line_start(text, at);
    loop {
        let line = Span::new(start, line_end(text, start));
        if !line.of(text).trim().is_empty() {
            blank(text, line);
            return Some(line);
        }
        start = line_start(text, start.checked_sub(1)?);
    }
}

fn blank(text: &mut Cow<'_, str>, span: Span) {
    let spaces = " ".repeat((span.end - span.start) as usize);
    text.to_mut().replace_range(span.start as usize..span.end as usize, &spaces);
}

fn control_problem(source: &str, at: u32) -> Problem {
    let character = source[at as usize..].chars().next().unwrap_or_default();
    let span = Span::new(at, at + character.len_utf8() as u32);
    Problem::yaml(span, format!("the control character U+{:04X} has no place in YAML", character as u32))
}

/// The first character that YAML does not take anywhere, not even in quotes.
fn control_character(text: &str) -> Option<u32> {
    let is_control = |c: char| match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        _ => c.is_control(),
    };
    text.char_indices().find(|&(_, c)| is_control(c)).map(|(at, _)| at as u32)
}
