//! One value of each type that crosses the border, as the border writes it, kept in a file:
//! `tests/types/golden.json`. `full` has every field, `bare` none that may be absent and `null` wherever
//! there can be one, `words` is each closed set of words, `snapshots` are of a run in each of its states. `tests/node/golden.test.mjs` holds the file
//! against the types in TypeScript, so that neither side can change alone.
//!
//! After a change on purpose: `STEP_RETRY_GOLDEN=write cargo test --test golden`.
#![allow(clippy::unwrap_used)]

use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use step_retry::advice::Advice;
use step_retry::argument::Misuse;
use step_retry::backoff::Shape;
use step_retry::check::{Diagnostic, Edit, Fix, Heading, Related, Report, StepSummary};
use step_retry::codes::Severity;
use step_retry::export::import::{Imported, Note, NoteCode, Source};
use step_retry::export::{Export, Loss, LossCode, Target, Verdict, WaitRow};
use step_retry::failure::{Category, Failure};
use step_retry::fleet::FleetLoad;
use step_retry::jitter::Jitter;
use step_retry::json;
use step_retry::millis::Millis;
use step_retry::named::Named;
use step_retry::plan::{Band, Plan, PlanRow};
use step_retry::policy::{BudgetMode, RetryBlock, StepLimits};
use step_retry::run::{
    AttemptRecord, AttemptStatus, ExhaustedBy, HintPolicy, Outcome, RunError, RunOptions, RunResult,
    StepRecord, StepRun, event,
};
use step_retry::value::{PathItem, Value};
use step_retry::workflow::{Position, Range};

