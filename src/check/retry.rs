//! The retry block: its keys and values, the rules that look across them, and advice on limits.

use super::block::{Block, Field};
use super::context::{At, Table};
use super::diagnostic::Fix;
use super::finding::Finding;
use super::step::{Step, Workflow};
use super::{Context, mend};
use crate::advice::{self, Row, Severity, Surprise};
use crate::codes::{self, Code};
use crate::jitter::Jitter;
use crate::keys::{self, Kind, Limit, Rule};
use crate::number;
use crate::policy::{BudgetMode, Policy, Written};
use crate::text::text;
use crate::value::Outline;

/// All rules of the retry block.
pub(super) fn check<'t>(cx: &mut Context<'t>, step: &Step<'t>, workflow: &Workflow<'_>) {
    let Some(field) = step.block.field("retry") else { return };
    if field.outline != Outline::Map {
        let message = keys::demand("", "retry", Rule::Map);
        let mut finding = step.block.on_value(codes::INVALID_VALUE, field, message);
        finding.offer(attempts_alone(step, field));
        cx.say(step, At::Step, finding);
        return;
    }
    let Some(retry) = step.retry.as_ref().filter(|retry| cx.affords(field, retry.fields.len())) else {
        return;
    };
    cx.unknown_keys(step, retry, &Table::RETRY, &|meant, field| {
        let limit = Limit::in_retry(meant).filter(|limit| limit.rule().accepts(field.outline));
        limit.is_some_and(|limit| stays_quiet(step, step.limits.with(limit, Some(field.outline))))
    });
    for limit in Limit::ALL.into_iter().filter(|limit| limit.is_in_retry()) {
        let Some(row) = keys::find(keys::RETRY, limit.name()) else { continue };
        let quiet = |value: Option<Outline<'_>>| stays_quiet(step, step.limits.with(limit, value));
        cx.value(step, retry, "retry.", row, &quiet);
    }
    on_timeout_needs_idempotent(cx, step, retry, workflow);
    inert(cx, step, field, retry);
    surprises(cx, step, retry);
}

/// A number in the place of the block can only mean how many attempts there are.
fn attempts_alone(step: &Step<'_>, field: &Field<'_>) -> Option<Fix> {
    let Outline::Number(n) = field.outline else { return None };
    let fits = step.kind == Some(Kind::Auto) && Rule::PositiveInteger.accepts(field.outline);
    fits.then(|| mend::replace_value(&step.block, field, &text!["{max_attempts: ", number::to_text(n), "}"]))?
}

fn on_timeout_needs_idempotent(
    cx: &mut Context<'_>,
    step: &Step<'_>,
    retry: &Block<'_>,
    workflow: &Workflow<'_>,
) {
    let Some(field) = retry.field("on_timeout").filter(|_| retry.is_true("on_timeout")) else { return };
    let may_come = step.templated && !step.block.has("idempotent");
    if step.block.is_true("idempotent") || may_come {
        return;
    }
    let message = keys::ON_TIMEOUT_NEEDS_IDEMPOTENT.into();
    let mut finding = retry.on_value(codes::ON_TIMEOUT_NEEDS_IDEMPOTENT, field, message);
    // Where there is a finalizer, 'idempotent: true' would bring a warning of its own.
    if step.kind == Some(Kind::Auto) && !workflow.has_finalizer {
        finding.offer(attest(step));
    }
    finding.offer(drop_on_timeout(retry, field));
    cx.say(step, At::Step, finding);
}

fn attest(step: &Step<'_>) -> Option<Fix> {
    match step.block.field("idempotent") {
        Some(idempotent) => mend::replace_value(&step.block, idempotent, "true"),
        None => mend::insert_before(&step.block, step.block.field("retry")?, "idempotent", "true"),
    }
}

fn drop_on_timeout(retry: &Block<'_>, field: &Field<'_>) -> Option<Fix> {
    mend::remove(retry, field).or_else(|| mend::replace_value(retry, field, "false"))
}

/// A block that nothing reads: steps of these kinds are not tried again.
fn inert(cx: &mut Context<'_>, step: &Step<'_>, field: &Field<'_>, retry: &Block<'_>) {
    let Some(kind @ (Kind::Agent | Kind::Guard)) = step.kind else { return };
    let total = retry.field("total_timeout_seconds");
    let code = inert_code(total.is_some());
    let key = if total.is_some() { "retry.total_timeout_seconds" } else { "retry" };
    let why = match kind {
        Kind::Agent => {
            "nothing tries a model's step again; remove 'retry', or limit refused answers with 'validation_exhaustion'."
        }
        _ => "a condition is weighed once; remove 'retry'.",
    };
    let message = text!["'", key, "' is inert on execution: '", kind.name(), "' steps — ", why];
    let mut finding = match total {
        Some(total) => retry.on_key(code, total, message),
        None => step.block.on_key(code, field, message),
    };
    finding.offer(mend::remove(&step.block, field));
    cx.say(step, At::Nowhere, finding);
}

