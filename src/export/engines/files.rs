//! Engines that are told in a file or a definition: Step Functions, Conductor, Argo Workflows, GitHub
//! Actions, Google Workflows.

use crate::export::draft::{Draft, go_seconds, seconds};
use crate::export::engine::{By, CapRule, Engine, Form, Grid, Hints, Total, Unless, Volatile};
use crate::export::text::word;
use crate::export::waits::Growth;
use crate::text::concat;
use crate::value::Value;

/// The exit code by which a program says that another attempt can help: that of `EX_TEMPFAIL`.
const TRY_AGAIN: &str = "75";

pub(crate) const STEP_FUNCTIONS: Engine = Engine {
    title: "Step Functions",
    mark: "errors named Retryable",
    counts_retries: true,
    most_attempts: 100_000_000,
    forms: &[Form::Fixed, Form::AnyRatio],
    delay: Grid::seconds(1.0, 99_999_999.0),
    rounds: false,
    cap: CapRule::Optional(Grid::seconds(1.0, 31_622_400.0)),
    code_waits: None,
    timeout: Some(Grid::seconds(1.0, 99_999_999.0)),
    timer: false,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    total: Total::Missing,
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[
        (Unless::Timeout, "99999999 s for an attempt"),
        (Unless::Waits, "3 retries, waiting 1 s, then twice that"),
    ],
    write: step_functions,
    template: include_str!("../text/step-functions.txt"),
};

fn step_functions(draft: &Draft<'_>) -> Value {
    let errors: &[&str] = if draft.on_timeout { &["Retryable", "States.Timeout"] } else { &["Retryable"] };
    let retrier = || {
        Value::List(vec![Value::entries(vec![
            ("ErrorEquals", Some(Value::List(errors.iter().map(|error| (*error).into()).collect()))),
            ("IntervalSeconds", Some(seconds(draft.base))),
            ("BackoffRate", Some(draft.ratio())),
            ("MaxDelaySeconds", draft.cap.filter(|cap| *cap > draft.base).map(seconds)),
            ("MaxAttempts", Some(draft.retries().into())),
            ("JitterStrategy", Some("NONE".into())),
        ])])
    };
    let parameters =
        Value::entries(vec![("FunctionName", Some(draft.name.into())), ("Payload.$", Some("$".into()))]);
    Value::entries(vec![
        ("Type", Some("Task".into())),
        ("Resource", Some("arn:aws:states:::lambda:invoke".into())),
        ("Parameters", Some(parameters)),
        ("TimeoutSeconds", Some(seconds(draft.timeout))),
        ("Retry", draft.tries_again().then(retrier)),
        ("End", Some(Value::Bool(true))),
    ])
}

pub(crate) const CONDUCTOR: Engine = Engine {
    title: "Conductor",
    mark: "those that say `retryable: true`",
    counts_retries: true,
    // The hosted service's bound.
    most_attempts: 11,
    forms: &[Form::Fixed, Form::Linear, Form::Double],
    delay: Grid::SECONDS,
    rounds: false,
    cap: CapRule::Optional(Grid::seconds(1.0, 2_147_483_647.0)),
    code_waits: None,
    timeout: Some(Grid::seconds(1.0, 2_147_483_647.0)),
    timer: true,
    stop_timeouts: By::Code,
    stop_failures: By::Code,
    total: Total::FromSubmit,
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[(Unless::Waits, "3 retries"), (Unless::Retries, "3 retries")],
    write: conductor,
    template: include_str!("../text/conductor.txt"),
};

fn conductor(draft: &Draft<'_>) -> Value {
    let logic = match draft.growth {
        Growth::Linear => "LINEAR_BACKOFF",
        Growth::Ratio(1.0) => "FIXED",
        _ => "EXPONENTIAL_BACKOFF",
    };
    let waits = draft.tries_again();
    let limit = draft.backstop();
    Value::entries(vec![
        ("name", Some(draft.name.into())),
        ("retryCount", Some(draft.retries().into())),
        ("retryLogic", waits.then(|| logic.into())),
        ("retryDelaySeconds", waits.then(|| seconds(draft.base))),
        ("backoffScaleFactor", (draft.growth == Growth::Linear && waits).then_some(Value::Number(1.0))),
        ("maxRetryDelaySeconds", draft.cap.filter(|_| waits).map(seconds)),
        ("timeoutSeconds", Some(seconds(limit))),
        ("responseTimeoutSeconds", Some(seconds(limit))),
        ("timeoutPolicy", Some(if draft.on_timeout { "RETRY" } else { "TIME_OUT_WF" }.into())),
        ("totalTimeoutSeconds", Some(draft.total.map_or(Value::Number(0.0), seconds))),
    ])
}

pub(crate) const ARGO: Engine = Engine {
    title: "Argo Workflows",
    mark: "programs that exit with 75",
    counts_retries: true,
    most_attempts: 2_147_483_647,
    forms: &[Form::Fixed, Form::Double],
    delay: Grid::MS,
    rounds: false,
    cap: CapRule::Optional(Grid::POSITIVE_MS),
    code_waits: None,
    timeout: Some(Grid::seconds(1.0, 2_147_483_647.0)),
    timer: false,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    // It becomes the deadline of all pods but the first.
    total: Total::Soft { clips: false, waits_in_vain: true },
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[],
    write: argo,
    template: include_str!("../text/argo.txt"),
};

