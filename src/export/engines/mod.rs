//! The engines, one table each. Where a formula or a range was not seen in the engine's own source or
//! types, a comment says so.

mod durable;
mod files;
mod queues;

use super::engine::{Engine, Target};

/// The engine behind a name.
pub(crate) const fn of(target: Target) -> &'static Engine {
    match target {
        Target::Temporal => &durable::TEMPORAL,
        Target::Restate => &durable::RESTATE,
        Target::Cloudflare => &durable::CLOUDFLARE,
        Target::AzureDurable => &durable::AZURE_DURABLE,
        Target::Dbos => &durable::DBOS,
        Target::BullMq => &queues::BULLMQ,
        Target::Inngest => &queues::INNGEST,
        Target::TriggerDev => &queues::TRIGGER_DEV,
        Target::Hatchet => &queues::HATCHET,
        Target::PgBoss => &queues::PG_BOSS,
        Target::GraphileWorker => &queues::GRAPHILE_WORKER,
        Target::StepFunctions => &files::STEP_FUNCTIONS,
        Target::Conductor => &files::CONDUCTOR,
        Target::Argo => &files::ARGO,
        Target::GithubActions => &files::GITHUB_ACTIONS,
        Target::GoogleWorkflows => &files::GOOGLE_WORKFLOWS,
    }
}
