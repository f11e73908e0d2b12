//! What a deployment answers from: an index in one file, or in pages that are fetched when a question needs them.

use std::cell::RefCell;

use toponym_engine::coverage::CountryCoverage;
use toponym_engine::index::OpenError;
use toponym_engine::pages::{PageId, Paged};
use toponym_engine::{Engine, Geocode};

/// Bytes of pages that an isolate keeps. With what is fetched and not yet collected, its memory stays below 48 MB.
const KEPT_BYTES: usize = 12 << 20;

/// The places that a deployment knows.
#[derive(Debug)]
pub enum Places {
    /// All in memory.
    Whole(Engine),
    /// The root, and the pages that were asked for lately.
    Paged(Box<RefCell<Paged>>),
}

impl Places {
    /// Calls `question` with what answers.
    pub fn ask<T>(&self, question: impl FnOnce(&dyn Geocode) -> T) -> T {
        match self {
            Self::Whole(engine) => question(engine),
            Self::Paged(paged) => question(&*paged.borrow()),
        }
    }

    /// How well each country is covered. Of one file it scans every place.
    pub fn coverage(&self) -> Vec<CountryCoverage> {
        match self {
            Self::Whole(engine) => engine.coverage(),
            Self::Paged(paged) => paged.borrow().coverage(),
        }
    }

    /// The names of the files of pages.
    pub fn files(&self, pages: &[PageId]) -> Vec<String> {
        match self {
            Self::Whole(_) => Vec::new(),
            Self::Paged(paged) => pages.iter().filter_map(|&page| paged.borrow().file_name(page)).collect(),
        }
    }

    /// Adds pages.
    ///
    /// # Errors
    /// If the bytes of one are not that page.
    pub fn insert(&self, pages: &[PageId], files: Vec<Vec<u8>>) -> Result<(), OpenError> {
        let Self::Paged(paged) = self else { return Ok(()) };
        let mut paged = paged.borrow_mut();
        paged.keep_within(KEPT_BYTES);
        pages.iter().zip(files).try_for_each(|(&page, bytes)| paged.insert(page, bytes))
    }
}
