//! Results of the engine: the resources of the HTTP contract, field for field.

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::facts::Facts;
use crate::record::Role;

/// A place, as forward and reverse return it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Stable across rebuilds, below 2^53.
    pub place_id: u64,
    /// The name followed by the areas it lies in, the smallest first.
    pub display_name: String,
    /// Latitude of the centre, degrees.
    pub lat: f64,
    /// Longitude of the centre, degrees.
    pub lon: f64,
    /// Name of the country.
    pub country: String,
    /// Name of the city, if the place is a city or lies in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// Main category: `place`, `boundary`, `aeroway`, `railway`, `tourism`, `natural`, `water` or `waterway`.
    pub category: String,
    /// Type within the category: `city`, `aerodrome`, `museum`.
    #[serde(rename = "type")]
    pub kind: String,
    /// 0 to 1.
    pub importance: f64,
    /// South, north, west, east in degrees; `west > east` where the box crosses the date line (RFC 7946).
    pub boundingbox: [f64; 4],
    /// Address components, from the smallest to the country.
    pub address: Address,
    /// Probability from 0 to 1 that this place was meant.
    pub confidence: f64,
    /// Facts that were asked for.
    #[serde(flatten)]
    pub facts: Option<Box<Facts>>,
}

/// One suggestion of autocomplete. The contract has no id, country code or kind: callers of the library read the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    /// Stable across rebuilds, below 2^53. Not serialised.
    #[serde(skip)]
    pub place_id: u64,
    /// ISO 3166-1 alpha-2, lower case; `None` of a place in no country, such as a sea. Not serialised.
    #[serde(skip)]
    pub country_code: Option<String>,
    /// Role of the place. Not serialised.
    #[serde(skip)]
    pub role: Role,
    /// The name followed by the areas it lies in.
    pub display_name: String,
    /// Latitude of the centre, degrees.
    pub lat: f64,
    /// Longitude of the centre, degrees.
    pub lon: f64,
    /// Name of the country.
    pub country: String,
    /// Name of the city, if the place is a city or lies in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// Type of the place: `city`, `aerodrome`, `museum`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Facts that were asked for.
    #[serde(flatten)]
    pub facts: Option<Box<Facts>>,
}

/// The answer to one query of a batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchResult {
    /// The query as it was sent.
    pub query: String,
    /// The result for it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The result of one query of a batch; serialised as `status` beside the fields of the variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Outcome {
    /// The best place.
    Ok {
        /// Latitude of the centre, degrees.
        lat: f64,
        /// Longitude of the centre, degrees.
        lon: f64,
        /// The name followed by the areas it lies in.
        display_name: String,
        /// Name of the country.
        country: String,
        /// Name of the city, if the place is a city or lies in one.
        #[serde(skip_serializing_if = "Option::is_none")]
        city: Option<String>,
        /// Probability from 0 to 1 that this place was meant.
        confidence: f64,
        /// Facts that were asked for.
        #[serde(flatten)]
        facts: Option<Box<Facts>>,
    },
    /// Nothing matches.
    NotFound,
    /// The query is invalid.
    Error {
        /// Message that says what to change.
        error: String,
    },
}

impl Outcome {
    /// Creates the outcome from the best place for a question, if there is one.
    pub(crate) fn of(found: Option<Place>) -> Self {
        found.map_or(Self::NotFound, |place| Self::Ok {
            lat: place.lat,
            lon: place.lon,
            display_name: place.display_name,
            country: place.country,
            city: place.city,
            confidence: place.confidence,
            facts: place.facts,
        })
    }
}

/// Address components in order. The keys are those of the contract (`quarter`, `city`, `state`, ..., `country_code`);
/// reverse adds one named after the category of the place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Address(pub Vec<(Cow<'static, str>, String)>);

impl Address {
    /// Returns the value under `key`.
    ///
    /// # Example: read a part of an address
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::Search;
    ///
    /// let address = &engine.forward(&Search::new("montmartre", 1))[0].address;
    /// assert_eq!((address.get("city"), address.get("country_code")), (Some("Paris"), Some("fr")));
    /// ```
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Adds a component, unless its key already exists.
    pub fn add(&mut self, key: impl Into<Cow<'static, str>>, value: impl Into<String>) {
        let key = key.into();
        if self.get(&key).is_none() {
            self.0.push((key, value.into()));
        }
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
