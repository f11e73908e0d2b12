//! The packages around the search field and the maps: `toponym-react`, `toponym-vue`, `toponym-maplibre` and
//! `toponym-leaflet`, in `build/npm-<name>`; and their tests, with those of the search field.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use fs_err as fs;

use super::setup;
use super::workspace::Workspace;
use super::wrangler;

/// The folders of the packages in `pkg-build`.
const PACKAGES: [&str; 4] = ["react", "vue", "maplibre", "leaflet"];

/// The placeholder for the version of the workspace.
const NO_VERSION: &str = "\"0.0.0\"";

/// Timeout of one test in milliseconds.
const TIMEOUT: &str = "--test-timeout=120000";

/// Builds the packages: their sources, with the version of the workspace and the licences of the code.
pub fn build(workspace: &Workspace) -> Result<()> {
    PACKAGES.iter().try_for_each(|name| package(workspace.root(), name))
}

/// The tests, which need the packages, the Worker and their npm packages.
pub fn tests(workspace: &Workspace) -> Result<Command> {
    let chromium = setup::components_tests(workspace)?.browser;
    build(workspace)?;
    let mut command = workspace.command("node")?;
    // A bundler keeps handles open after it is closed. Two files at a time: they mostly wait for the browser.
    let arguments = ["--test", "--test-force-exit", "--test-concurrency=2", "--test-reporter=spec", TIMEOUT];
    command.args(arguments).arg("tests/components/*.test.mjs");
    command.env("CHROMIUM", chromium).envs(wrangler::QUIET);
    Ok(command)
}

fn package(root: &Path, name: &str) -> Result<()> {
    let sources = root.join("pkg-build").join(name);
    let folder = root.join("build").join(format!("npm-{name}"));
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for file in fs::read_dir(sources.join("src"))? {
        let file = file?;
        fs::copy(file.path(), folder.join(file.file_name()))?;
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root.join(licence), folder.join(licence))?;
    }
    fs::copy(sources.join("README.md"), folder.join("README.md"))?;
    let manifest = fs::read_to_string(sources.join("package.json"))?;
    ensure!(manifest.contains(NO_VERSION), "pkg-build/{name}/package.json has no placeholder for the version");
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    Ok(fs::write(folder.join("package.json"), manifest.replace(NO_VERSION, &version))?)
}
