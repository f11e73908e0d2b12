//! `cargo xtask`: the developers' tasks, one file each, and the modules they share:
//!
//! - [`workspace`]: the paths of the repository, and commands that prefer its own tools;
//! - [`process`]: runs programs;
//! - [`toponym`]: runs the operator's command, which handles the index, the keys and the secrets;
//! - [`setup`]: installs missing tools in the versions that the lock files name;
//! - [`build_cache`]: skips builds whose inputs have not changed;
//! - [`turn`]: lets one process make a product at a time;
//! - [`checks`]: a list of checks with their durations and results;
//! - [`suite`], [`prepared`]: suites of tests, and what they share.
//!
//! A task may be interrupted at any point: the next run detects incomplete work and redoes it.

mod ahead;
mod bench;
mod bindgen;
mod build_cache;
mod checks;
mod ci;
mod deny;
mod deploy;
mod examples;
mod fuzz;
mod indexes;
mod lighthouse;
mod mutants;
mod node_tests;
mod npm;
mod npm_package;
mod pages;
mod platforms;
mod prepared;
mod process;
mod python;
mod repository;
mod selfhost;
mod serve;
mod setup;
mod size;
mod suite;
mod tally;
mod test;
mod toponym;
mod turn;
mod versions;
mod wasm_opt;
mod wasm_tests;
mod worker;
mod workspace;
mod wrangler;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

use workspace::Workspace;

/// Builds, runs and tests Toponym.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the service on local workerd, installing what is missing first
    Serve {
        /// Port on 127.0.0.1
        #[arg(long, default_value_t = 8787)]
        port: u16,
        #[command(flatten)]
        places: pages::Places,
    },
    /// Tests the engine, the builder, the Worker on workerd, the npm package and the pages
    Test {
        /// Only prepare what later tests need, as a run does beside the first ones
        #[arg(long, hide = true)]
        prepare: bool,
    },
    /// Tests Toponym where it is used: Python, bundlers, frameworks, maps, code to copy, openapi.yaml, assistants, a machine
    /// of one's own
    Platforms,
    /// Runs what CI runs: format, lints, documentation, then the tests of `test` and of `platforms`
    Ci {
        /// Only prepare what later checks need, as a run does beside the first ones
        #[arg(long, hide = true)]
        prepare: bool,
    },
    /// Looks for failing inputs with libFuzzer, using the targets of tests/fuzz
    Fuzz(fuzz::Arguments),
    /// Shows the candidates of a query and their signals, to explain its results
    Explain(OfToponym),
    /// Builds the index from the pinned sources and from files of your own
    Index(OfToponym),
    /// Checks that every place of data/curated, or of your own CSV files, lies in its country and near its city, and is
    /// listed once
    Check(OfToponym),
    /// Shows what an index holds, or everything about one place
    Inspect(OfToponym),
    /// Checks a whole index against engine/FORMAT.md
    Verify(OfToponym),
    /// Packs an index for browsers, to be read by `Geocoder.load()` of the npm package
    Pack(OfToponym),
    /// Builds the Worker, and the index if it is not up to date; `[build]` of wrangler.toml runs this
    Worker {
        /// Skip wasm-opt, as local runs do: a larger Worker, some seconds sooner
        #[arg(long)]
        no_opt: bool,
        /// Also build the Worker for fault-injection tests, which is never deployed
        #[arg(long)]
        faults: bool,
    },
    /// Runs the pinned wrangler on wrangler.toml
    Wrangler {
        /// Arguments for wrangler, such as `deploy --dry-run`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Deploys the service to the Cloudflare account of wrangler, creating missing secrets
    Deploy(deploy::Arguments),
    /// Deletes the pages of old indexes from the bucket that `deploy --pages r2` filled
    CleanPages(pages::bucket::Clean),
    /// Creates, shows, changes and deletes API keys of a deployment
    Keys(OfToponym),
    /// Tests the tests: makes small changes to the code, one at a time, and fails on each that no test notices
    Mutants(mutants::Arguments),
    /// Builds the npm packages: build/npm with the core pack, build/npm-full with the full one
    Npm {
        /// Public address of the repository, for package.json; by default the remote `origin` of this clone, if it is public
        #[arg(long, value_name = "URL")]
        repository: Option<String>,
    },
    /// Builds every example of pkg-build/examples, opens each in Chromium, and writes tests/packaging/EXAMPLES.md
    Examples,
    /// Builds the wheel for Python, and runs its tests
    Python(python::Arguments),
    /// Makes the folder that runs the service on a machine of your own: build/selfhost
    Selfhost {
        #[command(flatten)]
        indexes: indexes::Indexes,
    },
    /// Measures Toponym beside its peers, and writes tests/bench/RESULTS.md and its plots
    Bench {
        /// Also measure gazetteers of up to 10 million places: some minutes and about 12 GB of memory
        #[arg(long, conflicts_with_all = ["heavy", "crossing"])]
        growth: bool,
        /// Measure only the most expensive queries against ordinary ones, and write tests/bench/HEAVY.md
        #[arg(long, conflicts_with = "crossing")]
        heavy: bool,
        /// Instead, the crossing into JavaScript beside that of the worker crate: writes tests/bench/CROSSING.md
        #[arg(long)]
        crossing: bool,
    },
    /// Measures the pages with Lighthouse, and writes tests/lighthouse/RESULTS.md
    Lighthouse {
        /// Runs of each page, of which the median counts
        #[arg(long, value_name = "NUMBER", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
        runs: u32,
    },
    /// Only installs the tools
    Setup,
}

