//! Where a YAML mistake is, as its author sees it, and which line to leave out to read on. The
//! parser stops where it can go no further, which is often a line or more after the mistake.

use super::Limits;
use super::position::Span;
use super::reader::{LastScalar, Problem};
use crate::codes;
use granit_parser::{ErrorKind, ScanError};

/// What stopped the parser.
#[derive(Debug)]
pub(super) struct Syntax {
    pub(super) problem: Problem,
    /// A byte on the line to leave out.
    pub(super) blank: u32,
    /// A byte on the line that the parser was at, should that be needed as well.
    pub(super) stopped_at: u32,
}

/// Finds the mistake behind `error`. `flow` is the start of the outermost open flow collection.
pub(super) fn syntax(
    text: &str,
    error: &ScanError,
    flow: Option<u32>,
    last: Option<LastScalar>,
    limits: &Limits,
) -> Syntax {
    let at = error.marker().byte_offset().unwrap_or(text.len()).min(text.len()) as u32;
    let kind = error.kind();
    let found = |at: u32, blank: u32, message: String| Syntax {
        problem: Problem::yaml(character(text, at), message),
        blank,
        stopped_at: at,
    };
    if *kind == ErrorKind::RecursionLimitExceeded {
        let message = format!("nested deeper than {} levels", limits.nesting);
        let problem =
            Problem { code: codes::LIMIT_NESTING, span: character(text, at), message, related: None };
        return Syntax { problem, blank: flow.unwrap_or(at), stopped_at: at };
    }
    if flow.is_none()
        && let Some(tab) = tab_in_indentation(text, at)
    {
        return found(tab, tab, "a tab cannot indent; use spaces".into());
    }
    let line = line_start(text, at);
    if let Some(start) = flow {
        let is_root = text[..start as usize].trim_start_matches('\u{feff}').trim().is_empty();
        if let ErrorKind::UnclosedFlowCollection { open } = kind {
            return found(at, if is_root { at } else { start }, format!("this '{open}' is never closed"));
        }
        if !is_root && start < line {
            let open = &text[start as usize..=start as usize];
            return found(start, start, format!("this '{open}' is not closed before the lines that follow"));
        }
        return found(at, if is_root { at } else { start }, error.kind().to_string());
    }
    if let Some(scalar) = last.filter(|scalar| scalar.plain && scalar.span.end >= line)
        && scalar.span.start < line
    {
        if scalar.is_key {
            return found(scalar.span.start, scalar.span.start, "missing ':' after this key".into());
        }
        if *kind == ErrorKind::MappingValueNotAllowed {
            let message = "this line is indented as if it belonged to the value above it";
            return found(first_word(text, line), line, message.into());
        }
    }
    found(at, at, sentence(kind))
}

fn sentence(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::UnclosedQuotedScalar => "this quote is never closed".into(),
        ErrorKind::SimpleKeyExpected => "missing ':' after this key".into(),
        ErrorKind::MappingValueNotAllowed => "a second ': ' on this line; quote the value to keep it".into(),
        other => other.to_string(),
    }
}

/// The tab that indents the line of `at`, or the line after it where `at` is at a line's end.
fn tab_in_indentation(text: &str, at: u32) -> Option<u32> {
    let here = line_start(text, at);
    let next = text[at as usize..].find(['\n', '\r']).map(|end| at + end as u32 + 1);
    [Some(here), next].into_iter().flatten().find_map(|start| {
        let line = text.get(start as usize..)?;
        let indentation = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let content = line[indentation.len()..].chars().next();
        let has_content = !matches!(content, None | Some('\n' | '\r' | '#'));
        indentation.find('\t').filter(|_| has_content).map(|tab| start + tab as u32)
    })
}

/// The first byte of the line of `at`.
pub(super) fn line_start(text: &str, at: u32) -> u32 {
    text.as_bytes()[..at as usize]
        .iter()
        .rposition(|b| matches!(b, b'\n' | b'\r'))
        .map_or(0, |at| at as u32 + 1)
}

/// The byte after the last of the line of `at`, its break not counted.
pub(super) fn line_end(text: &str, at: u32) -> u32 {
    let rest = &text.as_bytes()[at as usize..];
    at + rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len()) as u32
}

fn first_word(text: &str, line: u32) -> u32 {
    let rest = &text[line as usize..];
    line + (rest.len() - rest.trim_start_matches(' ').len()) as u32
}

/// The one character at `at`; nothing at a line's end.
fn character(text: &str, at: u32) -> Span {
    match text[at as usize..].chars().next() {
        Some(c) if c != '\n' && c != '\r' => Span::new(at, at + c.len_utf8() as u32),
        _ => Span::at(at),
    }
}
