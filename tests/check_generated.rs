//! What is made from the tables is what stands in the tree. Run with `UPDATE=1` to write it anew.
#![allow(clippy::unwrap_used)]

use std::{env, fs};
use step_retry::check::{Options, check, docs, key_list, schema};
use step_retry::codes::{ALL, PAGES};

fn current(path: &str, text: &str) {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "{path} is not what the tables say; run this test with UPDATE=1");
}

#[test]
fn the_page_about_diagnostics_is_current() {
    current("docs/diagnostics.md", &docs());
}

#[test]
fn the_schema_is_current_and_is_json() {
    let schema = schema();
    let json: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(json["$defs"]["retry"]["properties"]["max_attempts"]["minimum"], 1);
    assert_eq!(json["$defs"]["step"]["properties"]["timeout_seconds"]["default"], 3600);
    assert_eq!(json["$defs"]["gate"]["properties"]["choices"]["default"][1], "reject");
    current("pkg/schema.json", &schema);
}

#[test]
fn the_list_of_keys_is_current_and_is_json() {
    let list = key_list();
    let json: serde_json::Value = serde_json::from_str(&list).unwrap();
    let base_delay = json["retry"].as_array().unwrap().iter().find(|key| key["name"] == "base_delay_ms");
    assert_eq!(base_delay.unwrap()["unit"], "ms");
    let tool_timeout = json["step"].as_array().unwrap().iter().find(|key| key["name"] == "tool_timeout");
    assert_eq!(tool_timeout.unwrap()["unit"], "s");
    current("pkg/keys.json", &list);
}

#[test]
fn every_code_has_its_page() {
    let mut pages: Vec<_> = PAGES.iter().map(|page| page.code.name).collect();
    let mut codes: Vec<_> = ALL.iter().map(|code| code.name).collect();
    pages.sort_unstable();
    codes.sort_unstable();
    assert_eq!(pages, codes);
}

#[test]
fn every_example_brings_its_code_and_no_other() {
    for page in PAGES {
        let Some(source) = page.example.file() else {
            // No small file is too large, and no file tells of layers inside.
            let shown =
                page.code.name.starts_with("LIMIT_") || page.code == step_retry::codes::LAYERS_MULTIPLY;
            assert!(shown, "{} needs an example", page.code.name);
            continue;
        };
        let report = check(&source, &Options::default());
        let codes: Vec<_> = report.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, [page.code.name], "{source}");
        assert_eq!(report.diagnostics[0].severity, page.code.severity);
    }
}
