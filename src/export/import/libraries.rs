//! Policies of libraries: p-retry, async-retry, cockatiel, Polly, tenacity.

use super::NoteCode;
use super::duration::{seconds, time_span};
use super::engines::{EVERY_FAILURE, ratio};
use super::foreign::Foreign;
use crate::argument::{Arguments, Kind, Misuse};
use crate::export::waits::Growth;
use crate::millis::Millis;
use crate::named::{Named, named};
use crate::value::Value;

/// The defaults of the two that are made on node-retry.
pub(crate) struct NodeRetry {
    retries: u64,
    spread: bool,
}

pub(crate) const P_RETRY: NodeRetry = NodeRetry { retries: 10, spread: false };
pub(crate) const ASYNC_RETRY: NodeRetry = NodeRetry { retries: 10, spread: true };

pub(crate) fn node_retry(options: &Arguments<'_>, defaults: &NodeRetry) -> Result<Foreign, Misuse> {
    let mut foreign = Foreign::new();
    let forever = options.get("forever", Kind::Flag)?.is_some_and(Value::is_true);
    let retries = endless(options, "retries")?;
    if retries.is_none() {
        foreign.note(
            NoteCode::DefaultWritten,
            "retries",
            &[&defaults.retries.to_string(), " retries by default"],
        );
    }
    foreign.retries("retries", retries.unwrap_or(Some(defaults.retries)).filter(|_| !forever));
    foreign.waits.base = options.millis("minTimeout")?.unwrap_or(Millis::from_seconds(1.0));
    foreign.waits.growth = Growth::Ratio(ratio(options, "factor")?.unwrap_or(2.0));
    foreign.waits.cap = unless_endless(options, "maxTimeout")?;
    if foreign.waits.cap.is_some_and(|cap| cap < foreign.waits.base) {
        return Err(options.refuse("maxTimeout", "must not be below 'minTimeout'"));
    }
    foreign.total = unless_endless(options, "maxRetryTime")?;
    if options.get("randomize", Kind::Flag)?.map_or(defaults.spread, Value::is_true) {
        let words = "waits are up to twice as long at random there; a step's jitter is an option of its run";
        foreign.note(NoteCode::JitterDropped, "randomize", &[words]);
    }
    code(&mut foreign, options, &["shouldRetry", "shouldConsumeRetry"], NoteCode::PredicateDropped);
    code(&mut foreign, options, &["onFailedAttempt", "onRetry", "signal"], NoteCode::FunctionDropped);
    foreign.note(NoteCode::RetryableInverted, "retries", &[EVERY_FAILURE]);
    Ok(foreign)
}

pub(crate) fn cockatiel(options: &Arguments<'_>) -> Result<Foreign, Misuse> {
    let mut foreign = Foreign::new();
    // What is called attempts there are those after the first call.
    foreign.retries("maxAttempts", endless(options, "maxAttempts")?.flatten());
    match options.value("backoff") {
        None => (),
        Some(Value::Number(_)) => foreign.waits.base = options.millis("backoff")?.unwrap_or_default(),
        Some(_) => {
            let Some(backoff) = options.map("backoff")? else { return Ok(foreign) };
            if let Some(duration) = backoff.millis("duration")? {
                foreign.waits.base = duration;
            } else {
                foreign.waits.base = backoff.millis("initialDelay")?.unwrap_or(Millis::saturating(128.0));
                foreign.waits.growth = Growth::Ratio(ratio(&backoff, "exponent")?.unwrap_or(2.0));
                foreign.waits.cap = Some(backoff.millis("maxDelay")?.unwrap_or(Millis::from_seconds(30.0)));
                if backoff.value("generator").is_none_or(|generator| generator.text() != "noJitterGenerator")
                {
                    let words = "waits are spread at random there; a step's jitter is an option of its run";
                    foreign.note(NoteCode::JitterDropped, "backoff.generator", &[words]);
                }
            }
        }
    }
    code(&mut foreign, options, &["errorFilter", "resultFilter"], NoteCode::PredicateDropped);
    foreign.note(NoteCode::RetryableInverted, "maxAttempts", &[EVERY_FAILURE]);
    Ok(foreign)
}

named! {
    /// How Polly's waits grow.
    enum BackoffType {
        Constant = "Constant",
        Linear = "Linear",
        Exponential = "Exponential",
    }
}

