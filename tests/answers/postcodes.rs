//! Measures the postal codes beside the default index on golden cases, and tests what holds for all of them.
//!
//! The cases of `golden/postcodes.csv` are written from common knowledge, not from the package. A result is right if it is in
//! `country`, at most `km` from `lat`, `lon`, and its display name begins with `name`:
//!
//! - `code`: a code, mostly beside its city;
//! - `written`: in other ways than the index writes it;
//! - `mistake`: a code of another place beside a city, which means the city.

use std::sync::LazyLock;

use fastrand::Rng;
use serde::Deserialize;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, Place, Record, Role, Search};
use toponym_workload::gazetteer;

const BUILD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../build");
const CASES: &str = include_str!("../golden/postcodes.csv");

/// Lowest shares of right first answers, by tag.
const FLOORS: [(&str, f64); 3] = [("code", 0.9), ("written", 0.85), ("mistake", 0.9)];

/// Codes beside their cities that are asked for.
const SAMPLE: usize = 1_000;

/// Lowest share of them that is answered in the country of the city, and by the code itself.
const IN_COUNTRY: f64 = 0.998;
const BY_CODE: f64 = 0.97;

/// A point this far from a code, in degrees of latitude, is still beside its city.
const BESIDE: f64 = 0.01;

static POSTCODES: LazyLock<Vec<u8>> = LazyLock::new(|| read("postcodes"));
static BOTH: LazyLock<Engine> = LazyLock::new(|| {
    let mut engine = Engine::open(read("index")).expect("the index is whole");
    engine.join(Engine::open(POSTCODES.clone()).expect("the index of postal codes is whole"));
    engine
});

fn read(name: &str) -> Vec<u8> {
    let path = format!("{BUILD}/{name}.toponym");
    std::fs::read(path).expect("both are built: run `cargo toponym index` and `cargo toponym index --postcodes`")
}

#[derive(Deserialize)]
struct Case {
    tag: String,
    query: String,
    name: String,
    country: String,
    lat: f64,
    lon: f64,
    km: f64,
}

impl Case {
    fn is_met_by(&self, place: &Place) -> bool {
        let is_near = at(self.lat, self.lon).distance_m(at(place.lat, place.lon)) <= self.km * 1_000.0;
        let is_named = place.display_name.split(", ").next() == Some(self.name.as_str());
        let is_code = (place.kind == "postal_code") == (self.tag != "mistake");
        is_near && is_named && is_code && place.address.get("country_code") == Some(&self.country.to_lowercase())
    }
}

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("it is on the globe")
}

#[test]
fn codes_are_where_everybody_knows() {
    let mut reader = csv::Reader::from_reader(CASES.as_bytes());
    let cases: Vec<Case> = reader.deserialize().collect::<Result<_, _>>().expect("the cases are rows");
    for (tag, floor) in FLOORS {
        let of_tag: Vec<&Case> = cases.iter().filter(|case| case.tag == tag).collect();
        let missed: Vec<String> = of_tag.iter().filter_map(|case| miss(case)).collect();
        println!("{tag}: {} of {} right\n  {}", of_tag.len() - missed.len(), of_tag.len(), missed.join("\n  "));
        let share = 1.0 - missed.len() as f64 / of_tag.len() as f64;
        assert!(share >= floor, "{tag}: {share} is below {floor}");
    }
}

/// Returns what was answered instead, if a case is missed.
fn miss(case: &Case) -> Option<String> {
    let found = BOTH.forward(&Search::new(&case.query, 1));
    let is_met = found.first().is_some_and(|place| case.is_met_by(place));
    (!is_met).then(|| format!("{} -> {}", case.query, found.first().map_or_else(|| "nothing".to_owned(), line)))
}

fn line(place: &Place) -> String {
    format!("{} {} {} {}", place.display_name, place.lat, place.lon, place.confidence)
}

/// Checks that a number beside a city that it is not of costs confidence.
#[test]
fn a_mistake_costs_confidence() {
    check("Berlin", "75001 Berlin");
    check("10115 Berlin", "75001 Berlin");
    check("75001 Paris", "10115 Paris");
}

fn check(right: &str, wrong: &str) {
    let confidence = |text: &str| BOTH.forward(&Search::new(text, 1))[0].confidence;
    assert!(confidence(wrong) < confidence(right), "{right} {} {wrong} {}", confidence(right), confidence(wrong));
}

/// Codes of all countries, by a fixed seed, each beside its city.
#[test]
fn a_code_shares_its_citys_country() {
    let places = gazetteer(POSTCODES.clone()).expect("the index can be read back").places;
    let codes: Vec<&Record> = places.iter().filter(|place| place.kind.role == Role::Postcode).collect();
    let mut rng = Rng::with_seed(75_001);
    let mut counts = [0_usize; 3];
    for _ in 0..SAMPLE {
        let code = codes[rng.usize(..codes.len())];
        let Some(city) = code
            .parent
            .map(|id| places.iter().find(|place| place.id == id).expect("a parent is a place"))
            .filter(|parent| parent.kind.role == Role::City)
        else {
            continue;
        };
        let text = format!("{}, {}", code.names[0].text, city.names[0].text);
        let found = BOTH.forward(&Search::new(&text, 1));
        let country = String::from_utf8_lossy(&city.country).to_lowercase();
        counts[0] += 1;
        let is_home = found.first().is_some_and(|place| place.address.get("country_code") == Some(&country));
        let is_code = found.first().is_some_and(|place| place.place_id == code.id);
        counts[1] += usize::from(is_home);
        counts[2] += usize::from(is_code);
        if !is_home {
            println!("{text}, {country} -> {:?}", found.first().map(|place| &place.display_name));
        }
        let beside = Coordinate::new(code.position.lat() + BESIDE, code.position.lon()).expect("no code is at a pole");
        let reverse = BOTH.reverse(beside, None);
        assert!(reverse.is_none_or(|place| place.kind != "postal_code"), "reverse answers no code: {text}");
    }
    let share = |at: usize| counts[at] as f64 / counts[0] as f64;
    println!("{} codes: {:.4} in the country, {:.4} the code itself", counts[0], share(1), share(2));
    assert!(share(1) >= IN_COUNTRY && share(2) >= BY_CODE, "{counts:?}");
}
