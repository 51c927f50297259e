//! `cargo xtask …`: builds, checks, tests and shows the project on a machine that has rustup and
//! Node, and nothing else.

mod build;
mod check;
mod console;
mod elsewhere;
mod lean;
mod licences;
mod module;
mod packaging;
mod project;
mod stamp;
mod test;
mod tools;

use std::process::ExitCode;

use anyhow::{Result, bail};

use project::Project;

/// A command of `cargo xtask`.
struct Task {
    name: &'static str,
    summary: &'static str,
    help: &'static str,
    run: fn(&Project, &[String]) -> Result<()>,
}

const TASKS: [Task; 9] = [
    Task {
        name: "build",
        summary: "build the npm package into pkg/dist and the playground into www/dist",
        help: "Compiles the core to WebAssembly, makes its glue, optimises it, bundles the TypeScript,\n\
               and holds the sizes against pkg/budget.json. What has not changed is not built again.",
        run: |project, arguments| {
            no_arguments(arguments)?;
            build::package(project)?;
            build::page(project)?;
            console::step("sizes", || build::sizes(project))
        },
    },
    Task {
        name: "check",
        summary: "format, lints, types and docs, without running a test",
        help: "cargo fmt, clippy (this machine and wasm32) and docs, tsc and biome, each with warnings\n\
               as errors.",
        run: |project, arguments| {
            no_arguments(arguments)?;
            test::all(check::rows(project)?)
        },
    },
    Task {
        name: "test",
        summary: "everything that must hold: checks, tests, package, pages, sizes, start-up",
        help: "Prints a row for each part, then `N passed, N failed`.\n\n\
               Usage: cargo xtask test [WORD…]   only the rows whose names contain one of the words\n\
               \x20      cargo xtask test --fast     without the rows that take long or are much like another\n\
               \x20      cargo xtask test --list     the names of the rows\n\n\
               With CI=true a tool that is missing is a failure; otherwise its row is skipped and says\n\
               what to install.",
        run: test::run,
    },
    Task {
        name: "size",
        summary: "build, then tell where the kilobytes of the module go",
        help: "By crate and by our own modules, with what has changed since it was last recorded.\n\n\
               Usage: cargo xtask size [MODULE] [--record]\n\n\
               MODULE     one of the others, as step_retry_run, which alone is built\n\
               --record   also writes the figures to pkg/where.json",
        run: |project, arguments| match arguments.split_first() {
            Some((name, rest)) if !name.starts_with('-') => build::where_bytes_of_one_go(project, name, rest),
            _ => {
                build::package(project)?;
                build::sizes(project)?;
                build::where_bytes_go(project, arguments)
            }
        },
    },
    Task {
        name: "demo",
        summary: "build, then the whole product at work on real files",
        help: "Builds the package and runs examples/demo.mjs: the step-retry command on three workflow\n\
               files, and one of their steps against a server that fails.",
        run: |project, arguments| {
            build::package(project)?;
            tools::node_script(project, "examples/demo.mjs", arguments)
        },
    },
    Task {
        name: "play",
        summary: "build, then serve the playground on this machine and open it",
        help: "Builds the package and the page in www/, serves it until you press Ctrl-C, and shows it in your\n\
               browser. What you save below src, pkg/src, www/src or examples is built, and the page loaded anew.\n\n\
               Usage: cargo xtask play [--port N] [--no-open]",
        run: |project, arguments| {
            build::package(project)?;
            build::page(project)?;
            tools::node_script(project, "www/play.mjs", arguments)
        },
    },
    Task {
        name: "pictures",
        summary: "build, then photograph the playground in its main states",
        help: "Builds the package and the page, and writes a picture of each main state, light and dark, wide\n\
               and narrow, into a folder. Needs Chromium.\n\n\
               Usage: cargo xtask pictures [FOLDER]   default: www/pictures",
        run: |project, arguments| {
            build::package(project)?;
            build::page(project)?;
            tools::node_script(project, "tests/browser/pictures.mjs", arguments)
        },
    },
    Task {
        name: "docs",
        summary: "make the reference of the npm package from its types",
        help: "Writes it to target/docs/index.html; an item without a description is an error.",
        run: |project, arguments| {
            no_arguments(arguments)?;
            build::package(project)?;
            console::step("reference", || build::reference(project))
        },
    },
    Task {
        name: "bench",
        summary: "build, then measure calls of the built package",
        help: "Builds the package and runs benches/calls.mjs: warm calls of each function.\n\n\
               Usage: cargo xtask bench [WORD…]   only the rows whose names contain one of the words",
        run: |project, arguments| {
            build::package(project)?;
            tools::node_script(project, "benches/calls.mjs", arguments)
        },
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<()> {
    let wants_help = arguments.iter().any(|argument| argument == "--help" || argument == "-h");
    let Some((name, rest)) = arguments.split_first() else {
        println!("{}", overview());
        return Ok(());
    };
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) if wants_help => {
            println!("cargo xtask {}: {}\n\n{}", task.name, task.summary, task.help);
            Ok(())
        }
        Some(task) => (task.run)(&Project::find()?, rest),
        None if wants_help || name == "help" => {
            println!("{}", overview());
            Ok(())
        }
        None => bail!("unknown task '{name}'\n\n{}", overview()),
    }
}

fn overview() -> String {
    let mut text = String::from("Usage: cargo xtask TASK [--help]\n");
    for task in &TASKS {
        text += &format!("\n  {:<6} {}", task.name, task.summary);
    }
    text
}

fn no_arguments(arguments: &[String]) -> Result<()> {
    match arguments.first() {
        Some(argument) => bail!("unknown argument '{argument}'"),
        None => Ok(()),
    }
}
