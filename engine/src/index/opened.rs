//! An opened index: one segment, or several that answer together.
//!
//! A place is a row of a segment. A place that several segments have is one place: its names in every segment find it, and it
//! is shown as in the first that has it whole. Areas of a later segment lie in the areas of the first. Copies say the same of a
//! place: where it is, and what.

use std::sync::Arc;

use bytes::Bytes;

use super::format::{Country, OpenError};
use super::places::{Language, PlaceRef};
use super::scripts::Scripts;
use super::segment::{Index, Languages, Opened, RowId, Segment};
use super::vicinity::Vicinity;
use crate::geo::Coordinate;
use crate::record::{About, CodeScheme, Lexicon, Role};

impl Index {
    /// Reads the header; sections are not copied.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version, in one file.
    pub fn open(bytes: Bytes) -> Result<Self, OpenError> {
        Self::from_file(Opened::open(bytes)?)
    }

    /// Opens an index like [`Index::open`], but skips the checksum.
    pub fn open_trusted(bytes: Bytes) -> Result<Self, OpenError> {
        Self::from_file(Opened::open_trusted(bytes)?)
    }

    fn from_file(file: Opened) -> Result<Self, OpenError> {
        if file.is_root() {
            return Err(OpenError::InPages);
        }
        Ok(Self::from_files([Arc::new(file)]))
    }

    /// Creates the index of some files, the first first.
    pub fn from_files(files: impl IntoIterator<Item = Arc<Opened>>) -> Self {
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

    /// Iterates over the copies of all places.
    pub fn copies(&self) -> impl Iterator<Item = PlaceRef<'_>> {
        self.segments().flat_map(|segment| segment.copies(0..segment.file.rows()))
    }

    /// Iterates over all places, as the index shows them.
    pub fn places(&self) -> impl Iterator<Item = PlaceRef<'_>> {
        self.copies().filter(|copy| copy.as_shown().row == copy.row)
    }

    /// Returns what lies at a point and around it.
    pub fn vicinity(&self, point: Coordinate) -> Vicinity<'_> {
        Vicinity::new(self, point)
    }

    /// Returns the scripts that segments know in Latin letters.
    pub fn scripts(&self) -> Scripts<'_> {
        Scripts::new(self)
    }

    /// Tells whether a segment has borders.
    pub fn has_borders(&self) -> bool {
        self.files.iter().any(|file| !file.borders.is_empty())
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
            segment.file.places.existing_row(row).map(|row| segment.place(row))
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

    /// Returns the languages of each segment that match a BCP 47 tag.
    pub fn languages(&self, tag: Option<&str>) -> Languages {
        let Some(tag) = tag else { return Languages::default() };
        let of_segments: Vec<Vec<Language>> = self.files.iter().map(|file| file.translations.languages(tag)).collect();
        let pages = self.files.iter().zip(&of_segments).enumerate().filter(|(_, (file, _))| file.remote.has_names());
        let remote = pages.filter_map(|(at, (_, languages))| Some((at, *languages.first()?))).collect();
        Languages { of_segments, remote }
    }
}
