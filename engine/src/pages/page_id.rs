//! Pages by their numbers.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::index::OpenError;

/// A page of an index in pages, by its number in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageId(pub(crate) u32);

impl PageId {
    /// Creates the id of the page with a number in the directory, if it has so many.
    pub fn of(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number of the page in the directory.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Pages with successive numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run(Range<u32>);

impl Run {
    pub fn len(&self) -> u32 {
        self.0.end - self.0.start
    }

    /// Returns the page with a number among these.
    pub fn get(&self, number: u32) -> Option<PageId> {
        (number < self.len()).then(|| PageId(self.0.start + number))
    }

    /// Iterates over the pages.
    pub fn iter(&self) -> impl Iterator<Item = PageId> + use<> {
        self.0.clone().map(PageId)
    }
}

/// The runs of an index, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    end: u32,
}

impl Runs {
    /// Returns the next run, of so many pages.
    pub fn next(&mut self, count: usize) -> Result<Run, OpenError> {
        let end = u32::try_from(count).ok().and_then(|count| self.end.checked_add(count));
        let end = end.ok_or(OpenError::Malformed("number of pages"))?;
        let start = std::mem::replace(&mut self.end, end);
        Ok(Run(start..end))
    }

    /// Returns the number of pages of all runs so far.
    pub fn count(&self) -> u32 {
        self.end
    }
}

/// Iterates over pages in the order of a rank, and those of the same rank in the order of their numbers.
pub(crate) fn in_order(mut ranked: Vec<(u64, PageId)>) -> impl Iterator<Item = PageId> {
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, page)| page)
}
