//! Reading on after a YAML error: the line at fault is blanked and the text is read again. Blanking
//! moves nothing, so that every place stays true.

use super::place::{Remedy, first_word, line_end, line_start, word_to_line_end};
use super::rank::by_rank;
use super::reader::{self, Problem, Problems, Reading};
use super::{Limits, Source};
use crate::yaml::{self, Span};
use std::borrow::Cow;

/// How many lines are blanked at most.
const ROUNDS: usize = 40;

/// How many bytes all rounds together may read; a large file gets fewer of them.
const WORK: usize = 32 << 20;

/// Reads `source` until something stops the parser; the earliest problem is the one that counts.
pub(super) fn read_once<'s>(source: &'s str, limits: &Limits) -> Source<'s> {
    let (text, control) = without_controls(source);
    let Reading { tree, mut problems, stopped } = reader::read(source, &text, limits);
    problems.extend(control);
    problems.extend(stopped.map(|syntax| syntax.problem));
    let complete = problems.is_empty();
    let mut problems = in_order(problems);
    problems.truncate(1);
    Source { tree, problems, skipped: Vec::new(), complete }
}

/// Reads `source`, leaving out what stops the parser.
pub(super) fn read<'s>(source: &'s str, limits: &Limits) -> Source<'s> {
    let (clean, control) = without_controls(source);
    let mut repair = Repair { source, text: clean.clone(), clean, mended: Vec::new() };
    let rounds = (WORK / source.len().max(1)).clamp(1, ROUNDS);
    let mut reading = reader::read(source, &repair.text, limits);
    while let Some(syntax) = reading.stopped.take() {
        let changed = if repair.mended.len() < rounds { repair.apply(&syntax.remedy) } else { None };
        let complete = changed.is_some();
        let (span, key) = changed.unwrap_or((Span::new(syntax.stopped_at, source.len() as u32), None));
        let consequence = complete && repair.is_consequence(&syntax.remedy);
        let problem = if consequence { None } else { Some(syntax.problem) };
        repair.mended.push(Mended { span, key, problem });
        if !complete {
            return repair.finish(reading, control, false);
        }
        reading = reader::read(source, &repair.text, limits);
    }
    let reading = repair.put_back(reading, rounds, limits);
    repair.finish(reading, control, true)
}

/// A text on its way to one that can be read.
struct Repair<'s> {
    source: &'s str,
    /// The text before any repair.
    clean: Cow<'s, str>,
    text: Cow<'s, str>,
    mended: Vec<Mended>,
}

/// One change on the way.
struct Mended {
    span: Span,
    /// The word that was taken for a key.
    key: Option<Span>,
    /// The mistake, unless it follows from another one.
    problem: Option<Box<Problem>>,
}

/// A stretch that was changed, and the word in it that was taken for a key.
type Change = (Span, Option<Span>);

impl<'s> Repair<'s> {
    /// Changes the text so that the parser gets further; the stretch that is changed.
    fn apply(&mut self, remedy: &Remedy) -> Option<Change> {
        let span = match remedy {
            Remedy::Blank(at) => self.blank_line(*at),
            Remedy::BlankBlock(at) => self.blank_block(*at),
            Remedy::Colon(at) => match self.take_for_key(*at) {
                Some((line, key)) => return Some((line, Some(key))),
                None => self.blank_line(*at),
            },
            Remedy::Close(brackets) => {
                let end = self.source.len() as u32;
                self.text.to_mut().push_str(brackets);
                Some(Span::at(end))
            }
        };
        Some((span?, None))
    }

