//! What both commands, `toponym` and `cargo xtask`, need of the terminal they run in:
//!
//! - [`report`] says on standard error what a command does, and how long it took;
//! - [`prerequisites`] names the programs that the machine lacks;
//! - [`repository`] finds the repository.

pub mod prerequisites;
pub mod report;

use std::env;
use std::path::{Path, PathBuf};

/// The root folder of the repository: the one that cargo runs this program from, else the one it was compiled in.
pub fn repository() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    // The packages of all programs that call this lie two folders deep, as this one does.
    Path::new(&package).ancestors().nth(2).map_or_else(PathBuf::new, Path::to_owned)
}