const fn inert_code(has_total: bool) -> Code {
    if has_total { codes::TOTAL_TIMEOUT_NON_AUTO } else { codes::RETRY_INERT_NON_AUTO }
}

/// Advice on the limits: what has no effect on any kind, and what surprises on an auto step.
fn surprises(cx: &mut Context<'_>, step: &Step<'_>, retry: &Block<'_>) {
    for surprise in advice::surprises(&step.limits) {
        // What a template may bring is not told to be missing.
        let known = match surprise.row.code {
            codes::ON_TIMEOUT_SINGLE_ATTEMPT => !step.templated || step.limits.has(Limit::MaxAttempts),
            codes::TOTAL_TIMEOUT_BELOW_ATTEMPT => !step.templated || step.limits.has(Limit::Timeout),
            _ => !step.templated && step.kind == Some(Kind::Auto),
        };
        if known && let Some(finding) = placed(step, retry, &surprise) {
            cx.tell(step, finding);
        }
    }
}

/// The advice at its place in the file, with its mendings.
fn placed(step: &Step<'_>, retry: &Block<'_>, surprise: &Surprise) -> Option<Box<Finding>> {
    let Row { code, on, .. } = *surprise.row;
    let message = surprise.message(step.name);
    if on.is_in_retry() {
        let field = retry.field(on.name())?;
        let mut finding = retry.on_value(code, field, message);
        mend_limit(&mut finding, step, retry, field, on);
        return Some(finding);
    }
    let field = step.block.field("retry")?;
    let mut finding = step.block.on_key(code, field, message);
    if code == codes::RETRY_NO_TIMEOUT {
        finding.offer(declare_timeout(step, field));
    }
    Some(finding)
}

fn mend_limit(finding: &mut Finding, step: &Step<'_>, retry: &Block<'_>, field: &Field<'_>, limit: Limit) {
    if limit == Limit::OnTimeout {
        finding.offer(drop_on_timeout(retry, field));
        return;
    }
    let fits = |value| stays_quiet(step, step.limits.with(limit, value));
    if limit == Limit::Total
        && let Some(seconds) = whole_schedule(step)
        && fits(Some(Outline::Number(seconds)))
    {
        finding.offer(mend::replace_value(retry, field, &number::to_text(seconds)));
    }
    if fits(None) {
        finding.offer(mend::remove(retry, field));
    }
}

/// The seconds in which every attempt can run to its limit, with the waits between them: what the
/// total would be if it were not declared. `None` where that is longer than a year, or unknown.
fn whole_schedule(step: &Step<'_>) -> Option<f64> {
    const YEAR: f64 = 31_536_000.0;
    let limits = step.limits.with(Limit::Total, Some(Outline::Number(1.0))).limits()?;
    let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
    let seconds = policy.schedule_from(1, policy.timeout?).seconds().ceil();
    (seconds <= YEAR).then_some(seconds)
}

/// Declares the limit of one attempt: the default, or an even share of a declared total.
fn declare_timeout(step: &Step<'_>, field: &Field<'_>) -> Option<Fix> {
    let attempts = step.limits.number(Limit::MaxAttempts).unwrap_or(1.0).max(1.0);
    let share = step.limits.number(Limit::Total).map(|total| (total / attempts).floor().max(1.0));
    let seconds = share.unwrap_or(f64::INFINITY).min(keys::DEFAULT_TIMEOUT_SECONDS);
    let fits = stays_quiet(step, step.limits.with(Limit::Timeout, Some(Outline::Number(seconds))));
    fits.then(|| mend::insert_before(&step.block, field, "timeout_seconds", &number::to_text(seconds)))?
}

/// Whether other limits would bring no advice and no refusal that the step's own do not bring. Advice
/// beyond the reference only counts where the limits can be used now.
pub(super) fn stays_quiet(step: &Step<'_>, other: Written<'_>) -> bool {
    let usable = step.kind == Some(Kind::Auto) && step.limits.limits().is_some();
    let told = |limits: &Written<'_>| {
        let mut codes: Vec<Code> = Vec::new();
        for Surprise { row, .. } in advice::surprises(limits) {
            if row.code != codes::RETRY_NO_TIMEOUT && (usable || row.code.severity != Severity::Info) {
                codes.push(row.code);
            }
        }
        if !step.templated && limits.asks_without_attest() {
            codes.push(codes::ON_TIMEOUT_NEEDS_IDEMPOTENT);
        }
        if matches!(step.kind, Some(Kind::Agent | Kind::Guard)) && limits.has(Limit::Retry) {
            codes.push(inert_code(limits.has(Limit::Total)));
        }
        codes
    };
    let now = told(&step.limits);
    told(&other).iter().all(|code| now.contains(code))
}
