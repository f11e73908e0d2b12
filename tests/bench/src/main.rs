//! Measures Toponym and its peers in one run on the same places and queries. `cargo xtask bench` runs the steps in
//! order; each engine has its own process, so that memory is measured separately and no cache is warm from another
//! engine:
//!
//! 1. `prepare`: writes places and queries of an index to files that every peer can read;
//! 2. `measure ENGINE`: measures one native engine; Node's peers are in `node/` and write the same files;
//! 3. `growth`: measures the engine on gazetteers of growing size;
//! 4. `report`: writes RESULTS.md and the plots.
//!
//! `planet` counts what questions fetch from indexes in pages: those of millions of places take long to build, so it is not part of
//! the run.

mod growth;
mod judge;
mod measure;
mod peers;
mod planet;
mod plot;
mod prepare;
mod report;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures Toponym beside its peers.
#[derive(Parser)]
struct Arguments {
    /// Folder of prepared files and measurements
    #[arg(long, default_value = "../../build/bench")]
    work: PathBuf,
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Writes places and questions of an index
    Prepare {
        /// The index
        #[arg(long, default_value = "../../build/index.toponym")]
        index: PathBuf,
    },
    /// Measures one engine
    Measure {
        /// Engine to measure
        engine: peers::Name,
    },
    /// Measures the engine on gazetteers of rising size
    Growth {
        /// Numbers of places
        #[arg(value_delimiter = ',', default_value = "34000,150000,235000,2000000,10000000")]
        sizes: Vec<usize>,
    },
    /// Counts what questions of the prepared workload fetch from indexes in pages of growing size; writes PLANET.md and planet.svg
    Planet {
        /// The indexes: the number of places and the folder of each
        #[arg(value_name = "PLACES=FOLDER", required = true)]
        folders: Vec<planet::Folder>,
        /// Folder to write to
        #[arg(long, default_value = ".")]
        out: PathBuf,
    },
    /// Asks the questions of one operation again and again, for a profiler
    Repeat {
        /// The operation, such as `prefix 3`
        operation: String,
        /// Number of rounds
        #[arg(default_value_t = 1)]
        rounds: usize,
    },
    /// Writes RESULTS.md, the plots and the summary in the README
    Report {
        /// Folder to write to
        #[arg(long, default_value = ".")]
        out: PathBuf,
        /// The README that holds the summary
        #[arg(long, default_value = "../../README.md")]
        readme: PathBuf,
    },
}

fn main() -> Result<()> {
    let Arguments { work, step } = Arguments::parse();
    match step {
        Step::Prepare { index } => prepare::run(&index, &work),
        Step::Measure { engine } => measure::run(engine, &work),
        Step::Growth { sizes } => growth::run(&sizes, &work),
        Step::Planet { folders, out } => planet::run(&folders, &work, &out),
        Step::Repeat { operation, rounds } => measure::repeat(&operation, rounds, &work),
        Step::Report { out, readme } => report::run(&work, &out, &readme),
    }
}
