//! The queries by kind, each with its correct results.
//!
//! The places alone decide which results are correct, so that this applies to every engine: the intended place, or one of
//! the same name that is at least as important. Results are compared by position, because a suggestion has no id.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use serde::{Deserialize, Serialize};
use toponym_engine::geo::{Bounds, Coordinate, METRES_PER_DEGREE};
use toponym_engine::{Border, Bordered, Gazetteer, Name, NameClass, Record, Role, fold};

use crate::gazetteer::gazetteer;
use crate::typos::with_typos;

const INDEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../build/index.toponym");

/// A fixed seed, so that every run makes the same queries.
const SEED: u64 = 0x0074_6f70_6f6e;

/// Number of the most important cities to query for: people search for places that they know.
const KNOWN_CITIES: usize = 20_000;

/// Number of the most important cities to query for by names in other languages.
const FAMOUS_CITIES: usize = 5_000;

/// Longest prefix, in letters; five results, as a search field shows.
const LONGEST_PREFIX: usize = 6;

/// Minimum letters of a name with one typing error and with two, as in the engines that correct them.
const FEWEST_LETTERS: [usize; 2] = [5, 9];

/// Queries in a batch: the maximum of the service.
const BATCH: usize = 100;

/// Maximum distance of points from a city's centre, and from a border, in metres.
const NEAR_CITY_M: f64 = 3_000.0;
const NEAR_BORDER_M: f64 = 20_000.0;

/// Latitude and longitude in 1e-5 degrees.
pub type Position = (i32, i32);

/// The queries of one kind.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Operation {
    /// Name of what is measured: `prefix 3`, `typo 1`, `reverse border`.
    pub name: String,
    /// Queries of the operation.
    pub cases: Vec<Case>,
}

/// A query with its correct results.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Case {
    /// The query.
    pub question: Question,
    /// Positions of the correct results; empty if there is none to compare with.
    pub right: Vec<Position>,
}

/// A query.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// A text whose last word may be unfinished.
    Autocomplete(String),
    /// A whole text.
    Forward(String),
    /// A point.
    Reverse(Coordinate),
    /// Many whole texts at once.
    Batch(Vec<String>),
}

/// All operations.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Workload {
    /// Operations in the order in which they are reported.
    pub operations: Vec<Operation>,
}

impl Workload {
    /// Reads the index that `TOPONYM_INDEX` names, or `build/index.toponym`, and makes `count` queries of each kind
    /// about it. For benches, which cannot return errors.
    ///
    /// # Panics
    /// If the file cannot be read. The message says what to do.
    pub fn of_index(count: usize) -> (Vec<u8>, Self) {
        let path = std::env::var("TOPONYM_INDEX").unwrap_or_else(|_| INDEX.to_owned());
        let file =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}; build it with `cargo toponym index`"));
        let places = gazetteer(file.clone()).unwrap_or_else(|error| panic!("{path}: {error}"));
        (file, Self::of(&places, count))
    }

    /// Makes `count` queries of each kind about `gazetteer`.
    pub fn of(gazetteer: &Gazetteer, count: usize) -> Self {
        let maker = Maker::of(gazetteer);
        let mut operations: Vec<Operation> = (1..=LONGEST_PREFIX)
            .map(|length| maker.operation(format!("prefix {length}"), count, |maker, rng| maker.prefix(length, rng)))
            .collect();
        operations.push(maker.operation("typo 1", count, |maker, rng| maker.typo(1, rng)));
        operations.push(maker.operation("typo 2", count, |maker, rng| maker.typo(2, rng)));
        operations.push(maker.operation("exact", count, Maker::exact));
        operations.push(maker.operation("city, country", count, Maker::city_country));
        operations.push(maker.operation("other language", count, Maker::other_language));
        operations.push(maker.operation("forward typo", count, Maker::forward_typo));
        operations.push(maker.operation("reverse city", count, Maker::reverse_city));
        operations.push(maker.operation("reverse border", count, Maker::reverse_border));
        operations.push(maker.operation("reverse random", count, |_, rng| Some(reverse(anywhere(rng)))));
        let batches = count.div_ceil(BATCH);
        operations.push(maker.operation("batch of 100", batches, Maker::batch));
        Self { operations }
    }

    /// Finds the operation of this name.
    pub fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.name == name)
    }
}

