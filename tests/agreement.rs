//! The machine against the rules written down a second time, as plainly as they can be: one loop, no
//! states. Whatever the policy, the options and what attempts do, both tell the same run.
//!
//! `STEP_RETRY_CASES` asks for more cases than the usual, `STEP_RETRY_SEED` for others.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value as Json, json};
use step_retry::failure::Failure;
use step_retry::millis::Millis;
use step_retry::named::Named;
use step_retry::policy::StepLimits;
use step_retry::run::{Decision, RunOptions, StepRun};
use support::value;

/// What one attempt does when it is left alone.
#[derive(Debug, Clone, Copy)]
enum Does {
    Work(f64),
    Fail { after: f64, retryable: bool, hint: f64 },
    Hang,
}

#[derive(Debug, Clone)]
struct Case {
    timeout: Option<f64>,
    idempotent: bool,
    retry: Option<Retry>,
    gate: bool,
    budget: Option<f64>,
    hints: &'static str,
    hint_cap: Option<f64>,
    attempt_lateness: f64,
    wait_lateness: f64,
    attempts: Vec<Does>,
}

#[derive(Debug, Clone, Default)]
struct Retry {
    max_attempts: Option<u64>,
    backoff: Option<&'static str>,
    base_delay: Option<f64>,
    max_delay: Option<f64>,
    on_timeout: bool,
    total_timeout: Option<f64>,
}

/// A run in few words: each attempt's beginning, length, cut and end, then the end of it all.
#[derive(Debug, Default, PartialEq)]
struct Told {
    attempts: Vec<(f64, f64, Option<f64>, bool)>,
    code: Option<String>,
    exhausted_by: Option<String>,
}

impl Case {
    fn does(&self, attempt: u64) -> Does {
        self.attempts[(attempt as usize).min(self.attempts.len()) - 1]
    }

    fn limits(&self) -> StepLimits {
        let mut step = json!({ "idempotent": self.idempotent });
        set(&mut step, "timeout_seconds", self.timeout);
        if let Some(retry) = &self.retry {
            let mut block = json!({ "on_timeout": retry.on_timeout });
            set(&mut block, "max_attempts", retry.max_attempts);
            set(&mut block, "backoff", retry.backoff);
            set(&mut block, "base_delay_ms", retry.base_delay);
            set(&mut block, "max_delay_ms", retry.max_delay);
            set(&mut block, "total_timeout_seconds", retry.total_timeout);
            step["retry"] = block;
        }
        StepLimits::read("s", &value(&step)).unwrap()
    }

    fn options(&self) -> RunOptions {
        let budget = if self.gate { "gate" } else { "clip" };
        let mut options = json!({ "retryAfter": self.hints, "budget": budget });
        set(&mut options, "budgetMs", self.budget);
        set(&mut options, "retryAfterCapMs", self.hint_cap);
        RunOptions::read(&value(&options)).unwrap()
    }
}

fn set<T: Into<Json>>(map: &mut Json, key: &str, value: Option<T>) {
    if let Some(value) = value {
        map[key] = value.into();
    }
}

/// The rules, a second time.
impl Case {
    fn retry(&self) -> Retry {
        self.retry.clone().unwrap_or_default()
    }

    fn timeout(&self) -> Option<f64> {
        self.timeout.map(|seconds| seconds * 1000.0).or((!self.gate).then_some(3_600_000.0))
    }

    fn declared(&self) -> Option<f64> {
        self.budget.or(self.retry().total_timeout.map(|seconds| seconds * 1000.0))
    }

    fn computed(&self) -> Option<f64> {
        let most = self.retry.as_ref()?.max_attempts.unwrap_or(1);
        Some(most as f64 * self.timeout()? + (1..most).map(|attempt| self.delay(attempt)).sum::<f64>())
    }

    fn delay(&self, attempt: u64) -> f64 {
        let retry = self.retry();
        let base = retry.base_delay.unwrap_or(0.0);
        let grown = match retry.backoff {
            Some("linear") => base * attempt as f64,
            Some("exponential") => base * 2f64.powi(attempt as i32 - 1),
            _ => base,
        };
        retry.max_delay.map_or(grown, |max| grown.min(max))
    }

    /// The hint that counts; `None` where it ends the step.
    fn hint(&self, asked: f64) -> Option<f64> {
        let cap = self.hint_cap.or(self.retry().max_delay).unwrap_or(60_000.0);
        match self.hints {
            "clamp" => Some(asked.min(cap)),
            "ignore" => Some(0.0),
            "fail" if asked > cap => None,
            _ => Some(asked),
        }
    }

