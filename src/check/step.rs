//! One step: its name, its kind, and every key by the order of the reference.

use super::block::{Block, Field};
use super::context::{At, Table};
use super::finding::Finding;
use super::{Context, agent, gate, kinds, order, retry};
use crate::codes::{self, Code};
use crate::keys::{self, Kind, Limit, Rule};
use crate::policy::Written;
use crate::text::text;
use crate::value::Outline;
use crate::workflow::{Names, Span};

/// A step that is a mapping.
#[derive(Debug)]
pub(super) struct Step<'t> {
    pub(super) name: &'t str,
    pub(super) name_span: Span,
    pub(super) block: Block<'t>,
    /// Its retry block, where that is a mapping.
    pub(super) retry: Option<Block<'t>>,
    /// What it says about its limits.
    pub(super) limits: Written<'t>,
    /// What it is made by; `None` where that is not said, or wrong.
    pub(super) kind: Option<Kind>,
    /// A template may bring whatever is not written here.
    pub(super) templated: bool,
}

/// What a step's rules need to know of the whole workflow.
pub(super) struct Workflow<'t> {
    /// The names of all steps, in their order.
    pub(super) names: Names<'t>,
    pub(super) has_finalizer: bool,
}

/// Among how many steps the one that was meant is looked for.
const NEAR: usize = 1000;

impl<'t> Workflow<'t> {
    /// The step that was probably meant by `name`, other than `own`.
    pub(super) fn nearest(&self, name: &str, own: &str) -> Option<&'t str> {
        let mut others = Vec::new();
        for other in self.names.iter().filter(|other| *other != own).take(NEAR) {
            others.push(other);
        }
        keys::nearest(name, &others)
    }

    /// Whether both steps are there, and `name` is written before `other`: to depend on it then
    /// makes no circle, as files are written.
    pub(super) fn comes_before(&self, name: &str, other: &str) -> bool {
        let (name, other) = (self.names.first(name), self.names.first(other));
        name.zip(other).is_some_and(|(name, other)| name < other)
    }
}

impl<'t> Step<'t> {
    pub(super) fn new(name: &'t str, name_span: Span, block: Block<'t>) -> Self {
        let kind = match block.value("execution") {
            Some(Outline::Text(text)) => Kind::from_name(text),
            _ => None,
        };
        let templated = block.has("use_template");
        let retry = block.field("retry").and_then(|field| block.under(field));
        let limits = limits(&block, retry.as_ref());
        Self { name, name_span, block, retry, limits, kind, templated }
    }

    /// Whether the step is of `kind`, or may become so by its template.
    pub(super) fn may_be(&self, kind: Kind) -> bool {
        self.kind.map_or(self.templated, |own| own == kind)
    }

    /// Whether `key` is neither written nor brought by a template.
    pub(super) fn lacks(&self, key: &str) -> bool {
        !self.templated && !self.block.has(key)
    }
}

/// What a step says about its limits: in its own block, and in its retry block.
pub(super) fn limits<'t>(step: &Block<'t>, retry: Option<&Block<'t>>) -> Written<'t> {
    Written::new(&|limit| {
        if limit.is_in_retry() { retry?.value(limit.name()) } else { step.value(limit.name()) }
    })
}

/// All rules of one step.
pub(super) fn check<'t>(cx: &mut Context<'t>, step: &Step<'t>, workflow: &Workflow<'_>) {
    unknown_keys(cx, step);
    name(cx, step);
    required(cx, step);
    kinds::refused_keys(cx, step);
    kinds::finalizer(cx, step);
    kinds::on_outcome(cx, step);
    kinds::trust(cx, step);
    kinds::guard(cx, step);
    value(cx, step, "llm_timeout_seconds");
    kinds::idempotent_inert(cx, step, workflow);
    agent::validation_exhaustion(cx, step);
    agent::dual_schema(cx, step);
    gate::check(cx, step);
    retry::check(cx, step, workflow);
    if allows(step, "trigger_rule") {
        words(cx, step, "trigger_rule");
    }
    order::depends_on(cx, step, workflow);
    agent::tool_timeout_needs_tools(cx, step);
    value(cx, step, "max_tool_calls");
    value(cx, step, "max_fan_out");
    if !agent::misses_tools(step) {
        value(cx, step, "tool_timeout");
    }
    if allows(step, "timeout_seconds") {
        value(cx, step, "timeout_seconds");
    }
}

/// Whether the key is not refused on this kind of step; on a step of no known kind none is.
fn allows(step: &Step<'_>, key: &str) -> bool {
    let refused = |kind| keys::find(keys::STEP, key).is_some_and(|row| row.is_refused(kind));
    !step.kind.is_some_and(refused)
}

fn unknown_keys(cx: &mut Context<'_>, step: &Step<'_>) {
    cx.unknown_keys(step, &step.block, &Table::STEP, &|meant, field| fits_step(step, meant, field));
}

