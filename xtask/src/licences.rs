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

/// The settings of `cargo deny`, which also say what is allowed here.
const SETTINGS: &str = include_str!("../../deny.toml");

/// The only place that crates come from.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

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

/// Holds all crates that take part in the build, the tests' too, against what is allowed.
pub(crate) fn check(project: &Project) -> Result<()> {
    let metadata = metadata(project, &[])?;
    let mut faults = String::new();
    for Crate { name, version, licence, source, .. } in crates(&metadata)? {
        if !is_allowed(&licence) {
            writeln!(faults, "{name} {version} is under '{licence}'")?;
        }
        if source.as_ref().is_some_and(|source| source != SOURCE) {
            writeln!(faults, "{name} {version} comes from {}", source.unwrap_or_default())?;
        }
    }
    let shipped = shipped(project)?;
    for pair in shipped.windows(2) {
        if let [Crate { name, version, .. }, other] = pair
            && *name == other.name
        {
            writeln!(faults, "{name} would be in the modules twice: {version} and {}", other.version)?;
        }
    }
    ensure!(faults.is_empty(), "{faults}");
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

/// Whether an SPDX expression leaves a way to use it under what is allowed.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let allowed = either(&mut words);
    allowed && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>) -> bool {
    let mut allowed = both(words);
    while words.next_if_eq(&"OR").is_some() {
        allowed |= both(words);
    }
    allowed
}

fn both(words: &mut Words<'_>) -> bool {
    let mut allowed = one(words);
    while words.next_if_eq(&"AND").is_some() {
        allowed &= one(words);
    }
    allowed
}

fn one(words: &mut Words<'_>) -> bool {
    match words.next() {
        Some("(") => either(words) & words.next_if_eq(&")").is_some(),
        Some(name) if words.next_if_eq(&"WITH").is_some() => {
            let exception = words.next().unwrap_or_default();
            is_listed(name) || is_listed(&format!("{name} WITH {exception}"))
        }
        Some(name) => is_listed(name),
        None => false,
    }
}

fn is_listed(licence: &str) -> bool {
    let (_, list) = SETTINGS.split_once("\nallow = [").unwrap_or_default();
    let (list, _) = list.split_once(']').unwrap_or_default();
    list.split('"').skip(1).step_by(2).any(|listed| listed == licence)
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn an_expression_is_allowed_where_one_way_through_it_is() {
        for allowed in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
            "GPL-2.0 AND ISC OR MIT",
        ] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for refused in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND MPL-2.0", "MIT MIT", "(MIT"] {
            assert!(!is_allowed(refused), "{refused}");
        }
    }
}
