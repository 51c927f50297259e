//! Policies of durable engines: Temporal, Step Functions.

use super::NoteCode;
use super::duration::milliseconds;
use super::foreign::Foreign;
use crate::argument::{Arguments, Misuse};
use crate::export::waits::Growth;
use crate::millis::Millis;
use crate::value::Value;

const TIMEOUT: &str = "TemporalTimeout:StartToClose";

pub(crate) fn temporal(options: &Arguments<'_>) -> Result<Foreign, Misuse> {
    let mut foreign = Foreign::new();
    foreign.timeout = milliseconds(options, "startToCloseTimeout")?;
    foreign.total = milliseconds(options, "scheduleToCloseTimeout")?;
    for key in ["scheduleToStartTimeout", "heartbeatTimeout"] {
        if options.value(key).is_some() {
            foreign.note(NoteCode::SettingDropped, key, &["'", key, "' has no counterpart"]);
        }
    }
    let nested = options.map("retry")?;
    let retry = nested.as_ref().unwrap_or(options);
    // 0 is no end, as is nothing at all.
    let attempts = retry.whole("maximumAttempts", 0)?.filter(|attempts| *attempts > 0);
    foreign.attempts("retry.maximumAttempts", attempts);
    let first = milliseconds(retry, "initialInterval")?;
    if attempts != Some(1) && first.is_none() {
        foreign.note(
            NoteCode::DefaultWritten,
            "retry.initialInterval",
            &["the first wait is 1 s by default"],
        );
    }
    let ratio = ratio(retry, "backoffCoefficient")?.unwrap_or(2.0);
    foreign.waits.base = first.unwrap_or(Millis::from_seconds(1.0));
    foreign.waits.growth = Growth::Ratio(ratio);
    let cap = milliseconds(retry, "maximumInterval")?;
    if cap.is_some_and(|cap| cap < foreign.waits.base) {
        return Err(retry.refuse("maximumInterval", "must not be below the first wait"));
    }
    foreign.waits.cap = Some(cap.unwrap_or(foreign.waits.base * 100.0));
    let names = texts(retry, "nonRetryableErrorTypes")?;
    if names.iter().any(|name| *name != TIMEOUT) {
        let words =
            "errors are chosen by name there; here a failure says itself whether it can be tried again";
        foreign.note(NoteCode::PredicateDropped, "retry.nonRetryableErrorTypes", &[words]);
    }
    if attempts != Some(1) {
        if !names.contains(&TIMEOUT) {
            foreign.note(NoteCode::TimeoutRetried, "retry.nonRetryableErrorTypes", &[AFTER_A_TIMEOUT]);
        }
        foreign.note(NoteCode::RetryableInverted, "retry", &[EVERY_FAILURE]);
    }
    Ok(foreign)
}

const AFTER_A_TIMEOUT: &str = "a timeout is tried again there; here that needs 'idempotent: true' and \
    'retry.on_timeout: true', which only the step's author can attest";

pub(crate) const EVERY_FAILURE: &str =
    "every failure is tried again there that is not excluded; here only one that says it can be";

pub(crate) fn step_functions(state: &Arguments<'_>) -> Result<Foreign, Misuse> {
    let mut foreign = Foreign::new();
    foreign.timeout = state.whole("TimeoutSeconds", 1)?.map(|seconds| Millis::from_seconds(seconds as f64));
    let retriers = match state.value("Retry") {
        None => &[],
        Some(_) => state.list("Retry")?,
    };
    let mut taken = false;
    for (index, retrier) in retriers.iter().enumerate() {
        let retrier = &state.nth("Retry", index, retrier)?;
        let names = texts(retrier, "ErrorEquals")?;
        if names.is_empty() {
            return Err(retrier.refuse("ErrorEquals", "must name an error"));
        }
        let retries = retrier.whole("MaxAttempts", 0)?;
        if names == ["States.Timeout"] && retries == Some(0) {
            // Timeouts are final here too.
            continue;
        }
        if taken {
            let words = "only the first retrier is taken; others count by themselves there";
            foreign.note(NoteCode::SettingDropped, "Retry", &[words]);
            break;
        }
        taken = true;
        retrier_of(&mut foreign, retrier, retries)?;
        if names.iter().any(|name| matches!(*name, "States.ALL" | "States.TaskFailed" | "States.Timeout")) {
            foreign.note(NoteCode::TimeoutRetried, "ErrorEquals", &[AFTER_A_TIMEOUT]);
        }
        if names != ["Retryable"] && names != ["Retryable", "States.Timeout"] {
            let words =
                "errors are chosen by name there; here a failure says itself whether it can be tried again";
            foreign.note(NoteCode::PredicateDropped, "ErrorEquals", &[words]);
        }
    }
    Ok(foreign)
}

fn retrier_of(foreign: &mut Foreign, retrier: &Arguments<'_>, retries: Option<u64>) -> Result<(), Misuse> {
    foreign.retries("MaxAttempts", Some(retries.unwrap_or(3)));
    let whole = |key| retrier.whole(key, 1).map(|seconds| seconds.map(|n| Millis::from_seconds(n as f64)));
    let first = whole("IntervalSeconds")?;
    if retries.is_none() || first.is_none() {
        let words = "what is not said is 3 retries, a first wait of 1 s, and growth by 2";
        foreign.note(NoteCode::DefaultWritten, "Retry", &[words]);
    }
    foreign.waits.base = first.unwrap_or(Millis::from_seconds(1.0));
    foreign.waits.growth = Growth::Ratio(ratio(retrier, "BackoffRate")?.unwrap_or(2.0));
    foreign.waits.cap = whole("MaxDelaySeconds")?;
    if retrier.value("JitterStrategy").is_some_and(|kind| kind.text() == "FULL") {
        let words =
            "waits are spread over all of their length there; a step's jitter is an option of its run";
        foreign.note(NoteCode::JitterDropped, "JitterStrategy", &[words]);
    }
    Ok(())
}

/// A factor, 1 or more.
pub(crate) fn ratio(from: &Arguments<'_>, key: &str) -> Result<Option<f64>, Misuse> {
    match from.value(key) {
        None => Ok(None),
        Some(Value::Number(ratio)) if ratio.is_finite() && *ratio >= 1.0 => Ok(Some(*ratio)),
        _ => Err(from.refuse(key, "must be a number, 1 or more")),
    }
}

fn texts<'a>(from: &Arguments<'a>, key: &str) -> Result<Vec<&'a str>, Misuse> {
    let Some(list) = from.value(key) else { return Ok(Vec::new()) };
    let texts: Option<Vec<&str>> = match list {
        Value::List(items) => items
            .iter()
            .map(|item| match item {
                Value::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    texts.ok_or_else(|| from.refuse(key, "must be a list of names"))
}