/// A gazetteer with lookup tables.
struct Maker<'g> {
    /// The most important cities, the first one first.
    cities: Vec<&'g Record>,
    /// Display names of countries.
    countries: HashMap<[u8; 2], &'g str>,
    /// Names other than display names with their places.
    others: HashMap<&'g str, Vec<&'g Record>>,
    /// Vertices of borders between two countries, without those at the coast.
    border_vertices: Vec<Coordinate>,
    /// Folded display names with their places, sorted.
    by_name: Vec<(String, &'g Record)>,
}

impl<'g> Maker<'g> {
    fn of(gazetteer: &'g Gazetteer) -> Self {
        let places = &gazetteer.places;
        let mut cities: Vec<&Record> = places.iter().filter(|place| place.kind.role == Role::City).collect();
        cities.sort_by(|a, b| b.importance.total_cmp(&a.importance).then(a.id.cmp(&b.id)));
        let mut by_name: Vec<_> = places.iter().map(|place| (fold(display_name(place)), place)).collect();
        by_name.sort_by(|a, b| (&a.0, a.1.id).cmp(&(&b.0, b.1.id)));
        cities.truncate(KNOWN_CITIES);
        let mut others: HashMap<&str, Vec<&Record>> = HashMap::new();
        for (place, name) in places.iter().flat_map(|place| place.names.iter().skip(1).map(move |name| (place, name))) {
            others.entry(&name.text).or_default().push(place);
        }
        let countries = places
            .iter()
            .filter(|place| place.kind.role == Role::Country)
            .map(|place| (place.country, display_name(place)))
            .collect();
        let border_vertices = shared_vertices(&gazetteer.borders);
        Self { cities, countries, others, border_vertices, by_name }
    }

    /// Makes distinct queries of one kind; fewer than `count` if the places do not yield more.
    fn operation(
        &self,
        name: impl Into<String>,
        count: usize,
        make: impl Fn(&Self, &mut Rng) -> Option<Case>,
    ) -> Operation {
        const TRIES: usize = 20;
        let mut rng = Rng::with_seed(SEED);
        let mut seen = HashSet::new();
        let made = std::iter::repeat_with(|| make(self, &mut rng)).take(TRIES * count).flatten();
        let cases = made.filter(|case| seen.insert(format!("{:?}", case.question))).take(count).collect();
        Operation { name: name.into(), cases }
    }

