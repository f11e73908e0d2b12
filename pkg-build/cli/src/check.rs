//! `toponym check`: checks that every place of some files lies in its country and near its city, and is listed once.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use indicatif::HumanCount;
use toponym_builder::check::check;
use toponym_terminal::report;

use crate::index;

/// Checks the places of `files`, or those of `data/curated`, against the built index.
pub fn run(root: &Path, files: &[PathBuf]) -> Result<()> {
    let index = fs_err::read(index::in_place(root)).context(index::MISSING)?;
    let found = check(root, files, index)?;
    found.refused.iter().for_each(|refusal| report::say(&format!("✗ {refusal}")));
    ensure!(found.invalid == 0, "{} rows are invalid: correct them, as said above", found.invalid);
    ensure!(found.refused.is_empty(), "{} of {} rows are refused", found.refused.len(), found.rows);
    report::say(&format!("✓ checked {} places", HumanCount(found.rows as u64)));
    Ok(())
}
