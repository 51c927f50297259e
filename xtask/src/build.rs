//! From the Rust core to the npm package: compile, glue, optimise, bundle. Each stage is skipped
//! when what it is made from has not changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use wasm_bindgen_cli_support::Bindgen;

use crate::console;
use crate::lean;
use crate::project::Project;
use crate::stamp::Inputs;
use crate::tools::{self, WASM_TARGET};

/// Name of the module and of its glue.
const MODULE: &str = "step_retry";

/// The optimiser's options. It inlines nothing, as the compiler has done that; functions with like
/// names are much alike and stand side by side, where gzip sees it; its features are the ones rustc
/// turns on by default.
const OPTIMISE: [&str; 12] = [
    "-Oz",
    "--one-caller-inline-max-function-size=0",
    "--always-inline-max-function-size=0",
    "--reorder-functions-by-name",
    "--strip-debug",
    "--strip-producers",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Builds the package into `pkg/dist`.
pub(crate) fn package(project: &Project) -> Result<()> {
    tools::ensure_npm_packages(project)?;
    tools::ensure_wasm_target(project)?;
    let compiled = compile(project)?;
    let glued = glue(project, &compiled)?;
    let optimised = optimise(project, &glued)?;
    bundle(project, &optimised)
}

/// Builds the page of the playground on top of the package.
pub(crate) fn page(project: &Project) -> Result<()> {
    let made = project.path("www/dist");
    let stamp = Inputs::default()
        .path(&project.path("www"))?
        .path(&project.path("examples"))?
        .path(&project.path("pkg/src"))?
        .path(&project.work().join("bundle.stamp"))?
        .stamp(project.work().join("page.stamp"));
    if stamp.holds_for(&made) {
        console::unchanged("page");
        return Ok(());
    }
    console::step("page", || {
        let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        npm.args(["run", "build", "--workspace", "www"]).current_dir(&project.root);
        console::run("page", npm)?;
        stamp.write()
    })
}

/// Holds the sizes of what was built against their budget, and prints them.
pub(crate) fn sizes(project: &Project) -> Result<()> {
    let mut script = tools::node(project);
    script.arg("pkg/sizes.mjs");
    print!("{}", console::run("sizes", script)?);
    Ok(())
}

/// Tells by crate and by our own modules what the glued module is made of.
pub(crate) fn where_bytes_go(project: &Project, arguments: &[String]) -> Result<()> {
    let mut script = tools::node(project);
    script.arg("pkg/where.mjs").arg(glued_module(project)).args(arguments);
    console::hand_over(script)
}

fn glued_module(project: &Project) -> PathBuf {
    project.work().join("glue").join(format!("{MODULE}_bg.wasm"))
}

fn compile(project: &Project) -> Result<PathBuf> {
    let lean = lean::is_possible(project)?;
    // A folder of its own: the target's flags and toolchain may differ from the ones for this machine.
    let folder = project.target.join(match (lean, tools::foreign_wasm_cargo()) {
        (true, _) => "wasm-lean",
        (false, true) => "wasm-foreign",
        (false, false) => "wasm",
    });
    console::step("compile to wasm", || {
        let mut cargo = tools::wasm_cargo(project);
        cargo.args([
            "build",
            "--package",
            "step-retry",
            "--lib",
            "--release",
            "--locked",
            "--target",
            WASM_TARGET,
        ]);
        cargo.arg("--target-dir").arg(&folder);
        cargo.arg("--config").arg(tools::without_machine_paths(project)?);
        if lean {
            lean::apply(&mut cargo);
        }
        console::run("compile to wasm", cargo).map(drop)
    })?;
    Ok(folder.join(WASM_TARGET).join("release").join(MODULE).with_extension("wasm"))
}

fn glue(project: &Project, compiled: &Path) -> Result<PathBuf> {
    let folder = project.work().join("glue");
    let glued = glued_module(project);
    let stamp = Inputs::default()
        .path(&project.path("Cargo.lock"))?
        // The settings of the glue stand in this very file.
        .path(&project.path("xtask/src/build.rs"))?
        .path(compiled)?
        .stamp(project.work().join("glue.stamp"));
    if stamp.holds_for(&glued) {
        console::unchanged("glue");
        return Ok(glued);
    }
    console::step("glue", || {
        fs::create_dir_all(&folder)?;
        Bindgen::new()
            .input_path(compiled)
            .out_name(MODULE)
            .web(true)?
            .omit_default_module_path(true)
            .typescript(false)
            // The optimiser puts functions in the order of their names.
            .remove_name_section(false)
            .remove_producers_section(true)
            .generate(&folder)?;
        stamp.write()
    })?;
    Ok(glued)
}

fn optimise(project: &Project, glued: &Path) -> Result<PathBuf> {
    let optimised = project.work().join(MODULE).with_extension("wasm");
    let stamp = Inputs::default()
        .text(&OPTIMISE.join(" "))
        .path(glued)?
        .path(&project.path("package-lock.json"))?
        .stamp(project.work().join("optimise.stamp"));
    if stamp.holds_for(&optimised) {
        console::unchanged("optimise");
        return Ok(optimised);
    }
    console::step("optimise", || {
        let mut wasm_opt = tools::npm_program(project, "binaryen/bin/wasm-opt");
        wasm_opt.args(OPTIMISE).arg(glued).arg("-o").arg(&optimised);
        console::run("optimise", wasm_opt)?;
        stamp.write()
    })?;
    Ok(optimised)
}

fn bundle(project: &Project, optimised: &Path) -> Result<()> {
    let commit = commit(project);
    let made = project.path("pkg/dist");
    let stamp = Inputs::default()
        .text(&commit)
        .path(&project.path("pkg"))?
        .path(optimised)?
        .path(&project.work().join("glue"))?
        .path(&project.path("package-lock.json"))?
        .stamp(project.work().join("bundle.stamp"));
    if stamp.holds_for(&made.join("cli.js")) {
        console::unchanged("bundle");
        return Ok(());
    }
    console::step("bundle", || {
        let mut script = tools::node(project);
        script.arg("pkg/build.mjs").arg(project.work()).arg(commit);
        console::run("bundle", script)?;
        stamp.write()
    })
}

/// The commit that is built, or nothing outside a git repository.
fn commit(project: &Project) -> String {
    let output =
        Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).current_dir(&project.root).output();
    output
        .ok()
        .filter(|output| output.status.success())
        .map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
