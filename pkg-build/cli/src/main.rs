//! `toponym`, the command for people who build an index or deploy the service, with one file per subcommand.
//!
//! `cargo xtask index`, `check`, `inspect`, `verify`, `explain`, `pack` and `keys` run this program.

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

/// Builds and inspects the index of places, and manages the secrets and API keys of a deployment
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
