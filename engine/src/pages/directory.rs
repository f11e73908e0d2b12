//! The directory of pages, which the root of an index in pages holds: which page has which names and places.
//!
//! Names are divided like the leaves of a trie: **leaves** have all names with a prefix and one of some characters behind it. A
//! prefix with more names than a leaf holds has a **crown** beside the leaves below it: the prefix itself as a name, and the
//! most important of the names that begin with it. So one page answers for a name, and one for its beginning, whatever the number of names.
//! The most important names of all are in the root, and in no page.

use serde::{Deserialize, Serialize};

use super::globe::Globe;
use super::page_id::{PageId, in_order};
use crate::facts::{Fact, FactSet};
use crate::geo::Coordinate;
use crate::index::{Cost, Window};

/// A page as the directory knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageEntry {
    /// Checksum of the page, and the name of its file.
    pub hash: u64,
    /// Length in bytes.
    pub bytes: u32,
}

/// Returns the name of the file of a page with a checksum.
pub(crate) fn file_name(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Contents of an index in pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Directory {
    pub pages: Vec<PageEntry>,
    /// Pages of folded names and codes.
    pub names: Shelf,
    /// Pages of phonetic keys.
    pub sounds: Shelf,
    /// Weight of the best key that is not in the root, by which it ranks among those that begin with a text; none: all
    /// are in the root.
    pub behind_root: Option<Cost>,
    /// Pages of places by position.
    pub globe: Globe,
    /// Pages of names by language, in the order of their tags.
    pub languages: Vec<LanguagePages>,
    /// First id and page of each range of ids, ascending.
    pub ids: Vec<(u64, PageId)>,
    /// Pages of borders, each with the part of the globe that it has.
    pub borders: Vec<(Window, PageId)>,
    /// The page that transliterates.
    pub transliteration: Option<PageId>,
    /// Pages with all regions.
    pub regions: Vec<PageId>,
    /// Pages with the capitals that the root lacks.
    pub capitals: Vec<PageId>,
    /// Coverage of the whole index: the postcard encoding of a list of
    /// [`CountryCoverage`](crate::coverage::CountryCoverage), which few hosts read.
    pub coverage: Vec<u8>,
    /// Types of all its places.
    pub types: Vec<String>,
}

/// Pages of keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shelf {
    /// In the order of their prefixes.
    pub crowns: Vec<Crown>,
    /// In the order of their prefixes with the first character behind it.
    pub leaves: Vec<Leaf>,
}

/// The most important keys with a prefix, and the prefix itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Crown {
    pub prefix: String,
    pub page: PageId,
    /// Lower bound of the costs of the keys that are the prefix itself, in steps of [`LEAST_STEP`]; `None`: it is not a key.
    pub own: Option<u8>,
    /// Lower bound of the costs of its keys, in steps of [`LEAST_STEP`].
    pub least: u8,
}

/// A character by its number, which decodes with less code.
pub(crate) type Letter = u32;

/// All keys with a prefix and one of some characters behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Leaf {
    pub prefix: String,
    pub first: Letter,
    pub last: Letter,
    pub page: PageId,
    pub least: u8,
}

/// Unit of the lower bounds of costs: 255 of them are more than any cost.
pub(crate) const LEAST_STEP: u32 = 512;

/// The names in one language that differ from the display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LanguagePages {
    /// BCP 47 tag.
    pub tag: String,
    /// Page of the places in the root.
    pub root: Option<PageId>,
    /// Pages of all other places: first id and page of each range of ids, ascending.
    pub ids: Vec<(u64, PageId)>,
}

impl Shelf {
    /// Puts the pages in the order in which they are looked up.
    pub fn sort(&mut self) {
        self.crowns.sort_by(|a, b| a.prefix.cmp(&b.prefix));
        self.leaves.sort_by_cached_key(|leaf| leaf.letters().collect::<Vec<_>>());
    }

    /// Iterates over the pages that have a text, the best of what begins with it, and what whole words at its beginning
    /// name: mostly one.
    pub fn path(&self, text: &str) -> impl Iterator<Item = PageId> {
        let words = text.match_indices(' ').filter_map(|(end, _)| self.crown(&text[..end]));
        let page = self.crown(text).map(|crown| crown.page).or_else(|| Some(self.leaf(text)?.page));
        words.filter(|crown| crown.own.is_some()).map(|crown| crown.page).chain(page)
    }

    /// Returns a lower bound of the costs of the keys in pages that are a text, in steps of [`LEAST_STEP`]; `None`:
    /// there are none.
    pub fn least(&self, text: &str) -> Option<u8> {
        match self.crown(text) {
            Some(crown) => crown.own,
            None => self.leaf(text).map(|leaf| leaf.least),
        }
    }

