//! Finds the capitals of countries and states by GeoNames' feature codes. If no settlement of a country has the code,
//! the capital's name decides.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use toponym_engine::{Capital, Record, Role};

use super::country_index::CountryIndex;
use super::divisions::Divisions;
use super::inputs::Inputs;
use crate::feature::Feature;
use crate::sources::rows::{Country, Iso2, Settlement};
use crate::text::key;

/// Returns the capitals among `cities`, the records of the settlements.
pub(crate) fn capitals(
    inputs: &Inputs,
    country_index: &CountryIndex,
    divisions: &Divisions,
    cities: &[Record],
) -> Vec<Capital> {
    let known: HashSet<u64> = cities.iter().filter(|city| city.kind.role == Role::City).map(|city| city.id).collect();
    let settlements = || inputs.settlements.iter().filter(|settlement| known.contains(&settlement.id));
    let mut of_country: BTreeMap<Iso2, Vec<&Settlement>> = BTreeMap::new();
    settlements().for_each(|settlement| of_country.entry(settlement.country).or_default().push(settlement));
    let countries = inputs.countries.iter().filter_map(|country| {
        let city = of_a_country(country, of_country.get(&country.iso2)?)?;
        Some(Capital { area: country_index.get(country.iso2)?.id, city })
    });

    let mut of_state: BTreeMap<u64, Vec<&Settlement>> = BTreeMap::new();
    for seat in settlements().filter(|settlement| is_seat(settlement.feature)) {
        divisions.state(seat).into_iter().for_each(|state| of_state.entry(state).or_default().push(seat));
    }
    // The seat of the state has priority over the capital of the country, which may lie in the same state.
    let states = of_state.into_iter().filter_map(|(area, seats)| {
        let seat = seats.into_iter().max_by_key(|seat| (seat.feature == Feature::FirstSeat, greatest(seat)))?;
        Some(Capital { area, city: seat.id })
    });
    countries.chain(states).collect()
}

/// Returns the capital of a country: of several (Bolivia, South Africa), the one that the country's row names, else the
/// largest.
fn of_a_country(country: &Country, settlements: &[&Settlement]) -> Option<u64> {
    let wanted = key(&country.capital);
    let is_named = |settlement: &Settlement| {
        let mut names = std::iter::once(&settlement.name).chain(&settlement.alternates);
        !wanted.is_empty() && names.any(|name| key(name) == wanted)
    };
    let coded = settlements
        .iter()
        .filter(|settlement| settlement.feature == Feature::Capital)
        .max_by_key(|place| (is_named(place), greatest(place)));
    coded
        .or_else(|| settlements.iter().filter(|place| is_named(place)).max_by_key(|place| greatest(place)))
        .map(|place| place.id)
}

fn greatest(settlement: &Settlement) -> (u64, Reverse<u64>) {
    (settlement.population, Reverse(settlement.id))
}

fn is_seat(feature: Feature) -> bool {
    matches!(feature, Feature::Capital | Feature::FirstSeat)
}
