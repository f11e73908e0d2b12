//! The tests of the MCP server, on its own and on the service.

use super::checks::{self, Checks};
use super::setup;
use super::test;
use super::workspace::Workspace;

/// Adds the tests, which need the npm packages and the Worker.
pub fn add_tests(workspace: &Workspace, built: bool, checks: &mut Checks) {
    checks.run_after(built, "MCP server, offline and on the service", || {
        setup::mcp_tests(workspace)?;
        checks::tests(test::node_tests(workspace, "tests/mcp/*.test.mjs")?)
    });
}
