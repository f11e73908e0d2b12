//! `toponym`: what a person who builds an index or deploys the service needs, one file for each command.
//!
//! `cargo xtask index`, `check`, `inspect`, `verify`, `explain`, `pack` and `keys` run it.

mod address;
mod check;
mod explain;
mod index;
mod inspect;
mod keys;
mod pack;
mod secrets;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Builds the index of places, looks into it and checks it; manages the secrets and the API keys of a deployment
#[derive(Parser)]
#[command(name = "toponym", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
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
    /// Prints the candidates of a query, each with its signals
    Explain(explain::Options),
    /// Packs an index as small as a browser can unpack it by itself: what `Geocoder.load()` of the npm package takes
    Pack(pack::Arguments),
    /// Makes the secrets of the service, and keeps them in files that only their owner can read
    #[command(subcommand)]
    Secrets(secrets::Command),
    /// Makes, shows, changes and deletes API keys of a deployment
    ///
    /// The admin secret comes from TOPONYM_ADMIN_SECRET, else from .dev.vars (local) or .deploy.vars.
    Keys(keys::Arguments),
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
    let root = &toponym_terminal::repository();
    match command {
        Command::Index(arguments) => index::run(root, arguments),
        Command::Check { files } => check::run(root, &files),
        Command::Inspect(arguments) => inspect::run(root, &arguments),
        Command::Verify { file } => verify::run(root, file),
        Command::Explain(options) => explain::run(root, &options),
        Command::Pack(arguments) => pack::run(root, arguments),
        Command::Secrets(command) => secrets::run(root, command),
        Command::Keys(arguments) => keys::run(root, arguments),
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
