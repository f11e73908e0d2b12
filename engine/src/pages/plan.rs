//! Plans the pages that a question needs. The question and the root alone decide which pages a question begins with,
//! and these decide which further ones it looks at: so every question has its answer after two fetches at most, and the
//! answer does not depend on which pages happen to be there.

use std::collections::BTreeSet;
use std::ops::Range;

use super::directory::Directory;
use super::page_id::PageId;
use super::trie::Slipped;
use crate::filter::Filter;
use crate::index::{Cost, Index, of_class};
use crate::query::{Mode, Search};
use crate::record::{NameClass, Role};
use crate::search::{
    AIRPORT_REACH_M, Candidate, IN_LANGUAGE, PREFIX_UNFINISHED, STATION_REACH_M, Terms, WHOLE_NAME, begun_alternate,
    candidates, candidates_without_edits, without_kinds,
};
use crate::text::{fold, sound, without_elisions};

/// Most pages of names that are fetched for slips. Of 5,228 questions a third page answered none more, and it costs a fetch in
/// every question with a slip.
const TYPO_PAGES: usize = 2;

/// Most pages of the globe around a city whose airport or station is meant.
const SITE_PAGES: usize = 4;

/// Cities whose airport or station may be meant.
const CITIES: usize = 2;

/// Parts of a text that begin farther from its ends are not looked for.
const NEAR_AN_END: usize = 2;

/// Most pages below a crown that are looked through for places that a filter admits.
const FILTERED_PAGES: usize = 6;

/// The pages of a text.
pub(crate) struct TextPlan<'q> {
    root: &'q Index,
    directory: &'q Directory,
    search: &'q Search<'q>,
    mode: Mode,
    /// The likeliest reading of the text, and the others.
    terms: Terms,
    others: Vec<Terms>,
    /// Without terms for kinds, and the roles that those ask for.
    without_kinds: Option<(Terms, Vec<Role>)>,
}

impl<'q> TextPlan<'q> {
    pub fn new(root: &'q Index, directory: &'q Directory, search: &'q Search<'q>, mode: Mode) -> Self {
        let mut others = Terms::readings(search.text);
        let terms = others.remove(0);
        let without_kinds = without_kinds(root.lexicon(), &terms, mode == Mode::Autocomplete);
        Self { root, directory, search, mode, terms, others, without_kinds }
    }

    /// Returns the pages of the text as it is written: of all names that it or a part of it may be.
    pub fn first(&self) -> BTreeSet<PageId> {
        let mut pages: BTreeSet<PageId> = self.directory.pages_of_facts(self.search.facts).collect();
        if self.terms.is_empty() || self.is_in_root_alone() {
            return pages;
        }
        for terms in self.readings() {
            self.add_divided(terms, &mut pages);
        }
        if let Some((rest, _)) = &self.without_kinds {
            self.add_divided(rest, &mut pages);
        }
        if let Some(text) = without_elisions(self.search.text) {
            self.add_divided(&Terms::of(&text), &mut pages);
        }
        pages.extend(pages_of_filter(self.root, self.directory, &self.search.filter));
        if !self.terms.is_latin() {
            pages.extend(self.directory.transliteration.iter());
        }
        if self.is_filtered() {
            let beginning = self.beginning(&self.terms, 0..self.terms.len());
            pages.extend(self.directory.names.below(&beginning).take(FILTERED_PAGES));
        }
        pages
    }

    /// Tells whether all suggestions are in the root, as for most first letters: what pages have costs more.
    fn is_in_root_alone(&self) -> bool {
        let Search { text, limit, lang, focus, .. } = *self.search;
        let is_plain = self.mode == Mode::Autocomplete
            && self.terms.len() == 1
            && self.others.is_empty()
            && self.terms.is_latin()
            && focus.is_none();
        if !is_plain || self.is_filtered() || self.without_kinds.is_some() || without_elisions(text).is_some() {
            return false;
        }
        let (found, is_all) = candidates_without_edits(self.root, self.search, self.mode);
        if !is_all {
            return false;
        }
        // A county is left out beside a city of its name.
        let mut suggestions = found.iter().filter(|found| self.root.place(found.row).role() != Role::County);
        let Some(last) = suggestions.nth(limit.saturating_sub(1)) else { return false };
        let in_language = if lang.is_some() { IN_LANGUAGE } else { 0 };
        let phrase = self.terms.phrase(0..1);
        let alternate = (of_class(NameClass::Other) + begun_alternate(&phrase, true)).saturating_sub(in_language);
        let begun = self.directory.behind_root.map_or(Cost::MAX, |weight| weight.min(alternate));
        let whole = self.directory.names.least(&phrase).unwrap_or(Cost::MAX);
        let least = (begun.saturating_add(PREFIX_UNFINISHED)).min(whole.saturating_sub(in_language + WHOLE_NAME));
        last.evidence.edits == 0 && last.cost < least
    }

