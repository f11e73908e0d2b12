//! Builds the records of settlements: type, names, and the city that a part belongs to.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use toponym_engine::{Kind, NameClass, Record, Role, fold};

use super::country_index::CountryIndex;
use super::division_names::division_names;
use super::divisions::Divisions;
use super::inputs::Inputs;
use super::kana::reading;
use super::ranked_names::add_ranked;
use super::romanized::plain;
use crate::feature::Feature;
use crate::importance;
use crate::name_list::NameList;
use crate::names::{self, Setting};
use crate::parallel;
use crate::sources::rows::{Airport, Alias, Iso2, Settlement};
use crate::sources::tables::DivisionWord;
use crate::spatial::Nearby;
use crate::text::{key, script};

/// Minimum population of a city; seats of a country or first-level division are cities too.
const CITY: u64 = 100_000;

/// Minimum population of a town.
const TOWN: u64 = 10_000;

/// Minimum population of a suburb; smaller parts of a city are quarters.
const SUBURB: u64 = 10_000;

/// People per square kilometre of a town, for the radius of a disc that holds all of them.
const DENSITY: f64 = 4_000.0;

/// Minimum extent of a settlement.
const LEAST_EXTENT_M: f64 = 500.0;

/// A city has at least this many times the population of each of its parts.
const CITY_OVER_PART: u64 = 3;

/// Maximum number of candidates for the city of a part.
const CANDIDATES: usize = 500;

/// Creates the records of the settlements, in their order.
pub(crate) fn records(
    inputs: &Inputs,
    country_index: &CountryIndex,
    divisions: &Divisions,
    aliases: &HashMap<u64, Vec<&Alias>>,
) -> Vec<Record> {
    let places = &inputs.settlements;
    let towns = Towns::new(places);
    let metropolises = metropolises(&inputs.airports);
    let record = |settlement: &Settlement| {
        let city = outermost_city(settlement, &towns);
        let by_hand = aliases.get(&settlement.id).map(Vec::as_slice).unwrap_or_default();
        let parent = city.map(|city| city.id).or_else(|| divisions.parent(settlement));
        let metropolis = metropolises.get(&(settlement.country, key(&settlement.name))).copied();
        Record {
            id: settlement.id,
            kind: kind(settlement, city.is_some()),
            names: names(settlement, by_hand, metropolis, country_index, &inputs.tables.words).finish(),
            codes: Vec::new(),
            position: settlement.position,
            parent: parent.or_else(|| country_index.get(settlement.country).map(|land| land.id)),
            country: settlement.country,
            importance: worth(settlement, city),
            extent_m: extent_m(settlement.people()),
            bounds: settlement.bounds.as_deref().copied(),
        }
    };
    parallel::map(places, record)
}

/// Settlements that may have parts: smaller ones have none.
struct Towns<'p> {
    places: &'p [Settlement],
    towns: Nearby,
    /// Settlements with the people of a [`CITY`]. Hamlets, of which there may be millions, are parts of no other.
    cities: Nearby,
}

impl<'p> Towns<'p> {
    fn new(places: &'p [Settlement]) -> Self {
        let with_people = |people: u64| {
            let all = places.iter().enumerate();
            let towns = all.filter(|(_, place)| place.feature != Feature::Section && place.people() >= people);
            Nearby::new(towns.map(|(index, place)| (index, place.position)))
        };
        Self { places, towns: with_people(TOWN), cities: with_people(CITY) }
    }
}

/// Returns metropolitan airport codes by country and key of the city: "LON" is a name of London, "PAR" one of Paris.
fn metropolises(airports: &[Airport]) -> HashMap<(Iso2, String), &str> {
    let codes =
        airports.iter().filter_map(|airport| Some((metropolis(airport)?, airport.metropolis.as_ref()?.0.as_str())));
    codes.collect()
}

fn metropolis(airport: &Airport) -> Option<(Iso2, String)> {
    airport.metropolis.as_ref().map(|(_, city)| (airport.country, key(city)))
}

