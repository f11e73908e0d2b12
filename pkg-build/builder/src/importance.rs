//! The importance of a place, from 0 to 1 and comparable across all kinds. It decides between places of the same name.
//!
//! The scale follows the population of a settlement, 0.125 for each factor of ten: 1,000 people are 0.30, 100,000
//! people 0.55, ten million 0.80. Other kinds are placed on that scale by what people usually mean by a name:
//!
//! - A country has 0.62 to 0.98, and always more than its capital of the same name. So Luxembourg, Mexico, Singapore
//!   and Georgia are countries first, yet a great capital (Paris) outranks a middling country (Paraguay).
//! - A state outranks the settlements it is not named after, and loses to its own city of the same name: New York is
//!   the city; Georgia (United States) comes after the country and before any town; Québec is the province.
//! - A county always loses to a settlement in it with the same name.
//! - A part of a city has a little less than a town of its size, and less than its city.
//! - A division that is known beyond its size has what its fame is worth, by a table: Kent comes before every town so called.
//! - A region (a river, an island, a range) has 0.32 to 0.70 by its fame alone, a little less than a division as well known.
//! - Airports, stations and landmarks have 0.15 to 0.69, so a world-famous one outranks villages of the same name, and
//!   no great city loses its name to one of its sights.

use libm::log10;

use crate::feature::Feature;

/// The step for each factor of ten in population.
const PER_DECADE: f64 = 0.125;

/// The importance of a settlement of 1,000 people.
const AT_1000: f64 = 0.30;

/// The maximum for settlements, below that of the great countries.
const SETTLEMENT_TOP: f64 = 0.93;

/// Returns the importance of a settlement of `population` people, 0 if unknown, with `other_names` alternate names.
pub(crate) fn settlement(population: u64, feature: Feature, other_names: usize) -> f64 {
    let (unknown, boost) = match feature {
        Feature::Capital => (0.45, 0.10),
        Feature::FirstSeat => (0.38, 0.04),
        Feature::SecondSeat => (0.28, 0.02),
        Feature::LowerSeat => (0.20, 0.0),
        Feature::Place => (0.17, 0.0),
        Feature::Unknown => (0.15, 0.0),
        Feature::Section => (0.15, -0.04),
        Feature::Former => (0.10, -0.10),
    };
    if population == 0 {
        return unknown;
    }
    let value = AT_1000 + PER_DECADE * decades(population) + boost + fame(other_names);
    // A capital of a few hundred people is still a capital.
    let floor = if feature == Feature::Capital { unknown } else { 0.05 };
    value.clamp(floor, SETTLEMENT_TOP)
}

/// Returns a bonus for being widely known, estimated from the number of alternate names: 0.04 for ten names, 0.08 for a
/// hundred. It ranks Valencia in Spain above the larger one in Venezuela.
fn fame(other_names: usize) -> f64 {
    0.04 * log10(1.0 + other_names as f64)
}

/// Counts factors of ten above 1,000.
fn decades(population: u64) -> f64 {
    log10(population.max(1) as f64) - 3.0
}

/// Scales a population of a thousand to ten million by its decades to 0 to 1.
fn of_ten_million(population: u64) -> f64 {
    (decades(population) / 4.0).clamp(0.0, 1.0)
}

/// Returns the importance of a part of a city of importance `city`.
pub(crate) fn quarter(population: u64, city: f64) -> f64 {
    settlement(population, Feature::Section, 0).min(city - 0.05).max(0.05)
}

/// The minimum for countries: even the smallest is better known than a town.
const LEAST_COUNTRY: f64 = 0.62;

/// Returns the importance of a country or territory: three quarters population, one quarter area; uninhabited ones have
/// 0.55.
pub(crate) fn country(population: u64, area_km2: f64) -> f64 {
    if population == 0 {
        return 0.55;
    }
    let people = (decades(population) / (log10(1.45e9) - 3.0)).clamp(0.0, 1.0);
    let area = (log10(area_km2.max(1.0)) / log10(1.71e7)).clamp(0.0, 1.0);
    (0.45 + 0.53 * (0.75 * people + 0.25 * area)).max(LEAST_COUNTRY)
}

