//! Texts that make parsers slow, deep or dizzy.

use std::fmt::Write;
use std::time::{Duration, Instant};
use step_retry::yaml::{Error, ErrorKind, Parser};

use crate::oracle::DEEPEST;

/// How large a text is made of each pattern.
const BYTES: usize = 256 << 10;

/// Reads the text to its end or first mistake, in a time that only a linear parser keeps.
fn read(name: &str, text: &str) -> Result<usize, Error> {
    let started = Instant::now();
    let events: Result<Vec<_>, _> = Parser::new(text, DEEPEST).collect();
    let spent = started.elapsed();
    assert!(spent < Duration::from_secs(10), "{name} took {spent:?}");
    events.map(|events| events.len())
}

#[test]
fn no_pattern_takes_more_than_linear_time() {
    for pattern in [
        "[",
        "]",
        "{a: ",
        "- ",
        "? ",
        ": ",
        "-",
        "\"",
        "'",
        "|",
        ">",
        "&a ",
        "*a ",
        "!a ",
        "!",
        "%",
        "#",
        "\t",
        "\r",
        "\n",
        "a",
        "a ",
        "a: ",
        "a\n",
        "a:\n",
        "a: b\n",
        "- a\n",
        "- - a\n",
        "? a\n",
        "a b ",
        "\"a\": ",
        "[a, ",
        "[a], ",
        "[]: \n",
        "{a: b}, ",
        "{}: \n",
        "a,",
        "\u{e9}",
        "\u{e9} ",
        "\u{e9}, ",
        "\u{feff}",
        "\\",
        "\\\n",
        "...\n",
        "---\n",
        "--- a\n",
        "%A b\n",
        "%TAG ",
        "a #\n",
        "# a\n",
        "\n ",
        "\n  a",
        " \n",
        "\t\n",
        "a\n\n",
        "\"\n",
        "&a a: *a\n",
        "[&a a, *a], ",
        "<<: *a\n",
    ] {
        let body = pattern.repeat(BYTES / pattern.len());
        for opening in ["", "a: ", "- [", "[", "{", "\"", "'", "|\n ", ">\n ", "a\n", "%X ", "{[\u{e9}, "] {
            let _ = read(pattern, &format!("{opening}{body}"));
        }
    }
}

#[test]
fn many_anchors_and_handles_are_found_fast() {
    let (mut text, mut handles, mut flow) = (String::new(), String::new(), "[".to_owned());
    for number in 0..100_000 {
        writeln!(text, "- &a{number} x").unwrap();
        writeln!(handles, "%TAG !h{number}! tag:x,2000:{number}").unwrap();
        write!(flow, "!h{number}!x , ").unwrap();
    }
    for number in 0..100_000 {
        writeln!(text, "- *a{number}").unwrap();
    }
    assert_eq!(read("anchors", &text), Ok(200_004));
    assert_eq!(read("handles", &format!("{handles}---\n{flow}]")), Ok(100_004));
}

#[test]
fn deep_nesting_is_refused_where_it_gets_too_deep() {
    let at = |kind, at| Err(Error { kind, at });
    let nested: String = (0..300).map(|depth| format!("{}k:\n", " ".repeat(depth))).collect();
    let flow_in_block = format!("{}{}", "- ".repeat(DEEPEST), "[".repeat(DEEPEST + 1));
    assert_eq!(read("brackets", &"[".repeat(100_000)), at(ErrorKind::Nesting, 255));
    assert_eq!(read("braces", &"{a: ".repeat(100_000)), at(ErrorKind::Nesting, 255 * 4));
    assert_eq!(read("dashes", &"- ".repeat(100_000)), at(ErrorKind::Nesting, 255 * 2));
    assert_eq!(
        read("mappings", &nested),
        at(ErrorKind::Nesting, nested.find(&" ".repeat(255)).unwrap() as u32 + 255)
    );
    assert_eq!(read("flow in block", &flow_in_block), at(ErrorKind::Nesting, 255 * 3));
}

#[test]
fn a_key_without_a_mark_ends_within_1024_characters() {
    for letter in ["a", "\u{e9}", "\u{1f600}"] {
        for quote in ["", "'"] {
            let key =
                |length: usize| format!("{quote}{}{quote}: b\n", letter.repeat(length - 2 * quote.len()));
            assert!(read("key", &key(1024)).is_ok(), "{quote}{letter}");
            assert!(read("key", &key(1025)).is_err(), "{quote}{letter}");
            assert!(read("marked key", &format!("? {}", key(1025).replace(": b", ""))).is_ok());
        }
    }
}
