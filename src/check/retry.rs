//! The retry block: its keys and values, the rules that look across them, and advice on limits.

use super::block::{Block, Field};
use super::context::{At, Table};
use super::finding::{Finding, Mending};
use super::step::{Step, Workflow};
use super::{Context, mend};
use crate::advice::{self, Advice, PathItem, Severity};
use crate::codes::{self, Code};
use crate::jitter::Jitter;
use crate::keys::{self, Kind, Rule};
use crate::number;
use crate::policy::{BudgetMode, Policy, StepLimits};
use crate::value::{Outline, Value};

/// The step's retry block, where it has one.
pub(super) fn block<'t>(step: &Step<'t>) -> Option<Block<'t>> {
    step.block.under(step.block.field("retry")?)
}

/// All rules of the retry block.
pub(super) fn check<'t>(cx: &mut Context<'t>, step: &Step<'t>, workflow: &Workflow<'_>) {
    let Some(field) = step.block.field("retry") else { return };
    if field.outline != Outline::Map {
        let message = keys::demand("", "retry", Rule::Map);
        let mut finding = step.block.on_value(codes::INVALID_VALUE, field, message);
        finding.fixes.extend(attempts_alone(step, field));
        cx.say(step, At::Step, finding);
        return;
    }
    let Some(retry) = cx.enter(&step.block, field) else { return };
    unknown_keys(cx, step, &retry);
    for key in
        ["backoff", "max_attempts", "base_delay_ms", "max_delay_ms", "on_timeout", "total_timeout_seconds"]
    {
        let Some(row) = keys::find(keys::RETRY, key) else { continue };
        let quiet = |value| stays_quiet(step, &["retry", key], value);
        cx.value(step, &retry, "retry.", row, &quiet);
    }
    on_timeout_needs_idempotent(cx, step, &retry, workflow);
    inert(cx, step, field, &retry);
    limits(cx, step, &retry);
}

/// A number in the place of the block can only mean how many attempts there are.
fn attempts_alone(step: &Step<'_>, field: &Field<'_>) -> Option<Mending> {
    let Outline::Number(n) = field.outline else { return None };
    let fits = step.kind == Some(Kind::Auto) && Rule::PositiveInteger.accepts(field.outline);
    fits.then(|| {
        mend::replace_value(&step.block, field, &format!("{{max_attempts: {}}}", number::to_text(n)))
    })?
}

fn unknown_keys(cx: &mut Context<'_>, step: &Step<'_>, retry: &Block<'_>) {
    for field in &retry.fields {
        if keys::find(keys::RETRY, &field.name).is_some() || cx.found.full() {
            continue;
        }
        let subject = format!("step '{}'", step.name);
        let fits = |meant: &str| {
            let takes = keys::find(keys::RETRY, meant).is_some_and(|row| row.rule.accepts(field.outline));
            let value = super::step::shallow(field.outline);
            takes && stays_quiet(step, &["retry", meant], Some(value))
        };
        let finding = cx.unknown_key(&Table::RETRY, retry, field, &subject, &fits);
        cx.tell(step, finding);
    }
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
        finding.fixes.extend(attest(step));
    }
    finding.fixes.extend(drop_on_timeout(retry, field));
    cx.say(step, At::Step, finding);
}

fn attest(step: &Step<'_>) -> Option<Mending> {
    match step.block.field("idempotent") {
        Some(idempotent) => mend::replace_value(&step.block, idempotent, "true"),
        None => mend::insert_before(&step.block, step.block.field("retry")?, "idempotent", "true"),
    }
}

fn drop_on_timeout(retry: &Block<'_>, field: &Field<'_>) -> Option<Mending> {
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
    let message = format!("'{key}' is inert on execution: '{}' steps — {why}", kind.name());
    let mut finding = match total {
        Some(total) => retry.on_key(code, total, message),
        None => step.block.on_key(code, field, message),
    };
    finding.fixes.extend(mend::remove(&step.block, field));
    cx.say(step, At::Nowhere, finding);
}

const fn inert_code(has_total: bool) -> Code {
    if has_total { codes::TOTAL_TIMEOUT_NON_AUTO } else { codes::RETRY_INERT_NON_AUTO }
}

/// Advice on the limits: what has no effect on any kind, and what surprises on an auto step.
fn limits(cx: &mut Context<'_>, step: &Step<'_>, retry: &Block<'_>) {
    let limits = step.limits();
    let name = &step.name;
    let mut told = Vec::new();
    if !step.templated || retry.has("max_attempts") {
        told.extend(advice::on_timeout_single_attempt(name, &limits));
    }
    if !step.templated || step.block.has("timeout_seconds") {
        told.extend(advice::total_timeout_below_attempt(name, &limits));
    }
    if step.kind == Some(Kind::Auto) && !step.templated {
        told.extend(advice::retry_no_timeout(name, &limits));
        told.extend(advice::beyond_the_reference(name, &limits));
    }
    for advice in told {
        if let Some(finding) = placed(step, retry, advice) {
            cx.tell(step, finding);
        }
    }
}

