//! Engines that keep a program's state: Temporal, Restate, Cloudflare Workflows, Azure Durable Task,
//! DBOS.

use crate::export::draft::{Draft, seconds};
use crate::export::engine::{By, CapRule, Engine, Form, Grid, Hints, LONGEST_TIMER, Total, Unless, Volatile};
use crate::export::waits::Growth;
use crate::value::Value;

const MOST: u64 = 2_147_483_647;

pub(crate) const TEMPORAL: Engine = Engine {
    title: "Temporal",
    mark: "those that say `retryable: true`",
    counts_retries: false,
    most_attempts: MOST,
    forms: &[Form::Fixed, Form::AnyRatio],
    delay: Grid::POSITIVE_MS,
    rounds: false,
    cap: CapRule::Always(Grid::POSITIVE_MS),
    code_waits: Some(Grid::POSITIVE_MS),
    timeout: Some(Grid::POSITIVE_MS),
    timer: true,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    total: Total::FromSubmit,
    hints: Hints::Always,
    volatile: Volatile::Never,
    defaults: &[
        (Unless::Waits, "a longest wait of 100 times the first"),
        (Unless::Retries, "attempts without end"),
    ],
    write: temporal,
    template: include_str!("../text/temporal.txt"),
};

fn temporal(draft: &Draft<'_>) -> Value {
    let waits = draft.tries_again();
    // What a failure asks for is cut to the longest wait too.
    let cap = draft.cap.unwrap_or(draft.longest).max(draft.base);
    let final_timeouts = || Value::List(vec!["TemporalTimeout:StartToClose".into()]);
    Value::entries(vec![
        ("startToCloseTimeout", Some(draft.backstop().into())),
        ("scheduleToCloseTimeout", draft.total.map(Value::from)),
        (
            "retry",
            Some(Value::entries(vec![
                ("maximumAttempts", Some(draft.attempts.into())),
                ("initialInterval", waits.then(|| draft.base.into())),
                ("backoffCoefficient", waits.then(|| draft.ratio())),
                ("maximumInterval", waits.then(|| cap.into())),
                ("nonRetryableErrorTypes", (waits && !draft.on_timeout).then(final_timeouts)),
            ])),
        ),
    ])
}

pub(crate) const RESTATE: Engine = Engine {
    title: "Restate",
    mark: "those that say `retryable: true`",
    counts_retries: false,
    most_attempts: MOST,
    forms: &[Form::Fixed, Form::AnyRatio],
    delay: Grid::MS,
    rounds: false,
    cap: CapRule::Always(Grid::MS),
    code_waits: Some(Grid::MS),
    timeout: None,
    timer: true,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    total: Total::Code,
    hints: Hints::WithCode,
    volatile: Volatile::Never,
    defaults: &[
        (Unless::Waits, "a longest wait of 10 s"),
        (Unless::Retries, "attempts without end"),
        (Unless::Timeout, "an end to attempts that are silent for a minute"),
    ],
    write: restate,
    template: include_str!("../text/restate.txt"),
};

fn restate(draft: &Draft<'_>) -> Value {
    // A loop of ours makes each attempt a run of its own.
    let loops = draft.by_code || draft.total.is_some();
    let waits = draft.tries_again() && !loops;
    let attempts = if loops { 1 } else { draft.attempts };
    Value::entries(vec![
        ("maxRetryAttempts", Some(attempts.into())),
        ("initialRetryInterval", waits.then(|| draft.base.into())),
        ("retryIntervalFactor", waits.then(|| draft.ratio())),
        ("maxRetryInterval", waits.then(|| draft.cap.unwrap_or(draft.longest).into())),
    ])
}

