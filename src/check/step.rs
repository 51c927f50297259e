//! One step: its name, its kind, and every key by the order of the reference.

use super::block::{Block, Field};
use super::finding::Finding;
use super::{Context, gate, mend, order, retry};
use crate::codes::{self, Code};
use crate::keys::{self, Kind, Rule};
use crate::value::{Outline, Value};
use crate::workflow::Span;
use std::collections::HashMap;

/// A step that is a mapping.
#[derive(Debug)]
pub(super) struct Step<'t> {
    pub(super) name: String,
    pub(super) name_span: Span,
    pub(super) block: Block<'t>,
    /// What it is made by; `None` where that is not said, or wrong.
    pub(super) kind: Option<Kind>,
    /// A template may bring whatever is not written here.
    pub(super) templated: bool,
}

/// What a step's rules need to know of the whole workflow.
pub(super) struct Workflow<'t> {
    /// The names of all steps, in their order.
    pub(super) names: Vec<&'t str>,
    /// The place of each name among them.
    pub(super) places: HashMap<&'t str, usize>,
    pub(super) has_finalizer: bool,
}

impl Workflow<'_> {
    /// Whether both steps are there, and `name` is written before `other`: to depend on it then
    /// makes no circle, as files are written.
    pub(super) fn comes_before(&self, name: &str, other: &str) -> bool {
        let (name, other) = (self.places.get(name), self.places.get(other));
        name.zip(other).is_some_and(|(name, other)| name < other)
    }
}

impl<'t> Step<'t> {
    pub(super) fn new(name: &str, name_span: Span, block: Block<'t>) -> Self {
        let kind = match block.value("execution") {
            Some(Outline::Text(text)) => Kind::from_name(text),
            _ => None,
        };
        let templated = block.has("use_template");
        Self { name: name.to_owned(), name_span, block, kind, templated }
    }

    /// Whether the step is of `kind`, or may become so by its template.
    fn may_be(&self, kind: Kind) -> bool {
        self.kind.map_or(self.templated, |own| own == kind)
    }

    /// Whether `key` is neither written nor brought by a template.
    pub(super) fn lacks(&self, key: &str) -> bool {
        !self.templated && !self.block.has(key)
    }

    /// What the step says about its limits, as it says it.
    pub(super) fn limits(&self) -> Value {
        let mut limits = Vec::new();
        for key in ["timeout_seconds", "idempotent", "retry"] {
            let Some(field) = self.block.field(key) else { continue };
            let value = match (key, self.block.under(field)) {
                ("retry", Some(retry)) => Value::Map(
                    retry.fields.iter().map(|f| (f.name.clone().into_owned(), shallow(f.outline))).collect(),
                ),
                _ => shallow(field.outline),
            };
            limits.push((key.to_owned(), value));
        }
        Value::Map(limits)
    }

    /// Puts the step's name to a finding.
    pub(super) fn says(&self, mut finding: Finding) -> Finding {
        finding.step = Some(self.name.clone());
        finding
    }
}

/// A scalar as it is; of a collection only what it is.
pub(super) fn shallow(outline: Outline<'_>) -> Value {
    match outline {
        Outline::Null => Value::Null,
        Outline::Bool(b) => Value::Bool(b),
        Outline::Number(n) => Value::Number(n),
        Outline::Text(text) => Value::Text(text.to_owned()),
        Outline::List(_) => Value::List(Vec::new()),
        Outline::Map => Value::Map(Vec::new()),
        Outline::Other => Value::Other,
    }
}

/// All rules of one step.
pub(super) fn check<'t>(cx: &mut Context<'t>, step: &Step<'t>, workflow: &Workflow<'_>) {
    unknown_keys(cx, step);
    name(cx, step);
    required(cx, step);
    keys_of_the_kind(cx, step);
    finalizer(cx, step);
    on_outcome(cx, step);
    trust(cx, step);
    guard(cx, step);
    value(cx, step, "llm_timeout_seconds");
    idempotent_inert(cx, step, workflow);
    validation_exhaustion(cx, step);
    dual_schema(cx, step);
    gate::check(cx, step);
    retry::check(cx, step, workflow);
    if allows(step, "trigger_rule") {
        words(cx, step, "trigger_rule");
    }
    order::depends_on(cx, step, workflow);
    tool_timeout_needs_tools(cx, step);
    value(cx, step, "max_tool_calls");
    value(cx, step, "max_fan_out");
    if !misses_tools(step) {
        value(cx, step, "tool_timeout");
    }
    if allows(step, "timeout_seconds") {
        value(cx, step, "timeout_seconds");
    }
}

