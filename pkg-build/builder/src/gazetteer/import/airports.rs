//! Merges imported airports.

use std::collections::{HashMap, HashSet};

use super::super::airports::{id, names_agree};
use super::super::imported::{Imported, OwnRow};
use super::super::merges::{Merges, Side, Why};
use crate::sources::rows::Airport;
use crate::spatial::Nearby;
use crate::text::key;

/// Two airports nearer than this with names that agree are the same, unless their codes differ.
const SAME_AIRPORT_M: f64 = 2_500.0;

/// If two airports this far apart have the same code, one of the files is wrong.
const FAR_AIRPORT_M: f64 = 100_000.0;

/// Airports with a common code are the same; without one, airports near each other are if their names agree, unless
/// their codes differ. Those of one of an operator's own files, of the number `own`, are not the same as each other: the first with the
/// code of a known one is it, else the first near it.
pub(super) fn add_airports(
    airports: &mut Vec<Airport>,
    mut added: Vec<Airport>,
    own: Option<u32>,
    imported: &mut Imported,
    merges: &mut Merges,
) {
    let codes =
        airports.iter().enumerate().flat_map(|(index, airport)| codes_of(airport).map(move |code| (code, index)));
    let by_code: HashMap<String, usize> = codes.collect();
    let nearby = Nearby::new(airports.iter().map(|airport| airport.position).enumerate());
    let mut seen: HashMap<String, usize> =
        airports.iter().enumerate().map(|(index, airport)| (airport.ident.clone(), index)).collect();
    let with_code = |airport: &Airport| codes_of(airport).find_map(|code| by_code.get(&code).copied());
    if own.is_some() {
        added.sort_by_key(|airport| with_code(airport).is_none());
    }
    let mut taken: HashSet<usize> = HashSet::new();
    for airport in added {
        let is_free = |index: &usize| own.is_none() || !taken.contains(index);
        let by_code = with_code(&airport).filter(is_free);
        let by_code = by_code.filter(|&index| airports[index].position.distance_m(airport.position) < FAR_AIRPORT_M);
        let by_place = || {
            let near = nearby.within(airport.position, SAME_AIRPORT_M).map(|(index, _)| index).filter(is_free);
            near.into_iter().find(|&index| {
                let known = &airports[index];
                known.country == airport.country
                    && !have_different_codes(known, &airport)
                    && names_agree(known, &airport)
            })
        };
        let same = by_code.map(|index| (index, Why::Code)).or_else(|| by_place().map(|index| (index, Why::Name)));
        let again = || seen.get(&airport.ident).map(|&index| (index, Why::Id));
        match same.or_else(again) {
            Some((index, why)) => {
                merges.add(side(&airport), side(&airports[index]), why);
                taken.insert(index);
                note(&airports[index], &airport, own, imported);
                // Of two rows with one id, the first is kept.
                if why != Why::Id {
                    renew_airport(&mut airports[index], airport);
                }
            }
            None => {
                note(&airport, &airport, own, imported);
                seen.insert(airport.ident.clone(), airports.len());
                airports.push(airport);
            }
        }
    }
    airports.sort_by(|a, b| a.ident.cmp(&b.ident));
}

/// Notes that an added airport is a known one, or itself.
fn note(known: &Airport, added: &Airport, own: Option<u32>, imported: &mut Imported) {
    match own {
        Some(file) => imported.add_own(id(known), OwnRow { file, id: added.ident.clone() }),
        None => imported.add(id(known)),
    }
}

fn side(airport: &Airport) -> Side<'_> {
    Side { id: &airport.ident, name: &airport.name, at: airport.position }
}

/// Codes as keys: IATA codes have three letters and ICAO codes four, so they cannot collide.
fn codes_of(airport: &Airport) -> impl Iterator<Item = String> {
    airport.iata.iter().chain(&airport.icao).cloned().collect::<Vec<_>>().into_iter()
}

