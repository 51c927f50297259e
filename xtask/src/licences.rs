//! Whose work is in the package, and under which licences. `LICENSES.txt` says so to whoever installs it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::console;
use crate::project::Project;
use crate::stamp::Inputs;
use crate::tools::{self, WASM_TARGET};

/// What looks at the crates.
const CARGO_DENY: &str = "cargo-deny@0.20.2";

/// The part that is in every module and in no list of dependencies.
const STANDARD_LIBRARY: &str = "\
The Rust standard library, with compiler-builtins, dlmalloc and hashbrown
MIT OR Apache-2.0, https://github.com/rust-lang/rust
Copyright (c) The Rust Project Contributors
";

/// A crate as cargo describes it.
struct Crate {
    name: String,
    version: String,
    licence: String,
    source: Option<String>,
    repository: String,
    folder: PathBuf,
}

/// Writes the list, unless it was made from the same crates.
pub(crate) fn write(project: &Project) -> Result<PathBuf> {
    let file = project.work().join("LICENSES.txt");
    let stamp = Inputs::default()
        .path(&project.path("Cargo.lock"))?
        .path(&project.path("Cargo.toml"))?
        .path(&project.path("xtask/src/licences.rs"))?
        .stamp(project.work().join("licences.stamp"));
    if !stamp.holds_for(&file) {
        fs::create_dir_all(project.work())?;
        fs::write(&file, list(&shipped(project)?)?)?;
        stamp.write()?;
    }
    Ok(file)
}

/// Holds all crates that take part in the build, the tests' too, against `deny.toml`. Says what could not be
/// looked at.
pub(crate) fn check(project: &Project) -> Result<Option<String>> {
    nothing_twice(&shipped(project)?)?;
    let deny = cargo_deny(project)?;
    let ask = |what: &[&str]| {
        let mut command = tools::program(project, &deny);
        command.arg("check").args(what);
        console::run("cargo deny", command)
    };
    ask(&["licenses", "bans", "sources"])?;
    match ask(&["advisories"]) {
        Err(error) if format!("{error:#}").contains("failed to fetch advisory database") => {
            Ok(Some("no advisories: their database is out of reach".to_owned()))
        }
        found => found.map(|_| None),
    }
}

/// `cargo deny`, of one version everywhere. Without what makes it fast it is soon built.
fn cargo_deny(project: &Project) -> Result<PathBuf> {
    let folder = project.target.join("tools");
    let program = folder.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    let stamp = Inputs::default().text(CARGO_DENY).stamp(folder.join("cargo-deny.stamp"));
    if !stamp.holds_for(&program) {
        let mut cargo = tools::cargo(project);
        cargo.args(["install", CARGO_DENY, "--locked", "--force", "--debug", "--no-default-features"]);
        cargo.arg("--root").arg(&folder).env("CARGO_PROFILE_DEV_DEBUG", "0");
        console::step("install cargo deny", || console::run("install cargo deny", cargo).map(drop))?;
        stamp.write()?;
    }
    Ok(program)
}

/// What is in the modules may not be there in two versions.
fn nothing_twice(shipped: &[Crate]) -> Result<()> {
    for pair in shipped.windows(2) {
        if let [Crate { name, version, .. }, other] = pair {
            ensure!(
                *name != other.name,
                "{name} would be in the modules twice: {version} and {}",
                other.version
            );
        }
    }
    Ok(())
}

fn list(crates: &[Crate]) -> Result<String> {
    let mut text = String::from(
        "step-retry itself is under MIT or Apache-2.0, as you like: LICENSE-MIT, LICENSE-APACHE.\n\
         Its WebAssembly modules are made of it and of the following.\n\n",
    );
    writeln!(text, "{STANDARD_LIBRARY}")?;
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for Crate { name, version, licence, repository, folder, .. } in crates {
        writeln!(text, "{name} {version}\n{licence}, {repository}\n")?;
        texts.entry(licence_text(folder, licence)?).or_default().push(name);
    }
    for (licence, names) in texts {
        writeln!(text, "{}\n\n{}:\n\n{}\n", "-".repeat(80), names.join(", "), licence.trim())?;
    }
    Ok(text)
}

/// The text of a crate's licence; of two, the shorter one. Some crates come without.
fn licence_text(folder: &Path, licence: &str) -> Result<String> {
    for name in ["LICENSE-MIT", "LICENSE-MIT.txt", "LICENSE", "LICENSE.md", "LICENSE.txt"] {
        if let Ok(text) = fs::read_to_string(folder.join(name)) {
            return Ok(text.replace("\r\n", "\n"));
        }
    }
    if licence.contains("Apache-2.0") {
        return Ok("Used under the Apache License, Version 2.0, whose text is in LICENSE-APACHE.".to_owned());
    }
    bail!("there is no text of a licence in {}", folder.display())
}

/// The crates in the modules, by name: what is needed at run time. Macros are not in there, what they wrote is.
fn shipped(project: &Project) -> Result<Vec<Crate>> {
    let metadata = metadata(project, &["--filter-platform", WASM_TARGET])?;
    let mut found: Vec<&str> = Vec::new();
    let mut open = vec![id_of(&metadata, "step-retry")?];
    while let Some(id) = open.pop() {
        if found.contains(&id) || is_macro(&metadata, id) {
            continue;
        }
        found.push(id);
        let node = items(&metadata["resolve"]["nodes"]).find(|node| node["id"] == id);
        for dependency in node.into_iter().flat_map(|node| items(&node["deps"])) {
            if items(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null()) {
                open.push(text(dependency, "pkg"));
            }
        }
    }
    let mut shipped = crates(&metadata)?;
    let ids: Vec<&str> = items(&metadata["packages"]).map(|package| text(package, "id")).collect();
    let mut index = 0;
    shipped.retain(|of| {
        index += 1;
        found.contains(&ids[index - 1]) && of.source.is_some()
    });
    shipped.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(shipped)
}

fn metadata(project: &Project, options: &[&str]) -> Result<Value> {
    let mut cargo = tools::cargo(project);
    cargo.args(["metadata", "--format-version", "1", "--locked", "--quiet"]).args(options);
    let printed = console::run("cargo metadata", cargo)?;
    let json = printed.find('{').map_or("", |start| &printed[start..]);
    serde_json::from_str(json).context("cargo metadata is not as expected")
}

fn crates(metadata: &Value) -> Result<Vec<Crate>> {
    items(&metadata["packages"])
        .map(|package| {
            let manifest = Path::new(text(package, "manifest_path"));
            Ok(Crate {
                name: text(package, "name").to_owned(),
                version: text(package, "version").to_owned(),
                licence: text(package, "license").to_owned(),
                source: package["source"].as_str().map(str::to_owned),
                repository: text(package, "repository").to_owned(),
                folder: manifest.parent().context("a manifest stands in a folder")?.to_owned(),
            })
        })
        .collect()
}

fn id_of<'a>(metadata: &'a Value, name: &str) -> Result<&'a str> {
    let package = items(&metadata["packages"]).find(|package| package["name"] == name);
    package.map(|package| text(package, "id")).with_context(|| format!("there is no crate {name}"))
}

fn is_macro(metadata: &Value, id: &str) -> bool {
    let package = items(&metadata["packages"]).find(|package| package["id"] == id);
    package
        .into_iter()
        .flat_map(|package| items(&package["targets"]))
        .any(|target| items(&target["kind"]).any(|kind| kind == "proc-macro"))
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text<'a>(of: &'a Value, key: &str) -> &'a str {
    of[key].as_str().unwrap_or_default()
}
