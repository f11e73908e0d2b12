//! Shared by `toponym` and `cargo xtask`:
//!
//! - [`report`] prints progress and durations to standard error;
//! - [`prerequisites`] lists required programs that are missing;
//! - [`process`] runs programs;
//! - [`workspace`] has the paths of the repository, and commands that prefer its own tools.

pub mod prerequisites;
pub mod process;
pub mod report;
pub mod workspace;

use std::env;
use std::path::{Path, PathBuf};

/// Finds the root folder of the repository: that of the package cargo runs, else that of the compiled source.
pub fn repository() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let is_root = |folder: &&Path| folder.join("Cargo.lock").is_file();
    Path::new(&package).ancestors().find(is_root).map_or_else(PathBuf::new, Path::to_owned)
}