    fn city(&self, rng: &mut Rng) -> &'g Record {
        self.cities[rng.usize(..self.cities.len())]
    }

    fn prefix(&self, length: usize, rng: &mut Rng) -> Option<Case> {
        let typed: String = fold(display_name(self.city(rng))).chars().take(length).collect();
        if typed.chars().count() < length || typed.contains(' ') {
            return None;
        }
        let right = self.best(|name| name.starts_with(&typed), &typed);
        Some(Case { question: Question::Autocomplete(typed), right })
    }

    /// Makes a city's folded name with typing errors. The correct result is the best place of the name without them.
    fn misspell(&self, slips: usize, rng: &mut Rng) -> Option<(String, Vec<Position>)> {
        let name = fold(display_name(self.city(rng)));
        let letters = name.chars().filter(|c| c.is_ascii_lowercase()).count();
        if letters < FEWEST_LETTERS[slips - 1] || letters < name.chars().filter(|&c| c != ' ').count() {
            return None;
        }
        let typed = with_typos(&name, slips, rng);
        let another_name = self.places_called(&typed).next().is_some() || typed == name;
        (!another_name).then(|| (typed, self.best(|other| other == name, &name)))
    }

    fn typo(&self, slips: usize, rng: &mut Rng) -> Option<Case> {
        self.misspell(slips, rng).map(|(typed, right)| Case { question: Question::Autocomplete(typed), right })
    }

    fn forward_typo(&self, rng: &mut Rng) -> Option<Case> {
        self.misspell(1, rng).map(|(typed, right)| Case { question: Question::Forward(typed), right })
    }

    fn exact(&self, rng: &mut Rng) -> Option<Case> {
        let name = display_name(self.city(rng));
        let folded = fold(name);
        Some(Case { question: Question::Forward(name.to_owned()), right: self.best(|other| other == folded, &folded) })
    }

    fn city_country(&self, rng: &mut Rng) -> Option<Case> {
        let city = self.city(rng);
        let name = display_name(city);
        let country = self.countries.get(&city.country)?;
        let folded = fold(name);
        let same = self.places_called(&folded).filter(|place| place.country == city.country);
        Some(Case { question: Question::Forward(format!("{name}, {country}")), right: most_important(same) })
    }

    /// Makes a query for a name of a famous city in another language only. Any place of that name is correct.
    fn other_language(&self, rng: &mut Rng) -> Option<Case> {
        let city = self.cities[rng.usize(..self.cities.len().min(FAMOUS_CITIES))];
        let names: Vec<&Name> = city.names.iter().filter(|name| name.class == NameClass::Other).collect();
        let name = &names.get(rng.usize(..names.len().max(1)))?.text;
        let bearers = self.others.get(name.as_str()).into_iter().flatten().copied();
        let right =
            bearers.filter(|place| place.importance >= city.importance).chain(self.places_called(name)).map(position);
        let right = right.collect();
        Some(Case { question: Question::Forward(name.clone()), right })
    }

    fn reverse_city(&self, rng: &mut Rng) -> Option<Case> {
        Some(reverse(near(self.city(rng).position, NEAR_CITY_M, rng)))
    }

    fn reverse_border(&self, rng: &mut Rng) -> Option<Case> {
        let vertex = self.border_vertices.get(rng.usize(..self.border_vertices.len().max(1)))?;
        Some(reverse(near(*vertex, NEAR_BORDER_M, rng)))
    }

    /// Makes a batch of queries as in a data import: names with their country, some misspelled, some without a country.
    fn batch(&self, rng: &mut Rng) -> Option<Case> {
        let one = |rng: &mut Rng| match rng.u8(..4) {
            0 => self.exact(rng),
            1 => self.forward_typo(rng),
            _ => self.city_country(rng),
        };
        let queries = std::iter::repeat_with(|| one(rng).and_then(text_of)).flatten().take(BATCH).collect();
        Some(Case { question: Question::Batch(queries), right: Vec::new() })
    }

    /// Iterates over the places of exactly this folded display name.
    fn places_called<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'g Record> + 'a {
        self.from(name).take_while(move |(other, _)| other == name).map(|(_, place)| *place)
    }

    /// Finds the positions of the most important places whose folded name satisfies `holds`. Such names sort from
    /// `from` on.
    fn best(&self, holds: impl Fn(&str) -> bool, from: &str) -> Vec<Position> {
        most_important(self.from(from).take_while(|(name, _)| holds(name)).map(|(_, place)| *place))
    }

    fn from(&self, name: &str) -> impl Iterator<Item = &(String, &'g Record)> {
        let start = self.by_name.partition_point(|(other, _)| other.as_str() < name);
        self.by_name[start..].iter()
    }
}

fn text_of(case: Case) -> Option<String> {
    match case.question {
        Question::Forward(text) | Question::Autocomplete(text) => Some(text),
        _ => None,
    }
}

/// Finds the vertices that borders of two countries have in common, in the order of the borders.
fn shared_vertices(borders: &[Border]) -> Vec<Coordinate> {
    let mut of_vertex: HashMap<[u64; 2], Bordered> = HashMap::new();
    let mut shared = Vec::new();
    for border in borders.iter().filter(|border| border.country().is_some()) {
        for vertex in border.rings.iter().flatten() {
            let key = [vertex.lat().to_bits(), vertex.lon().to_bits()];
            if *of_vertex.entry(key).or_insert(border.of) != border.of {
                shared.push(*vertex);
            }
        }
    }
    shared
}

fn most_important<'g>(places: impl Iterator<Item = &'g Record>) -> Vec<Position> {
    let places: Vec<&Record> = places.collect();
    let best = places.iter().map(|place| place.importance).fold(0.0, f64::max);
    places.into_iter().filter(|place| place.importance >= best).map(position).collect()
}

