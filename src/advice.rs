//! Advice on a step's limits that are accepted but will surprise: what it says, and when. A plan
//! carries it as it is; the checker gives it a place in the file and mendings.
//!
//! Everything here looks at raw values, because the reference does: a total of 0 is refused, and
//! still told to be below one attempt.

pub use crate::codes::Severity;
use crate::codes::{self, Code};
use crate::jitter::Jitter;
use crate::keys;
use crate::millis::Millis;
use crate::number;
use crate::policy::{Budget, BudgetMode, Policy, StepLimits};
use crate::text::{concat, whole};
use crate::value::Value;
use serde::Serialize;

/// One piece of advice on one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// The rule that speaks.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// The text, without a position.
    pub message: String,
    /// The step's name.
    pub step: String,
    /// The key it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The way to it from the step.
    pub path: Vec<PathItem>,
    /// Where the docs explain the rule.
    pub docs: String,
}

/// One turn on the way to a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PathItem {
    /// A key of a mapping.
    Key(String),
    /// A place in a list, from 0.
    Index(u32),
}

impl From<&str> for PathItem {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

/// All advice on one `auto` step as it is written: on unknown keys, on what has no effect, and
/// beyond the reference.
pub fn advice(name: &str, step: &Value) -> Vec<Advice> {
    let mut all = unknown_retry_keys(name, step);
    all.extend(on_timeout_single_attempt(name, step));
    all.extend(total_timeout_below_attempt(name, step));
    all.extend(retry_no_timeout(name, step));
    all.extend(beyond_the_reference(name, step));
    all
}

fn unknown_retry_keys(name: &str, step: &Value) -> Vec<Advice> {
    let Some(Value::Map(entries)) = step.get("retry") else { return Vec::new() };
    let known = || keys::RETRY.iter().map(|key| key.name);
    let unknown = entries.iter().filter(|(key, _)| known().all(|name| name != key));
    unknown
        .map(|(key, _)| {
            let meant = keys::nearest(key, &mut known());
            let message = keys::unknown_key(&concat(&["step '", name, "'"]), key, "", meant, "retry");
            on_retry(codes::UNKNOWN_RETRY_KEY, name, key, message)
        })
        .collect()
}

/// `on_timeout` asks for another attempt where there is none.
pub(crate) fn on_timeout_single_attempt(name: &str, step: &Value) -> Option<Advice> {
    let retry = step.get("retry")?;
    let attempts = retry.get("max_attempts").and_then(Value::number).unwrap_or(1.0);
    (retry.get("on_timeout")?.is_true() && attempts == 1.0).then(|| {
        let message = concat(&["Step '", name, "': 'retry.on_timeout: true' has no effect with an effective 'max_attempts' of 1 — there is no second attempt; raise 'max_attempts' or remove 'on_timeout'."]);
        on_retry(codes::ON_TIMEOUT_SINGLE_ATTEMPT, name, "on_timeout", message)
    })
}

/// A total limit that one attempt can use up.
pub(crate) fn total_timeout_below_attempt(name: &str, step: &Value) -> Option<Advice> {
    let retry = step.get("retry")?;
    let total = retry.get("total_timeout_seconds")?.number()?;
    let timeout = step.get("timeout_seconds").and_then(Value::number);
    let attempt = timeout.unwrap_or(keys::DEFAULT_TIMEOUT_SECONDS);
    let opted_in = retry.get("on_timeout").is_some_and(Value::is_true);
    let below = timeout.is_some_and(|timeout| total < timeout) || (opted_in && total <= attempt);
    below.then(|| {
        let (total, attempt) = (number::to_text(total), number::to_text(attempt));
        let default = if step.get("timeout_seconds").is_none() { ", the default" } else { "" };
        let message = concat(&["Step '", name, "': 'retry.total_timeout_seconds: ", &total, "' is at or below its per-attempt timeout (", &attempt, "s", default, ") — each attempt is bounded by what remains of the cap, so an attempt that runs to its bound exhausts the cap with no retry; a faster failure still retries while 'max_attempts' allows another attempt and its backoff wait fits the remaining cap."]);
        on_retry(codes::TOTAL_TIMEOUT_BELOW_ATTEMPT, name, "total_timeout_seconds", message)
    })
}

/// A retry block whose attempts have only the default limit.
pub(crate) fn retry_no_timeout(name: &str, step: &Value) -> Option<Advice> {
    (step.get("retry").is_some() && step.get("timeout_seconds").is_none()).then(|| {
        let message = concat(&["Step '", name, "': declares 'retry' but no 'timeout_seconds' — each attempt is bounded by the default execution timeout (", &number::to_text(keys::DEFAULT_TIMEOUT_SECONDS), "s), so one that hangs is only stopped after an hour; declare 'timeout_seconds'."]);
        made(codes::RETRY_NO_TIMEOUT, name, "retry", vec!["retry".into()], message)
    })
}

/// What the reference accepts in silence; only on limits that can be used.
pub(crate) fn beyond_the_reference(name: &str, step: &Value) -> Vec<Advice> {
    let Ok(limits) = StepLimits::read(name, step) else { return Vec::new() };
    let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
    if limits.retry.is_none() || policy.max_attempts < 2 {
        return Vec::new();
    }
    [cap_of_no_use(name, &policy), waits_beyond_total(name, &policy), day_long(name, &policy)]
        .into_iter()
        .flatten()
        .collect()
}

fn cap_of_no_use(name: &str, policy: &Policy) -> Option<Advice> {
    let (base, cap) = (policy.backoff.base, policy.backoff.cap?);
    let longest = policy.longest_wait(policy.max_attempts - 1);
    let (code, message) = if cap < base {
        (
            codes::CAP_BELOW_BASE,
            concat(&[
                "Step '",
                name,
                "': 'retry.max_delay_ms' (",
                &cap.to_text(),
                ") is below 'retry.base_delay_ms' (",
                &base.to_text(),
                ") — every wait is cut to it, whatever 'backoff' says; raise it, or lower the base.",
            ]),
        )
    } else if cap > longest {
        (
            codes::CAP_NEVER_REACHED,
            concat(&[
                "Step '",
                name,
                "': 'retry.max_delay_ms' (",
                &cap.to_text(),
                ") is never reached — the longest wait is ",
                &longest.to_text(),
                " ms; lower it, or remove it.",
            ]),
        )
    } else {
        return None;
    };
    Some(on_retry(code, name, "max_delay_ms", message))
}

fn waits_beyond_total(name: &str, policy: &Policy) -> Option<Advice> {
    let Budget::Declared(total) = policy.budget else { return None };
    // If each fails at once: a wait must leave some of the total.
    let most = policy.last_attempt(&|attempt| policy.longest_waits(1, attempt - 1) < total);
    let seconds = number::to_text(total.seconds());
    let (code, message) = if most == 1 {
        (
            codes::WAIT_EXCEEDS_TOTAL,
            concat(&[
                "Step '",
                name,
                "': the wait before attempt 2 (",
                &policy.longest_wait(1).to_text(),
                " ms) does not fit into 'retry.total_timeout_seconds: ",
                &seconds,
                "' — the step is never tried again; raise the total, or shorten the wait.",
            ]),
        )
    } else if most < policy.max_attempts {
        (
            codes::TOTAL_ALLOWS_FEWER_ATTEMPTS,
            concat(&[
                "Step '",
                name,
                "': 'retry.total_timeout_seconds: ",
                &seconds,
                "' leaves time for at most ",
                &whole(most),
                " of ",
                &whole(policy.max_attempts),
                " attempts, even if each fails at once — the waits alone take longer; raise the total, or lower 'max_attempts'.",
            ]),
        )
    } else {
        return None;
    };
    Some(on_retry(code, name, "total_timeout_seconds", message))
}

fn day_long(name: &str, policy: &Policy) -> Option<Advice> {
    const DAY: Millis = Millis::from_seconds(86_400.0);
    let schedule = policy.schedule_from(1, policy.timeout?);
    let longest = policy.budget.limit().map_or(schedule, |limit| limit.min(schedule));
    (longest >= DAY).then(|| {
        let days = number::to_text((longest.get() / DAY.get() * 10.0).round() / 10.0);
        let message = concat(&["Step '", name, "': its attempts and waits can take ", &days, " days — if that is not meant, lower 'max_attempts' or 'timeout_seconds', or set 'total_timeout_seconds'."]);
        made(codes::SCHEDULE_OVER_A_DAY, name, "retry", vec!["retry".into()], message)
    })
}

/// Several layers, the step and those inside it, try again.
pub(crate) fn layers_multiply(name: &str, tried: &str, calls: f64) -> Advice {
    let calls = number::to_text(calls);
    let message = concat(&[
        "Step '",
        name,
        "': the step ",
        tried,
        ": the other side sees up to ",
        &calls,
        " calls — let only one of them try again.",
    ]);
    made(codes::LAYERS_MULTIPLY, name, "retry", vec!["retry".into()], message)
}

fn on_retry(code: Code, step: &str, key: &str, message: String) -> Advice {
    made(code, step, key, vec!["retry".into(), key.into()], message)
}

fn made(code: Code, step: &str, key: &str, path: Vec<PathItem>, message: String) -> Advice {
    Advice {
        code: code.name,
        severity: code.severity,
        message,
        step: step.to_owned(),
        key: Some(key.to_owned()),
        path,
        docs: code.docs(),
    }
}
