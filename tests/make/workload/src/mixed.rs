//! Makes rows as tables of customers and shipments have them: a city as someone wrote it, most often with its country in
//! one of several forms, and a point near it.
//!
//! The share of each form is fixed. A row is right if the answer is the city it was made from, or another of that name in
//! that country that is at least as important: `expected_id` is the most important one.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use toponym_engine::geo::Coordinate;
use toponym_engine::{CodeScheme, Gazetteer, NameClass, Record, Role, fold};

use crate::typos::with_typos;

/// A fixed seed, so that every run makes the same rows.
const SEED: u64 = 0x006d_6978_6564;

/// Number of the most important cities that half of the rows are about: most addresses are in towns that people know.
const KNOWN_CITIES: usize = 20_000;

/// Number of rows in a hundred that are about known cities.
const KNOWN: u8 = 50;

/// Fewest letters of a name with a slip, as in the engines that correct it.
const FEWEST_LETTERS: usize = 5;

/// Greatest distance of a point from the centre of its city in latitude and in longitude, degrees.
const NEAR: f64 = 0.02;

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct MixedRow {
    /// The city as it was written.
    pub city: String,
    /// Country as it was written; empty if nobody wrote it.
    pub country: String,
    /// A point at most 0.02 degrees from the centre.
    pub point: Coordinate,
    /// The `place_id` of the most important city of that name in that country.
    pub expected_id: u64,
}

/// Makes `count` rows about the cities of `gazetteer`, no two with the same city and country.
pub fn mixed_rows(gazetteer: &Gazetteer, count: usize) -> Vec<MixedRow> {
    let cities = Cities::of(gazetteer);
    let mut rng = Rng::with_seed(SEED);
    let mut seen = HashSet::with_capacity(count);
    let rows = std::iter::repeat_with(|| cities.row(&mut rng)).flatten();
    rows.filter(|row| seen.insert((row.city.clone(), row.country.clone()))).take(count).collect()
}

/// The cities with what is looked up about them.
struct Cities<'g> {
    /// The most important one first.
    by_importance: Vec<&'g Record>,
    /// The countries by their codes.
    countries: HashMap<[u8; 2], &'g Record>,
    /// The most important city of a folded name, in the world and in a country.
    best: HashMap<String, u64>,
    best_in: HashMap<([u8; 2], String), u64>,
}

impl<'g> Cities<'g> {
    fn of(gazetteer: &'g Gazetteer) -> Self {
        let places = || gazetteer.places.iter();
        let mut by_importance: Vec<&Record> = places().filter(|place| place.kind.role == Role::City).collect();
        by_importance.sort_by(|a, b| b.importance.total_cmp(&a.importance).then(a.id.cmp(&b.id)));
        let mut best = HashMap::new();
        let mut best_in = HashMap::new();
        for city in &by_importance {
            for name in city.names.iter().map(|name| fold(&name.text)) {
                best.entry(name.clone()).or_insert(city.id);
                best_in.entry((city.country, name)).or_insert(city.id);
            }
        }
        let countries = places().filter(|place| place.kind.role == Role::Country);
        let countries = countries.map(|country| (country.country, country)).collect();
        Self { by_importance, countries, best, best_in }
    }

    fn row(&self, rng: &mut Rng) -> Option<MixedRow> {
        let among =
            if rng.u8(..100) < KNOWN { KNOWN_CITIES.min(self.by_importance.len()) } else { self.by_importance.len() };
        let record = self.by_importance[rng.usize(..among)];
        let (city, name) = written(record, rng)?;
        let country = written_country(self.countries.get(&record.country)?, rng)?;
        let expected = match country.is_empty() {
            true => self.best.get(&name),
            false => self.best_in.get(&(record.country, name)),
        };
        Some(MixedRow { city, country, point: near(record.position, rng), expected_id: *expected? })
    }
}