#[test]
fn what_crosses_the_border_is_as_the_file_has_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/types/golden.json");
    let golden = json!({
        "full": values(&full()),
        "bare": values(&bare()),
        "snapshots": parsed(&told(&Value::List(snapshots()))),
        "words": words(),
    });
    let text = serde_json::to_string_pretty(&golden).unwrap() + "\n";
    if std::env::var("STEP_RETRY_GOLDEN").is_ok_and(|wish| wish == "write") {
        std::fs::write(path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().zip(kept.lines()).position(|(now, kept)| now != kept);
    assert!(text == kept, "{path} is of another core than this one, from line {line:?} on (counted from 0)");
}

fn values(list: &[(&str, String)]) -> Json {
    let entries = list.iter().map(|(name, text)| ((*name).to_owned(), parsed(text)));
    Json::Object(entries.collect::<Map<_, _>>())
}

fn parsed(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

/// As the border tells a value.
fn told(value: &impl Serialize) -> String {
    json::text(value)
}

fn full() -> Vec<(&'static str, String)> {
    vec![
        ("Report", told(&report())),
        ("Plan", told(&plan())),
        ("PlanRow", told(&plan_row())),
        ("RawResult", told(&result())),
        ("Failure", told(&failure().to_value())),
        ("RawDecision", told(&Value::List(decisions()))),
        ("RunEvent", told(&Value::List(events()))),
        ("FleetLoad", told(&load(Some(1.5)))),
        ("PolicyExport", told(&export())),
        ("PolicyImport", told(&Imported { step: limits(), notes: vec![note(Some("retries"))] })),
        ("Refusal", told(&misuse(vec!["step".into(), PathItem::Index(2)]))),
    ]
}

fn bare() -> Vec<(&'static str, String)> {
    vec![
        ("Report", told(&bare_report())),
        ("WorkflowHeading", told(&bare_heading())),
        ("Plan", told(&bare_plan())),
        ("PlanRow", told(&PlanRow { timeout_ms: None, clipped_to_ms: None, reason: None, ..plan_row() })),
        ("RawResult", told(&RunResult { ok: true, error: None, record: bare_record() })),
        ("Failure", told(&Failure { category: None, retry_after: None, ..failure() }.to_value())),
        ("RawDecision", told(&Value::List(bare_decisions()))),
        ("RunEvent", told(&Value::List(bare_events()))),
        ("FleetLoad", told(&load(None))),
        ("PolicyExport", told(&bare_export())),
        ("PolicyImport", told(&Imported { step: StepLimits::default(), notes: vec![note(None)] })),
        ("Refusal", told(&misuse(Vec::new()))),
    ]
}

// ---- Check ----

fn range() -> Range {
    let start = Position { line: 7, column: 5, offset: 81 };
    Range { start, end: Position { line: 7, column: 11, offset: 87 } }
}

fn report() -> Report {
    Report {
        valid: false,
        diagnostics: vec![Diagnostic {
            code: "UNKNOWN_RETRY_KEY",
            severity: Severity::Warning,
            message: "unknown key".into(),
            step: Some("fetch".into()),
            key: Some("backof".into()),
            path: vec![PathItem::Key("steps".into()), PathItem::Index(0)],
            range: range(),
            related: vec![Related { range: range(), message: "the other one" }],
            suggestion: Some("backoff".into()),
            fixes: vec![Fix {
                title: "Rename it".into(),
                edits: vec![Edit { range: range(), new_text: "backoff".into() }],
            }],
            docs: "unknown_retry_key".into(),
        }],
        summary: "Invalid workflow: …".into(),
        workflow: Some(Heading {
            id: Some("w".into()),
            version: Some(1.0),
            description: Some("W".into()),
            extension_keys: vec!["x-own".into()],
        }),
        steps: vec![StepSummary {
            name: "fetch".into(),
            execution: Some("auto".into()),
            range: range(),
            limits: Some(limits()),
            plan: Some(plan()),
        }],
    }
}

fn bare_report() -> Report {
    let mut report = report();
    for diagnostic in &mut report.diagnostics {
        *diagnostic =
            Diagnostic { step: None, key: None, related: Vec::new(), suggestion: None, ..diagnostic.clone() };
    }
    report.workflow = None;
    for step in &mut report.steps {
        *step = StepSummary { execution: None, limits: None, plan: None, ..step.clone() };
    }
    report
}

fn bare_heading() -> Heading {
    Heading { id: None, version: None, description: None, extension_keys: Vec::new() }
}

// ---- Plan ----

fn limits() -> StepLimits {
    StepLimits {
        timeout_seconds: Some(2.0),
        idempotent: Some(true),
        retry: Some(RetryBlock {
            max_attempts: Some(3.0),
            backoff: Some(Shape::Linear),
            base_delay_ms: Some(1.5),
            max_delay_ms: Some(1000.0),
            on_timeout: Some(true),
            total_timeout_seconds: Some(3.0),
        }),
    }
}

fn advice() -> Advice {
    Advice {
        code: "RETRY_NO_TIMEOUT",
        severity: Severity::Info,
        message: "no timeout".into(),
        step: "fetch".into(),
        key: Some("retry".into()),
        path: vec![PathItem::Key("retry".into())],
        docs: "retry_no_timeout".into(),
    }
}

fn plan() -> Plan {
    let ms = Some(Millis::saturating(2000.0));
    Plan {
        max_attempts: 3.0,
        reachable_attempts: 2.0,
        attempt_timeout_ms: ms,
        budget_ms: ms,
        budget_source: "declared",
        total_wait_ms: Millis::saturating(4.5),
        worst_case_ms: ms,
        latest_end_ms: ms,
        max_calls: 9.0,
        advice: vec![advice()],
    }
}

fn bare_plan() -> Plan {
    Plan {
        attempt_timeout_ms: None,
        budget_ms: None,
        budget_source: "none",
        worst_case_ms: None,
        latest_end_ms: None,
        advice: vec![Advice { key: None, ..advice() }],
        ..plan()
    }
}

fn plan_row() -> PlanRow {
    let ms = Millis::saturating;
    PlanRow {
        attempt: 2.0,
        wait_before_ms: Band { min: ms(0.0), expected: ms(0.75), max: ms(1.5) },
        start_ms: ms(2001.5),
        timeout_ms: Some(ms(998.5)),
        clipped_to_ms: Some(ms(998.5)),
        reachable: false,
        reason: Some("too late".into()),
    }
}

fn load(overload: Option<f64>) -> FleetLoad {
    FleetLoad {
        bucket_ms: Millis::saturating(1000.0),
        // Arrays of numbers go over the border by themselves.
        calls: vec![3.0],
        served: vec![2.0],
        refused: vec![1.0],
        capacity: vec![2.0],
        attempts: 3.0,
        succeeded: 2.0,
        gave_up: 1.0,
        peak: 3.0,
        peak_at_ms: Millis::ZERO,
        overload,
        done_at_ms: Millis::saturating(10.0),
    }
}

// ---- Run ----

fn failure() -> Failure {
    let retry_after = Some(Millis::saturating(7.0));
    Failure { category: Some(Category::Temporary), retry_after, ..Failure::new("BUSY", "busy", true) }
}

fn attempt() -> AttemptRecord {
    let ms = Millis::saturating;
    AttemptRecord {
        attempt: 3,
        of: 3,
        status: AttemptStatus::Error,
        started_at_ms: ms(10.0),
        duration_ms: ms(5.0),
        error: Some((&failure()).into()),
        effective_timeout_seconds: Some(2.0),
        clipped_to_ms: Some(ms(1990.0)),
        wait_before_ms: ms(3.0),
        late_ms: Some(ms(0.5)),
        cost: Some(0.25),
        evidence_hash: Some("44136fa3".into()),
        exhausted_by: Some(ExhaustedBy::Attempts),
    }
}

fn result() -> RunResult {
    let exhausted_by = Some(ExhaustedBy::Attempts);
    RunResult {
        ok: false,
        error: Some(Box::new(RunError {
            code: "STEP_RETRY_EXHAUSTED".into(),
            message: "given up".into(),
            retryable: false,
            attempts: 3,
            exhausted_by,
            cause: Some(failure().into()),
        })),
        record: StepRecord {
            step: "fetch".into(),
            task_id: Some("t".into()),
            outcome: Outcome::Failed,
            attempts: [attempt()].into(),
            attempts_omitted: Some(2),
            exhausted_by,
            elapsed_ms: Millis::saturating(15.0),
            waited_ms: Millis::saturating(4.0),
            cost: Some(0.5),
        },
    }
}

fn bare_record() -> StepRecord {
    let attempt = AttemptRecord {
        error: None,
        effective_timeout_seconds: None,
        clipped_to_ms: None,
        late_ms: None,
        cost: None,
        evidence_hash: None,
        exhausted_by: None,
        ..attempt()
    };
    StepRecord {
        task_id: None,
        attempts: [attempt].into(),
        attempts_omitted: None,
        exhausted_by: None,
        cost: None,
        ..result().record
    }
}

fn options() -> RunOptions {
    RunOptions {
        name: "fetch".into(),
        task_id: Some("t".into()),
        jitter: Jitter::Full,
        seed: 7.0,
        mode: BudgetMode::Clip,
        budget: Some(Millis::saturating(1500.0)),
        retry_after: HintPolicy::Clamp,
        retry_after_cap: Some(Millis::saturating(500.0)),
        hash: true,
        record_limit: Some(5),
    }
}

/// Nothing limits an attempt.
fn bare_options() -> RunOptions {
    RunOptions { mode: BudgetMode::Gate, ..RunOptions::default() }
}

/// At `ms` on the run's clock.
fn at(ms: f64) -> Millis {
    Millis::saturating(ms)
}

/// A run whose attempt 1 has begun.
fn begun(limits: &StepLimits, options: &RunOptions) -> StepRun {
    let mut run = StepRun::new(limits.clone(), options.clone());
    run.next(at(0.0));
    run.begin(at(0.0)).unwrap();
    run
}

/// Each kind of decision, the end being one with all that an end can tell.
fn decisions() -> Vec<Value> {
    let options = RunOptions { record_limit: Some(1), jitter: Jitter::None, ..options() };
    let retry = limits().retry.map(|retry| RetryBlock { max_attempts: Some(2.0), ..retry });
    let mut run = StepRun::new(StepLimits { retry, ..limits() }, options);
    let mut told = vec![run.tell_next(at(0.0))];
    run.begin(at(0.0)).unwrap();
    told.push(run.tell_next(at(1.0)));
    run.fail(at(2.0), failure()).unwrap();
    told.push(run.tell_next(at(2.0)));
    run.next(at(20.0));
    run.begin(at(20.0)).unwrap();
    run.report_cost(0.25).unwrap();
    run.fail(at(25.0), failure()).unwrap();
    told.push(run.tell_next(at(25.0)));
    told
}

/// The same with as little as there can be.
fn bare_decisions() -> Vec<Value> {
    let mut run = StepRun::new(StepLimits::default(), bare_options());
    let mut told = vec![run.tell_next(at(0.0))];
    run.begin(at(0.0)).unwrap();
    told.push(run.tell_next(at(1.0)));
    run.succeed(at(2.0), None).unwrap();
    told.push(run.tell_next(at(2.0)));
    told
}

/// Each kind of event.
fn events() -> Vec<Value> {
    let begun = || begun(&limits(), &options());
    let (mut given_up, mut succeeded, mut aborted) = (begun(), begun(), begun());
    let mut told = vec![event::begun(&given_up)];
    given_up.fail(at(2.0), failure()).unwrap();
    told.extend([event::failed(&given_up), event::waiting(&given_up)]);
    given_up.deny(at(2.0)).unwrap();
    succeeded.succeed(at(2.0), None).unwrap();
    aborted.abort(at(2.0), Some("enough")).unwrap();
    told.extend([&given_up, &succeeded, &aborted].map(event::ended));
    told.into_iter().map(Option::unwrap).collect()
}

/// The same with as little as there can be.
fn bare_events() -> Vec<Value> {
    let retry = RetryBlock { max_attempts: Some(2.0), ..RetryBlock::default() };
    let limits = StepLimits { retry: Some(retry), ..StepLimits::default() };
    let begun = || begun(&limits, &bare_options());
    let (mut failed, mut succeeded, mut aborted) = (begun(), begun(), begun());
    let failure = |retryable| Failure::new("BUSY", "busy", retryable);
    let mut told = vec![event::begun(&failed)];
    failed.fail(at(2.0), failure(true)).unwrap();
    told.extend([event::failed(&failed), event::waiting(&failed)]);
    failed.next(at(2.0));
    failed.begin(at(2.0)).unwrap();
    failed.fail(at(3.0), failure(false)).unwrap();
    succeeded.succeed(at(2.0), None).unwrap();
    aborted.abort(at(2.0), None).unwrap();
    told.extend([&failed, &succeeded, &aborted].map(event::ended));
    told.into_iter().map(Option::unwrap).collect()
}

/// A run in each of its states.
fn snapshots() -> Vec<Value> {
    let mut run = StepRun::new(limits(), options());
    run.next(at(0.0));
    let mut told = vec![run.snapshot()];
    run.begin(at(0.0)).unwrap();
    run.report_cost(0.5).unwrap();
    told.push(run.snapshot());
    run.fail(at(2.0), failure()).unwrap();
    told.push(run.snapshot());
    run.abort(at(3.0), Some("enough")).unwrap();
    told.push(run.snapshot());
    told
}

// ---- Other engines ----

fn export() -> Export {
    let loss = Loss {
        code: LossCode::DelayRounded,
        verdict: Verdict::Approximate,
        message: "whole seconds only".into(),
        wait: Some(1),
        ours: Some(Millis::saturating(1.5)),
        theirs: Some(Millis::saturating(1000.0)),
    };
    Export {
        value: Value::Map(vec![("retries".into(), Value::Number(2.0))]),
        text: "retries = 2".into(),
        verdict: Verdict::Approximate,
        losses: vec![loss],
        waits: vec![WaitRow { wait: 1.0, ours_ms: 1.5, theirs_ms: 1000.0, theirs_max_ms: Some(2000.0) }],
    }
}

fn bare_export() -> Export {
    let mut export = export();
    for loss in &mut export.losses {
        *loss = Loss { wait: None, ours: None, theirs: None, ..loss.clone() };
    }
    for row in &mut export.waits {
        row.theirs_max_ms = None;
    }
    export
}

fn note(key: Option<&str>) -> Note {
    Note { code: NoteCode::SettingDropped, message: "not read".into(), key: key.map(str::to_owned) }
}

fn misuse(path: Vec<PathItem>) -> Misuse {
    Misuse::at(path, "INVALID_ARGUMENT", "must be an object".into())
}

// ---- Words ----

fn words() -> Json {
    let severities = [Severity::Error, Severity::Warning, Severity::Info].map(Severity::name);
    json!({
        "AttemptStatus": AttemptStatus::WORDS,
        "Backoff": Shape::WORDS,
        "BudgetMode": BudgetMode::WORDS,
        "ExhaustedBy": ExhaustedBy::WORDS,
        "ExportTarget": Target::WORDS,
        "ExportVerdict": Verdict::WORDS,
        "FailureCategory": Category::WORDS,
        "ImportSource": Source::WORDS,
        "Jitter": Jitter::WORDS,
        "LossCode": LossCode::WORDS,
        "NoteCode": NoteCode::WORDS,
        "Outcome": Outcome::WORDS,
        "RetryAfterPolicy": HintPolicy::WORDS,
        "Severity": severities,
    })
}
