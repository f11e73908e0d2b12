//! Tests compiled to wasm, in Node and in Chromium.

use std::process::Command;

use anyhow::Result;
use toponym_terminal::workspace::Workspace;

use super::setup;

/// The variable with the runner of programs for wasm, and its file below the target folder.
const RUNNER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER";
const RUNNER_FILE: &str = "debug/wasm-bindgen-test-runner";

/// Timeout of a test in seconds: the runner's default of 20 is too short on a busy machine.
const TIMEOUT: (&str, &str) = ("WASM_BINDGEN_TEST_TIMEOUT", "120");

/// Start-up timeout of the browser driver in seconds: the runner's default of 5 is too short as well.
const DRIVER_TIMEOUT: (&str, &str) = ("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");

/// Compiles wasm-bindgen's runner.
pub fn compile_runner(workspace: &Workspace) -> Result<Command> {
    workspace.cargo(&["build", "--package", "toponym-wasm-runner"])
}

/// Returns what runs the tests in Node.
pub fn in_node(workspace: &Workspace) -> Result<Command> {
    command(workspace, "anywhere")
}

/// Returns what runs the tests in Chromium.
pub fn in_browser(workspace: &Workspace) -> Result<Command> {
    let browser = setup::browser::ensure(workspace)?;
    let capabilities = workspace.target().join("webdriver.json");
    fs_err::create_dir_all(workspace.target())?;
    fs_err::write(&capabilities, browser.capabilities().to_string())?;
    let mut command = command(workspace, "web")?;
    command.env("CHROMEDRIVER", browser.driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities);
    Ok(command)
}

fn command(workspace: &Workspace, file: &str) -> Result<Command> {
    let arguments = ["test", "--package", "toponym-wasm-tests", "--target", "wasm32-unknown-unknown", "--test", file];
    let mut command = workspace.cargo(&arguments)?;
    command.env(RUNNER, workspace.target().join(RUNNER_FILE)).envs([TIMEOUT, DRIVER_TIMEOUT]);
    Ok(command)
}
