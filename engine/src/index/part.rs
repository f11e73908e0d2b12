//! A part of an index: one opened file, with its own rows. [`super::Index`] numbers the rows of several parts in one sequence.

use std::ops::{Deref, Range};
use std::sync::Arc;

use bytes::Bytes;

use super::elsewhere::PlacesElsewhere;
use super::format::{self, Country, Header, OpenError, Section};
use super::layer::Layer;
use super::names::{self, Cost, Names, Posting};
use super::places::{Codes, FactColumns, Language, Places, Translations};
use super::points::{Borders, Land, Points, Tiles};
use super::spellings::SpellingTable;
use super::transliteration::Transliteration;
use crate::geo::Coordinate;
use crate::record::{About, CodeScheme, Kind, Lexicon, Role};

/// An opened file at its place in an index. What needs no more than the file is that of the [`Opened`] that it derefs to.
pub(crate) struct Part {
    file: Arc<Opened>,
    /// Row of its first place in the index.
    first: u32,
    twins: Twins,
}

/// The places of a part that an earlier part has as well.
enum Twins {
    /// The rows of all, in ascending order, each with the row in the index of the earlier one.
    Known(Vec<(u32, u32)>),
    /// All parts of the index, in order. Their rows are looked up by id.
    ById(Arc<[Placed]>),
}

/// An opened file, and the row in the index of its first place.
struct Placed {
    file: Arc<Opened>,
    first: u32,
}

/// An opened file. Rows are its own.
pub(crate) struct Opened {
    header: Header,
    usual: Names,
    alternates: Names,
    sounds: Names,
    codes: Codes,
    transliteration: Transliteration,
    spellings: SpellingTable,
    places: Places,
    translations: Translations,
    facts: FactColumns,
    populated: Tiles,
    sites: Tiles,
    borders: Borders,
    land: Land,
    elsewhere: PlacesElsewhere,
    directory: Bytes,
}

impl Deref for Part {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.file
    }
}

impl Part {
    /// Creates the only part of an index, or the first.
    pub fn first_of(file: Arc<Opened>) -> Self {
        Self { file, first: 0, twins: Twins::Known(Vec::new()) }
    }

    /// Returns the file of the part.
    pub fn into_file(self) -> Arc<Opened> {
        self.file
    }

    /// Puts the part behind the parts before it, which have `twins` of its places: rows in ascending order, each with
    /// the row in the index.
    pub fn put_behind(&mut self, first: u32, twins: Vec<(u32, u32)>) {
        (self.first, self.twins) = (first, Twins::Known(twins));
    }

    /// Creates the parts of an index that is made for one question, of files in order. Which places several of them
    /// have is found out for those that the question comes across.
    pub fn of_question(files: impl IntoIterator<Item = Arc<Opened>>) -> Vec<Self> {
        let mut next = 0;
        let placed = files.into_iter().map(|file| {
            let first = next;
            next += file.rows();
            Placed { file, first }
        });
        let placed: Arc<[Placed]> = placed.collect();
        let part = |Placed { file, first }: &Placed| Self {
            file: file.clone(),
            first: *first,
            twins: Twins::ById(placed.clone()),
        };
        placed.iter().map(part).collect()
    }

    /// Tells whether some of `rows` may be places that no earlier part has.
    pub fn has_its_own(&self, rows: Range<u32>) -> bool {
        let Twins::Known(twins) = &self.twins else { return true };
        let at = |row: u32| twins.partition_point(|&(own, _)| own < row);
        at(rows.end) - at(rows.start) < rows.len()
    }

    /// Returns the row of the part's first place in the index.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Returns the row in the index of one of the part's rows: that of the first part which has the place, and not
    /// merely as a parent of others.
    pub fn in_index(&self, row: u32) -> u32 {
        let own = self.first + row;
        match &self.twins {
            Twins::Known(twins) => twins.binary_search_by_key(&row, |&(own, _)| own).map_or(own, |at| twins[at].1),
            Twins::ById(all) => first_row_of(all, self.places().id(row)).unwrap_or(own),
        }
    }