    fn by_the_rules(&self) -> Told {
        // R2: a declared limit is charged by the clock, a computed one by the schedule.
        let limit = self.declared().or(self.computed());
        let (mut told, mut now, mut charged) = (Told::default(), 0.0f64, 0.0f64);
        for attempt in 1.. {
            let used = if self.declared().is_some() { now } else { charged };
            let mut left = limit.map(|limit| limit - used);
            if attempt > 1 {
                left = left.map(|left| left.floor().max(0.0));
                if left == Some(0.0) {
                    return told.exhausted("total_timeout");
                }
            }
            let ended = self.attempt(attempt, left.filter(|_| !self.gate));
            told.attempts.push((now, ended.took, ended.clipped, ended.worked));
            now += ended.took;
            charged += ended.bound.map_or(ended.took, |bound| ended.took.min(bound));
            let used = if self.declared().is_some() { now } else { charged };
            match self.wait_after(attempt, &ended, limit.map(|limit| limit - used), left) {
                Ok(wait) => {
                    now += wait + if wait > 0.0 { self.wait_lateness } else { 0.0 };
                    charged += wait;
                }
                Err(end) => return end(told),
            }
        }
        told
    }

    fn attempt(&self, attempt: u64, cut: Option<f64>) -> Ended {
        let timeout = self.timeout();
        let bound = timeout.into_iter().chain(cut).reduce(f64::min);
        let does = self.does(attempt);
        let alone = match does {
            Does::Work(after) | Does::Fail { after, .. } => after,
            Does::Hang => f64::INFINITY,
        };
        let timed_out = bound.is_some_and(|bound| alone >= bound);
        let (again, hint) = match does {
            _ if timed_out => (self.retry().on_timeout && self.idempotent, 0.0),
            Does::Fail { retryable, hint, .. } => (retryable, hint),
            _ => (false, 0.0),
        };
        Ended {
            took: if timed_out { bound.unwrap_or_default() + self.attempt_lateness } else { alone },
            bound,
            clipped: bound.filter(|bound| timeout.is_some_and(|timeout| *bound < timeout)),
            worked: !timed_out && matches!(does, Does::Work(_)),
            timed_out,
            again,
            hint,
        }
    }

    /// The wait after an attempt, or how the run ends. `left` is what was left when the attempt began.
    fn wait_after(
        &self,
        attempt: u64,
        ended: &Ended,
        left_now: Option<f64>,
        left: Option<f64>,
    ) -> Result<f64, fn(Told) -> Told> {
        let remain = attempt < self.retry().max_attempts.unwrap_or(1);
        let at_the_end = ended.timed_out && ended.bound >= left;
        let spent = left_now.is_some_and(|left| left <= 0.0) || at_the_end;
        let spent = remain && !self.gate && self.declared().is_some() && spent;
        if ended.worked {
            return Err(|told| told);
        }
        if ended.again && remain && !(ended.timed_out && spent) {
            let hint =
                self.hint(ended.hint).ok_or::<fn(Told) -> Told>(|told| told.exhausted("retry_after"))?;
            let wait = self.delay(attempt).max(hint);
            return match left_now {
                Some(left) if wait >= left => Err(|told| told.exhausted("total_timeout")),
                _ => Ok(wait),
            };
        }
        Err(match self.retry {
            Some(_) if spent || (ended.timed_out && ended.clipped.is_some()) => {
                |told| told.exhausted("total_timeout")
            }
            Some(_) if !remain && (ended.again || !self.gate) => |told| told.exhausted("attempts"),
            _ if ended.timed_out => |told| told.failed("STEP_TIMEOUT"),
            _ => |told| told.failed("X"),
        })
    }
}

/// What became of one attempt.
struct Ended {
    took: f64,
    bound: Option<f64>,
    clipped: Option<f64>,
    worked: bool,
    timed_out: bool,
    /// Whether the failure is of the kind that is tried again.
    again: bool,
    hint: f64,
}

impl Told {
    fn failed(mut self, code: &str) -> Self {
        self.code = Some(code.into());
        self
    }

    fn exhausted(mut self, by: &str) -> Self {
        self.exhausted_by = Some(by.into());
        self.failed("STEP_RETRY_EXHAUSTED")
    }
}