/// Arguments passed on to `toponym`; its `--help` lists them.
#[derive(Args)]
#[command(disable_help_flag = true)]
struct OfToponym {
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    let workspace = Workspace::find();
    let done = match command {
        Command::Serve { port, places } => serve::run(&workspace, port, &places),
        Command::Test { prepare: true } => test::prepare(&workspace),
        Command::Test { prepare: false } => test::run(&workspace),
        Command::Platforms => platforms::run(&workspace),
        Command::Ci { prepare: true } => ci::prepare(&workspace),
        Command::Ci { prepare: false } => ci::run(&workspace),
        Command::Fuzz(arguments) => fuzz::run(&workspace, arguments),
        Command::Explain(_)
        | Command::Index(_)
        | Command::Check(_)
        | Command::Inspect(_)
        | Command::Verify(_)
        | Command::Pack(_)
        | Command::Keys(_) => return toponym::instead(&workspace, env::args_os().skip(1)),
        Command::Worker { no_opt, faults } => worker::run(&workspace, no_opt, faults),
        Command::Wrangler { arguments } => wrangler::run(&workspace, &arguments),
        Command::Deploy(arguments) => deploy::run(&workspace, &arguments),
        Command::CleanPages(arguments) => pages::bucket::clean(&workspace, &arguments),
        Command::Mutants(arguments) => mutants::run(&workspace, &arguments),
        Command::Npm { repository } => npm::run(&workspace, repository.as_deref()),
        Command::Examples => examples::run(&workspace),
        Command::Python(arguments) => python::run(&workspace, &arguments),
        Command::Selfhost { indexes } => selfhost::run(&workspace, &indexes),
        Command::Bench { heavy: true, .. } => bench::heavy(&workspace),
        Command::Bench { crossing: true, .. } => bench::crossing(&workspace),
        Command::Bench { growth, .. } => bench::run(&workspace, growth),
        Command::Lighthouse { runs } => lighthouse::run(&workspace, runs),
        Command::Setup => setup::everything(&workspace),
    };
    done.map(|()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Arguments::command().debug_assert();
    }

    /// Editing a task must not rebuild the index, and editing the builder must not rebuild the tasks.
    #[test]
    fn crates_depend_on_those_below_them() {
        let check = |package: &str, expect: &[&str]| {
            let path = Workspace::find().root().join("pkg-build").join(package).join("Cargo.toml");
            let manifest: BTreeMap<String, toml::Value> =
                toml::from_str(&fs_err::read_to_string(path).expect("the package is there")).expect("it is TOML");
            let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
            let tables = sections.iter().filter_map(|name| manifest.get(*name)?.as_table());
            let own: Vec<_> =
                tables.flat_map(|table| table.keys().filter_map(|name| name.strip_prefix("toponym-"))).collect();
            assert_eq!(own, expect, "{package}");
        };
        check("terminal", &[]);
        check("builder", &["engine"]);
        // The workload makes the rows that its batches are measured with.
        check("cli", &["builder", "edge", "engine", "terminal", "workload"]);
        check("xtask", &["terminal"]);
    }
}
