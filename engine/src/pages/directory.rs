//! The directory of pages, which the root of an index in pages holds: which page has which names and places.
//!
//! The pages of a kind have successive numbers, in the order in which they are looked up. What leads to them is a list that is read
//! in place: so opening a directory takes as long with many pages as with few.

use std::borrow::Cow;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::globe::Globe;
use super::page_id::{PageId, Run, Runs};
use super::trie::Trie;
use crate::facts::{Fact, FactSet};
use crate::geo::Coordinate;
use crate::index::{Column, Cost, OpenError, Window};

/// Returns the name of the file of a page with a checksum.
pub(crate) fn file_name(checksum: u64) -> String {
    format!("{checksum:016x}")
}

/// Contents of an index in pages.
pub(crate) struct Directory {
    checksums: Column<u64>,
    /// Weight of the best key that is not in the root, by which it ranks among those that begin with a text; none: all
    /// are in the root.
    pub behind_root: Option<Cost>,
    /// Pages of folded names and codes.
    pub names: Trie,
    /// Pages of phonetic keys.
    pub sounds: Trie,
    /// Pages of places by position.
    pub globe: Globe,
    /// Pages that know where the places of a range of ids lie.
    ids: IdPages,
    /// Pages of borders, and the part of the globe that each has.
    borders: Run,
    windows: Vec<Window>,
    /// The page that transliterates, if there is one.
    pub transliteration: Run,
    /// Pages with all regions.
    pub regions: Run,
    /// Pages of names by language, in the order of their tags.
    languages: Vec<LanguagePages>,
    /// Pages with the capitals that the root lacks.
    capitals: Run,
    /// Coverage of the whole index: the postcard encoding of a list of
    /// [`CountryCoverage`](crate::coverage::CountryCoverage), which few hosts read.
    pub coverage: Bytes,
    /// Types of all its places.
    pub types: Vec<String>,
}

/// The names in one language that differ from the display names.
pub(crate) struct LanguagePages {
    /// BCP 47 tag.
    tag: String,
    /// Page of the places in the root.
    pub root: Option<PageId>,
    /// Pages of all other places.
    others: IdPages,
}

/// Pages of a range of ids each.
struct IdPages {
    /// The first id of each page, ascending.
    firsts: Column<u64>,
    pages: Run,
}

/// A directory as it is stored. Each list is in the order of its pages, and pages are numbered in the order of the lists.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct EncodedDirectory<'d> {
    /// Column of u64.
    #[serde(borrow)]
    pub checksums: Cow<'d, [u8]>,
    pub behind_root: Option<Cost>,
    #[serde(borrow)]
    pub names: Cow<'d, [u8]>,
    #[serde(borrow)]
    pub name_costs: Cow<'d, [u8]>,
    #[serde(borrow)]
    pub sounds: Cow<'d, [u8]>,
    #[serde(borrow)]
    pub sound_costs: Cow<'d, [u8]>,
    #[serde(borrow)]
    pub globe: Cow<'d, [u8]>,
    #[serde(borrow)]
    pub boxes: Cow<'d, [u8]>,
    /// Column of u64: the first id of each page.
    #[serde(borrow)]
    pub ids: Cow<'d, [u8]>,
    pub windows: Vec<Window>,
    pub has_transliteration: bool,
    pub regions: u32,
    /// Tag, number of pages of places that are not in the root, and whether there is one of those that are: these come behind the
    /// others of all languages. Sorted by tag.
    pub languages: Vec<(String, u32, bool)>,
    /// Column of u64: the first id of each page of places that are not in the root.
    #[serde(borrow)]
    pub language_ids: Cow<'d, [u8]>,
    pub capitals: u32,
    #[serde(borrow)]
    pub coverage: Cow<'d, [u8]>,
    pub types: Vec<String>,
}

const MALFORMED: OpenError = OpenError::Malformed("directory of pages");