/// The machine, asked and told by hand.
fn by_the_machine(case: &Case) -> Told {
    let mut run = StepRun::new(case.limits(), case.options());
    let mut now = 0.0;
    let at = |now: f64| Millis::new(now).unwrap();
    loop {
        match run.next(at(now)) {
            Decision::Wait { until, .. } => now = until.get() + case.wait_lateness,
            Decision::Attempt { attempt, timeout, .. } => {
                run.begin(at(now)).unwrap();
                let limit = timeout.map_or(f64::INFINITY, Millis::get);
                match case.does(attempt) {
                    Does::Work(after) if after < limit => {
                        now += after;
                        run.succeed(at(now), None).unwrap();
                    }
                    Does::Fail { after, retryable, hint } if after < limit => {
                        now += after;
                        let failure =
                            Failure { retry_after: Some(at(hint)), ..Failure::new("X", "x", retryable) };
                        run.fail(at(now), failure).unwrap();
                    }
                    _ => {
                        now += limit + case.attempt_lateness;
                        run.timeout(at(now)).unwrap();
                    }
                }
            }
            Decision::Running { .. } => panic!("nothing was left running"),
            Decision::Done => break,
        }
    }
    let result = run.result().unwrap();
    let attempts = result.record.attempts.iter().map(|attempt| {
        let clipped = attempt.clipped_to_ms.map(Millis::get);
        (attempt.started_at_ms.get(), attempt.duration_ms.get(), clipped, attempt.error.is_none())
    });
    Told {
        attempts: attempts.collect(),
        code: result.error.as_ref().map(|error| error.code.clone()),
        exhausted_by: result.record.exhausted_by.map(|by| by.name().into()),
    }
}

/// Draws that can be had again.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ (bits >> 31)) % most
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    fn maybe<T: Copy>(&mut self, percent: u64, from: &[T]) -> Option<T> {
        let drawn = self.pick(from);
        self.percent(percent).then_some(drawn)
    }

    /// Times are whole and half ms: sums of them are exact, so that a limit reached is a limit reached.
    fn case(&mut self) -> Case {
        let gate = self.percent(30);
        let limited = !gate || self.percent(60);
        let idempotent = self.percent(60);
        let retry = Retry {
            max_attempts: self.maybe(90, &[1, 2, 3, 5, 8]),
            backoff: self.maybe(70, &["fixed", "linear", "exponential"]),
            base_delay: self.maybe(80, &[0.0, 0.5, 7.0, 100.0, 900.0]),
            max_delay: self.maybe(40, &[0.0, 50.0, 1000.0]),
            on_timeout: idempotent && self.percent(60),
            total_timeout: self.maybe(40, &[1.0, 2.0, 4.0]),
        };
        Case {
            timeout: if limited {
                Some(self.pick(&[1.0, 2.0, 5.0])).filter(|_| self.percent(95))
            } else {
                None
            },
            idempotent,
            retry: self.percent(90).then_some(retry),
            gate,
            budget: self.maybe(40, &[0.0, 1.0, 50.0, 800.5, 1000.0, 2500.0, 6000.0]),
            hints: self.pick(&["honor", "clamp", "fail", "ignore"]),
            hint_cap: self.maybe(30, &[0.0, 100.0, 2000.0]),
            attempt_lateness: self.pick(&[0.0, 0.0, 0.5, 40.0]),
            wait_lateness: self.pick(&[0.0, 0.0, 0.5, 40.0]),
            attempts: (0..=self.below(4)).map(|_| self.does(limited || !gate)).collect(),
        }
    }

    fn does(&mut self, may_hang: bool) -> Does {
        let after = self.pick(&[0.0, 1.0, 12.5, 400.0, 999.0, 1000.0, 1700.0, 5000.0]);
        match self.below(10) {
            0 => Does::Work(after),
            1 => Does::Fail { after, retryable: false, hint: 0.0 },
            2 | 3 if may_hang => Does::Hang,
            _ => Does::Fail {
                after,
                retryable: true,
                hint: self.pick(&[0.0, 0.0, 0.0, 5.0, 150.0, 3000.0, 1e8]),
            },
        }
    }
}

fn asked(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |number| number.parse().unwrap())
}

#[test]
fn the_machine_runs_as_the_rules_say() {
    let seed = asked("STEP_RETRY_SEED", 1);
    let mut ends = std::collections::BTreeMap::new();
    for number in 0..asked("STEP_RETRY_CASES", 100_000) {
        let case = Chance(seed.wrapping_mul(1 << 40).wrapping_add(number)).case();
        // Where nothing limits an attempt, one that hangs never ends.
        if case.gate && case.timeout.is_none() && case.attempts.iter().any(|does| matches!(does, Does::Hang))
        {
            continue;
        }
        let told = case.by_the_rules();
        assert_eq!(by_the_machine(&case), told, "case {number}: {case:?}");
        *ends.entry((told.code, told.exhausted_by)).or_insert(0u64) += 1;
    }
    assert!(ends.len() >= 6, "the cases reach too few ends: {ends:?}");
}
