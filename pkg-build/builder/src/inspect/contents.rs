//! Reads an index as `FORMAT.md` describes it. Only the frame is read by the engine, so that this module can report
//! what the engine silently tolerates.

use std::collections::BTreeSet;

use bytes::Bytes;
use fst::{Map, Streamer};
use serde::Deserialize;
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::index::{OpenError, sections};
use toponym_engine::{About, CodeScheme, Kind, Lexicon, NameClass, Role};

/// Length of the frame before the header.
const FRAME: usize = 32;

/// Ratio and floor of stored extents, in metres.
const EXTENT_FLOOR_M: f64 = 20.0;
const EXTENT_RATIO: f64 = 1.0513;

/// The value for "none" in columns of rows.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// A posting holds a row with the name class above it, or the offset of a list.
const ROW_MASK: u32 = (1 << 28) - 1;
const CLASS_SHIFT: u32 = 28;
const LIST: u32 = 1 << 31;

/// The header of the file, which describes the other sections.
#[derive(Deserialize)]
pub(crate) struct Header {
    pub about: About,
    pub lexicon: Lexicon,
    pub populated: u32,
    pub sites: u32,
    pub areas: u32,
    pub kinds: Vec<Kind>,
    /// Code and row of each country.
    pub countries: Vec<([u8; 2], u32)>,
    /// Position in `countries` of the country of each border.
    pub borders: Vec<u16>,
    pub languages: Vec<String>,
}

/// An index opened for inspection.
pub struct Contents {
    file: Bytes,
    pub(crate) header: Header,
    sections: Vec<(&'static str, Bytes)>,
}

impl Contents {
    /// Opens an index file.
    ///
    /// # Errors
    /// When the bytes are not a complete, undamaged index of this version.
    ///
    /// # Example: list the places of an index
    ///
    /// ```
    /// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
    /// use toponym_builder::inspect::Contents;
    ///
    /// let index = Contents::open(bytes)?;
    /// let names: Vec<&str> = (0..index.rows()).filter_map(|row| index.display_name(row)).collect();
    /// assert!(names.contains(&"Montmartre") && names.len() == 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(file: impl Into<Bytes>) -> Result<Self, OpenError> {
        let file = file.into();
        let sections = sections(file.clone())?;
        let header = sections.first().and_then(|(_, header)| header.get(FRAME..)).unwrap_or_default();
        let (header, _) = postcard::take_from_bytes(header).map_err(|_| OpenError::Malformed("header"))?;
        Ok(Self { file, header, sections })
    }

    /// Returns the bytes of the file.
    pub fn file(&self) -> Bytes {
        self.file.clone()
    }