fn have_different_codes(a: &Airport, b: &Airport) -> bool {
    let differ = |a: &Option<String>, b: &Option<String>| a.is_some() && b.is_some() && a != b;
    differ(&a.iata, &b.iata) || differ(&a.icao, &b.icao)
}

fn renew_airport(old: &mut Airport, new: Airport) {
    let mut alternates = std::mem::take(&mut old.alternates);
    if key(&old.name) != key(&new.name) {
        alternates.push(std::mem::take(&mut old.name));
    }
    alternates.extend(new.alternates);
    let mut weak_names = std::mem::take(&mut old.weak_names);
    weak_names.extend(new.weak_names);
    *old = Airport {
        ident: std::mem::take(&mut old.ident),
        iata: new.iata.or(old.iata.take()),
        icao: new.icao.or(old.icao.take()),
        metropolis: new.metropolis.or(old.metropolis.take()),
        alternates,
        weak_names,
        served: std::mem::take(&mut old.served),
        has_flights: new.has_flights.or(old.has_flights),
        is_large: new.is_large || old.is_large,
        city: if new.city.is_empty() { std::mem::take(&mut old.city) } else { new.city },
        name: new.name,
        country: new.country,
        position: new.position,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer::test_airport;

    fn add_airports(airports: &mut Vec<Airport>, added: Vec<Airport>, merges: &mut Merges) {
        super::add_airports(airports, added, None, &mut Imported::default(), merges);
    }

    #[test]
    fn of_the_rows_of_one_own_file_one_is_the_known_airport() {
        let airport = |ident: &str, iata: Option<&str>, lat: f64| Airport {
            iata: iata.map(str::to_owned),
            ..test_airport(ident, "Le Bourget Field", (lat, 2.0))
        };
        let check = |own: Option<u32>, added: [(Option<&str>, f64); 2], expect: &[(&str, f64)]| {
            let mut airports = vec![airport("LFPB", Some("LBG"), 48.0)];
            let added = ["own/1", "own/2"].into_iter().zip(added);
            let added = added.map(|(ident, (iata, lat))| airport(ident, iata, lat)).collect();
            let (mut imported, mut merges) = (Imported::default(), Merges::default());
            super::add_airports(&mut airports, added, own, &mut imported, &mut merges);
            let found: Vec<_> =
                airports.iter().map(|airport| (airport.ident.as_str(), airport.position.lat())).collect();
            assert_eq!(found, expect, "{own:?} {added:?}", added = airports.len());
            let lines = merges.csv().split(|&byte| byte == b'\n').count() - 2;
            assert_eq!(lines, 3 - expect.len(), "{own:?}");
        };
        let both_near = [(None, 48.01), (None, 48.02)];
        check(Some(1), both_near, &[("LFPB", 48.01), ("own/2", 48.02)]);
        check(None, both_near, &[("LFPB", 48.02)]);
        // The code says more than the distance.
        check(Some(1), [(None, 48.01), (Some("LBG"), 48.02)], &[("LFPB", 48.02), ("own/1", 48.01)]);
    }

    #[test]
    fn an_airport_that_is_said_twice_is_there_once() {
        let airport = |ident: &str, lat: f64| test_airport(ident, "Field", (lat, 2.0));
        let mut airports = Vec::new();
        add_airports(
            &mut airports,
            vec![airport("A", 48.0), airport("A", 49.0), airport("B", 50.0)],
            &mut Merges::default(),
        );
        let found: Vec<_> = airports.iter().map(|airport| (airport.ident.as_str(), airport.position.lat())).collect();
        assert_eq!(found, [("A", 48.0), ("B", 50.0)]);
    }

    #[test]
    fn airports_are_the_same_by_code_or_by_place() {
        let airport = |ident: &str, iata: Option<&str>, name: &str, lat: f64| Airport {
            iata: iata.map(str::to_owned),
            city: "Paris".into(),
            ..test_airport(ident, name, (lat, 2.0))
        };
        let mut airports =
            vec![airport("LFPG", Some("CDG"), "Roissy", 49.0), airport("LFPO", Some("ORY"), "Orly", 48.7)];
        let added = vec![
            airport("1", Some("CDG"), "Charles de Gaulle", 49.01),
            airport("2", None, "Paris Orly", 48.71),
            airport("3", Some("LBG"), "Le Bourget", 48.99),
            airport("4", Some("ORY"), "Orly in the Alps", 45.0),
        ];
        add_airports(&mut airports, added, &mut Merges::default());
        let found: Vec<_> = airports.iter().map(|a| (a.ident.as_str(), a.name.as_str(), a.iata.as_deref())).collect();
        assert_eq!(
            found,
            [
                ("3", "Le Bourget", Some("LBG")),
                ("4", "Orly in the Alps", Some("ORY")),
                ("LFPG", "Charles de Gaulle", Some("CDG")),
                ("LFPO", "Paris Orly", Some("ORY")),
            ]
        );
    }

    /// Checks the codes, position and country of two airports, and whether they are the same.
    #[test]
    fn codes_and_distance_distinguish_airports() {
        let airport = |ident: &str, [iata, icao]: [&str; 2], country: &[u8; 2], lat: f64| Airport {
            iata: Some(iata.to_owned()).filter(|code| !code.is_empty()),
            icao: Some(icao.to_owned()).filter(|code| !code.is_empty()),
            country: *country,
            ..test_airport(ident, "Le Bourget Field", (lat, 2.0))
        };
        let check = |known: [&str; 2], added: [&str; 2], country: &[u8; 2], km: f64, are_one: bool| {
            let lat = 48.0 + km * 1_000.0 / toponym_engine::geo::METRES_PER_DEGREE;
            let mut airports = vec![airport("K", known, b"FR", 48.0)];
            add_airports(&mut airports, vec![airport("A", added, country, lat)], &mut Merges::default());
            assert_eq!(airports.len() == 1, are_one, "{known:?} {added:?} {km}");
        };
        check(["CDG", ""], ["CDG", ""], b"FR", 99.0, true);
        check(["CDG", ""], ["CDG", ""], b"FR", 101.0, false);
        check(["", "LFPG"], ["", "LFPG"], b"FR", 99.0, true);
        check(["CDG", "LFPG"], ["XXX", "LFPG"], b"FR", 1.0, true);
        check(["CDG", ""], ["", ""], b"FR", 2.4, true);
        check(["CDG", ""], ["", ""], b"FR", 2.6, false);
        check(["CDG", ""], ["", "LFPG"], b"FR", 1.0, true);
        check(["CDG", ""], ["ORY", ""], b"FR", 1.0, false);
        check(["", "LFPG"], ["", "LFPO"], b"FR", 1.0, false);
        check(["CDG", ""], ["ORY", "LFPO"], b"FR", 1.0, false);
        check(["", ""], ["", ""], b"FR", 1.0, true);
        check(["", ""], ["", ""], b"BE", 1.0, false);
    }

    #[test]
    fn a_replaced_airport_keeps_what_only_the_old_one_has() {
        let airport = |name: &str, city: &str, iata: Option<&str>| Airport {
            iata: iata.map(str::to_owned),
            city: city.into(),
            ..test_airport("K", name, (48.0, 2.0))
        };
        let check = |new: Airport, name: &str, alternates: &[&str], city: &str| {
            let mut found = airport("Roissy", "Paris", Some("CDG"));
            renew_airport(&mut found, new);
            assert_eq!((found.name.as_str(), found.city.as_str(), found.iata.as_deref()), (name, city, Some("CDG")));
            assert_eq!(found.alternates, alternates);
        };
        check(airport("ROISSY", "", None), "ROISSY", &[], "Paris");
        check(airport("Charles de Gaulle", "Roissy", Some("CDG")), "Charles de Gaulle", &["Roissy"], "Roissy");
    }
}
