//! Every code that a diagnostic can carry, with its weight: the one list that checks, docs and
//! tests share.

mod pages;

pub use pages::{Example, PAGES, Page};

use crate::text::concat;
use serde::{Serialize, Serializer};

/// How much a diagnostic weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file is refused.
    Error,
    /// The file is accepted, but not under `strict`.
    Warning,
    /// Advice beyond the reference; it never counts.
    Info,
}

impl Severity {
    /// `error`, `warning` or `info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A stable word for a rule, with the weight of what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// The word, such as `INVALID_VALUE`.
    pub name: &'static str,
    /// How much a finding under it weighs.
    pub severity: Severity,
}

impl Code {
    /// Where `docs/diagnostics.md` explains the rule.
    pub fn docs(self) -> String {
        let mut anchor = concat(&["diagnostics.md#", self.name]);
        anchor.make_ascii_lowercase();
        anchor
    }
}

macro_rules! codes {
    ($($severity:ident: $($name:ident)*;)*) => {
        $($(
            #[doc = concat!("`", stringify!($name), "`")]
            pub const $name: Code = Code { name: stringify!($name), severity: Severity::$severity };
        )*)*
        /// All of them.
        pub const ALL: &[Code] = &[$($($name),*),*];
    };
}

codes! {
    Error:
        YAML_PARSE_ERROR LIMIT_SIZE LIMIT_NESTING LIMIT_STEPS LIMIT_ALIASES LIMIT_DIAGNOSTICS
        WORKFLOW_NOT_A_MAP MISSING_FIELD INVALID_VERSION INVALID_STEPS
        UNKNOWN_WORKFLOW_KEY UNKNOWN_STEP_KEY
        STEP_NOT_A_MAP RESERVED_STEP_NAME INTEGER_STEP_NAME INVALID_EXECUTION
        KEY_NOT_ALLOWED INVALID_VALUE
        ON_TIMEOUT_NEEDS_IDEMPOTENT TOOL_TIMEOUT_NEEDS_TOOLS
        GATE_DEFAULT_CHOICE GUARD_NEEDS_ABORT_UNLESS FINALIZER_NEEDS_HANDLER FINALIZER_NEEDS_ON_OUTCOME
        UNKNOWN_DEPENDENCY SELF_DEPENDENCY DEPENDENCY_CYCLE ONLY_FINALIZERS;
    Warning:
        UNKNOWN_RETRY_KEY UNKNOWN_GATE_KEY UNKNOWN_VALIDATION_EXHAUSTION_KEY
        RETRY_INERT_NON_AUTO TOTAL_TIMEOUT_NON_AUTO
        ON_TIMEOUT_SINGLE_ATTEMPT TOTAL_TIMEOUT_BELOW_ATTEMPT RETRY_NO_TIMEOUT
        IDEMPOTENT_INERT_IN_FINALIZER DEAD_GATE_CONFIG
        DUAL_SCHEMA_DECLARED DEAD_VALIDATION_EXHAUSTION_CONFIG;
    Info:
        CAP_BELOW_BASE CAP_NEVER_REACHED WAIT_EXCEEDS_TOTAL TOTAL_ALLOWS_FEWER_ATTEMPTS
        SCHEDULE_OVER_A_DAY LAYERS_MULTIPLY;
}
