//! `cargo xtask test`: tests the engine, the builder, the Worker, the npm package and the pages. `cargo xtask platforms` tests
//! where they are used.

use std::process::Command;

use anyhow::Result;
use toponym_terminal::report::{self, Work};

use super::ahead::Ahead;
use super::checks::{self, Checks};
use super::node_tests::{self, TWO_FILES_AT_A_TIME};
use super::npm;
use super::prepared::{Prepared, Step};
use super::process;
use super::setup;
use super::size::Size;
use super::suite::{self, Run, Suite};
use super::toponym;
use super::wasm_tests;
use super::worker;
use super::workspace::Workspace;

/// The builder with the profile that builds the index: the native tests have run it without optimisation. `toponym` is selected
/// too, so that crates have the features with which it is compiled already.
const OPTIMISED: [&str; 9] = [
    "test",
    "--profile",
    "xtask",
    "--package",
    "toponym-cli",
    "--package",
    "toponym-builder",
    "--lib",
    "the_same_bytes",
];

/// Makes the indexes in pages that several files of tests/packaging read: at once, each would make them.
const PAGES_OF_PACKAGING: &str = "tests/packaging/make-pages.mjs";

/// Dividing the places of the core pack, and those of a newer version of it.
const PAGES: Work = Work::shared(70);

/// The suites: first those that use both cores, then those that mostly wait.
pub const SUITES: [Suite; 10] = [
    Suite {
        name: "native tests",
        needs: Some(Step::Index),
        run: Run::Other(|workspace| checks::tests(workspace.cargo(&["test", "--workspace", "--no-fail-fast"])?)),
    },
    Suite {
        name: "the same bytes when optimised",
        needs: Some(Step::Index),
        run: Run::Other(|workspace| checks::tests(workspace.cargo(&OPTIMISED)?)),
    },
    Suite {
        name: "index of stations",
        needs: Some(Step::Index),
        run: Run::Other(|workspace| {
            toponym::ensure_odbl_stations(workspace)?;
            checks::tests(ignored(workspace, "the_stations_are_a_file_of_their_own")?)
        }),
    },
    Suite {
        name: "npm package in Node, Chromium and workerd",
        needs: Some(Step::Package),
        run: Run::Node("tests/packaging/*.test.mjs", |workspace, files| {
            let chromium = setup::packaging_tests(workspace)?.browser;
            make_pages(workspace)?;
            node_tests::of_pages(workspace, &[TWO_FILES_AT_A_TIME], files, &chromium)
        }),
    },
    Suite {
        name: "size of the modules",
        needs: Some(Step::Worker),
        run: Run::Other(|workspace| checks::tests(ignored(workspace, "no_module_grows")?)),
    },
    Suite {
        name: "integration tests",
        needs: Some(Step::Faults),
        run: Run::Node("tests/live/*.test.mjs", |workspace, files| {
            node_tests::with_flags(workspace, &[TWO_FILES_AT_A_TIME], files)
        }),
    },
    Suite {
        name: "deployment without an account",
        needs: Some(Step::Worker),
        run: Run::Node("tests/deploy/*.test.mjs", node_tests::command),
    },
    Suite {
        name: "pages in Chromium",
        needs: Some(Step::Worker),
        run: Run::Node("tests/browser/*.test.mjs", |workspace, files| {
            let chromium = setup::browser_tests(workspace)?.browser;
            let mut command = node_tests::with_flags(workspace, &[TWO_FILES_AT_A_TIME], files)?;
            command.env("CHROMIUM", chromium);
            Ok(command)
        }),
    },
    Suite {
        name: "wasm tests in Node",
        needs: Some(Step::WasmTests),
        run: Run::Other(|workspace| checks::tests(wasm_tests::in_node(workspace)?)),
    },
    Suite {
        name: "wasm tests in Chromium",
        needs: Some(Step::WasmTests),
        run: Run::Other(|workspace| checks::tests(wasm_tests::in_browser(workspace)?)),
    },
];

/// Runs them.
pub fn run(workspace: &Workspace) -> Result<()> {
    let (mut checks, mut prepared) = (Checks::default(), Prepared::new(workspace));
    let ahead = prepared.reach(Step::Index, &mut checks).then(|| Ahead::start("test"));
    suite::add(workspace, &SUITES, &mut prepared, &mut checks);
    ahead.into_iter().for_each(Ahead::finish);
    checks.finish()
}

/// Prepares what takes longest, in the order in which the suites need it. The index is there. Tests run meanwhile, so nothing is written
/// that they read: only products.
pub fn prepare(workspace: &Workspace) -> Result<()> {
    npm::package_of_core(workspace, Size::Small)?;
    worker::build_module(workspace, Size::Small)?;
    worker::build_faults(workspace)?;
    [Step::WasmRunner, Step::WasmTests].into_iter().try_for_each(|step| step.make(workspace))
}

fn make_pages(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.command("node")?;
    command.arg(PAGES_OF_PACKAGING);
    report::step(&format!("divide the places of the core pack into pages ({PAGES})"), |line| {
        process::run_behind(line, command)
    })
}

/// The test `name`, which needs what is built in between, among the native tests: selected like these, it is compiled already.
fn ignored(workspace: &Workspace, name: &str) -> Result<Command> {
    workspace.cargo(&["test", "--workspace", "--tests", "--", "--ignored", "--exact", name])
}
