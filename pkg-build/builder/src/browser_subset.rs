//! Reduces a gazetteer to the subset that a web page needs and can afford to load. The npm package publishes it as
//! `core`.
//!
//! The subset holds countries, states, towns at least as important as an ordinary one of [`TOWN_PEOPLE`] people,
//! airports with an IATA code, and the better known stations and landmarks, with their local and English names and, for
//! places above [`KNOWN`], other Latin names. It leaves out, least missed first:
//!
//! - weak names, and names in scripts that are not used at the place itself;
//! - second-level divisions, villages, airfields, and sites that few people travel to;
//! - display names in other languages, except those in Latin letters of well-known places;
//! - the Latin transliteration and the spellings of Han characters (the index of the subset has no phonetic names either), and spellings
//!   that are less likely than [`LIKELY`];
//! - alternate names of small airports, ICAO codes, and the numbers of states;
//! - names in other languages, and the bounds, of places little known abroad;
//! - importance in finer steps than [`STEPS`];
//! - borders of states: near one the nearest town decides;
//! - inhabitants, time zones and codes to be shown: 174 kB of gzip.

use std::collections::{BTreeMap, BTreeSet};

use toponym_engine::{Code, CodeScheme, Gazetteer, Name, NameClass, Record, Role, Spellings};
use unicode_script::Script;

use crate::feature::Feature;
use crate::importance;
use crate::text::script;

/// People of an ordinary town with `TOWN_NAMES` other names: towns at least as important are in the subset.
const TOWN_PEOPLE: u64 = 15_000;

/// Number of other names of an ordinary town of `TOWN_PEOPLE` people. The limit keeps about 34,000 towns.
const TOWN_NAMES: usize = 4;

/// Places of at least this importance, that of a city of a third of a million people, keep names in foreign languages.
const KNOWN: f64 = 0.65;

/// Stations and landmarks of at least this prominence, from 1 to 5, are in the subset: about 1,000 and 2,800 of them.
const KNOWN_STATION: u8 = 3;
const KNOWN_LANDMARK: u8 = 4;

/// Airports of at least this importance, about 500 of them, keep their alternate names.
const KNOWN_AIRPORT: f64 = 0.45;

/// Number of steps of importance; one step is a sixth of a population. Coarse steps make the columns of importance and
/// of name penalties smaller.
const STEPS: f64 = 128.0;

/// Returns the browser subset of `gazetteer`.
pub(crate) fn browser_subset(gazetteer: Gazetteer) -> Gazetteer {
    let parents: BTreeMap<u64, Option<u64>> = gazetteer.places.iter().map(|place| (place.id, place.parent)).collect();
    let mut places: Vec<Record> = gazetteer.places.into_iter().filter(is_in).collect();
    let kept: BTreeSet<u64> = places.iter().map(|place| place.id).collect();
    for place in &mut places {
        place.parent = std::iter::successors(place.parent, |id| parents.get(id).copied().flatten())
            .find(|parent| kept.contains(parent));
        thin(place);
    }
    let capitals = gazetteer
        .capitals
        .into_iter()
        .filter(|capital| kept.contains(&capital.area) && kept.contains(&capital.city))
        .collect();
    let mut further_countries = gazetteer.further_countries;
    further_countries.retain(|further| kept.contains(&further.region));
    let mut about = gazetteer.about;
    about.title = "core".to_owned();
    let mut borders = gazetteer.borders;
    borders.retain(|border| border.country().is_some());
    let transliteration = gazetteer.transliteration.into_iter().filter(|(letter, _)| !is_han(*letter)).collect();
    let spellings = gazetteer.spellings.into_iter().filter_map(likely).collect();
    let facts = Vec::new();
    Gazetteer { places, capitals, further_countries, about, borders, transliteration, spellings, facts, ..gazetteer }
}

fn is_in(place: &Record) -> bool {
    match place.kind.role {
        Role::Country | Role::State => true,
        Role::Station => place.importance >= importance::station(importance::prominence(KNOWN_STATION)),
        Role::Landmark => place.importance >= importance::landmark(importance::prominence(KNOWN_LANDMARK), 0),
        Role::City | Role::Quarter => {
            place.importance >= importance::settlement(TOWN_PEOPLE, Feature::Place, TOWN_NAMES)
        }
        Role::Airport => place.codes.iter().any(|code| code.scheme == CodeScheme::Iata),
        Role::Region => place.importance >= importance::region(importance::prominence(KNOWN_REGION)),
        Role::County | Role::Postcode => false,
    }
}

/// Regions of this prominence and more are in the subset: those that are known worldwide.
const KNOWN_REGION: u8 = 4;

/// Removes from a place what the subset leaves out.
fn thin(place: &mut Record) {
    let Record { names, codes, bounds, importance, kind, .. } = place;
    let is_known = *importance >= KNOWN;
    let is_small_airport = kind.role == Role::Airport && *importance < KNOWN_AIRPORT;
    let matters = |name: &Name| match name.class {
        NameClass::Primary => true,
        NameClass::English => !is_small_airport,
        NameClass::Other => is_known && script(&name.text) == Some(Script::Latin),
        NameClass::Weak => false,
    };
    // The first name is the display name.
    let mut first = true;
    names.retain(|name| std::mem::take(&mut first) || matters(name));
    if !is_known {
        names.iter_mut().for_each(|name| name.lang = None);
    }
    codes.retain(|code| code.scheme != CodeScheme::Icao && !is_number(code));
    *bounds = bounds.filter(|_| is_known);
    *importance = (*importance * STEPS).round() / STEPS;
}

