//! Builds the records of airports: their names, the city they serve, their importance.

use std::collections::{BTreeMap, BTreeSet};

use toponym_engine::{Code, CodeScheme, Kind, NameClass, Record, Role};

use super::country_index::CountryIndex;
use super::locator::Locator;
use crate::ids::{Namespace, hash_id};
use crate::importance::{self, Traffic};
use crate::name_list::NameList;
use crate::names::{Setting, classify_all};
use crate::sources::rows::{Airport, Settlement, Tagged};
use crate::sources::tables::Tables;
use crate::text::key;

/// Maximum distance of an airport from the city that it serves.
const CITY_REACH_M: f64 = 90_000.0;

/// If the source names no known city: the nearest one within this distance with at least this many people.
const NEAREST: (f64, u64) = (30_000.0, 1_000);

/// Extent of an airport with and without scheduled flights.
const EXTENT_M: (f64, f64) = (3_000.0, 1_500.0);

/// Words for kinds of airports: a name without any gets "Airport" appended.
const KIND_WORDS: &str = "\
    aerodrome aerodromo aeroport aeropuerto air airbase airfield airpark airport airstrip base field flugplatz \
    heliport seaplane station strip";

/// Words of names that do not tell airports apart: each is part of a hundred names of airportsdata or more.
const COMMON_WORDS: &str = "\
    bay county creek da de do el farm farms fazenda flying hill island la lake landing memorial mountain park ranch \
    river san santa sao st valley";

/// Creates the records of airports, in order of the source's key.
pub(crate) fn records(
    airports: &[Airport],
    tables: &Tables,
    country_index: &CountryIndex,
    locator: &Locator,
) -> Vec<Record> {
    let served: Vec<Option<&Settlement>> = airports.iter().map(|airport| city(airport, locator)).collect();
    let hub = |airport: &Airport| airport.iata.as_ref().and_then(|code| tables.hubs.get(code));
    let is_busiest = |airport: &Airport| hub(airport).is_some_and(Option::is_none);
    let main = main_airports(airports, &served, is_busiest);
    let displayed: BTreeSet<String> = airports.iter().map(|airport| display(&airport.name)).collect();
    let rows = airports.iter().zip(&served).enumerate();
    let own: BTreeSet<&str> = airports.iter().filter_map(|airport| airport.iata.as_deref()).collect();
    let shares_code =
        |airport: &Airport| airport.metropolis.as_ref().is_some_and(|(code, _)| !own.contains(code.as_str()));
    let standing = |index: usize, airport: &Airport| Standing {
        main: main[index],
        hub: hub(airport).is_some(),
        shares_code: shares_code(airport),
        known_as: airport.iata.as_ref().and_then(|code| tables.airports.get(code)).map_or(&[], Vec::as_slice),
        displayed: Some(&displayed),
    };
    rows.filter_map(|(index, (airport, city))| record(airport, *city, standing(index, airport), country_index, locator))
        .collect()
}

/// Facts about an airport that its own row does not hold.
#[derive(Clone, Copy, Default)]
struct Standing<'t> {
    /// `true` if the airport is the main one of its city.
    main: bool,
    /// `true` if the airport is one of the busiest in the world.
    hub: bool,
    /// `true` if the metropolitan code is not that of a single airport: LON is for all of London, but BKK is also one of
    /// Bangkok's two.
    shares_code: bool,
    /// Names of the airport in the table of airport names.
    known_as: &'t [Tagged],
    /// Display names of all airports.
    displayed: Option<&'t BTreeSet<String>>,
}

/// Returns the id of an airport's place.
pub(super) fn id(airport: &Airport) -> u64 {
    hash_id(Namespace::Airport, &airport.ident)
}

fn city<'a>(airport: &Airport, locator: &Locator<'a>) -> Option<&'a Settlement> {
    let metropolis = airport.metropolis.iter().map(|(_, city)| city.as_str());
    greatest_named(airport, airport.served.split([',', '/', '(', ')']), locator)
        .or_else(|| greatest_named(airport, airport.city.split([',', '/']).chain(metropolis), locator))
        .or_else(|| locator.nearest(airport.country, airport.position, NEAREST.0, NEAREST.1))
}

