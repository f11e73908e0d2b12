//! An opened index: one part, or several that answer together.
//!
//! Rows of all parts are numbered in one sequence, the first part first. A place that several parts have is one place: the
//! row of the first part stands for it, its names in every part find it, and areas of a later part lie in the areas of the
//! first. With one part, every row is the row in its file.

use std::sync::Arc;

use bytes::Bytes;

use super::format::{Country, OpenError};
use super::names::Cost;
use super::part::{Opened, Part};
use super::places::Language;
use super::points::Nearest;
use super::spellings::Lattice;
use crate::geo::Coordinate;
use crate::record::{About, CodeScheme, Lexicon, Role};
use crate::text::{composed, first_of_syllable, letters};

/// An opened index.
pub(crate) struct Index {
    /// At least one.
    parts: Vec<Part>,
}

/// In place of the letter behind an unfinished text. No letter stands beside it.
const UNKNOWN: char = '\0';

/// The languages to try for names, the best first; nothing if none is asked for.
#[derive(Default)]
pub(crate) struct Languages {
    /// Languages of each part.
    of_parts: Vec<Vec<Language>>,
    /// The parts that have names of places of other parts, each with its language.
    elsewhere: Vec<(usize, Language)>,
}

impl Index {
    /// Reads the header; sections are not copied.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version, in one file.
    pub fn open(bytes: Bytes) -> Result<Self, OpenError> {
        Self::of_one(Opened::open(bytes)?)
    }

    /// Opens an index like [`Index::open`], but skips the checksum.
    pub fn open_trusted(bytes: Bytes) -> Result<Self, OpenError> {
        Self::of_one(Opened::open_trusted(bytes)?)
    }

    fn of_one(file: Opened) -> Result<Self, OpenError> {
        if file.is_root() {
            return Err(OpenError::InPages);
        }
        Ok(Self { parts: vec![Part::first_of(Arc::new(file))] })
    }

    /// Creates the index of some files, the first first.
    pub fn of(files: impl IntoIterator<Item = Arc<Opened>>) -> Self {
        Self { parts: Part::of_question(files) }
    }

    /// Adds the parts of another index behind its own.
    pub fn join(&mut self, other: Self) {
        for mut part in other.parts {
            let twins = twins(&self.parts, &part);
            // Their rows together fit: each has fewer than 2^30, and takes 30 bytes and more for each in memory.
            let first = self.rows();
            part.put_behind(first, twins);
            self.parts.push(part);
        }
    }

    /// Returns the parts, the first first.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Iterates over the files of the parts, the first first.
    pub fn into_files(self) -> impl Iterator<Item = Arc<Opened>> {
        self.parts.into_iter().map(Part::into_file)
    }

    /// Returns the part that says which terms are not names: the first that has borders, or the root of one that has
    /// them in pages; else the first part.
    fn base(&self) -> &Part {
        self.parts.iter().find(|part| part.has_borders() || part.is_root()).unwrap_or(&self.parts[0])
    }

    /// Returns the part that a row is of.
    pub fn part(&self, row: u32) -> &Part {
        &self.parts[self.part_number(row)]
    }

    /// Returns the number of the part that a row is of.
    pub fn part_number(&self, row: u32) -> usize {
        self.parts.partition_point(|part| part.first() <= row).saturating_sub(1)
    }

    /// Returns title, date, attribution and country facts of the first part.
    pub fn about(&self) -> &About {
        self.parts[0].about()
    }

    /// Returns the terms that name kinds, and the fillers.
    pub fn lexicon(&self) -> &Lexicon {
        self.base().lexicon()
    }

    /// Returns the number of rows of all parts.
    pub fn rows(&self) -> u32 {
        self.parts.last().map_or(0, |part| part.first().saturating_add(part.rows()))
    }

    /// Iterates over the row of every place, each once.
    pub fn own_rows(&self) -> impl Iterator<Item = u32> {
        self.parts
            .iter()
            .flat_map(|part| (0..part.rows()).filter(|&row| part.is_its_own(row)).map(|row| part.first() + row))
    }

