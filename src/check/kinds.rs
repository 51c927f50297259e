//! What belongs to one kind of step: the keys that a kind refuses, and those that it needs.

use super::context::At;
use super::step::{Step, Workflow, invalid_word, missing, words};
use super::{Context, mend};
use crate::codes;
use crate::keys::{self, Kind, Limit, Rule};
use crate::text::{push, text};
use crate::value::Outline;

/// Refuses the keys that do not belong on this kind, in the order of the file.
pub(super) fn refused_keys(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(kind) = step.kind else { return };
    for field in &step.block.fields {
        let row = keys::find(keys::STEP, field.name);
        let Some(row) = row.filter(|row| row.is_refused(kind)) else { continue };
        let mut finding = step.block.needless(codes::KEY_NOT_ALLOWED, field, row.refusal(kind));
        if is_needed(step, field.name) {
            finding.fixes.clear();
        }
        cx.say(step, At::Key, finding);
    }
}

/// Whether another key of the step would miss `key`, misplaced as it is.
fn is_needed(step: &Step<'_>, key: &str) -> bool {
    match key {
        "tools" => step.block.has("tool_timeout"),
        "idempotent" => step.limits.is_true(Limit::OnTimeout),
        "trust" | "input_schema" => step.block.has("gate"),
        _ => false,
    }
}

pub(super) fn finalizer(cx: &mut Context<'_>, step: &Step<'_>) {
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

pub(super) fn on_outcome(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(field) = step.block.field("on_outcome").filter(|_| step.may_be(Kind::Finalizer)) else { return };
    if let Outline::List(0) = field.outline {
        let message = "'on_outcome' must name at least one outcome".into();
        cx.say(step, At::Step, step.block.on_value(codes::INVALID_VALUE, field, message));
    } else if let Outline::List(_) = field.outline {
        for item in cx.items(field) {
            if !matches!(cx.tree.outline(item), Outline::Text(text) if Rule::OnOutcome.words().contains(&text))
            {
                let mut finding = invalid_word(step, field, Rule::OnOutcome, &cx.js_text(item));
                finding.span = cx.tree.span(item);
                cx.say(step, At::Step, finding);
            }
        }
    } else {
        words(cx, step, "on_outcome");
    }
}

/// The value of `trust`, where the kind takes the key; a finalizer has nobody to ask.
pub(super) fn trust(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(field) = step.block.field("trust") else { return };
    if step.kind.is_none() && !step.templated {
        return;
    }
    let (kind, value) = (step.kind.unwrap_or(Kind::Auto), cx.js_text(field.entry.value));
    // The line of the key, though the finding is about the value.
    let at = cx.line(step.block.key_span(field));
    let demand = match kind {
        Kind::Guard => return,
        Kind::Finalizer if field.outline == Outline::Text("auto") => return,
        Kind::Finalizer => {
            "must be auto on execution: finalizer steps — the run has ended and nobody is asked; remove it."
        }
        Kind::Auto | Kind::Agent if Rule::Trust.accepts(field.outline) => return,
        Kind::Auto | Kind::Agent => Rule::Trust.demand(),
    };
    let message = text!["invalid trust value '", value, "'; ", demand, at];
    let mut finding = step.block.on_value(codes::INVALID_VALUE, field, message);
    if kind == Kind::Finalizer {
        finding.offer(mend::remove(&step.block, field));
    } else {
        // A gate may be dead under one word and alive under another.
        cx.suggest_word(&step.block, field, Rule::Trust, &mut finding, &|_| !step.block.has("gate"));
    }
    cx.say(step, At::Nowhere, finding);
}

pub(super) fn guard(cx: &mut Context<'_>, step: &Step<'_>) {
    if step.kind == Some(Kind::Guard) && step.lacks("abort_unless") {
        let what = "execution: guard requires 'abort_unless'";
        missing(cx, step, codes::GUARD_NEEDS_ABORT_UNLESS, "abort_unless", what);
    }
}

pub(super) fn idempotent_inert(cx: &mut Context<'_>, step: &Step<'_>, workflow: &Workflow<'_>) {
    let Some(field) = step.block.field("idempotent") else { return };
    if step.kind != Some(Kind::Auto) || !workflow.has_finalizer || !step.block.is_true("idempotent") {
        return;
    }
    let name = &step.name;
    let mut message = text![
        "'idempotent: true' cannot enable auto-reclaim in a finalizer-bearing workflow (its claim carries no deadline, so 'realm run reclaim --all' can never select it). Recover it with 'realm run reclaim <run-id> --step ",
        name,
        " --force'."
    ];
    let on_timeout = step.limits.is_true(Limit::OnTimeout);
    if on_timeout {
        push(
            &mut message,
            " Its 'retry.on_timeout' gate role is unaffected — an attempt that ran to its limit is still tried again.",
        );
    }
    let mut finding = step.block.needless(codes::IDEMPOTENT_INERT_IN_FINALIZER, field, message);
    if on_timeout {
        finding.fixes.clear();
    }
    cx.say(step, At::Nowhere, finding);
}
