//! In how many languages countries and states have names: which share of those that the sources name in a language is answered
//! in it.
//!
//! The index keeps no name that is spelt as the display name, so such an answer counts if the source has the same name in
//! the language: `France` is French.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use gettext::Catalog;
use serde::Deserialize;
use toponym_engine::{CodeScheme, Engine, Reference};

use super::packages::Packages;

/// A country has a name in a language if it is one of these 249: ISO 3166-1.
const COUNTRIES: usize = 249;

/// Share of the countries from which on a language counts as one of the index.
const MOST: f64 = 0.9;

/// Least number of such languages.
const FEWEST_LANGUAGES: usize = 60;

/// Share of a source's translations of states from which on a language counts, and the least number of such languages among
/// those into which the source translates at least `MANY` states.
const MOST_STATES: f64 = 0.9;
const FEWEST_STATE_LANGUAGES: usize = 33;
const MANY: usize = 100;

#[derive(Deserialize)]
struct Iso {
    #[serde(rename = "3166-1")]
    countries: Vec<Country>,
}

#[derive(Deserialize)]
struct Country {
    alpha_2: String,
}

#[derive(Deserialize)]
struct Divisions {
    #[serde(rename = "3166-2")]
    list: Vec<Division>,
}

#[derive(Deserialize)]
struct Division {
    code: String,
    name: String,
}

/// Answers in one language: how many countries, and how many states of those that the source translates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    countries: usize,
    states: usize,
    translated: usize,
}

impl Row {
    fn countries_share(self) -> f64 {
        self.countries as f64 / COUNTRIES as f64
    }

    fn states_share(self) -> f64 {
        self.states as f64 / self.translated.max(1) as f64
    }

    fn has_most_countries(self) -> bool {
        self.countries_share() >= MOST
    }

    fn has_most_states(self) -> bool {
        self.translated >= MANY && self.states_share() >= MOST_STATES
    }
}

/// Returns the table, and what is below a floor.
pub fn table(engine: &Engine, packages: &Packages) -> (String, Vec<String>) {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    count_countries(engine, packages, &mut rows);
    let known = count_states(engine, packages, &mut rows);
    rows.retain(|lang, _| !has_region(lang) && engine.has_language(lang));
    // A language in two scripts is one.
    let of = |counts: fn(Row) -> bool| {
        let such = rows.iter().filter(|&(_, &row)| counts(row));
        such.map(|(lang, _)| lang.split('-').next().unwrap_or(lang)).collect::<BTreeSet<_>>().len()
    };
    let languages = of(Row::has_most_countries);
    let state_languages = of(Row::has_most_states);
    let half = rows.values().filter(|row| 2 * row.states >= known).count();
    let mut text = format!(
        "{languages} languages in which at least {MOST} of the {COUNTRIES} countries of ISO 3166-1 have a name\n\
         {state_languages} languages in which at least {MOST_STATES} of the states that iso-codes translates, {MANY} or more, have a name\n\
         {half} languages in which at least half of the {known} states with a code of ISO 3166-2 have a name\n\n\
         {:<12}{:>10}{:>8}{:>10}{:>12}{:>8}\n",
        "language", "countries", "share", "states", "translated", "share"
    );
    for (lang, row) in &rows {
        let countries = row.countries_share();
        let states = row.states_share();
        let states = if row.translated > 0 { format!("{states:.3}") } else { "-".to_owned() };
        writeln!(
            text,
            "{lang:<12}{:>10}{countries:>8.3}{:>10}{:>12}{states:>8}",
            row.countries, row.states, row.translated
        )
        .expect("memory can be written");
    }
    let floors = [
        ("languages with names of countries", languages, FEWEST_LANGUAGES),
        ("languages with names of states", state_languages, FEWEST_STATE_LANGUAGES),
    ];
    let below = floors.iter().filter(|(_, found, floor)| found < floor);
    (text, below.map(|(what, found, floor)| format!("{what}: {found}, the floor is {floor}")).collect())
}

