//! The table of sections: name, element type and meaning of each. Reader, writer, `inspect` and the list in `FORMAT.md`
//! all use it; `tests/format.rs` checks the last.

use bytes::Bytes;

use super::open_error::OpenError;

/// Type of the elements of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Bits, eight to a byte, the least significant first.
    Bit,
    /// Unsigned bytes.
    U8,
    /// Unsigned numbers of 16 bits.
    U16,
    /// Unsigned numbers of 32 bits.
    U32,
    /// Unsigned numbers of 64 bits.
    U64,
    /// Signed numbers of 32 bits.
    I32,
    /// Single-precision numbers.
    F32,
    /// Texts of UTF-8, each preceded by its length in one byte; no text twice.
    Text,
    /// A map of the fst crate.
    Fst,
}

impl Element {
    /// Returns the width of an element in bytes; 1 if elements have no fixed width.
    pub fn width(self) -> usize {
        match self {
            Self::Bit | Self::U8 | Self::Text | Self::Fst => 1,
            Self::U16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 => 8,
        }
    }

    /// Returns the name of the type in `FORMAT.md`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bit => "bit",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::Text => "text",
            Self::Fst => "fst",
        }
    }
}

/// Description of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionInfo {
    /// Name of the section.
    pub name: &'static str,
    /// Type of its elements.
    pub element: Element,
}

macro_rules! sections {
    ($($section:ident, $name:literal, $element:ident, $meaning:literal;)*) => {
        /// The sections, in the order of the file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(crate) enum Section {
            $(#[doc = $meaning] $section,)*
        }

        /// All sections, in the order of the file.
        pub const SECTIONS: &[SectionInfo] =
            &[$(SectionInfo { name: $name, element: Element::$element },)*];

        /// Meanings of the elements of all sections. They stand alone, so that who reads an index does not carry these texts.
        pub const MEANINGS: &[&str] = &[$($meaning,)*];
    };
}

