//! `cargo xtask build npm`: the npm packages in `build/npm` (`toponym`, with the core pack and the first one) and `build/npm-full` (the full
//! one), and those around them.
//!
//! ```text
//! engine/js ─> cargo ─> wasm-bindgen ─> wasm-opt ─> engine.js, engine_bg.wasm ─┐
//! toponym index --core --first ─> toponym pack ─> core and first.<hash>.bin ───┼─> build/npm
//! pkg-build/npm: sources, types, README, licences ─────────────────────────────┘
//! ```
//!
//! `pkg-build/npm/make` makes the folders.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use fs_err as fs;
use indicatif::DecimalBytes;
use toponym_terminal::process;
use toponym_terminal::report::{self, Work};
use toponym_terminal::workspace::Workspace;

use super::bindgen::{self, Target};
use super::checks::Summary;
use super::checks::output::Output;
use super::digest::{self, Digest as Inputs};
use super::node_tests::in_chromium;
use super::setup;
use super::size::Size;
use super::toponym;
use super::wasm_opt;

/// The target of the engine.
const WASM: &str = "wasm32-unknown-unknown";

/// A first build, for local runs and for deployment. Half of the latter is the standard library.
const QUICK_BUILD: Work = Work::shared(55);
const BUILD: Work = Work::shared(200);

/// Arguments that make the standard library of a build for deployment small too: a panic ends at once, without the text that nobody
/// hears, and its tables are the small ones. RUSTFLAGS replace those of `.cargo/config.toml`, so these are repeated here.
///
/// Functions are inlined up to a third of the cost that is usual at this level. Beside `opt-level = "s"` a question takes 15 % less time,
/// for 2 % more bytes; with the usual threshold it takes as long, for 5 % more bytes.
const SMALL_LIBRARY: [&str; 4] = [
    "--config",
    "unstable.build-std=[\"std\",\"panic_abort\"]",
    "--config",
    "unstable.build-std-features=[\"optimize_for_size\"]",
];
const SMALL_FLAGS: [(&str, &str); 2] = [
    ("RUSTC_BOOTSTRAP", "1"),
    (
        "RUSTFLAGS",
        "-Ctarget-feature=+simd128 -Zunstable-options -Cpanic=immediate-abort -Cllvm-args=-inline-threshold=75",
    ),
];

/// How wasm-opt makes the module small and fast. A function is not put into its only caller: functions of some hundred local variables
/// take a twentieth more in gzip, and those that open an index are compiled whole before the first answer. No memory below 1,024 is used,
/// because the stack lies there, so offsets of loads need no additions.
const OPTIMISED: [&str; 4] =
    ["-O3", "--strip-debug", "--low-memory-unused", "--one-caller-inline-max-function-size=30"];

/// Packing an index, for local runs and as small as possible.
const QUICK_PACK: Work = Work::alone(10);
const PACK: Work = Work::alone(60);

/// Inputs of the engine.
const ENGINE_SOURCES: [&str; 9] = [
    ".cargo",
    "Cargo.toml",
    "Cargo.lock",
    "edge-worker/package-lock.json",
    "engine/js",
    "engine/src",
    "pkg-build/xtask/src/bindgen.rs",
    "pkg-build/xtask/src/npm.rs",
    "pkg-build/xtask/src/wasm_opt.rs",
];

/// Further inputs of the package with the core pack. `toponym index --if-stale` knows the inputs of the index among them.
const SOURCES: [&str; 5] = [CORE_INDEX, FIRST_INDEX, NOTICES, "pkg-build/builder/src", "pkg-build/npm"];

/// The index in the core pack.
const CORE_INDEX: &str = "build/core.toponym";

/// The index in the first pack.
const FIRST_INDEX: &str = "build/first.toponym";

/// The credits and licence texts of the data.
const NOTICES: &str = "data/NOTICES.txt";

/// The option of `toponym pack` for deployment.
const SMALLEST: &str = "--smallest";

/// The script that makes the folders.
const MAKE: &str = "pkg-build/npm/make/make.mjs";

/// Builds all packages, which name the repository at the address `repository`, or else the remote of this clone.
pub fn run(workspace: &Workspace, repository: Option<&str>) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index_and_core(workspace)?;
    build_from(workspace, Size::Small, repository)?;
    process::run(with_pack(workspace, "full", repository, &workspace.index(), &[])?)
}

/// Builds the package with the core pack, unless its inputs are unchanged, and those around it.
pub fn build(workspace: &Workspace, size: Size) -> Result<()> {
    build_from(workspace, size, None)
}

