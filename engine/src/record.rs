//! The input of an index: places, borders and word lists, as [`crate::index::write`] takes them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::geo::{Bounds, Coordinate};
use crate::land_grid::LandGrid;

/// Everything an index holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gazetteer {
    /// The places, in any order; the order does not change the index.
    pub places: Vec<Record>,
    /// Title, date, attribution and country facts.
    pub about: About,
    /// Terms that are not names.
    pub lexicon: Lexicon,
    /// Borders of countries and of states, in any order. Without those of countries, reverse uses the nearest place only.
    pub borders: Vec<Border>,
    /// Cells of the globe that are near land. With the default grid, every cell is.
    pub land: LandGrid,
    /// Capitals of countries and of states, in any order, one per area.
    pub capitals: Vec<Capital>,
    /// Countries of regions beside the one of their record, in any order.
    pub further_countries: Vec<FurtherCountry>,
    /// Facts of places that are shown on request, in any order, at most one per place.
    pub facts: Vec<PlaceFacts>,
    /// Latin spellings of characters of other scripts: sorted, without duplicates, each at most 255 bytes long.
    pub transliteration: Vec<(char, String)>,
    /// Spellings that letters of other scripts stand for in names: sorted by letter, then by what stands beside it, without
    /// duplicates.
    pub spellings: Vec<Spellings>,
}

/// Spellings in Latin names that a letter of another script stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spellings {
    /// The letter.
    pub letter: char,
    /// Beside what it stands for these.
    pub beside: Beside,
    /// At least one, the most likely first; of equally likely ones the first in the alphabet.
    pub all: Vec<Spelling>,
}

/// Tells whether the names of a place are kept from the learning of spellings, to test with: those of one place in ten, by a
/// hash of its id.
pub fn is_held_out(place: u64) -> bool {
    const ONE_IN: u64 = 10;
    xxh3_64(&place.to_le_bytes()).is_multiple_of(ONE_IN)
}

/// Neighbour of a letter: another letter, or a space, which also stands at both ends of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Beside {
    /// Anything.
    Anything,
    /// The letter stands before this one.
    Before(char),
    /// The letter stands after this one.
    After(char),
}

/// Latin letters that a letter of another script stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spelling {
    /// Improbability of the spelling: `-16 ln p`.
    pub cost: u8,
    /// At most [`crate::index::MAX_SPELLING`] letters from a to z, and digits; none for a silent letter.
    pub latin: String,
}

/// The capital of a country or a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capital {
    /// Id of the country or state.
    pub area: u64,
    /// Id of the city.
    pub city: u64,
}

/// A country that a region also lies in: the Alps, of France, lie in Switzerland too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FurtherCountry {
    /// Id of the region.
    pub region: u64,
    /// ISO 3166-1 alpha-2, upper case.
    pub country: [u8; 2],
}

/// Facts of a place that are shown on request. Unknown facts are left out, never guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceFacts {
    /// Id of the place.
    pub place: u64,
    /// Number of inhabitants of a city or quarter. Those of a country are in [`CountryFacts`]; of other places none are stored.
    pub population: Option<u32>,
    /// Name in the time zone database of IANA: `Europe/Paris`.
    pub time_zone: Option<Arc<str>>,
    /// Codes that are shown, the place's own before those that it shares, each with at most seven characters. The codes of
    /// [`Record`] find the place and are not shown by themselves, because a small pack does without this.
    pub codes: Vec<Code>,
}

/// Area that a border goes around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bordered {
    /// A country: ISO 3166-1 alpha-2, upper case.
    Country([u8; 2]),
    /// A state, by its id.
    State(u64),
}

/// The border of a country or a state. One may have several; the areas inside those of two countries, or of two states, do
/// not overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// The country or state.
    pub of: Bordered,
    /// Closed rings of at least four points, the last equal to the first. Edges are straight in longitude and latitude and
    /// do not cross the date line. A point is inside if an odd number of rings contain it, so a hole is another ring.
    pub rings: Vec<Vec<Coordinate>>,
}

