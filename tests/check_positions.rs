//! Where a diagnostic points: the offending characters themselves, however the file is written.
#![allow(clippy::unwrap_used)]

use step_retry::check::{Diagnostic, Options, check};
use step_retry::workflow::{Places, Range};

fn covered(source: &str, range: &Range) -> String {
    let units: Vec<u16> = source.encode_utf16().collect();
    String::from_utf16(&units[range.start.offset as usize..range.end.offset as usize]).unwrap()
}

fn first(source: &str) -> Diagnostic {
    let report = check(source, &Options::default());
    report.diagnostics.into_iter().next().unwrap_or_else(|| panic!("nothing is told of\n{source}"))
}

const HEAD: &str = "id: w\nname: W\nversion: 1\n";

/// A file, and of its first diagnostic: the characters it covers, its line and column, and the
/// characters of the related place.
const PLACES: &[(&str, &str, (u32, u32), &str)] = &[
    // An alias is told where it is used, with what it stands for.
    (
        "x-t: &t 0\nsteps: {a: {description: d, execution: auto, handler: h, timeout_seconds: *t}}\n",
        "*t",
        (5, 75),
        "&t",
    ),
    // A key in a block that is reached by an alias is told where it stands.
    (
        "x-r: &r\n  jitter: 1\nsteps: {a: {description: d, execution: auto, handler: h, timeout_seconds: 9, retry: *r}}\n",
        "jitter",
        (5, 3),
        "*r",
    ),
    // So is what a merge brings.
    (
        "x-r: &r {jitter: 1}\nsteps: {a: {description: d, execution: auto, handler: h, timeout_seconds: 9, retry: {<<: *r}}}\n",
        "jitter",
        (4, 10),
        "*r",
    ),
    (
        "x-r: [&r {max_attempts: 0}, &q {max_attempts: 2}]\nsteps: {a: {description: d, execution: auto, handler: h, timeout_seconds: 9, retry: {<<: [*r, *q]}}}\n",
        "0",
        (4, 25),
        "[*r, *q]",
    ),
    // Columns count UTF-16 units: the parcel is two of them.
    (
        "steps: {'📦 é': {description: d, execution: auto, handler: h, timeout_seconds: 0}}\n",
        "0",
        (4, 80),
        "",
    ),
    (
        "steps:\n  a:\n    description: |\n      timeout_seconds: 0\n    execution: auto\n    handler: h\n    timeout_seconds: |\n      5\n",
        "5",
        (11, 7),
        "",
    ),
    (
        "steps:\n  ? a\n  : {description: d, execution: auto, timeout_seconds: \"0x10\"}\n",
        "\"0x10\"",
        (6, 56),
        "",
    ),
    (
        "steps:\n  a:\n    description: d\n    execution: auto\n    \"timeout\\x5fseconds\": 0\n",
        "0",
        (8, 27),
        "",
    ),
    ("steps:\n  a: {description: d, execution: auto, handler: h, retry: {jitter}}\n", "jitter", (5, 60), ""),
    ("steps:\n\n  a:\n    # why\n    execution: auto # why\n", "a", (6, 3), ""),
];

#[test]
fn a_diagnostic_covers_the_offending_characters() {
    for (body, expected, (line, column), related) in PLACES {
        for source in [
            format!("{HEAD}{body}"),
            format!("{HEAD}{body}").replace('\n', "\r\n"),
            format!("{HEAD}{body}").replace('\n', "\r"),
            format!("\u{feff}{HEAD}{body}"),
        ] {
            let found = first(&source);
            let context = format!("{source}\n{found:#?}");
            let one_break = |text: String| text.replace("\r\n", "\n").replace('\r', "\n");
            assert_eq!(one_break(covered(&source, &found.range)), *expected, "{context}");
            assert_eq!((found.range.start.line, found.range.start.column), (*line, *column), "{context}");
            let place = found.related.first().map(|place| covered(&source, &place.range));
            assert_eq!(place.unwrap_or_default(), *related, "{context}");
        }
    }
}

#[test]
fn the_path_leads_to_the_place() {
    let path = |source: &str| serde_json::to_string(&first(&format!("{HEAD}{source}")).path).unwrap();
    let step = "steps:\n  a b:\n    description: d\n    execution: auto\n    handler: h\n";
    assert_eq!(
        path(&format!("{step}    retry: {{max_attempts: 0}}\n")),
        r#"["steps","a b","retry","max_attempts"]"#
    );
    assert_eq!(path(&format!("{step}    depends_on: [x]\n")), r#"["steps","a b","depends_on",0]"#);
    assert_eq!(path("steps: 3\n"), r#"["steps"]"#);
    assert_eq!(path("steps:\n  a: 3\n"), r#"["steps","a"]"#);
    assert_eq!(path("steps:\n  a: {execution: auto}\n"), r#"["steps","a"]"#);
}

#[test]
fn a_step_is_summed_up_with_its_range_its_limits_and_its_plan() {
    let source = format!(
        "{HEAD}steps:\n  a:\n    description: d\n    execution: auto\n    handler: h\n    timeout_seconds: 30\n    retry:\n      max_attempts: 3\n      base_delay_ms: 500\n  b: {{description: d, execution: agent, timeout_seconds: 3}}\n  c: 5\n"
    );
    let report = check(&source, &Options::default());
    let steps = serde_json::to_value(&report.steps).unwrap();
    assert_eq!(steps[0]["name"], "a");
    assert_eq!(steps[0]["execution"], "auto");
    assert_eq!(
        steps[0]["limits"],
        serde_json::json!({ "timeout_seconds": 30.0, "retry": { "max_attempts": 3.0, "base_delay_ms": 500.0 } })
    );
    assert_eq!(steps[0]["plan"]["worstCaseMs"], 91000.0);
    assert!(covered(&source, &report.steps[0].range).starts_with("a:\n"));
    assert!(covered(&source, &report.steps[0].range).ends_with("base_delay_ms: 500"));
    assert!(steps[1].get("limits").is_none() && steps[1].get("plan").is_none());
    assert_eq!(steps[2]["execution"], serde_json::Value::Null);
}

#[test]
fn a_report_goes_over_the_border_in_the_words_of_the_types() {
    let source = format!(
        "{HEAD}steps:\n  a: {{description: d, execution: auto, handler: h, retry: {{max_atempts: 2}}}}\n"
    );
    let report = serde_json::to_value(check(&source, &Options::default())).unwrap();
    let found = &report["diagnostics"][0];
    assert_eq!(found["severity"], "warning");
    assert_eq!(found["suggestion"], "max_attempts");
    assert_eq!(found["docs"], "diagnostics.md#unknown_retry_key");
    assert_eq!(found["fixes"][0]["edits"][0]["newText"], "max_attempts");
    assert_eq!(found["range"]["end"]["offset"], found["range"]["start"]["offset"].as_u64().unwrap() + 11);
    assert!(found.get("related").is_none());
    assert_eq!(report["workflow"]["id"], "w");
    assert_eq!(report["workflow"]["version"], 1.0);
}

#[test]
fn any_byte_has_a_place() {
    let source = "a😀\r\nb\u{85}c\rd";
    let places = Places::new(source);
    for at in 0..=source.len() as u32 + 5 {
        let place = places.position(at);
        assert!(place.line >= 1 && place.column >= 1);
        assert!(place.offset as usize <= source.encode_utf16().count());
    }
}