/// Finds the most populous city near an airport that has one of the names: "Arnavutköy, Istanbul" and "Beauvais/Tille" name the
/// smaller place first, and the airport serves the greater one.
fn greatest_named<'a, 'n>(
    airport: &Airport,
    names: impl Iterator<Item = &'n str>,
    locator: &Locator<'a>,
) -> Option<&'a Settlement> {
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    let named =
        names.filter_map(|name| locator.settlement_called(airport.country, name, airport.position, CITY_REACH_M));
    named.max_by_key(|city| (city.people(), std::cmp::Reverse(city.id)))
}

/// Tells for each airport whether it is the main one of its city. Only airports with an IATA code qualify; preferred are,
/// in this order, large ones, the busiest hub, those with the city's metropolitan code, international ones, civil ones and near ones.
fn main_airports(
    airports: &[Airport],
    served: &[Option<&Settlement>],
    is_busiest: impl Fn(&Airport) -> bool,
) -> Vec<bool> {
    let mut best: BTreeMap<u64, usize> = BTreeMap::new();
    let rank = |index: usize| {
        let airport = &airports[index];
        let city = served[index].expect("it serves a city");
        let own_code = airport.metropolis.as_ref().is_some_and(|(code, _)| Some(code) == airport.iata.as_ref());
        let distance = airport.position.distance_m(city.position);
        let is_civil = airport.has_flights == Some(true) || !is_military(&airport.name);
        (airport.is_large, is_busiest(airport), own_code, is_international(airport), is_civil, -distance)
    };
    for (index, city) in served.iter().enumerate().filter_map(|(index, city)| Some((index, (*city)?))) {
        if airports[index].iata.is_some() {
            let leader = best.entry(city.id).or_insert(index);
            if rank(index).partial_cmp(&rank(*leader)).is_some_and(std::cmp::Ordering::is_gt) {
                *leader = index;
            }
        }
    }
    (0..airports.len()).map(|index| served[index].is_some_and(|city| best.get(&city.id) == Some(&index))).collect()
}

fn is_international(airport: &Airport) -> bool {
    let mut names = [&airport.name].into_iter().chain(&airport.alternates);
    names.any(|name| name.contains("International") || name.contains("Intl"))
}

fn is_military(name: &str) -> bool {
    ["Air Base", "Air Force", "Army", "Naval", "Heliport", "Seaplane"].iter().any(|word| name.contains(word))
}

