//! What a check gives back: the verdict, what was found, the closing lines, and the steps.

use super::block::Block;
use super::context::scalar_text;
use super::diagnostic::Diagnostic;
use super::file::{self, Named};
use super::finding::{Finding, Findings};
use super::mend;
use super::step::Step;
use crate::advice;
use crate::codes::{self, Severity};
use crate::jitter::Jitter;
use crate::keys::Kind;
use crate::plan::{Plan, PlanOptions};
use crate::policy::{BudgetMode, Policy, StepLimits};
use crate::text::{concat, joined, push, text};
use crate::value::Outline;
use crate::workflow::{Places, Problem, Range, Span, Tree};
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
        let (mut refused, mut warned, mut yaml_error) = (false, false, None);
        for diagnostic in &diagnostics {
            refused |= diagnostic.severity == Severity::Error;
            warned |= diagnostic.severity == Severity::Warning;
            if diagnostic.code == codes::YAML_PARSE_ERROR.name && yaml_error.is_none() {
                yaml_error = Some(&diagnostic.message);
            }
        }
        let workflow = root.map(heading);
        let summary = match (yaml_error, root.zip(workflow.as_ref())) {
            (Some(error), _) => error.clone(),
            (None, file) => summary(&diagnostics, file, steps.len(), strict),
        };
        let mut summaries = Vec::with_capacity(steps.len());
        for named in steps {
            summaries.push(step(named, root, places));
        }
        Self { valid: !(refused || strict && warned), diagnostics, summary, workflow, steps: summaries }
    }
}

/// A YAML error or a limit as a finding, with its place in the text.
pub(super) fn broken(problem: Problem, tree: &Tree<'_>) -> Box<Finding> {
    let at = tree.places().position(problem.span.start);
    let message = match problem.code {
        codes::YAML_PARSE_ERROR => {
            text!["YAML parse error: ", problem.message, " (", at.line, ":", at.column, ")"]
        }
        _ => text!["The file is ", problem.message],
    };
    let mut finding = Finding::new(problem.code, problem.span, message);
    if let Some((span, message)) = problem.related {
        finding.relate(tree, span, message);
    }
    if let Some((title, span, text)) = problem.mending {
        finding.offer(Some(mend::one(tree, title.to_owned(), span, text)));
    }
    finding
}

fn heading(root: &Block<'_>) -> Heading {
    let text = |key: &str| match root.value(key) {
        Some(Outline::Text(text)) => Some(text.to_owned()),
        _ => None,
    };
    let mut extension_keys = Vec::new();
    for field in &root.fields {
        if file::is_extension(field.name) {
            extension_keys.push(field.name.to_owned());
        }
    }
    Heading {
        id: text("id"),
        version: root.number("version").filter(|n| n.is_finite()),
        description: text("description"),
        extension_keys,
    }
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
    let auto = step.filter(|step| step.kind == Some(Kind::Auto));
    let limits = auto.and_then(|step| step.limits.limits()).filter(|limits| *limits != StepLimits::default());
    let plan = auto.zip(limits.as_ref()).map(|(step, limits)| plan(step, limits));
    StepSummary { name: named.name.to_owned(), execution, range: places.range(span), limits, plan }
}

fn plan(step: &Step<'_>, limits: &StepLimits) -> Plan {
    let policy = Policy::new(limits, Jitter::None, BudgetMode::Clip, None);
    let mut keys = Vec::new();
    if let Some(retry) = &step.retry {
        retry.fields.iter().for_each(|field| keys.push(field.name));
    }
    let advice = advice::of_written(step.name, &step.limits, &keys);
    Plan::new(step.name, &policy, &PlanOptions::default(), advice)
}

/// The closing lines of the command on a file that is YAML.
fn summary(
    diagnostics: &[Diagnostic],
    file: Option<(&Block<'_>, &Heading)>,
    steps: usize,
    strict: bool,
) -> String {
    let (mut errors, mut warnings, mut refusing, mut refusals) =
        (Vec::new(), 0_usize, 0_usize, String::new());
    for d in diagnostics {
        match d.severity {
            _ if d.code == codes::UNKNOWN_WORKFLOW_KEY.name || d.code == codes::UNKNOWN_STEP_KEY.name => {
                let (before, key) = (if refusing > 0 { "," } else { ":" }, d.key.as_deref());
                push(&mut refusals, &concat(&[before, " ", d.code, " '", key.unwrap_or_default(), "'"]));
                refusing += 1;
                warnings += 1;
            }
            Severity::Error => errors.push(d.message.as_str()),
            Severity::Warning => warnings += 1,
            Severity::Info => {}
        }
    }
    match errors.as_slice() {
        [] if refusing > 0 => {
            let warnings = counted(warnings, "warning");
            text!["Invalid: ", warnings, ", ", refusing, " escalated to an error by policy", refusals]
        }
        [] => file.map_or(String::new(), |(root, heading)| accepted(root, heading, steps, strict, warnings)),
        [error] => concat(&["Invalid workflow: ", error]),
        errors => {
            let lines = joined(&mut errors.iter().copied(), "\n  ");
            text!["Invalid workflow — ", errors.len(), " errors:\n  ", lines]
        }
    }
}

fn accepted(root: &Block<'_>, heading: &Heading, steps: usize, strict: bool, warnings: usize) -> String {
    let told = |key: &str| match root.value(key) {
        Some(outline @ (Outline::Text(_) | Outline::Number(_) | Outline::Bool(_))) => scalar_text(outline),
        _ => "null".to_owned(),
    };
    let line = text!["Valid: ", told("id"), " v", told("version"), " (", counted(steps, "step"), ")"];
    if strict && warnings > 0 {
        return text![line, " — ", counted(warnings, "warning"), "; failing due to --strict"];
    }
    let keys = &heading.extension_keys;
    if keys.is_empty() {
        return line;
    }
    let names = joined(&mut keys.iter().map(String::as_str), ", ");
    text![line, " — ", counted(keys.len(), "extension key"), " carried, never read by realm: ", names]
}

fn counted(n: usize, noun: &str) -> String {
    text![n, " ", noun, if n == 1 { "" } else { "s" }]
}
