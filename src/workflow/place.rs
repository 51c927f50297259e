//! Where a YAML mistake is, as its author sees it, and which line to leave out to read on. The
//! parser stops where it can go no further, which is often a line or more after the mistake.

use super::Limits;
use super::reader::{LastScalar, Problem, Reached};
use super::tabs;
use crate::codes;
use crate::text::{push, text};
use crate::yaml::{Error, ErrorKind, Span};

/// What stopped the parser.
#[derive(Debug)]
pub(super) struct Syntax {
    pub(super) problem: Box<Problem>,
    pub(super) remedy: Remedy,
    /// Where the parser was.
    pub(super) stopped_at: u32,
}

impl Syntax {
    /// The same, with no place beyond `end`.
    pub(super) fn within(mut self, end: u32) -> Self {
        let span = self.problem.span;
        self.problem.span = Span::new(span.start.min(end), span.end.min(end));
        self.stopped_at = self.stopped_at.min(end);
        self
    }
}

/// What lets the parser read on.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Leaving out the line of this byte.
    Blank(u32),
    /// Leaving out the line of this byte, and the lines below it that are indented so deep at least.
    BlankBlock(u32, u32),
    /// Taking the word at this byte for a key.
    Colon(u32),
    /// Adding this bracket to the end.
    Close(char),
}

/// The flow collections that are open where the parser stopped.
#[derive(Debug)]
pub(super) struct OpenFlow {
    /// The start of the outermost one.
    pub(super) start: u32,
    /// The start of the innermost one.
    pub(super) innermost: u32,
}

/// Finds the mistake behind `error` in `text`, which is `source` but for what was left out.
pub(super) fn syntax(
    source: &str,
    text: &str,
    error: Error,
    flow: Option<OpenFlow>,
    read: Reached,
    limits: &Limits,
) -> Syntax {
    let Error { kind, at } = error;
    if kind == ErrorKind::Nesting {
        let message = text!["nested deeper than ", limits.nesting, " levels"];
        let span = character(text, at);
        let problem = Problem::new(codes::LIMIT_NESTING, span, message);
        let line = flow.map_or(at, |flow| flow.start);
        return Syntax { problem, remedy: Remedy::Blank(line), stopped_at: at };
    }
    match with_unannounced(flow, at, kind, read.open) {
        Some(flow) => in_flow(source, text, at, kind, flow),
        None => in_block(source, text, at, kind, read),
    }
}

/// The open flow collections with the one at `at`, or at `open`, which the parser may give up before it
/// has announced it.
fn with_unannounced(flow: Option<OpenFlow>, at: u32, kind: ErrorKind, open: Option<u32>) -> Option<OpenFlow> {
    let open = open.filter(|open| *open <= at);
    let mut flow = flow.or(open.map(|start| OpenFlow { start, innermost: start }))?;
    if kind == ErrorKind::OpenBracket {
        flow.innermost = flow.innermost.max(at);
    }
    Some(flow)
}

fn in_flow(source: &str, text: &str, at: u32, kind: ErrorKind, flow: OpenFlow) -> Syntax {
    if let (ErrorKind::Tab, Some(tab)) = (kind, tab_in_indentation(text, at)) {
        return indented_by_tab(source, tab);
    }
    // Where brackets hold the whole file, no line begins with a word.
    let at_margin = text.as_bytes().get(line_start(text, at) as usize).is_some_and(u8::is_ascii_alphanumeric);
    let is_root = !at_margin && text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']);
    let unclosed = kind == ErrorKind::OpenBracket;
    if is_root && unclosed {
        let end = without_breaks(source).len() as u32;
        let missing = if text.as_bytes()[flow.innermost as usize] == b'{' { '}' } else { ']' };
        let mut problem = Problem::yaml(Span::at(end), text!["'", missing, "' is missing at the end"]);
        problem.related = Some((character(text, at), "this is what it would close"));
        return Syntax { problem, remedy: Remedy::Close(missing), stopped_at: end };
    }
    let open = &text[flow.start as usize..=flow.start as usize];
    if unclosed {
        return found(text, at, flow.start, kind.text());
    }
    if !is_root && (flow.start < line_start(text, at) || kind == ErrorKind::MissingColon) {
        let message = text!["this '", open, "' is not closed before the lines that follow"];
        return found(text, flow.start, flow.start, &message);
    }
    found(text, at, if is_root { at } else { flow.start }, kind.text())
}

