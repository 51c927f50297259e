//! Whether something must be made again: a stamp beside what was made says from which inputs.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The contents and settings that something is made from.
#[derive(Default)]
pub(crate) struct Inputs(DefaultHasher);

impl Inputs {
    /// Adds a setting.
    pub(crate) fn text(mut self, text: &str) -> Self {
        text.hash(&mut self.0);
        self
    }

    /// Adds a file's contents, or all files' of a folder with their names. What is missing counts as missing.
    pub(crate) fn path(mut self, path: &Path) -> Result<Self> {
        self.add(path)?;
        Ok(self)
    }

    fn add(&mut self, path: &Path) -> Result<()> {
        path.file_name().hash(&mut self.0);
        if path.is_dir() {
            let mut entries: Vec<PathBuf> =
                fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
            entries.retain(|entry| {
                entry.file_name().is_none_or(|name| name != "node_modules" && name != "dist")
            });
            entries.sort();
            for entry in entries {
                self.add(&entry)?;
            }
        } else if path.exists() {
            fs::read(path).with_context(|| format!("cannot read {}", path.display()))?.hash(&mut self.0);
        }
        Ok(())
    }

    /// The stamp file that stands for these inputs.
    pub(crate) fn stamp(self, file: PathBuf) -> Stamp {
        Stamp { file, text: format!("{:016x}", self.0.finish()) }
    }
}

/// A file that remembers the inputs of what was last made.
pub(crate) struct Stamp {
    file: PathBuf,
    text: String,
}

impl Stamp {
    /// Whether `made` is there and was made from these inputs.
    pub(crate) fn holds_for(&self, made: &Path) -> bool {
        made.exists() && fs::read_to_string(&self.file).is_ok_and(|text| text == self.text)
    }

    /// Remembers these inputs, once all is made.
    pub(crate) fn write(&self) -> Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&self.file, &self.text).with_context(|| format!("cannot write {}", self.file.display()))
    }
}
