//! What an engine can be told about retries: the data that every engine is described by.

use super::draft::Draft;
use crate::millis::Millis;
use crate::named::named;
use crate::value::Value;

named! {
    /// An engine that a policy can be written for.
    pub enum Target {
        /// Temporal, as activity options.
        Temporal = "temporal",
        /// AWS Step Functions, as a state machine.
        StepFunctions = "step-functions",
        /// Restate, as options of `ctx.run` or a loop of its own.
        Restate = "restate",
        /// BullMQ, as job options and a processor.
        BullMq = "bullmq",
        /// Cloudflare Workflows, as a step's config.
        Cloudflare = "cloudflare",
        /// Conductor, as a task definition and a worker.
        Conductor = "conductor",
        /// Azure Durable Task and Dapr, as a retry policy.
        AzureDurable = "azure-durable",
        /// Inngest, as function options.
        Inngest = "inngest",
        /// Trigger.dev, as a task.
        TriggerDev = "trigger-dev",
        /// Hatchet, as task options.
        Hatchet = "hatchet",
        /// pg-boss, as job options and a handler.
        PgBoss = "pg-boss",
        /// graphile-worker, as a task spec.
        GraphileWorker = "graphile-worker",
        /// Argo Workflows, as a template.
        Argo = "argo",
        /// GitHub Actions, as a step with `nick-fields/retry`.
        GithubActions = "github-actions",
        /// Google Workflows, as a step.
        GoogleWorkflows = "google-workflows",
        /// DBOS, as a step's config.
        Dbos = "dbos",
    }
}

/// The numbers that one of an engine's settings takes, in ms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    /// Multiples of this; 0 where any number is taken.
    pub(crate) step: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

/// The longest that a timer of JavaScript waits.
pub(crate) const LONGEST_TIMER: f64 = 2_147_483_647.0;

impl Grid {
    pub(crate) const ANY: Self = Self { step: 0.0, least: 0.0, most: f64::INFINITY };
    pub(crate) const MS: Self = Self { step: 1.0, least: 0.0, most: 9_007_199_254_740_991.0 };
    pub(crate) const POSITIVE_MS: Self = Self { least: 1.0, ..Self::MS };
    pub(crate) const TIMER: Self = Self { most: LONGEST_TIMER, ..Self::ANY };
    pub(crate) const SECONDS: Self = Self { step: 1_000.0, least: 0.0, most: 2_147_483_647_000.0 };

    pub(crate) const fn seconds(least: f64, most: f64) -> Self {
        Self { step: 1_000.0, least: least * 1_000.0, most: most * 1_000.0 }
    }

    /// The nearest number that the setting takes and that is not shorter, or else the longest.
    pub(crate) fn place(&self, span: Millis) -> Millis {
        let ms = span.get();
        let stepped = if self.step > 0.0 { (ms / self.step).ceil() * self.step } else { ms };
        Millis::saturating(stepped.max(self.least).min(self.most))
    }

    pub(crate) fn holds(&self, span: Millis) -> bool {
        self.place(span) == span
    }
}

/// One way in which an engine lets waits grow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// The same wait each time.
    Fixed,
    /// One base more each time.
    Linear,
    /// Doubled each time.
    Double,
    /// Multiplied by a factor of the author's choice, 1 or more.
    AnyRatio,
    /// See [`super::waits::Growth::Power`].
    Power,
    /// See [`super::waits::Growth::Natural`].
    Natural,
    /// See [`super::waits::Growth::Spread`].
    Spread,
    /// No wait.
    Immediate,
}

/// The longest wait as one of the engine's settings.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CapRule {
    /// There is none.
    Missing,
    /// There may be one.
    Optional(Grid),
    /// There is always one, since the engine's default would cut in; never shorter than the base.
    Always(Grid),
    /// It cannot be set, and does not hold the first wait.
    Fixed(f64),
}

/// What can be done in code beside the settings, where it cannot be said in them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum By {
    /// It can be said.
    Setting,
    /// The text's code does it, or what stands beside it.
    Code,
    /// The same, but not where timeouts are tried again.
    CodeButForTimeouts,
    /// Not at all.
    Nothing,
}

/// How an engine limits all attempts together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Total {
    Missing,
    /// The text's code does, as we do.
    Code,
    /// As we do, but from when the work is handed over.
    FromSubmit,
    /// Between attempts only.
    Soft {
        clips: bool,
        waits_in_vain: bool,
    },
}

/// When an engine's default would do something else than what is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unless {
    Retries,
    Timeout,
    Waits,
}

/// An engine.
pub(crate) struct Engine {
    pub(crate) title: &'static str,
    /// How a failure says there that another attempt can help.
    pub(crate) mark: &'static str,
    /// Whether it counts the attempts after the first.
    pub(crate) counts_retries: bool,
    /// The most attempts, counting the first.
    pub(crate) most_attempts: u64,
    pub(crate) forms: &'static [Form],
    pub(crate) delay: Grid,
    /// Whether it rounds each wait to the nearest millisecond.
    pub(crate) rounds: bool,
    pub(crate) cap: CapRule,
    /// The waits that code can ask for.
    pub(crate) code_waits: Option<Grid>,
    /// The limits of an attempt that a setting takes.
    pub(crate) timeout: Option<Grid>,
    /// Whether the step's code is ours to wrap, so that it can be stopped by a timer of its own.
    pub(crate) timer: bool,
    /// How a timeout is kept from being tried again.
    pub(crate) stop_timeouts: By,
    /// How a failure that says nothing is kept from being tried again.
    pub(crate) stop_failures: By,
    pub(crate) total: Total,
    /// Whether the wait that a server asks for is kept: always, or where waits are made by code.
    pub(crate) hints: Hints,
    /// Whether the count of attempts is lost in a crash.
    pub(crate) volatile: Volatile,
    /// Defaults of the engine that are written out.
    pub(crate) defaults: &'static [(Unless, &'static str)],
    /// The settings.
    pub(crate) write: fn(&Draft<'_>) -> Value,
    /// The text around them.
    pub(crate) template: &'static str,
}

/// Whether the wait that a server asks for is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Hints {
    Never,
    WithCode,
    Always,
}

/// Whether the count of attempts is lost in a crash.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Volatile {
    Never,
    /// One that is tried again after a crash is not counted; that is asked for only where the author
    /// attests that it does no harm.
    Idempotent,
    Always,
}
