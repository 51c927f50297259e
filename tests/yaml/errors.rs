//! Each mistake, and where it shows.

use step_retry::yaml::{Error, ErrorKind, Parser};

/// A text with `¶` before the byte at which its mistake shows.
const MISTAKES: &[(&str, ErrorKind)] = &[
    ("%¶ X\n--- a", ErrorKind::Directive),
    ("¶%TAG ! tag:x: y\n--- a", ErrorKind::Directive),
    ("¶%YAML\n--- a", ErrorKind::Version),
    ("¶%YAML 2.0\n--- a", ErrorKind::Version),
    ("¶%YAML 1.1234567890\n--- a", ErrorKind::Version),
    ("%YAML 1.2\n¶%YAML 1.2\n--- a", ErrorKind::SecondVersion),
    ("¶%TAG e tag:x\n--- a", ErrorKind::TagDirective),
    ("¶%TAG !e tag:x\n--- a", ErrorKind::TagDirective),
    ("%TAG !e! a\n¶%TAG !e! b\n--- a", ErrorKind::SecondHandle),
    ("[a]\n¶%YAML 1.2\n--- b", ErrorKind::DirectiveInDocument),
    ("%YAML 1.2\n¶a", ErrorKind::DocumentStart),
    ("[a]\n¶[b]", ErrorKind::DocumentStart),
    ("... ¶a", ErrorKind::AfterDocumentEnd),
    ("a: ¶\u{feff}b", ErrorKind::ByteOrderMark),
    ("a: ¶@b", ErrorKind::Indicator),
    ("[¶|]", ErrorKind::Indicator),
    ("[a]¶#b", ErrorKind::CommentSpace),
    ("a: b ¶# c\n  d", ErrorKind::CommentInScalar),
    ("¶& a", ErrorKind::AnchorName),
    ("[¶*]", ErrorKind::AnchorName),
    ("¶!!", ErrorKind::Tag),
    ("¶!<a", ErrorKind::Tag),
    ("¶!a%zz b", ErrorKind::Tag),
    ("¶!a%ff b", ErrorKind::Tag),
    ("¶!e!a b", ErrorKind::TagHandle),
    ("a:\n  \"b\": [1]\n\t¶c: 2", ErrorKind::Tab),
    ("?\n¶\ta", ErrorKind::Tab),
    ("-\t¶- a", ErrorKind::TabBeforeItem),
    ("a: ¶b\n\tc", ErrorKind::TabInScalar),
    ("a: 1\n¶b\nc: 2", ErrorKind::MissingColon),
    ("a: b¶: c", ErrorKind::Value),
    ("[a\n ¶: b]", ErrorKind::Colon),
    ("a: {b\n¶: c}", ErrorKind::Colon),
    ("{a¶:{b: c}}", ErrorKind::ColonSpace),
    ("[a] ¶? b", ErrorKind::ExplicitKey),
    ("a: ¶- b", ErrorKind::Item),
    ("[¶- a]", ErrorKind::ItemInFlow),
    ("[¶-]", ErrorKind::ItemInFlow),
    ("a: 1\n- ¶b", ErrorKind::ExpectedKey),
    ("- a\n¶b: 1", ErrorKind::ExpectedItem),
    ("[¶,]", ErrorKind::ExpectedNode),
    ("¶]", ErrorKind::ClosingBracket),
    ("¶[a}", ErrorKind::OtherBracket),
    ("{¶[a", ErrorKind::OpenBracket),
    ("¶[a\n---\nb]", ErrorKind::OpenBracket),
    ("{a: [b] ¶c}", ErrorKind::ExpectedBrace),
    ("[[a] ¶b]", ErrorKind::ExpectedBracket),
    ("a: ¶\"b", ErrorKind::OpenQuote),
    ("¶'a\n...\nb'", ErrorKind::MarkerInQuotes),
    ("'a' ¶b", ErrorKind::AfterSingleQuote),
    ("\"a\"¶b", ErrorKind::AfterDoubleQuote),
    ("\"a¶\\qb\"", ErrorKind::Escape),
    ("\"¶\\x0g\"", ErrorKind::Escape),
    ("\"¶\\ud83d\"", ErrorKind::Escape),
    ("\"¶\\ud83d\\u0041\"", ErrorKind::Escape),
    ("\"¶\\ude00\"", ErrorKind::Escape),
    ("¶|a\nb", ErrorKind::BlockHeader),
    ("¶>0\n a", ErrorKind::BlockHeader),
    ("¶|\n\ta", ErrorKind::BlockTab),
    ("|\n  \n ¶a", ErrorKind::BlockIndentation),
];

#[test]
fn a_mistake_shows_where_it_is() {
    let mut wrong = Vec::new();
    for (marked, kind) in MISTAKES {
        let (text, at) = (marked.replace('¶', ""), marked.find('¶').unwrap() as u32);
        let error = Parser::new(&text, 255).find_map(Result::err);
        if error != Some(Error { kind: *kind, at }) {
            wrong.push(format!("{marked:?}: {error:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_mistake_is_said_in_one_plain_sentence() {
    for (_, kind) in MISTAKES {
        let text = kind.text();
        assert!(text.len() > 10 && text.len() < 80 && !text.ends_with('.'), "{text}");
    }
}