fn in_block(source: &str, text: &str, at: u32, kind: ErrorKind, read: Reached) -> Syntax {
    if let Some(tab) = tab_in_indentation(text, at) {
        return indented_by_tab(source, tab);
    }
    let line = line_start(text, at);
    if let Some(quote) = unclosed_quote(text, at, kind, read.end)
        && quote < line
    {
        return found(text, quote, quote, "this quote is not closed on its line");
    }
    let over_lines =
        |scalar: &LastScalar| scalar.plain && scalar.span.end >= line && scalar.span.start < line;
    if let Some(scalar) = read.scalar.filter(over_lines) {
        let start = scalar.span.start;
        if scalar.is_key || first_word(text, line_start(text, start)) == start {
            return colon(text, start);
        }
        if kind == ErrorKind::Value {
            return too_deep(text, line);
        }
    }
    if kind == ErrorKind::ExpectedKey
        && let Some(scalar) = read.scalar.filter(|scalar| stands_alone(text, scalar, line))
    {
        let above = line_start(text, scalar.span.start);
        let message = "a key belongs here, as on the lines that follow";
        return found(text, first_word(text, above), above, message);
    }
    if kind == ErrorKind::ExpectedKey
        && let Some(header) = block_header_above(text, line)
    {
        return found(text, header, header, kind.text());
    }
    if let Some(above) = above(text, line) {
        if let Some(sign) = sign_before_key(text, kind, line, &above) {
            return colon(text, sign);
        }
        if kind == ErrorKind::ExpectedKey && !above.level {
            let Some(first) = above.first else { return too_deep(text, line) };
            // One space more is a slip, and no sign of a missing parent, which would be as deep as `line`.
            if depth(text, first) > depth(text, line) + 1 {
                let message = "these lines belong to nothing: the lines after them are indented less";
                return block(text, first, message);
            }
        }
    }
    match kind {
        ErrorKind::MissingColon => colon(text, first_word(text, line)),
        ErrorKind::ExpectedKey => {
            let item = first_word(text, line);
            let at = if Span::new(item, at).of(text).trim_end() == "-" { item } else { at };
            found(text, at, at, kind.text())
        }
        // The document has ended too early, or never begun: by what stands at its top.
        ErrorKind::DocumentStart => {
            let top = top(text);
            if text[top as usize..].starts_with("%YAML") || text[top as usize..].starts_with("%TAG") {
                return found(text, at, top, "'---' belongs between the directives and the file");
            }
            found(text, top, top, "this is no part of a mapping, and neither is what follows")
        }
        ErrorKind::Value => colon_in_value(text, at),
        kind => found(text, at, at, kind.text()),
    }
}

/// The `|` or `>` at the end of the last line before `line`: the parser stops where its text begins.
fn block_header_above(text: &str, line: u32) -> Option<u32> {
    let above = text[..line as usize].trim_end().as_bytes();
    let chomped = matches!(above.last(), Some(b'-' | b'+'));
    let header = above.len().checked_sub(1 + usize::from(chomped))?;
    matches!(above[header], b'|' | b'>').then_some(header as u32)
}

/// Whether the scalar is a value on a line of its own, the last before `line` and as deep.
fn stands_alone(text: &str, scalar: &LastScalar, line: u32) -> bool {
    let above = line_start(text, scalar.span.start);
    let own_line = !scalar.is_key && scalar.after < above;
    let last =
        text.get(scalar.span.end as usize..line as usize).is_some_and(|between| between.trim().is_empty());
    own_line && last && depth(text, above) == depth(text, line)
}

fn too_deep(text: &str, line: u32) -> Syntax {
    block(text, line, "this line is indented as if it belonged to the value above it")
}

/// A problem of the line that begins at `line` and those below it that are as deep.
fn block(text: &str, line: u32, message: &str) -> Syntax {
    let problem = found(text, first_word(text, line), line, message);
    Syntax { remedy: Remedy::BlankBlock(line, depth(text, line)), ..problem }
}

