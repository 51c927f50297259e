//! The page about diagnostics, made from the tables.

use super::{Options, check};
use crate::codes::{PAGES, Page, Severity};
use crate::workflow::Limits;
use std::fmt::Write;

/// `docs/diagnostics.md`: every code, when it appears, its smallest example and the mending.
pub fn docs() -> String {
    let mut text = String::from(INTRODUCTION);
    for (severity, title, about) in GROUPS {
        let pages = || PAGES.iter().filter(move |page| page.code.severity == severity);
        let _ = writeln!(text, "\n## {title}\n\n{about}\n");
        for page in pages() {
            let name = page.code.name;
            let _ = writeln!(text, "- [{name}](#{})", name.to_ascii_lowercase());
        }
        pages().for_each(|page| section(page, &mut text));
    }
    limits(&mut text);
    text
}

fn limits(text: &mut String) {
    let Limits { bytes, nesting, steps, alias_visits, diagnostics } = Limits::default();
    text.push_str("\n## Limits\n\nHow much of a file is looked at, unless the caller says otherwise.\n\n");
    text.push_str("| Limit | Default | What it counts |\n| --- | --- | --- |\n");
    for (name, default, counts) in [
        ("bytes", bytes, "Bytes of the text."),
        ("nesting", nesting, "Levels of mappings and lists."),
        ("steps", steps, "Steps."),
        ("alias_visits", alias_visits, "Entries reached through aliases and merges."),
        ("diagnostics", diagnostics, "Errors and warnings; texts of many pages count more than once."),
    ] {
        let _ = writeln!(text, "| `{name}` | {default} | {counts} |");
    }
}

const INTRODUCTION: &str =
    "<!-- Made from src/codes/pages.rs; change that, then run the tests with UPDATE=1. -->

# Diagnostics

Everything the checker can say about a workflow file. Each diagnostic carries its code, the exact
place in the file, and, where there is an obvious mending, the edits that make it.

The order in a report: the loader's warnings (also those that refuse the file), then errors, then
advice.

An example that begins with `steps:` stands below `id`, `name` and `version`, each on its own line.
";

const GROUPS: [(Severity, &str, &str); 3] = [
    (Severity::Error, "Errors", "The file is refused."),
    (Severity::Warning, "Warnings", "The file is accepted, but not under `strict`."),
    (
        Severity::Info,
        "Advice",
        "Beyond the rules: it never counts, not even under `strict`, and is only given on a file that loads.",
    ),
];

fn section(page: &Page, text: &mut String) {
    let _ = write!(text, "\n### {}\n\n{}\n", page.code.name, page.when);
    if let (Some(shown), Some(file)) = (page.example.shown(), page.example.file()) {
        let _ = write!(text, "\n```yaml\n{shown}```\n");
        for found in check(&file, &Options::default()).diagnostics {
            let _ = write!(text, "\n> {}\n", found.message.replace('<', "\\<"));
        }
    }
    let _ = write!(text, "\n{}\n", page.mending);
}
