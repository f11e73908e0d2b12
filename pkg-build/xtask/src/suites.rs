//! All checks, in the order in which their lanes take them. `cargo xtask test NAME` takes their names.
//!
//! Checks that build something stand before the suites of tests that are after them.

use anyhow::Result;
use toponym_terminal::workspace::Workspace;

use super::checks::output::Output;
use super::checks::{Check, Lane, Summary};
use super::fuzz;
use super::links;
use super::lints;
use super::mutants;
use super::node_tests::{command, field_in_others, in_chromium, in_others};
use super::npm;
use super::python;
use super::release;
use super::selfhost;
use super::setup::{self, VirtualEnv};
use super::size::Size;
use super::toponym;
use super::wasm_tests;
use super::worker;
use Lane::{Compute, Wait};

/// Makes a suite of tests in a folder. Its inputs are the product, what suites share, and the folder.
macro_rules! suite {
    ($folder:literal, $name:literal, $lane:expr, $after:expr, $run:expr $(,)?) => {
        if_changed(
            concat!(
                "data edge-worker engine pkg-build tests/bench tests/browsers.mjs tests/chromium.mjs tests/golden \
                 tests/inspector.mjs tests/live tests/make tests/package-lock.json tests/packaging tests/servers.mjs \
                 tests/soon.mjs tests/workerd.mjs wrangler.toml ",
                $folder
            ),
            always($name, $lane, $after, $run),
        )
    };
}

/// Checks of `cargo xtask test`: the engine, the builder, the service on workerd, the npm packages, the pages.
pub const TEST: [Check; 18] = [
    always("toponym", Compute, &[], |workspace, output| {
        output.run(workspace.cargo(&["build", "--package", "toponym-cli"])?)
    }),
    always("tools", Wait, &[], |workspace, _| setup::worker(workspace).map(done)),
    always("index", Wait, &["toponym", "tools"], |workspace, _| toponym::ensure_index_and_core(workspace).map(done)),
    // Apart from the index, so that `cargo xtask serve` does not wait for it.
    always(POSTCODES, Wait, &["index"], |workspace, _| toponym::up_to_date(workspace, &["--postcodes"]).map(done)),
    always("engine for JavaScript", Compute, &["tools"], |workspace, _| {
        npm::engine(workspace, Size::Quick).map(|_| Summary::default())
    }),
    always("Worker", Compute, &["tools"], |workspace, _| worker::build_module(workspace, Size::Quick).map(done)),
    always("Worker with faults", Compute, &["Worker"], |workspace, _| worker::build_faults(workspace).map(done)),
    always("Chromium and packages of tests", Wait, &["tools"], |workspace, _| {
        setup::npm(workspace, &["tests"])?;
        setup::browser::ensure(workspace).map(|_| Summary::default())
    }),
    always("packages and pages", Wait, &["index", "engine for JavaScript", "Worker"], |workspace, _| {
        worker::build(workspace, Size::Quick).map(done)
    }),
    always("build of the native tests", Compute, &["toponym"], |workspace, output| {
        output.run(workspace.cargo(&["test", "--no-run"])?)
    }),
    suite!("tests/live", "service", Wait, &[PAGES[0], "Worker with faults", POSTCODES], |workspace, output| {
        output.tests(command(workspace, "tests/live/*.test.mjs")?)
    }),
    if_changed(
        ".",
        always("native tests", Compute, &[POSTCODES, "build of the native tests"], |workspace, output| {
            output.tests(workspace.cargo(&["test", "--no-fail-fast"])?)
        }),
    ),
    suite!("tests/packaging", "npm package", Wait, &[PAGES[0], PAGES[1], PAGES[2], POSTCODES], |workspace, output| {
        output.run(workspace.node("tests/packaging/paged-index.mjs")?)?;
        output.tests(in_chromium(workspace, "tests/packaging/*.test.mjs")?)
    }),
    always("runner of wasm tests", Compute, &["tools"], |workspace, output| {
        output.run(wasm_tests::compile_runner(workspace)?)
    }),
    suite!("tests/wasm", "wasm in Node", Compute, &["runner of wasm tests"], |workspace, output| {
        output.tests(wasm_tests::in_node(workspace)?)
    }),
    suite!("tests/wasm", "wasm in Chromium", Compute, &["wasm in Node", PAGES[1]], |workspace, output| {
        output.tests(wasm_tests::in_chromium(workspace)?)
    }),
    suite!("tests/site", "pages", Wait, &PAGES, |workspace, output| {
        output.tests(in_chromium(workspace, "tests/site/*.test.mjs")?)
    }),
    suite!("tests/components", "search field", Wait, &PAGES, |workspace, output| {
        output.tests(in_chromium(workspace, "tests/components/*.test.mjs")?)
    }),
];