fn worth(settlement: &Settlement, city: Option<&Settlement>) -> f64 {
    match city {
        Some(city) => importance::quarter(settlement.people(), city.importance()),
        None => settlement.importance(),
    }
}

/// Returns the radius of the disc that holds `population` people at the density of towns, in metres.
fn extent_m(population: u64) -> f64 {
    let square_metres = population as f64 / DENSITY * 1e6;
    (square_metres / core::f64::consts::PI).sqrt().max(LEAST_EXTENT_M)
}

/// Returns the kind of a settlement. Parts of a city are suburbs or quarters; a section without a city is a place of its own.
fn kind(settlement: &Settlement, has_city: bool) -> Kind {
    let people = settlement.people();
    let (role, r#type) = match settlement.feature {
        _ if has_city && people >= SUBURB => (Role::Quarter, "suburb"),
        _ if has_city => (Role::Quarter, "quarter"),
        Feature::Capital | Feature::FirstSeat => (Role::City, "city"),
        _ if people >= CITY => (Role::City, "city"),
        _ if people >= TOWN => (Role::City, "town"),
        _ => (Role::City, "village"),
    };
    Kind { role, category: "place".to_owned(), r#type: r#type.to_owned() }
}

/// Returns the outermost city that a settlement is part of.
fn outermost_city<'p>(part: &Settlement, towns: &Towns<'p>) -> Option<&'p Settlement> {
    let city = city_of(part, towns)?;
    // Each city is several times larger than its part, so the recursion ends.
    outermost_city(city, towns).or(Some(city))
}

/// Returns the city that a settlement is part of. A section belongs to a much larger settlement that reaches it, the one in
/// which it lies deepest. Any other place that is neither a seat nor a city itself belongs to a city if it lies well inside
/// the disc of its people: Ivry, in another department than Paris, and Niterói, a city beside Rio, do not.
fn city_of<'p>(part: &Settlement, towns: &Towns<'p>) -> Option<&'p Settlement> {
    match part.feature {
        Feature::Section => city_of_section(part, towns),
        Feature::Place | Feature::Unknown => city_around(part, towns),
        _ => None,
    }
}

/// A place is well inside a city of its county within this fraction of the radius of the city's disc, if the city has a hundred
/// thousand people and at least this many times the people of the place.
const WELL_INSIDE: f64 = 0.5;
const CITY_OVER_PLACE: u64 = 8;

fn city_around<'p>(part: &Settlement, Towns { places, cities, .. }: &Towns<'p>) -> Option<&'p Settlement> {
    if part.people() >= CITY {
        return None;
    }
    let near = cities.within(part.position, WELL_INSIDE * extent_m(LARGEST_CITY));
    let mut nearest = near.map(|(index, distance)| (&places[index], distance));
    let around = nearest.find(|(city, distance)| {
        city.people() >= part.people().saturating_mul(CITY_OVER_PLACE)
            && *distance <= WELL_INSIDE * extent_m(city.people())
            && (city.country, &city.admin1) == (part.country, &part.admin1)
            && (city.admin2.is_empty() || part.admin2.is_empty() || city.admin2 == part.admin2)
            && city.id != part.id
    });
    around.map(|(city, _)| city)
}

/// Upper limit of city populations, for the search radius.
const LARGEST_CITY: u64 = 30_000_000;

fn city_of_section<'p>(part: &Settlement, Towns { places, towns, .. }: &Towns<'p>) -> Option<&'p Settlement> {
    let farthest = reach_m(u64::MAX);
    let mut deepest: Option<(f64, &Settlement)> = None;
    for (index, distance) in towns.within(part.position, farthest).take(CANDIDATES) {
        // In no town from here on does it lie as deep. A file may have a town in each square kilometre.
        if deepest.is_some_and(|(least, _)| distance / farthest > least) {
            break;
        }
        let city = &places[index];
        let depth = distance / reach_m(city.people());
        let is_deeper = depth <= 1.0 && deepest.is_none_or(|(least, _)| depth < least);
        let is_much_greater = city.people() >= part.people().saturating_mul(CITY_OVER_PART);
        if is_deeper && is_much_greater && city.country == part.country {
            deepest = Some((depth, city));
        }
    }
    deepest.map(|(_, city)| city)
}

