//! The tools that the work needs and this machine may lack.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::console;
use crate::project::Project;
use crate::stamp::Inputs;
use crate::test::Verdict;

/// The Rust target of the package.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

const OLDEST_NODE: u32 = 20;

/// Whether this is a machine where nothing may be skipped.
pub(crate) fn on_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false")
}

/// Cargo for this machine.
pub(crate) fn cargo(project: &Project) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&project.root);
    command
}

/// Adds the wasm target to the Rust toolchain where it is missing.
pub(crate) fn ensure_wasm_target(project: &Project) -> Result<()> {
    if wasm_target_is_there(project) {
        return Ok(());
    }
    console::step("rustup target add", || {
        let mut rustup = Command::new("rustup");
        rustup.args(["target", "add", WASM_TARGET]).current_dir(&project.root);
        console::run("rustup target add", rustup).map(drop).with_context(|| {
            format!(
                "the Rust target {WASM_TARGET} is missing: install it with `rustup target add {WASM_TARGET}`; \
                 rustup is at https://rustup.rs"
            )
        })
    })
}

/// The setting of cargo that keeps this machine's folders out of the module, where panics would name
/// them: the same sources give the same bytes everywhere.
pub(crate) fn without_machine_paths(project: &Project) -> Result<String> {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).unwrap_or_default();
    let cargo_home = std::env::var_os("CARGO_HOME").map_or(PathBuf::from(home).join(".cargo"), PathBuf::from);
    let version = rustc(project, &["-vV"])?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let flags: Vec<String> = [
        // What it is called where the library's sources are not installed.
        (sysroot(project)?.join("lib/rustlib/src/rust"), format!("/rustc/{commit}")),
        (cargo_home.join("registry/src"), "crates".to_owned()),
        (project.root.clone(), ".".to_owned()),
    ]
    .iter()
    .map(|(folder, name)| format!("{:?}", format!("--remap-path-prefix={}={name}", folder.display())))
    .collect();
    Ok(format!("target.{WASM_TARGET}.rustflags=[{}]", flags.join(",")))
}

/// The folder of the Rust toolchain.
pub(crate) fn sysroot(project: &Project) -> Result<PathBuf> {
    Ok(PathBuf::from(rustc(project, &["--print", "sysroot"])?.trim()))
}

/// What the Rust compiler prints.
pub(crate) fn rustc(project: &Project, arguments: &[&str]) -> Result<String> {
    let output = Command::new("rustc").args(arguments).current_dir(&project.root).output();
    Ok(String::from_utf8(output.context("cannot start rustc")?.stdout)?)
}

fn wasm_target_is_there(project: &Project) -> bool {
    let folder = rustc(project, &["--print", "target-libdir", "--target", WASM_TARGET]);
    folder.is_ok_and(|folder| PathBuf::from(folder.trim()).exists())
}

/// Node, in the project's folder.
pub(crate) fn node(project: &Project) -> Command {
    program(project, Path::new("node"))
}

/// npm, in the project's folder.
pub(crate) fn npm(project: &Project) -> Command {
    program(project, Path::new(if cfg!(windows) { "npm.cmd" } else { "npm" }))
}

/// Any program, in the project's folder.
pub(crate) fn program(project: &Project, path: &Path) -> Command {
    let mut command = Command::new(path);
    command.current_dir(&project.root);
    command
}

/// Runs a script of the project on this terminal.
pub(crate) fn node_script(project: &Project, script: &str, arguments: &[String]) -> Result<()> {
    let mut command = node(project);
    command.arg(script).args(arguments);
    console::hand_over(command)
}

/// A program of the installed npm packages, given by the path of its script.
pub(crate) fn npm_program(project: &Project, script: &str) -> Command {
    let mut command = node(project);
    command.arg(project.path("node_modules").join(script));
    command
}

/// Installs the npm packages of the lock file where they are missing or other ones.
pub(crate) fn ensure_npm_packages(project: &Project) -> Result<()> {
    require_node(project)?;
    npm_ci(project, "npm ci", &project.root, &["ci"])
}

