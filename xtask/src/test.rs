//! Everything that must hold, one row each.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::{build, check, console, elsewhere, licences, packaging, tools};

/// One thing that must hold.
pub(crate) struct Row<'a> {
    name: String,
    needs_build: bool,
    slow: bool,
    work: Box<dyn Fn() -> Result<Verdict> + 'a>,
}

/// What a row found, when it did not fail.
pub(crate) enum Verdict {
    /// It holds.
    Pass,
    /// It held when it was last looked at, and nothing has changed since.
    Unchanged,
    /// It could not be seen on this machine, and why.
    Skipped(String),
}

impl Verdict {
    /// The verdict of a command that ended well, whatever it printed.
    pub(crate) fn pass(_output: String) -> Self {
        Self::Pass
    }
}

impl<'a> Row<'a> {
    /// A row that needs nothing but the sources.
    pub(crate) fn new(name: impl Into<String>, work: impl Fn() -> Result<Verdict> + 'a) -> Self {
        Self { name: name.into(), needs_build: false, slow: false, work: Box::new(work) }
    }

    /// A row about the built package.
    pub(crate) fn built(name: impl Into<String>, work: impl Fn() -> Result<Verdict> + 'a) -> Self {
        Self { needs_build: true, ..Self::new(name, work) }
    }

    /// The same row, left out where few minutes must do.
    pub(crate) fn slow(self) -> Self {
        Self { slow: true, ..self }
    }
}

/// `cargo xtask test`.
pub(crate) fn run(project: &Project, arguments: &[String]) -> Result<()> {
    let (options, words): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|word| word.starts_with('-'));
    let mut rows = check::rows(project)?;
    rows.extend(own_rows(project));
    rows.extend(packaging::rows(project)?);
    if !words.is_empty() {
        rows.retain(|row| words.iter().any(|word| row.name.contains(word.as_str())));
    }
    match options.first().map(|option| option.as_str()) {
        Some("--list") => {
            rows.iter().for_each(|row| println!("{}", row.name));
            return Ok(());
        }
        Some("--fast") => rows.retain(|row| !row.slow),
        Some(option) => bail!("unknown option '{option}'"),
        None => {}
    }
    all(rows)
}

/// Runs the rows, says what each found, and fails if one did.
pub(crate) fn all(rows: Vec<Row<'_>>) -> Result<()> {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut build_failed = false;
    for row in rows {
        let start = Instant::now();
        let found = if row.needs_build && build_failed {
            Err(anyhow::anyhow!("not run: the build failed"))
        } else {
            (row.work)()
        };
        let time = Some(start.elapsed());
        match found {
            Ok(Verdict::Pass) => {
                passed += 1;
                console::line("pass", time, &row.name);
            }
            Ok(Verdict::Unchanged) => {
                passed += 1;
                console::line("same", time, &row.name);
            }
            Ok(Verdict::Skipped(why)) => {
                skipped += 1;
                console::line("skip", None, &format!("{}: {why}", row.name));
            }
            Err(error) => {
                failed += 1;
                build_failed |= row.name == BUILD;
                console::line("FAIL", time, &row.name);
                println!("{error:#}\n");
            }
        }
    }
    let skipped = if skipped == 0 { String::new() } else { format!(", {skipped} skipped") };
    println!("{passed} passed, {failed} failed{skipped}");
    if failed > 0 {
        std::process::exit(1);
    }
    Ok(())
}

const BUILD: &str = "build";

