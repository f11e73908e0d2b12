//! Questions about places of an index.

use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};

use fastrand::Rng;
use serde_json::Value;
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::pages::Paged;
use toponym_engine::{
    Answer, AreaNames, Fact, FactSet, Filter, Geocode, Nearby, Question, Record, Reference, Role, Search, Shown,
    Structured, fold,
};

use super::{GAZETTEER, page};

/// A question of any kind about places.
#[derive(Debug)]
pub enum Asked {
    Forward(String, Conditions),
    Autocomplete(String, Conditions),
    Explain(String, Conditions),
    Reverse(Coordinate, Conditions),
    Nearby(Coordinate, f64, Conditions),
    Place(Reference, Conditions),
    Outcome(String, Conditions),
    OutcomeAt(Coordinate, Conditions),
    OutcomeOfFields(Fields, Conditions),
}

/// Name, city, county, state and country.
pub type Fields = [Option<String>; 5];

impl Asked {
    /// Tells whether the answer follows from where places lie and which they are: no text is searched.
    pub fn is_by_place(&self) -> bool {
        matches!(self, Self::Reverse(..) | Self::Nearby(..) | Self::Place(..) | Self::OutcomeAt(..))
    }

    pub fn conditions(&self) -> &Conditions {
        match self {
            Self::Forward(_, conditions)
            | Self::Autocomplete(_, conditions)
            | Self::Explain(_, conditions)
            | Self::Reverse(_, conditions)
            | Self::Nearby(_, _, conditions)
            | Self::Place(_, conditions)
            | Self::Outcome(_, conditions)
            | Self::OutcomeAt(_, conditions)
            | Self::OutcomeOfFields(_, conditions) => conditions,
        }
    }
}

/// Every option of a question.
#[derive(Debug, Default)]
pub struct Conditions {
    pub lang: Option<&'static str>,
    facts: FactSet,
    focus: Option<Coordinate>,
    countries: Vec<[u8; 2]>,
    types: Vec<&'static str>,
    bounds: Option<Bounds>,
    within: Option<u64>,
    /// Names of the city, county, state and country that places must lie in.
    areas: [Option<String>; 4],
    limit: usize,
}

/// Tags of languages: those of the index, longer and shorter ones, and one that it lacks.
const TAGS: [Option<&str>; 9] =
    [None, None, None, Some("de"), Some("ja"), Some("zh-Hant-TW"), Some("zh"), Some("fr-CA"), Some("xx")];

/// Roles, and types of roles.
const TYPES: [&str; 9] = ["city", "town", "airport", "station", "region", "landmark", "museum", "state", "country"];

impl From<usize> for Conditions {
    /// Creates conditions with a limit alone.
    fn from(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }
}

impl Conditions {
    fn any(places: &[Record], rng: &mut Rng) -> Self {
        let place = any_place(places, rng);
        let facts = match rng.u8(..6) {
            0 => FactSet::ALL,
            1 | 2 => FactSet::default().with(Fact::ALL[rng.usize(..Fact::ALL.len())]),
            _ => FactSet::default(),
        };
        let focus = (rng.u8(..6) == 0).then(|| any_place(places, rng).position);
        let lang = TAGS[rng.usize(..TAGS.len())];
        let plain = Self { lang, facts, focus, limit: rng.usize(1..=10), ..Self::default() };
        let at = place.position;
        let around = Bounds {
            south: (at.lat() - 2.0).max(-90.0),
            north: (at.lat() + 2.0).min(90.0),
            west: (at.lon() - 2.0).max(-180.0),
            east: (at.lon() + 2.0).min(180.0),
        };
        match rng.u8(..14) {
            0 => Self { countries: vec![place.country, any_place(places, rng).country], ..plain },
            1 => Self { types: vec![TYPES[rng.usize(..TYPES.len())]], ..plain },
            2 => Self { bounds: Some(around), ..plain },
            3 => Self { within: place.parent, ..plain },
            // A city or a region, and a place that contains none.
            4 => Self { within: Some(of_role(places, rng, Role::City).id), ..plain },
            5 => Self { within: Some(of_role(places, rng, Role::Region).id), ..plain },
            6 => Self { within: Some(place.id), types: vec![TYPES[rng.usize(..TYPES.len())]], ..plain },
            7 => {
                let at = rng.usize(..4);
                let area = of_role(places, rng, [Role::City, Role::County, Role::State, Role::Country][at]);
                let mut areas: [Option<String>; 4] = Default::default();
                areas[at] = Some(area.names[0].text.clone());
                Self { areas, ..plain }
            }
            _ => plain,
        }
    }