/// Checks that `cargo xtask ci` runs besides: format, lints, documentation, and the places where Toponym is used.
pub const FURTHER: [Check; 22] = [
    always("links", Compute, &[], links::check),
    always("format", Compute, &[], lints::format),
    always("clippy", Compute, &[], lints::clippy),
    always("clippy on wasm", Compute, &["tools"], lints::clippy_on_wasm),
    always("documentation", Compute, &[], lints::documentation),
    always("tasks", Compute, &[], |workspace, output| {
        output.tests(workspace.cargo(&["test", "--package", "toponym-xtask"])?)
    }),
    always("licences and sources", Wait, &["tools"], lints::licences),
    always("advisories", Wait, &["licences and sources"], lints::advisories),
    always("description of the API", Wait, &["packages and pages"], |workspace, output| {
        VirtualEnv::ensure(workspace, "conformance", &["tests/conformance/requirements.txt"])?;
        output.tests(command(workspace, "tests/conformance/*.test.mjs")?)
    }),
    always("MCP server", Wait, &["packages and pages"], |workspace, output| {
        setup::npm(workspace, &["tests/mcp"])?;
        output.tests(command(workspace, "tests/mcp/*.test.mjs")?)
    }),
    always("machine of one's own", Wait, &["packages and pages"], |workspace, output| {
        selfhost::make(workspace)?;
        output.tests(command(workspace, "tests/selfhost/*.test.mjs")?)
    }),
    always("code to copy", Wait, &PAGES, |workspace, output| {
        output.tests(in_chromium(workspace, "tests/code/*.test.mjs")?)
    }),
    if_changed(
        "edge-worker/Cargo.toml engine/Cargo.toml pkg-build/cli pkg-build/terminal",
        always("terminal without the builder", Compute, &[], lints::terminal_without_builder),
    ),
    if_changed(
        "data engine/Cargo.toml engine/python engine/src pkg-build/builder pkg-build/xtask/src/python.rs \
         tests/golden",
        always("Python", Compute, &["index"], python::tests),
    ),
    if_changed(
        // What the engine answers is tested by the check before: this one tests what is made of it on Spark.
        "engine/python",
        always("Python on Spark", Compute, &["index"], python::tests_on_spark),
    ),
    if_changed(
        "edge-worker/package-lock.json engine/js pkg-build/examples pkg-build/npm pkg-build/xtask/src/bindgen.rs \
         pkg-build/xtask/src/npm.rs tests/browsers.mjs tests/chromium.mjs \
         tests/packaging/examples tests/packaging/harness.mjs tests/servers.mjs",
        always("examples of bundlers", Wait, &PAGES, npm::test_examples),
    ),
    if_changed(
        "engine/js/src pkg-build/npm tests/browsers.mjs tests/packaging/element.test.mjs tests/packaging/harness.mjs \
         tests/servers.mjs",
        always("search field in other browsers", Wait, &["packages and pages"], field_in_others),
    ),
    if_changed(
        "engine/Cargo.toml engine/python pkg-build/cli pkg-build/mcp pkg-build/npm pkg-build/release pkg-build/serve \
         pkg-build/xtask/src/release.rs tests/packaging/installed",
        always("installed as released", Compute, &["packages and pages", "machine of one's own"], release::test),
    ),
    if_changed(
        "data engine/src pkg-build/builder pkg-build/cli/src",
        always("index of stations", Compute, &["index"], |workspace, output| {
            toponym::up_to_date(workspace, &["--odbl-stations"])?;
            output.tests(ignored_test(workspace, "odbl_stations", "the_stations_are_a_file_of_their_own")?)
        }),
    ),
    if_changed(
        "data/NOTICES.txt edge-worker/Cargo.toml edge-worker/openapi.yaml edge-worker/package-lock.json \
         edge-worker/src engine/Cargo.toml engine/js engine/src pkg-build/xtask/src/bindgen.rs \
         pkg-build/xtask/src/npm.rs pkg-build/xtask/src/size.rs pkg-build/xtask/src/wasm_opt.rs \
         pkg-build/xtask/src/worker.rs tests/answers/size.rs tests/snapshots/size.txt",
        always("size of the modules", Compute, &["packages and pages"], |workspace, output| {
            npm::engine(workspace, Size::Small)?;
            worker::build_small(workspace)?;
            output.tests(ignored_test(workspace, "answers", "size::no_module_grows")?)
        }),
    ),
    if_changed(
        "edge-worker/Cargo.toml edge-worker/entry.mjs edge-worker/package-lock.json edge-worker/places \
         edge-worker/site/_headers edge-worker/site/_redirects edge-worker/src engine/Cargo.toml engine/js \
         engine/src pkg-build/cli/src pkg-build/terminal/src pkg-build/xtask/src/bindgen.rs \
         pkg-build/xtask/src/main.rs pkg-build/xtask/src/npm.rs pkg-build/xtask/src/size.rs \
         pkg-build/xtask/src/wasm_opt.rs pkg-build/xtask/src/worker.rs tests/deploy tests/live/harness.mjs \
         tests/live/small-index.mjs tests/make/small tests/packaging/questions.mjs wrangler.toml",
        Check {
            behind: "packages and pages",
            ..always("deployment", Wait, &["packages and pages"], worker::test_deployment)
        },
    ),
    if_changed(
        "data edge-worker/src engine/src pkg-build/builder/src tests/fuzz",
        always("fuzzing", Compute, &["index"], fuzz::briefly),
    ),
];

