//! `cargo xtask build python`: the wheel for Python in `build/python`; and its tests, on the wheel as a user installs it.
//!
//! ```text
//! engine/python ─> maturin ─┐
//! core.toponym ─────────────┼─> build/python/toponym-*.whl ─> pip install ─> pytest
//! licences ─────────────────┘
//! ```

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;
use toponym_terminal::process;
use toponym_terminal::report::{self, Work};
use toponym_terminal::workspace::Workspace;

use super::checks::Summary;
use super::checks::output::Output;
use super::setup::{self, VirtualEnv};
use super::size::Size;
use super::toponym;

/// The crate.
const CRATE: &str = "engine/python";

/// Files that the wheel has beside those of the crate: where each is, and where maturin finds it.
const BESIDE: [(&str, &str); 4] = [
    ("build/core.toponym", "python/toponym/core.toponym"),
    ("data/NOTICES.txt", "NOTICES.txt"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
];

/// A first build, optimised and for tests.
const BUILD: Work = Work::shared(240);
const QUICK_BUILD: Work = Work::shared(90);

/// Builds the wheel for users.
pub fn run(workspace: &Workspace) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index_and_core(workspace)?;
    let wheel = build(workspace, &setup::python(workspace)?, Size::Small)?;
    report::remark(&format!("{} is ready", wheel.display()));
    Ok(())
}

/// Tests the wheel as installed, all but what needs Spark.
pub fn tests(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    let environment = setup::python(workspace)?;
    install(workspace, &environment, Size::Quick)?;
    output.tests(pytest(workspace, &environment, "not spark")?)
}

/// Tests the wheel on Spark, of 460 MB of downloads.
pub fn tests_on_spark(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    let environment = setup::python_with_spark(workspace, "python-spark", &[])?;
    install(workspace, &environment, Size::Quick)?;
    output.tests(pytest(workspace, &environment, "spark")?)
}

/// Builds the wheel, and installs it into the environment in place of the last one.
fn install(workspace: &Workspace, environment: &VirtualEnv, how: Size) -> Result<()> {
    let mut pip = environment.command(workspace, "pip")?;
    pip.args(["install", "--disable-pip-version-check", "--no-index", "--no-deps", "--force-reinstall"]);
    pip.arg(build(workspace, environment, how)?);
    process::run_as("install the wheel", pip)
}

/// Builds the wheel, and returns its file.
fn build(workspace: &Workspace, environment: &VirtualEnv, size: Size) -> Result<PathBuf> {
    beside(workspace)?;
    let out = workspace.root().join("build").join("python");
    // That of tests shares compiled crates with the other commands.
    let (profile, work) = if size == Size::Small { ("release", BUILD) } else { ("dev", QUICK_BUILD) };
    if out.is_dir() {
        fs::remove_dir_all(&out)?;
    }
    let mut maturin = environment.command(workspace, "maturin")?;
    maturin.args(["build", "--locked", "--profile", profile, "--manifest-path", "engine/python/Cargo.toml", "--out"]);
    maturin.arg(&out);
    process::run_as(&format!("build the wheel ({work})"), maturin)?;
    let built = fs::read_dir(&out)?.next().with_context(|| format!("maturin left no wheel in {}", out.display()))?;
    Ok(built?.path())
}

/// Puts the files of other folders beside the crate.
pub fn beside(workspace: &Workspace) -> Result<()> {
    BESIDE.iter().try_for_each(|(from, to)| {
        fs::copy(workspace.root().join(from), workspace.root().join(CRATE).join(to))?;
        Ok(())
    })
}

fn pytest(workspace: &Workspace, environment: &VirtualEnv, marks: &str) -> Result<Command> {
    let mut command = environment.command(workspace, "python")?;
    command.args(["-m", "pytest", "--config-file", "engine/python/pyproject.toml", "--durations=5", "-m", marks]);
    command.arg("engine/python/tests");
    Ok(command)
}

/// Measures batches in Python, Spark, Dask and the terminal beside other packages, with this many rows, and writes
/// tests/bench/PYTHON.md.
pub fn bench(workspace: &Workspace, rows: u32) -> Result<()> {
    let environment = setup::python_with_spark(workspace, "python-bench", &["engine/python/bench/requirements.txt"])?;
    toponym::ensure_index_and_core(workspace)?;
    install(workspace, &environment, Size::Small)?;
    // Without the parts that build an index, as the README of the terminal tells people to install it.
    let terminal = ["build", "--release", "--package", "toponym-cli", "--no-default-features", "--bin", "toponym"];
    process::run(workspace.cargo(&terminal)?)?;
    let table = workspace.target().join(format!("mixed-rows-{rows}.csv"));
    let mut mixed =
        workspace.cargo(&["run", "--release", "--package", "toponym-workload", "--example", "mixed_rows"])?;
    mixed.args(["--", &rows.to_string()]).stdout(fs::File::create(&table)?.into_parts().0);
    process::run(mixed)?;
    let mut measure = environment.command(workspace, "python")?;
    measure.arg("engine/python/bench/measure.py").arg(&table);
    process::run(measure)
}