/// How deep spaces indent the line that begins at `line`.
fn depth(text: &str, line: u32) -> u32 {
    first_word(text, line) - line
}

/// The lines above one, as far as they are indented deeper.
struct Above {
    /// The first of them.
    first: Option<u32>,
    /// The first word of the line before them, which is less deep or as deep.
    word: u32,
    /// Whether that is as deep as the one below them.
    level: bool,
}

fn above(text: &str, line: u32) -> Option<Above> {
    let mut first = None;
    let mut start = line;
    while start > 0 {
        start = line_start(text, start - 1);
        let word = first_word(text, start);
        if matches!(text.as_bytes().get(word as usize), None | Some(b'#' | b'\n' | b'\r')) {
            continue;
        }
        if depth(text, start) <= depth(text, line) {
            return Some(Above { first, word, level: depth(text, start) == depth(text, line) });
        }
        first = Some(start);
    }
    None
}

/// The sign that has kept a line of a mapping from being one: the lines below it were read as its value.
fn sign_before_key(text: &str, kind: ErrorKind, line: u32, above: &Above) -> Option<u32> {
    let written = word_to_line_end(text, above.word);
    let is_key = |line: &str| line.ends_with(':') || find_pair(line, *b": ").is_some();
    let stray = match (kind, written.as_bytes().first()?) {
        (ErrorKind::ExpectedKey, b'&' | b'*' | b'!') => true,
        // An item that opens a block, or that the line follows at once.
        (ErrorKind::ExpectedItem, b'-') => {
            let opens = above.first.is_none() || written.ends_with(':');
            above.level && opens && is_key(word_to_line_end(text, line))
        }
        _ => false,
    };
    (stray && is_key(written)).then_some(above.word)
}

/// The first word that is no comment.
fn top(text: &str) -> u32 {
    let mut line = 0;
    while let word = first_word(text, line)
        && line < text.len() as u32
        && matches!(text.as_bytes().get(word as usize), Some(b'#' | b'\n' | b'\r'))
    {
        line = (line_end(text, word) + 1).min(text.len() as u32);
    }
    first_word(text, line)
}

fn colon(text: &str, at: u32) -> Syntax {
    let word = word_to_line_end(text, at);
    if matches!(word.as_bytes().first(), Some(b'&' | b'*' | b'!' | b'-')) {
        let syntax = found(text, at, at, "a key cannot begin with this character");
        return Syntax { remedy: Remedy::Colon(at), ..syntax };
    }
    let mut syntax = found(text, at, at, ErrorKind::MissingColon.text());
    if !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-') {
        let end = Span::at(at + word.len() as u32);
        syntax.problem.mending = Some(("Add ':'", end, ":".into()));
    }
    Syntax { remedy: Remedy::Colon(at), ..syntax }
}

/// A second `: ` on one line: in a value, as often as not.
fn colon_in_value(text: &str, at: u32) -> Syntax {
    let message = "a second ': ' on this line; quote the value to keep it";
    let mut syntax = found(text, at, at, message);
    let line = first_word(text, line_start(text, at));
    let start = find_pair(Span::new(line, at).of(text), *b": ").map(|colon| line + colon as u32 + 2);
    if let Some(start) = start.map(|start| first_word(text, start)).filter(|start| *start < at) {
        let value = word_to_line_end(text, start);
        let begins_otherwise = matches!(
            value.as_bytes().first(),
            Some(b'"' | b'\'' | b'&' | b'*' | b'!' | b'[' | b'{' | b'|' | b'>' | b'#' | b'%' | b'@' | b'`')
        );
        if !begins_otherwise {
            let span = Span::new(start, start + value.len() as u32);
            let mut quoted = String::from("'");
            for c in value.chars() {
                push(&mut quoted, if c == '\'' { "'" } else { "" });
                quoted.push(c);
            }
            quoted.push('\'');
            syntax.problem.mending = Some(("Quote the value", span, quoted));
        }
    }
    syntax
}