    /// Picks conditions near something, so that filters by area are not always far away.
    fn around(places: &[Record], rng: &mut Rng, point: Coordinate) -> Self {
        let any = Self::any(places, rng);
        let regions: Vec<&Record> = places
            .iter()
            .filter(|place| place.kind.role == Role::Region)
            .filter(|area| area.bounds.is_some_and(|bounds| bounds.contains(point)))
            .collect();
        match any.within {
            Some(_) => Self { within: rng.choice(regions).map(|region| region.id).or(any.within), ..any },
            None => any,
        }
    }

    fn filter(&self) -> Filter<'_> {
        let [city, county, state, country] = self.areas.each_ref().map(Option::as_deref);
        Filter {
            countries: &self.countries,
            types: &self.types,
            bounds: self.bounds,
            within: self.within,
            areas: AreaNames { city, county, state, country },
        }
    }

    fn search<'c>(&'c self, text: &'c str) -> Search<'c> {
        let Self { lang, facts, focus, .. } = *self;
        Search { lang, facts, focus, filter: self.filter(), ..Search::new(text, self.limit) }
    }

    fn view(&self) -> Shown<'_> {
        Shown { lang: self.lang, facts: self.facts }
    }
}

/// Picks a place of a role, or of any if there is none.
fn of_role<'p>(places: &'p [Record], rng: &mut Rng, role: Role) -> &'p Record {
    let of_role: Vec<&Record> = places.iter().filter(|place| place.kind.role == role).collect();
    rng.choice(of_role).unwrap_or(&places[0])
}

pub fn any_place<'p>(places: &'p [Record], rng: &mut Rng) -> &'p Record {
    &places[rng.usize(..places.len())]
}

/// Picks a name as people write it: whole, begun, with a slip, with what it lies in, or with a word for a kind.
fn any_text(places: &[Record], rng: &mut Rng) -> String {
    let way = rng.u8(..WAYS);
    text_of(places, rng, way)
}

/// Number of ways to write a name, those with a slip, and the one in another script.
pub const WAYS: u8 = 9;
pub const SLIPS: Range<u8> = 2..4;
pub const SPELLED: u8 = 8;

pub fn text_of(places: &[Record], rng: &mut Rng, way: u8) -> String {
    let place = any_place(places, rng);
    let name = &place.names[rng.usize(..place.names.len())].text;
    let letters: Vec<char> = name.chars().collect();
    let cut = |count: usize| letters.iter().take(count).collect::<String>();
    match way {
        0 => cut(rng.usize(1..=3)),
        1 => cut(rng.usize(1..=letters.len())),
        _ if SLIPS.contains(&way) => {
            let mut slipped = letters.clone();
            let at = rng.usize(..slipped.len());
            match rng.u8(..3) {
                0 => drop(slipped.remove(at)),
                1 => slipped.insert(at, rng.lowercase()),
                _ => slipped[at] = rng.lowercase(),
            }
            slipped.into_iter().collect()
        }
        4 => format!("{name}, {}", any_place(places, rng).names[0].text),
        5 => {
            let area = place.parent.and_then(|id| places.iter().find(|area| area.id == id));
            format!("{name} {}", area.map_or("", |area| area.names[0].text.as_str()))
        }
        6 => format!("{name} {}", ["airport", "station", "Bahnhof", "lake"][rng.usize(..4)]),
        SPELLED => {
            let spelled = spell(&place.names[0].text, SCRIPTS[rng.usize(..SCRIPTS.len())].clone());
            let length = spelled.chars().count();
            if rng.bool() { spelled } else { spelled.chars().take(rng.usize(1..=length.max(1))).collect() }
        }
        _ => name.clone(),
    }
}

/// Letters of Greek, Cyrillic, Hebrew, Arabic, Devanagari, Georgian and katakana.
const SCRIPTS: [RangeInclusive<char>; 7] = [
    '\u{3b1}'..='\u{3c9}',
    '\u{430}'..='\u{44f}',
    '\u{5d0}'..='\u{5ea}',
    '\u{620}'..='\u{64a}',
    '\u{905}'..='\u{939}',
    '\u{10d0}'..='\u{10f0}',
    '\u{30a1}'..='\u{30f4}',
];

