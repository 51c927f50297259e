//! What went wrong in an attempt, and whether it may be tried again.

use crate::argument::{Arguments, Misuse};
use crate::codec::{self, Codec, Fields};
use crate::hint;
use crate::millis::Millis;
use crate::named::named;
use crate::text::text;
use crate::value::Value;

/// Codes of a run that are ours; a failure from outside keeps its own.
pub mod code {
    /// An attempt ran to its limit and was stopped.
    pub const STEP_TIMEOUT: &str = "STEP_TIMEOUT";
    /// The step failed and the policy allows no further attempt.
    pub const STEP_RETRY_EXHAUSTED: &str = "STEP_RETRY_EXHAUSTED";
    /// The caller or the handler aborted the step.
    pub const STEP_ABORTED: &str = "STEP_ABORTED";
    /// An attempt was begun and never reported: its process died.
    pub const STEP_ATTEMPT_LOST: &str = "STEP_ATTEMPT_LOST";
    /// A server answered with a status of 500 or above.
    pub const SERVICE_HTTP_5XX: &str = "SERVICE_HTTP_5XX";
    /// A server answered that there were too many requests.
    pub const SERVICE_RATE_LIMITED: &str = "SERVICE_RATE_LIMITED";
    /// A server answered with another status of 400 to 499.
    pub const SERVICE_HTTP_4XX: &str = "SERVICE_HTTP_4XX";
    /// A server answered with what is no failure by its status, yet was taken for one.
    pub const SERVICE_RESPONSE_INVALID: &str = "SERVICE_RESPONSE_INVALID";
    /// A handler threw a plain exception.
    pub const ENGINE_HANDLER_FAILED: &str = "ENGINE_HANDLER_FAILED";
}

named! {
    /// What a failure says about doing the same again.
    pub enum Category {
        /// It may well work another time.
        Temporary = "temporary",
        /// It will fail again.
        Permanent = "permanent",
        /// The work may have been done although no answer came.
        Ambiguous = "ambiguous",
        /// Somebody asked for it to stop.
        Aborted = "aborted",
    }
}

/// A failed attempt as the machine sees it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Failure {
    /// What kind of failure: `SERVICE_HTTP_5XX`, `STEP_TIMEOUT`, or a code of the caller's own.
    pub code: String,
    /// The failure in words.
    pub message: String,
    /// Whether it is marked as worth another attempt.
    pub retryable: bool,
    /// What it says about doing the same again.
    pub category: Option<Category>,
    /// How long the server asked to be left alone.
    pub retry_after: Option<Millis>,
}

impl Fields for Failure {
    fn fields(&mut self, codec: &mut Codec<'_>) {
        codec.text("code", &mut self.code);
        codec.text("message", &mut self.message);
        codec.flag("retryable", &mut self.retryable);
        codec.maybe_named("category", &mut self.category);
        codec.maybe_millis("retryAfterMs", &mut self.retry_after);
    }
}

impl Failure {
    /// A failure without category and hint.
    pub fn new(code: impl Into<String>, message: impl Into<String>, retryable: bool) -> Self {
        Self { code: code.into(), message: message.into(), retryable, category: None, retry_after: None }
    }

    /// Reads a failure by its public names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of the first value that is not what it has to be.
    pub fn read(failure: &Value) -> Result<Box<Self>, Misuse> {
        codec::read(Box::default(), Arguments::new("INVALID_ARGUMENT", "failure", failure)?)
    }

    /// The failure by its public names.
    pub fn to_value(mut self) -> Value {
        codec::write(&mut self)
    }

    /// The failure that an HTTP answer is. 429, 408 and all of 500 and above are worth another
    /// attempt, other statuses are not; `x-should-retry` beats both.
    pub fn http(status: u16, header: &dyn Fn(&str) -> Option<String>, wall_clock: f64) -> Self {
        let (code, retryable) = match status {
            429 => (code::SERVICE_RATE_LIMITED, true),
            400..=499 => (code::SERVICE_HTTP_4XX, status == 408),
            500.. => (code::SERVICE_HTTP_5XX, true),
            _ => (code::SERVICE_RESPONSE_INVALID, false),
        };
        let retryable = match header("x-should-retry").as_deref().map(str::trim) {
            Some("true") => true,
            Some("false") => false,
            _ => retryable,
        };
        let category = if retryable { Category::Temporary } else { Category::Permanent };
        Self {
            category: Some(category),
            retry_after: hint::retry_after(header, wall_clock),
            ..Self::new(code, text!["The service answered with HTTP ", status], retryable)
        }
    }

    /// The failure of an attempt of step `step` that ran to its `limit`. It is ambiguous: what was
    /// stopped may have done its work.
    pub fn timed_out(step: &str, limit: Millis) -> Box<Self> {
        let message = text!["Step '", step, "' timed out after ", limit, "ms"];
        Self::of_ours(code::STEP_TIMEOUT, message, Category::Ambiguous)
    }

    /// The failure of an attempt that was begun and never reported.
    pub fn lost(step: &str) -> Box<Self> {
        let message = text!["Step '", step, "' lost an attempt: it was begun and never reported"];
        Self::of_ours(code::STEP_ATTEMPT_LOST, message, Category::Ambiguous)
    }

    /// The failure of an attempt that was aborted, with the reason that was given.
    pub fn aborted(step: &str, reason: Option<&str>) -> Box<Self> {
        let message = match reason {
            Some(reason) => text!["Step '", step, "' was aborted: ", reason],
            None => text!["Step '", step, "' was aborted"],
        };
        Self::of_ours(code::STEP_ABORTED, message, Category::Aborted)
    }

    #[inline(never)]
    fn of_ours(code: &str, message: String, category: Category) -> Box<Self> {
        Box::new(Self { category: Some(category), ..Self::new(code, message, false) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_statuses_are_worth_another_attempt() {
        for (status, code, retryable) in [
            (429, "SERVICE_RATE_LIMITED", true),
            (408, "SERVICE_HTTP_4XX", true),
            (400, "SERVICE_HTTP_4XX", false),
            (404, "SERVICE_HTTP_4XX", false),
            (409, "SERVICE_HTTP_4XX", false),
            (500, "SERVICE_HTTP_5XX", true),
            (503, "SERVICE_HTTP_5XX", true),
            (529, "SERVICE_HTTP_5XX", true),
            (302, "SERVICE_RESPONSE_INVALID", false),
        ] {
            let failure = Failure::http(status, &|_| None, 0.0);
            assert_eq!((failure.code.as_str(), failure.retryable), (code, retryable), "{status}");
            for (word, says) in [("true", true), ("false", false), ("perhaps", retryable)] {
                let header = |name: &str| (name == "x-should-retry").then(|| word.to_owned());
                assert_eq!(Failure::http(status, &header, 0.0).retryable, says, "{status} {word}");
            }
        }
    }
}