fn count_countries(engine: &Engine, packages: &Packages, rows: &mut BTreeMap<String, Row>) {
    let iso: Iso = packages.json("pycountry", "pycountry/databases/iso3166-1.json");
    assert_eq!(iso.countries.len(), COUNTRIES);
    for (path, bytes) in packages.ending("cldr-localenames-full", "/territories.json") {
        let lang = folder_before(&path, "/territories.json");
        let document: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
        let names = &document["main"][&lang]["localeDisplayNames"]["territories"];
        let answered = iso.countries.iter().filter(|country| {
            let code = &country.alpha_2;
            let forms =
                ["", "-alt-short", "-alt-variant"].iter().filter_map(|alt| names[format!("{code}{alt}")].as_str());
            is_answered(engine, CodeScheme::Iso2, code, None, &lang, &forms.collect::<Vec<_>>())
        });
        rows.entry(lang.clone()).or_default().countries = answered.count();
    }
}

/// Counts the states. Returns how many of the source the index has.
fn count_states(engine: &Engine, packages: &Packages, rows: &mut BTreeMap<String, Row>) -> usize {
    let divisions: Divisions = packages.json("pycountry", "pycountry/databases/iso3166-2.json");
    let place = |division: &Division| {
        let (country, code) = division.code.split_once('-')?;
        let country: [u8; 2] = country.as_bytes().try_into().ok()?;
        let reference = Reference::Code { scheme: CodeScheme::State, code: code.to_owned(), country: Some(country) };
        engine.place(&reference, None).map(|_| (country, code.to_owned()))
    };
    let known: Vec<_> = divisions.list.iter().filter_map(|division| Some((division, place(division)?))).collect();
    for (path, bytes) in packages.ending("pycountry", "/LC_MESSAGES/iso3166-2.mo") {
        let lang = tag(&folder_before(&path, "/LC_MESSAGES/iso3166-2.mo"));
        let catalogue = Catalog::parse(bytes.as_slice()).expect("it is a catalogue");
        let row = rows.entry(lang.clone()).or_default();
        for (division, (country, code)) in &known {
            let text = catalogue.gettext(&division.name);
            if text != division.name {
                let forms: Vec<&str> = text.split(['/', ';', '[', ']', '(', ')', ',']).map(str::trim).collect();
                row.translated += 1;
                row.states += usize::from(is_answered(engine, CodeScheme::State, code, Some(*country), &lang, &forms));
            }
        }
    }
    known.iter().map(|(_, place)| place).collect::<BTreeSet<_>>().len()
}

/// Tells whether the name in the answer is another one than without a language, or one of `forms`.
fn is_answered(
    engine: &Engine,
    scheme: CodeScheme,
    code: &str,
    country: Option<[u8; 2]>,
    lang: &str,
    forms: &[&str],
) -> bool {
    let reference = Reference::Code { scheme, code: code.to_owned(), country };
    let name = |lang: Option<&str>| {
        let shown = engine.place(&reference, lang)?.display_name;
        Some(shown.split(", ").next().unwrap_or_default().to_owned())
    };
    let plain = name(None);
    plain.is_some() && (name(Some(lang)) != plain || plain.is_some_and(|plain| forms.contains(&plain.as_str())))
}

/// Tells whether a tag is that of a country's form of a language, such as `fr-CA`: it would count a language twice.
fn has_region(tag: &str) -> bool {
    tag.split('-').skip(1).any(|subtag| subtag.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()))
}

/// Returns the folder of a file: `fr` of `package/main/fr/territories.json`.
fn folder_before(path: &str, end: &str) -> String {
    path.strip_suffix(end).and_then(|path| path.rsplit('/').next()).unwrap_or_default().to_owned()
}

/// Converts a locale to a tag: `pt_BR` is `pt-BR`, `sr@latin` is `sr-Latn`.
fn tag(locale: &str) -> String {
    match locale.split_once('@') {
        Some((lang, "latin" | "iqtelif")) => format!("{lang}-Latn"),
        Some((lang, _)) => lang.to_owned(),
        None => locale.replace('_', "-"),
    }
}
