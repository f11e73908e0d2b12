//! Drafts of countries between the two steps of merging, encoded.

use std::ops::Range;
use std::path::Path;

use super::draft::Draft;
use crate::error::BuildError;
use crate::scratch::{Scratch, decode};
use crate::sources::rows::Iso2;

/// Drafts of countries.
pub(crate) struct Drafts {
    scratch: Scratch,
    kept: Vec<Kept>,
}

/// A draft that is kept.
pub(crate) struct Kept {
    pub country: Iso2,
    /// Number of its places.
    pub places: usize,
    at: Range<u64>,
}

impl Drafts {
    /// Creates an empty store. Drafts that memory does not hold will lie in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self { scratch: Scratch::new(folder), kept: Vec::new() }
    }

    /// Creates an empty store, of which memory holds so many bytes.
    #[cfg(test)]
    pub fn with_most(folder: &Path, most: usize) -> Self {
        Self { scratch: Scratch::with_most(folder, most), kept: Vec::new() }
    }

    /// Takes a draft with its bytes.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn push(&mut self, draft: &Draft, bytes: &[u8]) -> Result<(), BuildError> {
        self.kept.push(Kept { country: draft.country, places: draft.len(), at: self.scratch.push(bytes)? });
        Ok(())
    }

    /// Returns the number of places of all drafts.
    pub fn places(&self) -> usize {
        self.kept.iter().map(|kept| kept.places).sum()
    }

    /// Iterates over the drafts, with so many places together at most, or one that has more.
    pub fn batches(&self, most: usize) -> impl Iterator<Item = &[Kept]> {
        let mut rest = &self.kept[..];
        std::iter::from_fn(move || {
            let mut places = 0;
            let fits = |kept: &&Kept| {
                places += kept.places;
                places <= most
            };
            let count = rest.iter().take_while(fits).count().max(1).min(rest.len());
            let batch = rest.split_off(..count)?;
            (!batch.is_empty()).then_some(batch)
        })
    }

    /// Reads a draft, also on several cores at the same time.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn read(&self, kept: &Kept) -> Result<Draft, BuildError> {
        decode(&self.scratch.read(kept.at.clone())?)
    }
}
