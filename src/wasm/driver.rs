//! Drives a run on the host: it begins attempts, waits on the host's timers, and reports to the
//! machine what came first. Which of two things that happened at once counts, the machine decides
//! by the clock.
//!
//! Everything that touches the caller's own code (the handler, signals, hooks, a clock of theirs) is
//! behind [`Host`], in TypeScript, which never throws into here.

use super::asked::Asked;
use super::input::{Given, given};
use super::output::{thrown, to_js};
use super::report;
use super::trap::trap_in;
use crate::argument::Misuse;
use crate::millis::Millis;
use crate::run::{Accepted, Decision, StepRun, event};
use crate::value::{Entries, Value};
use gloo_timers::callback::Timeout;
use js_sys::Promise;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// The longest that a host's timer takes; a longer wait is made of several.
const LONGEST_TIMER: Millis = Millis::saturating(2_147_483_647.0);

#[wasm_bindgen]
extern "C" {
    /// What the driver needs from TypeScript.
    pub type Host;

    /// Milliseconds since the run was asked for, by a clock that does not run backward.
    #[wasm_bindgen(method)]
    fn now(this: &Host) -> f64;
    /// Whether the caller has given up.
    #[wasm_bindgen(method)]
    fn cancelled(this: &Host) -> bool;
    /// Calls the handler under these limits. Resolves with how it ended, at the latest after `stop`.
    #[wasm_bindgen(method)]
    fn attempt(this: &Host, limits: JsValue) -> Promise;
    /// Writes into the text buffer what there is to say of an ending: what the attempt reported as its cost,
    /// then the JSON text of what it gave where a hash was asked for, its failure, or why it was given up. Gives
    /// the length in bytes.
    #[wasm_bindgen(method)]
    fn account(this: &Host, ending: f64) -> usize;
    /// The attempt has reached its limit: what it still gives is late. Fires its signal.
    #[wasm_bindgen(method)]
    fn stop(this: &Host, limit: f64);
    /// Whether the shared retry budget lets the next attempt be made.
    #[wasm_bindgen(method)]
    fn permit(this: &Host) -> bool;
    /// Resolves when the caller gives up, at the latest after `rest`.
    #[wasm_bindgen(method)]
    fn cancellation(this: &Host) -> Promise;
    /// Nothing is waited for any more: settles `cancellation` and `sleep`.
    #[wasm_bindgen(method)]
    fn rest(this: &Host);
    /// Sleeps on the caller's own clock; `undefined` where they gave none.
    #[wasm_bindgen(method)]
    fn sleep(this: &Host, ms: f64) -> Option<Promise>;
    /// Lets the event loop go round once, without a timer.
    #[wasm_bindgen(method)]
    fn breathe(this: &Host) -> Promise;
    /// Whether anybody listens to events.
    #[wasm_bindgen(method)]
    fn listening(this: &Host) -> bool;
    /// Tells the listener.
    #[wasm_bindgen(method)]
    fn emit(this: &Host, event: JsValue);
    /// The run is over, with its result or with a misuse.
    #[wasm_bindgen(method)]
    fn settle(this: &Host, ok: bool, result: JsValue);
}

/// Runs a step under its policy: of options and a step. The host is told of the end.
#[wasm_bindgen(js_name = runStep)]
pub fn run_step(bytes: usize, host: Host) -> Result<(), JsValue> {
    let asked = Asked::read(&mut given(0..bytes))?;
    let run = StepRun::new(asked.limits, asked.options);
    let mut driver = Driver { run, host };
    spawn_local(async move {
        let result = driver.drive().await;
        match &result {
            Ok(result) => driver.host.settle(true, to_js(result)),
            Err(misuse) => driver.host.settle(false, thrown(misuse)),
        }
    });
    Ok(())
}

struct Driver {
    run: StepRun,
    host: Host,
}

impl Driver {
    async fn drive(&mut self) -> Result<Value, Misuse> {
        let mut now = self.now();
        while !self.host.cancelled() {
            match self.run.next(now) {
                Decision::Attempt { attempt, timeout, clipped_to } => {
                    now = self.attempt(attempt, timeout, clipped_to).await?;
                    now = self.between(now).await?;
                }
                Decision::Wait { until, .. } => now = self.wait(now, until).await,
                Decision::Running { .. } | Decision::Done => break,
            }
        }
        if !self.run.has_ended() {
            let mut account = self.account(report::STOPPED);
            // What it has cost has been counted.
            account.value();
            let now = self.now();
            report::report(&mut self.run, report::STOPPED, now, &account.value())?;
        }
        self.tell(event::ended);
        self.run.tell_result().ok_or_else(|| Misuse::new("INTERNAL", "the run did not end"))
    }

