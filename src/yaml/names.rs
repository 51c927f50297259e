//! Names that are found again while more of them come: anchors and tag handles. They lie in sorted
//! runs, each twice as long as the next at least, so that neither many names nor spiteful ones make
//! it slow.

use super::Span;

/// A name's place in the text, and what it stands for.
type Entry = (Span, u32);

/// Names by what they stand for.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The runs, longest first: one for each bit that is set in their length.
    entries: Vec<Entry>,
}

impl Names {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds a name; it hides an equal one that came before.
    pub(super) fn insert(&mut self, text: &str, name: Span, value: u32) {
        self.entries.push((name, value));
        let mut run = 1;
        while self.entries.len() & run == 0 {
            self.merge(text, run);
            run *= 2;
        }
    }

    /// What the name stands for that is spelled so.
    pub(super) fn find(&self, text: &str, name: &str) -> Option<u32> {
        let mut end = self.entries.len();
        while end > 0 {
            let start = end & (end - 1);
            let run = &self.entries[start..end];
            let after = run.partition_point(|(other, _)| other.of(text) <= name);
            if let Some((other, value)) = after.checked_sub(1).and_then(|last| run.get(last))
                && other.of(text) == name
            {
                return Some(*value);
            }
            end = start;
        }
        None
    }

    /// Merges the last two runs, which have `run` names each, from their ends.
    fn merge(&mut self, text: &str, run: usize) {
        let mut at = self.entries.len();
        let mut older = at - run;
        let first = older - run;
        let mut newer = self.entries[older..].to_vec();
        while let Some(last) = newer.last() {
            at -= 1;
            if older > first && self.entries[older - 1].0.of(text) > last.0.of(text) {
                older -= 1;
                self.entries[at] = self.entries[older];
            } else {
                self.entries[at] = *last;
                newer.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, Span};

    #[test]
    fn of_equal_names_the_last_is_found() {
        let text = "abcabdcbaab";
        let mut names = Names::default();
        for at in 0..text.len() as u32 {
            names.insert(text, Span::new(at, at + 1), at);
            for letter in ["a", "b", "c", "d", ""] {
                let last = text[..=at as usize].rfind(letter).filter(|_| !letter.is_empty());
                assert_eq!(names.find(text, letter), last.map(|last| last as u32));
            }
        }
        names.clear();
        assert_eq!(names.find(text, "a"), None);
    }
}
