//! The retry and timeout rules of workflow steps.
//!
//! The crate does three jobs under one set of rules: it *checks* a workflow file, it *plans* what a
//! retry block will do, and it *runs* a step's attempts. It performs no I/O and knows no clock, no
//! timer and no JavaScript: the caller says what happened and what time it is. Only `wasm`, the
//! border to JavaScript, knows of a host.
//!
//! ```text
//!  YAML ──workflow──▶ steps ──check──▶ diagnostics
//!                       │
//!                    policy ──plan──▶ rows, totals
//!                       │
//!                      run ◀── events, clock readings
//!                       │ ──▶ decisions: attempt / wait / done, and the record
//! ```
//!
//! Each module uses only those above it in this list.

// What everything else is made of.

// Numbers as JavaScript writes them, and decimals as the nearest double.
pub mod number;
// Plain data as JSON text, for the border.
pub mod json;
// A span of time in milliseconds: finite, never negative, saturating.
pub mod millis;
// Texts out of parts.
mod text;
// Closed sets of words.
pub mod named;
// A value as a rule sees it, wherever it was written.
pub mod value;
// Reading what a caller hands over, and refusing it by its path.
pub mod argument;
// Plain data out and in again, each field named once.
mod codec;

// The facts: each stands here once.

// Every code that a diagnostic can carry, with its weight.
pub mod codes;
// What each key of a workflow file takes, and the sentence that refuses anything else.
pub mod keys;

// Limits, and what becomes of them.

// The wait between attempts, and sums over many of them.
pub mod backoff;
// Spreading a wait, from a seed.
pub mod jitter;
// How long a server asks to be left alone.
pub mod hint;
// What went wrong, and whether it may be tried again.
pub mod failure;
// What an author wrote about limits, and what will be done about it.
pub mod policy;
// A run at its barest: how long each attempt may take, and when the next one starts.
mod pace;
// Advice on a step's limits that are accepted but will surprise.
pub mod advice;
// One step's attempts as a state machine, its record, and a whole run on a virtual clock.
pub mod run;
// What a policy will do: rows, totals, worst case, percentiles under jitter.
pub mod plan;
// Many workers that fail together: what the service gets to see of them.
pub mod fleet;

// A policy in another engine's words, and what is lost on the way.
#[cfg(feature = "export")]
pub mod export;

// A file.

// YAML: a text to the events that describe it.
pub mod yaml;
// A workflow file: YAML text to a tree with positions.
pub mod workflow;
// The rules of a workflow file, as diagnostics with their mendings.
pub mod check;

// The border to JavaScript.
#[cfg(target_arch = "wasm32")]
pub mod wasm;
