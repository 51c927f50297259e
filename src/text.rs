//! Texts out of parts. `format!` brings a machinery of its own along, which no module needs besides.

use crate::number;

/// The parts with `separator` between any two. The standard library's own is ten times as much code.
pub(crate) fn joined(parts: &mut dyn Iterator<Item = &str>, separator: &str) -> String {
    let mut text = String::new();
    for (at, part) in parts.enumerate() {
        if at > 0 {
            text.push_str(separator);
        }
        text.push_str(part);
    }
    text
}

/// A count in digits.
pub(crate) fn whole(count: u64) -> String {
    number::to_text(count as f64)
}

/// The parts in one.
pub(crate) fn concat(parts: &[&str]) -> String {
    joined(&mut parts.iter().copied(), "")
}
