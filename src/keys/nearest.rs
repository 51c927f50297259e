//! The word that was probably meant.

use crate::text::text;
/// The word nearest to `word`, the earliest where several are: near enough to be meant is one
/// change in a word of up to two UTF-16 units, two in a longer one.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let length = utf16_length(word);
    let reach = 2.min(length / 3 + 1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known.iter().copied() {
        if utf16_length(candidate).abs_diff(length) > reach {
            continue;
        }
        let distance = distance(word, candidate);
        if distance <= reach && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, word)| word)
}

fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The sentence about a key that nobody reads. `subject` is `step 'S'` or `workflow 'ID'`, `at` a
/// position or nothing, `noun` the block's name.
pub fn unknown_key(subject: &str, key: &str, at: &str, meant: Option<&str>, noun: &str) -> String {
    match meant {
        Some(meant) => {
            text![subject, ": unknown key '", key, "'", at, " — ignored (did you mean '", meant, "'?)"]
        }
        None => {
            text![subject, ": unknown key '", key, "'", at, " — ignored (not a recognized ", noun, " field)."]
        }
    }
}

/// How many UTF-16 units must be put in, taken out or replaced to make `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<u16> = b.encode_utf16().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, unit) in a.encode_utf16().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(unit != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_enough_depends_on_the_length_and_ties_go_to_the_earlier() {
        let near = |word| nearest(word, &["max_attempts", "backoff", "cat", "car", "on"]);
        assert_eq!(near("max_attempt"), Some("max_attempts"));
        assert_eq!(near("max_attmepts"), Some("max_attempts"));
        assert_eq!(near("maximum_attempts"), None);
        assert_eq!(near("ca"), Some("cat"));
        assert_eq!(near("Backoff"), Some("backoff"));
        assert_eq!(near("of"), Some("on"));
        assert_eq!(near("no"), None, "a swap is two changes");
        assert_eq!(near(&"x".repeat(1_000_000)), None);
    }
}
