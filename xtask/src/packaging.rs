//! The package where people use it: each row of `tests/packaging/rows.json` installs what `npm pack`
//! makes of it into an app of its own, and has it work there.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::project::Project;
use crate::stamp::{Inputs, Stamp};
use crate::test::{Row, Verdict};
use crate::tools;
use crate::{build, console};

const FOLDER: &str = "tests/packaging";

/// The rows of `cargo xtask test`.
pub(crate) fn rows(project: &Project) -> Result<Vec<Row<'_>>> {
    let file = project.path(FOLDER).join("rows.json");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let Value::Array(environments) = serde_json::from_str(&text)? else {
        bail!("{} is not a list", file.display());
    };
    let row = |environment: Value| {
        let environment = Environment(environment);
        let (name, fast) = (environment.name(), environment.0["fast"] == true);
        let row = Row::built(name, move || environment.run(project));
        if fast { row } else { row.slow() }
    };
    Ok(environments.into_iter().map(row).collect())
}

fn work(project: &Project) -> PathBuf {
    project.target.join("packaging")
}

/// What would be published.
fn tarball(project: &Project) -> Result<PathBuf> {
    let folder = work(project);
    let tarball = folder.join("step-retry.tgz");
    let stamp = Inputs::default()
        .path(&project.path("pkg/package.json"))?
        .path(&project.path("pkg/README.md"))?
        .path(&project.path("pkg/dist"))?
        .stamp(folder.join("pack.stamp"));
    if stamp.holds_for(&tarball) {
        return Ok(tarball);
    }
    std::fs::create_dir_all(&folder)?;
    let mut npm = tools::npm(project);
    npm.args(["pack", "./pkg", "--silent", "--pack-destination"]).arg(&folder);
    let printed = console::run("pack", npm)?;
    let name = printed.lines().last().context("npm did not say what it packed")?;
    std::fs::rename(folder.join(name.trim()), &tarball)?;
    stamp.write()?;
    Ok(tarball)
}

/// One row as `rows.json` has it; `tests/packaging/run.mjs` says what its fields mean.
struct Environment(Value);

impl Environment {
    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    fn name(&self) -> String {
        self.text("name").to_owned()
    }

    fn run(&self, project: &Project) -> Result<Verdict> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return tools::missing("the tools of the packaging matrix are locked for Linux on x86-64");
        }
        let mut node = tools::node(project);
        let browser = match self.text("browser") {
            "chromium" => Some(&tools::CHROMIUM),
            "firefox" => Some(&tools::FIREFOX),
            _ => None,
        };
        if let Some(browser) = browser {
            let Some(path) = browser.find_or_install(project)? else {
                return tools::missing(&browser.how());
            };
            node.env(browser.variable, path);
        }
        let stamp = self.stamp(project)?;
        if stamp.holds_for(&work(project)) {
            return Ok(Verdict::Unchanged);
        }
        node.arg(project.path(FOLDER).join("run.mjs")).arg(tarball(project)?).arg(work(project));
        node.arg(self.name());
        console::run(self.text("name"), node)?;
        stamp.write()?;
        Ok(Verdict::Pass)
    }

    /// Stands for the package, the app, and what runs it. The commit that the package names is nothing
    /// to an app.
    fn stamp(&self, project: &Project) -> Result<Stamp> {
        let mut inputs = build::inputs(project)?.text(&self.0.to_string());
        let app = project.path(FOLDER).join("apps").join(self.text("app"));
        for input in
            shared(project)?.into_iter().chain([app, project.path("tests/types"), project.path("docs")])
        {
            inputs = inputs.path(&input)?;
        }
        let file: String = self
            .name()
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
            .collect();
        Ok(inputs.stamp(work(project).join(file).with_extension("stamp")))
    }
}

/// The files that all rows have in common.
fn shared(project: &Project) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(project.path(FOLDER))?;
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.is_file() && !file.ends_with("rows.json"));
    files.sort();
    Ok(files)
}