/// Raises a country of importance `own` above its city of the same name.
pub(crate) fn beside_capital(own: f64, namesake: Option<f64>) -> f64 {
    namesake.map_or(own, |city| own.max(city + 0.01)).min(0.98)
}

/// Returns the importance of a first-level division with `population` people in its settlements, in a country of
/// importance `country`: the states of great countries are known worldwide.
pub(crate) fn state(population: u64, country: f64) -> f64 {
    let known = 0.05 * ((country - LEAST_COUNTRY) / 0.36).clamp(0.0, 1.0);
    (0.35 + 0.085 * decades(population).max(0.0) + known).clamp(0.30, 0.85)
}

/// Returns the importance of a second-level division with `population` people in its settlements.
pub(crate) fn county(population: u64) -> f64 {
    (0.30 + 0.085 * decades(population).max(0.0)).min(0.62)
}

/// Returns the importance of a division, `own`, next to a settlement of the same name inside it. The settlement wins if
/// the division is named after it, that is, if it holds a fair share of the division's people.
pub(crate) fn beside_namesake(own: f64, population: u64, namesake: f64, namesake_population: u64) -> f64 {
    let is_seat = namesake_population.saturating_mul(10) >= population;
    if is_seat { own.min(namesake - 0.02).max(0.05) } else { own }
}

/// Facts of the sources about the traffic of an airport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traffic {
    /// True if the airport has an IATA code.
    pub scheduled: bool,
    /// True if the airport's name says "international", or it is a hub.
    pub international: bool,
    /// True if a source counts the airport among the largest.
    pub large: bool,
    /// True for the main airport of the city that it serves.
    pub main: bool,
    /// True for one of the busiest airports in the world.
    pub hub: bool,
    /// True if the airport shares a metropolitan code with others.
    pub metropolitan: bool,
    /// Population of the city that it serves.
    pub city_population: u64,
}

/// Returns the importance of an airport: 0.31 to 0.69 with an IATA code, 0.15 to 0.23 without.
pub(crate) fn airport(traffic: Traffic) -> f64 {
    let city = of_ten_million(traffic.city_population);
    if !traffic.scheduled {
        return 0.15 + 0.08 * city;
    }
    let points = [
        (traffic.international, 0.05),
        (traffic.large, 0.03),
        (traffic.main, 0.04),
        (traffic.metropolitan, 0.02),
        (traffic.hub, 0.08),
    ];
    let sum: f64 = points.iter().filter(|(holds, _)| *holds).map(|(_, points)| points).sum();
    0.31 + 0.16 * city + sum
}

/// The highest prominence: it runs from 1 (local) to 5 (known worldwide).
pub(crate) const TOP_PROMINENCE: u8 = 5;

/// Scales a prominence of 1 to [`TOP_PROMINENCE`] to 0 to 1.
pub(crate) fn prominence(of_five: u8) -> f64 {
    f64::from(of_five - 1) / f64::from(TOP_PROMINENCE - 1)
}

/// Returns the importance of a region of `prominence` 0 to 1: what everyone knows (the Sahara, the Alps) is as well
/// known as a middling country, and what is known locally comes before the villages of its name.
pub(crate) fn region(prominence: f64) -> f64 {
    0.32 + 0.38 * prominence
}

/// Returns the importance of a division known beyond its size, of `prominence` 0 to 1: Kent comes before every town of the
/// name, because a place that people live in is meant more often than a lake or a range as well known.
pub(crate) fn famous_division(prominence: f64) -> f64 {
    0.33 + 0.43 * prominence
}

/// Returns the importance of a postal code in a country and a settlement of these importances: below the settlement, because
/// few know it, and in great countries before small ones, because a number is a code in many.
pub(crate) fn postcode(country: f64, settlement: f64) -> f64 {
    0.05 + 0.25 * country + 0.25 * settlement
}

/// Returns the importance of a station of `prominence` 0 to 1.
pub(crate) fn station(prominence: f64) -> f64 {
    0.30 + 0.30 * prominence
}