/// Whether the key is not refused on this kind of step; on a step of no known kind none is.
fn allows(step: &Step<'_>, key: &str) -> bool {
    let row = keys::find_step_key(key);
    step.kind.is_none_or(|kind| row.is_none_or(|row| row.refusal(kind).is_none()))
}

fn unknown_keys(cx: &mut Context<'_>, step: &Step<'_>) {
    for field in &step.block.fields {
        if keys::find_step_key(&field.name).is_some() || cx.found.full() {
            continue;
        }
        let subject = format!("step '{}'", step.name);
        let at = cx.line(step.block.key_span(field));
        let finding = if field.name.starts_with("x-") {
            let message = format!(
                "{subject}: unknown key '{}'{at} — only the top of the file takes extension keys; move it there.",
                field.name
            );
            step.block.on_key(codes::UNKNOWN_STEP_KEY, field, message)
        } else {
            let known = keys::STEP.iter().map(|row| row.key.name);
            cx.unknown_key(&step.block, field, codes::UNKNOWN_STEP_KEY, &subject, "step", known, |meant| {
                fits_step(step, meant, field)
            })
        };
        cx.put(step.says(finding));
    }
}

/// Whether the value of `field` would be right under the step key `name`.
fn fits_step(step: &Step<'_>, name: &str, field: &Field<'_>) -> bool {
    // A name that others are checked against, or that brings rules of its own, is not guessed.
    const CHANGES_MORE: [&str; 6] = ["execution", "use_template", "idempotent", "gate", "retry", "tools"];
    let Some(row) = keys::find_step_key(name) else { return false };
    let alone = !CHANGES_MORE.contains(&name) || (name == "retry" && step.kind == Some(Kind::Auto));
    let takes = row.key.rule.accepts(field.outline) && row.key.rule != Rule::StepNames;
    let quiet = match name {
        "timeout_seconds" | "retry" => {
            retry::stays_quiet(step, |limits| retry::set(limits, &[name], Some(shallow(field.outline))))
        }
        "tool_timeout" => step.block.has("tools"),
        _ => true,
    };
    alone && takes && quiet && step.kind.is_some_and(|kind| row.refusal(kind).is_none())
}

fn name(cx: &mut Context<'_>, step: &Step<'_>) {
    let name = &step.name;
    if keys::RESERVED_STEP_NAMES.contains(&name.as_str()) {
        let message = format!("Step name '{name}' is reserved and cannot be used as a step identifier");
        on_name(cx, step, codes::RESERVED_STEP_NAME, message);
    }
    if super::is_integer_like(name) {
        let message = format!(
            "Step name '{name}' is invalid: integer-like names reorder under JS object iteration and would break declaration-order execution. Use a non-numeric name."
        );
        on_name(cx, step, codes::INTEGER_STEP_NAME, message);
    }
}

fn on_name(cx: &mut Context<'_>, step: &Step<'_>, code: Code, message: String) {
    let mut finding = Finding::new(code, step.name_span, message);
    finding.path = step.block.path.clone();
    cx.put(step.says(finding));
}

fn required(cx: &mut Context<'_>, step: &Step<'_>) {
    for key in ["description", "execution"] {
        if step.lacks(key) {
            missing(cx, step, codes::MISSING_FIELD, key, &format!("missing required field '{key}'"));
        }
    }
    if let (Some(field), None) = (step.block.field("execution"), step.kind) {
        let value = cx.js_text(field.entry.value);
        let message = format!(
            "Step '{}': invalid execution value '{value}'; {}{}",
            step.name,
            Rule::Execution.demand(),
            cx.step_at(step)
        );
        let mut finding = step.block.on_value(codes::INVALID_EXECUTION, field, message);
        cx.suggest_word(&step.block, field, Rule::Execution, &mut finding, |_| true);
        cx.put(step.says(finding));
    }
}

/// Tells that `key` is missing, at the step's name.
pub(super) fn missing(cx: &mut Context<'_>, step: &Step<'_>, code: Code, key: &str, what: &str) {
    let message = format!("Step '{}': {what}{}", step.name, cx.step_at(step));
    let finding = step.block.on_lack(code, key, step.name_span, message);
    cx.put(step.says(finding));
}

