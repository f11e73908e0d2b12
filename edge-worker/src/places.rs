//! The places from which a deployment answers: indexes in one file each, of which the first may be in pages that are fetched when
//! a question needs them.

use std::cell::RefCell;

use bytes::Bytes;
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
    /// The root, the pages that were asked for lately, and further indexes in memory.
    Paged(Box<RefCell<Paged>>),
}

impl Places {
    /// Opens the files of indexes that answer together, of which the first may be the root of one in pages. Skips the checksums:
    /// what the platform loads as a module is what was uploaded.
    ///
    /// # Errors
    /// If there is none, or one is not an index or is a root behind the first.
    pub fn open(files: impl IntoIterator<Item = Bytes>) -> Result<Self, OpenError> {
        let mut files = files.into_iter();
        let first = files.next().ok_or(OpenError::NotAnIndex)?;
        let mut places = match Paged::open_trusted(first.clone())? {
            Some(paged) => Self::Paged(Box::new(RefCell::new(paged))),
            None => Self::Whole(Engine::open_trusted(first)?),
        };
        for file in files {
            let other = Engine::open_trusted(file)?;
            match &mut places {
                Self::Whole(engine) => engine.join(other),
                Self::Paged(paged) => paged.get_mut().join(other),
            }
        }
        Ok(places)
    }

    /// Calls `question` with what answers.
    pub fn ask<T>(&self, question: impl FnOnce(&dyn Geocode) -> T) -> T {
        match self {
            Self::Whole(engine) => question(engine),
            Self::Paged(paged) => question(&*paged.borrow()),
        }
    }

    /// Returns how well each country is covered. Of one file it scans every place; of one in pages the coverage is that of the
    /// pages alone.
    pub fn coverage(&self) -> Vec<CountryCoverage> {
        match self {
            Self::Whole(engine) => engine.coverage(),
            Self::Paged(paged) => paged.borrow().coverage(),
        }
    }

    /// Returns the names of the files of pages.
    pub fn files(&self, pages: &[PageId]) -> Vec<String> {
        match self {
            Self::Whole(_) => Vec::new(),
            Self::Paged(paged) => pages.iter().filter_map(|&page| paged.borrow().file_name(page)).collect(),
        }
    }

    /// Adds the pages that came.
    ///
    /// # Errors
    /// If the bytes of one are not that page. The others are added.
    pub fn insert(&self, pages: &[PageId], files: Vec<Option<Vec<u8>>>) -> Result<(), OpenError> {
        let Self::Paged(paged) = self else { return Ok(()) };
        let mut paged = paged.borrow_mut();
        paged.keep_within(KEPT_BYTES);
        let mut inserted = Ok(());
        for (&page, file) in pages.iter().zip(files) {
            if let Some(bytes) = file {
                inserted = paged.insert(page, bytes).and(inserted);
            }
        }
        inserted
    }
}