/// Picks a name of the city as someone writes it, and folded without slips.
fn written(city: &Record, rng: &mut Rng) -> Option<(String, String)> {
    let display = city.names.first()?.text.as_str();
    let name = fold(display);
    Some(match rng.u8(..100) {
        // Exactly as the index has it.
        0..65 => (display.to_owned(), name),
        // As a form without accents keeps it, in capitals.
        65..75 => (name.to_uppercase(), name),
        // In another language or spelling.
        75..95 => {
            let others: Vec<&str> = city
                .names
                .iter()
                .filter(|name| name.class <= NameClass::Other)
                .skip(1)
                .map(|name| &*name.text)
                .collect();
            let other = *others.get(rng.usize(..others.len().max(1)))?;
            (capitalise(other), fold(other))
        }
        // With one slip.
        _ => {
            let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c == ' ');
            if !is_plain || name.len() < FEWEST_LETTERS {
                return None;
            }
            (capitalise(&with_typos(&name, 1, rng)), name)
        }
    })
}

/// Picks the country as someone writes it; empty in one row of five.
fn written_country(country: &Record, rng: &mut Rng) -> Option<String> {
    let code = |scheme| country.codes.iter().find(|code| code.scheme == scheme).map(|code| code.text.clone());
    let others = |class: NameClass| country.names.iter().skip(1).filter(move |name| name.class == class);
    Some(match rng.u8(..100) {
        0..20 => String::new(),
        20..50 => code(CodeScheme::Iso2)?,
        50..55 => code(CodeScheme::Iso3)?,
        55..80 => country.names.first()?.text.clone(),
        // Its own name for itself, else a foreign one.
        share => {
            let class = if share < 90 { NameClass::Primary } else { NameClass::Other };
            let names: Vec<_> = others(class).collect();
            capitalise(&names.get(rng.usize(..names.len().max(1)))?.text)
        }
    })
}

/// Writes a text with a capital at the start of each word.
fn capitalise(text: &str) -> String {
    let mut starts = true;
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match starts {
            true => out.extend(letter.to_uppercase()),
            false => out.push(letter),
        }
        starts = letter == ' ';
    }
    out
}

/// Picks a point near the centre, with the five decimals that tables have.
fn near(centre: Coordinate, rng: &mut Rng) -> Coordinate {
    let mut shifted = |degrees: f64, bound: f64| {
        let moved = degrees + NEAR * (2.0 * rng.f64() - 1.0);
        ((moved * 1e5).round() / 1e5).clamp(-bound, bound)
    };
    let lat = shifted(centre.lat(), 90.0);
    let lon = shifted(centre.lon(), 180.0);
    Coordinate::new(lat, lon).expect("it is clamped to the globe")
}

#[cfg(test)]
mod tests {
    use toponym_engine::{Code, Kind, Name};

    use super::*;

    fn place(id: u64, role: Role, importance: f64) -> Record {
        Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: "city".into() },
            names: vec![name(&place_name(id), NameClass::Primary), name("other name", NameClass::Other)],
            codes: vec![Code { scheme: CodeScheme::Iso2, text: "AA".into() }],
            position: Coordinate::new(10.0, 20.0).expect("it is on the globe"),
            parent: None,
            country: *b"AA",
            importance,
            extent_m: 1_000.0,
            bounds: None,
        }
    }

    fn name(text: &str, class: NameClass) -> Name {
        Name { text: text.to_owned(), class, lang: None }
    }

    /// Names a place: ids that differ by five have one name.
    fn place_name(id: u64) -> String {
        ["Anthill", "Burrow", "Cairnbay", "Dovecote", "Emberton"][id as usize % 5].to_owned()
    }

    fn gazetteer() -> Gazetteer {
        let cities = (0..10).map(|id| place(id + 10, Role::City, 1.0 / (id + 1) as f64));
        Gazetteer { places: cities.chain([place(1, Role::Country, 1.0)]).collect(), ..Gazetteer::default() }
    }

    #[test]
    fn rows_are_distinct_and_the_same_each_time() {
        let rows = mixed_rows(&gazetteer(), 40);
        assert_eq!(rows, mixed_rows(&gazetteer(), 40));
        let texts: HashSet<_> = rows.iter().map(|row| (&row.city, &row.country)).collect();
        assert_eq!(texts.len(), 40);
    }

    #[test]
    fn the_most_important_namesake_is_expected() {
        let rows = mixed_rows(&gazetteer(), 40);
        // Of two cities of one name, the first five are the more important ones.
        assert!(rows.iter().all(|row| (10..15).contains(&row.expected_id)), "{rows:?}");
        let exact = rows.iter().find(|row| row.city == "Burrow").expect("most names are exact");
        assert_eq!(exact.expected_id, 11);
    }
}