/// Writes a Latin name in another script: each time the longest letters that one of the script stands for.
fn spell(name: &str, script: RangeInclusive<char>) -> String {
    let of_script = || GAZETTEER.spellings.iter().filter(|of_letter| script.contains(&of_letter.letter));
    let ways = || of_script().flat_map(|of_letter| of_letter.all.iter().map(|way| (of_letter.letter, way)));
    let name = fold(name);
    let mut rest = name.as_str();
    let mut text = String::new();
    while let Some(first) = rest.chars().next() {
        let best = ways()
            .filter(|&(_, way)| !way.latin.is_empty() && rest.starts_with(&way.latin))
            .max_by_key(|&(letter, way)| (way.latin.len(), Reverse(way.cost), letter));
        match best {
            Some((letter, way)) => {
                text.push(letter);
                rest = &rest[way.latin.len()..];
            }
            None => {
                text.extend(Some(first).filter(|c| *c == ' '));
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    text
}

pub fn any_question(places: &[Record], rng: &mut Rng) -> Asked {
    let point = |rng: &mut Rng| {
        let at = any_place(places, rng).position;
        match rng.u8(..4) {
            0 => Coordinate::new(rng.f64() * 180.0 - 90.0, rng.f64() * 360.0 - 180.0),
            1 => Coordinate::new([90.0, -90.0, 67.0][rng.usize(..3)], [180.0, -180.0, 0.0][rng.usize(..3)]),
            _ => Coordinate::new(off(at.lat(), 90.0, rng), off(at.lon(), 180.0, rng)),
        }
        .expect("it is on the globe")
    };
    let conditions = Conditions::any(places, rng);
    match rng.u8(..16) {
        0..4 => Asked::Forward(any_text(places, rng), conditions),
        4..8 => Asked::Autocomplete(any_text(places, rng), conditions),
        8 => Asked::Explain(any_text(places, rng), conditions),
        9 => Asked::Reverse(point(rng), conditions),
        10 | 11 => {
            let point = point(rng);
            Asked::Nearby(point, rng.f64() * 200_000.0, Conditions::around(places, rng, point))
        }
        12 if rng.bool() => Asked::Place(Reference::Id(any_place(places, rng).id), conditions),
        12 => Asked::Place("iata:CDG".parse().expect("it is a reference"), conditions),
        13 => Asked::OutcomeAt(point(rng), conditions),
        14 => {
            let place = any_place(places, rng);
            let area = place.parent.and_then(|id| places.iter().find(|area| area.id == id));
            let mut fields: Fields = Default::default();
            fields[0] = Some(place.names[0].text.clone());
            let at = match area.map(|area| area.kind.role) {
                Some(Role::City) => 1,
                Some(Role::County) => 2,
                Some(Role::State) => 3,
                _ => 4,
            };
            fields[at] = area.map(|area| area.names[0].text.clone());
            Asked::OutcomeOfFields(fields, conditions)
        }
        // A text of coordinates with every option of a search.
        15 if rng.bool() => {
            let point = point(rng);
            let text = format!("{:.4}, {:.4}", point.lat(), point.lon());
            Asked::Forward(text, Conditions::around(places, rng, point))
        }
        _ => Asked::Outcome(any_text(places, rng), conditions),
    }
}

fn off(degrees: f64, most: f64, rng: &mut Rng) -> f64 {
    (degrees + rng.f64() * 2.0 - 1.0).clamp(-most, most)
}

pub fn answer(paged: &dyn Geocode, asked: &Asked) -> Answer<Value> {
    fn json<T: serde::Serialize>(answer: Answer<T>) -> Answer<Value> {
        answer.map(|answer| serde_json::to_value(answer).expect("an answer is plain values"))
    }
    match asked {
        Asked::Forward(text, conditions) => json(paged.forward(&conditions.search(text))),
        Asked::Autocomplete(text, conditions) => json(paged.autocomplete(&conditions.search(text))),
        Asked::Explain(text, conditions) => json(paged.explain_forward(&conditions.search(text))),
        Asked::Reverse(point, conditions) => json(paged.reverse(*point, conditions.view())),
        Asked::Nearby(point, radius_m, conditions) => json(paged.nearby(&Nearby {
            radius_m: *radius_m,
            filter: conditions.filter(),
            lang: conditions.lang,
            facts: conditions.facts,
            ..Nearby::new(*point, conditions.limit)
        })),
        Asked::Place(reference, conditions) => json(paged.place(reference, conditions.view())),
        Asked::Outcome(text, conditions) => json(paged.outcome(Question::Text(text), conditions.view())),
        Asked::OutcomeAt(point, conditions) => json(paged.outcome(Question::Point(*point), conditions.view())),
        Asked::OutcomeOfFields(fields, conditions) => {
            let [name, city, county, state, country] = fields.each_ref().map(Option::as_deref);
            let fields = Structured { name, city, county, state, country };
            json(paged.outcome(Question::Fields(fields), conditions.view()))
        }
    }
}

/// Returns the most fetches of a question: the look-up of an id finds out where the place lies before its areas are named.
pub fn most_fetches(asked: &Asked) -> usize {
    match asked {
        Asked::Place(Reference::Id(_), conditions) if conditions.lang.is_some() => 3,
        _ => 2,
    }
}

/// Tally of how the answers of an index in pages are those of the one file.
#[derive(Debug, Default)]
pub struct Tally {
    pub asked: usize,
    /// The whole answer.
    pub same: usize,
    /// The ids of the first place.
    pub same_first: usize,
}

impl Tally {
    /// Asks both. Answers by place are exactly the same, but for names in a language that would take a third fetch.
    pub fn ask(&mut self, paged: &dyn Geocode, whole: &dyn Geocode, asked: &Asked) {
        let [found, expect] = [paged, whole].map(|source| answer(source, asked).unwrap());
        self.asked += 1;
        self.same += usize::from(found == expect);
        self.same_first += usize::from(first(&found) == first(&expect));
        if asked.is_by_place() {
            let [found, expect] = [found, expect].map(without_ties);
            assert_eq!(ids(&found), ids(&expect), "{asked:?}");
            assert!(found == expect || asked.conditions().lang.is_some(), "{asked:?}: {found} instead of {expect}");
        }
    }

    pub fn share(&self) -> f64 {
        self.same as f64 / self.asked as f64
    }

    pub fn share_of_first(&self) -> f64 {
        self.same_first as f64 / self.asked as f64
    }
}

/// Sorts places by distance, those equally far away by their ids, and removes the farthest: rows decide between equals, and
/// which of the farthest are left out.
fn without_ties(mut answer: Value) -> Value {
    if let Value::Array(items) = &mut answer
        && let Some(farthest) = items.last().and_then(distance)
    {
        items.sort_by(|a, b| {
            distance(a).partial_cmp(&distance(b)).expect("distances are numbers").then(id(a).cmp(&id(b)))
        });
        items.retain(|item| distance(item) < Some(farthest));
    }
    answer
}

fn id(item: &Value) -> Option<u64> {
    item[0]["place_id"].as_u64()
}

fn distance(item: &Value) -> Option<f64> {
    item.get(1).and_then(Value::as_f64)
}

/// Returns the id of the first place of an answer.
fn first(answer: &Value) -> Option<&Value> {
    ids(answer).into_iter().next()
}

/// Returns the ids of the places of an answer, in order.
fn ids(answer: &Value) -> Vec<&Value> {
    match answer {
        Value::Array(all) => all.iter().flat_map(ids).collect(),
        Value::Object(fields) => fields.get("place_id").into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Asks until there is an answer, and inserts what is missing. Returns the answer and the number of fetches.
pub fn fetch_answer(paged: &mut Paged, asked: &Asked) -> (Value, usize) {
    for fetches in 0.. {
        match answer(paged, asked) {
            Answer::Ready(answer) => return (answer, fetches),
            Answer::Missing(pages) => {
                assert!(!pages.is_empty(), "{asked:?}: something is missing, but no page");
                pages.into_iter().for_each(|id| paged.insert(id, page(id)).expect("it is the page"));
            }
        }
        assert!(fetches < 10, "{asked:?} has no end");
    }
    unreachable!("it asks until there is an answer")
}
