//! `cargo xtask build worker`: builds the Worker in `edge-worker/build` and its static files in `build/site`.
//!
//! ```text
//! edge-worker ─> cargo ─> wasm-bindgen ─> wasm-opt ─> index_bg.wasm
//!                              └─> with edge-worker/src/guard.js ─> esbuild ─> index.js
//! ```
//!
//! The standard library is built too, so that panics unwind: a panicking request gets an error response, and no other
//! request is affected. On a stable toolchain this needs RUSTC_BOOTSTRAP.

use std::env;
use std::path::Path;

use anyhow::Result;
use fs_err as fs;
use toponym_terminal::process;
use toponym_terminal::report::{self, Line, Work};
use toponym_terminal::workspace::Workspace;

use super::bindgen::{self, Target};
use super::checks::Summary;
use super::checks::output::Output;
use super::digest::{self, Digest};
use super::node_tests::command;
use super::npm;
use super::setup;
use super::size::Size;
use super::toponym::{self, Indexes};
use super::wasm_opt;

/// Inputs of the Worker: its crates, what they include, and what builds them.
const SOURCES: [&str; 12] = [
    ".cargo",
    "Cargo.toml",
    "Cargo.lock",
    "data/NOTICES.txt",
    "edge-worker/Cargo.toml",
    "edge-worker/openapi.yaml",
    "edge-worker/package-lock.json",
    "edge-worker/src",
    "engine/src",
    "pkg-build/xtask/src/bindgen.rs",
    "pkg-build/xtask/src/wasm_opt.rs",
    "pkg-build/xtask/src/worker.rs",
];

/// The script that makes `build/site`, and its inputs besides the npm package.
const SITE: &str = "edge-worker/site/make.mjs";
const SITE_SOURCES: [&str; 2] = ["edge-worker/site", "edge-worker/package-lock.json"];

/// RUSTFLAGS replace those of `.cargo/config.toml`, so these are repeated here.
const UNWIND: [(&str, &str); 2] = [("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", "-Cpanic=unwind -Ctarget-feature=+simd128")];

const STANDARD_LIBRARY: &str = "unstable.build-std=[\"std\",\"panic_unwind\"]";

/// wasm-bindgen's macros use the executor of js-sys then, as the `worker` crate expects.
const MACROS: (&str, &str) = ("WASM_BINDGEN_USE_JS_SYS", "1");

/// A first build, for local runs and for deployment. A third of it is the standard library.
const QUICK_BUILD: Work = Work::shared(210);
const BUILD_TO_DEPLOY: Work = Work::shared(300);

/// The script that makes the pages, and the first time the tiles of their map.
const PAGES: Work = Work::alone(15);

/// The target of the Worker.
const WASM: &str = "wasm32-unknown-unknown";

/// The module around that of wasm-bindgen.
const GUARD: &str = "edge-worker/src/guard.js";

/// The files of a build.
const PARTS: [&str; 2] = ["index.js", "index_bg.wasm"];

/// Output folders: of the Worker, of the one whose size is measured, and of the one for fault injection, which is never deployed.
const BUILD: &str = "edge-worker/build";
const SMALL_BUILD: &str = "build/small/worker";
const FAULTS_BUILD: &str = "build/faults";

/// Installs the tools, and builds the Worker, and the index if it is not up to date; with `faults` also the Worker for
/// fault-injection tests.
pub fn run(workspace: &Workspace, no_opt: bool, faults: bool) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index(workspace)?;
    // wrangler sets this variable to the command that needs the build.
    let is_local = env::var("WRANGLER_COMMAND").is_ok_and(|command| command == "dev");
    let size = if no_opt || is_local { Size::Quick } else { Size::Small };
    build(workspace, size)?;
    if faults { build_faults(workspace) } else { Ok(()) }
}

/// Builds the Worker and its static files, unless their inputs are unchanged, with the indexes of the environment: the default one,
/// or those of `toponym deploy`.
pub fn build(workspace: &Workspace, size: Size) -> Result<()> {
    build_with(workspace, size, &Indexes::default())
}

/// Builds the same with other indexes.
pub fn build_with(workspace: &Workspace, size: Size, indexes: &Indexes) -> Result<()> {
    build_module(workspace, size)?;
    npm::build(workspace, size)?;
    site(workspace, size)?;
    let mut command = toponym::command(workspace, &["deploy", "into-worker"])?;
    command.args(indexes.arguments()?);
    process::run(command)
}

/// Builds the Worker alone, unless its inputs are unchanged. The one that is deployed also works for local runs.
pub fn build_module(workspace: &Workspace, size: Size) -> Result<()> {
    let [quick, small] = [Size::Quick, Size::Small].map(|size| origin(workspace, &format!("{size:?}")));
    let (quick, small) = (quick?, [small?]);
    if size == Size::Quick {
        return module(workspace, "the Worker", (&quick, &small), BUILD, size, &[]);
    }
    build_small(workspace)?;
    let folder = workspace.root().join(BUILD);
    digest::unless_current(workspace, "the Worker", &folder.join("index.js"), (&small[0], &[]), || {
        fs::create_dir_all(&folder)?;
        PARTS.iter().try_for_each(|part| {
            fs::copy(workspace.root().join(SMALL_BUILD).join(part), folder.join(part))?;
            Ok(())
        })
    })
}