    /// Returns the candidates that the first pages, of which `index` is made, have; `None` if they are not what the
    /// text says.
    pub fn found_at_first(&self, index: &Index) -> Option<Vec<Candidate>> {
        let (found, is_all) = candidates_without_edits(index, self.search, self.mode);
        if !self.is_enough(&found) {
            return None;
        }
        let all = if is_all { found } else { candidates(index, self.search, self.mode) };
        Some(all).filter(|all| self.is_enough(all))
    }

    fn is_enough(&self, found: &[Candidate]) -> bool {
        let is_within_known = self.search.filter.within.is_none_or(|id| self.root.find(id).is_some());
        is_within_known
            && found.first().is_some_and(|best| {
                let evidence = &best.evidence;
                evidence.edits == 0
                    && !evidence.respelled
                    && evidence.leaves_nothing_out()
                    && (!evidence.prefix || self.mode == Mode::Autocomplete)
                    && (self.sites().is_empty() || evidence.role.is_some())
            })
    }

    /// Adds further pages to the first, of which `index` is made, where these do not have what the text says: of names
    /// with slips, of what sounds like the text or is spelled like it in Latin letters, of parts of the text, and
    /// around its city.
    pub fn second(&self, index: &Index, first: &BTreeSet<PageId>) -> BTreeSet<PageId> {
        let mut pages = first.clone();
        let latin = index.scripts().transliterate(self.search.text);
        let respelled = latin.as_deref().map(Terms::of).filter(|terms| !terms.is_empty());
        let rest = self.without_kinds.as_ref().map(|(rest, _)| rest);
        let spelled = |terms: &Terms| {
            let lattice = index.scripts().lattice(&terms.phrase(0..terms.len()), false)?;
            Some(Terms::of(&lattice.best()))
        };
        let respelled: Vec<Terms> =
            respelled.into_iter().chain(spelled(&self.terms)).chain(rest.and_then(spelled)).collect();
        for terms in &respelled {
            self.add_divided(terms, &mut pages);
        }
        // What may be the context, or the name behind it.
        for terms in self.readings() {
            let near_an_end = (1..terms.len()).filter(|&at| at < NEAR_AN_END || at + NEAR_AN_END >= terms.len());
            for start in near_an_end {
                self.add_context(terms, start..terms.len(), &mut pages);
            }
        }
        let patterns = self.readings().chain(rest).chain(&respelled).flat_map(patterns);
        let slipped: Vec<Slipped> = patterns.filter_map(|pattern| Slipped::new(&pattern)).collect();
        let like = self.directory.names.like(&slipped);
        like.filter(|&page| pages.insert(page)).take(TYPO_PAGES).for_each(drop);
        let key = sound(&fold(latin.as_deref().unwrap_or(self.search.text)));
        if !key.is_empty() {
            pages.extend(self.directory.sounds.path(&key));
        }
        for reach in self.sites() {
            let Some(rest) = rest else { break };
            let phrase = rest.phrase(0..rest.len());
            let cities = candidates(index, &Search::new(&phrase, CITIES), Mode::Forward);
            let places = cities.iter().map(|city| index.place(city.row));
            let cities = places.filter(|place| matches!(place.role(), Role::City | Role::Quarter));
            for city in cities.take(CITIES) {
                let centre = city.position().unit_vector();
                pages.extend(self.directory.globe.within(centre, crate::geo::metres_to_chord(reach), SITE_PAGES));
            }
        }
        pages.extend(self.search.filter.within.and_then(|id| page_around(index, self.directory, id)));
        pages
    }

