//! A check as data: what it does, after which others, and in which lane.

use std::time::Duration;

use anyhow::Result;
use toponym_terminal::workspace::Workspace;

use super::output::Output;
use super::summary::Summary;

/// A check, as data.
#[derive(Clone, Copy)]
pub struct Check {
    /// The name in the table, in arguments, and in what others are `after`.
    pub name: &'static str,
    /// The lane that runs it.
    pub lane: Lane,
    /// The checks that have to pass first.
    pub after: &'static [&'static str],
    /// The check whose product this one replaces: all that are `after` it have to end first, if they run. Empty if there is none.
    pub behind: &'static str,
    /// Files and folders that decide its result, with spaces between them: it runs if they have changed since it passed
    /// ([`super::proof`]). Without any it runs always.
    pub inputs: &'static str,
    /// Function that does the check.
    pub run: fn(&Workspace, &mut Output<'_>) -> Result<Summary>,
}

/// Worker that runs a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Compiles or computes, one check after another: cargo uses all cores by itself.
    Compute,
    /// Waits most of its time, for downloads, a browser, a service: two at a time.
    Wait,
}

/// A finished check.
#[derive(Debug)]
pub struct Finished {
    pub name: &'static str,
    pub elapsed: Duration,
    pub outcome: Result<Summary>,
}
