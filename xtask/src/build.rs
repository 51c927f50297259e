//! From the Rust core to the npm package: its modules, then the bundles. Each stage is skipped when
//! what it is made from has not changed.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::console;
use crate::licences;
use crate::module::{MODULES, Module, TRAP};
use crate::project::Project;
use crate::stamp::Inputs;
use crate::tools;

/// Builds the package into `pkg/dist`.
pub(crate) fn package(project: &Project) -> Result<()> {
    tools::ensure_npm_packages(project)?;
    tools::ensure_wasm_target(project)?;
    for module in &MODULES {
        module.make(project)?;
    }
    licences::write(project)?;
    bundle(project)
}

/// Builds the default entry over a module that breaks when it is asked to. Gives where it is.
pub(crate) fn breakable(project: &Project) -> Result<PathBuf> {
    TRAP.make(project)?;
    let folder = project.work().join(TRAP.name);
    let stamp =
        inputs(project)?.path(&TRAP.optimised(project))?.stamp(project.work().join("breakable.stamp"));
    if !stamp.holds_for(&folder) {
        let mut script = tools::node(project);
        script.arg("pkg/build.mjs").arg(project.work()).args(["", TRAP.name]);
        console::run("bundle", script)?;
        stamp.write()?;
    }
    Ok(folder.join("index.js"))
}

/// Builds the page of the playground on top of the package.
pub(crate) fn page(project: &Project) -> Result<()> {
    let made = project.path("www/dist");
    let stamp = Inputs::default()
        .path(&project.path("www"))?
        .path(&project.path("examples"))?
        .path(&project.path("pkg/src"))?
        .path(&project.work().join("bundle.stamp"))?
        .stamp(project.work().join("page.stamp"));
    if stamp.holds_for(&made) {
        console::unchanged("page");
        return Ok(());
    }
    console::step("page", || {
        let mut npm = tools::npm(project);
        npm.args(["run", "build", "--workspace", "www"]);
        console::run("page", npm)?;
        stamp.write()
    })
}

/// Makes the reference of the npm package from its types.
pub(crate) fn reference(project: &Project) -> Result<()> {
    let mut typedoc = tools::npm_program(project, "typedoc/bin/typedoc");
    typedoc.args(["--options", "pkg/typedoc.json", "--out"]).arg(project.target.join("docs"));
    console::run("reference", typedoc).map(drop)
}

/// Holds the sizes of what was built against their budget, and prints them.
pub(crate) fn sizes(project: &Project) -> Result<()> {
    let mut script = tools::node(project);
    script.arg("pkg/sizes.mjs");
    print!("{}", console::run("sizes", script)?);
    Ok(())
}

/// Tells by crate and by our own modules what the glued module is made of.
pub(crate) fn where_bytes_go(project: &Project, arguments: &[String]) -> Result<()> {
    tell_where(project, &MODULES[0], arguments)
}

/// Makes the module called `name`, and tells of it.
pub(crate) fn where_bytes_of_one_go(project: &Project, name: &str, arguments: &[String]) -> Result<()> {
    let Some(module) = MODULES.iter().find(|module| module.name == name) else {
        bail!("unknown module '{name}'; there are {}", MODULES.map(|module| module.name).join(", "));
    };
    module.make(project)?;
    tell_where(project, module, arguments)
}

fn tell_where(project: &Project, module: &Module, arguments: &[String]) -> Result<()> {
    let mut script = tools::node(project);
    script.arg("pkg/where.mjs").arg(module.glued(project)).arg(module.optimised(project)).args(arguments);
    console::hand_over(script)
}

/// What the package is made of, but for the commit.
pub(crate) fn inputs(project: &Project) -> Result<Inputs> {
    let mut inputs = Inputs::default()
        .path(&project.path("pkg"))?
        .path(&project.path("docs"))?
        .path(&project.work().join("glue"))?
        .path(&project.work().join("LICENSES.txt"))?
        .path(&project.path("package-lock.json"))?;
    for module in &MODULES {
        inputs = inputs.path(&module.optimised(project))?;
    }
    Ok(inputs)
}

fn bundle(project: &Project) -> Result<()> {
    let made = project.path("pkg/dist");
    let stamp = inputs(project)?.text(&project.commit).stamp(project.work().join("bundle.stamp"));
    if stamp.holds_for(&made.join("cli.js")) {
        console::unchanged("bundle");
        return Ok(());
    }
    console::step("bundle", || {
        let mut script = tools::node(project);
        script.arg("pkg/build.mjs").arg(project.work()).arg(&project.commit);
        console::run("bundle", script)?;
        stamp.write()
    })
}
