//! What the checker says about a place in a file, as it goes over the border.

use crate::codes::Severity;
use crate::value::PathItem;
use crate::workflow::Range;
use serde::Serialize;

/// What a rule has to say about a place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The rule that speaks.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// The text, with its position where the reference prints one.
    pub message: String,
    /// The step it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The key it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The way to the place from the root of the file.
    pub path: Vec<PathItem>,
    /// The offending key or value itself.
    pub range: Range,
    /// Other places that explain it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// The known word that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Mendings, the likeliest first.
    pub fixes: Vec<Fix>,
    /// Where the docs explain the rule.
    pub docs: String,
}

/// A second place that belongs to a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Related {
    /// Where.
    pub range: Range,
    /// What it has to do with it.
    pub message: &'static str,
}

/// A mending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What it does, in the imperative.
    pub title: String,
    /// Its edits; they do not overlap.
    pub edits: Vec<Edit>,
}

/// One edit of the text as it was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// What is replaced; an empty range inserts.
    pub range: Range,
    /// What is put there.
    pub new_text: String,
}
