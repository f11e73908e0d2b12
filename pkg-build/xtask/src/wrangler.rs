//! `cargo xtask wrangler`: runs the pinned wrangler with the Node from its packages.

use super::setup;
use anyhow::Result;
use toponym_terminal::process;
use toponym_terminal::workspace::{CONFIGURATION, Workspace};

/// Runs wrangler with `arguments`.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    setup::worker(workspace)?;
    let own = if names_configuration(arguments) { None } else { Some(CONFIGURATION) };
    let mut command = workspace.wrangler(own)?;
    command.args(arguments);
    process::run(command)
}

fn names_configuration(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| matches!(argument.split('=').next(), Some("-c" | "--config")))
}

#[cfg(test)]
mod tests {
    use super::names_configuration;

    #[test]
    fn a_callers_configuration_is_left_alone() {
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
