//! How deep a line is meant to be that a tab indents. How wide the tab was to its author is not said: it
//! shows in whether the line fits to those around it.

use super::place::{after_blanks, line_end, word_to_line_end};
use crate::yaml::Span;

/// How wide a tab may be.
const WIDTHS: [u32; 3] = [2, 4, 8];

/// How many spaces the line that begins at `line` is meant to have before it, where all widths that make
/// sense of the file agree.
pub(super) fn meant(source: &str, line: u32) -> Option<u32> {
    let mut known = None;
    for width in WIDTHS {
        let found = spaces(source, line, width);
        if known.is_some() && found.is_some() && known != found {
            return None;
        }
        known = known.or(found);
    }
    known
}

/// The same for tabs of one width; `None` where the file makes no sense then.
fn spaces(source: &str, line: u32, width: u32) -> Option<u32> {
    let mut blocks = Blocks { width, ..Blocks::default() };
    let (mut start, mut spaces) = (0, None);
    while start < source.len() as u32 {
        let word = after_blanks(source, start);
        let content = word_to_line_end(source, word).as_bytes();
        if !matches!(content.first(), None | Some(b'#')) {
            let found = blocks.enter(Span::new(start, word).of(source).as_bytes(), content)?;
            if start == line {
                spaces = Some(found);
            }
        }
        start = line_end(source, word) + 1;
    }
    let even = match blocks.least {
        // Nothing but tabs: all widths do, and one is enough.
        0 => width == WIDTHS[0],
        least => blocks.step == 0 || blocks.step == least,
    };
    if even { spaces } else { None }
}

/// The blocks that are open after a line.
#[derive(Default)]
struct Blocks {
    /// How wide a tab is.
    width: u32,
    /// How deep each one is.
    open: Vec<u32>,
    /// Whether the line opens another.
    opens: bool,
    /// Whether a tab indents the line.
    has_tab: bool,
    /// The least depth of lines that spaces indent.
    least: u32,
    /// How much deeper each block is at a tab than the line that opens it.
    step: u32,
}

impl Blocks {
    /// Goes on to a line of `content` after `blanks`: how deep it is. `None` where it or the one before it
    /// has a tab, and it neither goes on with a block nor opens the one that is due.
    fn enter(&mut self, blanks: &[u8], content: &[u8]) -> Option<u32> {
        let after_tab = std::mem::take(&mut self.has_tab);
        let mut spaces = 0;
        for blank in blanks {
            let tab = *blank == b'\t';
            self.has_tab |= tab;
            spaces += if tab { self.width - spaces % self.width } else { 1 };
        }
        if !self.has_tab && spaces > 0 && (self.least == 0 || spaces < self.least) {
            self.least = spaces;
        }
        let item = content.starts_with(b"- ");
        let top = self.top();
        while self.top() > spaces {
            self.open.pop();
        }
        let goes_on = self.top() == spaces;
        if self.has_tab || after_tab {
            if self.opens && !(item && spaces == top) {
                let step = spaces.checked_sub(top).filter(|step| *step > 0)?;
                if self.step != 0 && step != self.step {
                    return None;
                }
                self.step = step;
            } else if !goes_on {
                return None;
            }
        }
        if !goes_on {
            self.open.push(spaces);
        }
        if item {
            self.open.push(spaces + 2);
        }
        self.opens = opens(content);
        Some(spaces)
    }

    /// How deep the innermost one is.
    fn top(&self) -> u32 {
        self.open.last().copied().unwrap_or_default()
    }
}

/// Whether lines below belong to this one: a key without a value but for an anchor, brackets, or a text.
fn opens(content: &[u8]) -> bool {
    let last = content.iter().rposition(|byte| *byte == b' ').map_or(0, |space| space + 1);
    let mut end = content.len() - 1;
    if end > 0 && matches!(content[end], b'-' | b'+') {
        end -= 1;
    }
    matches!(content[end], b':' | b'{' | b'[' | b'|' | b'>') || content[last] == b'&'
}
