//! Facts about a place on request: which there are, which are asked for, and what the index knows of a place.

use std::str::FromStr;

use serde::Serialize;

use crate::index::{Languages, PlaceRef};
use crate::record::{CodeScheme, Role};
use crate::reference::MAX_GEONAMES_ID;
use crate::text::fold;

/// A fact that an answer can have beside what the contract describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The name of the place alone.
    Name,
    /// The name by which a text found the place.
    Matched,
    /// The number of inhabitants.
    Population,
    /// The time zone.
    Timezone,
    /// The ISO 3166-2 code of the state, or of that in which the place lies.
    Iso31662,
    /// The capital of a country or state.
    Capital,
    /// Codes in the lists of others.
    Codes,
    /// The places that contain it.
    Ancestors,
    /// The distance from the point or the focus.
    Distance,
}

impl Fact {
    /// Every fact, in the order in which answers have them.
    pub const ALL: [Self; 9] = [
        Self::Name,
        Self::Matched,
        Self::Population,
        Self::Timezone,
        Self::Iso31662,
        Self::Capital,
        Self::Codes,
        Self::Ancestors,
        Self::Distance,
    ];

    /// Returns the name of the fact in requests, which is also its key in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Matched => "matched",
            Self::Population => "population",
            Self::Timezone => "timezone",
            Self::Iso31662 => "iso_3166_2",
            Self::Capital => "capital",
            Self::Codes => "codes",
            Self::Ancestors => "ancestors",
            Self::Distance => "distance",
        }
    }
}

/// The facts that are asked for. The default is none.
///
/// # Example: ask for the population of a city
///
/// ```
/// # let engine = toponym_workload::example_engine();
///
/// use toponym_engine::{FactSet, Search};
///
/// let facts: FactSet = "population,timezone".parse().unwrap();
/// let places = engine.forward(&Search { facts, ..Search::new("paris", 1) });
/// let known = places[0].facts.as_ref().unwrap();
/// assert_eq!((known.population, known.timezone.as_deref()), (Some(2_138_551), Some("Europe/Paris")));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactSet(u16);

impl FactSet {
    /// Every fact.
    pub const ALL: Self = Self((1 << Fact::ALL.len()) - 1);

    /// Tells whether no fact is asked for.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Tells whether a fact is asked for.
    pub fn contains(self, fact: Fact) -> bool {
        self.0 & 1 << fact as u16 != 0
    }

    /// Adds a fact.
    ///
    /// # Example: ask for one fact more
    ///
    /// ```
    /// use toponym_engine::{Fact, FactSet};
    ///
    /// let facts = FactSet::default().with(Fact::Codes);
    /// assert!(facts.contains(Fact::Codes) && !facts.contains(Fact::Capital));
    /// ```
    #[must_use]
    pub fn with(self, fact: Fact) -> Self {
        Self(self.0 | 1 << fact as u16)
    }
}

/// The text does not name facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFacts;

impl FromStr for FactSet {
    type Err = NoFacts;

    /// Reads names separated by commas (`population,timezone`), or `all`.
    fn from_str(text: &str) -> Result<Self, NoFacts> {
        if text == "all" {
            return Ok(Self::ALL);
        }
        let mut facts = Self::default();
        for name in text.split(',') {
            facts = facts.with(Fact::ALL.into_iter().find(|fact| fact.name() == name).ok_or(NoFacts)?);
        }
        Ok(facts)
    }
}

/// The facts that were asked for, as far as the index knows them. JSON leaves the others out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Facts {
    /// Name of the place in the language asked for, without the areas that it lies in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name by which a text found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
    /// Number of inhabitants of a city, a quarter or a country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<u64>,
    /// Name in the time zone database of IANA. Areas have one if all their cities do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The state, or the state in which the place lies, by ISO 3166-2: `FR-IDF`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iso_3166_2: Option<String>,
    /// The capital of a country or state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capital: Option<Capital>,
    /// Codes of the place; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codes: Option<Codes>,
    /// The places that contain it, the smallest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ancestors: Option<Vec<Ancestor>>,
    /// Metres from the point of a reverse question, or else from the focus of a text: to the centre of the place, and 0 for an
    /// area that contains the point. Whole metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
}

/// The name by which a text found a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matched {
    /// As written if the index knows how, otherwise folded: in lower case, without diacritics.
    pub name: String,
    /// BCP 47 tags of the languages in which the place has this name, as far as they are known; left out if none is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
}

/// The capital of a country or state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Capital {
    /// The id of the city.
    pub place_id: u64,
    /// Name of the city in the language asked for.
    pub name: String,
}