    /// Returns the sections of the file with their bytes, the header first.
    ///
    /// # Example: find the largest section
    ///
    /// ```
    /// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
    /// # let index = toponym_builder::inspect::Contents::open(bytes)?;
    /// let (name, bytes) = index.sections().iter().max_by_key(|(_, bytes)| bytes.len()).unwrap();
    /// assert!(bytes.len() < index.file().len(), "{name}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sections(&self) -> &[(&'static str, Bytes)] {
        &self.sections
    }

    /// Returns what the index says about itself.
    pub fn about(&self) -> &About {
        &self.header.about
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u32 {
        self.header.populated + self.header.sites + self.header.areas
    }

    /// Returns the bytes of a section.
    pub(crate) fn bytes(&self, name: &str) -> &[u8] {
        self.sections.iter().find(|(section, _)| *section == name).map_or(&[], |(_, bytes)| bytes)
    }

    /// Returns a section of numbers; trailing bytes that do not fill a number are ignored.
    pub(crate) fn column<T: Word>(&self, name: &str) -> Column<'_, T> {
        Column { bytes: self.bytes(name), word: std::marker::PhantomData }
    }

    /// Returns the text at `offset` of a section, stored after a length byte.
    pub(crate) fn text(&self, name: &str, offset: u32) -> Option<&str> {
        let bytes = self.bytes(name);
        let start = offset as usize + 1;
        let length = usize::from(*bytes.get(start - 1)?);
        std::str::from_utf8(bytes.get(start..start + length)?).ok()
    }

    /// Reads the names in other languages; `None` where one cannot be read, which ends those of its row.
    pub(crate) fn translations(&self) -> Vec<Translation<'_>> {
        let rows = self.column::<u32>("translation rows");
        let starts = self.column::<u32>("translation starts");
        let bytes = self.bytes("translations");
        let ends = starts.iter().skip(1).map(|start| start as usize).chain([bytes.len()]);
        let mut found = Vec::new();
        for ((row, start), end) in rows.iter().zip(starts.iter()).zip(ends) {
            let mut rest = bytes.get(start as usize..end);
            while let Some(entry) =
                rest.filter(|rest| !rest.is_empty() || found.last().is_none_or(|last: &Translation| last.row != row))
            {
                let read = read_translation(entry);
                let languages = read.as_ref().map(|(languages, ..)| languages.clone()).unwrap_or_default();
                found.push(Translation { row, languages, name: read.as_ref().map(|(_, name, _)| *name) });
                rest = read.map(|(.., rest)| rest);
            }
        }
        found
    }

    /// Opens an fst section.
    pub(crate) fn map(&self, name: &str) -> Option<Map<&[u8]>> {
        Map::new(self.bytes(name)).ok()
    }

    /// Finds the row of the place with this id.
    ///
    /// # Example: look up a place by its id
    ///
    /// ```
    /// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
    /// # let index = toponym_builder::inspect::Contents::open(bytes)?;
    /// let row = index.row_of(2_988_507).unwrap();
    /// assert_eq!((index.display_name(row), index.country(row)), (Some("Paris"), Some(*b"FR")));
    /// assert_eq!(index.row_of(1), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn row_of(&self, id: u64) -> Option<u32> {
        self.column::<u64>("id").iter().zip(0..).find(|(other, _)| *other == id).map(|(_, row)| row)
    }

    /// Returns the id of a place.
    pub fn id(&self, row: u32) -> Option<u64> {
        self.column::<u64>("id").get(row)
    }

    /// Finds the rows that match a folded name.
    pub(crate) fn rows_named(&self, name: &str) -> Vec<u32> {
        let of_table = |table: Table| {
            let id = self.map(table.keys).and_then(|map| map.get(name)).and_then(|id| u32::try_from(id).ok());
            id.and_then(|id| self.postings(table, id)).unwrap_or_default()
        };
        [NAMES, ALTERNATES].into_iter().flat_map(of_table).map(|(row, _)| row).collect()
    }

    /// Returns the codes of the countries that are places of the index.
    pub(crate) fn known_countries(&self) -> BTreeSet<[u8; 2]> {
        self.header.countries.iter().filter(|(_, row)| *row != NO_ROW).map(|(code, _)| *code).collect()
    }

    /// Iterates over ids and display names of the countries that are places of the index.
    pub(crate) fn country_ids(&self) -> impl Iterator<Item = (u64, String)> {
        let rows = self.header.countries.iter().filter(|(_, row)| *row != NO_ROW);
        let id = |row: u32| self.column::<u64>("id").get(row);
        rows.filter_map(move |&(_, row)| Some((id(row)?, self.display_name(row)?.to_owned())))
    }

    /// Returns the display name of a place.
    pub fn display_name(&self, row: u32) -> Option<&str> {
        self.text("text", self.column::<u32>("display name").get(row)?)
    }

    pub(crate) fn kind(&self, row: u32) -> Option<&Kind> {
        self.header.kinds.get(usize::from(self.column::<u8>("kind").get(row)?))
    }

    /// Returns the role of a place.
    ///
    /// # Example: list the airports of an index
    ///
    /// ```
    /// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
    /// # let index = toponym_builder::inspect::Contents::open(bytes)?;
    /// use toponym_engine::Role;
    ///
    /// let airports = (0..index.rows()).filter(|&row| index.role(row) == Some(Role::Airport));
    /// let names: Vec<&str> = airports.filter_map(|row| index.display_name(row)).collect();
    /// assert_eq!(names, ["Paris Charles de Gaulle Airport"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn role(&self, row: u32) -> Option<Role> {
        Some(self.kind(row)?.role)
    }

    /// Returns the country of a place, as ISO 3166-1 alpha-2.
    pub fn country(&self, row: u32) -> Option<[u8; 2]> {
        let number = self.column::<u16>("country").get(row)?;
        Some(self.header.countries.get(usize::from(number))?.0)
    }

    /// Reads the codes of all places: row, scheme and text.
    pub fn codes(&self) -> Vec<(u32, CodeScheme, String)> {
        let mut found = Vec::new();
        self.each_key("codes", |key, row| {
            let place = u32::try_from(row).ok().zip(code_of(key));
            found.extend(place.map(|(row, (text, scheme))| (row, scheme, text.to_owned())));
        });
        found
    }

    /// Returns the centre of a place, if it is in range.
    pub fn position(&self, row: u32) -> Option<Coordinate> {
        let degrees = |name| Some(degrees(self.column::<i32>(name).get(row)?));
        Coordinate::new(degrees("latitude")?, degrees("longitude")?)
    }

    pub(crate) fn parent(&self, row: u32) -> Option<u32> {
        self.column::<u32>("parent").get(row).filter(|&parent| parent != NO_ROW)
    }

    pub(crate) fn extent_m(&self, row: u32) -> Option<f64> {
        Some(EXTENT_FLOOR_M * EXTENT_RATIO.powi(i32::from(self.column::<u8>("extent").get(row)?)))
    }

    /// Returns the importance of a place, 0 to 1.
    pub(crate) fn importance(&self, row: u32) -> Option<f64> {
        Some(f64::from(self.column::<u16>("importance").get(row)?) / f64::from(u16::MAX))
    }

    /// Returns the stored bounds of a place, if it has any.
    pub(crate) fn bounds(&self, row: u32) -> Option<Bounds> {
        let at = self.column::<u32>("bounds rows").iter().position(|other| other == row)?;
        let sides = self.column::<i32>("bounds");
        let side = |side: usize| Some(degrees(sides.get(u32::try_from(4 * at + side).ok()?)?));
        Some(Bounds { south: side(0)?, north: side(1)?, west: side(2)?, east: side(3)? })
    }

    /// Iterates over the rows of areas with the rows of their capitals.
    pub(crate) fn capitals(&self) -> impl Iterator<Item = (u32, u32)> {
        self.column::<u32>("capital areas").iter().zip(self.column::<u32>("capitals").iter())
    }

    /// Iterates over the rows of regions with the numbers of their further countries.
    pub(crate) fn further_countries(&self) -> impl Iterator<Item = (u32, u16)> {
        self.column::<u32>("shared regions").iter().zip(self.column::<u16>("further countries").iter())
    }

    /// Reads the postings of a name of a table: the rows with the class of the name. `None` if the list lies outside
    /// the section.
    pub(crate) fn postings(&self, table: Table, id: u32) -> Option<Vec<(u32, Option<NameClass>)>> {
        let word = self.column::<u32>(table.postings).get(id)?;
        if word & LIST == 0 {
            return Some(vec![decode(word)]);
        }
        let lists = self.column::<u32>(table.lists);
        let offset = word & !LIST;
        let length = lists.get(offset)?;
        (1..=length).map(|step| lists.get(offset.checked_add(step)?).map(decode)).collect()
    }

    /// Calls `see` with every key of an fst section and its value.
    pub(crate) fn each_key(&self, name: &str, mut see: impl FnMut(&[u8], u64)) {
        let Some(map) = self.map(name) else { return };
        let mut stream = map.stream();
        while let Some((key, value)) = stream.next() {
            see(key, value);
        }
    }
}

