//! The facts of a row or a place that the matcher compares.

use toponym_engine::geo::Coordinate;

use crate::sources::regions::Region;
use crate::sources::rows::{Airport, Iso2, Origin};
use crate::text::key_hash;

/// A row or a place, as the matcher sees it.
#[derive(Clone, Debug)]
pub(crate) struct Subject<'p> {
    /// Id of the place.
    pub id: u64,
    /// Id in the source, for the report; empty if that is the place id.
    pub label: &'p str,
    pub name: &'p str,
    pub country: Iso2,
    pub at: Coordinate,
    /// Radius, in metres.
    pub extent_m: f64,
    pub origin: Origin,
    pub kind: Kind<'p>,
    /// Key of the display name.
    pub first: u64,
    /// Keys of the other names that identify it.
    pub others: Vec<u64>,
    /// Display name without what a source adds to it, if it does.
    pub core: Option<Core>,
}

/// A name without what a source adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Core {
    pub key: u64,
    pub addition: Addition,
}

/// An addition of a source to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Addition {
    /// A word for the kind.
    Kind,
    /// A linking word and another name, or a remark in brackets.
    Link,
    /// More than the number of a part of a city, which the name without it has among the others.
    Number,
}

/// The kind of a subject, with the facts that the rules of the kind ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'p> {
    /// A town or a part of one, with the code of its division.
    Settlement {
        is_part: bool,
        has_people: bool,
        division: &'p str,
    },
    /// An airport, with its row if it is one.
    Airport(Option<&'p Airport>),
    Station,
    /// A landmark of a type.
    Landmark(&'p str),
    Region(&'p Region),
}

impl<'p> Subject<'p> {
    /// Creates a subject of a pinned source without an extent, other names and a core, which may be set.
    pub fn new(id: u64, name: &'p str, country: Iso2, at: Coordinate, kind: Kind<'p>) -> Self {
        let label = "";
        let extent_m = 0.0;
        let origin = Origin::Pinned;
        let first = key_hash(name);
        let others = Vec::new();
        Self { id, label, name, country, at, extent_m, origin, kind, first, others, core: None }
    }

    /// Returns the codes of an airport. Those of IATA have three letters and those of ICAO four, so they cannot collide.
    pub fn codes(&self) -> impl Iterator<Item = &'p str> {
        self.airport().into_iter().flat_map(|airport| airport.iata.iter().chain(&airport.icao)).map(String::as_str)
    }

    /// Returns the row of an airport.
    pub fn airport(&self) -> Option<&'p Airport> {
        if let Kind::Airport(airport) = self.kind { airport } else { None }
    }
}

impl Kind<'_> {
    /// Returns what the report calls the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Settlement { .. } => "settlement",
            Self::Airport(_) => "airport",
            Self::Station => "station",
            Self::Landmark(_) => "landmark",
            Self::Region(_) => "region",
        }
    }
}
