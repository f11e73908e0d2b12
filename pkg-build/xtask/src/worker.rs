//! `cargo xtask worker`: builds the Worker in `edge-worker/build` and its static files in `build/site`.
//!
//! The standard library is built too, so that panics unwind: a panicking request gets an error response, and no other
//! request is affected. On a stable toolchain this needs RUSTC_BOOTSTRAP.

use std::env;
use std::process::Command;

use anyhow::Result;
use toponym_terminal::report;

use super::build_cache::{self, Origin};
use super::npm;
use super::process;
use super::setup;
use super::toponym;
use super::workspace::Workspace;

/// Whether to shrink the wasm, which takes some seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// Shrunk by wasm-opt, for deployment.
    Small,
    /// As the compiler wrote it, for local runs.
    AsCompiled,
}

/// Programs that worker-build would otherwise download; all are on the path of [`Workspace::command`].
const PROGRAMS: [(&str, &str); 3] =
    [("WASM_BINDGEN_BIN", "wasm-bindgen"), ("WASM_OPT_BIN", "wasm-opt"), ("ESBUILD_BIN", "esbuild")];

/// Inputs of the Worker.
const SOURCES: [&str; 10] = [
    ".cargo/config.toml",
    "Cargo.toml",
    "Cargo.lock",
    "data/NOTICES.txt",
    "edge-worker/Cargo.toml",
    "edge-worker/openapi.yaml",
    "edge-worker/package-lock.json",
    "edge-worker/src",
    "engine/Cargo.toml",
    "engine/src",
];

/// The script that makes `build/site`, and its inputs besides the npm package.
const SITE: &str = "edge-worker/site/make.mjs";
const SITE_SOURCES: [&str; 2] = ["edge-worker/site", "edge-worker/package-lock.json"];

/// RUSTFLAGS replace those of `.cargo/config.toml`, so these are repeated here.
const UNWIND: [(&str, &str); 2] = [("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", "-Cpanic=unwind -Ctarget-feature=+simd128")];

const STANDARD_LIBRARY: &str = "unstable.build-std=[\"std\",\"panic_unwind\"]";

/// Output folders relative to the crate: of the Worker, and of the one for fault injection, which is never deployed.
const BUILD: &str = "build";
const FAULTS_BUILD: &str = "../build/faults";

/// The file that says when the index was made, beside the Worker: `entry.mjs` imports it.
const MADE: &str = "made.json";

/// The Worker that uses the `worker` crate's types; nothing deploys it either.
const LIBRARY_BUILD: &str = "../build/library";

/// Installs the tools, and builds the Worker, and the index if it is not up to date; with `faults` also the Worker for
/// fault-injection tests.
pub fn run(workspace: &Workspace, no_opt: bool, faults: bool) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index(workspace)?;
    // wrangler sets this variable to the command that needs the build.
    let is_local = env::var("WRANGLER_COMMAND").is_ok_and(|command| command == "dev");
    build(workspace, if no_opt || is_local { Size::AsCompiled } else { Size::Small })?;
    if faults { build_faults(workspace) } else { Ok(()) }
}

/// Builds the Worker and its static files, unless their inputs are unchanged.
pub fn build(workspace: &Workspace, size: Size) -> Result<()> {
    let origin = |size| origin(workspace, &format!("{size:?}"));
    // The deployable Worker also works for local runs.
    let as_good = if size == Size::AsCompiled { vec![origin(Size::Small)?] } else { Vec::new() };
    module(workspace, "the Worker", (&origin(size)?, &as_good), BUILD, || worker_build(workspace, size, BUILD))?;
    made(workspace)?;
    npm::build(workspace)?;
    site(workspace)
}

/// Writes down when and with which arguments the index was made, for `/attribution`.
fn made(workspace: &Workspace) -> Result<()> {
    let made = process::output(toponym::command(workspace, &["inspect", "--made"])?)?;
    Ok(fs_err::write(workspace.edge().join(BUILD).join(MADE), made)?)
}

/// Builds the Worker for fault-injection tests: `edge-worker/src/fault.rs`.
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
    build_cache::unless_current(workspace, product, &output, origin, || {
        let command = command()?;
        report::step(&format!("build {product}"), |line| process::run_behind(line, command))
    })
}

fn site(workspace: &Workspace) -> Result<()> {
    let origin = Origin::of(workspace.root(), &SITE_SOURCES, &[npm::origin(workspace)?.to_string()])?;
    let output = workspace.root().join("build").join("site");
    build_cache::unless_current(workspace, "the pages", &output, (&origin, &[]), || {
        let mut command = workspace.command("node")?;
        command.arg(SITE);
        report::step("build the pages", |line| process::run_behind(line, command))
    })
}

/// The worker-build command; further arguments go to cargo.
fn worker_build(workspace: &Workspace, size: Size, folder: &str) -> Result<Command> {
    let mut command = workspace.command("worker-build")?;
    command.current_dir(workspace.edge()).args(["--release", "--out-dir", folder]);
    if size == Size::AsCompiled {
        command.arg("--no-opt");
    }
    command.args(["--config", STANDARD_LIBRARY]);
    // A separate target folder: build scripts depend on RUSTC_BOOTSTRAP, and would rerun after every change of it.
    command.envs(PROGRAMS).envs(UNWIND).env("CARGO_TARGET_DIR", workspace.target().join("worker"));
    Ok(command)
}
