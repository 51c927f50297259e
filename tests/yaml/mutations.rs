//! Texts near those that people and the test suite write: both parsers read the same, or refuse at the
//! same place.

use serde_json::Value;
use std::fs;
use step_retry::yaml::{self, ErrorKind};

use crate::oracle;
use crate::suite;

/// A repeatable sequence of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }
}

/// What is put into a text.
const PIECES: &[&str] = &[
    ":",
    ": ",
    ":\n",
    "- ",
    "-",
    "-\n",
    "? ",
    "?",
    ", ",
    ",",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "#",
    " # c\n",
    "&a ",
    "&b",
    "*a",
    "*b ",
    "!",
    "!t ",
    "!!str ",
    "!<x> ",
    "!e!x ",
    "%TAG ! tag:x,2000:\n",
    "%TAG !e! !e%21\n",
    "%YAML 1.2\n",
    "%X y\n",
    "\"",
    "'",
    "''",
    "\\",
    "\\\n",
    "\\u0041",
    "\\q",
    "|",
    ">",
    "|\n",
    ">-\n",
    "|+2\n",
    "|1-\n",
    " ",
    "  ",
    "    ",
    "\t",
    "\t\t",
    " \t ",
    "\n",
    "\n\n",
    "\n ",
    "\n  ",
    "\n\t",
    "\r",
    "\r\n",
    "---",
    "---\n",
    "--- ",
    "...",
    "...\n",
    "\n---\n",
    "\n...\n",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\u{a0}",
    "é",
    "😀",
    "\u{fffd}",
    "\u{7f}",
    "\0",
    "\u{1}",
    "\u{fffe}",
    "a",
    "a: b\n",
    "- a\n",
    "? a\n",
    ": b\n",
    "@",
    "`",
    "<<: *a\n",
    "~",
    "0",
    "a b",
    "\"k\": ",
    "'k':",
    "{a: b}: ",
    "[a]: ",
    "x\n y\n",
];

/// The texts from which mutations start.
fn sources() -> Vec<String> {
    let mut sources: Vec<_> = suite::cases().into_iter().map(|case| case.text).collect();
    let root = env!("CARGO_MANIFEST_DIR");
    for case in json(&format!("{root}/tests/cases/validate.json")).as_array().unwrap() {
        sources.extend(case["yaml"].as_str().map(str::to_owned));
    }
    for folder in ["tests/accepted", "examples"] {
        sources.extend(files(&format!("{root}/{folder}")));
    }
    sources
}

fn json(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn files(folder: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            texts.extend(files(path.to_str().unwrap()));
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    texts
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutate(text: &mut String, dice: &mut Dice) {
    let at = boundary(text, dice.below(text.len() + 1));
    let rest = &text[at..];
    let char_end = at + rest.chars().next().map_or(0, char::len_utf8);
    let line_end = at + rest.find('\n').unwrap_or(rest.len());
    match dice.below(14) {
        0 => text.replace_range(at..char_end, ""),
        1 => *text = text[..char_end].to_owned() + &text[at..],
        2 => text.replace_range(at..line_end, ""),
        3 => text.replace_range(at..(line_end + 1).min(text.len()), ""),
        4 => text.truncate(at),
        5 => *text = text.replace('\n', "\r\n"),
        6 => *text = text[..at].to_owned() + &text[at..].replacen('\n', "\r", 1),
        7 => {
            let end = boundary(text, (at + dice.below(40)).min(text.len()));
            let piece = text[at..end].to_owned();
            let to = boundary(text, dice.below(text.len() + 1));
            text.insert_str(to, &piece);
        }
        8 => text.replace_range(at..char_end, dice.pick(PIECES)),
        _ => text.insert_str(at, dice.pick(PIECES)),
    }
}

/// A text a few steps from one of `sources`, or thrown together.
fn mutation(sources: &[String], dice: &mut Dice) -> String {
    if dice.below(4) == 0 {
        return (0..=dice.below(16)).map(|_| dice.pick(PIECES)).collect();
    }
    let mut text = sources[dice.below(sources.len())].clone();
    if text.len() > 3000 {
        let start = boundary(&text, dice.below(text.len() - 2000));
        let end = boundary(&text, start + 2000);
        text = text[start..end].to_owned();
    }
    for _ in 0..=dice.below(4) {
        mutate(&mut text, dice);
    }
    text
}

/// Errors told at another place: an escape where it stands, and not where its scalar begins; a version
/// before what is wrong behind it.
const TOLD_ELSEWHERE: &[ErrorKind] = &[ErrorKind::Escape, ErrorKind::Version];

/// How the two parsers differ on `text`.
fn difference(text: &str) -> Option<String> {
    let (ours, theirs) = (oracle::ours(text), oracle::theirs(text));
    if yaml::unprintable(text).is_some() {
        return theirs.error.is_none().then(|| "unprintable, and read by the other".to_owned());
    }
    for (at, (left, right)) in ours.events.iter().zip(&theirs.events).enumerate() {
        if left != right {
            return Some(format!("event {at}: {left:?}\n    theirs: {right:?}"));
        }
    }
    let place = theirs.error.as_ref().map(|error| error.marker().byte_offset().unwrap_or_default() as u32);
    let same = match (&ours.error, place) {
        (Some(error), Some(place)) => error.at == place || TOLD_ELSEWHERE.contains(&error.kind),
        (None, None) => ours.events.len() == theirs.events.len(),
        _ => false,
    };
    (!same).then(|| format!("ours: {:?}, theirs: {:?}", ours.error, theirs.error))
}

#[test]
fn the_sources_are_read_as_another_parser_reads_them() {
    for text in sources() {
        assert_eq!(difference(&text), None, "{text}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(difference(&windows), None, "{windows}");
    }
}

#[test]
fn mutations_are_read_as_another_parser_reads_them() {
    let asked = |name, usual| std::env::var(name).map_or(usual, |number| number.parse().unwrap());
    let count = asked("STEP_RETRY_CASES", 100_000);
    let sources = sources();
    let mut dice = Dice(asked("STEP_RETRY_SEED", 1));
    let mut refused = 0;
    for _ in 0..count {
        let text = mutation(&sources, &mut dice);
        assert_eq!(difference(&text), None, "{text:?}");
        refused += u64::from(oracle::ours(&text).error.is_some());
    }
    assert!((count / 4..count * 3 / 4).contains(&refused), "{refused} of {count} refused");
}
