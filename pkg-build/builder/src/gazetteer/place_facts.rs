//! Collects what is shown of places on request: inhabitants, time zones and codes. What no source says is left out.
//!
//! A settlement has the people and the time zone of its source. A site, or a settlement without a time zone, has that of the
//! nearest settlement of its country. An area has a time zone if all settlements in it have the same: Bavaria, but not Texas.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toponym_engine::geo::Coordinate;
use toponym_engine::{PlaceFacts, Record, Role};

use crate::sources::rows::{Iso2, Settlement};
use crate::spatial::Nearby;

/// Beyond this distance the nearest settlement says nothing about the time at a remote place.
const REACH_M: f64 = 150_000.0;

/// Longest code that an index can show.
const MAX_CODE: usize = 7;

/// A settlement and what is known of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Inhabited {
    /// Id of the place.
    pub id: u64,
    position: Coordinate,
    country: Iso2,
    /// 0 where unknown.
    pub population: u64,
    timezone: Arc<str>,
}

impl From<&Settlement> for Inhabited {
    fn from(settlement: &Settlement) -> Self {
        let Settlement { id, position, country, population, .. } = *settlement;
        Self { id, position, country, population, timezone: settlement.timezone.clone() }
    }
}

/// Returns the facts of `places`, without places of which none is known.
pub(crate) fn place_facts(places: &[Record], settlements: &[Inhabited]) -> Vec<PlaceFacts> {
    let of_id: HashMap<u64, &Inhabited> = settlements.iter().map(|settlement| (settlement.id, settlement)).collect();
    let zoned: Vec<&Inhabited> = settlements.iter().filter(|settlement| !settlement.timezone.is_empty()).collect();
    let nearby = Nearby::new(zoned.iter().map(|settlement| settlement.position).enumerate());
    let nearest = |place: &Record| {
        let mut near = nearby.within(place.position, REACH_M).map(|(at, _)| zoned[at]);
        near.find(|settlement| settlement.country == place.country).map(|settlement| settlement.timezone.clone())
    };
    let of_areas = zones_of_areas(places, &of_id);
    let fact = |place: &Record| {
        let settlement = of_id.get(&place.id);
        let time_zone = match place.kind.role {
            Role::Country | Role::State | Role::County => of_areas.get(&place.id).cloned().flatten(),
            Role::Region | Role::Postcode => None,
            _ => settlement.map(|own| own.timezone.clone()).filter(|zone| !zone.is_empty()).or_else(|| nearest(place)),
        };
        PlaceFacts {
            place: place.id,
            // A source that does not know the number gives 0; a file of one's own may have any.
            population: settlement.and_then(|own| u32::try_from(own.population).ok()).filter(|&people| people > 0),
            time_zone,
            codes: place.codes.iter().filter(|code| code.text.len() <= MAX_CODE).cloned().collect(),
        }
    };
    places
        .iter()
        .map(fact)
        .filter(|fact| fact.population.is_some() || fact.time_zone.is_some() || !fact.codes.is_empty())
        .collect()
}

/// Returns the time zone of each area with settlements; `None` if they have several.
fn zones_of_areas(places: &[Record], of_id: &HashMap<u64, &Inhabited>) -> HashMap<u64, Option<Arc<str>>> {
    let by_id: HashMap<u64, &Record> = places.iter().map(|place| (place.id, place)).collect();
    let mut zones: HashMap<u64, Option<Arc<str>>> = HashMap::new();
    for place in places {
        let Some(settlement) = of_id.get(&place.id).filter(|settlement| !settlement.timezone.is_empty()) else {
            continue;
        };
        let mut area = place.parent.and_then(|id| by_id.get(&id));
        while let Some(above) = area {
            let zone = zones.entry(above.id).or_insert_with(|| Some(settlement.timezone.clone()));
            if zone.as_ref().is_some_and(|zone| *zone != settlement.timezone) {
                *zone = None;
            }
            // A territory has its sovereign as its parent: it keeps a time of its own.
            let is_country = above.kind.role == Role::Country;
            area = above.parent.filter(|_| !is_country).and_then(|id| by_id.get(&id));
        }
    }
    zones
}

