//! One WebAssembly module out of the core: compile, glue, optimise. The package has several, each
//! with the features that one of its entries needs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::console;
use crate::lean;
use crate::project::Project;
use crate::stamp::{Inputs, Stamp};
use crate::tools::{self, WASM_TARGET};

/// A module of the package.
pub(crate) struct Module {
    /// Its name, and the name of its files.
    pub(crate) name: &'static str,
    /// The cargo features of what it offers to JavaScript.
    features: &'static str,
}

/// The package's modules; the first is the one of its default entry.
pub(crate) const MODULES: [Module; 4] = [
    Module { name: "step_retry", features: "file,run,forecast" },
    Module { name: "step_retry_run", features: "run" },
    Module { name: "step_retry_export", features: "export" },
    Module { name: "step_retry_fleet", features: "fleet" },
];

/// The default entry's module with faults on purpose, for tests.
pub(crate) const TRAP: Module = Module { name: "step_retry_trap", features: "file,run,forecast,trap" };

/// The name that cargo gives to what it makes of the crate, whatever its features.
const COMPILED: &str = "step_retry.wasm";

/// The optimiser's options. It inlines nothing, as the compiler has done that. Two passes do worse than
/// nothing for gzip: they trade what looks alike for a little of what is short. Memory begins with the
/// far end of the stack, so that no address that is meant lies in its first kilobyte.
const OPTIMISE: [&str; 12] = [
    "--low-memory-unused",
    "-Oz",
    "--optimize-added-constants-propagate",
    "--flatten",
    "--rereloop",
    "-Oz",
    "--skip-pass=local-cse",
    "--skip-pass=memory-packing",
    "--one-caller-inline-max-function-size=0",
    "--always-inline-max-function-size=0",
    "--reorder-functions-by-name",
    "--debuginfo",
];

/// Puts functions in the order of the names that `pkg/layout/order.mjs` has given them, and takes all names out,
/// and the hints at alignment, of which engines make nothing.
const ORDER: [&str; 4] = ["--reorder-functions-by-name", "--strip-debug", "--strip-producers", "--dealign"];

/// The scripts that lay a module out for gzip.
const LAYOUT: &str = "pkg/layout";

/// What rustc lets modules use by default.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

impl Module {
    /// Makes the module and its glue in the project's work folder: `NAME.wasm` and `glue/NAME.js`.
    pub(crate) fn make(&self, project: &Project) -> Result<()> {
        let compiled = self.compile(project)?;
        self.glue(project, &compiled)?;
        self.optimise(project)
    }

    /// The module as it is before the optimiser, with the names of its functions.
    pub(crate) fn glued(&self, project: &Project) -> PathBuf {
        project.work().join("glue").join(format!("{}_bg.wasm", self.name))
    }

    /// The finished module.
    pub(crate) fn optimised(&self, project: &Project) -> PathBuf {
        self.file(project, "wasm")
    }

    fn file(&self, project: &Project, extension: &str) -> PathBuf {
        project.work().join(self.name).with_extension(extension)
    }

    fn title(&self, stage: &str) -> String {
        format!("{stage} {}", self.name)
    }

    fn compile(&self, project: &Project) -> Result<PathBuf> {
        let compiled = self.file(project, "compiled.wasm");
        let title = self.title("compile");
        // What the last build says it was made of: a module without the checker does not change with it.
        let sources = self.file(project, "sources");
        if self.compile_stamp(project, &sources)?.holds_for(&compiled) {
            console::unchanged(&title);
            return Ok(compiled);
        }
        console::step(&title, || {
            let lean = lean::is_possible(project)?;
            // A folder of its own: the target's flags differ from the ones for this machine.
            let folder = project.target.join(if lean { "wasm-lean" } else { "wasm" });
            let release = folder.join(WASM_TARGET).join("release");
            // Cargo takes another module's file of the same name for this one's.
            for stale in [release.join("deps").join(COMPILED), release.join(COMPILED)] {
                if stale.exists() {
                    fs::remove_file(stale)?;
                }
            }
            let mut cargo = self.cargo(project)?;
            cargo.arg("--target-dir").arg(&folder);
            if lean {
                lean::apply(&mut cargo);
            }
            console::run(&title, cargo)?;
            fs::create_dir_all(project.work())?;
            fs::copy(release.join(COMPILED), &compiled)?;
            let list = release.join(COMPILED).with_extension("d");
            fs::write(&sources, sources_of(&list, &project.root)?)?;
            self.compile_stamp(project, &sources)?.write()
        })?;
        Ok(compiled)
    }

