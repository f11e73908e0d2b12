//! Tests in Node.

use std::process::Command;

use anyhow::{Context, Result};
use toponym_terminal::workspace::Workspace;

use super::checks::Summary;
use super::checks::output::Output;
use super::setup;
use super::wasm_tests;

/// Timeout of one test, and of one file, in milliseconds, so that a hanging one does not block the whole run. Six files at a time on
/// two cores take more than five minutes, and WebKit starts anew for each test.
const TIMEOUT: &str = "--test-timeout=900000";

/// Option for tests that mostly wait, for the browser or the clock.
const TWO_FILES_AT_A_TIME: &str = "--test-concurrency=2";

/// Tests of pages by the browsers that run them. The maps of `site` need WebGL, which Firefox lacks without a graphics card.
const OF_OTHERS: [(&str, [&str; 3]); 2] = [
    ("firefox", [COMPONENTS, "tests/site/{playground,service-worker,status}.test.mjs", PACKAGE]),
    ("webkit", [COMPONENTS, "tests/site/*.test.mjs", PACKAGE]),
];
const COMPONENTS: &str = "tests/components/*.test.mjs";
const PACKAGE: &str = "tests/packaging/{browser,element,paged-index}.test.mjs";

/// The tests of the search field as users install it, which are quick in every browser.
const FIELD: &str = "tests/packaging/element.test.mjs";

/// Returns what runs the tests in `files`, a pattern. A file ends when it holds nothing open. With `--test-force-exit` it would
/// end at its last test, and lose the results that the runner has not read by then.
pub fn command(workspace: &Workspace, files: &str) -> Result<Command> {
    within(workspace, &[files])
}

/// Returns what runs the tests in `files`, patterns, each test and each file within the timeout.
fn within(workspace: &Workspace, files: &[&str]) -> Result<Command> {
    let mut command = workspace.node("--test")?;
    command.args(["--test-reporter=spec", TIMEOUT, TWO_FILES_AT_A_TIME]).args(files);
    Ok(command)
}

/// Returns what runs tests that open pages in Chromium.
pub fn in_chromium(workspace: &Workspace, files: &str) -> Result<Command> {
    let mut command = command(workspace, files)?;
    command.env("CHROMIUM", setup::browser::ensure(workspace)?.browser);
    Ok(command)
}

/// Runs in Firefox and WebKit what tests pages, and in Firefox what tests wasm.
pub fn in_others(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    setup::browser::ensure_others(workspace)?;
    let driver = setup::browser::geckodriver(workspace)?;
    let summary = output.tests(wasm_tests::in_firefox(workspace, &driver)?)?;
    in_both(workspace, output, summary, OF_OTHERS)
}

/// Runs in Firefox and WebKit what tests the search field as users install it.
pub fn field_in_others(workspace: &Workspace, output: &mut Output<'_>) -> Result<Summary> {
    setup::browser::ensure_others(workspace)?;
    in_both(workspace, output, Summary::passed("the field"), OF_OTHERS.map(|(browser, _)| (browser, [FIELD])))
}

/// Runs the files of each browser, also if they fail in the first, and adds to `summary` what they say.
fn in_both<const N: usize>(
    workspace: &Workspace,
    output: &mut Output<'_>,
    mut summary: Summary,
    files: [(&str, [&str; N]); 2],
) -> Result<Summary> {
    let outcomes = files.map(|(browser, files)| {
        let mut command = within(workspace, &files)?;
        command.env("BROWSER", browser);
        output.tests(command).map(|passed| (browser, passed)).with_context(|| browser.to_owned())
    });
    for outcome in outcomes {
        let (browser, passed) = outcome?;
        summary.note = format!("{}; {browser}: {}", summary.note, passed.note);
        summary.closing.extend(passed.closing);
    }
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use toponym_terminal::process;

    use super::*;

    /// Keeps the runner, but not the processes of its files, from reading for a second at a time.
    const BUSY: &str = "data:text/javascript,if(!process.env.NODE_TEST_CONTEXT)setInterval(()=>Atomics.wait(new(Int32Array)(new(SharedArrayBuffer)(4)),0,0,1000),1).unref()";

    #[test]
    fn a_busy_runner_loses_no_result() {
        let workspace = Workspace::find();
        setup::worker(&workspace).expect("the tools can be installed");
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("many.test.mjs");
        let tests = "import { test } from 'node:test'; for (let n = 0; n < 1000; n++) test(`${n}`, () => {});";
        fs_err::write(&file, tests).expect("the folder is ours");
        let mut command = command(&workspace, &file.to_string_lossy()).expect("the path has no separator");
        command.env("NODE_OPTIONS", format!("--import={BUSY}"));
        let said = process::output(command);
        assert!(said.is_ok_and(|said| said.contains("pass 1000\n")), "some of 1,000 results are lost");
    }
}
