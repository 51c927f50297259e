//! Where things are.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// The project's folders.
pub(crate) struct Project {
    /// The folder with the workspace's `Cargo.toml` and `package.json`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, which also holds what is made on the way to the package.
    pub(crate) target: PathBuf,
    /// The commit that is built, short; empty outside a git repository.
    pub(crate) commit: String,
}

impl Project {
    /// The project that this xtask belongs to.
    pub(crate) fn find() -> Result<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").context("run it as `cargo xtask …`")?;
        let root =
            Path::new(&manifest).parent().context("xtask stands in a folder of the project")?.to_path_buf();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(target) => std::path::absolute(target)?,
            None => root.join("target"),
        };
        let commit = commit(&root);
        Ok(Self { root, target, commit })
    }

    /// A folder for what the build makes before it goes into the package.
    pub(crate) fn work(&self) -> PathBuf {
        self.target.join("package")
    }

    /// A path inside the project.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }
}

fn commit(root: &Path) -> String {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).current_dir(root).output();
    output
        .ok()
        .filter(|output| output.status.success())
        .map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
