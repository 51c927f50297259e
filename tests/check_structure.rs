//! Rules about the file as a whole, its steps and their blocks: what is told, and at which characters.
#![allow(clippy::unwrap_used)]

use step_retry::check::{Options, check};

/// Each diagnostic as `CODE [the characters it covers] the end of its text`.
fn told(source: &str) -> Vec<String> {
    let report = check(source, &Options::default());
    let units: Vec<u16> = source.encode_utf16().collect();
    let covered = |d: &step_retry::check::Diagnostic| {
        let range = d.range.start.offset as usize..d.range.end.offset as usize;
        String::from_utf16(&units[range]).unwrap()
    };
    report.diagnostics.iter().map(|d| format!("{} [{}] {}", d.code, covered(d), d.message)).collect()
}

fn holds(source: &str, expected: &[&str]) {
    let told = told(source);
    let fits = |(told, expected): (&String, &&str)| match expected.split_once(" … ") {
        Some((front, back)) => told.starts_with(front) && told.ends_with(back),
        None => told == expected,
    };
    let all = told.len() == expected.len() && told.iter().zip(expected).all(fits);
    assert!(all, "{source}\ntold:\n{}\nexpected:\n{}", told.join("\n"), expected.join("\n"));
}

const HEAD: &str = "id: w\nname: W\nversion: 1\nsteps:\n  a: {description: d, execution: auto, handler: h}\n";

#[test]
fn the_file_itself() {
    for (source, expected) in [
        ("", &["WORKFLOW_NOT_A_MAP [] Workflow must be a non-null object"][..]),
        ("# nothing yet\n", &["WORKFLOW_NOT_A_MAP [] Workflow must be a non-null object"]),
        ("just text\n", &["WORKFLOW_NOT_A_MAP [just text] Workflow must be a non-null object"]),
        ("42\n", &["WORKFLOW_NOT_A_MAP [42] Workflow must be a non-null object"]),
        (
            "x-a: 1\n",
            &[
                "MISSING_FIELD [x-a] Missing required field: 'id'",
                "MISSING_FIELD [x-a] Missing required field: 'name'",
                "MISSING_FIELD [x-a] Missing required field: 'version'",
                "MISSING_FIELD [x-a] Missing required field: 'steps'",
            ],
        ),
        ("id: ~\nname: ~\nversion: .nan\nsteps: {}\n", &[]),
        ("id: w\nname: W\nversion: one\nsteps: {}\n", &["INVALID_VERSION [one] 'version' must be a number"]),
        ("id: w\nname: W\nversion:\nsteps: {}\n", &["INVALID_VERSION [version] 'version' must be a number"]),
        (
            "id: w\nname: W\nversion: 1\nsteps:\n",
            &["INVALID_STEPS [steps] 'steps' must be a non-null object"],
        ),
        (
            "id: w\nname: W\nversion: 1\nsteps: []\n",
            &["INVALID_STEPS [[]] 'steps' must be a non-null object"],
        ),
        (
            "id: w\nname: W\nversion: '1'\nsteps: {a: {retry: 1, bogus: 2}}\n",
            &["INVALID_VERSION ['1'] 'version' must be a number"],
        ),
        (
            "id: 7\nname: W\nversion: 1\nsteps: {}\norigin: x\n",
            &[
                "UNKNOWN_WORKFLOW_KEY [origin] workflow '<unknown>': unknown key 'origin' (line 5) — ignored (not a recognized workflow field).",
            ],
        ),
        (
            "id: w\nname: W\nversion: 1\nsteps: {}\nX-team: a\nX-REALM-a: 1\n",
            &[
                "UNKNOWN_WORKFLOW_KEY [X-team] workflow 'w': unknown key 'X-team' (line 5) — … rename it.",
                "UNKNOWN_WORKFLOW_KEY [X-REALM-a] workflow 'w': unknown key 'X-REALM-a' (line 6) — … choose another one.",
            ],
        ),
    ] {
        holds(source, expected);
    }
}