/// Builds the Worker as it is deployed, beside the one of local runs, to measure it.
pub fn build_small(workspace: &Workspace) -> Result<()> {
    let origin = origin(workspace, &format!("{:?}", Size::Small))?;
    module(workspace, "the smallest Worker", (&origin, &[]), SMALL_BUILD, Size::Small, &[])
}

/// Builds the Worker for fault-injection tests: `edge-worker/src/fault.rs`.
pub fn build_faults(workspace: &Workspace) -> Result<()> {
    let (origin, features) = (origin(workspace, "faults")?, ["--features", "faults"]);
    module(workspace, "the Worker with faults", (&origin, &[]), FAULTS_BUILD, Size::Quick, &features)
}

fn origin(workspace: &Workspace, setting: &str) -> Result<Digest> {
    Digest::new(workspace.root(), &SOURCES, &[format!("{setting} {UNWIND:?} {STANDARD_LIBRARY}")])
}

fn module(
    workspace: &Workspace,
    product: &str,
    origin: (&Digest, &[Digest]),
    folder: &str,
    size: Size,
    features: &[&str],
) -> Result<()> {
    let folder = workspace.root().join(folder);
    digest::unless_current(workspace, product, &folder.join("index.js"), origin, || {
        let work = if size == Size::Quick { QUICK_BUILD } else { BUILD_TO_DEPLOY };
        report::step(&format!("build {product} ({work})"), |line| compile(workspace, &folder, size, features, line))
    })
}

/// Writes `index.js` and `index_bg.wasm` into `folder`.
fn compile(workspace: &Workspace, folder: &Path, size: Size, features: &[&str], line: &Line) -> Result<()> {
    // A separate target folder: build scripts depend on RUSTC_BOOTSTRAP, and would rerun after every change of it.
    let target = workspace.target().join("worker");
    let mut cargo = workspace.cargo(&["build", "--lib", "--target", WASM, "--package", "toponym-edge"])?;
    cargo.args(["--profile", size.profile(), "--config", STANDARD_LIBRARY]).args(features);
    cargo.envs(UNWIND).envs([MACROS]).env("CARGO_TARGET_DIR", &target);
    process::run_behind(line, cargo)?;

    let parts = target.join("parts");
    let compiled = target.join(WASM).join(size.profile()).join("toponym_edge.wasm");
    bindgen::run(Target::Worker, "index", &compiled, &parts)?;
    let wasm = parts.join("index_bg.wasm");
    if size == Size::Small {
        wasm_opt::run(workspace, line, &wasm, &["-O", "--debuginfo", wasm_opt::EXCEPTIONS])?;
    }
    let guard = fs::read_to_string(workspace.root().join(GUARD))?;
    fs::write(parts.join("guard.js"), with_classes(&guard, &fs::read_to_string(parts.join("index.js"))?))?;
    let mut bundle = workspace.command("esbuild")?;
    bundle.current_dir(&parts).args(["guard.js", "--bundle", "--minify", "--format=esm"]);
    bundle.args(["--external:./index_bg.wasm", "--external:cloudflare:*"]);
    fs::create_dir_all(folder)?;
    bundle.arg(format!("--outfile={}", folder.join("index.js").display()));
    process::run_behind(line, bundle)?;
    fs::copy(wasm, folder.join("index_bg.wasm"))?;
    Ok(())
}

/// Returns the guard with an export for each class of the module of wasm-bindgen.
fn with_classes(guard: &str, module: &str) -> String {
    let exports = bindgen::classes(module).map(|class| format!("export const {class} = guarded(rust.{class});\n"));
    format!("{guard}\n{}", exports.collect::<String>())
}

/// Tests the Worker as it is deployed, and its deployment.
pub fn test_deployment(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    toponym::up_to_date(workspace, &["--paged"])?;
    build(workspace, Size::Small)?;
    output.tests(command(workspace, "tests/deploy/*.test.mjs")?)
}

fn site(workspace: &Workspace, size: Size) -> Result<()> {
    let of = |package: &Digest| Digest::new(workspace.root(), &SITE_SOURCES, &[package.to_string()]);
    let (package, as_good) = npm::origins(workspace, size)?;
    let (origin, as_good) = (of(&package)?, as_good.iter().map(of).collect::<Result<Vec<_>>>()?);
    let output = workspace.root().join("build").join("site");
    digest::unless_current(workspace, "the pages", &output, (&origin, &as_good), || {
        let mut command = workspace.command("node")?;
        command.arg(SITE);
        process::run_as(&format!("build the pages ({PAGES})"), command)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_guarded() {
        let found = with_classes("const guarded = 1;\n", "export class ApiKey {\n}\nexport class Board {\n}\n");
        let expect = "const guarded = 1;\n\nexport const ApiKey = guarded(rust.ApiKey);\nexport const Board = guarded(rust.Board);\n";
        assert_eq!(found, expect);
    }
}