fn own_rows(project: &Project) -> Vec<Row<'_>> {
    vec![
        Row::new("rust tests", || {
            // They read YAML's own tests, which an npm package brings.
            tools::ensure_npm_packages(project)?;
            let mut cargo = tools::cargo(project);
            cargo.args(["test", "--package", "step-retry", "--locked"]);
            console::run("rust tests", cargo).map(Verdict::pass)
        }),
        Row::new("xtask tests", || {
            let mut cargo = tools::cargo(project);
            // Under the profile that this program was built with nothing else is built anew.
            cargo.args(["test", "--package", "xtask", "--profile", "dev", "--locked"]);
            console::run("xtask tests", cargo).map(Verdict::pass)
        }),
        Row::new("licences", || {
            if let Some(unseen) = licences::check(project)? {
                println!("          {unseen}");
            }
            Ok(Verdict::Pass)
        })
        .slow(),
        Row::new(BUILD, || build::package(project).map(|()| Verdict::Pass)),
        // Its first page links to what the build puts into the package.
        Row::built("reference", || build::reference(project).map(|()| Verdict::Pass)),
        Row::built("node tests", || {
            let mut node = node_tests(project);
            node.args(test_files(project, "tests/node")?);
            run_tests("node tests", node)
        }),
        Row::built("recovery tests", || {
            let entry = build::breakable(project)?;
            let mut node = node_tests(project);
            node.args(test_files(project, "tests/recovery")?).env("STEP_RETRY_BREAKABLE", entry);
            run_tests("recovery tests", node)
        }),
        Row::built("publint", || {
            let mut publint = tools::npm_program(project, "publint/src/cli.js");
            publint.args(["run", "pkg", "--strict", "--pack", "npm"]);
            console::run("publint", publint).map(Verdict::pass)
        }),
        Row::built("attw", || {
            let mut attw = tools::npm_program(project, "@arethetypeswrong/cli/dist/index.js");
            attw.args(["--pack", "pkg", "--profile", "node16", "--no-color", "--no-emoji"]);
            attw.args(["--exclude-entrypoints", "step_retry.wasm", "schema.json"]);
            console::run("attw", attw).map(Verdict::pass)
        }),
        Row::built("another folder, the same bytes", || {
            elsewhere::gives_the_same(project).map(|()| Verdict::Pass)
        })
        .slow(),
        Row::built("browser tests", || browser_tests(project)),
        Row::built("exports on the engines' packages", || {
            tools::ensure_engines(project)?;
            engine_tests(project, &["types.test.mjs", "files.test.mjs", "live-durable-task.test.mjs"])
        }),
        Row::built("exports on live engines", || {
            tools::ensure_engines(project)?;
            live_engines(project)
        }),
        Row::built("sizes", || build::sizes(project).map(|()| Verdict::Pass)),
        Row::built("first call", || {
            let mut node = tools::node(project);
            node.arg("tests/first-call.mjs");
            print!("{}", console::run("first call", node)?);
            Ok(Verdict::Pass)
        }),
    ]
}

fn browser_tests(project: &Project) -> Result<Verdict> {
    let Some(browser) = tools::CHROMIUM.find_or_install(project)? else {
        return tools::missing(&tools::CHROMIUM.how());
    };
    build::page(project)?;
    let mut node = node_tests(project);
    node.args(test_files(project, "tests/browser")?).env(tools::CHROMIUM.variable, browser);
    // Without one, on a machine that may lack it, its own test says that it is skipped.
    if let Some(browser) = tools::FIREFOX.find_or_install(project)? {
        node.env(tools::FIREFOX.variable, browser);
    }
    run_tests("browser tests", node)
}

fn engine_tests(project: &Project, files: &[&str]) -> Result<Verdict> {
    let mut node = node_tests(project);
    // One after the other: the live ones measure.
    node.arg("--test-concurrency=1");
    node.args(files.iter().map(|file| project.path("tests/engines").join(file)));
    run_tests("exports", node)
}

/// Exported policies on servers of their own, which listen on this machine only.
fn live_engines(project: &Project) -> Result<Verdict> {
    if !tools::has_redis(project)? {
        return tools::missing(
            "no redis-server here: install it, on Debian with `sudo apt-get install redis-server`",
        );
    }
    engine_tests(project, &["live-bullmq.test.mjs", "live-restate.test.mjs"])
}

/// Node's own runner of tests, whose files are still to be named.
fn node_tests(project: &Project) -> Command {
    let mut node = tools::node(project);
    node.args(["--test", "--test-reporter=spec"]);
    node
}

/// Runs them. Of those that failed it tells, which its reporter repeats at the end, and of no others.
fn run_tests(name: &str, node: Command) -> Result<Verdict> {
    match console::run(name, node) {
        Ok(_) => Ok(Verdict::Pass),
        Err(error) => {
            let text = format!("{error:#}");
            bail!("{}", text.find("✖ failing tests:").map_or(text.as_str(), |start| &text[start..]))
        }
    }
}

fn test_files(project: &Project, folder: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(project.path(folder)).with_context(|| format!("cannot read {folder}"))?;
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    // Without a file `node --test` would look for tests of its own choice.
    if files.is_empty() {
        bail!("there are no tests in {folder}");
    }
    files.sort();
    Ok(files)
}