sections! {
    Names, "names", Fst, "maps a folded name of class 0 or 1 to its number in the order of keys";
    NameCosts, "name costs", U8, "per name: cost of its cheapest posting, in steps of 349, rounded down";
    Postings, "postings", U32, "per name: one posting, or `2^31 + offset` of a list";
    PostingLists, "posting lists", U32, "length, then the postings, cheapest first";
    Alternates, "alternates", Fst, "as names, for names of class 2 or 3, without those that the place also has in class 0 or 1";
    AlternateCosts, "alternate costs", U8, "as name costs";
    AlternatePostings, "alternate postings", U32, "as postings";
    AlternateLists, "alternate lists", U32, "as posting lists";
    Codes, "codes", Fst, "maps code (A to Z, 0 to 9), 0, scheme, ordinal (u16 big-endian) to row";
    Latitude, "latitude", I32, "per row: 1e-5 degrees";
    Longitude, "longitude", I32, "per row: 1e-5 degrees";
    Importance, "importance", U16, "per row: 0 to 65535 for 0 to 1";
    Kind, "kind", U8, "per row: number in `kinds`";
    Country, "country", U16, "per row: number in `countries`";
    Parent, "parent", U32, "per row: row of the smallest place that contains it; 2^32 - 1: none";
    Id, "id", U64, "per row: place id, 1 to 2^53 - 1";
    Extent, "extent", U8, "per row: radius of the place, `20 m * 1.0513^n`";
    DisplayName, "display name", U32, "per row: offset in text";
    Text, "text", Text, "display names";
    BoundsRow, "bounds rows", U32, "rows with bounds of their own, ascending";
    Bounds, "bounds", I32, "four per such row: south, north, west, east in 1e-5 degrees; west > east crosses the date line";
    PopulatedTiles, "populated tiles", F32, "six per 64 populated rows: low and high corner of the bounding box of their unit vectors, rounded outwards";
    SiteTiles, "site tiles", F32, "the same per 64 sites; boxes include the extents of the sites";
    BorderVertices, "border vertices", I32, "two per vertex: latitude, longitude in 1e-5 degrees";
    BorderCells, "border cells", U32, "per cell of one degree, rows from the south pole, columns from 180 W: a cell word; empty without borders";
    BorderEdges, "border edges", U32, "lists of the cells that borders cross, and of those in several borders";
    Sounds, "sounds", Fst, "as names, for phonetic keys of names of important places (`text/sound.rs`)";
    SoundCosts, "sound costs", U8, "as name costs";
    SoundPostings, "sound postings", U32, "as postings";
    SoundLists, "sound lists", U32, "as posting lists";
    TransliterationChars, "transliterated characters", U32, "characters of other scripts with a Latin spelling, ascending";
    TransliterationOffsets, "transliteration offsets", U32, "per such character: offset in transliteration text";
    TransliterationText, "transliteration text", Text, "spellings in Latin letters";
    Land, "land", Bit, "per cell of 0.25 degrees, rows from the south pole, columns from 180 W: whether it is near land; empty: all cells are";
    TranslationRow, "translation rows", U32, "rows with names in other languages, ascending";
    TranslationStart, "translation starts", U32, "per such row: offset in translations of its first name; its last ends where those of the next row start";
    Translations, "translations", U8, "names in other languages, each with its languages";
    CapitalArea, "capital areas", U32, "rows of countries and states that have a capital, ascending";
    Capital, "capitals", U32, "per such row: row of its capital";
    SharedRegion, "shared regions", U32, "rows of regions, once per country beside that of the row, ascending";
    FurtherCountry, "further countries", U16, "per such row: number in `countries`, ascending per row";
    Population, "populations", U32, "per row of a city or quarter: inhabitants; 0: unknown; empty: all are";
    TimeZone, "time zones", U8, "per row: number among the time zones of its country, from 1; 0: unknown; empty: all are";
    TimeZoneCountry, "time zone countries", U16, "per time zone of a country: number in `countries`, ascending";
    TimeZoneName, "time zone names", U32, "per time zone of a country: offset in time zone text";
    TimeZoneText, "time zone text", Text, "IANA names";
    CodedRow, "coded rows", U32, "rows with codes, once per code, ascending; empty: codes are not shown";
    CodeOfRow, "codes of rows", U64, "per such: scheme in the lowest byte, then up to seven characters, padded with zeros";
    BorderState, "border states", U64, "per border after those of `borders`: id of its state";
    BorderWindow, "border window", U32, "first row, first column, rows and columns of the border cells; empty: those of the whole globe";
    RemoteParent, "remote parents", U64, "ids of parents that the root has, ascending; `parent` counts on from the number of rows";
    BareRow, "bare rows", U32, "rows that are only there as parents of others, ascending";
    RemoteId, "remote ids", U64, "ids of places of other pages, ascending";
    RemoteCurve, "remote cells", U32, "per such: position on the Hilbert curve; or empty";
    RemoteName, "remote names", U32, "per such: offset in translations of its name in the one language of the page, a text; or empty";
    NamedRow, "named rows", U32, "rows that have names in pages of languages, ascending";
    NamedLanguages, "named languages", U32, "per such: for each of these languages the bit xxh3-64(tag in lower case) modulo 32";
    Directory, "directory", U8, "postcard encoding of the directory of pages; empty: the file stands for itself";
    SpelledLetter, "spelled letters", U64, "letters of other scripts whose spellings are known, with what stands beside them, ascending";
    SpellingStart, "spelling starts", U32, "per such letter: offset in spellings of its first; its last ends where those of the next letter start";
    Spellings, "spellings", U8, "what letters stand for in Latin names: cost, number of letters, letters";
}

/// A section on its way into a file.
pub(crate) type EncodedSection = (Section, Vec<u8>);

/// The bytes of each section.
pub(crate) struct Sections(pub(super) Vec<Bytes>);

impl Sections {
    /// Checks the number of sections, and that each consists of complete elements.
    pub fn check(&self) -> Result<(), OpenError> {
        if self.0.len() != SECTIONS.len() {
            return Err(OpenError::Malformed("number of sections"));
        }
        let cut = self.0.iter().zip(SECTIONS).find(|(bytes, info)| bytes.len() % info.element.width() != 0);
        cut.map_or(Ok(()), |(_, info)| Err(OpenError::Malformed(info.name)))
    }

    pub fn get(&self, section: Section) -> Bytes {
        self.0[section as usize].clone()
    }
}
