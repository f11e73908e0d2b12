//! Prepares beside the tests what later ones need.
//!
//! A second run of this program does so at the lowest priority, so that it takes only what the tests leave: many of them mostly
//! wait for pages and services. Whatever it has not done, the tests do themselves, and there a failure is shown.

use std::env;
use std::process::{Child, Command, Stdio};

/// The priority of `nice`: the lowest.
const PRIORITY: &str = "19";

/// A preparation that runs in the background.
pub struct Ahead(Option<Child>);

impl Ahead {
    /// Starts that of a task, which is its option `--prepare`. Without `nice`, which Windows lacks, nothing is prepared.
    pub fn start(task: &str) -> Self {
        let start = || {
            let program = env::current_exe()?;
            let mut command = Command::new("nice");
            command.args(["-n", PRIORITY]).arg(program).args([task, "--prepare"]);
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