    /// Tells whether a part has places of a role.
    pub fn has(&self, role: Role) -> bool {
        self.parts.iter().any(|part| part.has(role))
    }

    /// Finds the row of the place with an id. Looks at every id of a large file: they are not in order.
    pub fn row_of(&self, id: u64) -> Option<u32> {
        self.parts.iter().find_map(|part| part.places().row_of(id).map(|row| part.in_index(row)))
    }

    /// Returns the row of a country, if a part has its place.
    pub fn country_row(&self, iso2: [u8; 2]) -> Option<u32> {
        let of_part = |part: &Part| {
            let Country { row, .. } = part.countries()[usize::from(part.country_number(iso2)?)];
            part.places().known(row).map(|row| part.in_index(row))
        };
        self.parts.iter().find_map(of_part)
    }

    /// Returns the places that have a code (upper case), each with the scheme.
    pub fn meanings(&self, code: &str) -> Vec<(CodeScheme, u32)> {
        let mut meanings = Vec::new();
        for part in &self.parts {
            let of_part = part.meanings(code).into_iter().map(|(scheme, row)| (scheme, part.in_index(row)));
            // A place that two parts have may have the code in both.
            let is_new = |meaning: &(CodeScheme, u32)| part.first() == 0 || !meanings.contains(meaning);
            let new: Vec<_> = of_part.filter(is_new).collect();
            meanings.extend(new);
        }
        meanings
    }

    /// Transliterates `text` to Latin; `None` if it is in Latin already, or has no character that a part can transliterate. The
    /// tables have composed characters in lower case, whatever the form of the text.
    pub fn transliterate(&self, text: &str) -> Option<String> {
        let text: String = composed(text).chars().flat_map(char::to_lowercase).collect();
        self.parts.iter().find_map(|part| part.transliterate(&text))
    }

    /// Returns the Latin spellings of a folded text in another script; `None` if it is in Latin, or has a letter of
    /// which no part knows any. If it is `unfinished`, its last letter may belong to the next syllable.
    pub fn lattice(&self, text: &str, unfinished: bool) -> Option<Lattice> {
        let letters = letters(text);
        let beside = |at: usize| {
            let letter = |at: usize| letters.get(at).copied();
            let behind = if unfinished { UNKNOWN } else { ' ' };
            (at.checked_sub(1).and_then(letter).unwrap_or(' '), letter(at + 1).unwrap_or(behind))
        };
        let learned = |letter: char, at: usize| {
            let of_parts = self.parts.iter().map(|part| part.spellings().ways(letter, beside(at)));
            of_parts.into_iter().find(|ways| !ways.is_empty())
        };
        let elsewhere = |letter: char| {
            let latin = self.transliterate(letter.encode_utf8(&mut [0; 4]))?;
            Lattice::as_everywhere(&latin)
        };
        let known = |letter: char, at: usize| {
            let mut ways = learned(letter, at).unwrap_or_default();
            ways.extend(elsewhere(letter));
            ways
        };
        // The next syllable may take the last letter: 팔 is on the way to 파리.
        let moved = letters.last().copied().filter(|_| unfinished).and_then(first_of_syllable);
        let ways = |at: usize| match moved {
            Some(first) if at + 1 == letters.len() => [known(letters[at], at), known(first, at)].concat(),
            _ => known(letters[at], at),
        };
        Lattice::new(&letters, ways)
    }

    /// Returns the names of a place that pages of languages have, each with the rank of its language.
    pub fn names_elsewhere(&self, languages: &Languages, id: u64) -> Vec<(usize, &str)> {
        let pages = languages.elsewhere.iter();
        pages.filter_map(|&(at, language)| Some((language.rank, self.parts[at].elsewhere().name(id)?))).collect()
    }

