//! Waits until a newly deployed service answers.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use toponym_terminal::report;

/// A new workers.dev name takes some seconds, a custom domain's certificate some minutes.
const LONGEST_START: Duration = Duration::from_secs(300);

/// Interval between health checks.
const LOOK: Duration = Duration::from_secs(2);

/// Timeout of one health check.
const LONGEST_ANSWER: Duration = Duration::from_secs(10);

/// Waits until the service at `url` passes its health check.
pub fn wait(url: &str) -> Result<()> {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(LONGEST_ANSWER)).build().into();
    let health = format!("{}/health", url.trim_end_matches('/'));
    let start = Instant::now();
    report::step(&format!("wait for {health}"), |line| {
        loop {
            match agent.get(&health).call() {
                Ok(_) => return Ok(()),
                Err(error) if start.elapsed() > LONGEST_START => {
                    bail!("{health} is not healthy after {}: {error}", report::duration(LONGEST_START))
                }
                Err(error) => line.detail(&error.to_string()),
            }
            sleep(LOOK);
        }
    })
}