    fn readings(&self) -> impl Iterator<Item = &Terms> {
        std::iter::once(&self.terms).chain(&self.others)
    }

    fn is_filtered(&self) -> bool {
        let filter = &self.search.filter;
        !filter.countries.is_empty() || !filter.types.is_empty() || filter.bounds.is_some() || filter.within.is_some()
    }

    /// Returns how far from their city the sites that a term asks for may lie, in metres.
    fn sites(&self) -> Vec<f64> {
        let roles = self.without_kinds.as_ref().map(|(_, roles)| roles.as_slice()).unwrap_or_default();
        let reaches = roles.iter().filter_map(|role| match role {
            Role::Airport => Some(AIRPORT_REACH_M),
            Role::Station => Some(STATION_REACH_M),
            _ => None,
        });
        reaches.collect()
    }

    /// Adds the pages of a text as one name, and of the parts between its commas.
    fn add_divided(&self, terms: &Terms, pages: &mut BTreeSet<PageId>) {
        pages.extend(self.directory.names.path(&self.beginning(terms, 0..terms.len())));
        for &at in &terms.commas {
            for span in [0..at, at..terms.len()] {
                self.add_context(terms, span, pages);
            }
        }
    }

    /// Adds the pages of terms that may be a context. Where the root has a country or state of that name, it has all of them.
    fn add_context(&self, terms: &Terms, span: Range<usize>, pages: &mut BTreeSet<PageId>) {
        if !has_area(self.root, &terms.phrase(span.clone())) {
            pages.extend(self.directory.names.path(&self.beginning(terms, span)));
        }
    }

    /// Returns what the names begin with that the terms of `span` may mean.
    fn beginning(&self, terms: &Terms, span: Range<usize>) -> String {
        let is_last = span.end == terms.len();
        let phrase = terms.phrase(span);
        match terms.prefix(self.mode).filter(|_| is_last) {
            Some(prefix) => prefix.of(&phrase).into_owned(),
            None => phrase,
        }
    }
}

/// Returns the pages with which a filter begins: those of the names of its areas, and those that say where the area lies that places
/// must lie in.
pub(crate) fn pages_of_filter(root: &Index, directory: &Directory, filter: &Filter) -> BTreeSet<PageId> {
    let mut pages = BTreeSet::new();
    for (name, role) in filter.areas.each() {
        for terms in Terms::readings(name) {
            let phrase = terms.phrase(0..terms.len());
            if role > Role::State || !has_area(root, &phrase) {
                pages.extend(directory.names.path(&phrase));
            }
        }
    }
    if let Some(id) = filter.within.filter(|&id| root.find(id).is_none()) {
        pages.extend(directory.id_page(id));
        pages.extend(directory.regions.iter());
    }
    pages
}

/// Returns the page with the place of an id, if pages of ids are among those of which `index` is made.
pub(crate) fn page_around(index: &Index, directory: &Directory, id: u64) -> Option<PageId> {
    let curve = index.segments().find_map(|segment| segment.file.remote.curve(id))?;
    directory.globe.page(curve)
}

/// Tells whether a country or state of the root has a name or a code.
fn has_area(root: &Index, phrase: &str) -> bool {
    let part = root.segment(0);
    let is_area = |row: u32| part.file.places.kind(row).role <= Role::State;
    let names = &part.file.usual;
    let is_named = names.id(phrase).is_some_and(|id| names.postings(id).any(|posting| is_area(posting.row)));
    is_named || part.file.codes.meanings(&phrase.to_ascii_uppercase()).iter().any(|&(_, row)| is_area(row))
}

/// Returns the names that a text with slips may mean: all of it, or what stands before a comma or the last term.
fn patterns(terms: &Terms) -> Vec<String> {
    let mut ends = vec![terms.len()];
    ends.extend(terms.commas.first());
    if terms.commas.is_empty() && terms.len() > 1 {
        ends.push(terms.len() - 1);
    }
    ends.into_iter().filter_map(|end| terms.name(0..end)).collect()
}