impl Border {
    /// Returns the country that the border goes around.
    pub fn country(&self) -> Option<[u8; 2]> {
        match self.of {
            Bordered::Country(code) => Some(code),
            Bordered::State(_) => None,
        }
    }

    /// Returns the id of the state that the border goes around.
    pub fn state(&self) -> Option<u64> {
        match self.of {
            Bordered::State(id) => Some(id),
            Bordered::Country(_) => None,
        }
    }
}

/// Terms of a query that are not names: folded, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lexicon {
    /// Terms that name a kind of place, in any language, each with one or more roles: `airport`, `gare`, `province`. Sorted
    /// by term.
    pub kinds: Vec<(String, Vec<Role>)>,
    /// Terms without a meaning of their own: `of`, `de`, `near`. Sorted.
    pub fillers: Vec<String>,
    /// Terms that ask for landmarks of a type, in any language: `zoo`, `duomo` and `place_of_worship`. Sorted by term.
    pub types: Vec<(String, String)>,
}

impl Lexicon {
    /// Returns the types of landmarks that a term asks for, or that one which begins with it does.
    pub(crate) fn types_of(&self, term: &str, is_beginning: bool) -> Vec<String> {
        let from = self.types.partition_point(|(word, _)| word.as_str() < term);
        let behind = self.types[from..].iter();
        let fitting = behind.take_while(|(word, _)| if is_beginning { word.starts_with(term) } else { word == term });
        fitting.map(|(_, of_type)| of_type.clone()).collect()
    }
}

/// Metadata of an index.
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
    /// Facts about each country, for [`crate::coverage`].
    pub countries: Vec<CountryFacts>,
}

/// One of the data sets that an index was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataSet {
    /// Contents of the data set, or the name of an operator's file.
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
    /// Includes its islands in the Indian Ocean and the Atlantic.
    Africa,
    /// Left out of all coverage figures, because it has no population.
    Antarctica,
    /// Includes the Middle East and Turkey.
    Asia,
    /// Includes all of Russia.
    Europe,
    /// Includes Central America and the Caribbean.
    NorthAmerica,
    /// Australia and the islands of the Pacific.
    Oceania,
    /// From Colombia to Cape Horn.
    SouthAmerica,
}

/// Facts about a country, for [`crate::coverage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountryFacts {
    /// ISO 3166-1 alpha-2, upper case.
    pub code: [u8; 2],
    /// The continent it is counted in.
    pub continent: Continent,
    /// Number of inhabitants.
    pub population: u64,
    /// Number of inhabitants of its cities, towns and villages among the places; at most `population`. Quarters are counted
    /// with their city.
    pub people_in_places: u64,
    /// Number of its cities among the places; its largest town counts as one if it has no other.
    pub cities: u32,
    /// Number of these cities that have an airport, station or landmark nearby.
    pub cities_with_sites: u32,
}

/// The country of places that lie in none, such as a sea: the code that Unicode CLDR gives to an unknown territory.
pub const NO_COUNTRY: [u8; 2] = *b"ZZ";

/// One place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Derived from the id in the source: unique, from 1 to 2^53 - 1.
    pub id: u64,
    /// Role, category and type.
    pub kind: Kind,
    /// All names that the place can be found by. The first is the display name.
    pub names: Vec<Name>,
    /// IATA, ICAO and ISO 3166 codes, which match exactly.
    pub codes: Vec<Code>,
    /// The centre.
    pub position: Coordinate,
    /// Id of the smallest area or city that contains the place; `None` for a country.
    pub parent: Option<u64>,
    /// ISO 3166-1 alpha-2, upper case; [`NO_COUNTRY`] for a place in none.
    pub country: [u8; 2],
    /// 0 to 1, on one scale for all kinds.
    pub importance: f64,
    /// Radius of the place around its centre, in metres.
    pub extent_m: f64,
    /// The bounding box, if a source or the members of an area give one; otherwise derived from `extent_m`.
    pub bounds: Option<Bounds>,
}

