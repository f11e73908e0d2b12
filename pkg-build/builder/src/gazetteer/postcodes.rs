//! Builds the records of postal codes: where each is, which place it belongs to, and how people write it.
//!
//! Most rows name a locality and have no position. A locality is looked up among the settlements of its country. Of several
//! with the name, the one near the codes with the same beginning is meant, and one far from them is a mistake: post is
//! delivered by regions. A code whose locality is unknown lies among its neighbours, if these lie close together.

use std::collections::{BTreeMap, HashMap};

use toponym_engine::geo::Coordinate;
use toponym_engine::{Kind, Name, NameClass, Record, Role};

use crate::ids::{Namespace, hash_id};
use crate::importance;
use crate::progress;
use crate::sources::postal_codes::PostalCode;
use crate::sources::rows::Iso2;
use crate::spatial::Nearby;
use crate::text::key_hash;

/// Codes with the same beginning that say where it is: at least so many.
const LEAST_NEIGHBOURS: usize = 3;

/// A locality farther than this from the middle of its neighbours is another place of that name. Half of Sweden's codes of
/// two equal digits lie within 60 km of their middle, and hardly any farther than this.
const REGION_M: f64 = 150_000.0;

/// A code without a locality lies in the middle of its neighbours if half of them are this close to it.
const CLOSE_M: f64 = 15_000.0;

/// Rows of one code that lie this far from the middle of all are left out of it.
const AGREEING_M: f64 = 25_000.0;

/// Farthest place that a code with a position belongs to.
const REACH_M: f64 = 50_000.0;

/// Fewest letters of a locality without its last words, and of one in a script without spaces.
const LEAST_LETTERS: usize = 4;
const LEAST_CHARACTERS: usize = 2;

/// Greatest number of areas around a settlement.
const MAX_DEPTH: usize = 8;

/// Radius of a code, metres.
const EXTENT_M: f64 = 2_000.0;

/// Counts of the codes, by what became of their rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub codes: usize,
    /// Codes that were located by a position of their own, by the locality, or by their neighbours.
    pub by_position: usize,
    pub by_locality: usize,
    pub by_neighbours: usize,
    /// Codes whose rows all lie outside the borders of their country.
    pub abroad: usize,
    pub nowhere: usize,
}

impl Tally {
    /// Says what became of the codes.
    pub fn say(self) {
        let Self { codes, by_position, by_locality, by_neighbours, abroad, nowhere } = self;
        progress::say(&format!(
            "{codes} codes: {by_position} by their positions, {by_locality} by their localities, {by_neighbours} by their \
             neighbours; left out: {nowhere} without a known locality, {abroad} of them with a position in another country only"
        ));
    }
}

/// The settlements of the gazetteer, by name and by position, and its countries.
struct Settlements<'r> {
    places: HashMap<u64, &'r Record>,
    countries: HashMap<Iso2, &'r Record>,
    records: Vec<&'r Record>,
    by_name: HashMap<(Iso2, u64), Vec<u32>>,
    /// Ids of states by their code.
    states: HashMap<(Iso2, &'r str), u64>,
    /// The state of each settlement.
    state_of: Vec<Option<u64>>,
    nearby: Nearby,
}

/// A code with its rows, and its place as far as they tell it.
struct Code<'c> {
    country: Iso2,
    text: &'c str,
    /// The text without spaces and hyphens.
    compact: String,
    rows: Vec<&'c PostalCode>,
    found: Option<Found>,
}

#[derive(Clone, Copy)]
struct Found {
    position: Coordinate,
    how: How,
    /// The settlement, by its number.
    settlement: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Position,
    Locality,
    Neighbours,
}