    /// Tells whether no earlier part has the place.
    pub fn is_its_own(&self, row: u32) -> bool {
        self.in_index(row) == self.first + row
    }
}

/// Returns the row in the index of the place with an id.
fn first_row_of(all: &[Placed], id: u64) -> Option<u32> {
    let mut bare = None;
    for Placed { file, first } in all {
        let Some(row) = file.places().row_of(id) else { continue };
        if !file.places().is_bare(row) {
            return Some(first + row);
        }
        bare = bare.or(Some(first + row));
    }
    bare
}

impl Opened {
    /// Reads the header; sections are not copied.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version.
    pub fn open(bytes: Bytes) -> Result<Self, OpenError> {
        format::verify(&bytes)?;
        Self::open_trusted(bytes)
    }

    /// Opens a file like [`Opened::open`], but skips the checksum.
    pub fn open_trusted(bytes: Bytes) -> Result<Self, OpenError> {
        let (header, sections) = format::open(bytes)?;
        let rows = header.rows();
        let layer = |layer| header.layer(layer);
        Ok(Self {
            places: Places::open(&header, &sections)?,
            usual: Names::open(&sections, names::USUAL, rows)?,
            alternates: Names::open(&sections, names::ALTERNATES, rows)?,
            sounds: Names::open(&sections, names::SOUNDS, rows)?,
            codes: Codes::open(&sections, rows)?,
            transliteration: Transliteration::open(&sections)?,
            spellings: SpellingTable::open(&sections)?,
            populated: Tiles::open(&sections, Section::PopulatedTiles, layer(Layer::Populated))?,
            sites: Tiles::open(&sections, Section::SiteTiles, layer(Layer::Sites))?,
            borders: Borders::open(&header, &sections)?,
            land: Land::open(sections.get(Section::Land))?,
            elsewhere: PlacesElsewhere::open(&sections)?,
            directory: sections.get(Section::Directory),
            translations: Translations::open(&header.languages, &sections)?,
            facts: FactColumns::open(&header, &sections)?,
            header,
        })
    }

    /// Returns title, date, attribution and country facts.
    pub fn about(&self) -> &About {
        &self.header.about
    }

    /// Returns the terms that name kinds, and the fillers.
    pub fn lexicon(&self) -> &Lexicon {
        &self.header.lexicon
    }

    /// Returns the number of places.
    pub fn rows(&self) -> u32 {
        self.header.rows()
    }

