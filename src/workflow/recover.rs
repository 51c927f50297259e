//! Reading on after a YAML error: the line at fault is blanked, or made the key that it was meant to be,
//! and the text is read again. Neither moves anything, so that every place stays true.

use super::place::{Remedy, find_pair, first_word, line_end, line_start};
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
    let (text, control) = without_controls(source);
    let mut repair = Repair { source, text, mended: Vec::new() };
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
    repair.finish(reading, control, complete)
}

/// A text on its way to one that can be read.
struct Repair<'s> {
    source: &'s str,
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
            Remedy::BlankBlock(at, least) => self.blank_block(*at, *least),
            Remedy::Blank(at) | Remedy::Colon(at) => {
                let line = self.written_line(*at)?;
                let is_key = matches!(remedy, Remedy::Colon(_));
                let word = if is_key { *at } else { first_word(&self.text, line.start) };
                if (is_key || self.holds_a_block(line))
                    && let Some(key) = self.take_for_key(Span::new(word, line.end))
                {
                    return Some((line, Some(key)));
                }
                self.fill(line, ' ');
                Some(line)
            }
            Remedy::Close(bracket) => {
                let end = self.source.len() as u32;
                self.text.push(*bracket);
                Some(Span::at(end))
            }
        };
        Some((span?, None))
    }

    /// Whether a block hangs in the air because the line above it has been left out. A tab is a mistake of
    /// its own.
    fn is_consequence(&self, remedy: &Remedy) -> bool {
        let Remedy::BlankBlock(at, _) = remedy else { return false };
        if self.source[*at as usize..].starts_with('\t') {
            return false;
        }
        let above = self.source[..*at as usize].trim_end().len() as u32;
        self.mended.iter().any(|Mended { span, .. }| span.start < above && above <= span.end)
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

    /// Blanks the line of `at` with all below it that is indented by `least`, or deeper.
    fn blank_block(&mut self, at: u32, least: u32) -> Option<Span> {
        let mut block = self.written_line(at)?;
        while let Some(breaks) = self.text[block.end as usize..].find(|c| c != '\r' && c != '\n') {
            let start = block.end + breaks as u32;
            let line = Span::new(start, line_end(&self.text, start));
            let deep =
                line.of(&self.text).trim().is_empty() || first_word(&self.text, start) - start >= least;
            if !deep {
                break;
            }
            block.end = line.end;
        }
        self.fill(block, ' ');
        Some(block)
    }

    /// Whether the next line with something on it is indented deeper than this one, which has no value
    /// but for an anchor or a stray sign.
    fn holds_a_block(&self, line: Span) -> bool {
        let below = &self.text[line.end as usize..];
        let next = line.end + (below.len() - below.trim_start().len()) as u32;
        let written = line.of(&self.text);
        let mut end = written.trim_end().bytes().rev().take(3);
        (end.any(|byte| byte == b':') || find_pair(written, *b" &").is_some())
            && next - line_start(&self.text, next) > first_word(&self.text, line.start) - line.start
    }

    /// Makes the first name in `span`, which ends with its line, a key; it is given back to the tree in
    /// the end. What is before it becomes a part of it, so that it stays as deep as it is. What is after
    /// it is left out, but for a first attempt at what is before it. `None` where that changes nothing.
    fn take_for_key(&mut self, span: Span) -> Option<Span> {
        let written = span.of(self.source);
        let (mut start, mut end) = (None, written.len());
        for (at, byte) in written.bytes().enumerate() {
            let is_name = byte.is_ascii_alphanumeric() || byte == b'_';
            if start.is_none() && is_name {
                start = Some(at);
            } else if start.is_some() && !is_name && byte != b'-' {
                end = at;
                break;
            }
        }
        let (start, end) = (start? as u32, end as u32);
        let now = span.of(&self.text).to_owned();
        let key = Span::new(span.start + start, span.start + end);
        let first = start > 0 && now == written && written.as_bytes().get(end as usize) == Some(&b':');
        self.fill(Span::new(span.start, key.start), '_');
        if !first {
            self.fill(Span::new(key.end, span.end), ' ');
            let colon = key.end.min(span.end - 1);
            self.fill(Span::new(colon, colon + 1), ':');
        }
        (span.of(&self.text) != now).then_some(key)
    }

    /// The last reading, with what was found on the way to it.
    fn finish(self, reading: Reading<'s>, control: Problems, complete: bool) -> Source<'s> {
        let Reading { mut tree, problems: last, .. } = reading;
        let (mut skipped, mut keys, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for mended in self.mended {
            if skipped.last() != Some(&mended.span) {
                skipped.push(mended.span);
            }
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

    /// Puts `filling` in the place of everything but line breaks.
    fn fill(&mut self, span: Span, filling: char) {
        let (before, after) = (&self.text[..span.start as usize], &self.text[span.end as usize..]);
        let mut filled = String::new();
        for byte in span.of(&self.text).bytes() {
            filled.push(if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { filling });
        }
        self.text = concat(&[before, &filled, after]);
    }
}

fn in_order(problems: Problems) -> Problems {
    by_rank(problems, |problem| problem.span.start)
}

/// The code point of a character, which is none of the longer ones.
fn hex(character: char) -> String {
    let mut digits = String::new();
    for shift in [12, 8, 4, 0] {
        let digit = (character as u32 >> shift & 15) as u8;
        digits.push(char::from(if digit < 10 { b'0' + digit } else { b'A' - 10 + digit }));
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
