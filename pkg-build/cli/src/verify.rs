//! `toponym verify`: checks that an index is valid.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use indicatif::HumanCount;
use toponym_builder::inspect::{Contents, verify};
use toponym_terminal::report;

use crate::{index, pages};

/// Checks the index at `path`, or the built one.
pub fn run(root: &Path, path: Option<PathBuf>) -> Result<()> {
    let name = path.clone().unwrap_or_else(|| index::in_place(root));
    if name.is_dir() {
        return pages::verify(&name);
    }
    let index = Contents::open(index::read(root, path)?).with_context(|| name.display().to_string())?;
    let faults = verify(&index);
    faults.lines().for_each(|line| report::say(&format!("✗ {line}")));
    ensure!(faults.is_empty(), "{} is not valid: rebuild it", name.display());
    report::say(&format!("✓ {}: {} places are valid", name.display(), HumanCount(u64::from(index.rows()))));
    Ok(())
}