pub(crate) fn polly(options: &Arguments<'_>) -> Result<Foreign, Misuse> {
    const ENDLESS: u64 = 2_147_483_647;
    let mut foreign = Foreign::new();
    let retries = options.whole("MaxRetryAttempts", 1)?;
    if retries.is_none() {
        foreign.note(NoteCode::DefaultWritten, "MaxRetryAttempts", &["3 retries by default"]);
    }
    foreign.retries("MaxRetryAttempts", Some(retries.unwrap_or(3)).filter(|retries| *retries < ENDLESS));
    let kind = options.get("BackoffType", Kind::Word(BackoffType::WORDS))?;
    foreign.waits.growth = match kind.and_then(|kind| BackoffType::from_name(kind.text())) {
        Some(BackoffType::Linear) => Growth::Linear,
        Some(BackoffType::Exponential) => Growth::Ratio(2.0),
        _ => Growth::Ratio(1.0),
    };
    let delay = time_span(options, "Delay")?;
    if delay.is_none() {
        foreign.note(NoteCode::DefaultWritten, "Delay", &["a wait of 2 s by default"]);
    }
    foreign.waits.base = delay.unwrap_or(Millis::from_seconds(2.0));
    foreign.waits.cap = time_span(options, "MaxDelay")?;
    if options.get("UseJitter", Kind::Flag)?.is_some_and(Value::is_true) {
        let words = "waits are spread at random there; a step's jitter is an option of its run";
        foreign.note(NoteCode::JitterDropped, "UseJitter", &[words]);
    }
    code(&mut foreign, options, &["ShouldHandle"], NoteCode::PredicateDropped);
    code(&mut foreign, options, &["DelayGenerator", "OnRetry"], NoteCode::FunctionDropped);
    foreign.note(NoteCode::RetryableInverted, "MaxRetryAttempts", &[EVERY_FAILURE]);
    Ok(foreign)
}

pub(crate) fn tenacity(options: &Arguments<'_>) -> Result<Foreign, Misuse> {
    let mut foreign = Foreign::new();
    foreign.attempts("stop_after_attempt", options.whole("stop_after_attempt", 1)?);
    foreign.total = seconds(options, "stop_after_delay")?;
    if foreign.total.is_some() {
        let words = "that limit is looked at between attempts there; here it also cuts an attempt";
        foreign.note(NoteCode::SettingDropped, "stop_after_delay", &[words]);
    }
    if let Some(wait) = seconds(options, "wait_fixed")? {
        foreign.waits.base = wait;
    }
    for key in ["wait_exponential", "wait_random_exponential"] {
        let Some(wait) = options.map(key)? else { continue };
        let first = seconds(&wait, "multiplier")?.unwrap_or(Millis::from_seconds(1.0));
        // A shortest wait above the first is not ours to say, but it is the first wait then.
        foreign.waits.base = first.max(seconds(&wait, "min")?.unwrap_or_default());
        if foreign.waits.base > first {
            let words = "waits begin at 'min' here, where they stay until growth has reached it there";
            foreign.note(NoteCode::SettingDropped, key, &[words]);
        }
        foreign.waits.growth = Growth::Ratio(ratio(&wait, "exp_base")?.unwrap_or(2.0));
        foreign.waits.cap = seconds(&wait, "max")?;
        if key == "wait_random_exponential" {
            let words =
                "waits are spread over all of their length there; a step's jitter is an option of its run";
            foreign.note(NoteCode::JitterDropped, key, &[words]);
        }
    }
    if let Some(wait) = options.map("wait_incrementing")? {
        let start = seconds(&wait, "start")?.unwrap_or_default();
        let increment = seconds(&wait, "increment")?.unwrap_or(Millis::from_seconds(100.0));
        foreign.waits.base = start;
        foreign.waits.growth = if start == increment { Growth::Linear } else { Growth::Ratio(1.0) };
        foreign.waits.cap = seconds(&wait, "max")?;
        if start != increment {
            let words =
                "waits that begin with another step than they grow by have no counterpart; the first is kept";
            foreign.note(NoteCode::BackoffNearest, "wait_incrementing", &[words]);
        }
    }
    for key in ["wait_random", "wait_exponential_jitter", "wait_chain", "wait_combine"] {
        if options.value(key).is_some() {
            foreign.note(NoteCode::JitterDropped, key, &["'", key, "' has no counterpart"]);
        }
    }
    code(&mut foreign, options, &["retry"], NoteCode::PredicateDropped);
    code(
        &mut foreign,
        options,
        &["before", "after", "before_sleep", "retry_error_callback"],
        NoteCode::FunctionDropped,
    );
    foreign.note(NoteCode::RetryableInverted, "retry", &[EVERY_FAILURE]);
    Ok(foreign)
}

/// A whole number, or infinity for no end: the inner `None`.
fn endless(from: &Arguments<'_>, key: &str) -> Result<Option<Option<u64>>, Misuse> {
    match from.value(key) {
        Some(Value::Number(number)) if *number == f64::INFINITY => Ok(Some(None)),
        _ => Ok(from.whole(key, 0)?.map(Some)),
    }
}

fn unless_endless(from: &Arguments<'_>, key: &str) -> Result<Option<Millis>, Misuse> {
    match from.value(key) {
        Some(Value::Number(number)) if *number == f64::INFINITY => Ok(None),
        _ => from.millis(key),
    }
}

/// Notes what stands under `keys`, which is code.
fn code(foreign: &mut Foreign, options: &Arguments<'_>, keys: &[&'static str], code: NoteCode) {
    for key in keys {
        if options.value(key).is_some() {
            foreign.note(code, key, &["'", key, "' is code, which a step's limits cannot hold"]);
        }
    }
}