fn build_from(workspace: &Workspace, size: Size, repository: Option<&str>) -> Result<()> {
    process::run(make(workspace, "around", repository)?)?;
    toponym::up_to_date(workspace, &["--core", "--first"])?;
    let (origin, as_good) = origins(workspace, size)?;
    let output = workspace.root().join("build/npm/package.json");
    digest::unless_current(workspace, "the npm package", &output, (&origin, &as_good), || {
        let engine = engine(workspace, size)?;
        let smallest: &[&str] = if size == Size::Small { &[SMALLEST] } else { &[] };
        let first = pack_index(workspace, "first", &workspace.root().join(FIRST_INDEX), smallest)?;
        let mut make = with_pack(workspace, "core", repository, &workspace.root().join(CORE_INDEX), smallest)?;
        make.arg("--engine").arg(&engine).arg("--first").arg(&first);
        process::run(make)?;
        let size = |path: PathBuf| fs::metadata(path).map(|file| DecimalBytes(file.len()));
        let (wasm, core) = (size(engine.join("engine_bg.wasm"))?, size(workspace.target().join("core.bin"))?);
        report::remark(&format!("build/npm: wasm {wasm}, first pack {}, core pack {core}", size(first)?));
        Ok(())
    })
}

/// Returns what makes `packages`: `around`, `core` or `full`.
fn make(workspace: &Workspace, packages: &str, repository: Option<&str>) -> Result<Command> {
    let mut command = workspace.node(MAKE)?;
    command.args([packages, "--version", env!("CARGO_PKG_VERSION")]);
    command.args(repository.map(|address| format!("--repository={address}")));
    Ok(command)
}

/// Packs an index, and returns what makes the package with it.
fn with_pack(
    workspace: &Workspace,
    package: &str,
    repository: Option<&str>,
    index: &Path,
    options: &[&str],
) -> Result<Command> {
    let mut inspect = toponym::command(workspace, &["inspect", "--attribution", "--index"])?;
    inspect.arg(index);
    let attribution = process::output(inspect)?;
    let pack = pack_index(workspace, package, index, options)?;
    let mut command = make(workspace, package, repository)?;
    command.arg("--pack").arg(pack).args(["--attribution", &attribution]);
    Ok(command)
}

/// Packs an index, and returns where the pack is.
fn pack_index(workspace: &Workspace, name: &str, index: &Path, options: &[&str]) -> Result<PathBuf> {
    let out = workspace.target().join(format!("{name}.bin"));
    let mut pack = toponym::command(workspace, &["pack"])?;
    pack.args(options).arg("--out").arg(&out).arg(index);
    let work = if options.contains(&SMALLEST) { PACK } else { QUICK_PACK };
    process::run_as(&format!("pack the {name} index ({work})"), pack)?;
    Ok(out)
}

/// Returns the inputs of the package, after [`build`], and those of packages that serve as well.
pub fn origins(workspace: &Workspace, size: Size) -> Result<(Inputs, Vec<Inputs>)> {
    let sources = [&ENGINE_SOURCES[..], &SOURCES].concat();
    let of = |size: Size| Inputs::new(workspace.root(), &sources, &[format!("{size:?}")]);
    Ok((of(size)?, if size == Size::Small { Vec::new() } else { vec![of(Size::Small)?] }))
}

/// The builds of the engine, with their features: who uses a pack does without the code for pages.
const ENGINES: [(&str, &[&str]); 2] = [("engine", &[]), ("engine-pages", &["--features", "pages"])];

/// Builds the engine as wasm with its JavaScript glue, in a folder below the target folder.
pub fn engine(workspace: &Workspace, size: Size) -> Result<PathBuf> {
    let folder = match size {
        Size::Quick => workspace.target().join("npm-engine"),
        Size::Small => workspace.root().join("build/small/engine"),
    };
    let origin = Inputs::new(workspace.root(), &ENGINE_SOURCES, &[])?;
    let product = format!("the engine {size:?}");
    digest::unless_current(workspace, &product, &folder.join("engine_bg.wasm"), (&origin, &[]), || {
        make_engine(workspace, size, &folder)
    })?;
    Ok(folder)
}

fn make_engine(workspace: &Workspace, size: Size, folder: &Path) -> Result<()> {
    // A separate target folder, as for the Worker: what is built depends on the variables.
    let (target, profile) = match size {
        Size::Quick => (workspace.target(), size.profile()),
        Size::Small => (workspace.target().join("web"), "web"),
    };
    let wasm = target.join(WASM).join(profile).join("toponym_js.wasm");
    let work = if size == Size::Quick { QUICK_BUILD } else { BUILD };
    report::step(&format!("build the engine for JavaScript ({work})"), |line| {
        ENGINES.iter().try_for_each(|(name, features)| {
            let arguments = ["build", "--profile", profile, "--target", WASM, "--package", "toponym-js"];
            let mut cargo = workspace.cargo(&[&arguments[..], features].concat())?;
            if size == Size::Small {
                cargo.args(SMALL_LIBRARY).envs(SMALL_FLAGS).env("CARGO_TARGET_DIR", &target);
            }
            process::run_behind(line, cargo)?;
            bindgen::run(Target::Web, name, &wasm, folder)?;
            if size != Size::Small {
                return Ok(());
            }
            wasm_opt::run(workspace, line, &folder.join(format!("{name}_bg.wasm")), &OPTIMISED)
        })
    })
}

/// Tests each example with its bundler.
pub fn test_examples(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    setup::npm(workspace, &["tests/packaging/examples/bundlers", "tests/packaging/examples/next"])?;
    output.tests(in_chromium(workspace, "tests/packaging/examples/examples.test.mjs")?)
}