impl Directory {
    /// Opens a directory.
    ///
    /// # Errors
    /// If the bytes are not one, or its lists are not of all of its pages.
    pub fn open(bytes: &Bytes) -> Result<Self, OpenError> {
        let encoded: EncodedDirectory = postcard::from_bytes(bytes).map_err(|_| MALFORMED)?;
        let part = |part: Cow<[u8]>| match part {
            Cow::Borrowed(part) => bytes.slice_ref(part),
            Cow::Owned(part) => part.into(),
        };
        let runs = &mut Runs::default();
        let names = Trie::open(part(encoded.names), part(encoded.name_costs), runs)?;
        let sounds = Trie::open(part(encoded.sounds), part(encoded.sound_costs), runs)?;
        let globe = Globe::open(part(encoded.globe), part(encoded.boxes), runs)?;
        let ids = IdPages::open(part(encoded.ids), runs)?;
        let borders = runs.next(encoded.windows.len())?;
        let transliteration = runs.next(encoded.has_transliteration.into())?;
        let regions = runs.next(encoded.regions as usize)?;
        let mut languages = Vec::with_capacity(encoded.languages.len());
        let mut language_ids = part(encoded.language_ids);
        for (tag, count, _) in &encoded.languages {
            let bytes = (*count as usize).checked_mul(size_of::<u64>()).filter(|&bytes| bytes <= language_ids.len());
            let others = IdPages::open(language_ids.split_to(bytes.ok_or(MALFORMED)?), runs)?;
            languages.push(LanguagePages { tag: tag.clone(), root: None, others });
        }
        for (language, (.., is_in_root)) in languages.iter_mut().zip(&encoded.languages) {
            language.root = runs.next((*is_in_root).into())?.iter().next();
        }
        let capitals = runs.next(encoded.capitals as usize)?;
        let checksums = Column::new(part(encoded.checksums));
        if checksums.len() != runs.count() as usize {
            return Err(MALFORMED);
        }
        Ok(Self {
            checksums,
            behind_root: encoded.behind_root,
            names,
            sounds,
            globe,
            ids,
            borders,
            windows: encoded.windows,
            transliteration,
            regions,
            languages,
            capitals,
            coverage: part(encoded.coverage),
            types: encoded.types,
        })
    }

    /// Returns the number of pages.
    pub fn len(&self) -> usize {
        self.checksums.len()
    }

    /// Returns the checksum of a page.
    pub fn checksum(&self, page: PageId) -> Option<u64> {
        ((page.0 as usize) < self.len()).then(|| self.checksums.get(page.0))
    }

    /// Iterates over all pages, each with what it is for.
    pub fn kinds(&self) -> impl Iterator<Item = (PageId, &'static str)> {
        let of_languages = self.languages.iter().flat_map(|language| language.others.pages.iter().chain(language.root));
        let kinds = [
            (self.names.pages(), "names"),
            (self.sounds.pages(), "sounds"),
            (self.globe.pages(), "places"),
            (&self.ids.pages, "ids"),
            (&self.borders, "borders"),
            (&self.transliteration, "transliteration"),
            (&self.regions, "regions"),
            (&self.capitals, "capitals"),
        ];
        let kinds = kinds.into_iter().flat_map(|(pages, kind)| pages.iter().map(move |page| (page, kind)));
        kinds.chain(of_languages.map(|page| (page, "language")))
    }

    /// Returns the pages of a language.
    pub fn language(&self, tag: &str) -> Option<&LanguagePages> {
        self.languages.iter().find(|language| language.tag.eq_ignore_ascii_case(tag))
    }

    /// Iterates over the pages of borders in which a point is looked up.
    pub fn border_pages(&self, point: Coordinate) -> impl Iterator<Item = PageId> {
        self.windows.iter().zip(self.borders.iter()).filter(move |(window, _)| window.has(point)).map(|(_, page)| page)
    }

    /// Iterates over the pages that facts need, whatever place they are of.
    pub fn pages_of_facts(&self, facts: FactSet) -> impl Iterator<Item = PageId> + use<> {
        let capitals = if facts.contains(Fact::Capital) { self.capitals.clone() } else { Run::default() };
        capitals.iter()
    }

    /// Returns the page that knows where the place with an id lies.
    pub fn id_page(&self, id: u64) -> Option<PageId> {
        self.ids.page(id)
    }
}

impl LanguagePages {
    /// Returns the page that may have the name of the place with an id.
    pub fn page(&self, id: u64) -> Option<PageId> {
        self.others.page(id)
    }
}

impl IdPages {
    fn open(firsts: Bytes, runs: &mut Runs) -> Result<Self, OpenError> {
        let firsts = Column::new(firsts);
        Ok(Self { pages: runs.next(firsts.len())?, firsts })
    }

    /// Returns the page of the range that an id lies in.
    fn page(&self, id: u64) -> Option<PageId> {
        let at = self.firsts.partition_point(|first| first <= id).checked_sub(1)?;
        self.pages.get(at)
    }
}