#[test]
fn steps_and_their_names() {
    for (steps, expected) in [
        (
            "  context: {description: d, execution: auto}\n",
            &[
                "RESERVED_STEP_NAME [context] Step name 'context' is reserved and cannot be used as a step identifier",
            ][..],
        ),
        (
            "  $settlement: {description: d, execution: auto}\n",
            &[
                "RESERVED_STEP_NAME [$settlement] Step name '$settlement' is reserved and cannot be used as a step identifier",
            ],
        ),
        ("  constructor: {description: d, execution: auto, handler: h}\n", &[]),
        (
            "  01: {description: d, execution: auto, handler: h}\n",
            &["INTEGER_STEP_NAME [01] Step name '1' is invalid: integer-like … Use a non-numeric name."],
        ),
        ("  '01': {description: d, execution: auto, handler: h}\n", &[]),
        ("  b: []\n", &["STEP_NOT_A_MAP [[]] Step 'b' must be an object (step at line 6)"]),
        ("  b:\n", &["STEP_NOT_A_MAP [b] Step 'b' must be an object (step at line 6)"]),
        (
            "  b: {}\n",
            &[
                "MISSING_FIELD [b] Step 'b': missing required field 'description' (step at line 6)",
                "MISSING_FIELD [b] Step 'b': missing required field 'execution' (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: Auto, tools: [x]}\n",
            &[
                "INVALID_EXECUTION [Auto] Step 'b': invalid execution value 'Auto'; must be 'auto', 'agent', 'guard', or 'finalizer' (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: }\n",
            &[
                "INVALID_EXECUTION [execution] Step 'b': invalid execution value 'null'; must be 'auto', 'agent', 'guard', or 'finalizer' (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: [auto, guard]}\n",
            &[
                "INVALID_EXECUTION [[auto, guard]] Step 'b': invalid execution value 'auto,guard'; must be … (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: guard}\n",
            &[
                "GUARD_NEEDS_ABORT_UNLESS [b] Step 'b': execution: guard requires 'abort_unless' (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: finalizer}\n",
            &[
                "FINALIZER_NEEDS_HANDLER [b] Step 'b': execution: finalizer requires 'handler' (handler-only in v1) (step at line 6)",
                "FINALIZER_NEEDS_ON_OUTCOME [b] Step 'b': execution: finalizer requires 'on_outcome' (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: finalizer, handler: h, on_outcome: []}\n",
            &["INVALID_VALUE [[]] Step 'b': 'on_outcome' must name at least one outcome (step at line 6)"],
        ),
        (
            "  b: {description: d, execution: finalizer, handler: h, on_outcome: [fail, maybe, 3]}\n",
            &[
                "INVALID_VALUE [maybe] Step 'b': invalid on_outcome value 'maybe'; must be one of complete, fail, abort, always, completed_with_failed_steps (step at line 6)",
                "INVALID_VALUE [3] Step 'b': invalid on_outcome value '3'; … (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: auto, handler: h, x-note: 1}\n",
            &["UNKNOWN_STEP_KEY [x-note] step 'b': unknown key 'x-note' (line 6) — … move it there."],
        ),
        (
            "  b: {description: d, execution: auto, handler: h, trust: robot}\n",
            &[
                "INVALID_VALUE [robot] Step 'b': invalid trust value 'robot'; must be one of auto, human_confirmed, human_reviewed (line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: finalizer, handler: h, on_outcome: fail, trust: human_confirmed}\n",
            &[
                "INVALID_VALUE [human_confirmed] Step 'b': invalid trust value 'human_confirmed'; must be auto on execution: finalizer steps — … (line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: auto, handler: h, trigger_rule: any}\n",
            &[
                "INVALID_VALUE [any] Step 'b': invalid trigger_rule value 'any'; must be one of all_success, all_failed, all_done, one_failed, one_success, none_failed (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: agent, max_tool_calls: 0, max_fan_out: 1.5, tools: [x], tool_timeout: -1}\n",
            &[
                "INVALID_VALUE [0] Step 'b': 'max_tool_calls' must be a positive integer (step at line 6)",
                "INVALID_VALUE [1.5] Step 'b': 'max_fan_out' must be a positive integer (step at line 6)",
                "INVALID_VALUE [-1] Step 'b': 'tool_timeout' must be a positive integer (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: auto, handler: h, llm_timeout_seconds: 0}\n",
            &[
                "KEY_NOT_ALLOWED [llm_timeout_seconds] Step 'b': 'llm_timeout_seconds' is only valid on execution: agent steps — … (line 6)",
                "INVALID_VALUE [0] Step 'b': 'llm_timeout_seconds' must be a positive integer (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: agent, tools: [], tool_timeout: 0}\n",
            &[
                "TOOL_TIMEOUT_NEEDS_TOOLS [tool_timeout] Step 'b': 'tool_timeout' requires 'tools' (a declared, non-empty list) — … (line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: agent, input_schema: {}, output_schema: {}}\n",
            &["DUAL_SCHEMA_DECLARED [output_schema] Step 'b': declares both … keep 'output_schema'."],
        ),
        (
            "  b: {description: d, execution: agent, validation_exhaustion: {treshold: 2, default_output: {}}}\n",
            &[
                "UNKNOWN_VALIDATION_EXHAUSTION_KEY [treshold] step 'b': unknown key 'treshold' (line 6) — ignored (did you mean 'threshold'?)",
                "DEAD_VALIDATION_EXHAUSTION_CONFIG [default_output] Step 'b': 'validation_exhaustion.default_output' is ignored … remove 'validation_exhaustion.default_output'.",
            ],
        ),
    ] {
        holds(&format!("{HEAD}{steps}"), expected);
    }
}

#[test]
fn which_step_comes_first() {
    for (steps, expected) in [
        (
            "  b: {description: d, execution: agent, depends_on: [a, c]}\n",
            &[
                "UNKNOWN_DEPENDENCY [c] Step 'b': 'depends_on' names the unknown step 'c' — did you mean 'a'? (step at line 6)",
            ][..],
        ),
        (
            "  b: {description: d, execution: agent, depends_on: [nobody]}\n",
            &[
                "UNKNOWN_DEPENDENCY [nobody] Step 'b': 'depends_on' names the unknown step 'nobody' — no step has that name (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: agent, depends_on: [b]}\n",
            &[
                "SELF_DEPENDENCY [b] Step 'b': 'depends_on' names the step itself — remove it. (step at line 6)",
            ],
        ),
        (
            "  b: {description: d, execution: agent, depends_on: a}\n",
            &["INVALID_VALUE [a] Step 'b': 'depends_on' must be a list of step names (step at line 6)"],
        ),
        (
            "  b: {description: d, execution: agent, depends_on: [1]}\n",
            &["INVALID_VALUE [1] Step 'b': 'depends_on' must be a list of step names (step at line 6)"],
        ),
        (
            "  b: {description: d, execution: agent, depends_on: [a, d]}\n  c: {description: d, execution: agent, depends_on: [b]}\n  d: {description: d, execution: agent, depends_on: [c]}\n",
            &[
                "DEPENDENCY_CYCLE [d] Steps depend on each other in a circle: b → d → c → b — … remove one of these dependencies.",
            ],
        ),
    ] {
        holds(&format!("{HEAD}{steps}"), expected);
    }
    holds(
        "id: w\nname: W\nversion: 1\nsteps:\n  f: {description: d, execution: finalizer, handler: h, on_outcome: fail}\n",
        &["ONLY_FINALIZERS [f] Workflow has only finalizer steps — … add a step of another kind."],
    );
}

#[test]
fn gates() {
    let step = "  b: {description: d, execution: auto, handler: h, trust: human_confirmed, gate: ";
    for (gate, expected) in [
        ("3", &["INVALID_VALUE [3] Step 'b': 'gate' must be an object (step at line 6)"][..]),
        ("{}", &[]),
        ("{timeout_seconds: 9, reminder_seconds: 3, reminder_max: 2}", &[]),
        (
            "{timeout_seconds: a, reminder_seconds: 0, reminder_max: ~}",
            &[
                "INVALID_VALUE [a] Step 'b': 'gate.timeout_seconds' must be a positive integer (step at line 6)",
                "INVALID_VALUE [0] Step 'b': 'gate.reminder_seconds' must be a positive integer (step at line 6)",
                "INVALID_VALUE [~] Step 'b': 'gate.reminder_max' must be a positive integer (step at line 6)",
            ],
        ),
        (
            "{timeout_seconds: 9, on_expiry: }",
            &[
                "INVALID_VALUE [on_expiry] Step 'b': 'gate.on_expiry' must be 'settle_default' or 'abort' (got: null) (step at line 6)",
            ],
        ),
        (
            "{timeout_seconds: 9, on_expiry: [{a: \"q\\\"\"}]}",
            &[
                "INVALID_VALUE [[{a: \"q\\\"\"}]] Step 'b': 'gate.on_expiry' must be 'settle_default' or 'abort' (got: [{\"a\":\"q\\\"\"}]) (step at line 6)",
            ],
        ),
        (
            "{timeout_seconds: 9, on_expiry: settle_default}",
            &[
                "GATE_DEFAULT_CHOICE [settle_default] Step 'b': 'gate.on_expiry: settle_default' requires 'gate.default_choice' (nothing to resolve the gate with on expiry) (step at line 6)",
            ],
        ),
        ("{timeout_seconds: 9, on_expiry: settle_default, default_choice: reject}", &[]),
        (
            "{timeout_seconds: 9, on_expiry: settle_default, default_choice: no}",
            &[
                "GATE_DEFAULT_CHOICE [no] Step 'b': 'gate.default_choice' (\"no\") is not one of the step's effective choices: approve, reject (step at line 6)",
            ],
        ),
        (
            "{choices: [a, 2], timeout_seconds: 9, on_expiry: settle_default, default_choice: '2'}",
            &[
                "GATE_DEFAULT_CHOICE ['2'] Step 'b': 'gate.default_choice' (\"2\") is not one of the step's effective choices: a, 2 (step at line 6)",
            ],
        ),
        (
            "{default_choice: approve}",
            &[
                "DEAD_GATE_CONFIG [default_choice] Step 'b': 'gate.default_choice' is ignored without 'gate.on_expiry: settle_default' — set it, or remove 'gate.default_choice'.",
            ],
        ),
        (
            "{on_expiry: abort}",
            &[
                "DEAD_GATE_CONFIG [on_expiry] Step 'b': 'gate.on_expiry' is ignored without 'gate.timeout_seconds' — … remove 'gate.on_expiry'.",
            ],
        ),
        (
            "{choices: [], owner: o}",
            &[
                "INVALID_VALUE [choices] Step 'b': 'gate.choices', when declared, must be non-empty — … (line 6)",
            ],
        ),
    ] {
        holds(&format!("{HEAD}{step}{gate}}}\n"), expected);
    }
    let choices = "  b: {description: d, execution: agent, trust: human_reviewed, input_schema: {properties: {choice: {enum: [x, y]}}}, gate: {timeout_seconds: 9, on_expiry: settle_default, default_choice: ";
    holds(&format!("{HEAD}{choices}x}}}}\n"), &[]);
    holds(
        &format!("{HEAD}{choices}approve}}}}\n"),
        &[
            "GATE_DEFAULT_CHOICE [approve] Step 'b': 'gate.default_choice' (\"approve\") is not one of the step's effective choices: x, y (step at line 6)",
        ],
    );
}

#[test]
fn a_template_may_bring_what_is_not_written() {
    for (keys, expected) in [
        ("use_template: t", &[][..]),
        ("use_template: t, execution: guard", &[]),
        ("use_template: t, execution: finalizer", &[]),
        ("use_template: t, retry: {on_timeout: true}", &[]),
        ("use_template: t, tool_timeout: 3, gate: {on_expiry: abort}", &[]),
        (
            "use_template: t, execution: agent, timeout_seconds: 3",
            &[
                "KEY_NOT_ALLOWED [timeout_seconds] Step 'b': 'timeout_seconds' is not valid on execution: agent steps — … (line 6)",
            ],
        ),
        (
            "use_template: t, retry: {max_attempts: 0, on_timeout: true}, idempotent: false",
            &[
                "INVALID_VALUE [0] Step 'b': 'retry.max_attempts' must be a positive integer (step at line 6)",
                "ON_TIMEOUT_NEEDS_IDEMPOTENT [true] Step 'b': 'retry.on_timeout: true' requires … (step at line 6)",
            ],
        ),
        (
            "use_template: t, bogus: 1",
            &[
                "UNKNOWN_STEP_KEY [bogus] step 'b': unknown key 'bogus' (line 6) — ignored (not a recognized step field).",
            ],
        ),
    ] {
        holds(&format!("{HEAD}  b: {{{keys}}}\n"), expected);
    }
}

#[test]
fn finalizers_take_the_claim_from_idempotent_steps() {
    let finalizer = "  f: {description: d, execution: finalizer, handler: h, on_outcome: always}\n";
    let idempotent = "  b: {description: d, execution: auto, handler: h, idempotent: true}\n";
    holds(
        &format!("{HEAD}{idempotent}{finalizer}"),
        &[
            "IDEMPOTENT_INERT_IN_FINALIZER [idempotent] Step 'b': 'idempotent: true' cannot … --step b --force'.",
        ],
    );
    let opted = "  b: {description: d, execution: auto, handler: h, timeout_seconds: 9, idempotent: true, retry: {max_attempts: 2, on_timeout: true}}\n";
    holds(
        &format!("{HEAD}{opted}{finalizer}"),
        &[
            "IDEMPOTENT_INERT_IN_FINALIZER [idempotent] Step 'b': 'idempotent: true' cannot … --step b --force'. Its 'retry.on_timeout' gate role is unaffected — an attempt that ran to its limit is still tried again.",
        ],
    );
}

#[test]
fn the_verdict_in_words() {
    let summary = |source: &str| check(source, &Options::default()).summary;
    assert_eq!(summary("id: w\nname: W\nversion: 1\n"), "Invalid workflow: Missing required field: 'steps'");
    assert_eq!(
        summary("id: w\nname: W\n"),
        "Invalid workflow — 2 errors:\n  Missing required field: 'version'\n  Missing required field: 'steps'"
    );
    assert_eq!(summary("id: ~\nname: W\nversion: .inf\nsteps: {}\n"), "Valid: null vInfinity (0 steps)");
    let retry =
        "  b: {description: d, execution: auto, handler: h, colour: red, handlers: h, retry: {jitter: 1}}\n";
    assert_eq!(
        summary(&format!("{HEAD}{retry}")),
        "Invalid: 4 warnings, 2 escalated to an error by policy: UNKNOWN_STEP_KEY 'colour', UNKNOWN_STEP_KEY 'handlers'"
    );
    let report = check("id: 1\nname: W\nversion: x\nsteps: {}\n", &Options::default());
    let heading = report.workflow.unwrap();
    assert_eq!((heading.id, heading.version), (None, None));
    assert!(check("- a\n", &Options::default()).workflow.is_none());
}

#[test]
fn names_that_javascript_takes_for_indexes_come_first() {
    let source = "id: w\nname: W\nversion: 1\nsteps:\n  b: 1\n  10: 1\n  a: 1\n  9: 1\n";
    let names: Vec<_> = check(source, &Options::default()).steps.into_iter().map(|step| step.name).collect();
    assert_eq!(names, ["9", "10", "b", "a"]);
    let told = told(source);
    assert!(told[0].contains("Step '9' must be an object") && told[3].contains("Step 'a'"), "{told:?}");
}