fn argo(draft: &Draft<'_>) -> Value {
    let duration = |span: crate::millis::Millis| Value::Text(concat(&[&span.to_string(), "ms"]));
    let factor = if draft.growth == Growth::Ratio(1.0) { "1" } else { "2" };
    let again = concat(&["asInt(lastRetry.exitCode) == ", TRY_AGAIN]);
    let expression =
        if draft.on_timeout { concat(&[&again, " || lastRetry.message contains 'deadline'"]) } else { again };
    let strategy = || {
        Value::entries(vec![
            ("limit", Some(Value::Text(draft.retries().to_string()))),
            ("retryPolicy", Some("Always".into())),
            ("expression", Some(Value::Text(expression))),
            (
                "backoff",
                Some(Value::entries(vec![
                    ("duration", Some(duration(draft.base))),
                    ("factor", Some(factor.into())),
                    ("cap", draft.cap.map(duration)),
                    ("maxDuration", draft.total.map(go_seconds)),
                ])),
            ),
        ])
    };
    Value::entries(vec![
        ("activeDeadlineSeconds", Some(seconds(draft.timeout))),
        ("retryStrategy", draft.tries_again().then(strategy)),
    ])
}

pub(crate) const GITHUB_ACTIONS: Engine = Engine {
    title: "GitHub Actions",
    mark: "programs that exit with 75",
    counts_retries: false,
    most_attempts: 2_147_483_647,
    forms: &[Form::Fixed],
    delay: Grid::seconds(0.0, 2_147_483.0),
    rounds: false,
    cap: CapRule::Missing,
    code_waits: None,
    timeout: Some(Grid::seconds(1.0, 2_147_483.0)),
    timer: false,
    stop_timeouts: By::Setting,
    stop_failures: By::CodeButForTimeouts,
    total: Total::Soft { clips: true, waits_in_vain: true },
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[(Unless::Waits, "a wait of 10 s")],
    write: github_actions,
    template: include_str!("../text/github-actions.txt"),
};

fn github_actions(draft: &Draft<'_>) -> Value {
    const MINUTE: f64 = 60.0;
    let again = draft.tries_again();
    // With an exit code to try again after, timeouts are final unless `any` asks for them.
    let on = if draft.on_timeout { "any" } else { "error" };
    let with = Value::entries(vec![
        ("max_attempts", Some(draft.attempts.into())),
        ("timeout_seconds", Some(seconds(draft.timeout))),
        ("retry_wait_seconds", again.then(|| seconds(draft.base))),
        ("retry_on", again.then(|| on.into())),
        ("retry_on_exit_code", (again && !draft.on_timeout).then_some(Value::Number(75.0))),
        ("command", Some(Value::Text(concat(&["./", &word(draft.name, '-')])))),
    ]);
    Value::entries(vec![
        ("name", Some(draft.name.into())),
        ("timeout-minutes", draft.total.map(|total| Value::Number(total.seconds() / MINUTE))),
        ("uses", Some("nick-fields/retry@v3".into())),
        ("with", Some(with)),
    ])
}

pub(crate) const GOOGLE_WORKFLOWS: Engine = Engine {
    title: "Google Workflows",
    mark: "calls without an answer and those answered with 408, 429 or 5xx",
    counts_retries: true,
    most_attempts: 2_147_483_648,
    forms: &[Form::Fixed, Form::AnyRatio],
    // Its pages count in seconds; broken ones were not seen to be taken.
    delay: Grid::SECONDS,
    rounds: false,
    cap: CapRule::Always(Grid::SECONDS),
    code_waits: None,
    // That of an HTTP call, which is what such a step mostly is.
    timeout: Some(Grid::seconds(1.0, 1_800.0)),
    timer: false,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    total: Total::Missing,
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[(Unless::Timeout, "300 s for a call")],
    write: google_workflows,
    template: include_str!("../text/google-workflows.txt"),
};

fn google_workflows(draft: &Draft<'_>) -> Value {
    let call = Value::entries(vec![
        ("call", Some("http.post".into())),
        (
            "args",
            Some(Value::entries(vec![
                ("url", Some("${url}".into())),
                ("timeout", Some(seconds(draft.timeout))),
            ])),
        ),
        ("result", Some("result".into())),
    ]);
    if !draft.tries_again() {
        return call;
    }
    let backoff = Value::entries(vec![
        ("initial_delay", Some(seconds(draft.base))),
        ("max_delay", Some(seconds(draft.cap.unwrap_or(draft.longest)))),
        ("multiplier", Some(draft.ratio())),
    ]);
    let retry = Value::entries(vec![
        ("predicate", Some("${retryable}".into())),
        ("max_retries", Some(draft.retries().into())),
        ("backoff", Some(backoff)),
    ]);
    Value::entries(vec![("try", Some(call)), ("retry", Some(retry))])
}