/// Checks that `cargo xtask nightly` runs besides.
pub const NIGHTLY: [Check; 3] = [
    if_changed(
        "edge-worker/site engine/js/src pkg-build/leaflet pkg-build/maplibre pkg-build/npm pkg-build/react \
         pkg-build/vue tests/browsers.mjs tests/components tests/packaging tests/servers.mjs tests/site tests/soon.mjs",
        always("other browsers", Wait, &["packages and pages", "wasm in Chromium"], in_others),
    ),
    if_changed(
        "data engine/src pkg-build/builder/src",
        always("same bytes when released", Compute, &["index"], |workspace, output| {
            let arguments = ["test", "--release", "--package", "toponym-builder", "--lib", "the_same_bytes"];
            output.tests(workspace.cargo(&arguments)?)
        }),
    ),
    if_changed(
        "engine/src edge-worker/src pkg-build/builder/src .cargo/mutants.toml",
        always("mutants", Compute, &["index"], mutants::all),
    ),
];

const POSTCODES: &str = "index of postal codes";

/// Checks that suites in Chromium are after.
const PAGES: [&str; 3] = ["packages and pages", "Chromium and packages of tests", "build of the native tests"];

const fn always(
    name: &'static str,
    lane: Lane,
    after: &'static [&'static str],
    run: fn(&Workspace, &mut Output<'_>) -> Result<Summary>,
) -> Check {
    Check { name, lane, after, behind: "", inputs: "", run }
}

const fn if_changed(inputs: &'static str, check: Check) -> Check {
    Check { inputs, ..check }
}

/// Returns an empty summary: a check that prepares what others need has no result of its own.
fn done((): ()) -> Summary {
    Summary::default()
}

/// Returns what runs the test `name` of a program, which needs what is built in between: selected among the native tests, it is
/// compiled already.
fn ignored_test(workspace: &Workspace, program: &str, name: &str) -> Result<std::process::Command> {
    workspace.cargo(&["test", "--test", program, "--", "--ignored", "--exact", name])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn all() -> impl Iterator<Item = Check> {
        TEST.into_iter().chain(FURTHER).chain(NIGHTLY)
    }

    #[test]
    fn checks_have_unique_names_and_known_needs() {
        let mut names = BTreeSet::new();
        for check in all() {
            assert!(names.insert(check.name), "{} is there twice", check.name);
        }
        for check in all() {
            for name in check.after {
                assert!(names.contains(name), "{} is after {name}, which is not there", check.name);
            }
            assert!(check.behind.is_empty() || check.after.contains(&check.behind), "{}", check.name);
        }
        let of_test: BTreeSet<_> = TEST.iter().map(|check| check.name).collect();
        assert!(TEST.iter().flat_map(|check| check.after).all(|name| of_test.contains(name)));
    }

    #[test]
    fn inputs_are_there() {
        for check in all() {
            for path in check.inputs.split_whitespace() {
                assert!(Workspace::find().root().join(path).exists(), "{}: {path} is not there", check.name);
            }
        }
    }

    /// A file of tests in a folder that no suite names would never run.
    #[test]
    fn every_node_test_belongs_to_a_suite() {
        let source =
            [include_str!("suites.rs"), include_str!("npm.rs"), include_str!("worker.rs"), include_str!("release.rs")]
                .concat();
        let mut folders = BTreeSet::new();
        collect(&Workspace::find().root().join("tests"), Path::new("tests"), &mut folders);
        assert!(folders.len() > 5, "{folders:?}");
        for folder in folders {
            assert!(
                source.contains(&format!("\"{folder}/*.test.mjs\""))
                    || source.contains(&format!("\"{folder}/examples.test.mjs\"")),
                "no suite runs {folder}"
            );
        }
    }

    fn collect(folder: &Path, path: &Path, found: &mut BTreeSet<String>) {
        for entry in fs_err::read_dir(folder).expect("the folder can be read") {
            let entry = entry.expect("the folder can be read");
            let name = entry.file_name().into_string().expect("names are text");
            if entry.path().is_dir() && name != "node_modules" {
                collect(&entry.path(), &path.join(&name), found);
            } else if name.ends_with(".test.mjs") {
                found.insert(path.display().to_string());
            }
        }
    }
}
