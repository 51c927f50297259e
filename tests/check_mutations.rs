//! What holds of any text near a workflow file: the checker answers, twice the same, with ranges
//! inside the text, and its verdict agrees with what it tells.
#![allow(clippy::unwrap_used)]

use std::fs;
use step_retry::check::{Options, Report, check};
use step_retry::workflow::Range;

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

const PIECES: &[&str] = &[
    ":",
    ": ",
    "\n",
    "\r",
    "\r\n",
    "  ",
    "\t",
    "-",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
    " #",
    "&a ",
    "*a",
    "<<: *a\n",
    "!x ",
    "!!str ",
    "\"",
    "'",
    "|",
    ">",
    "?",
    "%",
    "@",
    "`",
    "\\",
    "\0",
    "\u{feff}",
    "\u{2028}",
    "😀",
    "é",
    "---\n",
    "...\n",
    "retry:",
    "max_attempts: 2",
    "on_timeout: true",
    "1e400",
    ".nan",
    "-0",
    "null",
    "true",
    "steps:",
    "use_template: t",
    "gate: {}",
    "depends_on: [a]",
];

/// Changes the text at one to four places.
fn mutated(dice: &mut Dice, source: &str) -> String {
    let mut text: Vec<char> = source.chars().collect();
    for _ in 0..=dice.below(4) {
        let at = dice.below(text.len() + 1);
        let end = (at + dice.below(12)).min(text.len());
        match dice.below(5) {
            0 => drop(text.drain(at..end)),
            1 => {
                let piece: Vec<_> = text[at..end].to_vec();
                let place = dice.below(text.len() + 1);
                text.splice(place..place, piece);
            }
            2 => text.truncate(at),
            _ => drop(text.splice(at..at, PIECES[dice.below(PIECES.len())].chars())),
        }
    }
    text.into_iter().collect()
}

fn inside(range: &Range, length: u32) -> bool {
    range.start.offset <= range.end.offset
        && range.end.offset <= length
        && range.start.line >= 1
        && range.start.column >= 1
}

fn sound(text: &str, report: &Report) {
    let length = text.encode_utf16().count() as u32;
    for found in &report.diagnostics {
        assert!(inside(&found.range, length), "{text:?}\n{found:#?}");
        assert!(found.related.iter().all(|place| inside(&place.range, length)), "{text:?}\n{found:#?}");
        let edits = found.fixes.iter().flat_map(|fix| &fix.edits);
        assert!(edits.clone().all(|edit| inside(&edit.range, length)), "{text:?}\n{found:#?}");
        assert!(!found.message.is_empty() && !found.docs.is_empty());
    }
    assert!(report.steps.iter().all(|step| inside(&step.range, length)), "{text:?}");
    let worst = |name: &str| report.diagnostics.iter().any(|d| d.severity.name() == name);
    assert_eq!(report.valid, !worst("error"), "{text:?}");
    assert_eq!(report.summary.starts_with("Valid: "), report.valid, "{text:?}");
    let loads =
        report.diagnostics.iter().all(|d| d.severity.name() != "error" || d.code.starts_with("UNKNOWN_"));
    assert!(loads || !worst("info"), "advice on a file that does not load\n{text:?}");
}

#[test]
fn any_mutation_of_a_good_file_gets_a_sound_report_twice_the_same() {
    let mut dice = Dice(11);
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accepted")).unwrap() {
        let source = fs::read_to_string(entry.unwrap().path()).unwrap();
        for _ in 0..200 {
            let text = mutated(&mut dice, &source);
            for recover in [false, true] {
                let options = Options { recover, ..Options::default() };
                let report = check(&text, &options);
                sound(&text, &report);
                assert_eq!(report, check(&text, &options), "{text:?}");
                let strict = check(&text, &Options { strict: true, ..options });
                let clean = report.diagnostics.iter().all(|d| d.severity.name() == "info");
                assert_eq!(strict.valid, clean, "{text:?}");
                assert_eq!(strict.diagnostics, report.diagnostics, "{text:?}");
            }
        }
    }
}
