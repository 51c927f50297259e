//! Reading on after a YAML error: the line at fault is blanked and the text is read again. Blanking
//! moves nothing, so that every place stays true.

use super::place::{Remedy, first_word, line_end, line_start, word_to_line_end};
use super::rank::by_rank;
use super::reader::{self, Problem, Problems, Reading};
use super::{Limits, Source};
use crate::text::{concat, push, text};
use crate::yaml::{self, Span};

/// How many lines are blanked at most.
const ROUNDS: usize = 40;

/// How many bytes all rounds together may read; a large file gets fewer of them.
const WORK: usize = 32 << 20;

/// Reads `source` until something stops the parser; the earliest problem is the one that counts.
pub(super) fn read_once<'s>(source: &'s str, limits: &Limits) -> Source<'s> {
    let (text, mut problems) = without_controls(source);
    let reading = reader::read(source, &text, limits);
    problems.extend(reading.problems);
    if let Some(syntax) = reading.stopped {
        problems.push(syntax.problem);
    }
    let complete = problems.is_empty();
    let mut problems = in_order(problems);
    problems.truncate(1);
    Source { tree: reading.tree, problems, skipped: Vec::new(), complete }
}

/// Reads `source`, leaving out what stops the parser.
pub(super) fn read<'s>(source: &'s str, limits: &Limits) -> Source<'s> {
    let (clean, control) = without_controls(source);
    let mut repair = Repair { source, text: clean.clone(), clean, mended: Vec::new() };
    let rounds = (WORK / source.len().max(1)).clamp(1, ROUNDS);
    let mut reading = reader::read(source, &repair.text, limits);
    let mut complete = true;
    while let Some(syntax) = reading.stopped.take() {
        let changed = if repair.mended.len() < rounds { repair.apply(&syntax.remedy) } else { None };
        complete = changed.is_some();
        let (span, key) = changed.unwrap_or((Span::new(syntax.stopped_at, source.len() as u32), None));
        let consequence = complete && repair.is_consequence(&syntax.remedy);
        let problem = if consequence { None } else { Some(syntax.problem) };
        repair.mended.push(Mended { span, key, problem });
        if !complete {
            break;
        }
        reading = reader::read(source, &repair.text, limits);
    }
    if complete {
        reading = repair.put_back(reading, rounds, limits);
    }
    repair.finish(reading, control, complete)
}

/// A text on its way to one that can be read.
struct Repair<'s> {
    source: &'s str,
    /// The text before any repair.
    clean: String,
    text: String,
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
                push(&mut self.text, brackets);
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
            let touched = self.mended.iter().enumerate().any(|(place, other)| {
                place != at && other.span.start <= span.end && span.start <= other.span.end
            });
            if touched {
                at += 1;
                continue;
            }
            let before = self.text.clone();
            let written = span.of(&self.clean).to_owned();
            self.put(span, &written);
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
        let line = self.written_line(at)?;
        self.blank(line);
        Some(line)
    }

    /// The line of `at`, or the last line before it with something on it.
    fn written_line(&self, at: u32) -> Option<Span> {
        let mut start = line_start(&self.text, at);
        loop {
            let line = Span::new(start, line_end(&self.text, start));
            if !line.of(&self.text).trim().is_empty() {
                return Some(line);
            }
            start = line_start(&self.text, start.checked_sub(1)?);
        }
    }

    /// Blanks the line of `at` with all that is indented as deep below it.
    fn blank_block(&mut self, at: u32) -> Option<Span> {
        let mut block = self.written_line(at)?;
        let indentation = first_word(self.source, block.start) - block.start;
        while let Some(breaks) = self.text[block.end as usize..].find(|c| c != '\r' && c != '\n') {
            let start = block.end + breaks as u32;
            let line = Span::new(start, line_end(&self.text, start));
            let deep =
                line.of(&self.text).trim().is_empty() || first_word(&self.text, start) - start >= indentation;
            if !deep {
                break;
            }
            block.end = line.end;
        }
        self.blank(block);
        Some(block)
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
    fn finish(self, reading: Reading<'s>, control: Problems, complete: bool) -> Source<'s> {
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
        let mut found = in_order(found);
        found.extend(last);
        for (at, problem) in found.into_iter().enumerate() {
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

    /// Puts spaces in the place of everything but line breaks.
    fn blank(&mut self, span: Span) {
        let mut blank = String::with_capacity((span.end - span.start) as usize);
        for byte in span.of(&self.text).bytes() {
            blank.push(if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' });
        }
        self.put(span, &blank);
    }

    fn put(&mut self, span: Span, text: &str) {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        self.text = concat(&[before, text, after]);
    }
}

fn in_order(problems: Problems) -> Problems {
    by_rank(problems, |problem| problem.span.start)
}

/// The code point of a character, which is none of the longer ones.
fn hex(character: char) -> String {
    let mut digits = String::new();
    for shift in [12, 8, 4, 0] {
        let digit = char::from_digit(character as u32 >> shift & 15, 16).unwrap_or_default();
        digits.push(digit.to_ascii_uppercase());
    }
    digits
}

/// The text with spaces in place of characters that YAML does not take anywhere, not even in quotes;
/// and the first of them.
fn without_controls(source: &str) -> (String, Problems) {
    let (mut text, mut problems) = (String::with_capacity(source.len()), Vec::new());
    let mut rest = source;
    while let Some(at) = yaml::unprintable(rest) {
        let (before, after) = rest.split_at(at);
        let control = after.chars().next().unwrap_or_default();
        push(&mut text, before);
        if problems.is_empty() {
            let span = Span::new(at as u32, (at + control.len_utf8()) as u32);
            let message = text!["the control character U+", hex(control), " has no place in YAML"];
            problems.push(Problem::yaml(span, message));
        }
        for _ in 0..control.len_utf8() {
            text.push(' ');
        }
        rest = &after[control.len_utf8()..];
    }
    push(&mut text, rest);
    (text, problems)
}
