//! `cargo xtask`: the tasks of the repository, one file each, and what they share:
//!
//! - [`workspace`]: where everything lies, and the programs of the repository with its own tools first on the path;
//! - [`process`], [`report`]: running a program, and telling what is being done;
//! - [`setup`]: everything that a fresh machine lacks, in the version that the lock files name;
//! - [`made`]: what need not be made again, because nothing it is made from has changed;
//! - [`checks`]: a list of checks, each with its time and verdict.
//!
//! A command may be interrupted at any point: what it left half done is recognised and done again by the next one.

mod bench;
mod checks;
mod ci;
mod deny;
mod deploy;
mod explain;
mod fuzz;
mod index;
mod inspect;
mod keys;
mod made;
mod mutants;
mod npm;
mod process;
mod report;
mod serve;
mod setup;
mod tally;
mod test;
mod vars;
mod versions;
mod worker;
mod workspace;
mod wrangler;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

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
    /// Prints the candidates of a query, each with its signals
    Explain(explain::Options),
    /// Builds the index from the pinned sources and the files that are added
    Index(index::Arguments),
    /// Checks that places are where they say: those of data/curated, or of CSV files in the plain schema
    Check {
        /// Files instead of data/curated, with every column of it filled
        files: Vec<PathBuf>,
    },
    /// Shows what an index holds, or one place with all that is known of it
    Inspect(inspect::Arguments),
    /// Checks an index, all of it
    Verify {
        /// The index [default: build/index.toponym]
        file: Option<PathBuf>,
    },
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
    ///
    /// The admin secret comes from TOPONYM_ADMIN_SECRET, else from .dev.vars (local) or .deploy.vars.
    Keys(keys::Arguments),
    /// Changes the code in small ways, one at a time, and fails on each that no test notices
    Mutants(mutants::Arguments),
    /// Builds the npm packages: build/npm with the core pack, build/npm-full with the full one
    Npm,
    /// Measures Toponym beside its peers, and writes tests/bench/RESULTS.md and its plots
    Bench {
        /// Also gazetteers of up to 10 million places: some minutes and about 12 GB of memory
        #[arg(long, conflicts_with = "heavy")]
        growth: bool,
        /// Instead, what the dearest questions cost beside ordinary ones: writes tests/bench/HEAVY.md
        #[arg(long)]
        heavy: bool,
    },
    /// Installs the tools and nothing else
    Setup,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let workspace = Workspace::find()?;
    match command {
        Command::Serve { port } => serve::run(&workspace, port),
        Command::Test => test::run(&workspace),
        Command::Ci => ci::run(&workspace),
        Command::Fuzz(arguments) => fuzz::run(&workspace, arguments),
        Command::Explain(options) => explain::run(&workspace, &options),
        Command::Index(arguments) => index::run(&workspace, arguments),
        Command::Check { files } => inspect::run_check(&workspace, &files),
        Command::Inspect(arguments) => inspect::run(&workspace, &arguments),
        Command::Verify { file } => inspect::run_verify(&workspace, file),
        Command::Worker { no_opt, faults } => worker::run(&workspace, no_opt, faults),
        Command::Wrangler { arguments } => wrangler::run(&workspace, &arguments),
        Command::Deploy(arguments) => deploy::run(&workspace, &arguments),
        Command::Keys(arguments) => keys::run(&workspace, arguments),
        Command::Mutants(arguments) => mutants::run(&workspace, &arguments),
        Command::Npm => npm::run(&workspace),
        Command::Bench { heavy: true, .. } => bench::heavy(&workspace),
        Command::Bench { growth, .. } => bench::run(&workspace, growth),
        Command::Setup => setup::everything(&workspace),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        super::Arguments::command().debug_assert();
    }
}
