//! `cargo xtask bench`: measures Toponym and its peers, and rewrites RESULTS.md and the plots in `tests/bench`.
//!
//! Each engine is measured in a separate process, one after the other. The peers are a separate workspace and npm
//! package in `tests/bench`, so that nothing else depends on them.

use std::path::{Path, PathBuf};

use anyhow::Result;
use toponym_terminal::report;

use super::indexes::Indexes;
use super::npm;
use super::process;
use super::setup;
use super::size::Size;
use super::toponym;
use super::worker;
use super::workspace::Workspace;
use super::wrangler;

/// The engines of `toponym-bench measure`.
const NATIVE: [&str; 4] = ["toponym", "geosuggest", "rrgeo", "country-boundaries"];

/// The files of `tests/bench/node/peers`.
const NODE: [&str; 7] = ["toponym", "sorted-scan", "minisearch", "flexsearch", "fuse", "geokdbush", "kdt"];

/// Node exposes the garbage collector to measure memory, and gets a larger heap because some peers need it while they
/// build.
const NODE_OPTIONS: [&str; 2] = ["--expose-gc", "--max-old-space-size=8000"];

/// Measures all engines; gazetteers of growing size only on request, because the largest takes minutes and about 12 GB.
pub fn run(workspace: &Workspace, growth: bool) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index(workspace)?;
    let wasm = npm::engine(workspace, Size::Small)?;
    let bench = Bench { workspace, home: workspace.root().join("tests/bench") };
    report::step("build the native engines", |line| {
        process::run_behind(line, bench.cargo(&["build", "--release", "--locked"])?)
    })?;
    bench.npm_ci()?;
    bench.step("prepare places and queries", &["prepare", "--index", &workspace.index().to_string_lossy()])?;
    for engine in NATIVE {
        bench.step(&format!("measure {engine}, native"), &["measure", engine])?;
    }
    for peer in NODE {
        bench.in_node(peer, &wasm)?;
    }
    if growth {
        bench.step("measure gazetteers of growing size", &["growth"])?;
    }
    let readme = workspace.root().join("README.md");
    let report = ["report", "--out", &bench.home.to_string_lossy(), "--readme", &readme.to_string_lossy()];
    bench.step("write tests/bench/RESULTS.md, and the summary in the README", &report)
}

/// Measures the most expensive queries against ordinary ones and writes tests/bench/HEAVY.md.
pub fn heavy(workspace: &Workspace) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index(workspace)?;
    worker::build(workspace, Size::Small, &Indexes::default())?;
    let wasm = npm::engine(workspace, Size::Small)?;
    let mut command = workspace.command("node")?;
    command.arg("tests/load/heavy.mjs").env("TOPONYM_WASM", wasm).envs(wrangler::QUIET);
    report::step("measure heavy queries and write tests/bench/HEAVY.md", |line| process::run_behind(line, command))
}

/// Measures the crossing into JavaScript beside that of the `worker` crate, and writes tests/bench/CROSSING.md.
pub fn crossing(workspace: &Workspace) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index(workspace)?;
    worker::build(workspace, Size::Small, &Indexes::default())?;
    worker::build_library(workspace)?;
    let mut command = workspace.command("node")?;
    command.arg("tests/load/crossing.mjs").envs(wrangler::QUIET);
    report::step("measure both crossings, and write tests/bench/CROSSING.md", |line| process::run_behind(line, command))
}

/// The workspace of the peers.
struct Bench<'w> {
    workspace: &'w Workspace,
    home: PathBuf,
}

impl Bench<'_> {
    /// Prepared files and measurements.
    fn work(&self) -> PathBuf {
        self.workspace.root().join("build/bench")
    }

    fn cargo(&self, arguments: &[&str]) -> Result<std::process::Command> {
        let mut command = self.workspace.cargo(arguments)?;
        command.current_dir(&self.home).env("CARGO_TARGET_DIR", self.workspace.target().join("bench"));
        Ok(command)
    }

    /// One step of toponym-bench.
    fn step(&self, what: &str, arguments: &[&str]) -> Result<()> {
        let mut command = self.cargo(&["run", "--release", "--locked", "--quiet", "--", "--work"])?;
        command.arg(self.work()).args(arguments);
        report::step(what, |line| process::run_behind(line, command))
    }

    fn npm_ci(&self) -> Result<()> {
        let mut command = self.workspace.command("npm")?;
        command.current_dir(self.home.join("node")).args(["ci", "--no-audit", "--no-fund"]);
        report::step("npm ci in tests/bench/node", |line| process::run_behind(line, command))
    }

    fn in_node(&self, peer: &str, wasm: &Path) -> Result<()> {
        let mut command = self.workspace.command("node")?;
        command.current_dir(self.home.join("node")).args(NODE_OPTIONS).args(["run.mjs", peer]).arg(self.work());
        command.env("TOPONYM_WASM", wasm);
        report::step(&format!("measure {peer}, in Node"), |line| process::run_behind(line, command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_has_its_file() {
        let peers = Workspace::find().root().join("tests/bench/node/peers");
        let mut files: Vec<String> = fs_err::read_dir(peers)
            .expect("the folder is there")
            .map(|file| file.expect("it can be read").file_name().to_string_lossy().replace(".mjs", ""))
            .collect();
        let mut named = NODE.map(str::to_owned).to_vec();
        files.sort();
        named.sort();
        assert_eq!(files, named);
    }
}
