//! Prepares the last checks of `cargo xtask ci` beside the suites that mostly wait for pages and services.
//!
//! A second run of this program installs the tools and compiles the fuzz targets, at the lowest priority, so that it takes
//! only what the suites leave. Whatever it has not done, the checks do themselves, and there a failure is shown.

use std::env;
use std::process::{Child, Command, Stdio};

use anyhow::Result;

use super::fuzz;
use super::setup;
use super::workspace::Workspace;

/// The priority of `nice`: the lowest.
const PRIORITY: &str = "19";

/// A preparation that runs in the background.
pub struct Ahead(Option<Child>);

impl Ahead {
    /// Starts it. Without `nice`, which Windows lacks, nothing is prepared.
    pub fn start() -> Self {
        let start = || {
            let program = env::current_exe()?;
            let mut command = Command::new("nice");
            command.args(["-n", PRIORITY]).arg(program).args(["ci", "--prepare"]);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
        };
        Self(start().ok())
    }

    /// Waits for its end.
    pub fn finish(mut self) {
        if let Some(child) = &mut self.0 {
            // What it says does not matter: the checks look themselves.
            let _ = child.wait();
        }
    }
}

/// What runs in the background.
pub fn run(workspace: &Workspace) -> Result<()> {
    setup::licences(workspace)?;
    setup::mutants(workspace)?;
    fuzz::compile_briefly(workspace)
}
