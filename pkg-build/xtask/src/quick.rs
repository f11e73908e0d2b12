//! `cargo xtask check`: checks what differs from the last commit, in seconds to two minutes. It runs the tests beside the changed
//! code; all that could notice a change is what `cargo xtask ci` runs.

use anyhow::{Result, ensure};
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

use super::checks::output::Output;
use super::checks::proof::Proofs;
use super::checks::{Check, Lane, Summary, conclude, lanes};
use super::links;
use super::lints;
use super::node_tests::{command, in_chromium};
use super::size::Size;
use super::worker;

type Run = fn(&Workspace, &mut Output<'_>) -> Result<Summary>;

/// Checks of what changes below some paths, or of files with some ending.
const QUICK: [(&[&str], &str, Run); 10] = [
    (&[".rs"], "format", lints::format),
    (&[".md"], "links", links::check),
    (&["engine/src", "engine/tests"], "engine", |workspace, output| {
        output.tests(workspace.cargo(&["test", "--package", "toponym-engine", "--lib", "--tests"])?)
    }),
    (&["edge-worker/src", "edge-worker/tests"], "service, in memory", |workspace, output| {
        output.tests(workspace.cargo(&["test", "--package", "toponym-edge", "--lib", "--test", "service"])?)
    }),
    (&["pkg-build/builder"], "builder", |workspace, output| {
        output.tests(workspace.cargo(&["test", "--package", "toponym-builder", "--lib", "--test", "broken"])?)
    }),
    (&["pkg-build/cli"], "terminal", |workspace, output| {
        output.tests(workspace.cargo(&["test", "--package", "toponym-cli"])?)
    }),
    (&["pkg-build/xtask", "pkg-build/terminal"], "tasks", |workspace, output| {
        output.tests(workspace.cargo(&["test", "--package", "toponym-xtask", "--package", "toponym-terminal"])?)
    }),
    (&["pkg-build/npm", "engine/js"], "npm package in Node", |workspace, output| {
        worker::build(workspace, Size::Quick)?;
        output.tests(command(workspace, "tests/packaging/{node,declarations}.test.mjs")?)
    }),
    (&["pkg-build/npm/src/element"], "search field", |workspace, output| {
        worker::build(workspace, Size::Quick)?;
        output.tests(in_chromium(workspace, "tests/components/states.test.mjs")?)
    }),
    (&["edge-worker/site"], "playground", |workspace, output| {
        worker::build(workspace, Size::Quick)?;
        output.tests(in_chromium(workspace, "tests/site/playground.test.mjs")?)
    }),
];

/// Runs what concerns the changed files.
pub fn run(workspace: &Workspace) -> Result<()> {
    let changed = changed_files(workspace)?;
    ensure!(!changed.is_empty(), "nothing differs from the last commit");
    let checks: Vec<Check> = QUICK
        .into_iter()
        .filter(|(paths, ..)| paths.iter().any(|path| changed.iter().any(|file| concerns(path, file))))
        .map(|(_, name, run)| Check { name, lane: Lane::Compute, after: &[], behind: "", inputs: "", run })
        .collect();
    ensure!(!checks.is_empty(), "no quick check concerns these files: {}; run `cargo xtask test`", changed.join(", "));
    report::remark(&format!("{} files differ from the last commit", changed.len()));
    conclude(&lanes::run(workspace, &checks, &Proofs::default()))
}

/// Tells whether a path of the table names a file: as its beginning, or as its ending if it begins with a dot.
fn concerns(path: &str, file: &str) -> bool {
    if path.starts_with('.') { file.ends_with(path) } else { file.starts_with(path) }
}

/// Lists the files that git would commit.
fn changed_files(workspace: &Workspace) -> Result<Vec<String>> {
    let git = |arguments: &[&str]| workspace.output("git", arguments);
    let files = [git(&["diff", "--name-only", "HEAD"])?, git(&["ls-files", "--others", "--exclude-standard"])?];
    Ok(files.iter().flat_map(|text| text.lines()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_choose_their_checks() {
        let check = |file: &str, expect: &[&str]| {
            let found = QUICK.iter().filter(|(paths, ..)| paths.iter().any(|path| concerns(path, file)));
            assert_eq!(found.map(|(_, name, _)| *name).collect::<Vec<_>>(), expect, "{file}");
        };
        check("engine/src/label.rs", &["format", "engine"]);
        check("edge-worker/src/router.rs", &["format", "service, in memory"]);
        check("pkg-build/npm/src/element.js", &["npm package in Node", "search field"]);
        check("README.md", &["links"]);
        check("wrangler.toml", &[]);
    }

    #[test]
    fn paths_are_there() {
        let root = Workspace::find().root().to_path_buf();
        for path in QUICK.iter().flat_map(|(paths, ..)| *paths).filter(|path| !path.starts_with('.')) {
            let is_there = root.join(path).exists() || root.join(format!("{path}.js")).exists();
            assert!(is_there, "{path} is not there");
        }
    }
}