/// Creates the records of `rows`, beside the `places` of the gazetteer, and tells what became of the rows. `country_at` knows
/// the borders.
pub(crate) fn records(
    rows: &[PostalCode],
    places: &[Record],
    country_at: impl Fn(Coordinate) -> Option<Iso2>,
) -> (Vec<Record>, Tally) {
    let settlements = Settlements::new(places);
    let mut codes = by_code(rows);
    let mut tally = Tally { codes: codes.len(), ..Tally::default() };
    for code in &mut codes {
        let home = |row: &&&PostalCode| {
            let at = row.position.and_then(&country_at);
            at.is_none_or(|country| country == row.country)
        };
        code.rows = code.rows.iter().filter(home).copied().collect();
        tally.abroad += usize::from(code.rows.is_empty());
        code.found = settlements.by_rows(code);
    }
    let regions = Regions::new(&codes);
    for code in &mut codes {
        code.found = settlements.in_region(code, &regions);
    }
    let regions = Regions::new(&codes);
    let mut records = Vec::new();
    for code in &codes {
        let Some(found) = code.found.or_else(|| regions.middle(code)) else {
            tally.nowhere += 1;
            continue;
        };
        let count = match found.how {
            How::Position => &mut tally.by_position,
            How::Locality => &mut tally.by_locality,
            How::Neighbours => &mut tally.by_neighbours,
        };
        *count += 1;
        records.extend(settlements.record(code, found));
    }
    (records, tally)
}

/// Groups the rows by country and code.
fn by_code(rows: &[PostalCode]) -> Vec<Code<'_>> {
    let mut by_code: BTreeMap<(Iso2, &str), Vec<&PostalCode>> = BTreeMap::new();
    for row in rows {
        by_code.entry((row.country, kept(row.country, &row.code))).or_default().push(row);
    }
    let code = |((country, text), rows): ((Iso2, _), _)| {
        let compact = str::chars(text).filter(|c| c.is_alphanumeric()).collect();
        Code { country, text, compact, rows, found: None }
    };
    by_code.into_iter().map(code).collect()
}

/// Returns the part of a code that is kept: Portugal and Malta have a code for every street, of which the beginning is the
/// town's, and codes of islands that write them like Great Britain end in a part for the street.
fn kept(country: Iso2, code: &str) -> &str {
    let (length, separator) = match &country {
        b"PT" => (4, '-'),
        b"MT" => (3, ' '),
        b"IM" | b"GG" | b"JE" | b"GI" => return code.split(' ').next().unwrap_or(code),
        _ => return code,
    };
    code.split_once(separator).map_or(code, |(first, _)| if first.len() == length { first } else { code })
}

