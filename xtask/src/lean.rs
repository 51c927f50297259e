//! A standard library made for the module. The one that comes with the toolchain is compiled for
//! speed, and each of its panics carries a text and a place that nobody sees in a module that only
//! traps. Compiled anew it makes the module a tenth smaller. That takes the library's sources and flags
//! that are not stable yet: where a toolchain has either not, the ready-made library serves as well.

use std::process::Command;

use anyhow::{Context, Result};

use crate::console;
use crate::project::Project;
use crate::tools::{self, WASM_TARGET};

/// Lets a stable toolchain take the flags.
const ALLOW: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

/// A panic traps at once.
const PANIC: [&str; 2] = ["-Zunstable-options", "-Cpanic=immediate-abort"];

/// Whether this machine can make such a library. Fetches its sources where they are missing.
pub(crate) fn is_possible(project: &Project) -> Result<bool> {
    let ready = takes_flags(project).and_then(|()| ensure_sources(project));
    match ready {
        Ok(()) => Ok(true),
        Err(error) if tools::on_ci() => Err(error),
        Err(error) => {
            eprintln!("{error:#}; the module will be a tenth larger than need be");
            Ok(false)
        }
    }
}

/// Has `cargo` compile the library along with the module.
pub(crate) fn apply(cargo: &mut Command) {
    cargo.env(ALLOW.0, ALLOW.1);
    cargo.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
    cargo.arg("--config").arg(format!("target.{WASM_TARGET}.rustflags={PANIC:?}"));
}

fn takes_flags(project: &Project) -> Result<()> {
    let mut rustc = Command::new("rustc");
    rustc.args(PANIC).args(["--print", "cfg", "--target", WASM_TARGET]);
    rustc.current_dir(&project.root).env(ALLOW.0, ALLOW.1);
    let message = "this toolchain cannot compile the standard library anew: update it with `rustup update`";
    console::run("rustc", rustc).map(drop).context(message)
}

fn ensure_sources(project: &Project) -> Result<()> {
    if tools::sysroot(project)?.join("lib/rustlib/src/rust/library/Cargo.lock").exists() {
        return Ok(());
    }
    console::step("rustup component add rust-src", || {
        let mut rustup = Command::new("rustup");
        rustup.args(["component", "add", "rust-src"]).current_dir(&project.root);
        let message =
            "the standard library's sources are missing: install them with `rustup component add rust-src`";
        console::run("rustup component add rust-src", rustup).map(drop).context(message)
    })
}
