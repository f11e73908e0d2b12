//! `toponym`: what a person who builds an index or deploys the service needs, one file for each command.
//!
//! `cargo xtask index`, `check`, `inspect`, `verify`, `explain`, `pack` and `keys` run it.

mod address;
mod check;
mod explain;
mod health;
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

/// Builds the index of places and looks into it; manages the secrets and the API keys of a deployment
#[derive(Parser)]
#[command(name = "toponym", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds the index from the pinned sources and from files of your own
    Index(index::Arguments),
    /// Checks places of data/curated, or of your own CSV files: each lies in its country, near its city, and is listed once
    Check {
        /// CSV files with the columns of data/curated, all of them filled [default: data/curated]
        files: Vec<PathBuf>,
    },
    /// Shows what an index holds, or all that it knows of one place
    Inspect(inspect::Arguments),
    /// Checks that an index is sound: every part of it is as engine/FORMAT.md says
    Verify {
        /// The index [default: build/index.toponym]
        file: Option<PathBuf>,
    },
    /// Shows why a query finds what it finds: its candidates, each with its signals
    Explain(explain::Options),
    /// Packs an index for browsers: `Geocoder.load()` of the npm package reads the result
    Pack(pack::Arguments),
    /// Makes the secrets that the service needs, and keeps them in files that only you can read
    #[command(subcommand)]
    Secrets(secrets::Command),
    /// Waits until the service at an address answers its health check
    Health {
        /// Address of the deployment
        url: String,
    },
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
        Command::Health { url } => health::run(&url),
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