impl<'r> Settlements<'r> {
    fn new(places: &'r [Record]) -> Self {
        let records: Vec<&Record> =
            places.iter().filter(|place| matches!(place.kind.role, Role::City | Role::Quarter)).collect();
        let mut by_name: HashMap<(Iso2, u64), Vec<u32>> = HashMap::new();
        for (record, number) in records.iter().zip(0..) {
            for name in &record.names {
                let numbers = by_name.entry((record.country, key_hash(&name.text))).or_default();
                if numbers.last() != Some(&number) {
                    numbers.push(number);
                }
            }
        }
        let nearby = Nearby::new(records.iter().enumerate().map(|(number, record)| (number, record.position)));
        let countries = places.iter().filter(|place| place.kind.role == Role::Country);
        let by_id: HashMap<u64, &Record> = places.iter().map(|place| (place.id, place)).collect();
        let above = |place: &&'r Record| place.parent.and_then(|id| by_id.get(&id)).copied();
        let state_of = |place: &&'r Record| {
            let areas = std::iter::successors(above(place), above);
            areas.take(MAX_DEPTH).find(|area| area.kind.role == Role::State).map(|state| state.id)
        };
        let states = places.iter().filter(|place| place.kind.role == Role::State);
        // The package's numbers of states are not those of ISO 3166-2: with them, some 4,000 postal codes find no place.
        let is_word = |code: &&toponym_engine::Code| toponym_engine::Code::is_word(&code.text);
        let coded = states.flat_map(|state| state.codes.iter().filter(is_word).map(move |code| (state, code)));
        Self {
            states: coded.map(|(state, code)| ((state.country, code.text.as_str()), state.id)).collect(),
            state_of: records.iter().map(state_of).collect(),
            places: by_id,
            countries: countries.map(|country| (country.country, country)).collect(),
            records,
            by_name,
            nearby,
        }
    }

    /// Returns the settlements that the locality of a row may mean: those in its state, if that is known.
    fn settlements_called(&self, row: &PostalCode) -> Vec<u32> {
        let state = self.states.get(&(row.country, row.state.as_str())).copied();
        let is_there = |&number: &u32| {
            let of_settlement = self.state_of[number as usize];
            state.is_none() || of_settlement.is_none() || of_settlement == state
        };
        let with_name = |name: String| {
            let named = self.by_name.get(&(row.country, key_hash(&name)))?.iter().copied();
            Some(named.filter(is_there).collect::<Vec<u32>>()).filter(|found| !found.is_empty())
        };
        readings(&row.locality).into_iter().find_map(with_name).unwrap_or_default()
    }

    /// Finds a code by the positions of its rows, or by localities that mean one settlement each.
    fn by_rows(&self, code: &Code) -> Option<Found> {
        let own: Vec<Coordinate> = code.rows.iter().filter_map(|row| row.position).collect();
        if let Some(position) = middle_of_agreeing(&own) {
            return Some(Found { position, how: How::Position, settlement: None });
        }
        let named = code.rows.iter().filter_map(|row| match self.settlements_called(row)[..] {
            [only] => Some(only),
            _ => None,
        });
        self.find_agreeing(named.collect())
    }

    /// Finds a code without a position of its own: localities mean the namesake nearest to the codes with the same beginning.
    fn in_region(&self, code: &Code, regions: &Regions) -> Option<Found> {
        if code.found.is_some_and(|found| found.how == How::Position) {
            return code.found;
        }
        let middle = regions.of(code);
        let nearest = |row: &&PostalCode| {
            let named = self.settlements_called(row).into_iter();
            let Some(middle) = middle else {
                // Of namesakes the greatest.
                return named.max_by(|&a, &b| self.importance(a).total_cmp(&self.importance(b)));
            };
            let away = |number: u32| self.records[number as usize].position.distance_m(middle);
            let near = named.filter(|&number| away(number) <= REGION_M);
            near.min_by(|&a, &b| away(a).total_cmp(&away(b)))
        };
        self.find_agreeing(code.rows.iter().filter_map(nearest).collect())
    }

    fn importance(&self, number: u32) -> f64 {
        self.records[number as usize].importance
    }

    /// Returns the most important of the settlements that agree, and its position.
    fn find_agreeing(&self, numbers: Vec<u32>) -> Option<Found> {
        let positions: Vec<Coordinate> = numbers.iter().map(|&number| self.records[number as usize].position).collect();
        let middle = middle_of_agreeing(&positions)?;
        let near = numbers.into_iter().filter(|&n| self.records[n as usize].position.distance_m(middle) <= AGREEING_M);
        let greatest = near.max_by(|&a, &b| self.importance(a).total_cmp(&self.importance(b)).then(b.cmp(&a)))?;
        // Most rows of a town name its parts, whose middle is nobody's place.
        let position = self.records[greatest as usize].position;
        Some(Found { position, how: How::Locality, settlement: Some(greatest) })
    }

    fn record(&self, code: &Code, found: Found) -> Option<Record> {
        let settlement = found.settlement.or_else(|| self.nearest(code, found.position));
        let parent = settlement.map(|number| self.records[number as usize]);
        let country = self.countries.get(&code.country).copied();
        let parent = parent.or(country)?;
        // A part of a city has the codes of its city.
        let city =
            if parent.kind.role == Role::Quarter { parent.parent.and_then(|id| self.places.get(&id)) } else { None };
        let known = city.map_or(parent.importance, |city| city.importance.max(parent.importance));
        let country = country.map_or(0.0, |country| country.importance);
        Some(Record {
            id: hash_id(Namespace::Postcode, &format!("{}/{}", String::from_utf8_lossy(&code.country), code.compact)),
            kind: Kind { role: Role::Postcode, category: "boundary".to_owned(), r#type: "postal_code".to_owned() },
            names: names(code),
            codes: Vec::new(),
            position: found.position,
            parent: Some(parent.id),
            country: code.country,
            importance: importance::postcode(country, known),
            extent_m: EXTENT_M,
            bounds: None,
        })
    }

    /// Returns the settlement nearest to a position: one that a row names, if it is within reach.
    fn nearest(&self, code: &Code, position: Coordinate) -> Option<u32> {
        let away = |number: u32| self.records[number as usize].position.distance_m(position);
        let named = code.rows.iter().flat_map(|row| self.settlements_called(row));
        let named = named.filter(|&number| away(number) <= REACH_M).min_by(|&a, &b| away(a).total_cmp(&away(b)));
        let near = || self.nearby.within(position, REACH_M).find(|&(n, _)| self.records[n].country == code.country);
        named.or_else(|| near().map(|(number, _)| number as u32))
    }
}