    /// Returns the languages of each part that match a BCP 47 tag.
    pub fn languages(&self, tag: Option<&str>) -> Languages {
        let Some(tag) = tag else { return Languages::default() };
        let of_parts: Vec<Vec<Language>> = self.parts.iter().map(|part| part.languages(tag)).collect();
        let pages = self.parts.iter().zip(&of_parts).enumerate().filter(|(_, (part, _))| part.elsewhere().has_names());
        let elsewhere = pages.filter_map(|(at, (_, of_part))| Some((at, *of_part.first()?))).collect();
        Languages { of_parts, elsewhere }
    }

    /// Finds the nearest city or quarter at most `within_m` metres from a point, in `country` if one is given. Of
    /// equally near ones, returns the first row.
    pub fn nearest_populated(
        &self,
        point: Coordinate,
        within_m: f64,
        country: Option<[u8; 2]>,
        state: Option<u64>,
    ) -> Option<Nearest> {
        let mut nearest: Option<Nearest> = None;
        let is_in_state = |row: u32| state.is_none_or(|state| self.state_of(row) == Some(state));
        let is_kept = |part: &Part, row: u32| part.is_its_own(row) && is_in_state(part.in_index(row));
        // An index of postal codes repeats the cities of the first, each of which would be looked up as its twin.
        for part in self.parts.iter().filter(|part| part.has_its_own(part.populated_rows())) {
            let Some(keep) = part.in_country(country) else { continue };
            let within_m = nearest.map_or(within_m, |nearest| nearest.distance_m);
            let near = part.populated().nearest(point, within_m, keep, |row| is_kept(part, row));
            let near = near.map(|near| Nearest { row: part.in_index(near.row), ..near });
            // Rows of a later part come later: one that is as near is not nearer.
            nearest = nearest.filter(|known| near.is_none_or(|near| known.distance_m <= near.distance_m)).or(near);
        }
        nearest
    }

    /// Returns the id of the state of a row.
    pub fn state_of(&self, row: u32) -> Option<u64> {
        self.place(row).ancestors().find(|area| area.role() == Role::State).map(|state| state.id())
    }

    /// Iterates over the airports, stations and landmarks whose extent covers a point, with centres at most `within_m`
    /// metres away, in `country` if one is given; in any order.
    pub fn sites_over(
        &self,
        point: Coordinate,
        within_m: f64,
        country: Option<[u8; 2]>,
    ) -> impl Iterator<Item = Nearest> {
        let near = self.parts.iter().filter_map(move |part| {
            let keep = part.in_country(country)?;
            let near = part.sites().over(point, within_m, move |row| keep(row) && part.is_its_own(row));
            Some(near.map(|near| Nearest { row: part.in_index(near.row), ..near }))
        });
        near.flatten()
    }

