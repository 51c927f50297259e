//! Texts out of parts.

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

/// The parts in one.
pub(crate) fn concat(parts: &[&str]) -> String {
    joined(&mut parts.iter().copied(), "")
}