/// Returns the readings of a locality, the best first: all of it, its parts, and without its last words or characters.
fn readings(locality: &str) -> Vec<String> {
    let whole = locality.trim();
    if whole.is_empty() {
        return Vec::new();
    }
    let mut readings = vec![whole.to_owned()];
    // `Acebeda, La`, `Wien, Innere Stadt`, `Mumbai (East)`, `A / B`.
    let parts = whole.split([',', '(', ')', '/', ';', '（', '）']).map(str::trim).filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.collect();
    if let [first, .., last] = parts[..] {
        readings.extend([format!("{last} {first}"), first.to_owned(), last.to_owned()]);
    }
    let first = parts.first().copied().unwrap_or(whole);
    let words: Vec<&str> = first.split_whitespace().collect();
    let shorter = (1..words.len()).rev().map(|count| words[..count].join(" "));
    readings.extend(shorter.filter(|name| name.chars().count() >= LEAST_LETTERS));
    if !first.is_ascii() && words.len() == 1 {
        let ends: Vec<usize> = first.char_indices().map(|(at, _)| at).skip(LEAST_CHARACTERS).collect();
        if first.chars().all(|c| c >= '\u{2e80}') {
            readings.extend(ends.into_iter().rev().map(|end| first[..end].to_owned()));
        }
    }
    readings
}

/// Returns the middle of the positions that agree: the median, without those far from it.
fn middle_of_agreeing(positions: &[Coordinate]) -> Option<Coordinate> {
    let first = median(positions)?;
    let near: Vec<Coordinate> = positions.iter().copied().filter(|at| at.distance_m(first) <= AGREEING_M).collect();
    median(if near.is_empty() { &positions[..1] } else { &near })
}

/// Returns the medians of latitudes and of longitudes. No country has its codes on both sides of the date line but Fiji and
/// Russia, which have no rows.
fn median(positions: &[Coordinate]) -> Option<Coordinate> {
    let lat = middle_value(positions.iter().map(|at| at.lat()).collect())?;
    let lon = middle_value(positions.iter().map(|at| at.lon()).collect())?;
    Coordinate::new(lat, lon)
}

