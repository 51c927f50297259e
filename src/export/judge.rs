//! What differs between a policy and an engine's settings for it, line by line.

use super::engine::{By, Engine, Hints, Total, Unless, Volatile};
use super::loss::{Loss, LossCode, Verdict};
use super::search::{Found, same};
use super::waits::samples;
use crate::backoff::Backoff;
use crate::millis::Millis;
use crate::policy::{Budget, Policy};
use crate::text::concat;

/// What of a policy can make a difference: attempts that cannot be reached are left out, and so is a
/// total limit that cannot be reached.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Need {
    pub(crate) attempts: u64,
    pub(crate) backoff: Backoff,
    pub(crate) timeout: Millis,
    pub(crate) on_timeout: bool,
    pub(crate) idempotent: bool,
    /// The declared limit of all attempts together, where more than one attempt can reach it.
    pub(crate) total: Option<Millis>,
    /// How long the step can take without that limit.
    longest_run: Millis,
    /// The limit that only waits beyond the schedule can use up.
    spare: Option<Millis>,
}

impl Need {
    pub(crate) fn of(policy: &Policy) -> Self {
        let timeout = policy.timeout.unwrap_or(Millis::MAX);
        let declared = match policy.budget {
            Budget::Declared(limit) => Some(limit),
            _ => None,
        };
        let attempts = declared.map_or(policy.max_attempts, |limit| reachable(policy, limit));
        let longest_run = policy.schedule_from(1, timeout);
        let bites = declared.filter(|limit| longest_run > *limit);
        Self {
            attempts,
            backoff: policy.backoff,
            timeout: match bites {
                Some(limit) if attempts == 1 => timeout.min(limit),
                _ => timeout,
            },
            on_timeout: policy.on_timeout,
            idempotent: policy.idempotent,
            total: bites.filter(|_| attempts > 1),
            longest_run,
            spare: policy.budget.limit().filter(|_| bites.is_none() && attempts > 1),
        }
    }

    /// How many waits there can be.
    pub(crate) const fn waits(&self) -> u64 {
        self.attempts - 1
    }
}

/// The last attempt that waits alone leave time for.
fn reachable(policy: &Policy, limit: Millis) -> u64 {
    let (mut low, mut high) = (1, policy.max_attempts);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if (limit - policy.longest_waits(1, middle - 1)).floor().is_zero() {
            high = middle - 1;
        } else {
            low = middle;
        }
    }
    low
}

/// All that differs.
pub(crate) fn losses(need: &Need, found: &Found, engine: &Engine) -> Vec<Loss> {
    let mut report = Report { need, found, engine, losses: Vec::new() };
    report.attempts();
    report.waits();
    report.attempt_limit();
    report.total_limit();
    report.failures();
    report.defaults();
    report.losses
}

struct Report<'a> {
    need: &'a Need,
    found: &'a Found,
    engine: &'a Engine,
    losses: Vec<Loss>,
}

