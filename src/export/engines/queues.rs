//! Engines that hand jobs to workers: BullMQ, Inngest, Trigger.dev, Hatchet, pg-boss, graphile-worker.

use crate::export::draft::{Draft, go_seconds, seconds};
use crate::export::engine::{By, CapRule, Engine, Form, Grid, Hints, Total, Unless, Volatile};
use crate::export::waits::Growth;
use crate::value::Value;

const MOST: u64 = 2_147_483_647;

pub(crate) const BULLMQ: Engine = Engine {
    title: "BullMQ",
    mark: "those that say `retryable: true`",
    counts_retries: false,
    most_attempts: MOST,
    forms: &[Form::Fixed, Form::Double],
    delay: Grid::MS,
    rounds: true,
    cap: CapRule::Missing,
    code_waits: Some(Grid::MS),
    timeout: None,
    timer: true,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    total: Total::Code,
    hints: Hints::WithCode,
    volatile: Volatile::Idempotent,
    defaults: &[],
    write: bullmq,
    template: include_str!("../text/bullmq.txt"),
};

fn bullmq(draft: &Draft<'_>) -> Value {
    let kind = match (draft.by_code, draft.growth) {
        (true, _) => "custom",
        (_, Growth::Ratio(1.0)) => "fixed",
        _ => "exponential",
    };
    let backoff = || {
        let delay = (!draft.by_code).then(|| draft.base.into());
        Value::entries(vec![("type", Some(kind.into())), ("delay", delay)])
    };
    Value::entries(vec![
        ("attempts", Some(draft.attempts.into())),
        ("backoff", draft.tries_again().then(backoff)),
    ])
}

pub(crate) const INNGEST: Engine = Engine {
    title: "Inngest",
    mark: "those that say `retryable: true`",
    counts_retries: true,
    most_attempts: 21,
    forms: &[],
    delay: Grid::MS,
    rounds: false,
    cap: CapRule::Missing,
    code_waits: Some(Grid::MS),
    timeout: None,
    timer: true,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    // The run is cancelled at the limit, attempt and all.
    total: Total::Soft { clips: true, waits_in_vain: true },
    hints: Hints::Always,
    volatile: Volatile::Never,
    defaults: &[(Unless::Retries, "4 retries")],
    write: inngest,
    template: include_str!("../text/inngest.txt"),
};

fn inngest(draft: &Draft<'_>) -> Value {
    let timeouts = draft.total.map(|total| Value::entries(vec![("finish", Some(go_seconds(total)))]));
    Value::entries(vec![("retries", Some(draft.retries().into())), ("timeouts", timeouts)])
}

pub(crate) const TRIGGER_DEV: Engine = Engine {
    title: "Trigger.dev",
    mark: "those that say `retryable: true`",
    counts_retries: false,
    most_attempts: MOST,
    forms: &[Form::Fixed, Form::AnyRatio],
    delay: Grid::MS,
    rounds: true,
    cap: CapRule::Always(Grid::MS),
    code_waits: Some(Grid::MS),
    timeout: None,
    timer: true,
    stop_timeouts: By::Setting,
    stop_failures: By::Code,
    total: Total::Missing,
    hints: Hints::WithCode,
    volatile: Volatile::Never,
    defaults: &[(Unless::Waits, "waits spread at random, of 60 s at most"), (Unless::Retries, "3 attempts")],
    write: trigger_dev,
    template: include_str!("../text/trigger-dev.txt"),
};

fn trigger_dev(draft: &Draft<'_>) -> Value {
    let waits = draft.tries_again();
    let retry = Value::entries(vec![
        ("maxAttempts", Some(draft.attempts.into())),
        ("minTimeoutInMs", waits.then(|| draft.base.into())),
        ("maxTimeoutInMs", waits.then(|| draft.cap.unwrap_or(draft.longest).into())),
        ("factor", waits.then(|| draft.ratio())),
        ("randomize", waits.then_some(Value::Bool(false))),
    ]);
    Value::entries(vec![("retry", Some(retry))])
}

pub(crate) const HATCHET: Engine = Engine {
    title: "Hatchet",
    mark: "those that say `retryable: true`",
    counts_retries: true,
    most_attempts: MOST,
    forms: &[Form::Power, Form::Immediate],
    delay: Grid::seconds(1.0, 2_147_483_647.0),
    rounds: false,
    cap: CapRule::Optional(Grid::seconds(1.0, 2_147_483_647.0)),
    code_waits: None,
    timeout: Some(Grid::seconds(1.0, 2_147_483_647.0)),
    timer: true,
    stop_timeouts: By::Code,
    stop_failures: By::Code,
    total: Total::Missing,
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[(Unless::Timeout, "60 s for an attempt")],
    write: hatchet,
    template: include_str!("../text/hatchet.txt"),
};

fn hatchet(draft: &Draft<'_>) -> Value {
    let backoff = || {
        Value::entries(vec![("factor", Some(seconds(draft.base))), ("maxSeconds", draft.cap.map(seconds))])
    };
    let waits = draft.tries_again() && draft.growth == Growth::Power;
    Value::entries(vec![
        ("retries", Some(draft.retries().into())),
        ("backoff", waits.then(backoff)),
        ("executionTimeout", Some(go_seconds(draft.backstop()))),
    ])
}

pub(crate) const PG_BOSS: Engine = Engine {
    title: "pg-boss",
    mark: "those that say `retryable: true`",
    counts_retries: true,
    most_attempts: MOST,
    forms: &[Form::Fixed, Form::Spread],
    delay: Grid::SECONDS,
    rounds: false,
    cap: CapRule::Missing,
    code_waits: None,
    // Below 24 hours, the later limit included.
    timeout: Some(Grid::seconds(1.0, 86_390.0)),
    timer: true,
    stop_timeouts: By::Code,
    stop_failures: By::Code,
    total: Total::Missing,
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[(Unless::Timeout, "15 minutes for an attempt"), (Unless::Retries, "2 retries")],
    write: pg_boss,
    template: include_str!("../text/pg-boss.txt"),
};

fn pg_boss(draft: &Draft<'_>) -> Value {
    let waits = draft.tries_again();
    Value::entries(vec![
        ("retryLimit", Some(draft.retries().into())),
        ("retryDelay", waits.then(|| seconds(draft.base))),
        ("retryBackoff", waits.then(|| Value::Bool(draft.growth == Growth::Spread))),
        ("expireInSeconds", Some(seconds(Grid::seconds(1.0, 86_399.0).place(draft.backstop())))),
    ])
}

pub(crate) const GRAPHILE_WORKER: Engine = Engine {
    title: "graphile-worker",
    mark: "those that say `retryable: true`",
    counts_retries: false,
    most_attempts: 32_767,
    forms: &[Form::Natural],
    delay: Grid::ANY,
    rounds: false,
    cap: CapRule::Missing,
    code_waits: None,
    timeout: None,
    timer: true,
    // A job cannot say that its failure is final.
    stop_timeouts: By::Nothing,
    stop_failures: By::Nothing,
    total: Total::Missing,
    hints: Hints::Never,
    volatile: Volatile::Never,
    defaults: &[(Unless::Retries, "25 attempts")],
    write: graphile_worker,
    template: include_str!("../text/graphile-worker.txt"),
};

fn graphile_worker(draft: &Draft<'_>) -> Value {
    Value::entries(vec![("maxAttempts", Some(draft.attempts.into()))])
}
