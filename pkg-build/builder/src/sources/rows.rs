//! The common form of all sources: what the gazetteer is merged from.

use std::sync::Arc;

use toponym_engine::NameClass;
use toponym_engine::coverage::Continent;
use toponym_engine::geo::Coordinate;

use crate::feature::Feature;
use crate::importance;

/// ISO 3166-1 alpha-2, upper case.
pub(crate) type Iso2 = [u8; 2];

/// A name with the language that its source tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tagged {
    /// BCP 47.
    pub lang: String,
    pub text: String,
}

/// A tagged name, and what its source says of its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub name: Tagged,
    pub usage: Usage,
}

/// How a name is used among those of its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Usage {
    /// The one to show.
    Preferred,
    /// One of several.
    Usual,
    /// Historic, short or colloquial.
    Weak,
}

/// Who says so, the one that is believed first on top: where two sources hold one place, what the upper one says of it
/// stands, and the names of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A file in the project's own schema that an operator adds.
    Operator,
    /// `data/curated`.
    Curated,
    /// A file in a format of the field that an operator adds.
    Added,
    /// A package of `data/sources.toml`.
    Pinned,
}

/// A city, town, village or part of one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settlement {
    /// Place id: that of GeoNames, or one made of what an operator calls it.
    pub id: u64,
    pub name: String,
    /// Names of unknown language.
    pub alternates: Vec<String>,
    /// Names of known language.
    pub tagged: Vec<Tagged>,
    /// Names of known language and use.
    pub told: Vec<Told>,
    pub position: Coordinate,
    pub country: Iso2,
    /// GeoNames codes of the divisions; empty where unknown. Shared, as the zone is: millions of rows have thousands.
    pub admin1: Arc<str>,
    pub admin2: Arc<str>,
    pub feature: Feature,
    /// 0 where unknown.
    pub population: u64,
    /// Name of the tz database.
    pub timezone: Arc<str>,
}

impl Settlement {
    /// How important it is by itself, from 0 to 1.
    pub fn importance(&self) -> f64 {
        importance::settlement(self.population, self.feature, self.alternates.len())
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
    /// As the source names it, in English.
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
    /// GeoNames id, where the source tells it.
    pub id: Option<u64>,
    /// Names of known language and use.
    pub told: Vec<Told>,
}

/// An ISO 3166-2 subdivision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subdivision {
    pub country: Iso2,
    /// The code behind the hyphen.
    pub suffix: String,
    /// In the spelling of ISO.
    pub name: String,
    /// Whether another subdivision of the list holds it.
    pub nested: bool,
    pub translations: Vec<Tagged>,
}

/// An airport or aerodrome.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Airport {
    /// The source's own key, which is the ICAO code where there is one.
    pub ident: String,
    pub iata: Option<String>,
    pub icao: Option<String>,
    /// Code and city name of the metropolitan area, where it has one.
    pub metropolis: Option<(String, String)>,
    pub name: String,
    /// Names of unknown language.
    pub alternates: Vec<String>,
    /// City that it serves; may be empty.
    pub city: String,
    pub country: Iso2,
    pub position: Coordinate,
}

/// A landmark or a station with a prominence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Site {
    /// Unique in its source and stable.
    pub slug: String,
    pub origin: Origin,
    pub name: String,
    pub tagged: Vec<Tagged>,
    /// Names of unknown language.
    pub alternates: Vec<String>,
    /// What other sources call it.
    pub merged: Vec<String>,
    pub country: Iso2,
    /// City it is in or nearest to; may be empty.
    pub city: String,
    pub position: Coordinate,
    /// `museum`, `station`, ...
    pub r#type: String,
    /// 0 to 1: from local to known world-wide.
    pub prominence: f64,
    pub extent_m: f64,
}

/// A name given by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alias {
    pub country: Iso2,
    /// Name of the place in its own source; empty for the country itself.
    pub place: String,
    pub text: String,
    pub lang: Option<String>,
    pub class: NameClass,
}

/// Outline of a country: rings of points, the outer ring of each part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline {
    pub country: Iso2,
    pub parts: Vec<Vec<Coordinate>>,
}

/// A part of the globe under one rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Patch {
    /// The country that the source's codes name.
    pub owner: Option<Iso2>,
    /// Closed rings; inside is what an odd number of them holds.
    pub rings: Vec<Vec<Coordinate>>,
}