    /// Returns the rows of cities and quarters.
    pub fn populated_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Populated)
    }

    /// Returns the rows of airports, stations and landmarks.
    #[cfg(test)]
    pub fn site_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Sites)
    }

    /// Returns the rows of areas.
    pub fn area_rows(&self) -> Range<u32> {
        self.header.layer(Layer::Areas)
    }

    /// Returns the countries by number, sorted by code.
    pub fn countries(&self) -> &[Country] {
        &self.header.countries
    }

    /// Returns the number of a country, if the part knows it.
    pub fn country_number(&self, iso2: [u8; 2]) -> Option<u16> {
        self.header.countries.binary_search_by_key(&iso2, |country| country.iso2).ok().map(|at| at as u16)
    }

    /// Returns the kinds of the part's places, by number.
    pub fn kinds(&self) -> &[Kind] {
        &self.header.kinds
    }

    /// Tells whether the part has places of a type.
    pub fn has_type(&self, name: &str) -> bool {
        self.header.kinds.iter().any(|kind| kind.r#type == name)
    }

    /// Tells whether the part has a place, and not merely as a parent of others.
    pub fn has_whole(&self, id: u64) -> bool {
        self.places.row_of(id).is_some_and(|row| !self.places.is_bare(row))
    }

    /// Tells whether the part has places of a role.
    pub fn has(&self, role: Role) -> bool {
        self.header.kinds.iter().any(|kind| kind.role == role)
    }

    pub fn places(&self) -> &Places {
        &self.places
    }

    pub fn translations(&self) -> &Translations {
        &self.translations
    }

    pub fn facts(&self) -> &FactColumns {
        &self.facts
    }

    /// Returns the usual names: primary and English ones, as written.
    pub fn usual_names(&self) -> &Names {
        &self.usual
    }

    /// Returns the folded name with a number among the usual names, or among the alternates.
    pub fn folded_name(&self, is_alternate: bool, number: u32) -> Option<String> {
        if is_alternate { self.alternates.key(number) } else { self.usual.key(number) }
    }

    /// Returns the alternates: names of the other classes, as written.
    pub fn alternates(&self) -> &Names {
        &self.alternates
    }

    /// Returns the phonetic keys of names.
    pub fn sounds(&self) -> &Names {
        &self.sounds
    }

    /// Returns the places that have a code (upper case), each with the scheme.
    pub fn meanings(&self, code: &str) -> Vec<(CodeScheme, u32)> {
        self.codes.meanings(code)
    }

    /// Transliterates `text` to Latin; `None` if it is in Latin already, or has no character that the index can transliterate.
    pub fn transliterate(&self, text: &str) -> Option<String> {
        self.transliteration.latin(text)
    }

    /// Returns the Latin spellings of letters of other scripts.
    pub fn spellings(&self) -> &SpellingTable {
        &self.spellings
    }

    /// Returns the languages of the index that match a BCP 47 tag, the best first.
    pub fn languages(&self, tag: &str) -> Vec<Language> {
        self.translations.languages(tag)
    }

    /// Returns cities and quarters, by position.
    pub fn populated(&self) -> Points<'_> {
        Points::new(&self.populated, &self.places)
    }

    /// Returns airports, stations and landmarks, by position.
    pub fn sites(&self) -> Points<'_> {
        Points::new(&self.sites, &self.places)
    }

    /// Returns what the part knows of places of other pages.
    pub fn elsewhere(&self) -> &PlacesElsewhere {
        &self.elsewhere
    }

    /// Returns the encoded directory of pages; empty if there are none.
    pub fn directory(&self) -> &Bytes {
        &self.directory
    }

    /// Tells whether the part is the root of an index in pages.
    pub fn is_root(&self) -> bool {
        !self.directory.is_empty()
    }

    /// Tells whether the part has borders.
    pub fn has_borders(&self) -> bool {
        !self.borders.is_empty()
    }

    /// Returns the number of the country that contains a point; `None` at sea.
    pub fn country_at(&self, point: Coordinate) -> Option<u16> {
        self.borders.country_at(point)
    }

    /// Returns the id of the state that contains a point, if its border is known.
    pub fn state_at(&self, point: Coordinate) -> Option<u64> {
        self.borders.state_at(point)
    }

    /// Tells whether the borders of the part say in which country a point lies.
    pub fn covers(&self, point: Coordinate) -> bool {
        self.borders.covers(point)
    }

    /// Tells whether the borders of the part are those of a part of the globe.
    pub fn has_border_window(&self) -> bool {
        self.borders.has_window()
    }

    /// Tells whether the part knows where land is.
    pub fn has_land(&self) -> bool {
        !self.land.is_empty()
    }

    /// Tells whether a point is near land. Always true if the index has no land grid.
    pub fn is_near_land(&self, point: Coordinate) -> bool {
        self.land.is_near(point)
    }

    /// Returns a test of whether a row is of a country; `None` if no row is, because the part does not know the
    /// country.
    pub fn in_country(&self, country: Option<[u8; 2]>) -> Option<impl Fn(u32) -> bool> {
        let number = match country {
            Some(iso2) => Some(self.country_number(iso2)?),
            None => None,
        };
        Some(move |row| number.is_none_or(|number| self.places.country_number(row) == number))
    }

    /// Returns the cost of a place without any penalty.
    pub fn cost_of_importance(&self, row: u32) -> Cost {
        names::of_importance(self.places.importance(row))
    }

    /// Returns the cost of one of the part's postings without the penalties of a query.
    pub fn cost(&self, posting: Posting) -> Cost {
        self.cost_of_importance(posting.row) + names::of_class(posting.class)
    }
}
