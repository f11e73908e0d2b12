//! Compares filters, structured questions, places near a point and look-ups with brute force over the whole index.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use fastrand::Rng;
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{
    Batch, CodeScheme, Explanation, Filter, Geocode, Nearby, Record, Reference, Role, Search, Structured, fold,
};

use crate::default_index::{ENGINE, GAZETTEER};

/// Number of questions of a test run, of all tests together. TOPONYM_QUESTIONS sets another number.
const QUESTIONS: usize = 3_000;

/// Largest limit asked for. Where fewer places than this pass, all must be found.
const LIMIT: usize = 50;

static WORLD: LazyLock<World> = LazyLock::new(World::new);

/// Returns one share of `of` in all questions.
fn questions(of: usize) -> usize {
    let all = std::env::var("TOPONYM_QUESTIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(QUESTIONS);
    all.div_ceil(of)
}

/// The places of the index with their names, for a scan.
struct World {
    places: Vec<Record>,
    further_countries: BTreeSet<(u64, [u8; 2])>,
    by_id: HashMap<u64, usize>,
    /// Folded names, in order, each with its place.
    names: Vec<(String, usize)>,
    /// The areas with a code, by it.
    coded: HashMap<String, Vec<usize>>,
}

impl World {
    fn new() -> Self {
        let gazetteer = GAZETTEER.clone();
        let places = gazetteer.places;
        let mut names: Vec<(String, usize)> = places
            .iter()
            .enumerate()
            .flat_map(|(at, place)| place.names.iter().map(|name| (fold(&name.text), at)).collect::<Vec<_>>())
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut coded: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, place) in places.iter().enumerate() {
            let of_area = place.codes.iter().filter(|code| !matches!(code.scheme, CodeScheme::Iata | CodeScheme::Icao));
            of_area.for_each(|code| coded.entry(code.text.clone()).or_default().push(at));
        }
        Self {
            coded,
            by_id: places.iter().enumerate().map(|(at, place)| (place.id, at)).collect(),
            further_countries: gazetteer.further_countries.iter().map(|of| (of.region, of.country)).collect(),
            places,
            names,
        }
    }

    fn place(&self, id: u64) -> &Record {
        &self.places[self.by_id[&id]]
    }

    fn ancestors<'w>(&'w self, place: &'w Record) -> impl Iterator<Item = &'w Record> {
        std::iter::successors(Some(place), |place| Some(self.place(place.parent?))).skip(1)
    }

    fn admits(&self, filter: &Filter, place: &Record) -> bool {
        let Filter { countries, types, bounds, within, .. } = *filter;
        (countries.is_empty()
            || countries
                .iter()
                .any(|country| place.country == *country || self.further_countries.contains(&(place.id, *country))))
            && (types.is_empty() || types.contains(&place.kind.role.name()) || types.contains(&&*place.kind.r#type))
            && bounds.is_none_or(|bounds| bounds.contains(place.position))
            && within.is_none_or(|id| self.lies_in(place, self.place(id)))
    }

    fn lies_in(&self, place: &Record, area: &Record) -> bool {
        // A region lies in each of its countries.
        let is_region_of = (place.kind.role, area.kind.role) == (Role::Region, Role::Country)
            && (place.country == area.country || self.further_countries.contains(&(place.id, area.country)));
        is_region_of || self.ancestors(place).any(|other| other.id == area.id)
    }

    /// Finds the areas of a role that have a name or a code.
    fn places_called(&self, name: &str, role: Role) -> Vec<&Record> {
        let named = self.names(&fold(name), false).iter().map(|&(_, at)| at);
        let coded = self.coded.get(&name.to_ascii_uppercase()).into_iter().flatten().copied();
        let all: BTreeSet<usize> = named.chain(coded).collect();
        all.into_iter().map(|at| &self.places[at]).filter(|area| area.kind.role == role).collect()
    }

    /// Finds the names that a pattern stands for: those equal to it, or those that begin with it.
    fn names(&self, text: &str, is_prefix: bool) -> &[(String, usize)] {
        let first = self.names.partition_point(|(name, _)| name.as_str() < text);
        let matches = |name: &str| if is_prefix { name.starts_with(text) } else { name == text };
        let count = self.names[first..].iter().take_while(|(name, _)| matches(name)).count();
        &self.names[first..first + count]
    }

    /// Finds the places with such a name that a filter admits.
    fn ids_passing(&self, text: &str, is_prefix: bool, filter: &Filter) -> BTreeSet<u64> {
        let places = self.names(text, is_prefix).iter().map(|&(_, at)| &self.places[at]);
        places.filter(|place| self.admits(filter, place)).map(|place| place.id).collect()
    }
}

/// A random filter that admits `place`, of one to three conditions.
struct Conditions<'w> {
    countries: Vec<[u8; 2]>,
    types: Vec<&'w str>,
    bounds: Option<Bounds>,
    within: Option<u64>,
}

impl<'w> Conditions<'w> {
    fn random(rng: &mut Rng, place: &'w Record) -> Self {
        let chosen = rng.u8(1..16);
        let half = [0.05, 0.5, 5.0, 30.0][rng.usize(0..4)];
        let bounds = around(place.position, half);
        let divisions: Vec<u64> =
            WORLD.ancestors(place).filter(|area| area.kind.role <= Role::County).map(|area| area.id).collect();
        let types = [place.kind.role.name(), &place.kind.r#type];
        Self {
            countries: if chosen & 1 > 0 { vec![place.country] } else { Vec::new() },
            types: if chosen & 2 > 0 { vec![types[rng.usize(0..2)]] } else { Vec::new() },
            bounds: (chosen & 4 > 0).then_some(bounds),
            within: rng.choice(divisions).filter(|_| chosen & 8 > 0),
        }
    }

    fn filter(&self) -> Filter<'_> {
        let Self { countries, types, bounds, within } = self;
        Filter { countries, types, bounds: *bounds, within: *within, ..Filter::default() }
    }
}

fn ids(found: &[Explanation]) -> Vec<u64> {
    found.iter().map(|one| one.place_id).collect()
}

fn search<'q>(text: &'q str, filter: Filter<'q>) -> Search<'q> {
    Search { filter, ..Search::new(text, LIMIT) }
}

/// Number of candidates that may be left out because the same area is there.
const LEFT_OUT: usize = 12;

/// Tells whether two places have one name, and one lies in the other, which is a division or an island.
fn is_the_same_area(a: &Record, b: &Record) -> bool {
    a.names[0].text == b.names[0].text && is_of_kind(a) && is_of_kind(b) && (holds(a, b) || holds(b, a))
}

fn is_of_kind(place: &Record) -> bool {
    matches!(place.kind.role, Role::State | Role::County | Role::City | Role::Quarter | Role::Region)
}

fn holds(area: &Record, place: &Record) -> bool {
    WORLD.ancestors(place).any(|other| other.id == area.id)
        || area.kind.role == Role::Region && area.bounds.is_some_and(|bounds| bounds.contains(place.position))
}

/// Half of the side of a box around one place, in degrees.
const AROUND: f64 = 0.001;

/// Most places that are asked for alone after one question.
const MOST_ALONE: usize = 3;

/// Checks what was found: nothing that must not pass, and all of `expect`. Places of other names may rank before one that has
/// the name, so if there are as many as asked for, a missing one must be found by `ask` in a box that holds hardly more than
/// it. An area is left out beside a place of its name that lies in it, and the place beside the area.
fn check(
    what: &str,
    found: &[u64],
    passes: impl Fn(&Record) -> bool,
    expect: &BTreeSet<u64>,
    ask: impl Fn(Bounds) -> Vec<u64>,
) {
    for &id in found {
        assert!(passes(WORLD.place(id)), "{what} finds {id}, which must not pass");
    }
    let missing: Vec<&Record> = expect.iter().filter(|&&id| !has_same(found, id)).map(|&id| WORLD.place(id)).collect();
    if found.len().max(expect.len()) + LEFT_OUT < LIMIT {
        let names: Vec<_> = missing.iter().map(|place| name(place)).collect();
        assert!(missing.is_empty(), "{what} lacks {names:?} of {}", expect.len());
    }
    for place in missing.into_iter().take(MOST_ALONE) {
        let alone = ask(around(place.position, AROUND));
        assert!(
            has_same(&alone, place.id) || alone.len() + LEFT_OUT >= LIMIT,
            "{what} lacks {} even alone",
            name(place)
        );
    }
}

fn name(place: &Record) -> String {
    place.names[0].text.clone()
}

fn has_same(found: &[u64], id: u64) -> bool {
    let place = WORLD.place(id);
    found.contains(&id) || found.iter().any(|&other| is_the_same_area(place, WORLD.place(other)))
}

fn around(centre: Coordinate, half: f64) -> Bounds {
    let lat = centre.lat();
    let lon = centre.lon();
    Bounds {
        south: (lat - half).max(-90.0),
        north: (lat + half).min(90.0),
        west: round(lon - half),
        east: round(lon + half),
    }
}

fn round(lon: f64) -> f64 {
    (lon + 540.0).rem_euclid(360.0) - 180.0
}

/// Compares searches for a `text` of random places, each with a random filter that admits its place.
fn compare(seed: u64, is_prefix: bool, text: impl Fn(&mut Rng, &Record) -> String, find: impl Fn(&Search) -> Vec<u64>) {
    let mut rng = Rng::with_seed(seed);
    for _ in 0..questions(3) {
        let place = &WORLD.places[rng.usize(0..WORLD.places.len())];
        let conditions = Conditions::random(&mut rng, place);
        let filter = conditions.filter();
        assert!(WORLD.admits(&filter, place), "{filter:?}");
        let text = text(&mut rng, place);
        let ask = |filter| find(&search(&text, filter));
        let expect = WORLD.ids_passing(&fold(&text), is_prefix, &filter);
        let what = format!("{text} with {filter:?}");
        let again = |bounds| ask(Filter { bounds: Some(bounds), ..filter });
        check(&what, &ask(filter), |place| WORLD.admits(&filter, place), &expect, again);
    }
}

#[test]
fn names_find_all_admitted_places() {
    compare(18, false, name_of, |search| ids(&ENGINE.explain_forward(search)));
}

fn name_of(_: &mut Rng, place: &Record) -> String {
    place.names[0].text.clone()
}

#[test]
fn prefixes_find_all_admitted_places() {
    compare(19, true, beginning_of, |search| ids(&ENGINE.explain_autocomplete(search)));
}

fn beginning_of(rng: &mut Rng, place: &Record) -> String {
    let name = fold(&place.names[0].text);
    let letters = rng.usize(1..=4);
    name.chars().take(letters).collect::<String>().trim_end().to_owned()
}

/// Less than a degree of latitude, in metres.
const DEGREE_M: f64 = 110_000.0;

#[test]
fn nearby_finds_the_nearest_admitted_places() {
    let mut rng = Rng::with_seed(20);
    let found_by_reverse = |role: Role| !role.is_area() && role != Role::Postcode;
    for _ in 0..questions(12) {
        let place = &WORLD.places[rng.usize(0..WORLD.places.len())];
        let lat = place.position.lat();
        let lon = place.position.lon();
        let point = Coordinate::new((lat + rng.f64() - 0.5).clamp(-90.0, 90.0), lon).expect("it is in range");
        let radius_m = [2_000.0, 20_000.0, 75_000.0][rng.usize(0..3)];
        let types: &[&str] = [&["airport"][..], &["city"], &["landmark", "station"], &["museum"]][rng.usize(0..4)];
        let filter = Filter { types, ..Filter::default() };
        let limit = rng.usize(1..=10);
        let nearby = Nearby { radius_m, filter, ..Nearby::new(point, limit) };
        let found: Vec<(u64, f64)> = ENGINE.nearby(&nearby).iter().map(|(place, far)| (place.place_id, *far)).collect();
        let passing =
            WORLD.places.iter().filter(|place| (place.position.lat() - point.lat()).abs() * DEGREE_M <= radius_m);
        let passing = passing.filter(|place| found_by_reverse(place.kind.role) && WORLD.admits(&filter, place));
        let mut expect: Vec<(f64, u64)> = passing
            .map(|place| (point.distance_m(place.position), place.id))
            .filter(|(far, _)| *far <= radius_m)
            .collect();
        expect.sort_by(|a, b| a.0.total_cmp(&b.0));
        // The answer of reverse comes first, wherever it stands among the others.
        let first = ENGINE.reverse(point, None).map(|place| place.place_id);
        if let Some(at) = expect.iter().position(|&(_, id)| Some(id) == first) {
            expect[..=at].rotate_right(1);
        }
        expect.truncate(limit);
        let distances = |of: &mut dyn Iterator<Item = f64>| of.map(|far| far.round() as i64).collect::<Vec<_>>();
        let expected = distances(&mut expect.iter().map(|&(far, _)| far));
        assert_eq!(distances(&mut found.iter().map(|&(_, far)| far)), expected, "{types:?} near {point:?} {radius_m}");
    }
}

#[test]
fn look_ups_find_places_by_id() {
    let mut rng = Rng::with_seed(21);
    for _ in 0..questions(12) {
        let place = &WORLD.places[rng.usize(0..WORLD.places.len())];
        let found = ENGINE.place(&Reference::Id(place.id), None).expect("it is there");
        assert_eq!((found.place_id, found.kind.as_str()), (place.id, place.kind.r#type.as_str()));
    }
    assert!([0, u64::MAX].iter().all(|&id| ENGINE.place(&Reference::Id(id), None).is_none()));
}

#[test]
fn references_to_places() {
    check_reference("iso:fr", "France");
    check_reference("iso:DEU", "Germany");
    check_reference("iso:FR-IDF", "Île-de-France, France");
    check_reference("iso:US-TX", "Texas, United States");
    check_reference("iso:DE-BY", "Bavaria, Germany");
    check_reference("iso:JP-13", "Tokyo, Japan");
    check_reference("iso:GB-SCT", "Scotland, United Kingdom");
    check_reference("iso:FR-TX", "");
    check_reference("iata:CDG", "Charles de Gaulle International Airport, Paris, Île-de-France, France");
    check_reference("iata:QQQ", "");
    check_reference("icao:LFPG", "Charles de Gaulle International Airport, Paris, Île-de-France, France");
    check_reference("geonames:2988507", "Paris, Île-de-France, France");
    check_reference("geonames:1", "");
    // Areas that repeat the name of a place or a country are left out, but for words for kinds.
    check_reference("geonames:3703443", "Panama City, Panama");
    check_reference("geonames:3911925", "La Paz, Bolivia");
    check_reference("geonames:6325494", "Quebec City, Quebec, Canada");
}

fn check_reference(reference: &str, expect: &str) {
    let found = ENGINE.place(&reference.parse().expect("it is a reference"), None);
    assert_eq!(found.map(|place| place.display_name).unwrap_or_default(), expect, "{reference}");
}

#[test]
fn fields_find_all_places_in_areas() {
    let mut rng = Rng::with_seed(22);
    for _ in 0..questions(6) {
        let place = &WORLD.places[rng.usize(0..WORLD.places.len())];
        let is_city = matches!(place.kind.role, Role::City | Role::Quarter) && rng.bool();
        let areas: Vec<&Record> = WORLD.ancestors(place).filter(|area| area.kind.role <= Role::County).collect();
        let mut chosen: Vec<(Role, &str)> = Vec::new();
        for area in areas {
            if rng.bool() {
                chosen.push((area.kind.role, word_for(&mut rng, area)));
            }
        }
        let of_role = |role: Role| chosen.iter().find(|(other, _)| *other == role).map(|&(_, word)| word);
        let text = place.names[0].text.as_str();
        let question = Structured {
            name: Some(text).filter(|_| !is_city),
            city: Some(text).filter(|_| is_city),
            county: of_role(Role::County),
            state: of_role(Role::State),
            country: of_role(Role::Country),
        };
        let wanted: Vec<Vec<&Record>> = chosen.iter().map(|&(role, word)| WORLD.places_called(word, role)).collect();
        let passes = |place: &Record| {
            (!is_city || matches!(place.kind.role, Role::City | Role::Quarter))
                && wanted.iter().all(|areas| areas.iter().any(|area| WORLD.lies_in(place, area)))
        };
        let search = question.search(LIMIT).expect("a field is set");
        let again = |bounds| {
            let filter = Filter { bounds: Some(bounds), ..search.filter };
            ask(&Search { filter, ..search })
        };
        let named = WORLD.names(&fold(text), false).iter().map(|&(_, at)| &WORLD.places[at]);
        let expect = named.filter(|place| passes(place)).map(|place| place.id).collect();
        check(&format!("{question:?}"), &ask(&search), passes, &expect, again);
    }
}

fn ask(search: &Search) -> Vec<u64> {
    ids(&ENGINE.explain_forward(search))
}

/// Picks one of an area's names, or its code.
fn word_for<'w>(rng: &mut Rng, area: &'w Record) -> &'w str {
    let names = area.names.iter().map(|name| name.text.as_str());
    let codes =
        area.codes.iter().map(|code| code.text.as_str()).filter(|code| code.bytes().all(|b| b.is_ascii_alphabetic()));
    rng.choice(names.chain(codes).collect::<Vec<_>>()).expect("an area has a name")
}

/// Fields (name, city, county, state, country) and the display name of the first answer; empty: none.
#[test]
fn structured_questions() {
    check_structured(["", "Paris", "", "", "France"], "Paris, Île-de-France, France");
    check_structured(["", "Paris", "", "TX", ""], "Paris, Lamar County, Texas, United States");
    check_structured(["", "Paris", "", "Texas", "USA"], "Paris, Lamar County, Texas, United States");
    check_structured(["", "Paris", "", "", "Brasilien"], "");
    check_structured(["", "", "", "Bayern", "Deutschland"], "Bavaria, Germany");
    check_structured(["", "", "", "", "Allemagne"], "Germany");
    check_structured(["", "Munchen", "", "Bavria", "Germny"], "Munich, Bavaria, Germany");
    check_structured(["Louvre", "Paris", "", "", ""], "Louvre Museum, Paris, Île-de-France, France");
    check_structured(["Louvre", "London", "", "", ""], "");
    check_structured(["", "Berlin", "", "Baden-Württemberg", ""], "");
    check_structured(["", "Nowhereville", "", "", "France"], "");
    check_structured(["", "Singapore", "", "", ""], "Singapore, Singapore");
}

fn check_structured(fields: [&str; 5], expect: &str) {
    let [name, city, county, state, country] = fields.map(|field| Some(field).filter(|field| !field.is_empty()));
    let question = Structured { name, city, county, state, country };
    let found = ENGINE.forward(&question.search(5).expect("a field is set"));
    assert_eq!(found.first().map_or("", |place| &place.display_name), expect, "{fields:?}");
}

#[test]
fn kinds_of_places_in_a_box() {
    let fiji = [-20.0, -15.0, 177.0, -178.0];
    check_box("su", &["city"], fiji, 1..10);
    check_box("na", &["airport"], fiji, 1..10);
    check_box("su", &["airport"], [51.0, 52.0, -1.0, 0.5], 0..3);
}

fn check_box(text: &str, types: &[&str], [south, north, west, east]: [f64; 4], expect: Range<usize>) {
    let filter = Filter { types, bounds: Some(Bounds { south, north, west, east }), ..Filter::default() };
    let found = ENGINE.autocomplete(&search(text, filter));
    assert!(expect.contains(&found.len()), "{text} {types:?}: {found:?}");
}

/// A batch remembers what areas names mean. Whatever was asked before, each row has the answer that it has by itself: also with
/// areas that are misspelt, whose search is cut short by the budget.
#[test]
fn a_batch_answers_rows_as_one_by_one() {
    let mut rng = Rng::with_seed(21);
    let batch = Batch::new(&ENGINE);
    let of_states: Vec<&Record> = WORLD.places.iter().filter(|place| place.kind.role <= Role::State).collect();
    let mut known: Vec<String> = Vec::new();
    for _ in 0..questions(6) {
        let mut name = of_states[rng.usize(0..of_states.len())].names[0].text.clone();
        if rng.bool() {
            let at = rng.usize(0..name.chars().count());
            name = name.chars().enumerate().filter(|&(letter, _)| letter != at).map(|(_, letter)| letter).collect();
        }
        known.push(name);
        let [state, country] = [(); 2].map(|()| known[rng.usize(0..known.len())].as_str());
        let city = &WORLD.places[rng.usize(0..WORLD.places.len())].names[0].text;
        let row = Structured { city: Some(city), state: Some(state), country: Some(country), ..Structured::default() };
        let row = if rng.bool() { Structured { state: None, ..row } } else { row };
        let Some(search) = row.search(3) else { continue };
        assert_eq!(batch.forward(&search).unwrap(), ENGINE.forward(&search), "{row:?}");
    }
}