/// Refuses the keys that do not belong on this kind, in the order of the file.
fn keys_of_the_kind(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(kind) = step.kind else { return };
    for field in &step.block.fields {
        let row = keys::find_step_key(&field.name);
        let Some(refusal) = row.and_then(|row| row.refusal(kind)) else { continue };
        let at = cx.line(step.block.key_span(field));
        let message = format!("Step '{}': {refusal}{at}", step.name);
        let mut finding = step.block.on_key(codes::KEY_NOT_ALLOWED, field, message);
        if !is_needed(step, &field.name) {
            finding.fixes.extend(mend::remove(&step.block, field));
        }
        cx.put(step.says(finding));
    }
}

/// Whether another key of the step would miss `key`, misplaced as it is.
fn is_needed(step: &Step<'_>, key: &str) -> bool {
    match key {
        "tools" => step.block.has("tool_timeout"),
        "idempotent" => retry::block(step).is_some_and(|retry| retry.is_true("on_timeout")),
        "trust" | "input_schema" => step.block.has("gate"),
        _ => false,
    }
}

fn finalizer(cx: &mut Context<'_>, step: &Step<'_>) {
    if step.kind != Some(Kind::Finalizer) {
        return;
    }
    if step.lacks("handler") {
        let what = "execution: finalizer requires 'handler' (handler-only in v1)";
        missing(cx, step, codes::FINALIZER_NEEDS_HANDLER, "handler", what);
    }
    if step.lacks("on_outcome") {
        let what = "execution: finalizer requires 'on_outcome'";
        missing(cx, step, codes::FINALIZER_NEEDS_ON_OUTCOME, "on_outcome", what);
    }
}

fn on_outcome(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(field) = step.block.field("on_outcome").filter(|_| step.may_be(Kind::Finalizer)) else { return };
    if let Outline::List(0) = field.outline {
        let message =
            format!("Step '{}': 'on_outcome' must name at least one outcome{}", step.name, cx.step_at(step));
        cx.put(step.says(step.block.on_value(codes::INVALID_VALUE, field, message)));
    } else if let Outline::List(_) = field.outline {
        for item in cx.items(field) {
            if !matches!(cx.tree.outline(item), Outline::Text(text) if Rule::OnOutcome.words().contains(&text))
            {
                let mut finding = invalid_word(cx, step, field, Rule::OnOutcome, &cx.js_text(item));
                finding.span = cx.tree.span(item);
                cx.put(step.says(finding));
            }
        }
    } else {
        words(cx, step, "on_outcome");
    }
}

/// Checks a key that takes one of a few words.
fn words(cx: &mut Context<'_>, step: &Step<'_>, key: &str) {
    let Some(field) = step.block.field(key) else { return };
    let Some(row) = keys::find_step_key(key) else { return };
    if row.key.rule.accepts(field.outline) {
        return;
    }
    let mut finding = invalid_word(cx, step, field, row.key.rule, &cx.js_text(field.entry.value));
    cx.suggest_word(&step.block, field, row.key.rule, &mut finding, |_| true);
    cx.put(step.says(finding));
}

fn invalid_word(cx: &Context<'_>, step: &Step<'_>, field: &Field<'_>, rule: Rule, value: &str) -> Finding {
    let message = format!(
        "Step '{}': invalid {} value '{value}'; {}{}",
        step.name,
        field.name,
        rule.demand(),
        cx.step_at(step)
    );
    step.block.on_value(codes::INVALID_VALUE, field, message)
}

/// The value of `trust`, where the kind takes the key; a finalizer has nobody to ask.
fn trust(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(field) = step.block.field("trust") else { return };
    if step.kind.is_none() && !step.templated {
        return;
    }
    let (kind, value) = (step.kind.unwrap_or(Kind::Auto), cx.js_text(field.entry.value));
    let at = cx.line(step.block.key_span(field));
    let message = match kind {
        Kind::Guard => return,
        Kind::Finalizer if field.outline == Outline::Text("auto") => return,
        Kind::Finalizer => format!(
            "Step '{}': invalid trust value '{value}'; must be auto on execution: finalizer steps — the run has ended and nobody is asked; remove it.{at}",
            step.name
        ),
        Kind::Auto | Kind::Agent if Rule::Trust.accepts(field.outline) => return,
        Kind::Auto | Kind::Agent => {
            format!("Step '{}': invalid trust value '{value}'; {}{at}", step.name, Rule::Trust.demand())
        }
    };
    let mut finding = step.block.on_value(codes::INVALID_VALUE, field, message);
    if kind == Kind::Finalizer {
        finding.fixes.extend(mend::remove(&step.block, field));
    } else {
        // A gate may be dead under one word and alive under another.
        cx.suggest_word(&step.block, field, Rule::Trust, &mut finding, |_| !step.block.has("gate"));
    }
    cx.put(step.says(finding));
}

