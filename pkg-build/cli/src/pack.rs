//! `toponym pack`: compresses an index for browsers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use indicatif::HumanCount;
use sha2::{Digest, Sha256};
use toponym_builder::{Compressor, pack};
use toponym_engine::Engine;
use toponym_terminal::report;

use crate::index;

/// Arguments of `toponym pack`.
#[derive(Args)]
pub struct Arguments {
    /// The index [default: build/index.toponym]
    index: Option<PathBuf>,
    /// Writes the pack to this file [default: next to the index, with the extension .bin]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Makes the pack a few percent smaller, in about fifty times the time
    #[arg(long)]
    smallest: bool,
}

/// Packs the index and prints the size and checksum that a page needs.
pub fn run(root: &Path, arguments: Arguments) -> Result<()> {
    let path = arguments.index.unwrap_or_else(|| index::in_place(root));
    let out = arguments.out.unwrap_or_else(|| path.with_extension("bin"));
    let index = index::read(root, Some(path.clone()))?;
    Engine::open(index.clone()).with_context(|| format!("{} cannot be used", path.display()))?;
    let compressor = if arguments.smallest { Compressor::Zopfli } else { Compressor::Gzip };
    let pack = report::step(&format!("pack {}", path.display()), |_| Ok(pack(&index, compressor)?))?;
    fs_err::write(&out, &pack)?;
    let sha256: String = Sha256::digest(&pack).iter().map(|byte| format!("{byte:02x}")).collect();
    report::remark(&format!("{}: {} bytes, SHA-256 {sha256}", out.display(), HumanCount(pack.len() as u64)));
    Ok(())
}
