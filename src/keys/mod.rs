//! The key tables: what each key of a workflow file takes, where it belongs, and the sentence that
//! refuses anything else. Checks, policies, hover texts, the JSON Schema and the docs are all made
//! from these tables; a fact about a key stands nowhere else.

use crate::text::text;
mod limit;
mod nearest;
mod rule;
mod step;

pub use limit::Limit;
pub use nearest::{nearest, unknown_key};
pub use rule::{BACKOFF_SHAPES, Rule};
pub use step::STEP;

/// The limit of one attempt of an `auto` step that says nothing, in seconds.
pub const DEFAULT_TIMEOUT_SECONDS: f64 = 3600.0;

/// What a step is made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A handler or a service.
    Auto,
    /// A model.
    Agent,
    /// A condition that lets the run go on or ends it.
    Guard,
    /// A handler that runs after the run has ended.
    Finalizer,
}

impl Kind {
    /// All four, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Agent, Self::Guard, Self::Finalizer];

    /// The kind that `execution` calls `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name under `execution`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Agent => "agent",
            Self::Guard => "guard",
            Self::Finalizer => "finalizer",
        }
    }
}

/// What becomes of a step key on one kind of step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It does its work.
    Read,
    /// It is accepted, and nothing reads it.
    Unread,
    /// It is refused: not valid on this kind.
    NotValid,
    /// It is refused: only valid on the kind that reads it.
    OnlyElsewhere,
}

/// A key of a workflow file.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its spelling.
    pub name: &'static str,
    /// What its value has to be.
    pub rule: Rule,
    /// What holds where it is absent, as one would write it; `None` where that is nothing.
    pub default: Option<&'static str>,
    /// What it is for, in one sentence; empty in the wasm.
    pub about: &'static str,
    /// Of a step's key, what becomes of it on each kind, in the order of [`Kind::ALL`].
    pub on: [Use; 4],
    /// Why it is refused where it is refused, and what to do instead.
    pub why: &'static str,
}

const fn key(name: &'static str, rule: Rule, default: Option<&'static str>, about: &'static str) -> Key {
    // Docs and the JSON Schema are made natively: the module need not carry their sentences.
    let about = if cfg!(target_arch = "wasm32") { "" } else { about };
    Key { name, rule, default, about, on: [Use::Read; 4], why: "" }
}

impl Key {
    /// What becomes of the key on steps of `kind`.
    pub const fn on(&self, kind: Kind) -> Use {
        self.on[kind as usize]
    }

    /// Whether the key is refused on steps of `kind`.
    pub const fn is_refused(&self, kind: Kind) -> bool {
        matches!(self.on(kind), Use::NotValid | Use::OnlyElsewhere)
    }

    /// The sentence that refuses the key on steps of `kind`, after the step's name.
    pub fn refusal(&self, kind: Kind) -> String {
        let reader = || Kind::ALL.into_iter().find(|kind| self.on(*kind) == Use::Read).unwrap_or(kind);
        let (only, on) = match self.on(kind) {
            Use::OnlyElsewhere => ("only", reader()),
            _ => ("not", kind),
        };
        text!["'", self.name, "' is ", only, " valid on execution: ", on.name(), " steps — ", self.why]
    }
}

/// The keys of the file itself. The order decides ties between suggestions, here as below.
pub const WORKFLOW: &[Key] = &[
    key("id", Rule::Any, None, "The workflow's name in records and commands."),
    key("name", Rule::Any, None, "The workflow's name for people."),
    key("description", Rule::Any, None, "What the workflow does, for people."),
    key("version", Rule::Number, None, "The workflow's version: any number."),
    key("params_schema", Rule::Any, None, "JSON Schema of what a run is started with."),
    key("protocol", Rule::Any, None, "How the run talks to its agent."),
    key("services", Rule::Any, None, "The services that steps call."),
    key("mcp_servers", Rule::Any, None, "The tool servers that agent steps may use."),
    key("templates", Rule::Any, None, "Pieces of steps that 'use_template' brings in."),
    key("steps", Rule::Map, None, "The steps by name, in the order they are written."),
    key("profiles_dir", Rule::Any, None, "The folder of agent profiles."),
    key("extensions", Rule::Any, None, "Further modules that the engine loads."),
    key("workflow_context", Rule::Any, None, "Texts and values that every step sees."),
    key("context_wrapper", Rule::Any, None, "How the context is wrapped for an agent."),
    key("trigger", Rule::Any, None, "What starts a run."),
];

