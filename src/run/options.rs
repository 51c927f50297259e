//! What a caller may say about a run beside the step's own limits.

use crate::argument::{Arguments, Misuse};
use crate::jitter::Jitter;
use crate::millis::Millis;
use crate::policy::{BudgetMode, Policy, StepLimits};
use crate::value::Value;
use serde::Serialize;

/// What a server's hint (`Retry-After` and its relatives) does to the wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HintPolicy {
    /// The wait is the longer of backoff and hint, however long the hint is (the reference page).
    #[default]
    Honor,
    /// The same, with the hint cut to a ceiling.
    Clamp,
    /// A hint above the ceiling ends the step.
    Fail,
    /// The hint is not looked at.
    Ignore,
}

impl HintPolicy {
    /// The names of all policies.
    pub const NAMES: [&'static str; 4] = ["honor", "clamp", "fail", "ignore"];

    /// The policy called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "honor" => Some(Self::Honor),
            "clamp" => Some(Self::Clamp),
            "fail" => Some(Self::Fail),
            "ignore" => Some(Self::Ignore),
            _ => None,
        }
    }
}

/// The ceiling of a hint where neither the caller nor the step's `max_delay_ms` names one.
const DEFAULT_HINT_CAP: Millis = Millis::from_seconds(60.0);

/// The options of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOptions {
    /// The step's name in messages and the record; `step` when none is given.
    pub name: String,
    /// The caller's own id of the task, carried into the record.
    pub task_id: Option<String>,
    /// How waits are spread.
    pub jitter: Jitter,
    /// What the spread is drawn from: the same seed gives the same waits.
    pub seed: f64,
    /// What the total limit does.
    pub mode: BudgetMode,
    /// A total limit in place of the file's whole seconds.
    pub budget: Option<Millis>,
    /// What a server's hint does.
    pub retry_after: HintPolicy,
    /// The ceiling of a hint under `clamp` and `fail`.
    pub retry_after_cap: Option<Millis>,
    /// Whether the record carries a hash of each attempt's output.
    pub hash: bool,
    /// How many attempts the record keeps, the newest; all when absent.
    pub record_limit: Option<u64>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            name: "step".into(),
            task_id: None,
            jitter: Jitter::None,
            seed: 0.0,
            mode: BudgetMode::Clip,
            budget: None,
            retry_after: HintPolicy::Honor,
            retry_after_cap: None,
            hash: false,
            record_limit: None,
        }
    }
}

impl RunOptions {
    /// Reads options by their public names; other keys are the border's and left alone.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of the first value that is not what it has to be.
    pub fn read(options: &Value) -> Result<Self, Misuse> {
        Self::read_from(&Arguments::new("INVALID_ARGUMENT", "options", options)?)
    }

    pub(super) fn read_from(options: &Arguments<'_>) -> Result<Self, Misuse> {
        let standard = Self::default();
        Ok(Self {
            name: options.text("name")?.map_or(standard.name, str::to_owned),
            task_id: options.text("taskId")?.map(str::to_owned),
            jitter: options.one_of("jitter", &Jitter::NAMES, Jitter::from_name)?.unwrap_or_default(),
            seed: options.number("seed")?.unwrap_or_default(),
            mode: options.one_of("budget", &BudgetMode::NAMES, BudgetMode::from_name)?.unwrap_or_default(),
            budget: options.millis("budgetMs")?,
            retry_after: options
                .one_of("retryAfter", &HintPolicy::NAMES, HintPolicy::from_name)?
                .unwrap_or_default(),
            retry_after_cap: options.millis("retryAfterCapMs")?,
            hash: options.flag("hash")?.unwrap_or_default(),
            record_limit: options.whole("recordLimit", 1)?,
        })
    }

    /// The policy of a step under these options.
    pub fn policy(&self, limits: &StepLimits) -> Policy {
        Policy::new(limits, self.jitter, self.mode, self.budget)
    }

    /// The hint that counts after the caller's choice; `None` where it ends the step.
    pub(super) fn hint(&self, asked: Millis, max_delay: Option<Millis>) -> Option<Millis> {
        let cap = self.retry_after_cap.or(max_delay).unwrap_or(DEFAULT_HINT_CAP);
        match self.retry_after {
            HintPolicy::Honor => Some(asked),
            HintPolicy::Clamp => Some(asked.min(cap)),
            HintPolicy::Fail => (asked <= cap).then_some(asked),
            HintPolicy::Ignore => Some(Millis::ZERO),
        }
    }
}

/// The options as a snapshot keeps them: the same names that [`RunOptions::read`] takes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Written<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<&'a str>,
    jitter: &'static str,
    seed: f64,
    budget: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_ms: Option<Millis>,
    retry_after: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_cap_ms: Option<Millis>,
    hash: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    record_limit: Option<f64>,
}

impl RunOptions {
    pub(super) fn written(&self) -> Written<'_> {
        Written {
            name: &self.name,
            task_id: self.task_id.as_deref(),
            jitter: self.jitter.name(),
            seed: self.seed,
            budget: BudgetMode::NAMES[self.mode as usize],
            budget_ms: self.budget,
            retry_after: HintPolicy::NAMES[self.retry_after as usize],
            retry_after_cap_ms: self.retry_after_cap,
            hash: self.hash,
            record_limit: self.record_limit.map(|limit| limit as f64),
        }
    }
}
