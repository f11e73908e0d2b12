//! `cargo xtask worker`: the Worker as workerd runs it, in `edge-worker/build`, and its static files, in `build/site`.
//!
//! The standard library is built along with it, so that a panic unwinds: the request that panics gets an error of its own,
//! and no other request is hurt. On a stable toolchain that takes RUSTC_BOOTSTRAP.

use std::env;
use std::process::Command;

use anyhow::Result;
use toponym_terminal::report;

use super::made::{self, Origin};
use super::npm;
use super::process;
use super::setup;
use super::toponym;
use super::workspace::Workspace;

/// Whether the wasm is made small, which takes some seconds, or taken as the compiler leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// As it is deployed.
    Small,
    /// As local runs have it.
    AsCompiled,
}

/// Programs that worker-build would otherwise download, all on the path of [`Workspace::command`].
const PROGRAMS: [(&str, &str); 3] =
    [("WASM_BINDGEN_BIN", "wasm-bindgen"), ("WASM_OPT_BIN", "wasm-opt"), ("ESBUILD_BIN", "esbuild")];

/// What the Worker is made from.
const SOURCES: [&str; 9] = [
    ".cargo/config.toml",
    "Cargo.toml",
    "Cargo.lock",
    "edge-worker/Cargo.toml",
    "edge-worker/openapi.yaml",
    "edge-worker/package-lock.json",
    "edge-worker/src",
    "engine/Cargo.toml",
    "engine/src",
];

/// What makes `build/site`, and what it is made from besides the npm package.
const SITE: &str = "edge-worker/site/make.mjs";
const SITE_SOURCES: [&str; 2] = ["edge-worker/site", "edge-worker/package-lock.json"];

/// RUSTFLAGS stand in for those of `.cargo/config.toml`, which are here once more.
const UNWIND: [(&str, &str); 2] = [("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", "-Cpanic=unwind -Ctarget-feature=+simd128")];

const STANDARD_LIBRARY: &str = "unstable.build-std=[\"std\",\"panic_unwind\"]";

/// Where worker-build puts the Worker, seen from its crate; and the one with faults on demand, which nothing deploys.
const BUILD: &str = "build";
const FAULTS_BUILD: &str = "../build/faults";

/// The one that crosses by the `worker` crate, which nothing deploys either.
const LIBRARY_BUILD: &str = "../build/library";

/// Sets up the tools, builds the index if there is none, and the Worker; with `faults` the one for tests as well.
pub fn run(workspace: &Workspace, no_opt: bool, faults: bool) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index(workspace)?;
    // wrangler tells a build what it is for.
    let is_local = env::var("WRANGLER_COMMAND").is_ok_and(|command| command == "dev");
    build(workspace, if no_opt || is_local { Size::AsCompiled } else { Size::Small })?;
    if faults { build_faults(workspace) } else { Ok(()) }
}

/// Builds the Worker and its static files, as far as what they are made from has changed.
pub fn build(workspace: &Workspace, size: Size) -> Result<()> {
    let origin = |size| origin(workspace, &format!("{size:?}"));
    // What can be deployed can be run here as well.
    let as_good = if size == Size::AsCompiled { vec![origin(Size::Small)?] } else { Vec::new() };
    module(workspace, "the Worker", (&origin(size)?, &as_good), BUILD, || worker_build(workspace, size, BUILD))?;
    npm::build(workspace)?;
    site(workspace)
}

/// Builds the Worker that tests bring faults about in: `edge-worker/src/fault.rs`.
pub fn build_faults(workspace: &Workspace) -> Result<()> {
    module(workspace, "the Worker with faults", (&origin(workspace, "faults")?, &[]), FAULTS_BUILD, || {
        let mut command = worker_build(workspace, Size::AsCompiled, FAULTS_BUILD)?;
        command.args(["--features", "faults"]);
        Ok(command)
    })
}

/// Builds the Worker that [`super::bench::crossing`] measures beside the one that is deployed: `edge-worker/src/library`.
pub fn build_library(workspace: &Workspace) -> Result<()> {
    module(workspace, "the Worker by the crate", (&origin(workspace, "library")?, &[]), LIBRARY_BUILD, || {
        let mut command = worker_build(workspace, Size::Small, LIBRARY_BUILD)?;
        command.args(["--features", "library-crossing"]);
        Ok(command)
    })
}

fn origin(workspace: &Workspace, setting: &str) -> Result<Origin> {
    Origin::of(workspace.root(), &SOURCES, &[format!("{setting} {UNWIND:?} {STANDARD_LIBRARY}")])
}

fn module(
    workspace: &Workspace,
    product: &str,
    origin: (&Origin, &[Origin]),
    folder: &str,
    command: impl FnOnce() -> Result<Command>,
) -> Result<()> {
    let output = workspace.edge().join(folder).join("index.js");
    made::unless_current(workspace, product, &output, origin, || {
        let command = command()?;
        report::step(&format!("build {product}"), |line| process::run_behind(line, command))
    })
}

fn site(workspace: &Workspace) -> Result<()> {
    let origin = Origin::of(workspace.root(), &SITE_SOURCES, &[npm::origin(workspace)?.to_string()])?;
    let output = workspace.root().join("build").join("site");
    made::unless_current(workspace, "the pages", &output, (&origin, &[]), || {
        let mut command = workspace.command("node")?;
        command.arg(SITE);
        report::step("build the pages", |line| process::run_behind(line, command))
    })
}

/// What is added to it goes to cargo.
fn worker_build(workspace: &Workspace, size: Size, folder: &str) -> Result<Command> {
    let mut command = workspace.command("worker-build")?;
    command.current_dir(workspace.edge()).args(["--release", "--out-dir", folder]);
    if size == Size::AsCompiled {
        command.arg("--no-opt");
    }
    command.args(["--config", STANDARD_LIBRARY]);
    // A folder of its own: build scripts look at RUSTC_BOOTSTRAP, and would run again after every change of it.
    command.envs(PROGRAMS).envs(UNWIND).env("CARGO_TARGET_DIR", workspace.target().join("worker"));
    Ok(command)
}