    fn cargo(&self, project: &Project) -> Result<Command> {
        let mut cargo = tools::cargo(project);
        cargo.args(["build", "--package", "step-retry", "--lib", "--release", "--locked"]);
        cargo.args(["--no-default-features", "--features", self.features, "--target", WASM_TARGET]);
        cargo.arg("--config").arg(tools::without_machine_paths(project)?);
        Ok(cargo)
    }

    fn compile_stamp(&self, project: &Project, sources: &Path) -> Result<Stamp> {
        let mut inputs = Inputs::default().text(&tools::rustc(project, &["-vV"])?).text(self.features);
        for settings in
            ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "xtask/src/lean.rs", "xtask/src/module.rs"]
        {
            inputs = inputs.path(&project.path(settings))?;
        }
        for source in fs::read_to_string(sources).unwrap_or_default().lines() {
            inputs = inputs.path(&project.path(source))?;
        }
        Ok(inputs.stamp(self.file(project, "compile.stamp")))
    }

    fn glue(&self, project: &Project, compiled: &Path) -> Result<()> {
        let title = self.title("glue");
        let stamp = Inputs::default()
            .path(&project.path("Cargo.lock"))?
            // The settings of the glue stand in this very file.
            .path(&project.path("xtask/src/module.rs"))?
            .path(compiled)?
            .stamp(self.file(project, "glue.stamp"));
        if stamp.holds_for(&self.glued(project)) {
            console::unchanged(&title);
            return Ok(());
        }
        console::step(&title, || {
            let folder = project.work().join("glue");
            fs::create_dir_all(&folder)?;
            Bindgen::new()
                .input_path(compiled)
                .out_name(self.name)
                .web(true)?
                .omit_default_module_path(true)
                .typescript(false)
                // The optimiser puts functions in the order of their names.
                .remove_name_section(false)
                .remove_producers_section(true)
                .generate(&folder)?;
            stamp.write()
        })
    }

    fn optimise(&self, project: &Project) -> Result<()> {
        let (glued, optimised) = (self.glued(project), self.optimised(project));
        let title = self.title("optimise");
        let stamp = Inputs::default()
            .path(&project.path(LAYOUT))?
            // The settings of the optimiser stand in this very file.
            .path(&project.path("xtask/src/module.rs"))?
            .path(&glued)?
            .path(&project.path("package-lock.json"))?
            .stamp(self.file(project, "optimise.stamp"));
        if stamp.holds_for(&optimised) {
            console::unchanged(&title);
            return Ok(());
        }
        console::step(&title, || {
            let [small, named, ordered] =
                ["small", "named", "ordered"].map(|step| self.file(project, &format!("{step}.wasm")));
            wasm_opt(project, &title, &OPTIMISE, &glued, &small)?;
            script(project, &title, "order.mjs", &small, &named)?;
            wasm_opt(project, &title, &ORDER, &named, &ordered)?;
            script(project, &title, "locals.mjs", &ordered, &optimised)?;
            stamp.write()
        })
    }
}

fn script(project: &Project, title: &str, script: &str, from: &Path, to: &Path) -> Result<()> {
    let mut node = tools::node(project);
    node.arg(format!("{LAYOUT}/{script}")).arg(from).arg(to);
    console::run(title, node).map(drop)
}

fn wasm_opt(project: &Project, title: &str, options: &[&str], from: &Path, to: &Path) -> Result<()> {
    let mut wasm_opt = tools::npm_program(project, "binaryen/bin/wasm-opt");
    wasm_opt.args(FEATURES).args(options).arg(from).arg("-o").arg(to);
    console::run(title, wasm_opt).map(drop)
}

/// The source files that cargo's list of dependencies names, one a line, by their way from `root`: a copy
/// of the folder is to look at its own.
fn sources_of(list: &Path, root: &Path) -> Result<String> {
    let text = fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let (_, sources) = text.split_once(": ").context("cargo's list of dependencies is not as expected")?;
    // A space in a name has a backslash before it.
    let space = "\u{0}";
    let sources = sources.replace("\\ ", space);
    let mut lines = String::new();
    for source in sources.split_whitespace() {
        let source = source.replace(space, " ");
        let source = Path::new(&source).strip_prefix(root).unwrap_or(Path::new(&source));
        lines += &format!("{}\n", source.display());
    }
    Ok(lines)
}
