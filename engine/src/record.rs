//! What an index is made of: the records a gazetteer hands to [`crate::index::write`].

use serde::{Deserialize, Serialize};

use crate::geo::{Bounds, Coordinate};
use crate::land_grid::LandGrid;

/// Everything an index holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gazetteer {
    /// The places, in any order; the order does not change the index.
    pub places: Vec<Record>,
    /// What describes the index as a whole.
    pub about: About,
    /// Words that are not names.
    pub lexicon: Lexicon,
    /// Where countries end. Without borders, reverse goes by the nearest place alone.
    pub borders: Vec<Border>,
    /// Where land is near; the default grid: everywhere.
    pub land: LandGrid,
    /// Capitals of countries and of states, in any order, one per area.
    pub capitals: Vec<Capital>,
    /// Latin spellings of characters of other scripts, sorted by character, each once; at most 255 bytes each.
    pub letters: Vec<(char, String)>,
}

/// The city from which a country or a state is governed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capital {
    /// Id of the country or state.
    pub area: u64,
    /// Id of the city.
    pub city: u64,
}

/// An area of one country. A country may have several; areas do not overlap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Border {
    /// ISO 3166-1 alpha-2, upper case.
    pub country: [u8; 2],
    /// Closed rings of straight edges in longitude and latitude that do not cross the date line: four points or more, of
    /// which the last repeats the first. Inside is what an odd number of rings holds, so holes are rings like others.
    pub rings: Vec<Vec<Coordinate>>,
}

/// Words of a query that are not names, folded, each once in its list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lexicon {
    /// Sorted by word: words that say what is looked for, in any language, with the roles they stand for, one or more:
    /// `airport`, `gare`, `province`.
    pub kinds: Vec<(String, Vec<Role>)>,
    /// Sorted: words that carry nothing by themselves: `of`, `de`, `near`.
    pub fillers: Vec<String>,
}

/// What describes an index as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// Name of the data set: `default`, or the operator's own.
    pub title: String,
    /// Oldest date among the sources that have one, `YYYY-MM-DD`: no dated source is older. Never the day of the build, so
    /// that a rebuild gives the same bytes.
    pub data_date: String,
    /// The data sets that the index was made of.
    pub made_of: Vec<DataSet>,
    /// One line per source that must be credited.
    pub attribution: Vec<String>,
    /// Continent and population of each country, for the figures of [`crate::coverage`].
    pub countries: Vec<CountryFacts>,
}

/// One of the data sets that an index was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataSet {
    /// What it holds, or the name of an operator's file.
    pub title: String,
    /// Version of its package; empty for a file.
    pub version: String,
    /// `YYYY-MM-DD`; empty if unknown.
    pub date: String,
}

/// The continents, as GeoNames counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Continent {
    /// With its islands in the Indian Ocean and the Atlantic.
    Africa,
    /// Counts in no figure: it has no population.
    Antarctica,
    /// With the Middle East and Turkey.
    Asia,
    /// With Russia as a whole.
    Europe,
    /// With Central America and the Caribbean.
    NorthAmerica,
    /// Australia and the islands of the Pacific.
    Oceania,
    /// From Colombia to Cape Horn.
    SouthAmerica,
}

/// What the sources tell of a country as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountryFacts {
    /// ISO 3166-1 alpha-2, upper case.
    pub code: [u8; 2],
    /// Where it counts.
    pub continent: Continent,
    /// People.
    pub population: u64,
}

/// One place.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Made from the source's own id; below 2^53, unique, and never 0.
    pub id: u64,
    /// What it is.
    pub kind: Kind,
    /// The first is the display name; all can be searched.
    pub names: Vec<Name>,
    /// Codes that are exact keys: IATA, ICAO, ISO 3166.
    pub codes: Vec<Code>,
    /// The centre.
    pub position: Coordinate,
    /// Id of the smallest area or city that holds it; `None` for a country.
    pub parent: Option<u64>,
    /// ISO 3166-1 alpha-2, upper case.
    pub country: [u8; 2],
    /// 0 to 1, comparable over all kinds.
    pub importance: f64,
    /// How far from the centre the place reaches, in metres.
    pub extent_m: f64,
    /// Where a source or the members of an area give one; else derived from `extent_m`.
    pub bounds: Option<Bounds>,
}

/// Category and type of the contract, and the part the place plays in a hierarchy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Kind {
    /// What the engine does with it.
    pub role: Role,
    /// `place`, `boundary`, `aeroway`, `railway`, `tourism`.
    pub category: String,
    /// `city`, `state`, `aerodrome`, `museum`.
    pub r#type: String,
}

/// The part a place plays in a hierarchy, from the largest to the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// Has an ISO 3166-1 code.
    Country,
    /// First-level division.
    State,
    /// Second-level division.
    County,
    /// City, town or village.
    City,
    /// Part of a city.
    Quarter,
    /// Airport or aerodrome.
    Airport,
    /// Railway station.
    Station,
    /// Monument, museum, park and the like.
    Landmark,
}

impl Role {
    /// Whether the place is an area without a point of its own: it is found by name and as a parent, not by reverse.
    pub fn is_area(self) -> bool {
        matches!(self, Self::Country | Self::State | Self::County)
    }
}

/// One name of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it is written, with its capitals and marks.
    pub text: String,
    /// How well it stands for the place.
    pub class: NameClass,
    /// BCP 47 language, where a source tells it.
    pub lang: Option<String>,
}

/// How well a name stands for its place: a worse class costs more, so that it never pushes aside a better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NameClass {
    /// The display name, an official or local name.
    Primary,
    /// English, or a spelling of the primary name in other letters (without marks, with `ue` for `ü`).
    English,
    /// Another language, or one that no source tells.
    Other,
    /// Historic, short, colloquial, or a machine's transliteration.
    Weak,
}

impl NameClass {
    /// Whether such a name is not what the place is usually called.
    pub fn is_alternate(self) -> bool {
        self >= Self::Other
    }
}

/// A code that stands for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Which list it belongs to.
    pub scheme: CodeScheme,
    /// A to Z and 0 to 9, without separators: `CDG`, `LFPG`, `FR`, `FRA`, `TX`.
    pub text: String,
}

/// The lists of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CodeScheme {
    /// ISO 3166-1, two letters.
    Iso2,
    /// ISO 3166-1, three letters.
    Iso3,
    /// The part of an ISO 3166-2 code behind the hyphen, or a country's postal code of its states.
    State,
    /// IATA airport code, three letters; for a metropolitan code, every airport of it.
    Iata,
    /// ICAO airport code, four letters.
    Icao,
}