    /// Iterates over the sites of a role within `reach_m` metres of a point, in any order.
    pub fn sites_within(&self, point: Coordinate, reach_m: f64, role: Role) -> impl Iterator<Item = Nearest> {
        let of_part = move |part: &'_ Part| -> Vec<Nearest> {
            let keep = |row: u32| part.places().kind(row).role == role && part.is_its_own(row);
            let near = part.sites().within(point, reach_m, keep);
            near.into_iter().map(|near| Nearest { row: part.in_index(near.row), ..near }).collect()
        };
        self.parts.iter().flat_map(of_part)
    }

    /// Finds the `limit` populated places and sites nearest to a point, at most `within_m` metres away, for which
    /// `keep` is true; the nearest first, equally near ones by row.
    pub fn nearest(&self, point: Coordinate, within_m: f64, limit: usize, keep: impl Fn(u32) -> bool) -> Vec<Nearest> {
        let mut found = Vec::new();
        for part in &self.parts {
            for points in [part.populated(), part.sites()] {
                let keep = |row: u32| part.is_its_own(row) && keep(part.in_index(row));
                let near = points.nearest_many(point, within_m, limit, keep).into_iter();
                found.extend(near.map(|near| Nearest { row: part.in_index(near.row), ..near }));
            }
        }
        found.sort_by(|a, b| a.distance_m.total_cmp(&b.distance_m).then(a.row.cmp(&b.row)));
        found.truncate(limit);
        found
    }

    /// Iterates over the rows of the regions whose bounds contain a point.
    pub fn regions_over(&self, point: Coordinate) -> impl Iterator<Item = u32> {
        let of_part = move |part: &'_ Part| {
            let rows = part.places().regions_over(point).filter(|&row| part.is_its_own(row));
            rows.map(|row| part.in_index(row)).collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(of_part)
    }

    /// Tells whether a part has borders.
    pub fn has_borders(&self) -> bool {
        self.parts.iter().any(|part| part.has_borders())
    }

    /// Returns the country that contains a point; `None` at sea.
    pub fn country_at(&self, point: Coordinate) -> Option<[u8; 2]> {
        self.at(point, |part| Some(part.countries().get(usize::from(part.country_at(point)?))?.iso2))
    }

    /// Returns the id of the state that contains a point, if its border is known.
    pub fn state_at(&self, point: Coordinate) -> Option<u64> {
        self.at(point, |part| part.state_at(point))
    }

    /// Asks the first part whose borders cover a point and, among windows of borders, then the others.
    fn at<T>(&self, point: Coordinate, of_part: impl Fn(&Part) -> Option<T>) -> Option<T> {
        let mut covering = self.parts.iter().filter(|part| part.covers(point));
        let first = covering.next()?;
        // At 180 degrees east a point is looked up in two windows.
        let mut others = covering.filter(|part| first.has_border_window() && part.has_border_window());
        of_part(first).or_else(|| others.find_map(of_part))
    }

    /// Tells whether a point is near land. Always true if the index has no land grid.
    pub fn is_near_land(&self, point: Coordinate) -> bool {
        self.parts.iter().find(|part| part.has_land()).is_none_or(|part| part.is_near_land(point))
    }

    /// Returns the cost of a place without any penalty.
    pub fn cost_of_importance(&self, row: u32) -> Cost {
        let part = self.part(row);
        part.cost_of_importance(row - part.first())
    }

    /// Returns the cost without any penalty that a place has by the part which begins at `part_at`: of several copies of a place,
    /// that of the one whose names are searched is the one that the search counts on.
    pub fn cost_of_copy(&self, row: u32, part_at: u32) -> Cost {
        let (part, other) = (self.part(row), self.part(part_at));
        let id = || part.places().id(row - part.first());
        let copy = if part.first() == other.first() { None } else { other.places().row_of(id()) };
        copy.map_or_else(|| self.cost_of_importance(row), |copy| other.cost_of_importance(copy))
    }
}

impl Languages {
    /// Returns the languages of a part, by its number.
    pub fn of_part(&self, number: usize) -> &[Language] {
        self.of_parts.get(number).map_or(&[], Vec::as_slice)
    }

    /// Tells whether no language is asked for.
    pub fn is_empty(&self) -> bool {
        self.of_parts.is_empty()
    }
}

/// Finds the rows of `part` whose places an earlier part has, each with its row in the index.
fn twins(earlier: &[Part], part: &Part) -> Vec<(u32, u32)> {
    let id_of = |&row: &u32| part.places().id(row);
    // Rows without their ids take a quarter of the memory, which an isolate never gives back. Areas are in order of their ids
    // already: the stable sort merges such runs.
    let mut by_id: Vec<u32> = (0..part.rows()).collect();
    by_id.sort_by_key(id_of);
    let mut twins = Vec::new();
    for other in earlier {
        for row in (0..other.rows()).filter(|&row| other.is_its_own(row)) {
            let id = other.places().id(row);
            if let Ok(at) = by_id.binary_search_by_key(&id, id_of) {
                twins.push((by_id[at], other.in_index(row)));
            }
        }
    }
    twins.sort_unstable();
    twins
}
