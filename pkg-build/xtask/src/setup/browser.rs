//! Finds or installs the browsers of tests: Chromium, Firefox and WebKit, and what drives them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use toponym_terminal::process;
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

/// Programs that Debian's packages of Firefox, of WebKit, of a screen for it and of the size of its window put on the path.
const OTHERS: [&str; 4] = ["firefox-esr", "WebKitWebDriver", "Xvfb", "xdotool"];

/// The version of geckodriver, which Debian does not have.
const GECKODRIVER: &str = "0.37.1";

/// A browser and the program that drives it.
#[derive(Debug, PartialEq)]
pub struct Browser {
    /// Chromium.
    pub browser: PathBuf,
    /// chromedriver.
    pub driver: PathBuf,
}

impl Browser {
    /// Returns the WebDriver capabilities with the path of this browser.
    pub fn capabilities(&self) -> Value {
        let mut capabilities: Value = serde_json::from_str(CAPABILITIES).expect("a test reads the file");
        capabilities["goog:chromeOptions"]["binary"] = json!(self.browser);
        capabilities
    }
}

/// Finds Chromium, or installs it through apt if possible.
pub fn ensure(workspace: &Workspace) -> Result<Browser> {
    if find().is_none() {
        install(workspace, "brew install --cask chromium chromedriver", &["chromium", "chromium-driver"])?;
    }
    find().context("`chromium` and `chromedriver` must be on the path, and are not, though apt installed them")
}

/// Finds Firefox and WebKit, or installs them through apt if possible.
pub fn ensure_others(workspace: &Workspace) -> Result<()> {
    if OTHERS.iter().all(|name| which::which(name).is_ok()) {
        return Ok(());
    }
    install(workspace, "not possible", &["firefox-esr", "webkit2gtk-driver", "xvfb", "xdotool"])
}

/// Compiles geckodriver, which takes minutes, and returns its path.
pub fn geckodriver(workspace: &Workspace) -> Result<PathBuf> {
    super::cargo_install(workspace, "geckodriver", GECKODRIVER)?;
    Ok(workspace.tools().join("bin/geckodriver"))
}

fn find() -> Option<Browser> {
    let installed = APPLICATIONS.iter().map(PathBuf::from).filter(|path| path.is_file());
    let browser = BROWSERS.iter().filter_map(|name| which::which(name).ok()).chain(installed).next()?;
    Some(Browser { browser, driver: which::which("chromedriver").ok()? })
}

/// Installs packages of Debian, if this is one, and we are root.
fn install(workspace: &Workspace, on_macos: &str, packages: &[&str]) -> Result<()> {
    let is_root = workspace.output("id", &["-u"]).is_ok_and(|id| id == "0");
    if !is_root || !Path::new("/etc/debian_version").is_file() {
        bail!(
            "the browser tests need {0}, please install them and start again\n  \
             (Debian: sudo apt-get install {0}; macOS: {on_macos})",
            packages.join(" ")
        );
    }
    for arguments in [&["update"][..], &[&["install", "--yes", "--no-install-recommends"], packages].concat()] {
        let mut command = workspace.command("apt-get")?;
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        process::run_as(&format!("apt-get {}", arguments.join(" ")), command)?;
    }
    Ok(())
}