fn decode(word: u32) -> (u32, Option<NameClass>) {
    (word & ROW_MASK, class(word >> CLASS_SHIFT & 7))
}

/// The four sections of a table of names.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    pub keys: &'static str,
    pub costs: &'static str,
    pub postings: &'static str,
    pub lists: &'static str,
    /// True if its names are alternates; `None` if it holds names of all classes.
    pub alternates: Option<bool>,
}

/// Names of the better classes, as written.
pub(crate) const NAMES: Table =
    Table { keys: "names", costs: "name costs", postings: "postings", lists: "posting lists", alternates: Some(false) };

/// Names of the other classes, as written.
pub(crate) const ALTERNATES: Table = Table {
    keys: "alternates",
    costs: "alternate costs",
    postings: "alternate postings",
    lists: "alternate lists",
    alternates: Some(true),
};

/// Phonetic forms of the names.
pub(crate) const SOUNDS: Table =
    Table { keys: "sounds", costs: "sound costs", postings: "sound postings", lists: "sound lists", alternates: None };

fn class(number: u32) -> Option<NameClass> {
    [NameClass::Primary, NameClass::English, NameClass::Other, NameClass::Weak].get(number as usize).copied()
}

/// Reads code and scheme from a key of the codes section, which ends with an ordinal.
pub(crate) fn code_of(key: &[u8]) -> Option<(&str, CodeScheme)> {
    use CodeScheme::{Iata, Icao, Iso2, Iso3, State};
    let end = key.iter().position(|&byte| byte == 0)?;
    let scheme =
        [Iso2, Iso3, State, Iata, Icao].into_iter().find(|&scheme| Some(&(scheme as u8)) == key.get(end + 1))?;
    (key.len() == end + 4).then_some((std::str::from_utf8(&key[..end]).ok()?, scheme))
}

