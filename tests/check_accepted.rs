//! Workflow files as people write them: a file that is right gets no diagnostic at all.
#![allow(clippy::unwrap_used)]

use std::fs;
use step_retry::check::{Options, check};

fn accepted() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accepted");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_file_that_is_right_gets_no_noise() {
    let files = accepted();
    assert!(files.len() >= 12);
    for (name, source) in &files {
        for recover in [false, true] {
            let report = check(source, &Options { strict: true, recover, ..Options::default() });
            assert!(report.diagnostics.is_empty() && report.valid, "{name}: {:#?}", report.diagnostics);
        }
    }
}

#[test]
fn the_files_are_of_every_length_and_hold_every_kind() {
    let files = accepted();
    let mut kinds: Vec<_> = files
        .iter()
        .flat_map(|(_, source)| check(source, &Options::default()).steps)
        .filter_map(|step| step.execution)
        .collect();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, ["agent", "auto", "finalizer", "guard"]);
    for (name, source) in &files {
        assert!((20..=200).contains(&source.lines().count()), "{name}");
    }
}
