//! What can be said about the sources without running them.

use anyhow::Result;

use crate::console;
use crate::project::Project;
use crate::test::{Row, Verdict};
use crate::tools::{self, WASM_TARGET};

/// The rows of `cargo xtask check`.
pub(crate) fn rows(project: &Project) -> Result<Vec<Row<'_>>> {
    tools::ensure_npm_packages(project)?;
    tools::ensure_wasm_target(project)?;
    Ok(vec![
        Row::new("rust format", || cargo(project, "rust format", &["fmt", "--all", "--check"])),
        Row::new("clippy", || {
            cargo(
                project,
                "clippy",
                &["clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"],
            )
        }),
        Row::new("clippy wasm32", || clippy_wasm(project)),
        Row::new("rust docs", || rust_docs(project)),
        Row::new("typescript", || {
            let mut tsc = tools::npm_program(project, "typescript/bin/tsc");
            tsc.args(["--project", "pkg"]);
            console::run("typescript", tsc).map(Verdict::pass)
        }),
        Row::new("lint", || {
            let mut biome = tools::npm_program(project, "@biomejs/biome/bin/biome");
            biome.args(["check", "--error-on-warnings", "--colors=off"]);
            console::run("lint", biome).map(Verdict::pass)
        }),
    ])
}

fn cargo(project: &Project, name: &str, arguments: &[&str]) -> Result<Verdict> {
    let mut cargo = tools::cargo(project);
    cargo.args(arguments);
    console::run(name, cargo).map(Verdict::pass)
}

fn clippy_wasm(project: &Project) -> Result<Verdict> {
    let mut cargo = tools::cargo(project);
    cargo.args(["clippy", "--package", "step-retry", "--lib", "--locked", "--target", WASM_TARGET]);
    cargo.args(["--", "--deny", "warnings"]);
    console::run("clippy wasm32", cargo).map(Verdict::pass)
}

// For wasm32, where the border to JavaScript is part of the crate.
fn rust_docs(project: &Project) -> Result<Verdict> {
    let mut cargo = tools::cargo(project);
    cargo.args(["doc", "--package", "step-retry", "--no-deps", "--locked", "--target", WASM_TARGET]);
    cargo.env("RUSTDOCFLAGS", "--deny warnings");
    console::run("rust docs", cargo).map(Verdict::pass)
}
