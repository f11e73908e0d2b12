//! An opened index: one segment, or several that answer together.
//!
//! A place is a row of a segment. A place that several segments have is one place: its names in every segment find it, and it
//! is shown as in the first that has it whole. Areas of a later segment lie in the areas of the first. Copies say the same of a
//! place: where it is, and what.

use std::sync::Arc;

use bytes::Bytes;

use super::format::{Country, OpenError};
use super::places::{Language, PlaceRef};
use super::points::Nearest;
use super::segment::{Index, Languages, Opened, RowId, Segment};
use super::spellings::Lattice;
use crate::geo::Coordinate;
use crate::record::{About, CodeScheme, Lexicon, Role};
use crate::text::{composed, first_of_syllable, letters, to_lower};

/// In place of the letter behind an unfinished text. No letter stands beside it.
const UNKNOWN: char = '\0';

/// A place, and the distance of its centre from a point.
#[derive(Clone, Copy)]
pub(crate) struct Near<'i> {
    pub place: PlaceRef<'i>,
    pub distance_m: f64,
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
        Ok(Self::of([Arc::new(file)]))
    }

    /// Creates the index of some files, the first first.
    pub fn of(files: impl IntoIterator<Item = Arc<Opened>>) -> Self {
        Self { files: files.into_iter().collect() }
    }

    /// Adds the segments of another index behind its own.
    pub fn join(&mut self, other: Self) {
        // Every place of a later segment is looked up in those before it.
        self.files.iter().for_each(|file| file.places.list());
        self.files.extend(other.files);
    }

    /// Iterates over the segments, the first first.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'_>> + Clone {
        (0..).zip(&self.files).map(|(number, file)| Segment { index: self, file, number })
    }

    /// Returns the segment with a number.
    #[inline]
    pub fn segment(&self, number: u32) -> Segment<'_> {
        Segment { index: self, file: &self.files[number as usize], number }
    }

    /// Returns the number of segments.
    pub fn segment_count(&self) -> usize {
        self.files.len()
    }

    /// Iterates over the files of the segments, the first first.
    pub fn into_files(self) -> impl Iterator<Item = Arc<Opened>> {
        self.files.into_iter()
    }

    /// Returns the segment that says which terms are not names: the first that has borders, or the root of one that has
    /// them in pages; else the first segment.
    fn base(&self) -> Segment<'_> {
        self.segments()
            .find(|segment| !segment.file.borders.is_empty() || segment.file.is_root())
            .unwrap_or(self.segment(0))
    }

    /// Returns the place of a row.
    #[inline]
    pub fn place(&self, row: RowId) -> PlaceRef<'_> {
        self.segment(row.segment).copy(row.row)
    }

    /// Returns title, date, attribution and country facts of the first segment.
    pub fn about(&self) -> &About {
        &self.files[0].header.about
    }

    /// Returns the terms that name kinds, and the fillers.
    pub fn lexicon(&self) -> &Lexicon {
        &self.base().file.header.lexicon
    }

    /// Returns the number of rows of all segments.
    pub fn rows(&self) -> u32 {
        self.files.iter().map(|file| file.rows()).sum()
    }

    /// Iterates over the copies of all places.
    pub fn copies(&self) -> impl Iterator<Item = PlaceRef<'_>> {
        self.segments().flat_map(|segment| segment.copies(0..segment.file.rows()))
    }

    /// Iterates over all places, as the index shows them.
    pub fn places(&self) -> impl Iterator<Item = PlaceRef<'_>> {
        self.copies().filter(|copy| copy.shown().row == copy.row)
    }

    /// Tells whether a segment has places of a role.
    pub fn has(&self, role: Role) -> bool {
        self.files.iter().any(|file| file.has(role))
    }

    /// Finds the place with an id: in the first segment that has it whole, or else in the first that has it. Looks at every id of a
    /// large file alone: they are not in order.
    pub fn find(&self, id: u64) -> Option<PlaceRef<'_>> {
        let copies = || self.segments().filter_map(|segment| Some(segment.copy(segment.file.places.row_of(id)?)));
        copies().find(|copy| !copy.is_bare()).or_else(|| copies().next())
    }

    /// Returns the place of a country, if a segment has one.
    pub fn country_place(&self, iso2: [u8; 2]) -> Option<PlaceRef<'_>> {
        self.segments().find_map(|segment| {
            let Country { row, .. } = segment.file.header.countries[usize::from(segment.file.country_number(iso2)?)];
            segment.file.places.known(row).map(|row| segment.place(row))
        })
    }

    /// Returns the places that have a code (upper case), each with the scheme.
    pub fn meanings(&self, code: &str) -> Vec<(CodeScheme, PlaceRef<'_>)> {
        let mut meanings: Vec<(CodeScheme, PlaceRef)> = Vec::new();
        for segment in self.segments() {
            for (scheme, row) in segment.file.codes.meanings(code) {
                let place = segment.place(row);
                // A place that two segments have may have the code in both.
                if segment.number == 0
                    || !meanings.iter().any(|&(other, known)| (other, known.row) == (scheme, place.row))
                {
                    meanings.push((scheme, place));
                }
            }
        }
        meanings
    }

    /// Transliterates `text` to Latin; `None` if it is in Latin already, or has no character that a segment can transliterate. The
    /// tables have composed characters in lower case, whatever the form of the text.
    pub fn transliterate(&self, text: &str) -> Option<String> {
        let text: String = to_lower(&composed(text));
        self.files.iter().find_map(|file| file.transliteration.latin(&text))
    }

    /// Returns the Latin spellings of a folded text in another script; `None` if it is in Latin, or has a letter of
    /// which no segment knows any. If it is `unfinished`, its last letter may belong to the next syllable.
    pub fn lattice(&self, text: &str, unfinished: bool) -> Option<Lattice> {
        let letters = letters(text);
        let beside = |at: usize| {
            let letter = |at: usize| letters.get(at).copied();
            let behind = if unfinished { UNKNOWN } else { ' ' };
            (at.checked_sub(1).and_then(letter).unwrap_or(' '), letter(at + 1).unwrap_or(behind))
        };
        let learned = |letter: char, at: usize| {
            let ways = self.files.iter().map(|file| file.spellings.ways(letter, beside(at)));
            ways.into_iter().find(|ways| !ways.is_empty())
        };
        let transliterated = |letter: char| {
            let latin = self.transliterate(letter.encode_utf8(&mut [0; 4]))?;
            Lattice::as_everywhere(&latin)
        };
        let known = |letter: char, at: usize| {
            let mut ways = learned(letter, at).unwrap_or_default();
            ways.extend(transliterated(letter));
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
    pub fn remote_names(&self, languages: &Languages, id: u64) -> Vec<(usize, &str)> {
        let pages = languages.remote.iter();
        pages.filter_map(|&(at, language)| Some((language.rank, self.files[at].remote.name(id)?))).collect()
    }

    /// Returns the languages of each segment that match a BCP 47 tag.
    pub fn languages(&self, tag: Option<&str>) -> Languages {
        let Some(tag) = tag else { return Languages::default() };
        let of_segments: Vec<Vec<Language>> = self.files.iter().map(|file| file.translations.languages(tag)).collect();
        let pages = self.files.iter().zip(&of_segments).enumerate().filter(|(_, (file, _))| file.remote.has_names());
        let remote = pages.filter_map(|(at, (_, languages))| Some((at, *languages.first()?))).collect();
        Languages { of_segments, remote }
    }

    /// Finds the nearest city or quarter at most `within_m` metres from a point, in `country` and with the state `state`, if they
    /// are given. Of equally near ones, returns the first row.
    pub fn nearest_populated(
        &self,
        point: Coordinate,
        within_m: f64,
        country: Option<[u8; 2]>,
        state: Option<u64>,
    ) -> Option<Near<'_>> {
        let mut nearest: Option<Near> = None;
        for segment in self.segments() {
            let Some(keep) = segment.file.in_country(country) else { continue };
            let is_in_state = |row: u32| state.is_none_or(|state| segment.place(row).state() == Some(state));
            let within_m = nearest.map_or(within_m, |nearest| nearest.distance_m);
            let near = segment.file.populated().nearest(point, within_m, keep, is_in_state);
            let near = near.map(|near| Near::new(segment, near));
            // One of a later segment that is as near may be a copy.
            nearest = nearest.filter(|known| near.is_none_or(|near| known.distance_m <= near.distance_m)).or(near);
        }
        nearest
    }

    /// Iterates over the airports, stations and landmarks whose extent covers a point, with centres at most `within_m`
    /// metres away, in `country` if one is given; in any order, and as often as segments have them.
    pub fn sites_over(
        &self,
        point: Coordinate,
        within_m: f64,
        country: Option<[u8; 2]>,
    ) -> impl Iterator<Item = Near<'_>> {
        let found = self.segments().filter_map(move |segment| {
            let found = segment.file.sites().over(point, within_m, segment.file.in_country(country)?);
            Some(found.map(move |near| Near::new(segment, near)))
        });
        found.flatten()
    }

    /// Iterates over the sites of a role within `reach_m` metres of a point, each with its segment; in any order, and as often as
    /// segments have them.
    pub fn sites_within(
        &self,
        point: Coordinate,
        reach_m: f64,
        role: Role,
    ) -> impl Iterator<Item = (Segment<'_>, Nearest)> {
        self.segments().flat_map(move |segment| {
            let found = segment.file.sites().within(point, reach_m, |row| segment.file.places.kind(row).role == role);
            found.into_iter().map(move |near| (segment, near))
        })
    }

    /// Finds the `limit` populated places and sites nearest to a point, at most `within_m` metres away, for which
    /// `keep` is true; the nearest first, equally near ones by row.
    pub fn nearest(
        &self,
        point: Coordinate,
        within_m: f64,
        limit: usize,
        keep: impl Fn(PlaceRef) -> bool,
    ) -> Vec<Near<'_>> {
        let mut found: Vec<Near> = Vec::new();
        for segment in self.segments() {
            for points in [segment.file.populated(), segment.file.sites()] {
                let near = points.nearest_many(point, within_m, limit, |row| keep(segment.copy(row))).into_iter();
                found.extend(near.map(|near| Near::new(segment, near)));
            }
        }
        found.sort_unstable_by(|a, b| a.distance_m.total_cmp(&b.distance_m).then(a.place.row.cmp(&b.place.row)));
        found.dedup_by_key(|near| near.place.row);
        found.truncate(limit);
        found
    }

    /// Iterates over the regions whose bounds contain a point.
    pub fn regions_over(&self, point: Coordinate) -> impl Iterator<Item = PlaceRef<'_>> {
        let copies = self.segments().flat_map(move |segment| {
            let rows = segment.file.places.regions_over(point);
            rows.map(move |row| segment.copy(row))
        });
        copies.filter(|copy| copy.shown().row == copy.row)
    }

    /// Tells whether a segment has borders.
    pub fn has_borders(&self) -> bool {
        self.files.iter().any(|file| !file.borders.is_empty())
    }

    /// Returns the country that contains a point; `None` at sea.
    pub fn country_at(&self, point: Coordinate) -> Option<[u8; 2]> {
        self.at(point, |file| Some(file.header.countries.get(usize::from(file.borders.country_at(point)?))?.iso2))
    }

    /// Returns the id of the state that contains a point, if its border is known.
    pub fn state_at(&self, point: Coordinate) -> Option<u64> {
        self.at(point, |file| file.borders.state_at(point))
    }

    /// Asks the first segment whose borders cover a point and, among windows of borders, then the others.
    fn at<T>(&self, point: Coordinate, of_file: impl Fn(&Opened) -> Option<T>) -> Option<T> {
        let mut covering = self.files.iter().filter(|file| file.borders.covers(point));
        let first = covering.next()?;
        // At 180 degrees east a point is looked up in two windows.
        let mut others = covering.filter(|file| first.borders.has_window() && file.borders.has_window());
        of_file(first).or_else(|| others.find_map(|file| of_file(file)))
    }

    /// Tells whether a point is near land. Always true if the index has no land grid.
    pub fn is_near_land(&self, point: Coordinate) -> bool {
        self.files.iter().find(|file| !file.land.is_empty()).is_none_or(|file| file.land.is_near(point))
    }
}

impl<'i> Near<'i> {
    fn new(segment: Segment<'i>, Nearest { row, distance_m }: Nearest) -> Self {
        Self { place: segment.place(row), distance_m }
    }
}