/// The advice at its place in the file, with its mendings.
fn placed(step: &Step<'_>, retry: &Block<'_>, advice: Advice) -> Option<Box<Finding>> {
    let code = Code { name: advice.code, severity: advice.severity };
    let finding = match advice.path.as_slice() {
        [_, PathItem::Key(key)] => {
            let field = retry.field(key)?;
            let mut finding = retry.on_value(code, field, advice.message);
            finding.fixes = mendings(code, step, retry, field);
            finding
        }
        _ => {
            let field = step.block.field("retry")?;
            let mut finding = step.block.on_key(code, field, advice.message);
            if code == codes::RETRY_NO_TIMEOUT {
                finding.fixes.extend(declare_timeout(step, retry, field));
            }
            finding
        }
    };
    Some(finding)
}

fn mendings(code: Code, step: &Step<'_>, retry: &Block<'_>, field: &Field<'_>) -> Vec<Mending> {
    let raised = match code {
        codes::TOTAL_TIMEOUT_BELOW_ATTEMPT
        | codes::TOTAL_ALLOWS_FEWER_ATTEMPTS
        | codes::WAIT_EXCEEDS_TOTAL => whole_schedule(step).and_then(|seconds| {
            let value = Some(Value::Number(seconds));
            let fits = stays_quiet(step, &["retry", "total_timeout_seconds"], value);
            fits.then(|| mend::replace_value(retry, field, &number::to_text(seconds)))?
        }),
        codes::ON_TIMEOUT_SINGLE_ATTEMPT => return drop_on_timeout(retry, field).into_iter().collect(),
        _ => None,
    };
    let droppable = stays_quiet(step, &["retry", &field.name], None);
    raised.into_iter().chain(droppable.then(|| mend::remove(retry, field)).flatten()).collect()
}

/// The seconds in which every attempt can run to its limit, with the waits between them: what the
/// total would be if it were not declared. `None` where that is longer than a year, or unknown.
fn whole_schedule(step: &Step<'_>) -> Option<f64> {
    const YEAR: f64 = 31_536_000.0;
    let mut limits = step.limits();
    set(&mut limits, &["retry", "total_timeout_seconds"], Some(Value::Number(1.0)));
    let limits = StepLimits::read(&step.name, &limits).ok()?;
    let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
    let seconds = policy.schedule_from(1, policy.timeout?).seconds().ceil();
    (seconds <= YEAR).then_some(seconds)
}

/// Declares the limit of one attempt: the default, or an even share of a declared total.
fn declare_timeout(step: &Step<'_>, retry: &Block<'_>, field: &Field<'_>) -> Option<Mending> {
    let attempts = retry.number("max_attempts").unwrap_or(1.0).max(1.0);
    let share = retry.number("total_timeout_seconds").map(|total| (total / attempts).floor().max(1.0));
    let seconds = share.unwrap_or(f64::INFINITY).min(keys::DEFAULT_TIMEOUT_SECONDS);
    let fits = stays_quiet(step, &["timeout_seconds"], Some(Value::Number(seconds)));
    fits.then(|| mend::insert_before(&step.block, field, "timeout_seconds", &number::to_text(seconds)))?
}

/// Whether the step's limits, with `value` at `path` (without one, with nothing there), bring no advice
/// and no refusal that they do not bring now. Advice beyond the reference only counts where the limits
/// can be used now.
pub(super) fn stays_quiet(step: &Step<'_>, path: &[&str], value: Option<Value>) -> bool {
    let (before, mut after) = (step.limits(), step.limits());
    set(&mut after, path, value);
    let usable = StepLimits::read(&step.name, &before).is_ok() && step.kind == Some(Kind::Auto);
    let told = |limits: &Value| {
        let mut codes: Vec<_> = advice::advice(&step.name, limits)
            .into_iter()
            .filter(|advice| usable || advice.severity != Severity::Info)
            .map(|advice| advice.code)
            .filter(|code| *code != codes::RETRY_NO_TIMEOUT.name && *code != codes::UNKNOWN_RETRY_KEY.name)
            .collect();
        if !step.templated && asks_without_attest(limits) {
            codes.push(codes::ON_TIMEOUT_NEEDS_IDEMPOTENT.name);
        }
        if let (Some(Kind::Agent | Kind::Guard), Some(retry)) = (step.kind, limits.get("retry")) {
            codes.push(inert_code(retry.get("total_timeout_seconds").is_some()).name);
        }
        codes
    };
    let now = told(&before);
    told(&after).iter().all(|code| now.contains(code))
}

fn asks_without_attest(limits: &Value) -> bool {
    let on_timeout = limits.get("retry").and_then(|retry| retry.get("on_timeout"));
    on_timeout.is_some_and(Value::is_true) && !limits.get("idempotent").is_some_and(Value::is_true)
}

/// Puts `value` at `path` of `limits`, in the place of what is there; without a value the key goes.
fn set(limits: &mut Value, path: &[&str], value: Option<Value>) {
    let (Value::Map(entries), Some((key, rest))) = (limits, path.split_first()) else { return };
    let place = entries.iter_mut().find(|(name, _)| name == key);
    match (place, value) {
        (Some((_, inner)), value) if !rest.is_empty() => set(inner, rest, value),
        (Some((_, place)), Some(value)) => *place = value,
        (None, Some(value)) => entries.push(((*key).to_owned(), value)),
        (_, None) => entries.retain(|(name, _)| name != key),
    }
}
