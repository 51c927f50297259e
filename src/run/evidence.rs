//! The hash that ties a record's entry to what the attempt gave.

use sha2::{Digest, Sha256};

/// SHA-256 of a JSON text, in lower-case hex. A failed attempt has the output `{}`.
pub(super) fn hash(json: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(json.as_bytes()) {
        hex.push(char::from(DIGITS[usize::from(byte >> 4)]));
        hex.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    hex
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_failed_attempts_hash_is_the_one_on_the_reference_page() {
        assert!(super::hash("{}").starts_with("44136fa3"));
    }
}