/// Category and type of the contract, and the role of the place in the hierarchy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Kind {
    /// Role by which the engine treats the place.
    pub role: Role,
    /// `place`, `boundary`, `aeroway`, `railway`, `tourism`, `natural`, `water` or `waterway`.
    pub category: String,
    /// `city`, `state`, `aerodrome`, `museum`.
    pub r#type: String,
}

/// The role of a place in the hierarchy, from the largest to the smallest.
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
    /// Continent, range, island, river, sea and the like: no division, and of no, one or several countries.
    Region,
    /// Postal code: found by name, but neither a context nor an answer of reverse.
    Postcode,
}

impl Role {
    /// Every role, from the largest to the smallest.
    pub const ALL: [Self; 10] = [
        Self::Country,
        Self::State,
        Self::County,
        Self::City,
        Self::Quarter,
        Self::Airport,
        Self::Station,
        Self::Landmark,
        Self::Region,
        Self::Postcode,
    ];

    /// Returns the name of the role in filters and tables: `country`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Country => "country",
            Self::State => "state",
            Self::County => "county",
            Self::City => "city",
            Self::Quarter => "quarter",
            Self::Airport => "airport",
            Self::Station => "station",
            Self::Landmark => "landmark",
            Self::Region => "region",
            Self::Postcode => "postcode",
        }
    }

    /// Finds the role with a name.
    ///
    /// # Example: read the name of a role
    ///
    /// ```
    /// use toponym_engine::Role;
    ///
    /// assert_eq!(Role::from_name("airport"), Some(Role::Airport));
    /// assert_eq!(Role::from_name("casino"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Tells whether other places can lie in a place of this role.
    pub fn contains_others(self) -> bool {
        self <= Self::City || self == Self::Region
    }

    /// Tells whether the place is an area. Areas are found by name and as parents; reverse does not search for them.
    pub fn is_area(self) -> bool {
        matches!(self, Self::Country | Self::State | Self::County | Self::Region)
    }
}

/// One name of a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name {
    /// The name as written, with capitals and diacritics.
    pub text: String,
    /// Quality of the name.
    pub class: NameClass,
    /// BCP 47 language, if known.
    pub lang: Option<String>,
}

/// Quality of a name of a place. A worse class costs more, so that it does not displace a better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NameClass {
    /// The display name, or an official or local name.
    Primary,
    /// English, or a variant spelling of the primary name (without diacritics, with `ue` for `ü`).
    English,
    /// Another language, or an unknown one.
    Other,
    /// Historic, short, colloquial, or transliterated by a program.
    Weak,
}

impl NameClass {
    /// Tells whether the name is an alternate: not the usual name of the place.
    pub fn is_alternate(self) -> bool {
        self >= Self::Other
    }
}

/// A code of a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// The list of codes it belongs to.
    pub scheme: CodeScheme,
    /// A to Z and 0 to 9, without separators: `CDG`, `LFPG`, `FR`, `FRA`, `TX`.
    pub text: String,
}

impl Code {
    /// Tells whether the text of a code is all letters. Some codes of states have digits, and nobody writes those beside a
    /// city: `Paris 13` is not Paris in Tokyo, `JP-13`.
    pub fn is_word(text: &str) -> bool {
        text.bytes().all(|byte| byte.is_ascii_alphabetic())
    }
}

/// The lists of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CodeScheme {
    /// ISO 3166-1, two letters.
    Iso2,
    /// ISO 3166-1, three letters.
    Iso3,
    /// The part of an ISO 3166-2 code after the hyphen. Texts are only searched for those of letters, which are often postal
    /// codes too.
    State,
    /// IATA airport code, three letters. A metropolitan code is a code of each of its airports.
    Iata,
    /// ICAO airport code, four letters.
    Icao,
}