    /// Iterates over the pages below a crown whose prefix begins with a text, those with the most important names
    /// first.
    pub fn below(&self, text: &str) -> impl Iterator<Item = PageId> {
        let begins_before = |leaf: &Leaf| leaf.letters().lt(letters(text));
        let crowns = self.crowns[self.crowns.partition_point(|crown| crown.prefix.as_str() < text)..].iter();
        let leaves = self.leaves[self.leaves.partition_point(begins_before)..].iter();
        let crowns = crowns.take_while(|crown| crown.prefix.starts_with(text)).filter(|crown| crown.has_keys());
        let leaves = leaves.take_while(|leaf| leaf.prefix.starts_with(text));
        let crowns = crowns.map(|crown| (u64::from(crown.least), crown.page));
        in_order(crowns.chain(leaves.map(|leaf| (u64::from(leaf.least), leaf.page))).collect())
    }

    fn crown(&self, prefix: &str) -> Option<&Crown> {
        let at = self.crowns.binary_search_by(|crown| crown.prefix.as_str().cmp(prefix)).ok()?;
        Some(&self.crowns[at])
    }

    /// Returns the leaf of a key: the last one that begins before it, if it reaches as far.
    fn leaf(&self, key: &str) -> Option<&Leaf> {
        let begins_before = |leaf: &Leaf| leaf.letters().le(letters(key));
        let at = self.leaves.partition_point(begins_before).checked_sub(1)?;
        Some(&self.leaves[at]).filter(|leaf| leaf.has(key))
    }
}

fn letters(text: &str) -> impl Iterator<Item = Letter> {
    text.chars().map(Letter::from)
}

impl Crown {
    /// Iterates over the letters of the prefix.
    pub fn letters(&self) -> impl Iterator<Item = Letter> {
        letters(&self.prefix)
    }

    /// Tells whether the crown has what no leaf has: its prefix as a key.
    pub fn has_keys(&self) -> bool {
        self.own.is_some()
    }
}

impl Leaf {
    /// Iterates over the letters that the leaf's first key begins with.
    pub fn letters(&self) -> impl Iterator<Item = Letter> {
        letters(&self.prefix).chain([self.first])
    }

    /// Tells whether it is the leaf of a key.
    pub fn has(&self, key: &str) -> bool {
        let next = key.strip_prefix(self.prefix.as_str()).and_then(|rest| letters(rest).next());
        next.is_some_and(|next| (self.first..=self.last).contains(&next))
    }
}

impl Directory {
    /// Calls `see` with every page and what it is for.
    pub fn each(&self, see: &mut dyn FnMut(PageId, &'static str)) {
        let mut shelf = |shelf: &Shelf, crown, leaf| {
            shelf.crowns.iter().for_each(|each| see(each.page, crown));
            shelf.leaves.iter().for_each(|each| see(each.page, leaf));
        };
        shelf(&self.names, "names: crown", "names: leaf");
        shelf(&self.sounds, "sounds: crown", "sounds: leaf");
        self.globe.pages().iter().for_each(|each| see(each.page, "places"));
        for language in &self.languages {
            language.root.iter().for_each(|&page| see(page, "language"));
            language.ids.iter().for_each(|&(_, page)| see(page, "language"));
        }
        self.ids.iter().for_each(|&(_, page)| see(page, "ids"));
        self.borders.iter().for_each(|&(_, page)| see(page, "borders"));
        self.transliteration.iter().for_each(|&page| see(page, "transliteration"));
        self.regions.iter().for_each(|&page| see(page, "regions"));
        self.capitals.iter().for_each(|&page| see(page, "capitals"));
    }

    /// Tells whether the directory has every page that it names.
    pub fn has_all_pages(&self) -> bool {
        let mut has_all = true;
        self.each(&mut |page, _| has_all &= (page.0 as usize) < self.pages.len());
        has_all
    }

    /// Returns the pages of a language.
    pub fn language(&self, tag: &str) -> Option<&LanguagePages> {
        self.languages.iter().find(|language| language.tag.eq_ignore_ascii_case(tag))
    }

    /// Iterates over the pages of borders in which a point is looked up.
    pub fn border_pages(&self, point: Coordinate) -> impl Iterator<Item = PageId> {
        self.borders.iter().filter(move |(window, _)| window.has(point)).map(|&(_, page)| page)
    }

    /// Returns the pages that facts need, whatever place they are of.
    pub fn pages_of_facts(&self, facts: FactSet) -> &[PageId] {
        if facts.contains(Fact::Capital) { &self.capitals } else { &[] }
    }

    /// Returns the page that knows where the place with an id lies.
    pub fn id_page(&self, id: u64) -> Option<PageId> {
        page_of(&self.ids, id)
    }
}

impl LanguagePages {
    /// Returns the page that may have the name of the place with an id.
    pub fn page(&self, id: u64) -> Option<PageId> {
        page_of(&self.ids, id)
    }
}

/// Returns the page of the range that an id lies in.
fn page_of(ranges: &[(u64, PageId)], id: u64) -> Option<PageId> {
    let at = ranges.partition_point(|&(first, _)| first <= id).checked_sub(1)?;
    Some(ranges[at].1)
}
