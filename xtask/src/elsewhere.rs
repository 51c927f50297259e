//! The same sources in another folder, as on another machine: they must give the same module.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::module::MODULES;
use crate::project::Project;

/// All that a module is made from.
const SOURCES: [&str; 8] =
    ["Cargo.toml", "Cargo.lock", ".cargo", "rustfmt.toml", "package-lock.json", "pkg/layout", "src", "xtask"];

/// Builds the module of the smallest entry in both places, and compares byte for byte.
pub(crate) fn gives_the_same(project: &Project) -> Result<()> {
    let root = project.target.join("elsewhere").join("step-retry");
    fs::create_dir_all(&root)?;
    // Cargo's own folder stays: what has not changed need not be compiled again.
    for source in SOURCES {
        copy(&project.path(source), &root.join(source))?;
    }
    link(&project.path("node_modules"), &root.join("node_modules"))?;
    let there = Project { target: root.join("target"), root };
    let module = &MODULES[1];
    module.make(project)?;
    module.make(&there)?;
    let (here, there) = (fs::read(module.optimised(project))?, fs::read(module.optimised(&there))?);
    let place = here.iter().zip(&there).position(|(a, b)| a != b);
    ensure!(
        here == there,
        "{} has {} bytes here and {} in another folder, and differs from byte {:?} on",
        module.name,
        here.len(),
        there.len(),
        place.unwrap_or(here.len().min(there.len()))
    );
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        // One that is the same keeps its time.
        let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
        if fs::read(to).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        return fs::write(to, bytes).with_context(|| format!("cannot write {}", to.display()));
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
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