/// Installs the engines that exported policies are tried on. None of their scripts runs.
pub(crate) fn ensure_engines(project: &Project) -> Result<()> {
    ensure_npm_packages(project)?;
    npm_ci(project, "npm ci for the engines", &project.path("tests/engines"), &["ci", "--ignore-scripts"])
}

fn npm_ci(project: &Project, name: &str, folder: &Path, arguments: &[&str]) -> Result<()> {
    let packages = folder.join("node_modules");
    let stamp = Inputs::default()
        .path(&folder.join("package.json"))?
        .path(&folder.join("package-lock.json"))?
        .stamp(packages.join(".step-retry-stamp"));
    if stamp.holds_for(&packages) {
        return Ok(());
    }
    console::step(name, || {
        let mut npm = npm(project);
        npm.args(arguments).current_dir(folder);
        console::run(name, npm)?;
        stamp.write()
    })
}

fn require_node(project: &Project) -> Result<()> {
    let output = node(project).arg("--version").output();
    let found =
        output.map_or("none".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let major = found.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < OLDEST_NODE) {
        bail!(
            "Node {OLDEST_NODE} or later with npm is needed: install it from your system or nodejs.org (found {found})"
        );
    }
    Ok(())
}

/// The verdict where a tool is missing: only where it may be.
pub(crate) fn missing(how: &str) -> Result<Verdict> {
    if on_ci() {
        bail!("{how}");
    }
    Ok(Verdict::Skipped(how.to_owned()))
}

/// A browser that pages are opened in.
pub(crate) struct Browser {
    /// The variable that names another one, for us and for the tests.
    pub(crate) variable: &'static str,
    /// Debian's package.
    package: &'static str,
    names: &'static [&'static str],
    on_mac: &'static str,
}

/// The browser of the tests.
pub(crate) const CHROMIUM: Browser = Browser {
    variable: "STEP_RETRY_BROWSER",
    package: "chromium",
    names: &["chromium", "chromium-browser", "google-chrome"],
    on_mac: "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
};

/// A second one, of another make.
pub(crate) const FIREFOX: Browser = Browser {
    variable: "STEP_RETRY_FIREFOX",
    package: "firefox-esr",
    names: &["firefox-esr", "firefox"],
    on_mac: "/Applications/Firefox.app/Contents/MacOS/firefox",
};

impl Browser {
    /// Where it is; installed where that is one ordinary command. `None`: there is none.
    pub(crate) fn find_or_install(&self, project: &Project) -> Result<Option<PathBuf>> {
        if let Some(path) = self.find() {
            return Ok(Some(path));
        }
        apt_get_install(project, self.package)?;
        Ok(self.find())
    }

    /// How to get one.
    pub(crate) fn how(&self) -> String {
        let Self { package, variable, .. } = self;
        format!(
            "no {package} here: install it, on Debian with `sudo apt-get install {package}`, or name it in {variable}"
        )
    }

    fn find(&self) -> Option<PathBuf> {
        let chosen = std::env::var_os(self.variable).map(PathBuf::from);
        let on_path = self.names.iter().find_map(|name| find_in_path(name));
        chosen.or(on_path).or(Some(PathBuf::from(self.on_mac))).filter(|path| path.exists())
    }
}

/// Whether there is a Redis server for the tests; installed where that is one ordinary command.
pub(crate) fn has_redis(project: &Project) -> Result<bool> {
    if find_in_path("redis-server").is_none() {
        apt_get_install(project, "redis-server")?;
    }
    Ok(find_in_path("redis-server").is_some())
}

/// Installs a package of Debian's where this is Debian and may be changed; else does nothing.
fn apt_get_install(project: &Project, package: &str) -> Result<()> {
    if !runs_as_root() || find_in_path("apt-get").is_none() {
        return Ok(());
    }
    let name = format!("apt-get install {package}");
    console::step(&name, || {
        let mut script = Command::new("sh");
        script.args([
            "-c",
            "apt-get install -y \"$0\" || { apt-get update && apt-get install -y \"$0\"; }",
            package,
        ]);
        script.current_dir(&project.root).env("DEBIAN_FRONTEND", "noninteractive");
        console::run(&name, script).map(drop)
    })
}

fn find_in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn runs_as_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == "0")
}