fn middle_value(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Areas of the codes with the same beginning: the middle, and the distance within which half of them lie.
struct Regions(HashMap<(Iso2, String), (Coordinate, f64)>);

impl Regions {
    fn new(codes: &[Code]) -> Self {
        let mut positions: HashMap<(Iso2, String), Vec<Coordinate>> = HashMap::new();
        for code in codes {
            let Some(found) = code.found else { continue };
            for beginning in beginnings(&code.compact) {
                positions.entry((code.country, beginning.to_owned())).or_default().push(found.position);
            }
        }
        let region = |(key, positions): (_, Vec<Coordinate>)| {
            let middle = median(&positions).filter(|_| positions.len() >= LEAST_NEIGHBOURS)?;
            let mut away: Vec<f64> = positions.iter().map(|at| at.distance_m(middle)).collect();
            away.sort_by(f64::total_cmp);
            Some((key, (middle, away[away.len() / 2])))
        };
        Self(positions.into_iter().filter_map(region).collect())
    }

    fn get<'s>(&'s self, code: &'s Code) -> impl Iterator<Item = (Coordinate, f64)> + 's {
        beginnings(&code.compact).rev().filter_map(|start| self.0.get(&(code.country, start.to_owned())).copied())
    }

    /// Returns the middle of the codes with the longest beginning in common.
    fn of(&self, code: &Code) -> Option<Coordinate> {
        self.get(code).next().map(|(middle, _)| middle)
    }

    /// Finds a code in the middle of the codes with the longest beginning in common that lie close together.
    fn middle(&self, code: &Code) -> Option<Found> {
        let (position, _) = self.get(code).find(|&(_, half)| half <= CLOSE_M)?;
        Some(Found { position, how: How::Neighbours, settlement: None })
    }
}

/// Iterates over the beginnings of a code, the shortest first, without itself. Those of one character say little in codes of
/// five and more.
fn beginnings(compact: &str) -> impl DoubleEndedIterator<Item = &str> {
    let shortest = if compact.len() >= 5 { 2 } else { 1 };
    (shortest..compact.len()).filter_map(move |end| compact.get(..end))
}

/// Returns the names of a code: as its country writes it, without spaces and hyphens, and with the sign of the country before
/// it.
fn names(code: &Code) -> Vec<Name> {
    let country = String::from_utf8_lossy(&code.country).into_owned();
    let mut names = vec![name(display(code), NameClass::Primary)];
    // `MD-2000` is also written as 2000.
    let bare = code.text.strip_prefix(country.as_str()).and_then(|rest| rest.strip_prefix('-')).map(str::to_owned);
    let sign = SIGNS.iter().find(|(iso2, _)| *iso2 == code.country).map(|(_, sign)| format!("{sign}-{}", code.text));
    let compact_sign = SIGNS.iter().find(|(iso2, _)| *iso2 == code.country && code.text != code.compact);
    let compact_sign = compact_sign.map(|(_, sign)| format!("{sign}-{}", code.compact));
    // Nobody leaves the hyphen out of 90-210 in Łódź, where 90210 is a code in Beverly Hills.
    let without = if code.text.contains('-') { NameClass::Other } else { NameClass::English };
    let others = [
        (Some(code.text.to_owned()), NameClass::English),
        (Some(code.compact.clone()), without),
        (bare, NameClass::English),
        (sign, NameClass::English),
        (compact_sign, NameClass::English),
    ];
    for (other, class) in others {
        let new = other.filter(|other| names.iter().all(|known| known.text != *other));
        names.extend(new.map(|other| name(other, class)));
    }
    names
}

fn name(text: String, class: NameClass) -> Name {
    Name { text, class, lang: None }
}

/// Signs of countries that people write before codes. Those of two letters are their ISO codes, which the search knows.
const SIGNS: [(Iso2, &str); 11] = [
    (*b"AT", "A"),
    (*b"BE", "B"),
    (*b"DE", "D"),
    (*b"FR", "F"),
    (*b"HU", "H"),
    (*b"IT", "I"),
    (*b"LU", "L"),
    (*b"NO", "N"),
    (*b"PT", "P"),
    (*b"SE", "S"),
    (*b"SM", "I"),
];

/// Returns a code as its country writes it: the source has those of some in digits alone.
fn display(code: &Code) -> String {
    match (&code.country, code.compact.len()) {
        (b"CZ" | b"SK" | b"SE" | b"GR", 5) if code.compact.is_ascii() => {
            format!("{} {}", &code.compact[..3], &code.compact[3..])
        }
        _ => code.text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lon: f64) -> Coordinate {
        Coordinate::new(lat, lon).expect("a test coordinate is in range")
    }

    fn place(id: u64, role: Role, name: &str, (lat, lon): (f64, f64)) -> Record {
        Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: "town".into() },
            names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
            codes: vec![],
            position: at(lat, lon),
            parent: (id > 1).then_some(1),
            country: *b"SE",
            importance: 0.5 - id as f64 / 100.0,
            extent_m: 1_000.0,
            bounds: None,
        }
    }

    fn row(code: &str, locality: &str, position: Option<(f64, f64)>) -> PostalCode {
        let position = position.map(|(lat, lon)| at(lat, lon));
        PostalCode { country: *b"SE", code: code.into(), state: String::new(), locality: locality.into(), position }
    }

    /// Returns the code, latitude and parent of each record, and the number of codes that are nowhere.
    fn found(rows: &[PostalCode]) -> String {
        let places = [
            place(1, Role::Country, "Land", (60.0, 15.0)),
            place(2, Role::City, "Stad", (59.3, 18.0)),
            place(3, Role::City, "Berg", (65.0, 20.0)),
            place(4, Role::City, "Berg", (59.4, 18.1)),
            place(5, Role::City, "Dal", (55.0, 13.0)),
        ];
        let (records, tally) = records(rows, &places, |at| (at.lat() > 50.0).then_some(*b"SE"));
        let shown = records.iter().map(|record| {
            let parent = record.parent.and_then(|id| places.iter().find(|place| place.id == id));
            let parent = parent.map_or("", |place| place.names[0].text.as_str());
            format!("{} {:.1} {parent}", record.names[0].text, record.position.lat())
        });
        let shown: Vec<String> = shown.collect();
        format!("{}; {}", shown.join(", "), tally.nowhere)
    }

    #[test]
    fn a_code_lies_among_its_rows() {
        let near = [row("111 20", "Stad", None), row("111 21", "STAD", None), row("111 22", "Stad", None)];
        let with = |more: &[PostalCode]| found(&[&near, more].concat());
        let rest = "111 20 59.3 Stad, 111 21 59.3 Stad, 111 22 59.3 Stad";
        assert_eq!(with(&[]), format!("{rest}; 0"));
        // Of two of the name the one beside its neighbours; a far one is a mistake, so that its neighbours decide.
        assert_eq!(with(&[row("111 30", "Berg", None)]), format!("{rest}, 111 30 59.4 Berg; 0"));
        assert_eq!(with(&[row("111 30", "Dal", None)]), format!("{rest}, 111 30 59.3 Stad; 0"));
        assert_eq!(with(&[row("111 30", "", None)]), format!("{rest}, 111 30 59.3 Stad; 0"));
        // A position of its own decides, unless it is in no part of the country.
        assert_eq!(with(&[row("111 30", "Dal", Some((59.5, 18.0)))]), format!("{rest}, 111 30 59.5 Berg; 0"));
        // Nothing is known of others.
        assert_eq!(found(&[row("999 99", "Nowhere", None)]), "; 1");
    }

    #[test]
    fn names_of_a_code() {
        check_names(b"FR", "75001", &["75001", "F-75001"]);
        check_names(b"SE", "111 22", &["111 22", "11122", "S-111 22", "S-11122"]);
        check_names(b"CZ", "11000", &["110 00", "11000"]);
        check_names(b"PL", "90-210", &["90-210", "90210"]);
        check_names(b"MD", "MD-2000", &["MD-2000", "MD2000", "2000"]);
        check_names(b"PT", "1000-001", &["1000", "P-1000"]);
        check_names(b"MT", "VLT 1117", &["VLT"]);
        check_names(b"JE", "JE1 1AA", &["JE1"]);
        check_names(b"US", "90210", &["90210"]);
    }

    fn check_names(country: &Iso2, text: &str, expect: &[&str]) {
        let rows = [PostalCode { country: *country, ..row(text, "", None) }];
        let names = names(&by_code(&rows)[0]);
        assert_eq!(names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn readings_of_a_locality() {
        check_readings("", &[]);
        check_readings("PARIS", &["PARIS"]);
        check_readings("Acebeda, La", &["Acebeda, La", "La Acebeda", "Acebeda", "La"]);
        check_readings("Mumbai G.P.O.", &["Mumbai G.P.O.", "Mumbai"]);
        check_readings("千代田区", &["千代田区", "千代田", "千代"]);
        check_readings("Żary", &["Żary"]);
    }

    fn check_readings(text: &str, expect: &[&str]) {
        assert_eq!(readings(text), expect, "{text}");
    }

    #[test]
    fn the_middle_is_that_of_those_that_agree() {
        let found = middle_of_agreeing(&[at(59.0, 18.0), at(59.1, 18.0), at(59.1, 18.1), at(40.0, 0.0)]);
        assert_eq!(found, Some(at(59.1, 18.0)));
        assert_eq!(middle_of_agreeing(&[]), None);
    }
}
