//! `toponym`, the command for people who geocode, build an index or deploy the service, with one file or folder per
//! subcommand.
//!
//! `cargo xtask index`, `check`, `inspect`, `verify`, `explain`, `pack` and `keys` run this program.

mod address;
mod ask;
mod batch;
mod cells;
mod check;
mod explain;
mod health;
mod index;
mod index_files;
mod inspect;
mod keys;
mod manual;
mod pack;
mod parameters;
mod secrets;
mod serve_local;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

/// Geocodes places, builds and inspects the index of them, and manages the secrets and API keys of a deployment
#[derive(Parser)]
#[command(name = "toponym", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Finds the places that a text means
    Forward(ask::Forward),
    /// Finds the place at a point
    Reverse(ask::Reverse),
    /// Suggests places for an unfinished text
    Autocomplete(ask::Autocomplete),
    /// Geocodes a table of any size: CSV, TSV, NDJSON, JSON or GeoJSON
    ///
    /// Adds the columns id, name, lat, lon, country_code, confidence, status and reason behind those of the table. The status
    /// is ok, doubtful, not_found or error. If it is stopped, the same command goes on. Exits with 3 if some rows have
    /// errors.
    Batch(batch::Arguments),
    /// Serves the geocoding routes of the service on this machine, without keys
    ServeLocal(serve_local::Arguments),
    /// Prints the completions of a shell
    Completions(manual::Completions),
    /// Prints the manual page
    Man(manual::Manual),
    /// Builds the index from the pinned sources and from files of your own
    Index(index::Arguments),
    /// Checks that every place of data/curated, or of your own files, lies in its country and near its city, and is
    /// listed once
    Check {
        /// Files in any format that `index --add` takes [default: data/curated]
        files: Vec<PathBuf>,
    },
    /// Shows what an index holds, or everything about one place
    Inspect(inspect::Arguments),
    /// Checks a whole index against engine/FORMAT.md
    Verify {
        /// The index [default: build/index.toponym]
        file: Option<PathBuf>,
    },
    /// Shows the candidates of a query and their signals, to explain its results
    Explain(explain::Options),
    /// Packs an index for browsers, to be read by `Geocoder.load()` of the npm package
    Pack(pack::Arguments),
    /// Creates the secrets that the service needs, in files that only you can read
    #[command(subcommand)]
    Secrets(secrets::Command),
    /// Waits until the service at an address passes its health check
    Health {
        /// Address of the deployment
        url: String,
    },
    /// Creates, shows, changes and deletes API keys of a deployment
    ///
    /// The admin secret is read from TOPONYM_ADMIN_SECRET, else from .dev.vars (local) or .deploy.vars.
    Keys(keys::Arguments),
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
    let root = &toponym_terminal::repository();
    match command {
        Command::Forward(arguments) => return ask::forward(root, &arguments),
        Command::Reverse(arguments) => return ask::reverse(root, &arguments),
        Command::Autocomplete(arguments) => return ask::autocomplete(root, &arguments),
        Command::Batch(arguments) => return batch::run(root, &arguments),
        Command::ServeLocal(arguments) => serve_local::run(root, &arguments),
        Command::Completions(arguments) => manual::completions(Arguments::command(), &arguments),
        Command::Man(arguments) => manual::man(Arguments::command(), &arguments),
        Command::Index(arguments) => index::run(root, arguments),
        Command::Check { files } => check::run(root, &files),
        Command::Inspect(arguments) => inspect::run(root, &arguments),
        Command::Verify { file } => verify::run(root, file),
        Command::Explain(options) => explain::run(root, &options),
        Command::Pack(arguments) => pack::run(root, arguments),
        Command::Secrets(command) => secrets::run(root, command),
        Command::Health { url } => health::run(&url),
        Command::Keys(arguments) => keys::run(root, arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_are_well_formed() {
        super::Arguments::command().debug_assert();
    }
}
