//! Reading on after YAML errors, as an editor needs it at each keystroke.
#![allow(clippy::unwrap_used)]

use std::fs;
use step_retry::check::{Limits, Options, check};
use step_retry::workflow::{self, Source};

/// A file of thirty lines with what people write: comments, quotes, flow lists, block texts.
const THIRTY_LINES: &str = r#"# Fetch, think, ask, tell.
id: thirty
name: "Thirty lines"
version: 3
x-team: tools

steps:
  fetch:
    description: Fetch the record.   # from the register
    execution: auto
    handler: fetch_record
    timeout_seconds: 30
    retry:
      max_attempts: 3
      backoff: exponential
      base_delay_ms: 1000
      total_timeout_seconds: 120
  think:
    description: 'What does it mean?'
    execution: agent
    depends_on: [fetch]
    instructions: |
      Be brief.
      Say what is missing.
  allowed:
    description: Only on working days.
    execution: guard
    depends_on: [think]
    abort_unless: "think.day != 'sunday'"
    abort_message: {text: Not today.}
"#;

/// What people type between two states that are right.
const TOKENS: [&str; 20] =
    ["\"", "'", "[", "{", "]", "}", ":", "-", "#", "&", "*", "!", "%", "@", "`", "|", ">", "?", "\t", "\n"];

/// A repeatable sequence of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// How many lines were left out, or changed, to read the rest.
fn lines(source: &Source<'_>) -> usize {
    source.skipped.iter().map(|span| span.of(source.tree.source()).lines().count().max(1)).sum()
}

#[derive(Default)]
struct Tally {
    invalid: usize,
    recovered: usize,
    by_one_line: usize,
    lines: usize,
}

/// Applies `edit` again and again to the thirty lines and counts what recovery makes of it.
fn tally(rounds: usize, edit: impl Fn(&mut Dice) -> String) -> Tally {
    let mut dice = Dice(7);
    let mut tally = Tally::default();
    for _ in 0..rounds {
        let text = edit(&mut dice);
        let read = workflow::read(&text, true, &Limits::default());
        if read.skipped.is_empty() {
            continue;
        }
        tally.invalid += 1;
        tally.lines += lines(&read);
        tally.recovered += usize::from(read.complete);
        tally.by_one_line += usize::from(read.complete && lines(&read) == 1);
    }
    tally
}

#[test]
fn one_edit_away_from_a_good_file_everything_else_is_still_read() {
    let rounds = 3000;
    let at = |dice: &mut Dice| dice.below(THIRTY_LINES.len());
    let cut = tally(rounds, |dice| {
        let at = at(dice);
        let end = at + THIRTY_LINES[at..].find('\n').unwrap_or(0);
        format!("{}{}", &THIRTY_LINES[..at], &THIRTY_LINES[end..])
    });
    let deleted = tally(rounds, |dice| {
        let at = at(dice);
        format!("{}{}", &THIRTY_LINES[..at], &THIRTY_LINES[at + 1..])
    });
    let inserted = tally(rounds, |dice| {
        let at = at(dice);
        format!("{}{}{}", &THIRTY_LINES[..at], TOKENS[dice.below(TOKENS.len())], &THIRTY_LINES[at..])
    });
    let mut all = Tally::default();
    for (edit, one_line, tally) in [("cut", 88, cut), ("delete", 80, deleted), ("insert", 70, inserted)] {
        let share = tally.by_one_line * 100 / tally.invalid;
        println!("{edit}: {} invalid, {share} % by one line, {} lines", tally.invalid, tally.lines);
        assert!(tally.invalid > rounds / 10, "{edit}");
        assert_eq!(tally.recovered, tally.invalid, "{edit}");
        assert!(share >= one_line, "{edit}: {share} % by one line");
        all.invalid += tally.invalid;
        all.by_one_line += tally.by_one_line;
    }
    assert!(all.by_one_line * 100 / all.invalid >= 82);
}