#[cfg(test)]
mod tests {
    use toponym_engine::{Code, CodeScheme, Kind};

    use super::*;
    use crate::gazetteer::test_settlement;

    fn record(id: u64, role: Role, country: &[u8; 2], at: (f64, f64), parent: Option<u64>) -> Record {
        Record {
            id,
            kind: Kind { role, category: String::new(), r#type: String::new() },
            names: Vec::new(),
            codes: Vec::new(),
            position: Coordinate::new(at.0, at.1).expect("a test coordinate is in range"),
            parent,
            country: *country,
            importance: 0.5,
            extent_m: 1.0,
            bounds: None,
        }
    }

    #[test]
    fn what_is_known_of_each_role() {
        let settlements = [
            settlement(10, 48.0, 900, "Europe/Paris"),
            settlement(11, 48.1, 0, "Europe/Paris"),
            settlement(12, 45.0, u64::MAX, "Europe/Monaco"),
            settlement(13, 45.1, 5, ""),
            settlement(14, 10.0, 5, ""),
        ];
        let mut airport = record(20, Role::Airport, b"FR", (48.2, 2.0), Some(10));
        airport.codes = vec![code(CodeScheme::Iata, "ORY"), code(CodeScheme::Icao, "TOOLONGCODE")];
        let mut state = record(2, Role::State, b"FR", (48.0, 2.0), Some(1));
        state.codes = vec![code(CodeScheme::State, "IDF")];
        let mut other = record(3, Role::State, b"FR", (45.0, 2.0), Some(1));
        other.codes = vec![code(CodeScheme::State, "13")];
        let places = [
            record(1, Role::Country, b"FR", (47.0, 2.0), None),
            state,
            other,
            record(4, Role::Country, b"GP", (45.0, 2.0), Some(1)),
            record(10, Role::City, b"FR", (48.0, 2.0), Some(2)),
            record(11, Role::Quarter, b"FR", (48.1, 2.0), Some(10)),
            record(12, Role::City, b"GP", (45.0, 2.0), Some(4)),
            record(13, Role::City, b"FR", (45.1, 2.0), Some(3)),
            record(14, Role::City, b"FR", (10.0, 2.0), Some(1)),
            airport,
            record(21, Role::Landmark, b"DE", (48.2, 2.0), None),
            record(22, Role::Region, b"FR", (48.2, 2.0), None),
        ];
        let found = place_facts(&places, &settlements.each_ref().map(Inhabited::from));
        // The settlement 12 is of France in its source: 13 takes the time of it.
        let expect = [
            "1::Europe/Paris:",
            "2::Europe/Paris:IDF",
            "3:::13",
            "4::Europe/Monaco:",
            "10:900:Europe/Paris:",
            "11::Europe/Paris:",
            "12::Europe/Monaco:",
            "13:5:Europe/Monaco:",
            "14:5::",
            "20::Europe/Paris:ORY",
        ];
        assert_eq!(found.iter().map(describe).collect::<Vec<_>>(), expect);
    }

    fn describe(fact: &PlaceFacts) -> String {
        let codes: Vec<&str> = fact.codes.iter().map(|code| code.text.as_str()).collect();
        let people = fact.population.map_or(String::new(), |people| people.to_string());
        format!("{}:{people}:{}:{}", fact.place, fact.time_zone.as_deref().unwrap_or_default(), codes.join(" "))
    }

    fn code(scheme: CodeScheme, text: &str) -> Code {
        Code { scheme, text: text.into() }
    }

    fn settlement(id: u64, lat: f64, population: u64, zone: &str) -> Settlement {
        Settlement { timezone: zone.into(), ..test_settlement(id, "Ville", (lat, 2.0), population) }
    }
}
