//! `cargo xtask wrangler`: runs the pinned wrangler with the Node from its packages.

use std::process::Command;

use anyhow::Result;

use super::process;
use super::setup;
use super::workspace::Workspace;

/// The configuration of the Worker, in the root folder.
pub const CONFIGURATION: &str = "wrangler.toml";

/// Turns off metrics, error reports and look-ups, and local traces, which cost most of a local run's speed.
pub const QUIET: [(&str, &str); 4] = [
    ("WRANGLER_SEND_METRICS", "false"),
    ("WRANGLER_SEND_ERROR_REPORTS", "false"),
    ("CLOUDFLARE_CF_FETCH_ENABLED", "false"),
    ("X_LOCAL_OBSERVABILITY", "false"),
];

/// Runs wrangler with `arguments`.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    setup::worker(workspace)?;
    let own = if names_configuration(arguments) { None } else { Some(CONFIGURATION) };
    let mut command = wrangler(workspace, own)?;
    command.args(arguments);
    process::run(command)
}

/// The command for wrangler on local workerd, at `port`, with a configuration in the root folder.
pub fn dev(workspace: &Workspace, configuration: &str, port: u16) -> Result<Command> {
    let mut command = wrangler(workspace, Some(configuration))?;
    command.args(["dev", "--local", "--ip", "127.0.0.1", "--port", &port.to_string()]);
    command.arg("--show-interactive-dev-session=false");
    Ok(command)
}

/// The command for wrangler on the account that it is logged in to, with a configuration in the root folder.
pub fn on_account(workspace: &Workspace, configuration: &str) -> Result<Command> {
    wrangler(workspace, Some(configuration))
}

fn wrangler(workspace: &Workspace, configuration: Option<&str>) -> Result<Command> {
    let mut command = workspace.command("node")?;
    command.arg(workspace.node_modules().join("wrangler/bin/wrangler.js")).envs(QUIET);
    if let Some(configuration) = configuration {
        // Explicit, because a wrangler.json in a parent folder would take precedence.
        command.args(["-c", configuration]);
    }
    Ok(command)
}

fn names_configuration(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| matches!(argument.split('=').next(), Some("-c" | "--config")))
}

#[cfg(test)]
mod tests {
    use super::names_configuration;

    #[test]
    fn a_configuration_of_the_callers_own_is_left_alone() {
        let check = |arguments: &str, expect| {
            let arguments: Vec<_> = arguments.split(' ').map(str::to_owned).collect();
            assert_eq!(names_configuration(&arguments), expect, "{arguments:?}");
        };
        check("deploy -c other.toml", true);
        check("deploy --config=other.toml", true);
        check("deploy --config other.toml", true);
        check("deploy --dry-run --compatibility-date 2026-01-01", false);
        check("", false);
    }
}