#[test]
fn a_mistake_is_never_told_under_two_names() {
    let mut dice = Dice(3);
    for _ in 0..1500 {
        let at = dice.below(THIRTY_LINES.len());
        let end = at + THIRTY_LINES[at..].find('\n').unwrap_or(0);
        let token = TOKENS[dice.below(TOKENS.len())];
        for text in [
            format!("{}{}", &THIRTY_LINES[..at], &THIRTY_LINES[end..]),
            format!("{}{token}{}", &THIRTY_LINES[..at], &THIRTY_LINES[at..]),
        ] {
            let found = codes(&text);
            let (broken, others): (Vec<_>, Vec<_>) =
                found.iter().partition(|(code, _)| *code == "YAML_PARSE_ERROR");
            let lines: Vec<_> = broken.iter().map(|(_, line)| line).collect();
            assert!(others.iter().all(|(_, line)| !lines.contains(&line)), "{found:?}\n{text}");
        }
    }
}

fn codes(text: &str) -> Vec<(&'static str, u32)> {
    let report = check(text, &Options { recover: true, ..Options::default() });
    report.diagnostics.iter().map(|d| (d.code, d.range.start.line)).collect()
}

#[test]
fn each_state_of_a_file_being_typed_gets_its_one_yaml_error_on_the_line_being_typed() {
    let mut files = vec![THIRTY_LINES.to_owned()];
    for name in ["price-watch.json.yaml", "windows-report.yaml", "uebersetzung.yaml", "support-triage.yaml"] {
        let path = format!("{}/tests/accepted/{name}", env!("CARGO_MANIFEST_DIR"));
        files.push(fs::read_to_string(path).unwrap());
    }
    let mut broken = 0;
    for file in &files {
        for (end, _) in file.char_indices() {
            let typed = &file[..end];
            let found = codes(typed);
            let errors: Vec<_> = found.iter().filter(|(code, _)| *code == "YAML_PARSE_ERROR").collect();
            let Some((_, line)) = errors.first() else { continue };
            assert_eq!(found.len(), 1, "{typed}");
            let lines = typed.trim_end_matches(['\n', '\r']).split('\n').count();
            assert_eq!(*line as usize, lines, "{typed}");
            broken += 1;
        }
    }
    assert!(broken > 1000);
}

#[test]
fn a_yaml_error_does_not_hide_what_else_is_wrong() {
    let text = THIRTY_LINES
        .replace("handler: fetch_record", "handler")
        .replace("max_attempts: 3", "max_attempts: 0");
    assert_eq!(codes(&text), [("YAML_PARSE_ERROR", 11), ("INVALID_VALUE", 14)]);
    let text = text.replace("depends_on: [think]", "depends_on: [thnk");
    assert_eq!(codes(&text), [("YAML_PARSE_ERROR", 11), ("YAML_PARSE_ERROR", 28), ("INVALID_VALUE", 14)]);
}

#[test]
fn without_recovery_the_first_yaml_error_is_the_only_diagnostic() {
    let text = THIRTY_LINES
        .replace("handler: fetch_record", "handler")
        .replace("max_attempts: 3", "max_attempts: 0");
    let report = check(&text, &Options::default());
    assert_eq!(report.diagnostics.len(), 1);
    assert_eq!(report.diagnostics[0].code, "YAML_PARSE_ERROR");
    assert_eq!(report.summary, report.diagnostics[0].message);
    assert!(report.summary.ends_with(" (11:5)"), "{}", report.summary);
}

#[test]
fn a_stray_sign_of_a_block_text_is_blamed_and_nothing_after_it() {
    for sign in ["|", ">", "|-", ">+"] {
        for (indentation, above) in
            [(1, "x-team: [tools]\n"), (3, "x-team: [tools]\n"), (6, "depends_on: [fetch]\n")]
        {
            let text = THIRTY_LINES.replace("x-team: tools", "x-team: [tools]");
            let end = text.find(above).unwrap() + above.len();
            let text = format!("{}{}{sign}\n{}", &text[..end], " ".repeat(indentation), &text[end..]);
            let line = text[..end].lines().count() as u32 + 1;
            assert_eq!(codes(&text), [("YAML_PARSE_ERROR", line)], "{text}");
        }
    }
}

