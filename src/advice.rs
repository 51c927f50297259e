//! Advice on a step's limits that are accepted but will surprise: what it says, and when. A plan
//! carries it as it is; the checker gives it a place in the file and mendings.
//!
//! Everything here looks at what is written, because the reference does: a total of 0 is refused, and
//! still told to be below one attempt.

pub use crate::codes::Severity;
use crate::codes::{self, Code};
use crate::jitter::Jitter;
use crate::keys::{self, Limit};
use crate::millis::Millis;
use crate::number;
use crate::policy::{Budget, BudgetMode, Policy, Written};
use crate::text::{concat, push, text};
use crate::value::{self, PathItem, Value};
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

/// A sentence of advice.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) code: Code,
    /// The key it is about.
    pub(crate) on: Limit,
    /// What is said of the step; a number stands in the place of each `{}`.
    text: &'static str,
}

macro_rules! total_timeout_below_attempt {
    ($default:literal) => {
        row(
            codes::TOTAL_TIMEOUT_BELOW_ATTEMPT,
            Limit::Total,
            concat!(
                "'retry.total_timeout_seconds: {}' is at or below its per-attempt timeout ({}s",
                $default,
                ") — each attempt is bounded by what remains of the cap, so an attempt that runs to its bound exhausts the cap with no retry; a faster failure still retries while 'max_attempts' allows another attempt and its backoff wait fits the remaining cap."
            ),
        )
    };
}

static ON_TIMEOUT_SINGLE_ATTEMPT: Row = row(
    codes::ON_TIMEOUT_SINGLE_ATTEMPT,
    Limit::OnTimeout,
    "'retry.on_timeout: true' has no effect with an effective 'max_attempts' of 1 — there is no second attempt; raise 'max_attempts' or remove 'on_timeout'.",
);
static TOTAL_BELOW_ATTEMPT: Row = total_timeout_below_attempt!("");
static TOTAL_BELOW_DEFAULT: Row = total_timeout_below_attempt!(", the default");
static RETRY_NO_TIMEOUT: Row = row(
    codes::RETRY_NO_TIMEOUT,
    Limit::Retry,
    "declares 'retry' but no 'timeout_seconds' — each attempt is bounded by the default execution timeout ({}s), so one that hangs is only stopped after an hour; declare 'timeout_seconds'.",
);
static CAP_BELOW_BASE: Row = row(
    codes::CAP_BELOW_BASE,
    Limit::MaxDelay,
    "'retry.max_delay_ms' ({}) is below 'retry.base_delay_ms' ({}) — every wait is cut to it, whatever 'backoff' says; raise it, or lower the base.",
);
static CAP_NEVER_REACHED: Row = row(
    codes::CAP_NEVER_REACHED,
    Limit::MaxDelay,
    "'retry.max_delay_ms' ({}) is never reached — the longest wait is {} ms; lower it, or remove it.",
);
static WAIT_EXCEEDS_TOTAL: Row = row(
    codes::WAIT_EXCEEDS_TOTAL,
    Limit::Total,
    "the wait before attempt 2 ({} ms) does not fit into 'retry.total_timeout_seconds: {}' — the step is never tried again; raise the total, or shorten the wait.",
);
static TOTAL_ALLOWS_FEWER_ATTEMPTS: Row = row(
    codes::TOTAL_ALLOWS_FEWER_ATTEMPTS,
    Limit::Total,
    "'retry.total_timeout_seconds: {}' leaves time for at most {} of {} attempts, even if each fails at once — the waits alone take longer; raise the total, or lower 'max_attempts'.",
);
static SCHEDULE_OVER_A_DAY: Row = row(
    codes::SCHEDULE_OVER_A_DAY,
    Limit::Retry,
    "its attempts and waits can take {} days — if that is not meant, lower 'max_attempts' or 'timeout_seconds', or set 'total_timeout_seconds'.",
);

static SCHEDULE_OVER_A_YEAR: Row = row(
    codes::SCHEDULE_OVER_A_DAY,
    Limit::Retry,
    "its attempts and waits can take {} years — if that is not meant, lower 'max_attempts' or 'timeout_seconds', or set 'total_timeout_seconds'.",
);

const fn row(code: Code, on: Limit, text: &'static str) -> Row {
    Row { code, on, text }
}

/// Something that surprises, with the numbers that its sentence names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surprise {
    pub(crate) row: &'static Row,
    numbers: [f64; 3],
}

impl Surprise {
    fn new(row: &'static Row, first: f64, second: f64, third: f64) -> Self {
        Self { row, numbers: [first, second, third] }
    }

    /// The sentence about the step called `name`.
    pub(crate) fn message(&self, name: &str) -> String {
        let mut message = String::with_capacity(name.len() + self.row.text.len() + 64);
        for part in ["Step '", name, "': "] {
            push(&mut message, part);
        }
        let mut parts = self.row.text.split('{');
        push(&mut message, parts.next().unwrap_or_default());
        for (part, n) in parts.zip(self.numbers) {
            push(&mut message, &number::to_text(n));
            push(&mut message, part.trim_start_matches('}'));
        }
        message
    }
}

/// All advice on one `auto` step as it is written: on unknown keys, on what has no effect, and
/// beyond the reference.
pub fn advice(name: &str, step: &Value) -> Vec<Advice> {
    let mut keys = Vec::new();
    if let Some(Value::Map(entries)) = step.get("retry") {
        entries.iter().for_each(|(key, _)| keys.push(key.as_str()));
    }
    of_written(name, &Written::from(step), &keys)
}