/// From `at` to the end of the line, without a comment or trailing space.
pub(super) fn word_to_line_end(text: &str, at: u32) -> &str {
    let rest = Span::new(at, line_end(text, at)).of(text);
    let word = &rest[..find_pair(rest, *b" #").unwrap_or(rest.len())];
    word.trim_end_matches([' ', '\t'])
}

/// Where two bytes stand side by side.
pub(super) fn find_pair(text: &str, pair: [u8; 2]) -> Option<usize> {
    text.as_bytes().windows(2).position(|bytes| bytes == pair)
}

/// The quote that swallowed the lines up to `at`, where the parser found a word after its end.
fn unclosed_quote(text: &str, at: u32, kind: ErrorKind, read_to: u32) -> Option<u32> {
    let quote = match kind {
        ErrorKind::AfterSingleQuote => '\'',
        ErrorKind::AfterDoubleQuote => '"',
        _ => return None,
    };
    text.get(read_to as usize..at as usize)?.find(quote).map(|found| read_to + found as u32)
}

/// A problem at `at`, mended by leaving out the line of `blank`.
fn found(text: &str, at: u32, blank: u32, message: &str) -> Syntax {
    let problem = Problem::yaml(character(text, at), message.to_owned());
    Syntax { problem, remedy: Remedy::Blank(blank), stopped_at: at }
}

/// A line that is indented by the tab at `tab`.
fn indented_by_tab(source: &str, tab: u32) -> Syntax {
    let mut syntax = found(source, tab, tab, ErrorKind::Tab.text());
    let line = line_start(source, tab);
    let meant = tabs::meant(source, line);
    syntax.remedy = Remedy::BlankBlock(tab, meant.map_or(u32::MAX, |meant| meant + 1));
    if let Some(meant) = meant {
        let mut spaces = String::new();
        for _ in 0..meant {
            spaces.push(' ');
        }
        let blanks = Span::new(line, after_blanks(source, line));
        syntax.problem.mending = Some(("Indent with spaces", blanks, spaces));
    }
    syntax
}

/// The tab that indents the line of `at`, or the next one with something on it.
fn tab_in_indentation(text: &str, at: u32) -> Option<u32> {
    let below = &text[line_end(text, at) as usize..];
    let next = text.len() - below.trim_start().len();
    for start in [line_start(text, at), line_start(text, next as u32)] {
        let word = after_blanks(text, start);
        let blanks = Span::new(start, word).of(text).as_bytes();
        let has_content = !matches!(text.as_bytes().get(word as usize), None | Some(b'\n' | b'\r' | b'#'));
        if has_content && let Some(tab) = blanks.iter().position(|blank| *blank == b'\t') {
            return Some(start + tab as u32);
        }
    }
    None
}

/// The first byte of the line of `at`.
pub(crate) fn line_start(text: &str, at: u32) -> u32 {
    text.as_bytes()[..at as usize]
        .iter()
        .rposition(|b| matches!(b, b'\n' | b'\r'))
        .map_or(0, |at| at as u32 + 1)
}

/// The byte after the last of the line of `at`, its break not counted.
pub(crate) fn line_end(text: &str, at: u32) -> u32 {
    let rest = &text.as_bytes()[at as usize..];
    at + rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len()) as u32
}

/// The text without line breaks after it.
pub(crate) fn without_breaks(text: &str) -> &str {
    let kept = text.as_bytes().iter().rposition(|b| !matches!(b, b'\n' | b'\r'));
    &text[..kept.map_or(0, |last| last + 1)]
}

/// The first byte on the line that begins at `line` which is no space.
pub(super) fn first_word(text: &str, line: u32) -> u32 {
    let rest = &text[line as usize..];
    line + (rest.len() - rest.trim_start_matches(' ').len()) as u32
}

/// The first byte on the line that begins at `line` which is neither a space nor a tab.
pub(super) fn after_blanks(text: &str, line: u32) -> u32 {
    let rest = &text.as_bytes()[line as usize..];
    let blanks = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(rest.len());
    line + blanks as u32
}

/// The one character at `at`; nothing at a line's end.
fn character(text: &str, at: u32) -> Span {
    match text[at as usize..].chars().next() {
        Some(c) if c != '\n' && c != '\r' => Span::new(at, at + c.len_utf8() as u32),
        _ => Span::at(at),
    }
}