#[test]
fn a_stray_sign_at_the_name_of_a_step_is_blamed_alone_and_the_rest_is_checked() {
    let text = THIRTY_LINES.replace("max_attempts: 3", "max_attempts: 0");
    for name in ["fetch", "think", "allowed"] {
        let start = text.find(&format!("  {name}:")).unwrap() + 2;
        let line = text[..start].lines().count() as u32;
        let places = [("&!*-|>@%,[]{}'\"`", "", start), ("&*-|>@%,[]{}`", " ", start)];
        let (colon, end) = (start + name.len(), start + name.len() + 1);
        for (signs, space, at) in places.into_iter().chain([("&!*-,[]{}'\"?", "", end), (":", " ", colon)]) {
            for sign in signs.chars() {
                // A word that begins with `-` is one, and so the name of a step.
                if (sign, space, at) == ('-', "", start) {
                    continue;
                }
                let slip = format!("{}{sign}{space}{}", &text[..at], &text[at..]);
                assert_eq!(codes(&slip), [("YAML_PARSE_ERROR", line), ("INVALID_VALUE", 14)], "{slip}");
            }
        }
    }
}

#[test]
fn a_sign_before_a_key_is_told_as_what_it_is() {
    let text = THIRTY_LINES.replace("  fetch:", "  &fetch:");
    let report = check(&text, &Options::default());
    let says = "YAML parse error: a key cannot begin with this character (8:3)";
    assert_eq!(report.diagnostics[0].message, says);
}

#[test]
fn the_anchor_of_a_line_with_a_stray_sign_is_still_there() {
    let text = "x-p: &p\n  max_attempts: 2\nsteps:\n  a:\n    execution: auto\n    retry: *p\n";
    assert_eq!(codes(&text.replace("x-p", "!x-p"))[0], ("YAML_PARSE_ERROR", 1));
    let told = |text: &str| codes(text).iter().filter(|(code, _)| *code == "YAML_PARSE_ERROR").count();
    assert_eq!(told(&text.replace("x-p", "!x-p")), 1);
    assert_eq!(told(&text.replace("x-p", "@x-p")), 1);
}

/// The files of `folder` that are sound YAML, by their names.
fn files(folder: &str) -> Vec<(String, String)> {
    let path = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        let path = if path.is_dir() { path.join("workflow.yaml") } else { path };
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push((path.display().to_string(), fs::read_to_string(path).unwrap()));
        }
    }
    files
}

#[test]
fn a_slip_of_one_character_anywhere_near_a_key_gives_few_problems() {
    let (mut slips, mut many) = (0, 0);
    for (name, text) in files("examples") {
        let sound = codes(&text);
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let word = start + line.len() - line.trim_start().len();
            start += line.len();
            let Some((key, value)) = text[word..start].split_once(':').filter(|(key, _)| !key.contains(' '))
            else {
                continue;
            };
            let colon = word + key.len();
            let end = word + text[word..start].trim_end().len();
            for at in [word, colon, colon + 1 + usize::from(value.starts_with(' ')), end] {
                for sign in "&!-*?|>@%,]}[{\"':`".chars() {
                    for space in ["", " "] {
                        let slip = format!("{}{sign}{space}{}", &text[..at], &text[at..]);
                        let told = codes(&slip).into_iter().filter(|found| !sound.contains(found)).count();
                        assert!(told <= 8, "{name}: {told} problems\n{slip}");
                        slips += 1;
                        many += usize::from(told > 3);
                    }
                }
            }
        }
    }
    println!("{slips} slips, {many} with more than 3 problems");
    assert!(slips > 20_000 && many * 100 < slips, "{many} of {slips}");
}