/// The same where `written` is known, and all keys of the retry block.
pub(crate) fn of_written(name: &str, written: &Written<'_>, retry_keys: &[&str]) -> Vec<Advice> {
    let mut all = Vec::new();
    for key in retry_keys {
        if Limit::in_retry(key).is_none() {
            let meant = keys::nearest(key, &keys::names(keys::RETRY));
            let subject = concat(&["step '", name, "'"]);
            let message = keys::unknown_key(&subject, key, "", meant, "retry");
            all.push(made(codes::UNKNOWN_RETRY_KEY, name, &["retry", key], message));
        }
    }
    for surprise in surprises(written) {
        all.push(made(surprise.row.code, name, surprise.row.on.path(), surprise.message(name)));
    }
    all
}

/// What surprises about limits, in the order in which it is told.
pub(crate) fn surprises(written: &Written<'_>) -> Vec<Surprise> {
    let mut all = Vec::new();
    if written.has(Limit::Retry) {
        all.extend(on_timeout_single_attempt(written));
        all.extend(total_timeout_below_attempt(written));
        if !written.has(Limit::Timeout) {
            all.push(Surprise::new(&RETRY_NO_TIMEOUT, keys::DEFAULT_TIMEOUT_SECONDS, 0.0, 0.0));
        }
        beyond_the_reference(written, &mut all);
    }
    all
}

/// `on_timeout` asks for another attempt where there is none.
fn on_timeout_single_attempt(written: &Written<'_>) -> Option<Surprise> {
    let attempts = written.number(Limit::MaxAttempts).unwrap_or(1.0);
    let single = written.is_true(Limit::OnTimeout) && attempts == 1.0;
    single.then(|| Surprise::new(&ON_TIMEOUT_SINGLE_ATTEMPT, 0.0, 0.0, 0.0))
}

/// A total limit that one attempt can use up.
fn total_timeout_below_attempt(written: &Written<'_>) -> Option<Surprise> {
    let total = written.number(Limit::Total)?;
    let timeout = written.number(Limit::Timeout);
    let attempt = timeout.unwrap_or(keys::DEFAULT_TIMEOUT_SECONDS);
    let below = timeout.is_some_and(|timeout| total < timeout)
        || (written.is_true(Limit::OnTimeout) && total <= attempt);
    let row = if written.has(Limit::Timeout) { &TOTAL_BELOW_ATTEMPT } else { &TOTAL_BELOW_DEFAULT };
    below.then(|| Surprise::new(row, total, attempt, 0.0))
}

/// What the reference accepts in silence; only on limits that can be used.
fn beyond_the_reference(written: &Written<'_>, all: &mut Vec<Surprise>) {
    let Some(limits) = written.limits() else { return };
    let policy = Policy::new(&limits, Jitter::None, BudgetMode::Clip, None);
    if policy.max_attempts >= 2 {
        all.extend(cap_of_no_use(&policy));
        all.extend(waits_beyond_total(&policy));
        all.extend(day_long(&policy));
    }
}

fn cap_of_no_use(policy: &Policy) -> Option<Surprise> {
    let (base, cap) = (policy.backoff.base, policy.backoff.cap?);
    let longest = policy.longest_wait(policy.max_attempts - 1);
    let (row, other) = if cap < base {
        (&CAP_BELOW_BASE, base)
    } else if cap > longest {
        (&CAP_NEVER_REACHED, longest)
    } else {
        return None;
    };
    Some(Surprise::new(row, cap.get(), other.get(), 0.0))
}

fn waits_beyond_total(policy: &Policy) -> Option<Surprise> {
    let Budget::Declared(total) = policy.budget else { return None };
    // If each fails at once: a wait must leave some of the total.
    let most = policy.last_attempt(&|attempt| policy.longest_waits(1, attempt - 1) < total);
    if most == 1 {
        let wait = policy.longest_wait(1);
        return Some(Surprise::new(&WAIT_EXCEEDS_TOTAL, wait.get(), total.seconds(), 0.0));
    }
    (most < policy.max_attempts).then(|| {
        let (most, of) = (most as f64, policy.max_attempts as f64);
        Surprise::new(&TOTAL_ALLOWS_FEWER_ATTEMPTS, total.seconds(), most, of)
    })
}

fn day_long(policy: &Policy) -> Option<Surprise> {
    const DAY: Millis = Millis::from_seconds(86_400.0);
    const YEAR: Millis = Millis::from_seconds(365.0 * 86_400.0);
    let schedule = policy.schedule_from(1, policy.timeout?);
    let longest = policy.budget.limit().map_or(schedule, |limit| limit.min(schedule));
    let (row, unit) =
        if longest < YEAR { (&SCHEDULE_OVER_A_DAY, DAY) } else { (&SCHEDULE_OVER_A_YEAR, YEAR) };
    let units = (longest.get() / unit.get() * 10.0).round() / 10.0;
    (longest >= DAY).then(|| Surprise::new(row, units, 0.0, 0.0))
}

/// Several layers, the step and those inside it, try again.
pub(crate) fn layers_multiply(name: &str, tried: &str, calls: f64) -> Advice {
    let calls = number::to_text(calls);
    let message = text![
        "Step '",
        name,
        "': the step ",
        tried,
        ": the other side sees up to ",
        calls,
        " calls — let only one of them try again."
    ];
    made(codes::LAYERS_MULTIPLY, name, &["retry"], message)
}

/// Advice on the last key of `path`.
fn made(code: Code, step: &str, path: &[&str], message: String) -> Advice {
    Advice {
        code: code.name,
        severity: code.severity,
        message,
        step: step.to_owned(),
        key: path.last().map(|key| (*key).to_owned()),
        path: value::path(path),
        docs: code.docs(),
    }
}
