//! The common row types of all sources, from which the gazetteer is merged.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toponym_engine::NameClass;
use toponym_engine::coverage::Continent;
use toponym_engine::geo::{Bounds, Coordinate};

use crate::feature::Feature;
use crate::importance;

/// ISO 3166-1 alpha-2, upper case.
pub(crate) type Iso2 = [u8; 2];

/// A name with the language given by its source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Tagged {
    /// BCP 47. Empty for a weak name of unknown language.
    pub lang: String,
    pub text: String,
}

/// A tagged name and its usage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RankedName {
    pub name: Tagged,
    pub usage: Usage,
}

/// Use of a name among the names of its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Usage {
    /// The name to display.
    Preferred,
    /// One of several.
    Usual,
    /// Historic, short or colloquial.
    Weak,
}

/// The origin of a row, preferred first: if two sources hold the same place, the data of the earlier origin is kept,
/// and the names of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    /// An imported file in the project's own schema.
    Operator,
    /// `data/curated`.
    Curated,
    /// An imported file in another format.
    Added,
    /// A package of `data/sources.toml`.
    Pinned,
}

/// A city, town, village or part of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settlement {
    /// Place id: the GeoNames id, or a hash of the operator's id.
    pub id: u64,
    pub name: String,
    /// Names of unknown language.
    pub alternates: Vec<String>,
    /// Names of known language.
    pub tagged: Vec<Tagged>,
    /// Names of known language and use.
    pub ranked: Vec<RankedName>,
    pub position: Coordinate,
    pub country: Iso2,
    /// GeoNames codes of the divisions; empty if unknown. Shared like the zone: millions of rows have only thousands of
    /// values.
    pub admin1: Arc<str>,
    pub admin2: Arc<str>,
    pub feature: Feature,
    /// 0 where unknown.
    pub population: u64,
    /// The population that its type or prominence stands for, if nobody has counted its people: it ranks by this number, and is not
    /// said to have it. 0 for none.
    pub counts_as: u64,
    /// Time zone name of the tz database.
    pub timezone: Arc<str>,
    /// Bounds, if the source has its shape. Boxed: few of millions of rows have it.
    pub bounds: Option<Box<Bounds>>,
    /// True if an operator wrote its name, which is shown as it is. Names of other sources say more than the name.
    pub has_own_name: bool,
}

impl Settlement {
    /// Returns the settlement's own importance, from 0 to 1.
    pub fn importance(&self) -> f64 {
        importance::settlement(self.people(), self.feature, self.alternates.len())
    }

    /// Returns the population that it ranks by.
    pub fn people(&self) -> u64 {
        if self.population > 0 { self.population } else { self.counts_as }
    }
}

/// A country or territory with an ISO 3166-1 code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Country {
    pub iso2: Iso2,
    pub iso3: String,
    /// GeoNames id.
    pub id: u64,
    /// English.
    pub name: String,
    /// Name of the capital in English, as in the source.
    pub capital: String,
    pub area_km2: f64,
    pub population: u64,
    pub continent: Continent,
    /// Languages spoken in it, main subtag only, the most spoken first.
    pub languages: Vec<String>,
}

/// A first-level (`US.TX`) or second-level (`US.TX.201`) division of GeoNames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Division {
    pub code: String,
    pub name: String,
    /// GeoNames id, if the source has it.
    pub id: Option<u64>,
    /// Names of known language and use.
    pub ranked: Vec<RankedName>,
    /// Names of GeoNames with their languages, those in English too.
    pub tagged: Vec<Tagged>,
}

/// An ISO 3166-2 subdivision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subdivision {
    pub country: Iso2,
    /// The code after the hyphen.
    pub suffix: String,
    /// Name in the spelling of ISO.
    pub name: String,
    /// True if it is part of another subdivision of the list.
    pub nested: bool,
    pub translations: Vec<Tagged>,
    /// Names of CLDR, those in English too.
    pub tagged: Vec<Tagged>,
}

/// An airport or aerodrome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Airport {
    /// The city that it serves, if a source says so; else `city` may name one.
    pub served: String,
    /// True if a source counts it among the largest.
    pub is_large: bool,
    /// True if it has scheduled flights, if a source says so; else a code of IATA means that it has.
    pub has_flights: Option<bool>,
    /// The source's key, which is the ICAO code if there is one.
    pub ident: String,
    pub iata: Option<String>,
    pub icao: Option<String>,
    /// Code and city name of the metropolitan area, where it has one.
    pub metropolis: Option<(String, String)>,
    pub name: String,
    /// Names of unknown language.
    pub alternates: Vec<String>,
    /// Historic, short and colloquial names.
    pub weak_names: Vec<String>,
    /// City that it serves; may be empty.
    pub city: String,
    pub country: Iso2,
    pub position: Coordinate,
}

/// A landmark or a station with a prominence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Site {
    /// Slug, unique in its source and stable.
    pub slug: String,
    pub origin: Origin,
    pub name: String,
    pub tagged: Vec<Tagged>,
    /// Names of known language and use.
    pub ranked: Vec<RankedName>,
    /// Names of unknown language.
    pub alternates: Vec<String>,
    /// Names that the site has in other sources.
    pub merged: Vec<String>,
    pub country: Iso2,
    /// City it is in or nearest to; may be empty.
    pub city: String,
    pub position: Coordinate,
    /// `museum`, `station`, ...
    pub r#type: String,
    /// 0 to 1: from local to known world-wide.
    pub prominence: f64,
    /// Radius in metres, if the source has it.
    pub extent_m: Option<f64>,
    /// Bounds, if the source has its shape.
    pub bounds: Option<Box<Bounds>>,
}

impl Site {
    /// Returns its radius in metres, or the usual one.
    pub fn reach_m(&self) -> f64 {
        self.extent_m.unwrap_or(USUAL_EXTENT_M)
    }
}

/// The radius of a station or landmark that no source measures: that of a large building with what is around it.
const USUAL_EXTENT_M: f64 = 300.0;

/// A name from the alias tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alias {
    pub country: Iso2,
    /// Name of the place in its own source; empty for the country itself.
    pub place: String,
    pub text: String,
    pub lang: Option<String>,
    pub class: NameClass,
    /// True if labels show the place by this name.
    pub is_shown: bool,
}

/// Outline of a country: rings of points, the outer ring of each part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline {
    pub country: Iso2,
    pub parts: Vec<Vec<Coordinate>>,
}

/// A part of the globe with one owner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Patch {
    /// The country that the source's codes name.
    pub owner: Option<Iso2>,
    /// Closed rings; a point inside an odd number of rings is inside the patch.
    pub rings: Vec<Vec<Coordinate>>,
}
