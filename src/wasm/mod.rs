//! The border to JavaScript: each function takes plain values, calls one function of the core, and
//! gives plain values back. Names, types and errors that people see are TypeScript, in `pkg/src/`.
//!
//! What the core refuses is thrown as a plain object `{ code, message, path? }`. A cargo feature for
//! each part decides which of them a module offers; what nobody can call does not get into it.

#[cfg(any(feature = "run", feature = "fleet"))]
mod asked;
#[cfg(feature = "run")]
mod driver;
#[cfg(feature = "export")]
mod export;
#[cfg(feature = "file")]
mod file;
#[cfg(feature = "fleet")]
mod fleet;
#[cfg(feature = "forecast")]
mod forecast;
#[cfg(feature = "run")]
mod http;
mod input;
mod output;
#[cfg(feature = "run")]
mod plan;
#[cfg(feature = "run")]
mod report;
#[cfg(feature = "run")]
mod step_run;
#[cfg(any(feature = "file", feature = "run"))]
mod trap;

/// One that is small: what the standard library has is as large as all of the border.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

#[cfg(feature = "export")]
pub use export::{export_policy, import_policy};
#[cfg(feature = "file")]
pub use file::validate;
#[cfg(feature = "fleet")]
pub use fleet::{plans, simulate_fleet};
#[cfg(feature = "forecast")]
pub use forecast::{percentiles, simulate};
pub use input::text_buffer;
#[cfg(feature = "run")]
pub use {
    driver::run_step,
    http::{http_failure, parse_retry_after},
    plan::{delays, plan_of, plan_rows},
    step_run::Run,
};
