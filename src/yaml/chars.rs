//! The characters that mean something (chapter 5). All of them are ASCII but the byte order mark, so
//! that bytes can be looked at in place of characters.

/// `s-white [33]`.
pub(super) const BLANK: u8 = 1;
/// `b-char [26]`.
pub(super) const BREAK: u8 = 2;
/// The end of the text, which reads as a zero byte.
pub(super) const END: u8 = 4;
/// `c-flow-indicator [23]`.
pub(super) const FLOW: u8 = 8;
/// `ns-word-char [38]`, and the underscore that parsers in use allow in handles.
pub(super) const WORD: u8 = 16;
/// `ns-uri-char [39]`.
pub(super) const URI: u8 = 32;
/// `ns-tag-char [40]`.
pub(super) const TAG: u8 = 64;
/// Not printable, or the first byte of what may not be.
const SUSPECT: u8 = 128;

/// What separates one thing from the next.
pub(super) const SPACE: u8 = BLANK | BREAK | END;
/// What ends a line.
pub(super) const LINE_END: u8 = BREAK | END;

/// `c-byte-order-mark [3]`, in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            0 => END | SUSPECT,
            b'\t' | b' ' => BLANK,
            b'\n' | b'\r' => BREAK,
            0x01..=0x1F | 0x7F | 0xC2 | 0xEF => SUSPECT,
            b'{' | b'}' => FLOW,
            b',' | b'[' | b']' => FLOW | URI,
            b'!' => URI,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' => WORD | URI | TAG,
            b'#' | b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=' | b'+' | b'$' | b'.' | b'~' | b'*' => {
                URI | TAG
            }
            b'\'' | b'(' | b')' | b'%' => URI | TAG,
            _ => 0,
        };
        byte += 1;
    }
    classes
}

/// Whether `byte` is of one of `classes`.
pub(super) fn is(byte: u8, classes: u8) -> bool {
    CLASSES[byte as usize] & classes != 0
}

/// Where the first character stands that has no place in YAML, not even in quotes (`c-printable [1]`).
pub fn unprintable(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = from + bytes.get(from..)?.iter().position(|byte| is(*byte, SUSPECT))?;
        let printable = match bytes[at..] {
            [0xC2, second, ..] => second >= 0xA0 || second == 0x85,
            [0xEF, second, third, ..] => second != 0xBF || third < 0xBE,
            _ => false,
        };
        if !printable {
            return Some(at);
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::unprintable;

    #[test]
    fn what_is_no_printable_character_is_found() {
        for code in (0..0x1_1000).filter_map(char::from_u32) {
            let printable = matches!(code, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{FFFD}')
                || code > '\u{FFFF}';
            let text = format!("é\u{fffd}{code}\u{feff}");
            assert_eq!(unprintable(&text), (!printable).then_some(5), "{code:?}");
        }
    }
}