/// A place that contains another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ancestor {
    /// Id of the containing place.
    pub place_id: u64,
    /// Name of the containing place in the language asked for.
    pub name: String,
    /// Type of the containing place: `city`, `county`, `state`, `country`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Codes of a place. With its key before it (`iata:CDG`), each is a [`Reference`](crate::Reference).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Codes {
    /// IATA code of an airport.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iata: Option<String>,
    /// ICAO code of an airport.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icao: Option<String>,
    /// ISO code of a country (ISO 3166-1 alpha-2) or of a state (ISO 3166-2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iso: Option<String>,
    /// The id at GeoNames of a city, quarter or country, if the place is from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geonames: Option<u64>,
}

/// Way in which a question found a place, as far as its facts need it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finding {
    /// By what a text found it.
    pub by: Option<MatchedText>,
    /// Metres from the point or the focus.
    pub distance_m: Option<f64>,
}

/// By what a text found a place.
#[derive(Clone, Debug)]
pub(crate) enum MatchedText {
    /// A folded name.
    Name(String),
    /// A code.
    Code(String),
}

/// Collects the facts of a place that are asked for, with names in `languages`. Costs some microseconds.
pub(crate) fn facts(place: PlaceRef, languages: &Languages, asked: FactSet, finding: Finding) -> Facts {
    let when = |fact| asked.contains(fact).then_some(());
    let Finding { by, distance_m } = finding;
    Facts {
        name: when(Fact::Name).map(|()| place.name_in(languages).to_owned()),
        matched: when(Fact::Matched).and(by).map(|by| describe_match(place, languages, by)),
        population: when(Fact::Population).and_then(|()| place.population()),
        timezone: when(Fact::Timezone).and_then(|()| place.time_zone()).map(str::to_owned),
        iso_3166_2: when(Fact::Iso31662).and_then(|()| place.with_ancestors().find_map(iso_3166_2)),
        capital: when(Fact::Capital)
            .and_then(|()| place.capital())
            .map(|city| Capital { place_id: city.id(), name: city.name_in(languages).to_owned() }),
        codes: when(Fact::Codes).map(|()| codes(place)).filter(|codes| *codes != Codes::default()),
        ancestors: when(Fact::Ancestors).map(|()| place.ancestors().map(|area| ancestor(area, languages)).collect()),
        distance: when(Fact::Distance).and(distance_m).map(libm::round),
    }
}

/// Returns the name that was found, as the index writes it. If several written names fold to it, the display name goes first,
/// then names in `languages`.
fn describe_match(place: PlaceRef, languages: &Languages, by: MatchedText) -> Matched {
    let folded = match by {
        MatchedText::Name(folded) => folded,
        MatchedText::Code(code) => return Matched { name: code, languages: Vec::new() },
    };
    let all: Vec<(&str, &str)> = place.translations().collect();
    let of_languages = place.names_in(languages).chain(all.iter().map(|(_, name)| *name));
    let written = std::iter::once(place.display_name()).chain(of_languages).find(|name| fold(name) == folded);
    let Some(name) = written else { return Matched { name: folded, languages: Vec::new() } };
    let of_name = all.iter().filter(|(_, other)| *other == name).map(|(language, _)| (*language).to_owned());
    Matched { name: name.to_owned(), languages: of_name.collect() }
}

/// Returns the ISO 3166-2 code of a state; `None` for other places.
fn iso_3166_2(place: PlaceRef) -> Option<String> {
    let country = place.country().iso2;
    let (_, suffix) = place.codes().find(|(scheme, _)| *scheme == CodeScheme::State)?;
    Some(format!("{}-{suffix}", std::str::from_utf8(&country).ok()?))
}

fn codes(place: PlaceRef) -> Codes {
    let of = |wanted| place.codes().find(|(scheme, _)| *scheme == wanted).map(|(_, code)| code);
    let id = place.id();
    Codes {
        iata: of(CodeScheme::Iata),
        icao: of(CodeScheme::Icao),
        iso: of(CodeScheme::Iso2).or_else(|| iso_3166_2(place)),
        geonames: (id <= MAX_GEONAMES_ID).then_some(id),
    }
}

fn ancestor(area: PlaceRef, languages: &Languages) -> Ancestor {
    // The type of a county is `administrative` in the data, which says nothing about its level.
    let kind = if area.role() < Role::City { area.role().name() } else { area.kind().r#type.as_str() };
    Ancestor { place_id: area.id(), name: area.name_in(languages).to_owned(), kind: kind.to_owned() }
}