    /// Puts stretches back that were blamed for what a later one had brought about, with `most` more
    /// readings at most.
    fn put_back(&mut self, mut reading: Reading<'s>, most: usize, limits: &Limits) -> Reading<'s> {
        let (mut at, mut reads) = (0, 0);
        while at + 1 < self.mended.len() && reads < most {
            let span = self.mended[at].span;
            let touches = |other: &Mended| other.span.start <= span.end && span.start <= other.span.end;
            if self.mended.iter().filter(|other| touches(other)).count() > 1 {
                at += 1;
                continue;
            }
            let before = self.text.clone();
            self.put(span, span.of(&self.clean.clone()));
            let again = reader::read(self.source, &self.text, limits);
            reads += 1;
            if again.stopped.is_none() && again.problems.len() <= reading.problems.len() {
                self.mended.remove(at);
                reading = again;
                at = 0;
            } else {
                self.text = before;
                at += 1;
            }
        }
        reading
    }

    /// Whether a block hangs in the air because the line above it has been left out.
    fn is_consequence(&self, remedy: &Remedy) -> bool {
        let Remedy::BlankBlock(at) = remedy else { return false };
        let above = self.source[..*at as usize].trim_end().len() as u32;
        self.mended.iter().any(|Mended { span, .. }| span.start < above && above <= span.end)
    }

    /// Blanks the line of `at`, or the last line before it with something on it.
    fn blank_line(&mut self, at: u32) -> Option<Span> {
        let mut start = line_start(&self.text, at);
        loop {
            let line = Span::new(start, line_end(&self.text, start));
            if !line.of(&self.text).trim().is_empty() {
                self.blank(line);
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
            self.blank(line);
            block.end = line.end;
        }
    }

    /// Turns the word at `at` into a key: a colon takes the place of its last character, or of the
    /// space after it, and the word is given back to the tree in the end.
    fn take_for_key(&mut self, at: u32) -> Option<(Span, Span)> {
        let line = Span::new(line_start(&self.text, at), line_end(&self.text, at));
        let rest = Span::new(at, line.end).of(&self.text);
        let word = word_to_line_end(&self.text, at);
        let taken = self.mended.iter().any(|mended| mended.key.is_some_and(|key| key.start == at));
        let last = word.char_indices().last().filter(|(at, c)| *at > 0 && c.is_ascii())?.0 as u32;
        if taken || word.contains([':', '"', '\'', '#']) {
            return None;
        }
        let key = Span::new(at, at + word.len() as u32);
        let colon = if word.len() < rest.len() { key.end } else { at + last };
        self.put(Span::new(colon, colon + 1), ":");
        Some((line, key))
    }

    /// The last reading, with what was found on the way to it.
    fn finish(self, reading: Reading<'s>, control: Option<Box<Problem>>, complete: bool) -> Source<'s> {
        let Reading { mut tree, problems: last, .. } = reading;
        let (mut skipped, mut keys, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for mended in self.mended {
            skipped.push(mended.span);
            keys.extend(mended.key);
            found.extend(mended.problem);
        }
        found.extend(control);
        tree.give_back(&keys);

        // Several attempts at one line tell of one mistake, and so does what remains of it in the end.
        let (mut told, mut problems) = (Vec::new(), Vec::new());
        let attempts = found.len();
        let found = in_order(found);
        for (at, problem) in found.into_iter().chain(last).enumerate() {
            let line = line_start(self.source, problem.span.start);
            if told.contains(&line) {
                continue;
            }
            if at < attempts {
                told.push(line);
            }
            problems.push(problem);
        }
        Source { tree, problems: in_order(problems), skipped, complete }
    }

    fn blank(&mut self, span: Span) {
        let spaces = " ".repeat((span.end - span.start) as usize);
        self.put(span, &spaces);
    }

    fn put(&mut self, span: Span, text: &str) {
        self.text.to_mut().replace_range(span.start as usize..span.end as usize, text);
    }
}

fn in_order(problems: Problems) -> Problems {
    by_rank(problems, |problem| problem.span.start)
}

/// The text with spaces in place of characters that YAML does not take anywhere, not even in quotes;
/// and the first of them.
fn without_controls(source: &str) -> (Cow<'_, str>, Option<Box<Problem>>) {
    let (mut text, mut rest) = (String::new(), source);
    let mut problem = None;
    while let Some(at) = yaml::unprintable(rest) {
        let (before, after) = rest.split_at(at);
        let control = after.chars().next().unwrap_or_default();
        text.push_str(before);
        problem.get_or_insert_with(|| {
            let span = Span::new(at as u32, (at + control.len_utf8()) as u32);
            let message = format!("the control character U+{:04X} has no place in YAML", control as u32);
            Problem::yaml(span, message)
        });
        text.extend(std::iter::repeat_n(' ', control.len_utf8()));
        rest = &after[control.len_utf8()..];
    }
    if problem.is_none() {
        return (Cow::Borrowed(source), None);
    }
    text.push_str(rest);
    (Cow::Owned(text), problem)
}