/// Returns the reach of a city in metres: its parts lie within 4 km at 10,000 people, 14 km at a million, at most 40 km.
fn reach_m(population: u64) -> f64 {
    (3_000.0 + 11.0 * (population as f64).sqrt()).min(40_000.0)
}

fn names(
    settlement: &Settlement,
    by_hand: &[&Alias],
    metropolis: Option<&str>,
    country_index: &CountryIndex,
    words: &[DivisionWord],
) -> NameList {
    let parts = parts(settlement);
    let shown = label_name(settlement, by_hand, parts[0], country_index);
    let mut list = NameList::new(&*shown);
    list.add(parts[0], NameClass::Primary);
    if !settlement.has_own_name {
        list.add_tagged(&shown, "en", NameClass::Primary);
    }
    parts[1..].iter().for_each(|part| list.add(part, part_class(part)));
    for alias in by_hand {
        match &alias.lang {
            Some(lang) => list.add_tagged(&alias.text, lang, alias.class),
            None => list.add(&alias.text, alias.class),
        }
    }
    // Where a name is written by hand, no other is shown in its language.
    let is_by_hand =
        |lang: &str| by_hand.iter().any(|alias| alias.class < NameClass::Weak && alias.lang.as_deref() == Some(lang));
    for name in settlement.tagged.iter().filter(|name| name.text != *shown || !is_by_hand(&name.lang)) {
        let class = country_index.class_of(settlement.country, &name.lang);
        if is_own_with_word(&name.text, parts[0], settlement.country, words) {
            list.add_tagged(parts[0], &name.lang, class);
            list.add(&name.text, class.max(NameClass::Other));
        } else {
            list.add_tagged(&name.text, &name.lang, class);
        }
    }
    add_ranked(&mut list, &settlement.ranked, settlement.country, country_index);
    if let Some(local) = country_index.local_name(settlement.country, parts[0], settlement.tagged.iter()) {
        list.add_local(local);
    }
    let codes: Vec<&str> = by_hand.iter().map(|alias| alias.text.as_str()).chain(metropolis).collect();
    let equals: Vec<&str> =
        by_hand.iter().filter(|alias| alias.class <= NameClass::English).map(|a| a.text.as_str()).collect();
    let scripts = country_index.scripts(settlement.country);
    let setting = Setting { primary: parts[0], equals: &equals, scripts, codes: &codes };
    for (text, class) in names::classify_all(&settlement.alternates, setting) {
        list.add_guess(text, class);
    }
    if settlement.country == *b"JP" {
        readings(settlement).iter().for_each(|kana| list.add(kana, NameClass::Primary));
    }
    list
}

/// Tells whether a name is the settlement's own one beside a word for what it is, which labels do not show: `Kota Surabaya`. A remark in
/// brackets is not such a word. These names are weaker, because who types `kota` means Kota.
fn is_own_with_word(name: &str, own: &str, country: Iso2, words: &[DivisionWord]) -> bool {
    let is_longer = name.len() > own.len() && !name.contains('(') && (name.starts_with(own) || name.ends_with(own));
    is_longer && division_names(name, country, words).display == own
}

/// Returns the readings of a Japanese name, by those of its spellings that show which vowels are long, else by its own.
fn readings(settlement: &Settlement) -> BTreeSet<String> {
    let spellings = settlement.alternates.iter().filter(|name| key(name) == key(&settlement.name));
    let long: BTreeSet<String> = spellings
        .chain([&settlement.name])
        .filter(|name| name.to_lowercase().contains(['ō', 'ū']))
        .filter_map(|name| reading(name))
        .collect();
    if long.is_empty() { reading(&settlement.name).into_iter().collect() } else { long }
}