/// The top-level keys that must be there, in the order they are missed.
pub const REQUIRED: [&str; 4] = ["id", "name", "version", "steps"];

/// The six keys of a `retry` block.
pub const RETRY: &[Key] = &[
    key(
        "max_attempts",
        Rule::PositiveInteger,
        Some("1"),
        "How many times the step is tried, counting the first.",
    ),
    key("backoff", Rule::Backoff, Some("fixed"), "How the wait between attempts grows."),
    key(
        "base_delay_ms",
        Rule::NonNegativeNumber,
        Some("0"),
        "The wait that the growth starts from, in milliseconds.",
    ),
    key(
        "max_delay_ms",
        Rule::NonNegativeNumber,
        None,
        "The longest any one wait may be, in milliseconds; without it there is no cap.",
    ),
    key(
        "on_timeout",
        Rule::Boolean,
        Some("false"),
        "Whether an attempt that ran to its limit is tried again; needs 'idempotent: true'.",
    ),
    key(
        "total_timeout_seconds",
        Rule::PositiveInteger,
        None,
        "The longest all attempts and waits may take together, in seconds; without it, as long as the schedule itself takes.",
    ),
];

/// The keys of a `gate` block.
pub const GATE: &[Key] = &[
    key("choices", Rule::Any, Some("[approve, reject]"), "The answers a person may give."),
    key("owner", Rule::Any, None, "Who is asked."),
    key("message", Rule::Any, None, "What the person is asked."),
    key("resolution_messages", Rule::Any, None, "What each answer says."),
    key("timeout_seconds", Rule::PositiveInteger, None, "How long the gate waits for a person, in seconds."),
    key("on_expiry", Rule::OnExpiry, None, "What happens when nobody answered in time."),
    key("default_choice", Rule::Any, None, "The answer that 'on_expiry: settle_default' gives."),
    key(
        "reminder_seconds",
        Rule::PositiveInteger,
        None,
        "How long after the question a reminder goes out, in seconds.",
    ),
    key("reminder_max", Rule::PositiveInteger, Some("3"), "How many reminders go out at most."),
];

/// The keys of a `validation_exhaustion` block.
pub const VALIDATION_EXHAUSTION: &[Key] = &[
    key("threshold", Rule::Any, Some("6"), "How many refused answers are enough."),
    key("mode", Rule::Any, None, "What happens then."),
    key("default_output", Rule::Any, None, "The output that 'mode: default' gives."),
];

/// The choices of a gate that names none.
pub const GATE_CHOICES: [&str; 2] = ["approve", "reject"];

/// Names that no step can have.
pub const RESERVED_STEP_NAMES: [&str; 3] = ["run", "context", "$settlement"];

/// Why `retry.on_timeout: true` is refused on a step that is not `idempotent: true`, as it stands
/// after the step's name.
pub const ON_TIMEOUT_NEEDS_IDEMPOTENT: &str = "'retry.on_timeout: true' requires 'idempotent: true' declared on the step — a timeout-retry can run concurrently with the still-in-flight original attempt, so the step must explicitly attest that any partial prior application is harmless to re-apply. Declare 'idempotent: true' or remove 'on_timeout'.";

/// What the value of `key` must be, as it stands after the step's name; `prefix` is the block it stands
/// in (`retry.`).
pub fn demand(prefix: &str, key: &str, rule: Rule) -> String {
    text!["'", prefix, key, "' ", rule.demand()]
}

/// The names of the keys of `table`.
pub fn names(table: &[Key]) -> Vec<&'static str> {
    let mut names = Vec::with_capacity(table.len());
    for key in table {
        names.push(key.name);
    }
    names
}

/// The row of `name` in `table`.
pub fn find(table: &'static [Key], name: &str) -> Option<&'static Key> {
    table.iter().find(|key| key.name == name)
}
