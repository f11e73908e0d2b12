//! `cargo xtask platforms`: tests Toponym where it is used: in Python, with bundlers, frameworks and maps, by the code that the
//! playground offers, by the description of the API, by assistants, and on a machine of one's own.

use std::process::Command;

use anyhow::Result;

use super::examples;
use super::node_tests::{self, TWO_FILES_AT_A_TIME};
use super::prepared::Step;
use super::python;
use super::selfhost;
use super::setup;
use super::suite::{self, Run, Suite};
use super::workspace::Workspace;

/// The suites.
pub const SUITES: [Suite; 7] = [
    Suite { name: "Python", needs: Some(Step::Index), run: Run::Other(python::tests) },
    Suite {
        name: "examples of the npm package",
        needs: Some(Step::Package),
        run: Run::Node(examples::TEST, examples::tests),
    },
    Suite {
        name: "search field, wrappers and map adapters",
        needs: Some(Step::Worker),
        run: Run::Node("tests/components/*.test.mjs", of_components),
    },
    Suite {
        name: "code to copy from the playground",
        needs: Some(Step::Worker),
        run: Run::Node("tests/code/*.test.mjs", of_components),
    },
    Suite {
        name: "conformance to openapi.yaml",
        needs: Some(Step::Worker),
        run: Run::Node("tests/conformance/*.test.mjs", |workspace, files| {
            setup::conformance(workspace)?;
            node_tests::command(workspace, files)
        }),
    },
    Suite {
        name: "MCP server, offline and on the service",
        needs: Some(Step::Worker),
        run: Run::Node("tests/mcp/*.test.mjs", |workspace, files| {
            setup::mcp_tests(workspace)?;
            node_tests::command(workspace, files)
        }),
    },
    Suite {
        name: "service on a machine of one's own",
        needs: Some(Step::Worker),
        run: Run::Node("tests/selfhost/*.test.mjs", selfhost::tests),
    },
];

/// Runs them.
pub fn run(workspace: &Workspace) -> Result<()> {
    suite::run(workspace, &SUITES)
}

fn of_components(workspace: &Workspace, files: &str) -> Result<Command> {
    let chromium = setup::components_tests(workspace)?.browser;
    node_tests::of_pages(workspace, &[TWO_FILES_AT_A_TIME], files, &chromium)
}