/// Returns the name that labels show: in English, but as the operator wrote it.
fn label_name<'n>(
    settlement: &Settlement,
    by_hand: &[&'n Alias],
    own: &'n str,
    country_index: &CountryIndex,
) -> Cow<'n, str> {
    let by_hand = by_hand.iter().find(|alias| alias.is_shown).map(|alias| alias.text.as_str());
    match by_hand {
        _ if settlement.has_own_name => own.into(),
        Some(english) => english.into(),
        None if country_index.romanizes(settlement.country) => plain(own).into(),
        None => own.into(),
    }
}

/// Returns the display name and the names beside it: "Mianzhu, Deyang, Sichuan" is shown as "Mianzhu"; "Biel/Bienne" is shown
/// so and has two names; "Zürich (Kreis 7) / Witikon" is "Witikon", a part of a city that names its city first. Each part
/// has a letter, because the whole name has one.
///
/// What an operator wrote is shown whole.
fn parts(settlement: &Settlement) -> Vec<&str> {
    let name = settlement.name.as_str();
    let is_whole = settlement.has_own_name;
    let first = name.split(',').next().map(str::trim).filter(|first| has_letter(first)).unwrap_or(name);
    let foreign = name.split(',').skip(1).map(str::trim).filter(|part| script(part) != script(first));
    let slashed: Vec<&str> = first.split('/').map(str::trim).filter(|part| has_letter(part)).collect();
    let (display, mut others) = match (slashed.as_slice(), settlement.feature) {
        ([.., last], Feature::Section) if slashed.len() > 1 && !is_whole => (*last, Vec::new()),
        _ => (first, if slashed.len() > 1 { slashed } else { Vec::new() }),
    };
    let (before, note) = names::without_note(display);
    // "Zürich (Kreis 3)" is a part of Zürich: the text before the brackets is not its name.
    if note.is_some() && settlement.feature != Feature::Section {
        others.push(before);
    }
    others.extend(note.filter(|note| key(note) != key(before) && note.chars().count() > 3));
    others.extend(foreign);
    if is_whole && display != name {
        others.insert(0, display);
    }
    others.insert(0, if is_whole { name } else { display });
    others
}

/// Tells whether the index can show and find a part of a name.
fn has_letter(part: &str) -> bool {
    part.contains(|c: char| c.is_ascii_alphanumeric()) || !fold(part).is_empty()
}

