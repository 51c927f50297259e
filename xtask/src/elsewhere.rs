//! The same sources in another folder, as on another machine: they must give the same package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::build;
use crate::project::Project;

/// All that the package is made from.
const SOURCES: [&str; 12] = [
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "docs",
    "package-lock.json",
    "package.json",
    "pkg",
    "rustfmt.toml",
    "src",
    "xtask",
];

/// What a folder of sources holds besides them.
const MADE: [&str; 2] = ["dist", "node_modules"];

/// Builds the package in both places, and compares file for file and byte for byte.
pub(crate) fn gives_the_same(project: &Project) -> Result<()> {
    let root = project.target.join("elsewhere").join("step-retry");
    fs::create_dir_all(&root)?;
    // Cargo's own folder stays: what has not changed need not be compiled again.
    for source in SOURCES {
        copy(&project.path(source), &root.join(source))?;
    }
    link(&project.path("node_modules"), &root.join("node_modules"))?;
    let there = Project { target: root.join("target"), root, commit: project.commit.clone() };
    build::package(project)?;
    build::package(&there)?;
    compare(&project.path("pkg/dist"), &there.path("pkg/dist"))
}

fn compare(here: &Path, there: &Path) -> Result<()> {
    let files = files(here)?;
    ensure!(!files.is_empty(), "nothing was built");
    let others = self::files(there)?;
    let alone: Vec<_> = files.symmetric_difference(&others).collect();
    ensure!(alone.is_empty(), "only one of the two folders has {alone:?}");
    for file in files {
        let (here, there) = (fs::read(here.join(&file))?, fs::read(there.join(&file))?);
        let place = here.iter().zip(&there).position(|(a, b)| a != b);
        ensure!(
            here == there,
            "{} has {} bytes here and {} in another folder, and differs from byte {} on",
            file.display(),
            here.len(),
            there.len(),
            place.unwrap_or(here.len().min(there.len()))
        );
    }
    Ok(())
}

/// The files in a folder, by their way from it.
fn files(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = PathBuf::from(entry.file_name());
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?.iter().map(|file| name.join(file)));
        } else {
            found.insert(name);
        }
    }
    Ok(found)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        // One that is the same keeps its time.
        let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
        if fs::read(to).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        return fs::write(to, bytes).with_context(|| format!("cannot write {}", to.display()));
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        if !MADE.iter().any(|made| name == *made) {
            copy(&from.join(&name), &to.join(&name))?;
        }
    }
    // What is gone here goes there.
    for entry in fs::read_dir(to)? {
        let (name, path) = entry.map(|entry| (entry.file_name(), entry.path()))?;
        if from.join(&name).exists() || MADE.iter().any(|made| name == *made) {
            continue;
        }
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }?;
    }
    Ok(())
}

fn link(to: &Path, at: &Path) -> Result<()> {
    if at.exists() {
        return Ok(());
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(to, at)?;
    #[cfg(windows)]
    std::os::windows::fs::symlink_dir(to, at)?;
    Ok(())
}