/// Tells whether a code is one of a state that nobody writes beside a city: `13`.
fn is_number(code: &Code) -> bool {
    code.scheme == CodeScheme::State && !Code::is_word(&code.text)
}

/// Returns the likely spellings of a letter; `None` if it has none, or is a Han character.
fn likely(of_letter: Spellings) -> Option<Spellings> {
    let Spellings { letter, beside, mut all } = of_letter;
    all.retain(|spelling| spelling.cost <= LIKELY);
    (!is_han(letter) && !all.is_empty()).then_some(Spellings { letter, beside, all })
}

/// The cost of a spelling that a letter has once in fifty times.
const LIKELY: u8 = 62;

fn is_han(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use toponym_engine::geo::{Bounds, Coordinate};
    use toponym_engine::{About, Beside, Capital, Code, Kind, Spelling};

    use super::*;

    fn place(id: u64, role: Role, importance: f64, parent: Option<u64>, names: &[(&str, NameClass)]) -> Record {
        let is_coded = role == Role::Airport && importance > 0.3;
        Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: "place".into() },
            names: names.iter().map(|&(text, class)| Name { text: text.into(), class, lang: None }).collect(),
            codes: if is_coded { vec![code(CodeScheme::Iata, "ABC"), code(CodeScheme::Icao, "ABCD")] } else { vec![] },
            position: Coordinate::new(1.0, 2.0).expect("it is in range"),
            parent,
            country: *b"FR",
            importance,
            extent_m: 1_000.0,
            bounds: Some(Bounds { south: 0.0, north: 1.0, west: 2.0, east: 3.0 }),
        }
    }

    fn code(scheme: CodeScheme, text: &str) -> Code {
        Code { scheme, text: text.to_owned() }
    }

    #[test]
    fn what_is_kept() {
        use NameClass::{English, Other, Primary, Weak};
        let names =
            [("Aix", Other), ("Экс", Primary), ("Aix Town", English), ("Aquae", Other), ("Экс-ан", Other), ("A", Weak)];
        let places = vec![
            place(1, Role::Country, 0.9, None, &names),
            place(2, Role::County, 0.6, Some(1), &names),
            place(3, Role::City, 0.55, Some(2), &names),
            place(4, Role::City, 0.4, Some(2), &names),
            place(5, Role::Quarter, 0.3, Some(3), &names),
            place(6, Role::Airport, 0.4, Some(4), &names),
            place(7, Role::Airport, 0.2, Some(3), &names),
            place(8, Role::Landmark, 0.52, Some(5), &names),
            place(9, Role::Landmark, 0.42, Some(5), &names),
            place(10, Role::Station, 0.45, Some(5), &names),
            place(11, Role::Station, 0.375, Some(5), &names),
        ];
        let about = About { title: "default".into(), ..About::default() };
        let transliteration = vec![('ж', "zh".to_owned()), ('北', "bei".to_owned())];
        let capitals = vec![Capital { area: 1, city: 3 }, Capital { area: 2, city: 3 }, Capital { area: 2, city: 4 }];
        let all = vec![spellings('ж', &[3, LIKELY, LIKELY + 1]), spellings('з', &[LIKELY + 1]), spellings('北', &[3])];
        let gazetteer = Gazetteer { places, capitals, about, transliteration, spellings: all, ..Gazetteer::default() };
        let core = browser_subset(gazetteer);
        let check = |id: u64, expect: Option<(Option<u64>, &[&str], usize, bool)>| {
            let found = core.places.iter().find(|place| place.id == id);
            let found = found.map(|place| (place.parent, texts(place), place.codes.len(), place.bounds.is_some()));
            let expect = expect.map(|(parent, names, codes, bounds)| {
                (parent, names.iter().map(|&name| name.to_owned()).collect(), codes, bounds)
            });
            assert_eq!(found, expect, "place {id}");
        };
        check(1, Some((None, &["Aix", "Экс", "Aix Town", "Aquae"], 0, true)));
        check(2, None);
        check(3, Some((Some(1), &["Aix", "Экс", "Aix Town"], 0, false)));
        check(4, None);
        check(5, None);
        check(6, Some((Some(1), &["Aix", "Экс"], 1, false)));
        check(7, None);
        check(8, Some((Some(3), &["Aix", "Экс", "Aix Town"], 0, false)));
        check(9, None);
        check(10, Some((Some(3), &["Aix", "Экс", "Aix Town"], 0, false)));
        check(11, None);
        assert_eq!(core.capitals, [Capital { area: 1, city: 3 }]);
        assert_eq!(core.about.title, "core");
        assert_eq!(core.transliteration, [('ж', "zh".to_owned())]);
        assert_eq!(core.spellings, [spellings('ж', &[3, LIKELY])]);
        assert!(core.places.iter().all(|place| (place.importance * STEPS).fract() == 0.0));
    }

    fn texts(place: &Record) -> Vec<String> {
        place.names.iter().map(|name| name.text.clone()).collect::<Vec<_>>()
    }

    fn spellings(letter: char, costs: &[u8]) -> Spellings {
        Spellings {
            letter,
            beside: Beside::Anything,
            all: costs.iter().map(|&cost| Spelling { cost, latin: "x".into() }).collect(),
        }
    }
}
