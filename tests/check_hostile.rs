//! Texts that were never meant to be workflow files: each gets its report, in bounded time.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::time::{Duration, Instant};
use step_retry::check::{Limits, Options, Report, check};

fn head() -> String {
    "id: w\nname: W\nversion: 1\n".to_owned()
}

/// Checks the text with and without recovery; the report without.
fn bounded(name: &str, text: &str) -> Report {
    let started = Instant::now();
    check(text, &Options { recover: true, ..Options::default() });
    let report = check(text, &Options::default());
    let spent = started.elapsed();
    assert!(spent < Duration::from_secs(60), "{name} took {spent:?}");
    report
}

fn codes(report: &Report) -> Vec<&'static str> {
    let mut codes: Vec<_> = report.diagnostics.iter().map(|d| d.code).collect();
    codes.dedup();
    codes
}

#[test]
fn depth_is_refused_at_its_limit() {
    let nested = (0..500).fold(String::new(), |mut text, depth| {
        writeln!(text, "{}k:", " ".repeat(depth)).unwrap();
        text
    });
    for (name, text) in [
        ("brackets", "[".repeat(100_000)),
        ("braces", "{a: ".repeat(100_000)),
        ("dashes", "- ".repeat(100_000)),
        ("five megabytes of brackets", "[".repeat(5 << 20)),
        ("mappings", nested),
    ] {
        let report = bounded(name, &text);
        assert_eq!(codes(&report), ["LIMIT_NESTING"], "{name}");
        assert!(!report.valid);
    }
    let limits = Limits { nesting: 3, ..Limits::default() };
    let report = check("a: [[[[1]]]]\n", &Options { limits, ..Options::default() });
    assert_eq!(codes(&report), ["LIMIT_NESTING"]);
    assert_eq!(report.diagnostics[0].message, "The file is nested deeper than 3 levels");
}

#[test]
fn size_is_refused_at_its_limit() {
    let text = "# ".to_owned() + &"x".repeat(50 << 20);
    let report = bounded("fifty megabytes", &text);
    assert_eq!(codes(&report), ["LIMIT_SIZE"]);
    assert_eq!(report.summary, "Invalid workflow: The file is longer than 16777216 bytes");
    let limits = Limits { bytes: 10, ..Limits::default() };
    assert_eq!(codes(&check("id: 12345678", &Options { limits, ..Options::default() })), ["LIMIT_SIZE"]);
}

#[test]
fn steps_beyond_the_limit_are_not_looked_at() {
    let mut text = head() + "steps:\n";
    for step in 0..30_000 {
        writeln!(text, "  s{step}: {{description: d, execution: auto, handler: h}}").unwrap();
    }
    assert!(bounded("many steps", &text).valid);
    let limits = Limits { steps: 20_000, ..Limits::default() };
    let report = check(&text, &Options { limits, ..Options::default() });
    assert_eq!(codes(&report), ["LIMIT_STEPS"]);
    assert_eq!(report.diagnostics[0].range.start.line, 20_005);
    assert_eq!(report.steps.len(), 20_000);
}

#[test]
fn aliases_cost_no_more_than_their_limit() {
    let mut laughs = head() + "x-0: &a0 {k: v}\n";
    for level in 1..60 {
        let (below, this) = (level - 1, level);
        writeln!(laughs, "x-{this}: &a{this} [*a{below}, *a{below}, *a{below}]").unwrap();
    }
    laughs.push_str("steps: {s: {description: d, execution: auto, handler: h, config: *a59}}\n");
    assert!(bounded("laughs", &laughs).valid);

    let mut merges = head() + "x-0: &a0 {k0: v}\n";
    for level in 1..60 {
        let (below, this) = (level - 1, level);
        writeln!(merges, "x-{this}: &a{this} {{<<: [*a{below}, *a{below}], k{this}: v}}").unwrap();
    }
    merges.push_str("steps: {}\n");
    assert!(bounded("merges of merges", &merges).valid);

    let keys: Vec<_> = (0..2000).map(|key| format!("k{key}: 1")).collect();
    let mut wide = head() + "x-wide: &wide {" + &keys.join(", ") + "}\nsteps:\n";
    for step in 0..2000 {
        writeln!(wide, "  s{step}: *wide").unwrap();
    }
    assert!(codes(&bounded("a wide block, often", &wide)).contains(&"LIMIT_ALIASES"));
    let merged = wide.replace(": *wide", ": {<<: *wide}");
    assert_eq!(codes(&bounded("a wide merge, often", &merged)), ["LIMIT_ALIASES"]);
    let cycle = head() + "steps: &s\n  a: *s\n  b: &b {retry: *b, <<: *b, config: *s}\n";
    assert!(!bounded("a file that holds itself", &cycle).valid);
    let narrow = Limits { alias_visits: 5, ..Limits::default() };
    let report = check(&wide, &Options { limits: narrow, ..Options::default() });
    assert_eq!(report.diagnostics.iter().filter(|d| d.code == "LIMIT_ALIASES").count(), 1);
}

#[test]
fn mistakes_beyond_the_limit_are_counted_as_one() {
    let mut text = head() + "steps:\n";
    for step in 0..12_000 {
        writeln!(text, "  s{step}: {{execution: atuo, retry: {{jitter: 1}}, depends_on: [nobody{step}]}}")
            .unwrap();
    }
    let report = bounded("many mistakes", &text);
    assert_eq!(report.diagnostics.len(), 10_001);
    assert!(codes(&report).contains(&"LIMIT_DIAGNOSTICS"));
    let long = "n".repeat(1_000_000);
    let text =
        head() + "steps:\n  ? " + &long + "\n  : {execution: " + &long + ", retry: {? " + &long + " : 1}}\n";
    assert!(!bounded("names of a million characters", &text).valid);
}

#[test]
fn time_grows_in_step_with_size() {
    let text = |steps: usize| {
        let mut text = head() + "steps:\n";
        for step in 0..steps {
            writeln!(text, "  s{step}: {{description: d, execution: auto, handler: h, depends_on: [s0], retry: {{max_attempts: 2}}}}").unwrap();
        }
        text
    };
    let time = |text: &str, rounds: usize| {
        let started = Instant::now();
        (0..rounds).for_each(|_| drop(check(text, &Options::default())));
        started.elapsed().as_secs_f64()
    };
    let (small, large) = (text(500), text(4_000));
    // Turn by turn, so that whatever else the machine does slows both.
    let ratios = (0..5).map(|_| time(&large, 1) / time(&small, 8));
    let least = ratios.fold(f64::INFINITY, f64::min);
    assert!(least < 4.0, "8 times the text took {least:.1} times what reading the text 8 times took");
}

#[test]
fn odd_characters_and_empty_texts_get_their_report() {
    for text in [
        "",
        "\u{feff}",
        "#",
        "---",
        "...",
        "%",
        "null",
        "- ",
        "\0",
        "\r",
        "\t",
        ":",
        "? ",
        "!",
        "&a",
        "*a",
        "{",
        "\u{2028}",
        "a\u{85}b: 1",
    ] {
        let report = bounded(text, text);
        assert!(!report.valid, "{text:?}");
        assert!(!report.summary.is_empty(), "{text:?}");
    }
    let line = head() + "description: " + &"x".repeat(1_000_000) + "\nsteps: {}\n";
    assert!(bounded("a line of a million characters", &line).valid);
    let nul = "\0".repeat(1 << 20);
    assert_eq!(codes(&bounded("a megabyte of NUL", &nul)), ["YAML_PARSE_ERROR"]);
}
