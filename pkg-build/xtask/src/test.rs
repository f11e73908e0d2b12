//! `cargo xtask test`: runs every test.

use anyhow::Result;
use std::process::Command;

use super::checks::{self, Checks, Summary};
use super::examples;
use super::indexes::Indexes;
use super::node_tests;
use super::npm;
use super::python;
use super::selfhost;
use super::setup;
use super::size::Size;
use super::toponym;
use super::worker;
use super::workspace::Workspace;

/// Runner for test binaries of the wasm target.
const WASM_RUNNER: (&str, &str) = ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");

/// Timeout of a wasm test in seconds: the runner's default of 20 is too short on a busy machine.
const WASM_TEST_TIMEOUT: (&str, &str) = ("WASM_BINDGEN_TEST_TIMEOUT", "120");

/// Start-up timeout of the browser driver in seconds: the runner's default of 5 is too short as well.
const DRIVER_TIMEOUT: (&str, &str) = ("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");

/// For tests that mostly wait, for the browser or the clock. The integration tests take 3.6 minutes this way, and 6.6 one by one.
const TWO_FILES_AT_A_TIME: &str = "--test-concurrency=2";

/// Runs every test.
pub fn run(workspace: &Workspace) -> Result<()> {
    let mut checks = Checks::default();
    let tools = prepare(workspace, &mut checks);
    add(workspace, tools, &mut checks);
    checks.finish()
}

/// Installs the tools; returns whether that succeeded.
pub fn prepare(workspace: &Workspace, checks: &mut Checks) -> bool {
    checks.run("tools", || checks::preparation(|| setup::worker(workspace).and_then(|()| setup::wasm_tests(workspace))))
}

/// Adds every test to `checks`.
pub fn add(workspace: &Workspace, tools: bool, checks: &mut Checks) {
    let index = checks.run("index", || {
        checks::preparation(|| {
            toponym::ensure_index_and_core(workspace).and_then(|()| toponym::ensure_postcodes(workspace))
        })
    });
    checks.run("native tests", || checks::tests(workspace.cargo(&["test", "--workspace", "--no-fail-fast"])?));
    // What a person compiles who only geocodes.
    checks.run("the terminal without the builder", || {
        checks::command(workspace.cargo(&["check", "--package", "toponym-cli", "--no-default-features"])?)
    });
    // The profile that builds the index. The native tests have run it without optimisation.
    checks.run_after(index, "the same bytes when optimised", || {
        let arguments = ["test", "--profile", "xtask", "--package", "toponym-builder", "--lib", "the_same_bytes"];
        checks::tests(workspace.cargo(&arguments)?)
    });
    checks.run_after(index, "index of stations", || {
        toponym::ensure_odbl_stations(workspace)?;
        let arguments = ["test", "--package", "toponym-builder", "--test", "odbl_stations", "--", "--include-ignored"];
        checks::tests(workspace.cargo(&arguments)?)
    });
    checks.run_after(index, "Python", || python::tests(workspace));
    checks.run_after(tools, "wasm tests in Node", || checks::tests(wasm_tests(workspace, "anywhere")?));
    checks.run_after(tools, "wasm tests in Chromium", || in_browser(workspace));
    let built = tools && index;
    let package = checks
        .run_after(built, "build of the npm package", || checks::preparation(|| npm::build(workspace, Size::Small)));
    checks.run_after(package, "npm package in Node, Chromium and workerd", || {
        let chromium = setup::packaging_tests(workspace)?.browser;
        checks::tests(node_tests::of_pages(workspace, &[], "tests/packaging/*.test.mjs", &chromium)?)
    });
    checks.run_after(package, "examples of the npm package", || checks::tests(examples::tests(workspace)?));
    let worker = checks.run_after(package, "build of the Worker", || {
        checks::preparation(|| {
            worker::build(workspace, Size::Small, &Indexes::default()).and_then(|()| worker::build_faults(workspace))
        })
    });
    checks.run_after(worker, "size of the modules", || {
        npm::engine(workspace, Size::Small)?;
        let arguments = ["test", "--package", "toponym-tests", "--test", "size", "--", "--include-ignored"];
        checks::tests(workspace.cargo(&arguments)?)
    });
    checks.run_after(worker, "integration tests", || {
        checks::tests(node_tests::with_flags(workspace, &[TWO_FILES_AT_A_TIME], "tests/live/**/*.test.mjs")?)
    });
    checks.run_after(worker, "deployment without an account", || {
        checks::tests(node_tests::command(workspace, "tests/deploy/*.test.mjs")?)
    });
    checks.run_after(worker, "pages in Chromium", || {
        let chromium = setup::browser_tests(workspace)?.browser;
        let mut command = node_tests::command(workspace, "tests/browser/*.test.mjs")?;
        command.env("CHROMIUM", chromium);
        checks::tests(command)
    });
    checks.run_after(worker, "search field, wrappers and map adapters", || {
        let chromium = setup::components_tests(workspace)?.browser;
        let files = "tests/components/*.test.mjs";
        checks::tests(node_tests::of_pages(workspace, &[TWO_FILES_AT_A_TIME], files, &chromium)?)
    });
    checks.run_after(worker, "code to copy from the playground", || {
        let chromium = setup::components_tests(workspace)?.browser;
        checks::tests(node_tests::of_pages(workspace, &[], "tests/code/*.test.mjs", &chromium)?)
    });
    checks.run_after(worker, "conformance to openapi.yaml", || {
        setup::conformance(workspace)?;
        checks::tests(node_tests::command(workspace, "tests/conformance/*.test.mjs")?)
    });
    checks.run_after(worker, "MCP server, offline and on the service", || {
        setup::mcp_tests(workspace)?;
        checks::tests(node_tests::command(workspace, "tests/mcp/*.test.mjs")?)
    });
    checks.run_after(worker, "service on a machine of one's own", || selfhost::tests(workspace));
}

fn wasm_tests(workspace: &Workspace, file: &str) -> Result<Command> {
    let arguments = ["test", "--package", "toponym-tests", "--target", "wasm32-unknown-unknown", "--test", file];
    let mut command = workspace.cargo(&arguments)?;
    command.envs([WASM_RUNNER, WASM_TEST_TIMEOUT, DRIVER_TIMEOUT]);
    Ok(command)
}

fn in_browser(workspace: &Workspace) -> Result<Summary> {
    let browser = setup::browser::ensure(workspace)?;
    let capabilities = workspace.target().join("webdriver.json");
    fs_err::create_dir_all(workspace.target())?;
    fs_err::write(&capabilities, browser.capabilities().to_string())?;
    let mut command = wasm_tests(workspace, "web")?;
    command.env("CHROMEDRIVER", browser.driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities);
    checks::tests(command)
}