/// Returns the importance of a landmark of `prominence` 0 to 1 in a city of so many people. There are only five prominences: of two
/// landmarks of one, that in the greater city is known to more people.
pub(crate) fn landmark(prominence: f64, city_population: u64) -> f64 {
    0.21 + 0.40 * prominence + 0.01 * of_ten_million(city_population)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale() {
        check(settlement(1_000, Feature::Place, 0), 0.30);
        check(settlement(100_000, Feature::Place, 0), 0.55);
        check(settlement(10_000_000, Feature::Place, 0), 0.80);
        check(settlement(0, Feature::Unknown, 0), 0.15);
        check(settlement(271, Feature::Capital, 0), 0.45);
        check(country(1_400_000_000, 9_596_960.0), 0.974);
        check(country(0, 412.0), 0.55);
        check(landmark(1.0, 10_000_000), 0.62);
        check(station(0.0), 0.30);
    }

    fn check(value: f64, expect: f64) {
        assert!((value - expect).abs() < 0.005, "{value} is not {expect}");
    }

    /// Checks that the place on the left outranks the one on the right, which has the same name.
    #[test]
    fn same_named_places() {
        let united_states = country(327_167_434, 9_629_091.0);
        let new_york = settlement(8_804_190, Feature::Place, 0);
        outranks("New York, city and state", new_york, state(19_500_000, united_states));
        outranks("Luxembourg, country and city", country(607_728, 2_586.0), settlement(76_684, Feature::Capital, 0));
        let singapore = settlement(5_638_700, Feature::Capital, 0);
        let state_of_singapore = beside_capital(country(5_638_676, 692.7), Some(singapore));
        outranks("Singapore, country and city", state_of_singapore, singapore);
        let mexico_city = settlement(12_294_193, Feature::Capital, 0);
        let mexico = beside_capital(country(126_190_788, 1_972_550.0), Some(mexico_city));
        outranks("Mexico, country and city", mexico, mexico_city);
        outranks("Paris and Paraguay", settlement(2_138_551, Feature::Capital, 200), country(7_000_000, 406_750.0));
        outranks("Georgia, country and state", country(3_731_000, 69_700.0), state(10_700_000, united_states));
        outranks(
            "Washington, city and state",
            settlement(689_545, Feature::Capital, 0),
            state(7_000_000, united_states),
        );
        outranks(
            "Valencia, Spain and Venezuela",
            settlement(792_492, Feature::FirstSeat, 99),
            settlement(1_385_083, Feature::FirstSeat, 9),
        );
        outranks(
            "Paris, France and Texas",
            settlement(2_138_551, Feature::Capital, 0),
            settlement(24_782, Feature::SecondSeat, 0),
        );
        outranks("Victoria, state and Seychelles", state(6_000_000, 0.93), settlement(22_881, Feature::Capital, 0));
        let seat = settlement(300_000, Feature::FirstSeat, 0);
        outranks("a seat and its state", seat, beside_namesake(state(900_000, 0.9), 900_000, seat, 300_000));
        let village = settlement(900, Feature::Place, 0);
        outranks("a state and a village in it", beside_namesake(state(900_000, 0.9), 900_000, village, 900), village);
        outranks("a city and its quarter", 0.5, quarter(2_000_000, 0.5));
    }

    fn outranks(what: &str, first: f64, second: f64) {
        assert!(first > second, "{what}: {first} {second}");
    }

    #[test]
    fn airports() {
        let great = Traffic {
            large: true,
            scheduled: true,
            international: true,
            main: true,
            metropolitan: true,
            hub: true,
            city_population: 9_000_000,
        };
        assert!((0.62..0.69).contains(&airport(great)));
        let strip = Traffic {
            large: false,
            scheduled: false,
            international: false,
            main: false,
            hub: false,
            metropolitan: false,
            city_population: 0,
        };
        assert!((0.14..0.16).contains(&airport(strip)));
        assert!(airport(Traffic { main: false, ..great }) < airport(great));
    }
}
