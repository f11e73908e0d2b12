//! `cargo xtask`: the tasks of the repository, one file each, and what they share:
//!
//! - [`workspace`]: where everything lies, and the programs of the repository with its own tools first on the path;
//! - [`process`]: running a program;
//! - [`toponym`]: the operator's command, which knows the index, the keys and the secrets;
//! - [`setup`]: everything that a fresh machine lacks, in the version that the lock files name;
//! - [`made`]: what need not be made again, because nothing it is made from has changed;
//! - [`checks`]: a list of checks, each with its time and verdict.
//!
//! A task may be interrupted at any point: the next one recognises what is half done, and does it again.

mod bench;
mod checks;
mod ci;
mod deny;
mod deploy;
mod fuzz;
mod made;
mod mutants;
mod npm;
mod process;
mod serve;
mod setup;
mod tally;
mod test;
mod toponym;
mod versions;
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
    /// Runs the service on local workerd, setting up first whatever is missing
    Serve {
        /// Port on 127.0.0.1
        #[arg(long, default_value_t = 8787)]
        port: u16,
    },
    /// Runs every test: native, wasm in Node and in Chromium, integration against workerd
    Test,
    /// Runs what CI runs: format, lints, documentation, then every test
    Ci,
    /// Looks for inputs that fail with libFuzzer, on the targets of tests/fuzz
    Fuzz(fuzz::Arguments),
    /// Shows why a query finds what it finds: its candidates, each with its signals
    Explain(OfToponym),
    /// Builds the index from the pinned sources and from files of your own
    Index(OfToponym),
    /// Checks places of data/curated, or of your own CSV files: each lies in its country, near its city, and is listed once
    Check(OfToponym),
    /// Shows what an index holds, or all that it knows of one place
    Inspect(OfToponym),
    /// Checks that an index is sound: every part of it is as engine/FORMAT.md says
    Verify(OfToponym),
    /// Packs an index for browsers: `Geocoder.load()` of the npm package reads the result
    Pack(OfToponym),
    /// Builds the Worker, and the index if there is none: what `[build]` of wrangler.toml runs
    Worker {
        /// Leave out wasm-opt, as local runs do: a larger Worker, some seconds sooner
        #[arg(long)]
        no_opt: bool,
        /// Also build the Worker of tests that bring faults about, which nothing deploys
        #[arg(long)]
        faults: bool,
    },
    /// Runs the pinned wrangler on wrangler.toml
    Wrangler {
        /// What wrangler is to do, such as `deploy --dry-run`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Deploys the service to the Cloudflare account of wrangler, making the secrets that it lacks
    Deploy(deploy::Arguments),
    /// Makes, shows, changes and deletes API keys of a deployment
    Keys(OfToponym),
    /// Changes the code in small ways, one at a time, and fails on each that no test notices
    Mutants(mutants::Arguments),
    /// Builds the npm packages: build/npm with the core pack, build/npm-full with the full one
    Npm,
    /// Measures Toponym beside its peers, and writes tests/bench/RESULTS.md and its plots
    Bench {
        /// Also gazetteers of up to 10 million places: some minutes and about 12 GB of memory
        #[arg(long, conflicts_with_all = ["heavy", "crossing"])]
        growth: bool,
        /// Instead, what the dearest questions cost beside ordinary ones: writes tests/bench/HEAVY.md
        #[arg(long, conflicts_with = "crossing")]
        heavy: bool,
        /// Instead, the crossing into JavaScript beside that of the worker crate: writes tests/bench/CROSSING.md
        #[arg(long)]
        crossing: bool,
    },
    /// Installs the tools and nothing else
    Setup,
}

/// The arguments of a command of `toponym`, which reads them itself: its `--help` says what there is.
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
        Command::Serve { port } => serve::run(&workspace, port),
        Command::Test => test::run(&workspace),
        Command::Ci => ci::run(&workspace),
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
        Command::Mutants(arguments) => mutants::run(&workspace, &arguments),
        Command::Npm => npm::run(&workspace),
        Command::Bench { heavy: true, .. } => bench::heavy(&workspace),
        Command::Bench { crossing: true, .. } => bench::crossing(&workspace),
        Command::Bench { growth, .. } => bench::run(&workspace, growth),
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

    /// An edit of a task must not build the index anew, nor an edit of the builder the tasks.
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
        check("cli", &["builder", "edge", "engine", "terminal"]);
        check("xtask", &["terminal"]);
    }
}
