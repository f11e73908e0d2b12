//! Builds the records of stations and landmarks: their names by language, and their city.

use std::collections::BTreeSet;

use toponym_engine::index::MAX_NAME_BYTES;
use toponym_engine::{Kind, NameClass, Record, Role, fold};

use super::country_index::CountryIndex;
use super::locator::{LEAST_PEOPLE, Locator};
use super::ranked_names::add_ranked;
use crate::ids::{Namespace, hash_id};
use crate::importance;
use crate::name_list::NameList;
use crate::names::{Setting, classify_all};
use crate::parallel;
use crate::sources::rows::{RankedName, Settlement, Site};
use crate::text::key;

/// Maximum distance of a site from the city that its source names, plus its own extent.
pub(crate) const CITY_REACH_M: f64 = 30_000.0;

/// A site without such a city belongs to the nearest one with this many people within this distance plus its extent.
const NEAREST: (f64, u64) = (15_000.0, LEAST_PEOPLE);

/// Words to strip from the ends of a name after its kind is removed: "Museum of Anatolia".
const SMALL_WORDS: [&str; 17] =
    ["a", "al", "da", "de", "del", "della", "des", "di", "do", "du", "el", "la", "le", "of", "the", "van", "von"];

/// Shorter bare names are not distinctive.
const LEAST_LETTERS: usize = 4;

/// Abbreviations in station names and their full forms.
const SHORT_FORMS: &[(&str, &str)] = &[(" Hbf", " Hauptbahnhof"), (" Bf", " Bahnhof")];

/// The type of stations; all other sites are landmarks.
pub(super) const STATION: &str = "station";