fn position(place: &Record) -> Position {
    (in_steps(place.position.lat()), in_steps(place.position.lon()))
}

fn in_steps(degrees: f64) -> i32 {
    (degrees * 1e5).round() as i32
}

fn display_name(place: &Record) -> &str {
    place.names.first().map_or("", |name| name.text.as_str())
}

fn reverse(point: Coordinate) -> Case {
    Case { question: Question::Reverse(point), right: Vec::new() }
}

/// Picks a point, uniformly distributed on the sphere.
fn anywhere(rng: &mut Rng) -> Coordinate {
    let lat = (2.0 * rng.f64() - 1.0).asin().to_degrees();
    round_position(lat, 360.0 * rng.f64() - 180.0)
}

/// Picks a point of the box around `centre`.
fn near(centre: Coordinate, metres: f64, rng: &mut Rng) -> Coordinate {
    let Bounds { south, north, .. } = Bounds::around(centre, metres);
    let side = metres / METRES_PER_DEGREE / centre.lat().to_radians().cos().max(0.01);
    let lon = centre.lon() + side * (2.0 * rng.f64() - 1.0);
    round_position(south + (north - south) * rng.f64(), (lon + 540.0).rem_euclid(360.0) - 180.0)
}

/// Rounds a point to the contract's seven decimals.
fn round_position(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(round_degrees(lat), round_degrees(lon))
        .expect("a point of the globe is still one when it is rounded")
}

fn round_degrees(degrees: f64) -> f64 {
    (degrees * 1e7).round() / 1e7
}

#[cfg(test)]
mod tests {
    use super::*;
    use toponym_engine::Kind;

    fn gazetteer() -> Gazetteer {
        let names = ["Springfield", "Springdale", "Shelbyville", "Ogdenville", "North Haverbrook", "Capital City"];
        let country = Record {
            kind: Kind { role: Role::Country, category: "place".into(), r#type: "country".into() },
            ..place((80, &"United States"))
        };
        let ring = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)]
            .map(|(lat, lon)| Coordinate::new(lat, lon).expect("it is on the globe"));
        let border = |country| Border { of: Bordered::Country(country), rings: vec![ring.to_vec()] };
        let places = names.iter().enumerate().map(place).chain([country]).collect();
        Gazetteer { places, borders: vec![border(*b"US"), border(*b"CA")], ..Gazetteer::default() }
    }

    fn place((i, name): (usize, &&str)) -> Record {
        Record {
            id: i as u64 + 1,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "city".into() },
            names: vec![
                Name { text: (*name).into(), class: NameClass::Primary, lang: None },
                Name { text: format!("{} stadt", fold(name)), class: NameClass::Other, lang: None },
            ],
            codes: vec![],
            position: Coordinate::new(i as f64, -90.0).expect("it is on the globe"),
            parent: None,
            country: *b"US",
            importance: 0.5 - i as f64 / 100.0,
            extent_m: 1_000.0,
            bounds: None,
        }
    }

    #[test]
    fn the_same_places_give_the_same_questions() {
        let once = format!("{:?}", Workload::of(&gazetteer(), 20));
        assert_eq!(once, format!("{:?}", Workload::of(&gazetteer(), 20)));
    }

    #[test]
    fn every_operation_has_questions_with_answers() {
        let workload = Workload::of(&gazetteer(), 20);
        for operation in &workload.operations {
            assert!(!operation.cases.is_empty(), "{}", operation.name);
            for case in &operation.cases {
                let has_answer = matches!(case.question, Question::Reverse(_) | Question::Batch(_));
                assert_eq!(case.right.is_empty(), has_answer, "{case:?}");
            }
        }
    }

    #[test]
    fn the_best_place_of_a_prefix_wins() {
        let workload = Workload::of(&gazetteer(), 20);
        let cases = &workload.operation("prefix 1").expect("there are prefixes").cases;
        let of_s = cases.iter().find(|case| case.question == Question::Autocomplete("s".into()));
        assert_eq!(of_s.expect("a city begins with it").right, [(0, -9_000_000)]);
    }
}
