//! Writes an index in pages: a root, and pages that are indexes of some of the places each.
//!
//! The places come from a [`Source`], which need not have them in memory, and pages are handed on as soon as they are made: so
//! memory holds some hundred pages, the keys that begin with one letter, the places that contain others, and some bytes of each place.

mod content;
mod globe;
mod key_pages;
mod keys;
mod languages;
mod page;
mod parallel;
mod places;
mod root;
mod shown;
mod source;
mod whole;

use super::directory::{EncodedDirectory, file_name};
use super::key::Entry;
use super::split::PageSizes;
use crate::index::{Contents, WriteError, check_rest, checksum, column, encode};
use crate::record::Gazetteer;
pub use source::{Item, Items, Source, WithFacts};
use whole::Whole;

/// Pages that are made at a time, on all cores.
const BATCH: usize = 128;

/// A page that was written.
#[derive(Clone, Debug)]
pub struct WrittenPage {
    /// Checksum of the page.
    pub hash: u64,
    /// The file.
    pub bytes: Vec<u8>,
}

impl WrittenPage {
    /// Returns the name of the page's file: as [`super::Paged::file_name`] gives it.
    pub fn file_name(&self) -> String {
        file_name(self.hash)
    }
}

/// Pages that were made together.
#[derive(Debug)]
pub struct WrittenPages {
    /// In the order of their numbers.
    pub pages: Vec<WrittenPage>,
    /// Work that is done: keys and places in pages, of those that there are.
    pub done: usize,
    /// All keys and places.
    pub of: usize,
}

/// A receiver of pages when they are done.
pub type Take<'s, E> = &'s mut dyn FnMut(WrittenPages) -> Result<(), E>;

/// Writes a gazetteer in pages, and hands them to `take`, in the order of their numbers. Returns the root: an index of countries,
/// states and the most important places, with the directory of pages.
///
/// # Errors
/// As for [`crate::index::write`], and those of `take`.
///
/// # Example: write an index in pages
///
/// ```
/// use toponym_engine::index::WriteError;
/// use toponym_engine::pages::{PageSizes, WrittenPages, write_paged};
///
/// # let places = toponym_workload::example_gazetteer();
/// let mut names = Vec::new();
/// let mut take = |written: WrittenPages| -> Result<(), WriteError> {
///     // Write each page into a file of this name.
///     names.extend(written.pages.iter().map(|page| page.file_name()));
///     Ok(())
/// };
/// let root = write_paged(&places, PageSizes::default(), &mut take)?;
/// assert!(!root.is_empty() && names.iter().all(|name| name.len() == 16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_paged<E: From<WriteError> + Send>(
    gazetteer: &Gazetteer,
    sizes: PageSizes,
    take: Take<E>,
) -> Result<Vec<u8>, E> {
    write_paged_from(&source::InMemory::of(gazetteer), gazetteer, sizes, take)
}

/// Writes pages like [`write_paged`], with the places and their facts from a source. `rest` has everything else.
///
/// # Errors
/// As for [`write_paged`], and those of the source.
pub fn write_paged_from<S: Source>(
    source: &S,
    rest: &Gazetteer,
    sizes: PageSizes,
    take: Take<S::Error>,
) -> Result<Vec<u8>, S::Error> {
    check_rest(rest)?;
    let (whole, directory) = Whole::scan(source, rest)?;
    let of = source.count() as usize;
    let mut writer = Writer { source, rest, whole: &whole, sizes, directory, take, done: 0, of };
    let keys = writer.keys()?;
    [writer.directory.names, writer.directory.name_costs] = writer.trie(keys.of_pages, page::Table::Names)?;
    [writer.directory.sounds, writer.directory.sound_costs] = writer.trie(keys.sounds, page::Table::Sounds)?;
    writer.globe()?;
    writer.ids()?;
    writer.borders_and_letters()?;
    writer.regions()?;
    writer.root(&keys.of_root)
}

/// Writes pages, and their directory.
struct Writer<'s, S: Source> {
    source: &'s S,
    /// A gazetteer without its places and their facts.
    rest: &'s Gazetteer,
    whole: &'s Whole,
    sizes: PageSizes,
    directory: EncodedDirectory<'static>,
    take: Take<'s, S::Error>,
    done: usize,
    of: usize,
}

impl<S: Source> Writer<'_, S> {
    /// Adds the pages that `work` makes of some items, on all cores.
    fn add_all<T: Send>(
        &mut self,
        items: Vec<T>,
        work: impl Fn(T) -> Result<Vec<u8>, S::Error> + Sync,
    ) -> Result<(), S::Error> {
        let files = parallel::map(items, work).into_iter().collect::<Result<_, _>>()?;
        self.hand_on(files)
    }

    /// Adds pages with these bytes.
    fn hand_on(&mut self, files: Vec<Vec<u8>>) -> Result<(), S::Error> {
        let mut pages = Vec::with_capacity(files.len());
        for bytes in files {
            pages.push(WrittenPage { hash: checksum(&bytes).expect("a file has a frame"), bytes });
        }
        self.directory.checksums.to_mut().extend(column(pages.iter().map(|page| page.hash)));
        (self.take)(WrittenPages { pages, done: self.done, of: self.of })
    }

    /// Adds a page.
    fn add(&mut self, contents: &Contents) -> Result<(), S::Error> {
        let bytes = encode(contents, &|_| {})?;
        self.hand_on(vec![bytes])
    }
}

/// Entries in the order of their keys.
type Entries<'e, E> = Box<dyn Iterator<Item = Result<Entry, E>> + 'e>;