/// Creates the records of stations.
pub(crate) fn stations(sites: &[Site], country_index: &CountryIndex, locator: &Locator) -> Vec<Record> {
    let record = |site: &Site| {
        let mut names = names(site, country_index);
        site.merged.iter().for_each(|name| add_station_forms(&mut names, name));
        add_station_forms(&mut names, &site.name);
        add_guesses(&mut names, site, country_index);
        let kind = Kind { role: Role::Station, category: "railway".to_owned(), r#type: STATION.to_owned() };
        record(site, kind, names, |_| importance::station(site.prominence), country_index, locator)
    };
    parallel::map(sites, record).into_iter().flatten().collect()
}

/// Types of summits.
const SUMMITS: [&str; 2] = ["mountain", "volcano"];

/// Creates the records of landmarks.
pub(crate) fn landmarks(
    sites: &[Site],
    words: &BTreeSet<String>,
    country_index: &CountryIndex,
    locator: &Locator,
) -> Vec<Record> {
    let record = |site: &Site| {
        let mut names = names(site, country_index);
        site.merged.iter().for_each(|name| names.add(name, NameClass::English));
        add_guesses(&mut names, site, country_index);
        add_bare_names(&mut names, site, words);
        let kind = Kind { role: Role::Landmark, category: "tourism".to_owned(), r#type: site.r#type.clone() };
        let importance = |city_population| importance::landmark(site.prominence, city_population);
        record(site, kind, names, importance, country_index, locator)
    };
    parallel::map(sites, record).into_iter().flatten().collect()
}

/// Returns the id of a site's place.
pub(super) fn id(site: &Site) -> u64 {
    let namespace = if site.r#type == STATION { Namespace::Station } else { Namespace::Landmark };
    hash_id(namespace, &site.slug)
}

fn record(
    site: &Site,
    kind: Kind,
    mut names: NameList,
    importance: impl Fn(u64) -> f64,
    country_index: &CountryIndex,
    locator: &Locator,
) -> Option<Record> {
    let country = site.country;
    let at = site.position;
    let named = locator.settlement_called(country, &site.city, at, CITY_REACH_M + site.reach_m());
    let city = named.or_else(|| locator.nearest(country, at, NEAREST.0 + site.reach_m(), NEAREST.1));
    let parent = city.map(|city| city.id).or_else(|| locator.area(country, at));
    if let Some(city) = city {
        add_names_in_city(&mut names, city, locator.kinds());
    }
    Some(Record {
        id: id(site),
        kind,
        names: names.finish(),
        codes: Vec::new(),
        position: at,
        parent: parent.or(Some(country_index.get(country)?.id)),
        country,
        importance: importance(city.map_or(0, Settlement::people)),
        extent_m: site.reach_m(),
        bounds: site.bounds.as_deref().copied(),
    })
}

/// Returns all names of a site except that of its own city: Hallstatt is the village, not its market square.
fn names(site: &Site, country_index: &CountryIndex) -> NameList {
    let mut list = NameList::new(written_out(&site.name));
    for name in site.tagged.iter().filter(|name| key(&name.text) != key(&site.city)) {
        list.add_tagged(&name.text, &name.lang, country_index.class_of(site.country, &name.lang));
    }
    let ranked: Vec<RankedName> =
        site.ranked.iter().filter(|ranked| key(&ranked.name.text) != key(&site.city)).cloned().collect();
    add_ranked(&mut list, &ranked, site.country, country_index);
    list
}

/// Adds "Titicaca" for "Lake Titicaca". With it "Lago Titicaca" finds the lake too, because the word for lakes only
/// names the kind. Of a summit it is how people call it: Elbrus and Rainier are the mountains before the villages below.
fn add_bare_names(list: &mut NameList, site: &Site, words: &BTreeSet<String>) {
    if SUMMITS.contains(&site.r#type.as_str()) {
        bare(&site.name, words).iter().for_each(|name| list.add(name, NameClass::English));
    }
    let ranked = site.ranked.iter().map(|ranked| &ranked.name.text);
    let all = site.tagged.iter().map(|name| &name.text).chain(ranked).chain([&site.name]);
    for bare in all.filter_map(|name| bare(name, words)) {
        list.add(&bare, NameClass::Weak);
    }
}

/// Returns a name without words for kinds, if the rest is still a name.
pub(super) fn bare(name: &str, words: &BTreeSet<String>) -> Option<String> {
    let kept: Vec<&str> = name.split(' ').filter(|word| !words.contains(&fold(word))).collect();
    let from = kept.iter().position(|word| !is_edge(word))?;
    let to = kept.iter().rposition(|word| !is_edge(word))?;
    let bare = kept[from..=to].join(" ");
    let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= LEAST_LETTERS && kept.len() < name.split(' ').count()).then_some(bare)
}

fn is_edge(word: &&str) -> bool {
    SMALL_WORDS.contains(&fold(word).as_str())
}

/// Adds names without that of the city: with it as a context, `opera house sydney` and `santa maria novella firenze` find Sydney Opera House
/// and Firenze Santa Maria Novella.
fn add_names_in_city(list: &mut NameList, city: &Settlement, kinds: &BTreeSet<String>) {
    let of_city = [&city.name].into_iter().chain(&city.alternates).chain(city.tagged.iter().map(|name| &name.text));
    let of_city: BTreeSet<String> = of_city.map(|name| key(name)).collect();
    let all: Vec<String> = list.texts().filter_map(|name| name_in_city(name, &of_city, kinds)).collect();
    all.iter().for_each(|name| list.add(name, NameClass::Weak));
}

/// Returns a name without the name of its city, of at most so many words, if the rest is still a name.
fn name_in_city(name: &str, of_city: &BTreeSet<String>, kinds: &BTreeSet<String>) -> Option<String> {
    let words: Vec<&str> = name.split([' ', '-', '–']).filter(|word| !word.is_empty()).collect();
    let spans = (1..=MOST_WORDS_OF_CITY)
        .rev()
        .flat_map(|length| (0..(words.len() + 1).saturating_sub(length)).map(move |at| at..at + length));
    let span = spans.into_iter().find(|span| of_city.contains(&key(&words[span.clone()].join(" "))))?;
    let kept: Vec<&str> = words[..span.start].iter().chain(&words[span.end..]).copied().collect();
    let from = kept.iter().position(|word| !is_edge(word))?;
    let to = kept.iter().rposition(|word| !is_edge(word))?;
    let rest = kept[from..=to].join(" ");
    // `Hauptbahnhof` says nothing but the kind, which the search knows.
    let is_kind = |word: &&str| is_edge(word) || kinds.contains(&fold(word));
    if kept[from..=to].iter().all(is_kind) {
        return None;
    }
    (rest.chars().filter(|c| c.is_alphabetic()).count() >= LEAST_LETTERS).then_some(rest)
}

/// The most words of a city's name that are looked for in the name of a site: Frankfurt am Main.
const MOST_WORDS_OF_CITY: usize = 3;

/// Adds untagged names in the class that their form supports.
fn add_guesses(list: &mut NameList, site: &Site, country_index: &CountryIndex) {
    let setting =
        Setting { primary: &site.name, equals: &[], scripts: country_index.scripts(site.country), codes: &[] };
    for (text, class) in classify_all(&site.alternates, setting) {
        list.add_guess(text, class);
    }
}

/// Adds the name written out and in short, as signs and timetables print it, and both without a qualifier in brackets.
fn add_station_forms(list: &mut NameList, name: &str) {
    let whole = written_out(name);
    for form in [Some(whole.as_str()), Some(name), in_short(&whole).as_deref()].into_iter().flatten() {
        list.add(form, NameClass::Primary);
        if let Some((before, after)) = form.split_once(" (")
            && let Some((_, rest)) = after.split_once(')')
        {
            list.add(&format!("{before}{rest}"), NameClass::Other);
        }
    }
}

/// Returns the name with a short form of its ending, if there is one.
fn in_short(name: &str) -> Option<String> {
    SHORT_FORMS.iter().find_map(|(short, long)| Some(format!("{}{short}", name.strip_suffix(long)?)))
}

/// Returns the name with short forms of stations spelled out, if the index can hold it so.
pub(crate) fn written_out(name: &str) -> String {
    let fits = |&&(short, long): &&(&str, &str)| name.len() - short.len() + long.len() <= MAX_NAME_BYTES;
    let short = SHORT_FORMS.iter().find(|(short, _)| name.ends_with(short)).filter(fits);
    short.map_or_else(|| name.to_owned(), |(short, long)| format!("{}{long}", &name[..name.len() - short.len()]))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use toponym_engine::geo::Coordinate;

    use super::*;
    use crate::gazetteer::borders::engine_of_borders;
    use crate::gazetteer::matcher::{Matcher, ROWS};
    use crate::gazetteer::same_sites::merge;
    use crate::sources::rows::{Country, Origin, Tagged};

    fn station(slug: &str, name: &str, lat: f64, tagged: &[(&str, &str)]) -> Site {
        Site {
            slug: slug.to_owned(),
            origin: if slug.starts_with("db-") { Origin::Pinned } else { Origin::Curated },
            alternates: Vec::new(),
            merged: Vec::new(),
            name: name.to_owned(),
            tagged: tagged.iter().map(|(lang, text)| Tagged { lang: (*lang).into(), text: (*text).into() }).collect(),
            ranked: Vec::new(),
            country: *b"DE",
            city: String::new(),
            position: Coordinate::new(lat, 8.66).expect("a test coordinate is in range"),
            r#type: "station".to_owned(),
            prominence: 0.5,
            extent_m: None,
            bounds: None,
        }
    }

    fn germany() -> CountryIndex {
        let country = Country {
            iso2: *b"DE",
            iso3: "DEU".into(),
            id: 7,
            name: "Germany".into(),
            capital: "Berlin".into(),
            area_km2: 1.0,
            population: 1,
            continent: toponym_engine::coverage::Continent::Europe,
            languages: vec!["de".into()],
        };
        CountryIndex::new(&[country], &HashMap::new(), |_| None)
    }

    #[test]
    fn bare_names() {
        let words = ["lake", "museum", "castle"].map(str::to_owned).into();
        let check = |name: &str, expect: Option<&str>| assert_eq!(bare(name, &words).as_deref(), expect, "{name}");
        check("Lake Titicaca", Some("Titicaca"));
        check("Museum of the Future", Some("Future"));
        check("Deutsches Museum", Some("Deutsches"));
        check("Bran Castle", Some("Bran"));
        check("Lake Van", None);
        check("The Castle", None);
        check("Eiffel Tower", None);
    }

    #[test]
    fn one_station_from_two_sources() {
        let sites = [
            station("frankfurt", "Frankfurt Central", 50.107, &[("de", "Frankfurt (Main) Hauptbahnhof")]),
            station("db-1", "Frankfurt (Main) Hbf", 50.108, &[]),
            station("db-2", "Frankfurt (Main) Süd", 50.099, &[]),
        ];
        let records = stations(
            &merge(
                sites.to_vec(),
                &mut Matcher::new(ROWS, &Default::default(), &mut Default::default(), &mut Default::default()),
            ),
            &germany(),
            &Locator::new(&[], &[], &BTreeSet::new(), (&engine_of_borders(Vec::new()), &[])),
        );
        let names: Vec<Vec<&str>> =
            records.iter().map(|record| record.names.iter().map(|name| name.text.as_str()).collect()).collect();
        assert_eq!(
            names,
            [
                vec![
                    "Frankfurt Central",
                    "Frankfurt (Main) Hauptbahnhof",
                    "Frankfurt Hauptbahnhof",
                    "Frankfurt (Main) Hbf",
                    "Frankfurt Hbf"
                ],
                vec!["Frankfurt (Main) Süd", "Frankfurt Süd"],
            ]
        );
        assert_eq!(records[0].parent, Some(7));
        assert_eq!(records[0].id, hash_id(Namespace::Station, "frankfurt"));
    }
}