impl Report<'_> {
    fn add(&mut self, code: LossCode, verdict: Verdict, words: &[&str]) {
        self.losses.push(Loss::new(code, verdict, concat(words)));
    }

    /// What would run the step once more than its author allows: harmless only where that is
    /// attested.
    const fn once_more(&self) -> Verdict {
        if self.need.idempotent { Verdict::Approximate } else { Verdict::Refused }
    }

    fn attempts(&mut self) {
        let (engine, attempts) = (self.engine, self.need.attempts);
        if attempts > engine.most_attempts {
            let (most, asked) = (engine.most_attempts.to_string(), attempts.to_string());
            let words = [engine.title, " allows at most ", &most, " attempts, not ", &asked];
            self.add(LossCode::AttemptsRange, Verdict::Refused, &words);
        }
        if engine.counts_retries {
            let (all, less) = (attempts.to_string(), (attempts - 1).to_string());
            let words = [&all, " attempts are ", &less, " retries in ", engine.title];
            self.add(LossCode::AttemptsOffset, Verdict::Exact, &words);
        }
    }

    fn waits(&mut self) {
        let Some(code) = self.found.misses else { return };
        if self.found.by_code {
            let words =
                ["the settings of ", self.engine.title, " have no equal waits: the text computes them"];
            return self.add(code, Verdict::ExactWithCode, &words);
        }
        let verdict = match code {
            LossCode::DelayRounded | LossCode::DelayZero | LossCode::JitterForced => Verdict::Approximate,
            _ => Verdict::Refused,
        };
        /// So many waits are told one by one.
        const TOLD: usize = 8;
        let differing: Vec<u64> = samples(self.need.waits())
            .into_iter()
            .filter(|wait| {
                let theirs = self.found.after(*wait);
                !same(self.need.backoff.after(*wait), theirs.min) || theirs.max > theirs.min
            })
            .collect();
        for (place, wait) in differing.iter().enumerate() {
            if place < TOLD || place + 1 == differing.len() {
                self.wait(code, verdict, *wait);
            }
        }
    }

    fn wait(&mut self, code: LossCode, verdict: Verdict, wait: u64) {
        let (ours, theirs) = (self.need.backoff.after(wait), self.found.after(wait));
        let there = if theirs.max > theirs.min {
            concat(&[&theirs.min.to_string(), " to ", &theirs.max.to_string()])
        } else {
            theirs.min.to_string()
        };
        let message =
            ["wait ", &wait.to_string(), " is ", &ours.to_string(), " ms here and ", &there, " ms in "];
        let message = concat(&[&concat(&message), self.engine.title]);
        self.losses.push(Loss {
            wait: Some(wait),
            ours: Some(ours),
            theirs: Some(theirs.max),
            ..Loss::new(code, verdict, message)
        });
    }

    fn attempt_limit(&mut self) {
        let (engine, need) = (self.engine, self.need);
        let limit = need.timeout.to_string();
        match engine.timeout {
            Some(grid) if grid.holds(need.timeout) => (),
            _ if engine.timer && need.timeout.get() <= super::engine::LONGEST_TIMER => {
                let words = [engine.title, " does not stop an attempt after ", &limit, " ms: the text does"];
                self.add(LossCode::AttemptTimeoutMissing, Verdict::ExactWithCode, &words);
            }
            _ => {
                let words = [engine.title, " cannot stop an attempt after ", &limit, " ms"];
                self.add(LossCode::AttemptTimeoutMissing, Verdict::Refused, &words);
            }
        }
        if need.attempts == 1 || need.on_timeout {
            return;
        }
        match engine.stop_timeouts {
            By::Setting => (),
            By::Code => {
                let words = [engine.title, " tries again after a timeout: the text keeps it from that"];
                self.add(LossCode::TimeoutRetried, Verdict::ExactWithCode, &words);
            }
            _ => {
                let words =
                    [engine.title, " tries again after a timeout, when the first run may still go on"];
                self.add(LossCode::TimeoutRetried, self.once_more(), &words);
            }
        }
    }

    fn total_limit(&mut self) {
        let (engine, need) = (self.engine, self.need);
        let Some(limit) = need.total else {
            if need.spare.is_some() && engine.total != Total::Code && self.keeps_hints() {
                let words =
                    "only waits that a server asks for can reach the total limit; they are not held to it";
                self.add(LossCode::TotalMissing, Verdict::Exact, &[words]);
            }
            return;
        };
        let (limit, without) = (limit.to_string(), need.longest_run.to_string());
        match engine.total {
            Total::Missing => {
                let words = ["nothing ends the step after ", &limit, " ms: it can take ", &without, " ms"];
                self.add(LossCode::TotalMissing, Verdict::Refused, &words);
            }
            Total::Code => {
                let words =
                    [engine.title, " has no limit of ", &limit, " ms on all attempts: the text keeps it"];
                self.add(LossCode::TotalMissing, Verdict::ExactWithCode, &words);
            }
            Total::FromSubmit => {
                let words = ["the ", &limit, " ms count from when the work is handed to ", engine.title];
                self.add(LossCode::TotalFromSubmit, Verdict::Approximate, &words);
                self.equality();
            }
            Total::Soft { clips, waits_in_vain } => {
                let how = if waits_in_vain {
                    "a wait that leads past it is begun"
                } else {
                    "looked at after a failure"
                };
                self.add(
                    LossCode::TotalSoft,
                    Verdict::Approximate,
                    &["the limit of ", &limit, " ms is soft: ", how],
                );
                if !waits_in_vain {
                    self.equality();
                }
                if !clips {
                    let words = ["an attempt is not cut to what is left of ", &limit, " ms"];
                    self.add(LossCode::ClipMissing, Verdict::Approximate, &words);
                }
            }
        }
    }

    fn equality(&mut self) {
        let words = "a wait that ends exactly at the total limit is waited for; here it ends the step";
        self.add(LossCode::TotalEquality, Verdict::Exact, &[words]);
    }

    fn keeps_hints(&self) -> bool {
        match self.engine.hints {
            Hints::Never => false,
            Hints::WithCode => self.found.by_code,
            Hints::Always => true,
        }
    }

    fn failures(&mut self) {
        let engine = self.engine;
        let again = self.need.attempts > 1;
        if again {
            let stopped = match engine.stop_failures {
                By::CodeButForTimeouts if self.need.on_timeout => By::Nothing,
                By::CodeButForTimeouts => By::Code,
                by => by,
            };
            match stopped {
                By::Setting => (),
                By::Code => {
                    let words = [
                        engine.title,
                        " tries again after any failure: the text lets through only ",
                        engine.mark,
                    ];
                    self.add(LossCode::RetryableInverted, Verdict::ExactWithCode, &words);
                }
                _ => {
                    let words = [
                        engine.title,
                        " tries again after any failure, also one that nobody marked `retryable`",
                    ];
                    self.add(LossCode::RetryableInverted, self.once_more(), &words);
                }
            }
            if !self.keeps_hints() {
                let words = ["a wait that a server asks for is not kept by ", engine.title];
                self.add(LossCode::RetryAfterMissing, Verdict::Exact, &words);
            }
        }
        let volatile = match engine.volatile {
            Volatile::Never => false,
            Volatile::Idempotent => self.need.idempotent,
            Volatile::Always => again,
        };
        if volatile {
            let words = ["after a crash ", engine.title, " may make more attempts than the policy has"];
            self.add(LossCode::CounterVolatile, Verdict::Approximate, &words);
        }
        if again {
            let words = [engine.title, " does not record whether attempts or time ran out"];
            self.add(LossCode::ExhaustedByMissing, Verdict::Exact, &words);
        }
    }

    fn defaults(&mut self) {
        for (unless, default) in self.engine.defaults {
            let applies = match unless {
                Unless::Timeout => true,
                Unless::Retries => self.need.attempts == 1,
                Unless::Waits => self.need.attempts > 1,
            };
            if applies {
                self.add(
                    LossCode::EngineDefault,
                    Verdict::Exact,
                    &["written out, as the default is ", default],
                );
            }
        }
    }
}
