//! What a caller may say about a run beside the step's own limits.

use crate::argument::{Arguments, Misuse};
use crate::codec::{self, Codec, Fields};
use crate::jitter::Jitter;
use crate::millis::Millis;
use crate::named::named;
use crate::policy::{BudgetMode, Policy, StepLimits};
use crate::value::Value;

named! {
    /// What a server's hint (`Retry-After` and its relatives) does to the wait.
    #[derive(Default)]
    pub enum HintPolicy {
        /// The wait is the longer of backoff and hint, however long the hint is (the reference page).
        #[default]
        Honor = "honor",
        /// The same, with the hint cut to a ceiling.
        Clamp = "clamp",
        /// A hint above the ceiling ends the step.
        Fail = "fail",
        /// The hint is not looked at.
        Ignore = "ignore",
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
        codec::read(Self::default(), Arguments::new("INVALID_ARGUMENT", "options", options)?)
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

impl Fields for RunOptions {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.preset_text("name", &mut self.name);
        codec.maybe_text("taskId", &mut self.task_id);
        codec.preset_named("jitter", &mut self.jitter);
        codec.preset_number("seed", &mut self.seed);
        codec.preset_named("budget", &mut self.mode);
        codec.maybe_millis("budgetMs", &mut self.budget);
        codec.preset_named("retryAfter", &mut self.retry_after);
        codec.maybe_millis("retryAfterCapMs", &mut self.retry_after_cap);
        codec.preset_flag("hash", &mut self.hash);
        codec.maybe_count("recordLimit", &mut self.record_limit);
    }
}
