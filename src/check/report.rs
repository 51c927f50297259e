//! What a check gives back: the verdict, what was found, the closing lines, and the steps.

use super::block::Block;
use super::diagnostic::Diagnostic;
use super::file::{self, Named};
use super::finding::{Finding, Findings, Mending};
use crate::advice;
use crate::codes::{self, Severity};
use crate::jitter::Jitter;
use crate::keys::Kind;
use crate::number;
use crate::plan::{Plan, PlanOptions};
use crate::policy::{BudgetMode, Policy, StepLimits};
use crate::text::joined;
use crate::value::Outline;
use crate::workflow::{Places, Problem, Range, Span};
use serde::Serialize;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Whether the file is accepted; under `strict`, whether it is also free of warnings.
    pub valid: bool,
    /// The loader's warnings, then errors, then advice; advice only on a file that loads, be it refused
    /// for an unknown key afterwards.
    pub diagnostics: Vec<Diagnostic>,
    /// The closing lines as the command prints them.
    pub summary: String,
    /// What the file says about itself; `None` where it is no mapping.
    pub workflow: Option<Heading>,
    /// The steps, as far as they can be read.
    pub steps: Vec<StepSummary>,
}

/// What a file says about itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Heading {
    /// Its `id`, where that is a text.
    pub id: Option<String>,
    /// Its `version`, where that is a number that JSON has.
    pub version: Option<f64>,
    /// Its `description`, where that is a text.
    pub description: Option<String>,
    /// The author's own keys at the top of the file, in file order.
    #[serde(rename = "extensionKeys")]
    pub extension_keys: Vec<String>,
}

/// One step of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepSummary {
    /// Its name.
    pub name: String,
    /// Its `execution`, where that is a text.
    pub execution: Option<String>,
    /// From its name to the end of its block.
    pub range: Range,
    /// What an auto step says about its limits, unless it says nothing or something that is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<StepLimits>,
    /// What these limits will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
}

impl Report {
    pub(super) fn new(
        found: Findings,
        root: Option<&Block<'_>>,
        steps: &[Named<'_>],
        places: &Places<'_>,
        strict: bool,
    ) -> Self {
        let diagnostics = found.into_diagnostics(places);
        let refused = diagnostics.iter().any(|d| d.severity == Severity::Error);
        let warned = diagnostics.iter().any(|d| d.severity == Severity::Warning);
        let yaml_error = diagnostics.iter().find(|d| d.code == codes::YAML_PARSE_ERROR.name);
        let summary = match yaml_error {
            Some(error) => error.message.clone(),
            None => summary(&diagnostics, root, steps.len(), strict),
        };
        Self {
            valid: !(refused || strict && warned),
            diagnostics,
            summary,
            workflow: root.map(heading),
            steps: steps.iter().map(|named| step(named, root, places)).collect(),
        }
    }
}

/// A YAML error or a limit as a finding, with its place in the text.
pub(super) fn broken(problem: Problem, places: &Places<'_>) -> Box<Finding> {
    let at = places.position(problem.span.start);
    let message = match problem.code {
        codes::YAML_PARSE_ERROR => {
            format!("YAML parse error: {} ({}:{})", problem.message, at.line, at.column)
        }
        _ => format!("The file is {}", problem.message),
    };
    let mut finding = Finding::new(problem.code, problem.span, message);
    finding.related.extend(problem.related);
    let mending = problem.mending.map(|(title, edits)| Mending { title: title.to_owned(), edits });
    finding.fixes.extend(mending);
    finding
}

fn heading(root: &Block<'_>) -> Heading {
    let text = |key: &str| match root.value(key) {
        Some(Outline::Text(text)) => Some(text.to_owned()),
        _ => None,
    };
    Heading {
        id: text("id"),
        version: root.number("version").filter(|n| n.is_finite()),
        description: text("description"),
        extension_keys: extension_keys(root).map(str::to_owned).collect(),
    }
}

fn extension_keys<'a>(root: &'a Block<'_>) -> impl Iterator<Item = &'a str> {
    root.fields.iter().map(|field| &*field.name).filter(|name| file::is_extension(name))
}

fn step(named: &Named<'_>, root: Option<&Block<'_>>, places: &Places<'_>) -> StepSummary {
    let field = &named.field;
    let span = root.map_or(Span::default(), |root| {
        let (key, value) = (root.key_span(field), root.value_span(field));
        Span::new(key.start, value.end.max(key.end))
    });
    let step = named.step.as_ref();
    let execution = step.and_then(|step| match step.block.value("execution") {
        Some(Outline::Text(text)) => Some(text.to_owned()),
        _ => None,
    });
    let limits = step
        .filter(|step| step.kind == Some(Kind::Auto))
        .map(|step| (&step.name, step.limits()))
        .and_then(|(name, raw)| {
            let limits =
                StepLimits::read(name, &raw).ok().filter(|limits| *limits != StepLimits::default())?;
            let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
            let advice = advice::advice(name, &raw);
            Some((limits, Plan::new(name, &policy, &PlanOptions::default(), advice)))
        });
    let (limits, plan) = limits.unzip();
    StepSummary { name: named.name.clone(), execution, range: places.range(span), limits, plan }
}

/// The closing lines of the command on a file that is YAML.
fn summary(diagnostics: &[Diagnostic], root: Option<&Block<'_>>, steps: usize, strict: bool) -> String {
    let escalated = |d: &&Diagnostic| {
        d.code == codes::UNKNOWN_WORKFLOW_KEY.name || d.code == codes::UNKNOWN_STEP_KEY.name
    };
    let errors: Vec<_> =
        diagnostics.iter().filter(|d| d.severity == Severity::Error && !escalated(d)).collect();
    match errors.as_slice() {
        [] => {}
        [error] => return format!("Invalid workflow: {}", error.message),
        errors => {
            let mut lines = format!("Invalid workflow — {} errors:", errors.len());
            for error in errors {
                lines.push_str("\n  ");
                lines.push_str(&error.message);
            }
            return lines;
        }
    }
    let refusing: Vec<_> = diagnostics.iter().filter(escalated).collect();
    let warnings = diagnostics.iter().filter(|d| d.severity == Severity::Warning).count() + refusing.len();
    if !refusing.is_empty() {
        let (warnings, count) = (counted(warnings, "warning"), refusing.len());
        let mut line = format!("Invalid: {warnings}, {count} escalated to an error by policy");
        for (at, d) in refusing.iter().enumerate() {
            let before = if at > 0 { "," } else { ":" };
            line.push_str(&format!("{before} {} '{}'", d.code, d.key.as_deref().unwrap_or_default()));
        }
        return line;
    }
    accepted(root, steps, strict, warnings)
}

fn accepted(root: Option<&Block<'_>>, steps: usize, strict: bool, warnings: usize) -> String {
    let Some(root) = root else { return String::new() };
    let told = |key: &str| match root.value(key) {
        Some(Outline::Text(text)) => text.to_owned(),
        Some(Outline::Number(n)) => number::to_text(n),
        Some(Outline::Bool(b)) => b.to_string(),
        _ => "null".to_owned(),
    };
    let line = format!("Valid: {} v{} ({})", told("id"), told("version"), counted(steps, "step"));
    if strict && warnings > 0 {
        return format!("{line} — {}; failing due to --strict", counted(warnings, "warning"));
    }
    let extensions: Vec<_> = extension_keys(root).collect();
    if extensions.is_empty() {
        return line;
    }
    let names = joined(&mut extensions.iter().copied(), ", ");
    format!("{line} — {} carried, never read by realm: {names}", counted(extensions.len(), "extension key"))
}

fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