/// Whether the value of `field` would be right under the step key `name`.
fn fits_step(step: &Step<'_>, name: &str, field: &Field<'_>) -> bool {
    // A name that others are checked against, or that brings rules of its own, is not guessed.
    const CHANGES_MORE: [&str; 6] = ["execution", "use_template", "idempotent", "gate", "retry", "tools"];
    let Some(row) = keys::find(keys::STEP, name) else { return false };
    let alone = !CHANGES_MORE.contains(&name) || (name == "retry" && is_sound_retry(step, field));
    let takes = row.rule.accepts(field.outline) && row.rule != Rule::StepNames;
    let quiet = match name {
        "retry" => {
            let with_retry = limits(&step.block, step.block.under(field).as_ref());
            retry::stays_quiet(step, with_retry.with(Limit::Retry, Some(field.outline)))
        }
        "timeout_seconds" => retry::stays_quiet(step, step.limits.with(Limit::Timeout, Some(field.outline))),
        "tool_timeout" => step.block.has("tools"),
        _ => true,
    };
    alone && takes && quiet && step.kind.is_some_and(|kind| !row.is_refused(kind))
}

/// Whether `field` would make a retry block without a mistake in it.
fn is_sound_retry(step: &Step<'_>, field: &Field<'_>) -> bool {
    let sound = |inner: &Field<'_>| {
        Limit::in_retry(inner.name).is_some_and(|limit| limit.rule().accepts(inner.outline))
    };
    let block = step.block.under(field);
    step.kind == Some(Kind::Auto) && block.is_some_and(|block| block.fields.iter().all(sound))
}

fn name(cx: &mut Context<'_>, step: &Step<'_>) {
    let name = step.name;
    if keys::RESERVED_STEP_NAMES.contains(&name) {
        let message = text!["Step name '", name, "' is reserved and cannot be used as a step identifier"];
        on_name(cx, step, codes::RESERVED_STEP_NAME, message);
    }
    if super::is_integer_like(name) {
        let message = text![
            "Step name '",
            name,
            "' is invalid: integer-like names reorder under JS object iteration and would break declaration-order execution. Use a non-numeric name."
        ];
        on_name(cx, step, codes::INTEGER_STEP_NAME, message);
    }
}

fn on_name(cx: &mut Context<'_>, step: &Step<'_>, code: Code, message: String) {
    let mut finding = Finding::new(code, step.name_span, message);
    finding.path = step.block.path();
    cx.tell(step, finding);
}

fn required(cx: &mut Context<'_>, step: &Step<'_>) {
    for key in ["description", "execution"] {
        if step.lacks(key) {
            missing(cx, step, codes::MISSING_FIELD, key, &text!["missing required field '", key, "'"]);
        }
    }
    if let (Some(field), None) = (step.block.field("execution"), step.kind) {
        let value = cx.js_text(field.entry.value);
        let message = text!["invalid execution value '", value, "'; ", Rule::Execution.demand()];
        let mut finding = step.block.on_value(codes::INVALID_EXECUTION, field, message);
        cx.suggest_word(&step.block, field, Rule::Execution, &mut finding, &|_| true);
        cx.say(step, At::Step, finding);
    }
}

/// Tells that `key` is missing, at the step's name.
pub(super) fn missing(cx: &mut Context<'_>, step: &Step<'_>, code: Code, key: &str, what: &str) {
    let finding = step.block.on_lack(code, key, step.name_span, what.into());
    cx.say(step, At::Step, finding);
}

/// Checks a key that takes one of a few words.
pub(super) fn words(cx: &mut Context<'_>, step: &Step<'_>, key: &str) {
    let Some(field) = step.block.field(key) else { return };
    let Some(row) = keys::find(keys::STEP, key) else { return };
    if row.rule.accepts(field.outline) {
        return;
    }
    let mut finding = invalid_word(step, field, row.rule, &cx.js_text(field.entry.value));
    cx.suggest_word(&step.block, field, row.rule, &mut finding, &|_| true);
    cx.say(step, At::Step, finding);
}

pub(super) fn invalid_word(step: &Step<'_>, field: &Field<'_>, rule: Rule, value: &str) -> Box<Finding> {
    let message = text!["invalid ", field.name, " value '", value, "'; ", rule.demand()];
    step.block.on_value(codes::INVALID_VALUE, field, message)
}

/// Checks the value of a key of the step against its row.
fn value(cx: &mut Context<'_>, step: &Step<'_>, key: &str) {
    let Some(row) = keys::find(keys::STEP, key) else { return };
    let quiet = |value: Option<Outline<'_>>| {
        key != Limit::Timeout.name() || retry::stays_quiet(step, step.limits.with(Limit::Timeout, value))
    };
    cx.value(step, &step.block, "", row, &quiet);
}
