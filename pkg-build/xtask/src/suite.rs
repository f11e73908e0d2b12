//! A suite of tests as data: its name, what it needs, and how it runs.

use std::process::Command;

use anyhow::Result;

use super::checks::{self, Checks, Summary};
use super::prepared::{Prepared, Step};
use super::workspace::Workspace;

/// A suite.
pub struct Suite {
    /// Its name in the table of checks.
    pub name: &'static str,
    /// What has to be there first, if anything.
    pub needs: Option<Step>,
    /// How it runs.
    pub run: Run,
}

/// How a suite runs.
pub enum Run {
    /// In Node: the files of a pattern, and what runs them, after the tools that they need besides are installed.
    Node(&'static str, fn(&Workspace, &str) -> Result<Command>),
    /// Otherwise.
    Other(fn(&Workspace) -> Result<Summary>),
}

impl Suite {
    fn run(&self, workspace: &Workspace) -> Result<Summary> {
        match self.run {
            Run::Node(files, command) => checks::tests(command(workspace, files)?),
            Run::Other(run) => run(workspace),
        }
    }
}

/// Runs suites, and the steps that they need.
pub fn run(workspace: &Workspace, suites: &[Suite]) -> Result<()> {
    let mut checks = Checks::default();
    add(workspace, suites, &mut Prepared::new(workspace), &mut checks);
    checks.finish()
}

/// Adds suites to `checks`, with the steps that are not `prepared`.
pub fn add<'s>(
    workspace: &Workspace,
    suites: impl IntoIterator<Item = &'s Suite>,
    prepared: &mut Prepared<'_>,
    checks: &mut Checks,
) {
    for suite in suites {
        let is_ready = suite.needs.is_none_or(|step| prepared.reach(step, checks));
        checks.run_after(is_ready, suite.name, || suite.run(workspace));
    }
}
