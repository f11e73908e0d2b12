//! `toponym`, the command for people who geocode, build an index or deploy the service, with one file or folder per
//! subcommand. The feature `operator`, which is on by default, has what only the latter need.
//!
//! `cargo toponym index`, `check`, `inspect`, `verify`, `explain`, `pack`, `deploy` and `keys` run this program.

#[cfg(feature = "operator")]
mod address;
mod ask;
mod batch;
mod cells;
#[cfg(feature = "operator")]
mod check;
#[cfg(feature = "operator")]
mod deploy;
#[cfg(feature = "operator")]
mod explain;
#[cfg(feature = "operator")]
mod fetch_index;
#[cfg(feature = "operator")]
mod index;
mod index_files;
#[cfg(feature = "operator")]
mod inspect;
#[cfg(feature = "operator")]
mod key_ring;
#[cfg(feature = "operator")]
mod keys;
mod manual;
#[cfg(feature = "operator")]
mod operator;
#[cfg(feature = "operator")]
mod pack;
#[cfg(feature = "operator")]
mod pages;
mod parameters;
#[cfg(feature = "operator")]
mod secrets;
mod serve_local;
#[cfg(feature = "operator")]
mod table;
#[cfg(feature = "operator")]
mod verify;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

#[cfg(feature = "operator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Geocodes places, builds and inspects the index of them, deploys the service, and manages its secrets and API keys
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
    /// Adds the columns id, display_name, lat, lon, country_code, confidence, status and reason behind those of the table. The status
    /// is ok, doubtful, not_found or error. If it is stopped, the same command goes on. Exits with 3 if some rows have
    /// errors.
    Batch(Box<batch::Arguments>),
    /// Serves the geocoding routes of the service on this machine, without keys
    ServeLocal(serve_local::Arguments),
    /// Prints the completions of a shell
    Completions(manual::Completions),
    /// Prints the manual page
    Man(manual::Manual),
    /// Commands of people who build an index or deploy the service.
    #[cfg(feature = "operator")]
    #[command(flatten)]
    Operator(operator::Command),
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
        #[cfg(feature = "operator")]
        Command::Operator(command) => operator::run(root, command),
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
