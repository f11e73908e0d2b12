//! Tests compiled to wasm, in Node, in Chromium and in Firefox.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};
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
pub fn in_chromium(workspace: &Workspace) -> Result<Command> {
    let browser = setup::browser::ensure(workspace)?;
    in_browser(workspace, &browser.capabilities(), "CHROMEDRIVER", &browser.driver)
}

/// Returns what runs the tests in Firefox, which geckodriver drives.
pub fn in_firefox(workspace: &Workspace, driver: &Path) -> Result<Command> {
    let options = json!({ "args": ["-headless"], "binary": which::which("firefox-esr")? });
    in_browser(workspace, &json!({ "moz:firefoxOptions": options }), "GECKODRIVER", driver)
}

fn in_browser(workspace: &Workspace, capabilities: &Value, variable: &str, driver: &Path) -> Result<Command> {
    let file = workspace.target().join(variable).with_extension("json");
    fs_err::create_dir_all(workspace.target())?;
    fs_err::write(&file, capabilities.to_string())?;
    let mut command = command(workspace, "web")?;
    command.env(variable, driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file);
    Ok(command)
}

fn command(workspace: &Workspace, file: &str) -> Result<Command> {
    let arguments = ["test", "--package", "toponym-wasm-tests", "--target", "wasm32-unknown-unknown", "--test", file];
    let mut command = workspace.cargo(&arguments)?;
    command.env(RUNNER, workspace.target().join(RUNNER_FILE)).envs([TIMEOUT, DRIVER_TIMEOUT]);
    Ok(command)
}
