//! Advice on a step's limits that are accepted but will surprise: what it says, and when. A plan
//! carries it as it is; the checker gives it a place in the file.

use crate::value::Value;
use serde::Serialize;

/// How much a diagnostic weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file is refused.
    Error,
    /// The file is accepted, but not under `--strict`.
    Warning,
    /// Advice of ours beyond the reference; it never counts.
    Info,
}

/// One piece of advice on one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// What it is about.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// The text, without a position.
    pub message: String,
    /// The step's name.
    pub step: String,
    /// The key it is about, dotted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// The advice on one `auto` step, as it is written.
pub fn advice(_name: &str, _step: &Value) -> Vec<Advice> {
    Vec::new()
}
