//! Settings and code as text: a template whose lines are kept or left out, and plain data in the
//! notation of JSON, TypeScript or YAML.
//!
//! A template line that begins with `?flag ` is kept where the flag holds, with `?!flag ` where it
//! does not; a line that is `@name` alone stands for the fragment of that name; `{{name}}` stands for
//! a value.

use super::draft::Draft;
use crate::number;
use crate::text::concat;
use crate::value::Value;

const FRAGMENTS: [(&str, &str); 3] = [
    ("@told", include_str!("text/told.txt")),
    ("@wait", include_str!("text/wait.txt")),
    ("@within", include_str!("text/within.txt")),
];

/// The text of `template` for `draft`.
pub(crate) fn fill(template: &str, draft: &Draft<'_>, value: &Value) -> String {
    let mut text = String::new();
    for line in template.lines() {
        let Some(line) = kept(line, draft) else { continue };
        match FRAGMENTS.iter().find(|(name, _)| *name == line) {
            Some((_, fragment)) => text.push_str(&fill(fragment, draft, value)),
            None => {
                fill_line(line, draft, value, &mut text);
                text.push('\n');
            }
        }
    }
    text
}

/// A line without its conditions, where they hold.
fn kept<'a>(mut line: &'a str, draft: &Draft<'_>) -> Option<&'a str> {
    while let Some(condition) = line.strip_prefix('?') {
        let (flag, rest) = condition.split_once(' ').unwrap_or((condition, ""));
        let (wanted, flag) = flag.strip_prefix('!').map_or((true, flag), |flag| (false, flag));
        if holds(flag, draft) != wanted {
            return None;
        }
        line = rest;
    }
    Some(line)
}

fn holds(flag: &str, draft: &Draft<'_>) -> bool {
    match flag {
        "again" => draft.tries_again(),
        "code" => draft.by_code,
        "timer" => draft.timer,
        "total" => draft.total.is_some(),
        "loop" => draft.by_code || draft.total.is_some(),
        "on_timeout" => draft.on_timeout,
        _ => draft.idempotent,
    }
}

fn fill_line(line: &str, draft: &Draft<'_>, value: &Value, text: &mut String) {
    let leading = line.len() - line.trim_start().len();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        text.push_str(before);
        let indent = if name == "yaml" { before.len() } else { leading };
        text.push_str(&filled(name, indent, draft, value));
        rest = after;
    }
    text.push_str(rest);
}

fn filled(name: &str, indent: usize, draft: &Draft<'_>, value: &Value) -> String {
    match name {
        "id" => identifier(draft.name),
        "name" => {
            let mut name = String::new();
            quoted(draft.name, &mut name);
            name
        }
        "label" => word(draft.name, '-'),
        "word" => word(draft.name, '_'),
        "wait" => draft.wait_expression(),
        "timeoutMs" => draft.timeout.to_string(),
        "backstopMs" => draft.backstop().to_string(),
        "totalMs" => draft.total.unwrap_or_default().to_string(),
        "attempts" => draft.attempts.to_string(),
        "onTimeout" => draft.on_timeout.to_string(),
        "json" => written(value, Notation::Json, indent),
        "ts" => written(value, Notation::TypeScript, indent),
        _ => {
            let mut text = String::new();
            yaml(value, indent, &mut text);
            text
        }
    }
}

/// A name that JavaScript takes: `pull-invoice` is `pullInvoice`.
fn identifier(name: &str) -> String {
    let mut id = String::new();
    let mut raise = false;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() {
            raise = !id.is_empty();
        } else if raise {
            id.push(letter.to_ascii_uppercase());
            raise = false;
        } else {
            id.push(letter);
        }
    }
    // Letters before it keep it from being a number or a word of the language.
    let capital = id.get(..1).map(str::to_ascii_uppercase).unwrap_or_default();
    concat(&["step", &capital, id.get(1..).unwrap_or_default()])
}

/// A name of small letters, digits and `joint`, for those who take no other.
pub(crate) fn word(name: &str, joint: char) -> String {
    let word: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { joint })
        .collect();
    let word = word.trim_matches(joint);
    // It must begin with a letter.
    if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
        word.to_owned()
    } else {
        concat(&["step", word])
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Notation {
    Json,
    TypeScript,
}

fn written(value: &Value, notation: Notation, indent: usize) -> String {
    let mut text = String::new();
    write(value, notation, indent, &mut text);
    text
}

fn write(value: &Value, notation: Notation, indent: usize, text: &mut String) {
    match value {
        Value::List(items) if !items.is_empty() => {
            text.push_str("[\n");
            for (place, item) in items.iter().enumerate() {
                new_line(indent + 2, text);
                write(item, notation, indent + 2, text);
                end_of_item(place + 1 == items.len(), notation, text);
            }
            new_line(indent, text);
            text.push(']');
        }
        Value::Map(entries) if !entries.is_empty() => {
            text.push_str("{\n");
            for (place, (key, item)) in entries.iter().enumerate() {
                new_line(indent + 2, text);
                match notation {
                    Notation::TypeScript => text.push_str(key),
                    Notation::Json => quoted(key, text),
                }
                text.push_str(": ");
                write(item, notation, indent + 2, text);
                end_of_item(place + 1 == entries.len(), notation, text);
            }
            new_line(indent, text);
            text.push('}');
        }
        scalar => plain(scalar, text),
    }
}

fn new_line(indent: usize, text: &mut String) {
    text.extend(std::iter::repeat_n(' ', indent));
}

fn end_of_item(last: bool, notation: Notation, text: &mut String) {
    if !last || notation == Notation::TypeScript {
        text.push(',');
    }
    text.push('\n');
}

fn plain(value: &Value, text: &mut String) {
    match value {
        Value::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => text.push_str(&number::to_text(*number)),
        Value::Text(string) => quoted(string, text),
        Value::List(_) => text.push_str("[]"),
        Value::Map(_) => text.push_str("{}"),
        Value::Null | Value::Other => text.push_str("null"),
    }
}

/// A text in double quotes, as JSON, JavaScript and YAML read it.
fn quoted(string: &str, text: &mut String) {
    text.push('"');
    for letter in string.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            // Those that end a line in one of the three, and those that JSON does not take.
            control if control < ' ' || matches!(control, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}') => {
                text.push_str("\\u");
                let code = control as u32;
                text.extend((0..4).rev().filter_map(|place| char::from_digit(code >> (place * 4) & 15, 16)));
            }
            other => text.push(other),
        }
    }
    text.push('"');
}

/// Block YAML; the first line is not indented, as it stands where the template has it.
fn yaml(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Map(entries) if !entries.is_empty() => {
            for (place, (key, item)) in entries.iter().enumerate() {
                if place > 0 {
                    text.push('\n');
                    new_line(indent, text);
                }
                text.push_str(key);
                text.push(':');
                if matches!(item, Value::Map(entries) if !entries.is_empty()) {
                    text.push('\n');
                    new_line(indent + 2, text);
                } else {
                    text.push(' ');
                }
                yaml(item, indent + 2, text);
            }
        }
        Value::List(items) if !items.is_empty() => write(value, Notation::Json, indent, text),
        scalar => plain(scalar, text),
    }
}
