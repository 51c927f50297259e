//! Closed sets of words: each variant's name stands once, for reading, writing and messages.

/// A closed set of words.
pub trait Named: Copy + PartialEq + 'static {
    /// Every word with what it means.
    const NAMES: &'static [(&'static str, Self)];

    /// What the word `name` means.
    fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The word for it.
    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
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
            const NAMES: &'static [(&'static str, Self)] = &[$(($text, Self::$variant),)+];
        }
    };
}
pub(crate) use named;