pub(crate) const CLOUDFLARE: Engine = Engine {
    title: "Cloudflare Workflows",
    mark: "those that say `retryable: true`",
    counts_retries: true,
    most_attempts: MOST,
    forms: &[Form::Fixed, Form::Linear, Form::Double],
    delay: Grid::MS,
    rounds: false,
    cap: CapRule::Missing,
    code_waits: Some(Grid::MS),
    timeout: Some(Grid::POSITIVE_MS),
    timer: true,
    stop_timeouts: By::Code,
    stop_failures: By::Code,
    total: Total::Missing,
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[(Unless::Timeout, "10 minutes for an attempt"), (Unless::Retries, "5 retries")],
    write: cloudflare,
    template: include_str!("../text/cloudflare.txt"),
};

fn cloudflare(draft: &Draft<'_>) -> Value {
    let growth = match draft.growth {
        Growth::Linear => "linear",
        Growth::Ratio(1.0) => "constant",
        _ => "exponential",
    };
    let retries = Value::entries(vec![
        ("limit", Some(draft.retries().into())),
        ("delay", Some(draft.base.into())),
        ("backoff", Some(growth.into())),
    ]);
    Value::entries(vec![("retries", Some(retries)), ("timeout", Some(draft.backstop().into()))])
}

pub(crate) const AZURE_DURABLE: Engine = Engine {
    title: "Durable Task",
    mark: "those that say `retryable: true`",
    counts_retries: false,
    most_attempts: MOST,
    forms: &[Form::Fixed, Form::AnyRatio],
    delay: Grid::POSITIVE_MS,
    rounds: false,
    cap: CapRule::Always(Grid::POSITIVE_MS),
    code_waits: Some(Grid::MS),
    timeout: None,
    timer: true,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    total: Total::Soft { clips: false, waits_in_vain: false },
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[(Unless::Waits, "a longest wait of 1 hour")],
    write: azure_durable,
    template: include_str!("../text/azure-durable.txt"),
};

fn azure_durable(draft: &Draft<'_>) -> Value {
    if !draft.tries_again() {
        // Without a policy there is one attempt.
        return Value::Map(Vec::new());
    }
    if draft.by_code {
        return Value::entries(vec![("maxNumberOfAttempts", Some(draft.attempts.into()))]);
    }
    Value::entries(vec![
        ("maxNumberOfAttempts", Some(draft.attempts.into())),
        ("firstRetryIntervalInMilliseconds", Some(draft.base.into())),
        ("backoffCoefficient", Some(draft.ratio())),
        ("maxRetryIntervalInMilliseconds", Some(draft.cap.unwrap_or(draft.longest).max(draft.base).into())),
        // It must not be below the first wait; that one fits, or there would be no second attempt.
        ("retryTimeoutInMilliseconds", draft.total.map(Value::from)),
    ])
}

pub(crate) const DBOS: Engine = Engine {
    title: "DBOS",
    mark: "those that say `retryable: true`",
    counts_retries: false,
    most_attempts: MOST,
    forms: &[Form::Fixed, Form::AnyRatio],
    delay: Grid { most: LONGEST_TIMER, ..Grid::ANY },
    rounds: false,
    cap: CapRule::Fixed(3_600_000.0),
    code_waits: None,
    timeout: Some(Grid { least: 1.0, ..Grid::TIMER }),
    timer: false,
    stop_timeouts: By::Code,
    stop_failures: By::Code,
    total: Total::Missing,
    hints: Hints::Never,
    volatile: Volatile::Always,
    defaults: &[(Unless::Waits, "a first wait of 1 s that doubles")],
    write: dbos,
    template: include_str!("../text/dbos.txt"),
};

fn dbos(draft: &Draft<'_>) -> Value {
    let waits = draft.tries_again();
    Value::entries(vec![
        ("retriesAllowed", Some(Value::Bool(waits))),
        ("maxAttempts", waits.then(|| draft.attempts.into())),
        ("intervalSeconds", waits.then(|| seconds(draft.base))),
        ("backoffRate", waits.then(|| draft.ratio())),
        ("timeoutMS", Some(draft.timeout.into())),
    ])
}
