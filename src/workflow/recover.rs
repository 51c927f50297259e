//! Reading on after a YAML error: the line at fault is blanked and the text is read again. Blanking
//! moves nothing, so that every place stays true.

use super::place::{Remedy, first_word, line_end, line_start};
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
    let (text, control) = without_controls(source);
    let reading = reader::read(source, &text, limits);
    let mut problems = reading.problems;
    problems.extend(control);
    problems.extend(reading.stopped.map(|syntax| syntax.problem));
    problems.sort_by_key(|problem| problem.span);
    problems.truncate(1);
    let complete = problems.is_empty();
    Source { tree: reading.tree, problems, skipped: Vec::new(), complete }
}

/// Reads `source`, leaving out what stops the parser.
pub(super) fn read<'s>(source: &'s str, limits: &Limits) -> Source<'s> {
    let (text, control) = without_controls(source);
    let found = control.into_iter().collect();
    let mut repair = Repair { source, text, found, skipped: Vec::new(), keys: Vec::new() };
    let rounds = (WORK / source.len().max(1)).clamp(1, ROUNDS);
    for round in 0.. {
        let reading = reader::read(source, &repair.text, limits);
        let Some(syntax) = reading.stopped else {
            return repair.finish(reading.tree, reading.problems, true);
        };
        let stopped_at = syntax.stopped_at;
        let mended = if round < rounds { repair.apply(&syntax.remedy) } else { None };
        repair.found.push(syntax.problem);
        let Some(span) = mended else {
            repair.skipped.push(Span::new(stopped_at, source.len() as u32));
            return repair.finish(reading.tree, reading.problems, false);
        };
        repair.skipped.push(span);
    }
    repair.finish(Tree::empty(source), Vec::new(), false)
}

/// A text on its way to one that can be read.
struct Repair<'s> {
    source: &'s str,
    text: Cow<'s, str>,
    /// The mistakes, each told once.
    found: Vec<Problem>,
    /// What was left out, or changed.
    skipped: Vec<Span>,
    /// The words that were taken for keys.
    keys: Vec<Span>,
}

impl<'s> Repair<'s> {
    /// Changes the text so that the parser gets further; the stretch that is changed.
    fn apply(&mut self, remedy: &Remedy) -> Option<Span> {
        match remedy {
            Remedy::Blank(at) => self.blank_line(*at),
            Remedy::BlankBlock(at) => self.blank_block(*at),
            Remedy::Colon(at) => self.take_for_key(*at).or_else(|| self.blank_line(*at)),
            Remedy::Close(brackets) => {
                let end = self.text.len() as u32;
                self.text.to_mut().push_str(brackets);
                Some(Span::at(end))
            }
        }
    }

    /// Blanks the line of `at`, or the last line before it with something on it.
    fn blank_line(&mut self, at: u32) -> Option<Span> {
        let mut start = line_start(&self.text, at);
        loop {
            let line = Span::new(start, line_end(&self.text, start));
            if !line.of(&self.text).trim().is_empty() {
                self.put(line, " ");
                return Some(line);
            }
            start = line_start(&self.text, start.checked_sub(1)?);
        }
    }

    /// Blanks the line of `at` with all that is indented as deep below it.
    fn blank_block(&mut self, at: u32) -> Option<Span> {
        let first = self.blank_line(at)?;
        let indentation = first_word(self.source, first.start) - first.start;
        let mut block = first;
        loop {
            let Some(breaks) = self.text[block.end as usize..].find(|c| c != '\r' && c != '\n') else {
                return Some(block);
            };
            let start = block.end + breaks as u32;
            let line = Span::new(start, line_end(&self.text, start));
            let deep =
                line.of(&self.text).trim().is_empty() || first_word(&self.text, start) - start >= indentation;
            if !deep {
                return Some(block);
            }
            self.put(line, " ");
            block.end = line.end;
        }
    }

    /// Turns the word at `at` into a key: a colon takes the place of its last character, or of the
    /// space after it, and the word is given back to the tree in the end.
    fn take_for_key(&mut self, at: u32) -> Option<Span> {
        let line = Span::new(line_start(&self.text, at), line_end(&self.text, at));
        let rest = Span::new(at, line.end).of(&self.text);
        let word = rest.split(" #").next().unwrap_or(rest).trim_end();
        let taken = self.keys.iter().any(|key| key.start == at);
        let last = word.char_indices().last().filter(|(at, c)| *at > 0 && c.is_ascii())?.0 as u32;
        if taken || word.contains([':', '"', '\'', '#']) {
            return None;
        }
        let key = Span::new(at, at + word.len() as u32);
        let colon = if word.len() < rest.len() { key.end } else { at + last };
        self.put(Span::new(colon, colon + 1), ":");
        self.keys.push(key);
        Some(line)
    }

    /// The last reading, with what was found on the way to it.
    fn finish(mut self, mut tree: Tree<'s>, last: Vec<Problem>, complete: bool) -> Source<'s> {
        tree.give_back(&self.keys);
        let source = self.source;
        let line = |problem: &Problem| line_start(source, problem.span.start);
        // Several attempts at one line tell of one mistake.
        self.found.sort_by_key(|problem| problem.span);
        self.found.dedup_by_key(|problem| line(problem));
        let told: Vec<_> = self.found.iter().map(line).collect();
        self.found.extend(last.into_iter().filter(|problem| told.binary_search(&line(problem)).is_err()));
        self.found.sort_by_key(|problem| problem.span);
        self.skipped.sort();
        Source { tree, problems: self.found, skipped: self.skipped, complete }
    }

    fn put(&mut self, span: Span, filler: &str) {
        let text = filler.repeat((span.end - span.start) as usize);
        self.text.to_mut().replace_range(span.start as usize..span.end as usize, &text);
    }
}

/// The text with spaces in place of characters that YAML does not take anywhere, not even in quotes;
/// and the first of them.
fn without_controls(source: &str) -> (Cow<'_, str>, Option<Problem>) {
    let Some((at, first)) = source.char_indices().find(|&(_, c)| is_control(c)) else {
        return (Cow::Borrowed(source), None);
    };
    let mut text = String::with_capacity(source.len());
    for c in source.chars() {
        if is_control(c) { (0..c.len_utf8()).for_each(|_| text.push(' ')) } else { text.push(c) }
    }
    let span = Span::new(at as u32, (at + first.len_utf8()) as u32);
    let message = format!("the control character U+{:04X} has no place in YAML", first as u32);
    (Cow::Owned(text), Some(Problem::yaml(span, message)))
}

fn is_control(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        _ => c.is_control(),
    }
}