fn record(
    airport: &Airport,
    city: Option<&Settlement>,
    standing: Standing,
    country_index: &CountryIndex,
    locator: &Locator,
) -> Option<Record> {
    let country = country_index.get(airport.country)?;
    let traffic = Traffic {
        scheduled: airport.iata.is_some() && airport.has_flights.unwrap_or(!is_military(&airport.name)),
        // A hub is one, whatever its name says: Heathrow, Munich.
        international: standing.hub || is_international(airport),
        large: airport.is_large,
        main: standing.main,
        hub: standing.hub,
        metropolitan: airport.metropolis.is_some(),
        city_population: city.map_or(0, Settlement::people),
    };
    let parent = city.map(|city| city.id).or_else(|| locator.area(airport.country, airport.position));
    Some(Record {
        id: id(airport),
        kind: Kind { role: Role::Airport, category: "aeroway".to_owned(), r#type: "aerodrome".to_owned() },
        names: names(airport, city, standing, country_index).finish(),
        codes: codes(airport, standing.shares_code),
        position: airport.position,
        parent: parent.or(Some(country.id)),
        country: airport.country,
        importance: importance::airport(traffic),
        extent_m: if airport.iata.is_some() { EXTENT_M.0 } else { EXTENT_M.1 },
        bounds: None,
    })
}

/// Returns the codes of an airport, and the metropolitan code if airports share it.
fn codes(airport: &Airport, shares_code: bool) -> Vec<Code> {
    let shared = airport.metropolis.as_ref().map(|(code, _)| code).filter(|_| shares_code);
    let iata = airport.iata.iter().chain(shared).map(|text| code(CodeScheme::Iata, text));
    iata.chain(airport.icao.iter().map(|text| code(CodeScheme::Icao, text))).collect()
}

fn code(scheme: CodeScheme, text: &str) -> Code {
    Code { scheme, text: text.to_owned() }
}

/// Returns the names of an airport: "Charles de Gaulle International Airport" is also "Charles de Gaulle Airport" and
/// "Paris Charles de Gaulle International Airport"; the main airport of a city is also "Munich Airport".
fn names(airport: &Airport, city: Option<&Settlement>, standing: Standing, country_index: &CountryIndex) -> NameList {
    let display = display(&airport.name);
    let mut list = NameList::new(&display);
    let short = display.replace(" International", "").replace(" Intl", "");
    list.add(&short, NameClass::English);
    add_international(&mut list, airport, &short);
    let cities = [city.map(|city| city.name.as_str()), airport.metropolis.as_ref().map(|(_, city)| city.as_str())];
    for city in cities.into_iter().flatten() {
        if let Some(rest) = display.strip_prefix(city).map(|rest| rest.trim_start_matches([' ', '-', '–', '/'])) {
            // "Heathrow Airport" for "London Heathrow Airport", but not "International Airport".
            if !is_generic(rest) {
                list.add(rest, NameClass::English);
                list.add(&rest.replace(" International", ""), NameClass::English);
            }
        }
        if !key(&display).contains(&key(city)) {
            list.add(&format!("{city} {display}"), NameClass::English);
            list.add(&format!("{city} {short}"), NameClass::English);
            add_international(&mut list, airport, &format!("{city} {short}"));
        }
        if standing.main {
            let name = format!("{city} Airport");
            // Another airport that is called so would be taken for the same one.
            let is_taken = standing.displayed.is_some_and(|names| names.contains(&name));
            list.add(&name, if is_taken { NameClass::Other } else { NameClass::English });
            list.add(&format!("{city} International Airport"), NameClass::Weak);
        }
    }
    for name in standing.known_as {
        let class = country_index.class_of(airport.country, &name.lang).max(NameClass::English);
        list.add_tagged(&name.text, &name.lang, class);
    }
    let setting =
        Setting { primary: &display, equals: &[], scripts: country_index.scripts(airport.country), codes: &[] };
    for (text, class) in classify_all(&airport.alternates, setting) {
        list.add(text, class.max(NameClass::Other));
    }
    airport.weak_names.iter().for_each(|name| list.add(name, NameClass::Weak));
    list
}

/// Adds the name of an airport with an IATA code as an international one: people call "Changsha Huanghua Airport" so even if
/// the source does not.
fn add_international(list: &mut NameList, airport: &Airport, name: &str) {
    if let Some(rest) = name.strip_suffix(" Airport").filter(|_| airport.iata.is_some()) {
        list.add(&format!("{rest} International Airport"), NameClass::Weak);
    }
}

/// Tells whether a name consists only of words for kinds of airports.
fn is_generic(name: &str) -> bool {
    let words = key(name);
    let mut words = words.split(' ').filter(|word| !word.is_empty());
    words.all(|word| is_kind_word(word) || ["international", "intl", "regional", "municipal", "city"].contains(&word))
}

/// Tells whether two airports near each other have names that agree: a word in common that is neither a kind nor the city
/// nor part of many names, or, if one has no such word, all words.
pub(crate) fn names_agree(a: &Airport, b: &Airport) -> bool {
    let cities = format!("{} {}", key(&a.city), key(&b.city));
    let words = |airport: &Airport| -> (BTreeSet<String>, BTreeSet<String>) {
        let names =
            [&airport.name].into_iter().chain(&airport.alternates).chain(&airport.weak_names).map(|name| key(name));
        let words: BTreeSet<String> =
            names.flat_map(|name| name.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect();
        let words: BTreeSet<String> = words.into_iter().filter(|word| !word.is_empty() && !is_generic(word)).collect();
        let own = words
            .iter()
            .filter(|word| !cities.split(' ').chain(COMMON_WORDS.split(' ')).any(|other| other == *word))
            .cloned()
            .collect();
        (words, own)
    };
    let (all_a, own_a) = words(a);
    let (all_b, own_b) = words(b);
    if own_a.is_empty() || own_b.is_empty() { all_a == all_b } else { !own_a.is_disjoint(&own_b) }
}

fn is_kind_word(word: &str) -> bool {
    KIND_WORDS.split(' ').any(|kind| kind == word)
}

/// Returns the name in one line, without repeated spaces, and with a word for an airport.
fn display(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ").replace(" / ", "/");
    let says_it = key(&name).split(' ').any(is_kind_word);
    if says_it { name } else { format!("{name} Airport") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer::{test_airport, test_settlement as settlement};

    fn airport(iata: Option<&str>, name: &str, at: (f64, f64), metropolis: Option<(&str, &str)>) -> Airport {
        Airport {
            iata: iata.map(str::to_owned),
            icao: Some("LFPG".to_owned()),
            metropolis: metropolis.map(|(code, city)| (code.to_owned(), city.to_owned())),
            city: "Paris".to_owned(),
            ..test_airport(name, name, at)
        }
    }

    #[test]
    fn names_by_hand() {
        let airport = airport(Some("BLR"), "Kempegowda International Airport", (13.2, 77.7), None);
        let known_as = [tagged_name("en", "Bangalore Airport"), tagged_name("de", "Flughafen Bangalore")];
        let standing = Standing { known_as: &known_as, ..Standing::default() };
        let names = names(&airport, None, standing, &CountryIndex::default()).finish();
        let class = |text: &str| names.iter().find(|name| name.text == text).map(|name| name.class);
        assert_eq!(class("Bangalore Airport"), Some(NameClass::English));
        assert_eq!(class("Flughafen Bangalore"), Some(NameClass::Other));
    }

    fn tagged_name(lang: &str, text: &str) -> Tagged {
        Tagged { lang: lang.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn names_of_airports() {
        let paris = settlement(1, "Paris", (48.85, 2.35), 2_000_000);
        let check = |name: &str, main: bool, expect: &[&str]| {
            let airport = airport(Some("CDG"), name, (49.0, 2.5), None);
            let standing = Standing { main, ..Standing::default() };
            let names = names(&airport, Some(&paris), standing, &CountryIndex::default()).finish();
            assert_eq!(names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>(), expect);
        };
        check(
            "Charles de Gaulle International Airport",
            false,
            &[
                "Charles de Gaulle International Airport",
                "Charles de Gaulle Airport",
                "Paris Charles de Gaulle International Airport",
                "Paris Charles de Gaulle Airport",
            ],
        );
        check(
            "Paris-Orly Airport",
            true,
            &[
                "Paris-Orly Airport",
                "Orly Airport",
                "Paris Airport",
                "Paris-Orly International Airport",
                "Paris International Airport",
            ],
        );
        check("Paris International Airport", false, &["Paris International Airport", "Paris Airport"]);
        check(
            "Le  Bourget",
            false,
            &[
                "Le Bourget Airport",
                "Paris Le Bourget Airport",
                "Le Bourget International Airport",
                "Paris Le Bourget International Airport",
            ],
        );
    }

    #[test]
    fn shared_codes() {
        check_codes(Some("CDG"), Some(("PAR", "Paris")), true, &["CDG", "PAR", "LFPG"]);
        check_codes(Some("BRU"), Some(("BRU", "Brussels")), false, &["BRU", "LFPG"]);
        check_codes(Some("DMK"), Some(("BKK", "Bangkok")), false, &["DMK", "LFPG"]);
        check_codes(None, None, false, &["LFPG"]);
    }

    fn check_codes(iata: Option<&str>, metropolis: Option<(&str, &str)>, shares_code: bool, expect: &[&str]) {
        let codes = codes(&airport(iata, "A", (49.0, 2.5), metropolis), shares_code);
        assert_eq!(codes.iter().map(|code| code.text.as_str()).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn the_first_airport_of_a_city() {
        let paris = settlement(1, "Paris", (48.85, 2.35), 2_000_000);
        let airports = [
            airport(Some("LBG"), "Le Bourget Airport", (48.9, 2.4), None),
            airport(Some("CDG"), "Charles de Gaulle International Airport", (49.0, 2.5), None),
            airport(None, "Nearest International Airport", (48.85, 2.35), None),
        ];
        let check = |served: Option<&Settlement>, hub: &str, expect: [bool; 3]| {
            let is_busiest = |airport: &Airport| airport.iata.as_deref() == Some(hub);
            assert_eq!(main_airports(&airports, &[served; 3], is_busiest), expect, "{hub:?}");
        };
        check(Some(&paris), "", [false, true, false]);
        check(Some(&paris), "LBG", [true, false, false]);
        check(None, "LBG", [false; 3]);
    }
}
