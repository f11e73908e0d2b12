//! The commands of people who build an index or deploy the service.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Subcommand;

use crate::{check, deploy, explain, fetch_index, index, inspect, keys, pack, secrets, verify};

/// Commands of people who build an index or deploy the service.
#[derive(Subcommand)]
pub enum Command {
    /// Builds the index from the pinned sources and from files of your own
    Index(index::Arguments),
    /// Downloads an index of a release, checks it, and puts it where the other commands find it
    FetchIndex(fetch_index::Arguments),
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
    /// Deploys the service to the Cloudflare account of wrangler, creating missing secrets
    Deploy(deploy::Arguments),
    /// Creates the secrets that the service needs, in files that only you can read
    #[command(subcommand)]
    Secrets(secrets::Command),
    /// Creates, shows, changes and deletes API keys of a deployment
    ///
    /// The admin secret is read from TOPONYM_ADMIN_SECRET, else from .dev.vars (local) or .deploy.vars.
    Keys(keys::Arguments),
}

/// Runs one; `root` is the repository.
pub fn run(root: &Path, command: Command) -> Result<()> {
    match command {
        Command::Index(arguments) => index::run(root, arguments),
        Command::FetchIndex(arguments) => fetch_index::run(&arguments),
        Command::Check { files } => check::run(root, &files),
        Command::Inspect(arguments) => inspect::run(root, &arguments),
        Command::Verify { file } => verify::run(root, file),
        Command::Explain(options) => explain::run(root, &options),
        Command::Pack(arguments) => pack::run(root, arguments),
        Command::Deploy(arguments) => deploy::run(root, arguments),
        Command::Secrets(command) => secrets::run(root, command),
        Command::Keys(arguments) => keys::run(root, arguments),
    }
}
