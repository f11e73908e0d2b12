//! Merges imported airports.

use std::collections::HashMap;

use super::super::airports;
use super::super::matcher::{Kind, Matcher, OwnRow, Subject, Why};
use crate::sources::rows::Airport;
use crate::text::key;

/// Renews the airports that are in `added`, and adds the others. Those of one of an operator's own files, of the number `own`, are not the
/// same as each other: the one that matches a known airport best is it.
pub(super) fn add_airports(airports: &mut Vec<Airport>, added: Vec<Airport>, own: Option<u32>, matcher: &mut Matcher) {
    for airport in &added {
        match own {
            Some(file) => matcher.imported.add_own(airports::id(airport), OwnRow { file, id: airport.ident.clone() }),
            None => matcher.imported.add(airports::id(airport)),
        }
    }
    let known: Vec<Subject> = airports.iter().map(subject).collect();
    let rows: Vec<Subject> = added.iter().map(subject).collect();
    let same = matcher.known(&known, &rows, |_| own.into_iter().collect());
    drop((known, rows));
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (row, airport) in added.into_iter().enumerate() {
        if let Some(known) = same.get(&row) {
            matcher.join(&subject(&airports[known.place]), &subject(&airport), known.why);
            renew_airport(&mut airports[known.place], airport);
        } else if let Some(&first) = seen.get(&airport.ident) {
            // Of two rows with one id, the first is kept.
            matcher.join(&subject(&airports[first]), &subject(&airport), Why::Id);
        } else {
            seen.insert(airport.ident.clone(), airports.len());
            airports.push(airport);
        }
    }
    airports.sort_by(|a, b| a.ident.cmp(&b.ident));
}

/// Returns what the matcher compares of an airport: codes, and the words of its names.
fn subject(airport: &Airport) -> Subject<'_> {
    let Airport { ident, name, country, position, .. } = airport;
    Subject {
        label: ident,
        ..Subject::new(airports::id(airport), name, *country, *position, Kind::Airport(Some(airport)))
    }
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
    use std::collections::BTreeMap;

    use super::*;
    use crate::gazetteer::matcher::{Imported, Merges, ROWS};
    use crate::gazetteer::test_airport;

    fn add_airports(airports: &mut Vec<Airport>, added: Vec<Airport>) {
        add(airports, added, None);
    }

    /// Returns the number of merges.
    fn add(airports: &mut Vec<Airport>, added: Vec<Airport>, own: Option<u32>) -> usize {
        let groups = BTreeMap::new();
        let mut imported = Imported::default();
        let mut merges = Merges::default();
        super::add_airports(airports, added, own, &mut Matcher::new(ROWS, &groups, &mut imported, &mut merges));
        merges.count()
    }

    #[test]
    fn one_own_row_is_the_known_airport() {
        let both_near = [(None, 48.01), (None, 48.02)];
        check(Some(1), both_near, &[("LFPB", 48.01), ("own/2", 48.02)]);
        check(None, both_near, &[("LFPB", 48.02)]);
        // The code says more than the distance.
        check(Some(1), [(None, 48.01), (Some("LBG"), 48.02)], &[("LFPB", 48.02), ("own/1", 48.01)]);
    }

    fn check(own: Option<u32>, added: [(Option<&str>, f64); 2], expect: &[(&str, f64)]) {
        let mut airports = vec![bourget("LFPB", Some("LBG"), 48.0)];
        let added = ["own/1", "own/2"].into_iter().zip(added);
        let added = added.map(|(ident, (iata, lat))| bourget(ident, iata, lat)).collect();
        let merged = add(&mut airports, added, own);
        let found: Vec<_> = airports.iter().map(|airport| (airport.ident.as_str(), airport.position.lat())).collect();
        assert_eq!(found, expect, "{own:?} {added:?}", added = airports.len());
        assert_eq!(merged, 3 - expect.len(), "{own:?}");
    }

    fn bourget(ident: &str, iata: Option<&str>, lat: f64) -> Airport {
        Airport { iata: iata.map(str::to_owned), ..test_airport(ident, "Le Bourget Field", (lat, 2.0)) }
    }

    #[test]
    fn a_repeated_airport_is_one() {
        let mut airports = Vec::new();
        add_airports(&mut airports, vec![field("A", 48.0), field("A", 49.0), field("B", 50.0)]);
        let found: Vec<_> = airports.iter().map(|airport| (airport.ident.as_str(), airport.position.lat())).collect();
        assert_eq!(found, [("A", 48.0), ("B", 50.0)]);
    }

    fn field(ident: &str, lat: f64) -> Airport {
        test_airport(ident, "Field", (lat, 2.0))
    }

    #[test]
    fn airports_match_by_code_or_place() {
        let mut airports =
            vec![parisian("LFPG", Some("CDG"), "Roissy", 49.0), parisian("LFPO", Some("ORY"), "Orly", 48.7)];
        let added = vec![
            parisian("1", Some("CDG"), "Charles de Gaulle", 49.01),
            parisian("2", None, "Paris Orly", 48.71),
            parisian("3", Some("LBG"), "Le Bourget", 48.99),
            parisian("4", Some("ORY"), "Orly in the Alps", 45.0),
        ];
        add_airports(&mut airports, added);
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

    fn parisian(ident: &str, iata: Option<&str>, name: &str, lat: f64) -> Airport {
        Airport { iata: iata.map(str::to_owned), city: "Paris".into(), ..test_airport(ident, name, (lat, 2.0)) }
    }

    /// Checks the codes, position and country of two airports, and whether they are the same.
    #[test]
    fn codes_and_distance_distinguish_airports() {
        let check = |known: [&str; 2], added: [&str; 2], country: &[u8; 2], km: f64, are_one: bool| {
            let lat = 48.0 + km * 1_000.0 / toponym_engine::geo::METRES_PER_DEGREE;
            let mut airports = vec![airport_with_codes("K", known, b"FR", 48.0)];
            add_airports(&mut airports, vec![airport_with_codes("A", added, country, lat)]);
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

    fn airport_with_codes(ident: &str, [iata, icao]: [&str; 2], country: &[u8; 2], lat: f64) -> Airport {
        Airport {
            iata: Some(iata.to_owned()).filter(|code| !code.is_empty()),
            icao: Some(icao.to_owned()).filter(|code| !code.is_empty()),
            country: *country,
            ..test_airport(ident, "Le Bourget Field", (lat, 2.0))
        }
    }

    #[test]
    fn a_replaced_airport_keeps_older_facts() {
        check_renewal(in_city("ROISSY", "", None), "ROISSY", &[], "Paris");
        check_renewal(in_city("Charles de Gaulle", "Roissy", Some("CDG")), "Charles de Gaulle", &["Roissy"], "Roissy");
    }

    fn check_renewal(new: Airport, name: &str, alternates: &[&str], city: &str) {
        let mut found = in_city("Roissy", "Paris", Some("CDG"));
        renew_airport(&mut found, new);
        assert_eq!((found.name.as_str(), found.city.as_str(), found.iata.as_deref()), (name, city, Some("CDG")));
        assert_eq!(found.alternates, alternates);
    }

    fn in_city(name: &str, city: &str, iata: Option<&str>) -> Airport {
        Airport { iata: iata.map(str::to_owned), city: city.into(), ..test_airport("K", name, (48.0, 2.0)) }
    }
}