    /// Runs one attempt to its end or its limit. Gives the time at its end.
    async fn attempt(
        &mut self,
        attempt: u64,
        timeout: Option<Millis>,
        clipped_to: Option<Millis>,
    ) -> Result<Millis, Misuse> {
        trap_in("attempt", self.run.name());
        let began = self.now();
        self.run.begin(began)?;
        self.tell(event::begun);
        let ended = JsFuture::from(self.host.attempt(self.limits(attempt, timeout, clipped_to)));
        let limit = timeout.map(|timeout| began + timeout);
        let first = either(ended, self.sleep(began, limit)).await;
        self.host.rest();
        let (now, ending) = match first {
            Either::First(ending) => (self.now(), ending.ok().and_then(|ending| ending.as_f64())),
            Either::Second(now) => (now, Some(report::TIMED_OUT)),
        };
        if self.report(now, ending.unwrap_or(report::STOPPED))? == Accepted::TooLate {
            self.host.stop(timeout.unwrap_or_default().get());
        }
        self.tell(event::failed);
        Ok(self.now())
    }

    /// The limits of an attempt, as the handler is told them.
    fn limits(&self, attempt: u64, timeout: Option<Millis>, clipped_to: Option<Millis>) -> JsValue {
        let mut told = Entries::default();
        told.count("attempt", attempt);
        told.count("maxAttempts", self.run.policy().max_attempts);
        told.millis_or_null("timeoutMs", timeout);
        told.maybe_millis("clippedToMs", clipped_to);
        told.millis_or_null("remainingMs", self.run.remaining());
        to_js(&told.done())
    }

    fn report(&mut self, now: Millis, ending: f64) -> Result<Accepted, Misuse> {
        let mut account = self.account(ending);
        if let Some(cost) = account.value().number() {
            self.run.report_cost(cost)?;
        }
        report::report(&mut self.run, ending, now, &account.value())
    }

    fn account(&self, ending: f64) -> Given {
        given(0..self.host.account(ending))
    }

    /// What comes between two attempts beside the wait itself.
    async fn between(&mut self, now: Millis) -> Result<Millis, Misuse> {
        let Some(wait) = self.run.coming_wait() else {
            return Ok(now);
        };
        if self.host.cancelled() {
            return Ok(now);
        }
        if !self.host.permit() {
            self.run.deny(now)?;
            return Ok(now);
        }
        self.tell(event::waiting);
        if wait.is_zero() {
            // A step that fails at once must not starve everything else.
            let _ = JsFuture::from(self.host.breathe()).await;
        }
        Ok(self.now())
    }

    async fn wait(&self, now: Millis, until: Millis) -> Millis {
        trap_in("wait", self.run.name());
        let cancelled = JsFuture::from(self.host.cancellation());
        let first = either(cancelled, self.sleep(now, Some(until))).await;
        self.host.rest();
        match first {
            Either::First(_) => self.now(),
            Either::Second(now) => now,
        }
    }

    /// Sleeps until the clock reads `until`; for ever without. A timer that has fired is a reading
    /// too.
    async fn sleep(&self, mut now: Millis, until: Option<Millis>) -> Millis {
        let Some(until) = until else {
            return std::future::pending().await;
        };
        while now < until {
            let chunk = (until - now).min(LONGEST_TIMER);
            match self.host.sleep(chunk.get()) {
                Some(slept) => drop(JsFuture::from(slept).await),
                None => timer(chunk.get().ceil() as u32).await,
            }
            now = (now + chunk).max(self.now());
        }
        now
    }

    /// What the clock reads, and never less than the machine has seen: under a test's fake timers it
    /// may stand still.
    fn now(&self) -> Millis {
        Millis::saturating(self.host.now()).max(self.run.clock())
    }

    fn tell(&self, event: fn(&StepRun) -> Option<Value>) {
        if self.host.listening()
            && let Some(event) = event(&self.run)
        {
            self.host.emit(to_js(&event));
        }
    }
}

/// A timer of the host, which is cleared where nobody waits for it any more.
async fn timer(ms: u32) {
    let fired = Rc::new(Cell::new(false));
    let mut timer = None;
    poll_fn(move |context| {
        if fired.get() {
            return Poll::Ready(());
        }
        timer.get_or_insert_with(|| {
            let (fired, waker) = (Rc::clone(&fired), context.waker().clone());
            Timeout::new(ms, move || {
                fired.set(true);
                waker.wake();
            })
        });
        Poll::Pending
    })
    .await;
}

enum Either<A, B> {
    First(A),
    Second(B),
}

/// Whichever is ready first; the first, where both are. The other one is dropped.
async fn either<A, B>(a: impl Future<Output = A>, b: impl Future<Output = B>) -> Either<A, B> {
    let (mut a, mut b) = (pin!(a), pin!(b));
    poll_fn(|context| {
        if let Poll::Ready(first) = a.as_mut().poll(context) {
            return Poll::Ready(Either::First(first));
        }
        b.as_mut().poll(context).map(Either::Second)
    })
    .await
}
