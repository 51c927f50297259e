//! A value as a rule sees it, whether it was written in YAML or handed over from JavaScript.

/// A value of a workflow file, or of the same shape from elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`, `~` or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number; it may be `NaN` or infinite.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// A mapping, in the order of its keys.
    Map(Vec<(String, Self)>),
    /// What no workflow file can hold (a function, a symbol, a big integer).
    Other,
}

impl Value {
    /// The value under `key` of a mapping; `None` where there is none or this is no mapping.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The number, where it is one.
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(n) => Some(*n),
            _ => None,
        }
    }

    /// Whether this is literally `true`.
    pub const fn is_true(&self) -> bool {
        matches!(self, Self::Bool(true))
    }
}
