//! `cargo xtask`: the developers' tasks, one file each, and the modules they share:
//!
//! - [`toponym`]: runs the operator's command, which handles the index, deployments and their secrets;
//! - [`setup`]: installs missing tools in the versions that the lock files name;
//! - [`digest`]: skips builds whose inputs have not changed, and lets one process make a product at a time;
//! - [`suites`]: all checks as data; [`checks`] runs them in three lanes.
//!
//! A task may be interrupted at any point: the next run detects incomplete work and redoes it.

mod bench;
mod bindgen;
mod checks;
mod digest;
mod fuzz;
mod links;
mod lints;
mod mutants;
mod node_tests;
mod npm;
mod python;
mod quick;
mod release;
mod runs;
mod selfhost;
mod serve;
mod setup;
mod size;
mod suites;
mod toponym;
mod wasm_opt;
mod wasm_tests;
mod worker;
mod wrangler;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use toponym_terminal::workspace::Workspace;

/// Builds, runs and tests Toponym.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, after_help = OF_TOPONYM)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Pointer to everything else.
const OF_TOPONYM: &str =
    "`cargo toponym` has the commands of those who geocode and operate: index, inspect, verify, explain, deploy, keys.";

#[derive(Subcommand)]
enum Command {
    /// Runs the service on local workerd, installing what is missing first
    Serve {
        /// Port on 127.0.0.1
        #[arg(long, default_value_t = 8787)]
        port: u16,
        #[command(flatten)]
        indexes: toponym::Indexes,
        /// Answers from an index in pages, which lie there [default of --index: build/index.pages]
        #[arg(long, value_name = "STORE", value_parser = ["assets", "r2"])]
        pages: Option<String>,
    },
    /// Tests the engine, the builder, the service on workerd, the npm packages and the pages
    Test {
        /// Only these checks, and what they need; an unknown name lists all
        #[arg(value_name = "CHECK")]
        checks: Vec<String>,
    },
    /// Checks what has changed since the last commit, in seconds to two minutes
    Check,
    /// Runs all that a change must pass: the tests, format, lints, documentation, and where Toponym is used
    Ci,
    /// Runs every check, also those whose inputs have not changed, long fuzzing and all mutants, and writes tests/nightly.toml
    Nightly {
        /// Only these checks, and what they need
        #[arg(value_name = "CHECK")]
        checks: Vec<String>,
    },
    /// Builds one product, and what it needs
    Build {
        #[command(subcommand)]
        product: Product,
    },
    /// Makes everything that people install, in build/release/VERSION
    Release {
        /// VERSION --dry-run; `-- --help` lists the others
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Runs the pinned wrangler on wrangler.toml
    Wrangler {
        /// Arguments for wrangler, such as `deploy --dry-run`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Looks for failing inputs with libFuzzer, using the targets of tests/fuzz
    Fuzz(fuzz::Arguments),
    /// Tests the tests: makes small changes to the code, one at a time, and fails on each that no test notices
    Mutants(mutants::Arguments),
    /// Measures, and writes the results into tests/bench
    Bench {
        /// Subject to measure
        #[arg(value_enum, default_value = "peers")]
        subject: bench::Subject,
    },
}

#[derive(Subcommand)]
enum Product {
    /// The Worker and its static files; `[build]` of wrangler.toml runs this
    Worker {
        /// Skip wasm-opt, as local runs do: a larger Worker, some seconds sooner
        #[arg(long)]
        no_opt: bool,
        /// Also the Worker for fault-injection tests, which is never deployed
        #[arg(long)]
        faults: bool,
    },
    /// The npm packages: build/npm with the core pack, build/npm-full with the full one, and those around them
    Npm {
        /// Public address of the repository, for package.json; by default the remote `origin` of this clone, if it is public
        #[arg(long, value_name = "URL")]
        repository: Option<String>,
    },
    /// The wheel for Python, in build/python
    Python,
    /// The folder that runs the service on a machine of your own: build/selfhost
    Selfhost {
        #[command(flatten)]
        indexes: toponym::Indexes,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let workspace = Workspace::find();
    match command {
        Command::Serve { port, indexes, pages } => serve::run(&workspace, port, &indexes, pages.as_deref()),
        Command::Test { checks } => runs::test(&workspace, &checks),
        Command::Check => quick::run(&workspace),
        Command::Ci => runs::ci(&workspace),
        Command::Nightly { checks } => runs::nightly(&workspace, &checks),
        Command::Build { product } => build(&workspace, product),
        Command::Release { arguments } => release::run(&workspace, &arguments),
        Command::Wrangler { arguments } => wrangler::run(&workspace, &arguments),
        Command::Fuzz(arguments) => fuzz::run(&workspace, arguments),
        Command::Mutants(arguments) => mutants::run(&workspace, &arguments),
        Command::Bench { subject } => bench::run(&workspace, subject),
    }
}

fn build(workspace: &Workspace, product: Product) -> Result<()> {
    match product {
        Product::Worker { no_opt, faults } => worker::run(workspace, no_opt, faults),
        Product::Npm { repository } => npm::run(workspace, repository.as_deref()),
        Product::Python => python::run(workspace),
        Product::Selfhost { indexes } => selfhost::run(workspace, &indexes),
    }
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
        // The workload has the small index of the builder's examples, and makes the rows that batches of the command are measured with.
        check("builder", &["engine", "workload"]);
        check("cli", &["builder", "edge", "engine", "terminal", "workload"]);
        check("xtask", &["terminal"]);
    }
}
