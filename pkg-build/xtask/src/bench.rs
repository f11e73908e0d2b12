//! `cargo xtask bench`: measures Toponym and its peers, and rewrites RESULTS.md and the plots in `tests/bench`.
//!
//! Each engine is measured in a separate process, one after the other. The peers are a separate workspace and npm
//! package in `tests/bench`, so that nothing else depends on them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;
use toponym_terminal::process;
use toponym_terminal::workspace::Workspace;

use super::npm;
use super::python;
use super::setup;
use super::size::Size;
use super::toponym;
use super::worker;

/// The engines of `toponym-bench measure`.
const NATIVE: [&str; 4] = ["toponym", "geosuggest", "rrgeo", "country-boundaries"];

/// The engines in JavaScript: functions of `tests/bench/node/peers.mjs`.
const IN_NODE: [&str; 7] = ["flexsearch", "fuse", "geokdbush", "kdt", "minisearch", "sortedScan", "toponym"];

/// Node exposes the garbage collector to measure memory, and gets a larger heap because some peers need it while they
/// build.
const NODE_OPTIONS: [&str; 2] = ["--expose-gc", "--max-old-space-size=8000"];

/// Subjects that `cargo xtask bench` measures.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Subject {
    /// The engine beside its peers, natively and in wasm: RESULTS.md and the table of the README
    Peers,
    /// Everything of `peers`, and gazetteers of up to 10 million places: some minutes and about 12 GB of memory
    Growth,
    /// The most expensive queries beside ordinary ones: HEAVY.md
    Heavy,
    /// Every example with its bundler, and the package in every runtime: EXAMPLES.md
    Examples,
    /// The pages `/` and `/status` by Lighthouse, five times each
    Pages,
    /// Batches of a million rows in Python, Spark, Dask and the terminal beside other packages: PYTHON.md
    Python,
}

/// Rows of a batch in Python.
const ROWS: u32 = 1_000_000;

/// Runs of each page, of which the median counts.
const RUNS: &str = "5";

/// Measures, and writes the results into `tests/bench`.
pub fn run(workspace: &Workspace, subject: Subject) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index_and_core(workspace)?;
    match subject {
        Subject::Peers => peers(workspace, false),
        Subject::Growth => peers(workspace, true),
        Subject::Heavy => {
            let wasm = npm::engine(workspace, Size::Small)?;
            over_the_service(workspace, "tests/bench/service/heavy.mjs", &[("TOPONYM_WASM", wasm.as_os_str())])
        }
        Subject::Pages => {
            setup::npm(workspace, &["tests/bench/lighthouse"])?;
            let chromium = setup::browser::ensure(workspace)?.browser;
            let environment = [("CHROMIUM", chromium.as_os_str()), ("RUNS", RUNS.as_ref())];
            over_the_service(workspace, "tests/bench/lighthouse/run.mjs", &environment)
        }
        Subject::Examples => examples(workspace),
        Subject::Python => python::bench(workspace, ROWS),
    }
}

/// Runs a script over the Worker as it is deployed.
fn over_the_service(workspace: &Workspace, script: &str, environment: &[(&str, &OsStr)]) -> Result<()> {
    worker::build(workspace, Size::Small)?;
    let mut command = workspace.node(script)?;
    command.envs(environment.iter().copied());
    process::run(command)
}

/// Builds, opens and measures every example, with Deno, Bun and Next.js: some 700 MB of downloads.
fn examples(workspace: &Workspace) -> Result<()> {
    npm::build(workspace, Size::Small)?;
    setup::npm(workspace, &["tests", "tests/packaging/examples/bundlers", "tests/packaging/examples/next"])?;
    setup::npm(workspace, &["tests/bench/examples/runtimes"])?;
    let mut command = workspace.node("tests/bench/examples/figures.mjs")?;
    command.env("CHROMIUM", setup::browser::ensure(workspace)?.browser).env("NEXT_TELEMETRY_DISABLED", "1");
    process::run(command)
}

fn peers(workspace: &Workspace, with_growth: bool) -> Result<()> {
    let wasm = npm::engine(workspace, Size::Small)?;
    let bench = Bench { workspace, home: workspace.root().join("tests/bench") };
    process::run_as("build the native engines", bench.cargo(&["build", "--release", "--locked"])?)?;
    setup::npm(workspace, &["tests/bench/node"])?;
    bench.step("prepare places and queries", &["prepare", "--index", &workspace.index().to_string_lossy()])?;
    for engine in NATIVE {
        bench.step(&format!("measure {engine}, native"), &["measure", engine])?;
    }
    for peer in IN_NODE {
        bench.in_node(peer, &wasm)?;
    }
    if with_growth {
        bench.step("measure gazetteers of growing size", &["growth"])?;
    }
    let readme = workspace.root().join("README.md");
    let report = ["report", "--out", &bench.home.to_string_lossy(), "--readme", &readme.to_string_lossy()];
    bench.step("write tests/bench/RESULTS.md, and the summary in the README", &report)
}

/// The workspace of the peers.
struct Bench<'w> {
    workspace: &'w Workspace,
    home: PathBuf,
}

impl Bench<'_> {
    /// Returns the folder of prepared files and measurements.
    fn work(&self) -> PathBuf {
        self.workspace.root().join("build/bench")
    }

    fn cargo(&self, arguments: &[&str]) -> Result<std::process::Command> {
        let mut command = self.workspace.cargo(arguments)?;
        command.current_dir(&self.home).env("CARGO_TARGET_DIR", self.workspace.target().join("bench"));
        Ok(command)
    }

    /// Runs one step of toponym-bench.
    fn step(&self, what: &str, arguments: &[&str]) -> Result<()> {
        let mut command = self.cargo(&["run", "--release", "--locked", "--quiet", "--", "--work"])?;
        command.arg(self.work()).args(arguments);
        process::run_as(what, command)
    }

    fn in_node(&self, peer: &str, wasm: &Path) -> Result<()> {
        let mut command = self.workspace.command("node")?;
        command.current_dir(self.home.join("node")).args(NODE_OPTIONS).args(["run.mjs", peer]).arg(self.work());
        command.env("TOPONYM_WASM", wasm);
        process::run_as(&format!("measure {peer}, in Node"), command)
    }
}
