//! One step's attempts as a state machine. The caller says what happened and what time it is; the
//! machine says what to do next, and keeps the record. It performs nothing itself: there is no
//! clock, no timer and no I/O in here, so that a browser, a durable engine, the simulator and a
//! property test all drive the very same rules.

mod decision;
mod ending;
/// What a listener is told while a run goes on.
pub mod event;
mod evidence;
mod machine;
mod options;
mod record;
mod rules;
mod simulate;
mod snapshot;

pub use decision::Decision;
pub use machine::{Accepted, StepRun};
pub use options::{HintPolicy, RunOptions};
pub use record::{
    AttemptRecord, AttemptStatus, ExhaustedBy, Outcome, RecordedError, RunError, RunResult, StepRecord,
};
pub use simulate::{Lateness, MOST_ATTEMPTS, SimulatedOutcome, SimulatedResult, simulate};