/// Converts a stored coordinate to degrees.
pub(crate) fn degrees(stored: i32) -> f64 {
    f64::from(stored) / 1e5
}

/// A section of little-endian numbers.
#[derive(Clone, Copy)]
pub(crate) struct Column<'b, T> {
    bytes: &'b [u8],
    word: std::marker::PhantomData<T>,
}

impl<'b, T: Word> Column<'b, T> {
    pub fn len(self) -> usize {
        self.bytes.len() / size_of::<T>()
    }

    pub fn get(self, row: u32) -> Option<T> {
        let start = row as usize * size_of::<T>();
        self.bytes.get(start..start + size_of::<T>()).map(T::from_bytes)
    }

    pub fn iter(self) -> impl Iterator<Item = T> + use<'b, T> {
        self.bytes.chunks_exact(size_of::<T>()).map(T::from_bytes)
    }
}

/// A number type of a column.
pub(crate) trait Word: Copy {
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! word {
    ($($number:ty),*) => {$(
        impl Word for $number {
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("chunks have the width of the number"))
            }
        }
    )*};
}

word!(u8, u16, u32, u64, i32, f32);

/// A name of a row in some languages.
pub(crate) struct Translation<'i> {
    pub row: u32,
    /// Numbers in `languages`.
    pub languages: Vec<u16>,
    pub name: Option<&'i str>,
}

/// Reads one name with its languages, as FORMAT.md describes them. Returns what is behind it too.
fn read_translation(bytes: &[u8]) -> Option<(Vec<u16>, &str, &[u8])> {
    let (&length, rest) = bytes.split_first()?;
    let (list, rest) = rest.split_at_checked(usize::from(length))?;
    let mut languages = Vec::new();
    let mut list = list.iter();
    while let Some(&first) = list.next() {
        languages.push(if first < 0x80 {
            first.into()
        } else {
            u16::from(first - 0x80) << 8 | u16::from(*list.next()?)
        });
    }
    let (&length, rest) = rest.split_first()?;
    let (name, rest) = rest.split_at_checked(usize::from(length))?;
    Some((languages, std::str::from_utf8(name).ok()?, rest))
}
