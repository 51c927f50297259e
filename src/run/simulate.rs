//! A whole run on a virtual clock: what would happen if attempts ended like this.

use super::decision::Decision;
use super::machine::StepRun;
use super::options::RunOptions;
use super::record::RunResult;
use crate::argument::{Arguments, Misuse, refusal};
use crate::codec::{self, Codec, Fields};
use crate::failure::{Failure, code};
use crate::millis::Millis;
use crate::named::named;
use crate::policy::StepLimits;
use crate::text::text;
use crate::value::Value;

/// A simulated run makes at most this many attempts, so that a policy of a billion cannot freeze
/// its caller; [`crate::plan`] looks at such policies in closed form.
pub const MOST_ATTEMPTS: u64 = 100_000;

const INVALID: &str = "INVALID_ARGUMENT";

named! {
    /// How an attempt ends when it is left alone.
    pub enum SimulatedResult {
        /// It works.
        Ok = "ok",
        /// It fails and is marked as worth another attempt.
        Retryable = "retryable",
        /// It fails for good.
        Fatal = "fatal",
        /// It runs until it is stopped.
        Hang = "hang",
    }
}

/// One attempt of a simulated run.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedOutcome {
    /// How it ends.
    pub result: SimulatedResult,
    /// After how long; not used by [`SimulatedResult::Hang`].
    pub duration: Millis,
    /// The hint that its failure carries.
    pub retry_after: Option<Millis>,
    /// The code of its failure.
    pub code: Option<String>,
    /// The text of its failure.
    pub message: Option<String>,
}

impl SimulatedOutcome {
    /// An attempt that ends with `result` after `ms` milliseconds.
    pub const fn new(result: SimulatedResult, ms: f64) -> Self {
        Self { result, duration: Millis::saturating(ms), retry_after: None, code: None, message: None }
    }

    /// Reads a list of outcomes by their public names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of the first value that is not what it has to be.
    pub fn read_list(outcomes: &Value) -> Result<Vec<Self>, Misuse> {
        if outcomes.items().is_empty() {
            return Err(refusal(
                INVALID,
                vec!["outcomes".into()],
                "must be an array of at least one outcome",
            ));
        }
        let mut read = Vec::new();
        for (index, item) in outcomes.items().iter().enumerate() {
            read.push(Self::read(Arguments::item(INVALID, "outcomes", index, item)?)?);
        }
        Ok(read)
    }

    fn read(outcome: Arguments<'_>) -> Result<Self, Misuse> {
        codec::read(Self::new(SimulatedResult::Ok, 0.0), outcome)
    }

    fn failure(&self) -> Box<Failure> {
        let retryable = self.result == SimulatedResult::Retryable;
        let (code, message) = if retryable {
            (code::SERVICE_HTTP_5XX, "The service answered with a server error")
        } else {
            (code::ENGINE_HANDLER_FAILED, "The handler failed")
        };
        let code = self.code.as_deref().unwrap_or(code);
        let message = self.message.as_deref().unwrap_or(message);
        Box::new(Failure { retry_after: self.retry_after, ..Failure::new(code, message, retryable) })
    }
}

impl Fields for SimulatedOutcome {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.named("result", &mut self.result);
        codec.preset_millis("ms", &mut self.duration);
        codec.maybe_millis("retryAfterMs", &mut self.retry_after);
        codec.maybe_text("code", &mut self.code);
        codec.maybe_text("message", &mut self.message);
    }
}

/// How late the virtual host's timers are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lateness {
    /// How much longer than asked for each wait takes.
    pub wait: Millis,
    /// How long after its limit an attempt is stopped.
    pub attempt: Millis,
}

impl Lateness {
    /// Reads both by their public names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of a value that is no span of time.
    pub fn read(options: &Value) -> Result<Self, Misuse> {
        codec::read(Self::default(), Arguments::new(INVALID, "options", options)?)
    }
}

impl Fields for Lateness {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.preset_millis("waitLatenessMs", &mut self.wait);
        codec.preset_millis("attemptLatenessMs", &mut self.attempt);
    }
}

/// Runs a step on a virtual clock: attempt `n` ends as `outcomes[n − 1]` says, and the last outcome
/// repeats.
///
/// # Errors
/// `INVALID_ARGUMENT` for no outcomes, for a hang that nothing would stop, and for a run of more
/// than [`MOST_ATTEMPTS`].
pub fn simulate(
    limits: StepLimits,
    outcomes: &[SimulatedOutcome],
    options: RunOptions,
    lateness: Lateness,
) -> Result<RunResult, Misuse> {
    let mut run = StepRun::new(limits, options);
    let mut now = Millis::ZERO;
    loop {
        match run.next(now) {
            Decision::Wait { until, .. } => now = until + lateness.wait,
            Decision::Attempt { attempt, timeout, .. } => {
                let index = (attempt - 1).min(outcomes.len().saturating_sub(1) as u64) as usize;
                let Some(outcome) = outcomes.get(index) else {
                    return Err(Misuse::new(INVALID, "'outcomes' is empty"));
                };
                if attempt > MOST_ATTEMPTS {
                    let message = text!["a simulated run makes at most ", MOST_ATTEMPTS, " attempts"];
                    return Err(Misuse::new(INVALID, message));
                }
                run.begin(now)?;
                now = attempt_once(&mut run, outcome, timeout, now, lateness)?;
            }
            Decision::Running { .. } | Decision::Done => break,
        }
    }
    run.into_result().ok_or_else(|| Misuse::new("INTERNAL", "the simulated run did not end"))
}

/// Carries out the attempt that began at `now`, and gives the time at its end.
fn attempt_once(
    run: &mut StepRun,
    outcome: &SimulatedOutcome,
    timeout: Option<Millis>,
    now: Millis,
    lateness: Lateness,
) -> Result<Millis, Misuse> {
    let stopped =
        timeout.filter(|limit| outcome.result == SimulatedResult::Hang || outcome.duration >= *limit);
    if let Some(limit) = stopped {
        let end = now + limit + lateness.attempt;
        run.timeout(end)?;
        return Ok(end);
    }
    let end = now + outcome.duration;
    match outcome.result {
        SimulatedResult::Ok => run.succeed(end, None)?,
        SimulatedResult::Retryable | SimulatedResult::Fatal => run.fail(end, outcome.failure())?,
        SimulatedResult::Hang => {
            let message = "an attempt without a limit of its own that hangs would never end";
            return Err(Misuse::new(INVALID, message));
        }
    };
    Ok(end)
}
