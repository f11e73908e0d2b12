//! `toponym pack`: makes an index small for browsers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use indicatif::HumanCount;
use sha2::{Digest, Sha256};
use toponym_builder::{Effort, pack};
use toponym_engine::Engine;
use toponym_terminal::report;

use crate::index;

/// What to pack, and where to.
#[derive(Args)]
pub struct Arguments {
    /// The index [default: build/index.toponym]
    index: Option<PathBuf>,
    /// Writes the pack to this file [default: beside the index, with the ending .bin]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Makes it some percent smaller, which takes some fifty times as long
    #[arg(long)]
    smallest: bool,
}

/// Packs the index, and says what a page needs to know of the pack.
pub fn run(root: &Path, arguments: Arguments) -> Result<()> {
    let path = arguments.index.unwrap_or_else(|| index::in_place(root));
    let out = arguments.out.unwrap_or_else(|| path.with_extension("bin"));
    let index = index::read(root, Some(path.clone()))?;
    Engine::open(index.clone()).with_context(|| format!("{} cannot be used", path.display()))?;
    let effort = if arguments.smallest { Effort::Most } else { Effort::Ordinary };
    let pack = report::step(&format!("pack {}", path.display()), |_| Ok(pack(&index, effort)?))?;
    fs_err::write(&out, &pack)?;
    let sha256: String = Sha256::digest(&pack).iter().map(|byte| format!("{byte:02x}")).collect();
    report::remark(&format!("{}: {} bytes, SHA-256 {sha256}", out.display(), HumanCount(pack.len() as u64)));
    Ok(())
}
