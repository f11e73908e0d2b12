//! Pages by their numbers.

use serde::{Deserialize, Serialize};

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

/// Iterates over pages in the order of a rank, and those of the same rank in the order of their numbers.
pub(crate) fn in_order(mut ranked: Vec<(u64, PageId)>) -> impl Iterator<Item = PageId> {
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, page)| page)
}
