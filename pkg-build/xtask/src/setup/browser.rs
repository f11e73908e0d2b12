//! Finds or installs Chromium and its driver for the browser tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use toponym_terminal::process;
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

/// Names of Chromium, or of Chrome as a replacement.
const BROWSERS: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Paths on macOS, where browsers are not on the path.
const APPLICATIONS: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// WebDriver capabilities: headless, able to run as root in a container, and without connections to any host but the
/// test server. The tests of pages use the same flags.
const CAPABILITIES: &str = include_str!("../../../../tests/webdriver.json");

/// A browser and the program that drives it.
#[derive(Debug, PartialEq)]
pub struct Browser {
    /// Chromium.
    pub browser: PathBuf,
    /// chromedriver.
    pub driver: PathBuf,
}

impl Browser {
    /// The WebDriver capabilities with the path of this browser.
    pub fn capabilities(&self) -> Value {
        let mut capabilities: Value = serde_json::from_str(CAPABILITIES).expect("a test reads the file");
        capabilities["goog:chromeOptions"]["binary"] = json!(self.browser);
        capabilities
    }
}

/// Finds the browser, or installs it through apt if possible.
pub fn ensure(workspace: &Workspace) -> Result<Browser> {
    if let Some(browser) = find() {
        return Ok(browser);
    }
    if !may_use_apt() {
        bail!(
            "the browser tests need Chromium and chromedriver on the path, please install them and start again\n  \
             (Debian: sudo apt-get install chromium chromium-driver; macOS: brew install --cask chromium chromedriver)"
        );
    }
    apt(workspace, "apt-get update", &["update"])?;
    let install = ["install", "--yes", "--no-install-recommends", "chromium", "chromium-driver"];
    apt(workspace, "apt-get install chromium chromium-driver", &install)?;
    find().context("apt installed Chromium, yet `chromium` and `chromedriver` are not on the path")
}

fn find() -> Option<Browser> {
    let installed = APPLICATIONS.iter().map(PathBuf::from).filter(|path| path.is_file());
    let browser = BROWSERS.iter().filter_map(|name| which::which(name).ok()).chain(installed).next()?;
    Some(Browser { browser, driver: which::which("chromedriver").ok()? })
}

fn may_use_apt() -> bool {
    Path::new("/etc/debian_version").is_file() && which::which("apt-get").is_ok() && is_root()
}

fn is_root() -> bool {
    let mut command = Command::new("id");
    command.arg("-u");
    process::output(command).is_ok_and(|id| id == "0")
}

fn apt(workspace: &Workspace, what: &str, arguments: &[&str]) -> Result<()> {
    let mut command = workspace.command("apt-get")?;
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    report::step(what, |line| process::run_behind(line, command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_name_the_browser_and_its_flags() {
        let browser = Browser { browser: "/usr/bin/chromium".into(), driver: "/usr/bin/chromedriver".into() };
        let options = &browser.capabilities()["goog:chromeOptions"];
        assert_eq!(options["binary"], "/usr/bin/chromium");
        assert_eq!(options["args"][0], "--headless");
    }
}
