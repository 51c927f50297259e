//! What the docs say about each code. Nothing of this is needed to check a file.

use super::{self as codes, Code};
use Example::{File, Steps};

/// What the docs say about one code.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The code.
    pub code: Code,
    /// When it appears.
    pub when: &'static str,
    /// The smallest text that brings it about.
    pub example: Example,
    /// What to do about it.
    pub mending: &'static str,
}

/// The smallest text that brings a diagnostic about.
#[derive(Debug, Clone, Copy)]
pub enum Example {
    /// A whole file.
    File(&'static str),
    /// What stands below `steps:`.
    Steps(&'static str),
    /// Something too large to be shown.
    None,
}

impl Example {
    /// The text as the docs show it.
    pub fn shown(self) -> Option<String> {
        match self {
            File(file) => Some(file.to_owned()),
            Steps(steps) => Some(format!("steps:\n{steps}")),
            Self::None => None,
        }
    }

    /// The whole file.
    pub fn file(self) -> Option<String> {
        match self {
            Steps(steps) => Some(format!("id: w\nname: W\nversion: 1\nsteps:\n{steps}")),
            whole => whole.shown(),
        }
    }
}

const fn page(code: Code, when: &'static str, example: Example, mending: &'static str) -> Page {
    Page { code, when, example, mending }
}

/// All pages, in the order of the docs.
pub const PAGES: &[Page] = &[
    page(
        codes::YAML_PARSE_ERROR,
        "The text is no YAML: wrong syntax, a tab that indents, a control character, a second document, a duplicate key, an alias without its anchor, an unknown tag, or a merge of what is no mapping. In the command it is then the only diagnostic; editors get the rest of the file checked as well.",
        File("id: w\nname W\nversion: 1\nsteps: {}\n"),
        "Mend the line that the message names. A missing `:` and a value with a second `: ` in it mend themselves, and so does a tab where the lines around it leave no doubt how deep it is meant to be.",
    ),
    page(
        codes::LIMIT_SIZE,
        "The text is longer than the limit `bytes`.",
        Example::None,
        "Split the workflow, or raise the limit where you call the checker.",
    ),
    page(
        codes::LIMIT_NESTING,
        "Mappings and lists are nested deeper than the limit `nesting`.",
        Example::None,
        "Write it flatter; unclosed brackets are the usual cause.",
    ),
    page(
        codes::LIMIT_STEPS,
        "There are more steps than the limit `steps`; those beyond are not looked at.",
        Example::None,
        "Split the workflow, or raise the limit.",
    ),
    page(
        codes::LIMIT_ALIASES,
        "Aliases and merges lead to more entries than the limit `alias_visits`, each counted every time it is reached.",
        Example::None,
        "Write some of them out.",
    ),
    page(
        codes::LIMIT_DIAGNOSTICS,
        "There is more to say than the limit `diagnostics`.",
        Example::None,
        "Mend what is told; the rest shows then.",
    ),
    page(
        codes::WORKFLOW_NOT_A_MAP,
        "The file is empty, or holds a list or a lone value.",
        File("- id: w\n"),
        "Begin with the keys of a workflow: `id`, `name`, `version`, `steps`.",
    ),
    page(
        codes::MISSING_FIELD,
        "A key that must be there is not: `id`, `name`, `version` or `steps` of the file, `description` or `execution` of a step.",
        Steps("  fetch:\n    execution: auto\n"),
        "Add the key.",
    ),
    page(
        codes::INVALID_VERSION,
        "`version` is no number.",
        File("id: w\nname: W\nversion: \"1\"\nsteps: {}\n"),
        "Write a number, without quotes. No step is looked at before that.",
    ),
    page(
        codes::INVALID_STEPS,
        "`steps` is no mapping.",
        File("id: w\nname: W\nversion: 1\nsteps:\n  - fetch\n"),
        "Write the steps by name, as a mapping.",
    ),
    page(
        codes::UNKNOWN_WORKFLOW_KEY,
        "A top-level key that nobody reads; the file is refused. Keys of your own begin with `x-`, but not with `x-realm-`.",
        File("id: w\nname: W\nversion: 1\ndesciption: A typo.\nsteps: {}\n"),
        "Rename it to the key that was meant, or to an `x-` key.",
    ),
    page(
        codes::UNKNOWN_STEP_KEY,
        "A key of a step that nobody reads; the file is refused. Steps take no `x-` keys.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_second: 5\n",
        ),
        "Rename it to the key that was meant, or remove it.",
    ),
    page(
        codes::STEP_NOT_A_MAP,
        "What stands under a step's name is no mapping.",
        Steps("  fetch: later\n"),
        "Give the step its keys.",
    ),
    page(
        codes::RESERVED_STEP_NAME,
        "A step is called `run`, `context` or `$settlement`.",
        Steps("  run: {description: Run it., execution: auto, handler: run}\n"),
        "Choose another name.",
    ),
    page(
        codes::INTEGER_STEP_NAME,
        "A step's name is a whole number. JavaScript would put it before all others.",
        Steps("  \"7\": {description: Step seven., execution: auto, handler: seven}\n"),
        "Choose a name with a letter in it.",
    ),
    page(
        codes::INVALID_EXECUTION,
        "`execution` is none of `auto`, `agent`, `guard` and `finalizer`, spelled exactly so.",
        Steps("  fetch: {description: Fetch it., execution: Auto, handler: fetch}\n"),
        "Choose one of the four.",
    ),
    page(
        codes::KEY_NOT_ALLOWED,
        "A key stands on a kind of step that does not take it.",
        Steps("  think: {description: Think., execution: agent, timeout_seconds: 60}\n"),
        "Remove it, or move it to a step of the kind that reads it.",
    ),
    page(
        codes::INVALID_VALUE,
        "A value is not what its key takes: a text where a whole number belongs, a word that is none of the few, an empty list.",
        Steps(
            "  fetch: {description: Fetch it., execution: auto, handler: fetch, timeout_seconds: \"30\"}\n",
        ),
        "Write what the message asks for. Quotes around a number come off by themselves, and fractions are rounded up.",
    ),
    page(
        codes::ON_TIMEOUT_NEEDS_IDEMPOTENT,
        "`retry.on_timeout: true` on a step that does not say `idempotent: true`. An attempt that was stopped may still be at work when the next one starts.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_seconds: 5\n    retry: {max_attempts: 2, on_timeout: true}\n",
        ),
        "Declare `idempotent: true` if a second run at the same time does no harm; else remove `on_timeout`.",
    ),
    page(
        codes::TOOL_TIMEOUT_NEEDS_TOOLS,
        "`tool_timeout` on a step without `tools`, or with an empty list of them.",
        Steps("  think: {description: Think., execution: agent, tool_timeout: 5}\n"),
        "Declare the tools, or remove `tool_timeout`.",
    ),
    page(
        codes::GATE_DEFAULT_CHOICE,
        "A gate settles by a default choice that is missing, or that is none of its choices.",
        Steps(
            "  ask:\n    description: Ask.\n    execution: auto\n    handler: ask\n    trust: human_confirmed\n    gate: {timeout_seconds: 60, on_expiry: settle_default}\n",
        ),
        "Set `default_choice` to one of the choices.",
    ),
    page(
        codes::GUARD_NEEDS_ABORT_UNLESS,
        "A guard without its condition.",
        Steps("  check: {description: Check it., execution: guard}\n"),
        "Add `abort_unless`.",
    ),
    page(
        codes::FINALIZER_NEEDS_HANDLER,
        "A finalizer without a handler.",
        Steps(
            "  first: {description: Work., execution: auto, handler: work}\n  tidy: {description: Tidy up., execution: finalizer, on_outcome: always}\n",
        ),
        "Add `handler`.",
    ),
    page(
        codes::FINALIZER_NEEDS_ON_OUTCOME,
        "A finalizer that does not say after which ends of the run it runs.",
        Steps(
            "  first: {description: Work., execution: auto, handler: work}\n  tidy: {description: Tidy up., execution: finalizer, handler: tidy}\n",
        ),
        "Add `on_outcome`.",
    ),
    page(
        codes::UNKNOWN_DEPENDENCY,
        "`depends_on` names a step that is not in the file.",
        Steps(
            "  fetch: {description: Fetch it., execution: auto, handler: fetch}\n  think: {description: Think., execution: agent, depends_on: [fetsh]}\n",
        ),
        "Name a step of this file.",
    ),
    page(
        codes::SELF_DEPENDENCY,
        "A step waits for itself.",
        Steps("  fetch: {description: Fetch it., execution: auto, handler: fetch, depends_on: [fetch]}\n"),
        "Remove the name.",
    ),
    page(
        codes::DEPENDENCY_CYCLE,
        "Steps wait for each other in a circle; the message names it.",
        Steps(
            "  a: {description: A., execution: auto, handler: a, depends_on: [b]}\n  b: {description: B., execution: auto, handler: b, depends_on: [a]}\n",
        ),
        "Remove one of the dependencies.",
    ),
    page(
        codes::ONLY_FINALIZERS,
        "Every step is a finalizer.",
        Steps("  tidy: {description: Tidy up., execution: finalizer, handler: tidy, on_outcome: always}\n"),
        "Add a step of another kind.",
    ),
    page(
        codes::UNKNOWN_RETRY_KEY,
        "A key of `retry` that nobody reads.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_seconds: 5\n    retry: {max_attempt: 3}\n",
        ),
        "Rename it to the key that was meant, or remove it.",
    ),
    page(
        codes::UNKNOWN_GATE_KEY,
        "A key of `gate` that nobody reads.",
        Steps(
            "  ask: {description: Ask., execution: auto, handler: ask, trust: human_confirmed, gate: {choises: [a, b]}}\n",
        ),
        "Rename it to the key that was meant, or remove it.",
    ),
    page(
        codes::UNKNOWN_VALIDATION_EXHAUSTION_KEY,
        "A key of `validation_exhaustion` that nobody reads.",
        Steps("  think: {description: Think., execution: agent, validation_exhaustion: {treshold: 3}}\n"),
        "Rename it to the key that was meant, or remove it.",
    ),
    page(
        codes::RETRY_INERT_NON_AUTO,
        "A `retry` block on an agent step or a guard: nothing reads it there.",
        Steps("  think: {description: Think., execution: agent, retry: {max_attempts: 3}}\n"),
        "Remove the block.",
    ),
    page(
        codes::TOTAL_TIMEOUT_NON_AUTO,
        "The same, where the block declares a total limit.",
        Steps("  think: {description: Think., execution: agent, retry: {total_timeout_seconds: 60}}\n"),
        "Remove the block.",
    ),
    page(
        codes::ON_TIMEOUT_SINGLE_ATTEMPT,
        "`on_timeout: true` where there is only one attempt.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    idempotent: true\n    timeout_seconds: 5\n    retry: {on_timeout: true}\n",
        ),
        "Raise `max_attempts`, or remove `on_timeout`.",
    ),
    page(
        codes::TOTAL_TIMEOUT_BELOW_ATTEMPT,
        "One attempt can use up the whole total: it is below `timeout_seconds`, or not above it where `on_timeout` asks for another attempt.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_seconds: 30\n    retry: {max_attempts: 3, total_timeout_seconds: 10}\n",
        ),
        "Raise the total (the mending puts what the whole schedule needs), or remove it.",
    ),
    page(
        codes::RETRY_NO_TIMEOUT,
        "An auto step with `retry` and without `timeout_seconds`: an attempt that hangs is only stopped after an hour.",
        Steps(
            "  fetch: {description: Fetch it., execution: auto, handler: fetch, retry: {max_attempts: 3}}\n",
        ),
        "Declare `timeout_seconds`.",
    ),
    page(
        codes::IDEMPOTENT_INERT_IN_FINALIZER,
        "`idempotent: true` in a workflow with a finalizer, where it cannot give back a claim by itself.",
        Steps(
            "  fetch: {description: Fetch it., execution: auto, handler: fetch, idempotent: true}\n  tidy: {description: Tidy up., execution: finalizer, handler: tidy, on_outcome: always}\n",
        ),
        "Remove it, unless `retry.on_timeout` needs it.",
    ),
    page(
        codes::DEAD_GATE_CONFIG,
        "A setting of a gate that has no effect: the whole block without a `trust` that asks a person, a default choice that is never taken, an end without a limit, a reminder after the end.",
        Steps("  ask: {description: Ask., execution: auto, handler: ask, gate: {timeout_seconds: 60}}\n"),
        "Set what it needs, or remove it.",
    ),
    page(
        codes::DUAL_SCHEMA_DECLARED,
        "An agent step with both `input_schema` and `output_schema`.",
        Steps("  think: {description: Think., execution: agent, input_schema: {}, output_schema: {}}\n"),
        "Keep `output_schema`.",
    ),
    page(
        codes::DEAD_VALIDATION_EXHAUSTION_CONFIG,
        "`validation_exhaustion.default_output` without `mode: default`.",
        Steps(
            "  think: {description: Think., execution: agent, validation_exhaustion: {default_output: {}}}\n",
        ),
        "Set `mode: default`, or remove it.",
    ),
    page(
        codes::CAP_BELOW_BASE,
        "`max_delay_ms` is below `base_delay_ms`: every wait is the cap, whatever `backoff` says.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_seconds: 5\n    retry: {max_attempts: 3, base_delay_ms: 500, max_delay_ms: 100}\n",
        ),
        "Raise the cap, or lower the base.",
    ),
    page(
        codes::CAP_NEVER_REACHED,
        "No wait of the schedule is as long as `max_delay_ms`.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_seconds: 5\n    retry: {max_attempts: 3, base_delay_ms: 500, max_delay_ms: 60000}\n",
        ),
        "Lower it, or remove it.",
    ),
    page(
        codes::WAIT_EXCEEDS_TOTAL,
        "Already the first wait does not fit into the total limit: the step is never tried again.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_seconds: 5\n    retry: {max_attempts: 3, base_delay_ms: 60000, total_timeout_seconds: 30}\n",
        ),
        "Raise the total, or shorten the wait.",
    ),
    page(
        codes::TOTAL_ALLOWS_FEWER_ATTEMPTS,
        "The waits alone take longer than the total limit, so that fewer attempts can start than `max_attempts` says; the message says how many.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_seconds: 5\n    retry: {max_attempts: 9, base_delay_ms: 10000, total_timeout_seconds: 30}\n",
        ),
        "Raise the total, or lower `max_attempts`.",
    ),
    page(
        codes::SCHEDULE_OVER_A_DAY,
        "Attempts and waits can take a day or longer.",
        Steps(
            "  fetch:\n    description: Fetch it.\n    execution: auto\n    handler: fetch\n    timeout_seconds: 3600\n    retry: {max_attempts: 48}\n",
        ),
        "If that is not meant, lower `max_attempts` or `timeout_seconds`, or set `total_timeout_seconds`.",
    ),
    page(
        codes::LAYERS_MULTIPLY,
        "A plan was asked with `innerAttempts`, and more than one layer tries again: each attempt of the step is as many calls as the layers inside make of it. The checker cannot see these layers; only a plan says it.",
        Example::None,
        "Let only one layer try again, best the one that knows the total limit, and set the others to one attempt.",
    ),
];