/// Returns the class of a part of the display name. Parts are names of the place; text in brackets may be a description.
fn part_class(part: &str) -> NameClass {
    if part.contains(['(', '[']) { NameClass::Weak } else { NameClass::Primary }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer::test_settlement as settlement;

    #[test]
    fn types() {
        check_type(100_000, Feature::Place, false, (Role::City, "city"));
        check_type(99_999, Feature::Place, false, (Role::City, "town"));
        check_type(9_999, Feature::SecondSeat, false, (Role::City, "village"));
        check_type(900, Feature::Capital, false, (Role::City, "city"));
        check_type(0, Feature::Unknown, false, (Role::City, "village"));
        check_type(9_999, Feature::Section, true, (Role::Quarter, "quarter"));
        check_type(10_000, Feature::Section, true, (Role::Quarter, "suburb"));
        check_type(200_000, Feature::Section, false, (Role::City, "city"));
    }

    fn check_type(population: u64, feature: Feature, has_city: bool, expect: (Role, &str)) {
        let kind = kind(&Settlement { feature, ..settlement(1, "A", (0.0, 0.0), population) }, has_city);
        assert_eq!((kind.role, kind.r#type.as_str()), expect, "{population} {feature:?}");
    }

    #[test]
    fn parts_of_primary_names() {
        check_parts("Paris", Feature::Capital, &["Paris"]);
        check_parts("Biel/Bienne", Feature::Place, &["Biel/Bienne", "Biel", "Bienne"]);
        check_parts(
            "Donostia / San Sebastián",
            Feature::Place,
            &["Donostia / San Sebastián", "Donostia", "San Sebastián"],
        );
        check_parts("Zürich (Kreis 7) / Witikon", Feature::Section, &["Witikon"]);
        check_parts("Zürich (Kreis 3)", Feature::Section, &["Zürich (Kreis 3)", "Kreis 3"]);
        check_parts("Mianzhu, Deyang, Sichuan", Feature::Place, &["Mianzhu"]);
        check_parts("♥, Paris", Feature::Place, &["♥, Paris"]);
        check_parts("Paris / ♥", Feature::Section, &["Paris / ♥"]);
        check_parts("♥ / Paris / ♥", Feature::Place, &["♥ / Paris / ♥"]);
        check_parts("Ryasno, Рясно", Feature::Place, &["Ryasno", "Рясно"]);
        check_parts("Zapata (El Ranchito)", Feature::Place, &["Zapata (El Ranchito)", "Zapata", "El Ranchito"]);
    }

    fn check_parts(name: &str, feature: Feature, expect: &[&str]) {
        let settlement = Settlement { feature, ..settlement(1, name, (0.0, 0.0), 1) };
        assert_eq!(parts(&settlement), expect, "{name:?}");
    }

    #[test]
    fn what_an_operator_wrote_is_shown_whole() {
        check_own_parts("Paris", Feature::Capital, &["Paris"]);
        check_own_parts("Hoengg/Affoltern", Feature::Section, &["Hoengg/Affoltern", "Hoengg", "Affoltern"]);
        check_own_parts("Biel/Bienne", Feature::Place, &["Biel/Bienne", "Biel", "Bienne"]);
        check_own_parts("Mianzhu, Deyang, Sichuan", Feature::Place, &["Mianzhu, Deyang, Sichuan", "Mianzhu"]);
    }

    fn check_own_parts(name: &str, feature: Feature, expect: &[&str]) {
        let settlement = Settlement { feature, has_own_name: true, ..settlement(1, name, (0.0, 0.0), 1) };
        assert_eq!(parts(&settlement), expect, "{name:?}");
    }

    #[test]
    fn a_part_joins_the_city_around_it() {
        let places = [
            settlement(1, "Great", (48.85, 2.35), 2_000_000),
            settlement(2, "Near", (48.95, 2.35), 20_000),
            Settlement { country: *b"BE", ..settlement(3, "Abroad", (48.95, 2.36), 900_000) },
        ];
        let towns = Towns::new(&places);
        let check = |at, population, expect: Option<u64>| {
            assert_eq!(city_of(&section(at, population), &towns).map(|city| city.id), expect, "{at:?}");
        };
        check((48.86, 2.35), 50_000, Some(1));
        check((48.951, 2.35), 1_000, Some(2));
        check((48.951, 2.35), 10_000, Some(1));
        check((48.86, 2.35), 1_000_000, None);
        check((47.0, 2.35), 1_000, None);
    }

    /// Compares with all towns, near and far.
    #[test]
    fn a_section_lies_deepest_in_its_city() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut at = || (48.0 + rng.f64(), 2.0 + rng.f64());
        let positions: Vec<_> = (0..200).map(|_| at()).collect();
        let sections: Vec<_> = (0..500).map(|_| at()).collect();
        let towns = (1..).zip(positions).map(|(id, at)| settlement(id, "Town", at, rng.u64(TOWN..500_000)));
        let towns: Vec<Settlement> = towns.collect();
        for at in sections {
            let part = section(at, 20_000);
            let depth = |town: &&Settlement| town.position.distance_m(part.position) / reach_m(town.people());
            let greater = towns.iter().filter(|town| town.people() >= CITY_OVER_PART * part.people());
            let deepest = greater.min_by(|a, b| depth(a).total_cmp(&depth(b))).filter(|town| depth(town) <= 1.0);
            let found = city_of(&part, &Towns::new(&towns));
            assert_eq!(found.map(|city| city.id), deepest.map(|city| city.id), "{at:?}");
        }
    }

    fn section(at: (f64, f64), population: u64) -> Settlement {
        Settlement { feature: Feature::Section, ..settlement(9, "Part", at, population) }
    }
}