#[test]
fn a_tab_in_the_indentation_is_mended_by_the_depth_that_is_due() {
    for (text, mended) in [
        ("a:\n\tb: 1\n", "a:\n  b: 1\n"),
        ("a:\n    b: 1\n\tc: 2\n", "a:\n    b: 1\n    c: 2\n"),
        ("a:\n    b:\n\tc: 2\n", "a:\n    b:\n        c: 2\n"),
        ("a:\n  b:\n\t\tc: 2\n", "a:\n  b:\n    c: 2\n"),
        ("a:\n  b:\n  \tc: 2\n", "a:\n  b:\n    c: 2\n"),
        ("a: {\n\tb: 1}\n", "a: {\n  b: 1}\n"),
    ] {
        let report = check(text, &Options::default());
        let fix = &report.diagnostics[0].fixes[0];
        let range = fix.edits[0].range.start.offset as usize..fix.edits[0].range.end.offset as usize;
        let mut found = text.to_owned();
        found.replace_range(range, &fix.edits[0].new_text);
        assert_eq!((fix.title.as_str(), found.as_str()), ("Indent with spaces", mended));
    }
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The line with tabs of `width` in the place of its indentation but for the first `kept` spaces.
fn with_tabs(line: &str, width: usize, kept: usize) -> String {
    let deep = depth(line);
    let tabs = (deep - kept.min(deep)) / width;
    let spaces = deep - kept - tabs * width;
    format!("{}{}{}{}", " ".repeat(kept), "\t".repeat(tabs), " ".repeat(spaces), &line[deep..])
}

/// The text after all mendings of its indentation, one report after the other.
fn mended(text: &str) -> String {
    let mut text = text.to_owned();
    loop {
        let report = check(&text, &Options { recover: true, ..Options::default() });
        let fixes = report.diagnostics.iter().flat_map(|found| &found.fixes);
        let mut edits: Vec<_> =
            fixes.filter(|fix| fix.title == "Indent with spaces").flat_map(|fix| &fix.edits).collect();
        if edits.is_empty() {
            return text;
        }
        edits.sort_by_key(|edit| edit.range.start.offset);
        let mut units: Vec<_> = text.encode_utf16().collect();
        for edit in edits.into_iter().rev() {
            let range = edit.range.start.offset as usize..edit.range.end.offset as usize;
            units.splice(range, edit.new_text.encode_utf16());
        }
        text = String::from_utf16(&units).unwrap();
    }
}

#[test]
fn tabs_on_some_lines_are_mended_to_what_their_author_meant_or_not_at_all() {
    let (mut cases, mut whole) = (0, 0);
    for (name, text) in files("examples") {
        for unit in [2, 4] {
            let text: Vec<_> = text
                .lines()
                .map(|line| format!("{}{line}", " ".repeat(depth(line) * (unit - 2) / 2)))
                .collect();
            for (width, kept) in [(unit, 0), (4, 0), (8, 0), (unit, unit)] {
                for (pick, line) in text.iter().enumerate() {
                    let deep = depth(line);
                    if deep < kept + width || line[deep..].starts_with('#') {
                        continue;
                    }
                    let inner =
                        text[pick + 1..].iter().take_while(|line| line.is_empty() || depth(line) > deep);
                    let block = pick..=pick + inner.count();
                    for tabbed in
                        [&(|at| at == pick) as &dyn Fn(usize) -> bool, &|at| block.contains(&at), &|at| {
                            at % 3 == pick % 3
                        }]
                    {
                        let mut typed = Vec::new();
                        for (at, line) in text.iter().enumerate() {
                            let changes = tabbed(at) && depth(line) >= kept + width;
                            typed.push(if changes { with_tabs(line, width, kept) } else { line.clone() });
                        }
                        let mended = mended(&typed.join("\n"));
                        let mut all = true;
                        for ((typed, mended), meant) in typed.iter().zip(mended.lines()).zip(&text) {
                            all &= mended == meant || meant.trim_start().starts_with('#');
                            assert!(mended == typed || mended == meant, "{name}: {typed:?} as {mended:?}");
                        }
                        cases += 1;
                        whole += usize::from(all);
                    }
                }
            }
        }
    }
    println!("{cases} files with tabs, {whole} mended");
    assert!(cases > 1000 && whole * 100 > cases * 85, "{whole} of {cases}");
}

#[test]
fn tabs_all_over_a_file_are_mended_by_two_spaces_each() {
    let text = THIRTY_LINES.replace("instructions: |", "instructions: |-");
    let tabs: Vec<_> = text.lines().map(|line| with_tabs(line, 2, 0)).collect();
    assert_eq!(mended(&tabs.join("\n")), text.trim_end());
}

#[test]
fn a_tab_that_may_mean_one_depth_or_another_is_told_and_left() {
    for text in [
        // The last key of the step, or another step.
        "steps:\n  a:\n    execution: auto\n\thandler: x\n",
        // As deep as no line around it.
        "a:\n    b: 1\n\t\t\tc: 2\n    d: 3\n",
    ] {
        let report = check(text, &Options { recover: true, ..Options::default() });
        let tab = report.diagnostics.iter().find(|found| found.message.contains("a tab cannot indent"));
        assert!(tab.is_some_and(|found| found.fixes.is_empty()), "{text}");
    }
}

#[test]
fn a_tab_before_a_line_that_others_hang_on_is_one_problem() {
    for (spaces, tab) in
        [("  think:", "\tthink:"), ("    retry:", "\t\tretry:"), ("    instructions:", "\tinstructions:")]
    {
        let text = THIRTY_LINES.replace(spaces, tab);
        let line = text[..text.find('\t').unwrap()].lines().count() as u32 + 1;
        let found = codes(&text).into_iter().filter(|(code, _)| *code == "YAML_PARSE_ERROR");
        assert_eq!(found.collect::<Vec<_>>(), [("YAML_PARSE_ERROR", line)], "{text}");
    }
}

/// Text, and where its mistake is told: line, column, and what is said.
const PLACES: &[(&str, u32, u32, &str)] = &[
    ("a: 1\nb\nc: 2\n", 2, 1, "missing ':' after this key"),
    ("a:\n  b: 1\n  handler\n  c: 2\n", 3, 3, "missing ':' after this key"),
    ("a:\n  handler\n  c: 2\n", 2, 3, "missing ':' after this key"),
    ("a: \"x\nb: 1\nc: 2\n", 1, 4, "this quote is never closed"),
    ("a: \"x\nb: \"1\"\nc: 2\n", 1, 4, "this quote is not closed on its line"),
    ("a: [b, c\nd: 1\n", 1, 4, "this '[' is not closed before the lines that follow"),
    ("a: [b, c\n", 1, 4, "this bracket is never closed"),
    ("{\"a\": 1,\n \"b\": [2\n", 2, 9, "']' is missing at the end"),
    ("a:\n\tb: 1\n", 2, 1, "a tab cannot indent; use spaces"),
    ("a:\n  b: 1\n\tc: 2\n", 3, 1, "a tab cannot indent; use spaces"),
    ("a: {\n\tb: 1}\n", 2, 1, "a tab cannot indent; use spaces"),
    ("a: b: c\n", 1, 5, "a second ': ' on this line; quote the value to keep it"),
    ("a: 1\n  b: 2\n", 2, 3, "this line is indented as if it belonged to the value above it"),
    ("%YAML 1.2\na: 1\n", 2, 1, "'---' belongs between the directives and the file"),
    (
        "s:\n    a: 1\n  b:\n    c: 1\n",
        2,
        5,
        "these lines belong to nothing: the lines after them are indented less",
    ),
    ("a:\n  !!str 'c'\n  d: 1\n", 2, 3, "a key belongs here, as on the lines that follow"),
    ("a: 1\n-   b\n", 2, 1, "a key belongs here"),
    ("a: [b] c\n", 1, 8, "a key belongs here"),
    ("a: \"b\\qc\"\n", 1, 6, "this escape means nothing in double quotes"),
    ("a: @b\n", 1, 4, "no value can begin with this character; quote the value to keep it"),
    ("a: *x\n", 1, 4, "there is no anchor '&x' before this alias"),
    ("a: 1\n\"a\": 2\n", 2, 1, "duplicated mapping key 'a'"),
    ("1: a\n1.0: b\n", 2, 1, "duplicated mapping key '1'"),
    ("a: {b: 1, b: 2}\n", 1, 11, "duplicated mapping key 'b'"),
    ("a: !secs 5\n", 1, 4, "unknown tag '!secs'"),
    ("a: !!int x\n", 1, 10, "'x' is not what its tag says it is"),
    ("<<: 5\n", 1, 5, "a merge ('<<') takes a mapping, or a list of mappings"),
    ("a: 1\n---\nb: 2\n", 2, 1, "a workflow file is one document, and here a second one begins"),
    ("a: x\u{1}y\n", 1, 5, "the control character U+0001 has no place in YAML"),
    ("a: 1 # \u{0}\n", 1, 8, "the control character U+0000 has no place in YAML"),
];

#[test]
fn a_yaml_error_is_told_where_its_author_made_it() {
    for (text, line, column, says) in PLACES {
        let report = check(text, &Options::default());
        let found = &report.diagnostics[0];
        assert_eq!(found.message, format!("YAML parse error: {says} ({line}:{column})"), "{text}");
        assert_eq!((found.range.start.line, found.range.start.column), (*line, *column), "{text}");
    }
}