fn guard(cx: &mut Context<'_>, step: &Step<'_>) {
    if step.kind == Some(Kind::Guard) && step.lacks("abort_unless") {
        let what = "execution: guard requires 'abort_unless'";
        missing(cx, step, codes::GUARD_NEEDS_ABORT_UNLESS, "abort_unless", what);
    }
}

/// Checks the value of a key of the step against its row.
fn value(cx: &mut Context<'_>, step: &Step<'_>, key: &str) {
    let Some(row) = keys::find_step_key(key) else { return };
    let quiet = |value| {
        key != "timeout_seconds" || retry::stays_quiet(step, |limits| retry::set(limits, &[key], value))
    };
    cx.value(step, &step.block, "", &row.key, &quiet);
}

fn idempotent_inert(cx: &mut Context<'_>, step: &Step<'_>, workflow: &Workflow<'_>) {
    let Some(field) = step.block.field("idempotent") else { return };
    if step.kind != Some(Kind::Auto) || !workflow.has_finalizer || !step.block.is_true("idempotent") {
        return;
    }
    let name = &step.name;
    let mut message = format!(
        "Step '{name}': 'idempotent: true' cannot enable auto-reclaim in a finalizer-bearing workflow (its claim carries no deadline, so 'realm run reclaim --all' can never select it). Recover it with 'realm run reclaim <run-id> --step {name} --force'."
    );
    let on_timeout = retry::block(step).is_some_and(|retry| retry.is_true("on_timeout"));
    if on_timeout {
        message.push_str(
            " Its 'retry.on_timeout' gate role is unaffected — an attempt that ran to its limit is still tried again.",
        );
    }
    let mut finding = step.block.on_key(codes::IDEMPOTENT_INERT_IN_FINALIZER, field, message);
    if !on_timeout {
        finding.fixes.extend(mend::remove(&step.block, field));
    }
    cx.put(step.says(finding));
}

fn validation_exhaustion<'t>(cx: &mut Context<'t>, step: &Step<'t>) {
    let Some(block) =
        step.block.field("validation_exhaustion").and_then(|field| cx.enter(&step.block, field))
    else {
        return;
    };
    let table = keys::VALIDATION_EXHAUSTION;
    let code = codes::UNKNOWN_VALIDATION_EXHAUSTION_KEY;
    cx.unknown_block_keys(step, &block, table, code, "validation_exhaustion");
    if let Some(field) = block.field("default_output")
        && block.value("mode") != Some(Outline::Text("default"))
    {
        let message = format!(
            "Step '{}': 'validation_exhaustion.default_output' is ignored without 'validation_exhaustion.mode: default' — set it, or remove 'validation_exhaustion.default_output'.",
            step.name
        );
        let mut finding = block.on_key(codes::DEAD_VALIDATION_EXHAUSTION_CONFIG, field, message);
        finding.fixes.extend(mend::remove(&block, field));
        cx.put(step.says(finding));
    }
}

fn dual_schema(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(field) = step.block.field("output_schema") else { return };
    if step.kind == Some(Kind::Agent) && step.block.has("input_schema") {
        let message = format!(
            "Step '{}': declares both 'input_schema' and 'output_schema' — an agent's answer is held to one of them; keep 'output_schema'.",
            step.name
        );
        let finding = step.block.on_key(codes::DUAL_SCHEMA_DECLARED, field, message);
        cx.put(step.says(finding));
    }
}

/// Whether there is a `tool_timeout` without any tool.
fn misses_tools(step: &Step<'_>) -> bool {
    let no_tools = match step.block.value("tools") {
        None => !step.templated,
        Some(tools) => matches!(tools, Outline::Null | Outline::List(0)),
    };
    step.block.has("tool_timeout") && no_tools
}

fn tool_timeout_needs_tools(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(field) = step.block.field("tool_timeout").filter(|_| misses_tools(step)) else { return };
    let at = cx.line(step.block.key_span(field));
    let message = format!(
        "Step '{}': 'tool_timeout' requires 'tools' (a declared, non-empty list) — without tools there is no call to limit; declare them, or remove 'tool_timeout'.{at}",
        step.name
    );
    let mut finding = step.block.on_key(codes::TOOL_TIMEOUT_NEEDS_TOOLS, field, message);
    finding.fixes.extend(mend::remove(&step.block, field));
    cx.put(step.says(finding));
}
