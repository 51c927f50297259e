//! Closed sets of words: each variant's name stands once, for reading, writing and messages.

/// A closed set of words.
pub trait Named: Copy + 'static {
    /// Every variant, in order.
    const ALL: &'static [Self];
    /// Their names, in the same order.
    const WORDS: &'static [&'static str];

    /// The variant's place in both lists.
    fn index(self) -> usize;

    /// What the word `name` means.
    fn from_name(name: &str) -> Option<Self> {
        let index = Self::WORDS.iter().position(|word| *word == name)?;
        Self::ALL.get(index).copied()
    }

    /// The word for it.
    fn name(self) -> &'static str {
        Self::WORDS.get(self.index()).copied().unwrap_or_default()
    }
}

/// An enum whose variants have names outside of Rust.
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $crate::named::Named for $name {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];
            const WORDS: &'static [&'static str] = &[$($text,)+];

            fn index(self) -> usize {
                self as usize
            }
        }
    };
}
pub(crate) use named;
