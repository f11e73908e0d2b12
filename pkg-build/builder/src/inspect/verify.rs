//! Checks a whole index against `FORMAT.md`. It finds what the frame and its checksum cannot, such as faults of a
//! builder or a forged file.

use std::collections::{BTreeMap, BTreeSet};

use toponym_engine::geo::Coordinate;
use toponym_engine::index::MAX_SPELLING;
use toponym_engine::{LAND_CELLS_PER_DEGREE, LandGrid, NameClass, Role, fold};

use super::contents::{ALTERNATES, Contents, NAMES, NO_ROW, SOUNDS, Table, code_of, degrees};

/// Rows of a tile.
const TILE_ROWS: usize = 64;

/// Numbers of a tile's box: three lower bounds, three upper bounds.
const TILE_SIDES: usize = 6;

/// Boxes are rounded outwards from exact positions but compared with stored ones, which differ by half a unit of 1e-5
/// degrees.
const TILE_SLACK: f64 = 2e-7;

/// A centre is a rounded mean of places, so it may lie outside their box by the rounding error.
const CENTRE_SLACK_DEG: f64 = 2e-5;

/// Step of name costs, and what each class of names adds.
const STEP: u32 = 349;
const CLASS_COSTS: [(NameClass, f64); 4] =
    [(NameClass::Primary, 0.0), (NameClass::English, 0.01), (NameClass::Other, 0.22), (NameClass::Weak, 0.36)];

/// Cells of the border grid.
const BORDER_CELLS: usize = 180 * 360;

/// The top bit of a border cell: the rest is the offset of a list.
const LIST: u32 = 1 << 31;

/// The number of levels limits the number of ancestors.
const MAX_DEPTH: usize = 8;

/// Largest place id.
const MAX_ID: u64 = (1 << 53) - 1;

/// Number of examples reported for each kind of fault.
const EXAMPLES: usize = 3;

/// The faults by kind: their number and the first examples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(BTreeMap<&'static str, (usize, Vec<String>)>);

impl Faults {
    /// Tells whether there are no faults.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Formats one line per kind of fault.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(kind, (count, examples))| {
            let more = if *count > examples.len() { ", ..." } else { "" };
            format!("{kind}: {count} ({}{more})", examples.join(", "))
        })
    }

    fn add(&mut self, kind: &'static str, example: impl Into<String>) {
        let (count, examples) = self.0.entry(kind).or_default();
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(example.into());
        }
    }

    fn expect(&mut self, holds: bool, kind: &'static str, example: impl FnOnce() -> String) {
        if !holds {
            self.add(kind, example());
        }
    }
}

/// Finds all faults of an index that opens.
///
/// # Example: check an index before it is deployed
///
/// ```
/// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
/// # let index = toponym_builder::inspect::Contents::open(bytes)?;
/// use toponym_builder::inspect;
///
/// let faults = inspect::verify(&index);
/// assert!(faults.is_empty(), "{:?}", faults.lines().collect::<Vec<_>>());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(index: &Contents) -> Faults {
    let mut faults = Faults::default();
    lists(index, &mut faults);
    if lengths(index, &mut faults) {
        rows(index, &mut faults);
        parents(index, &mut faults);
        bounds(index, &mut faults);
        capitals(index, &mut faults);
        further_countries(index, &mut faults);
        names(index, &mut faults);
        table(index, ALTERNATES, &mut faults, |_, _| {});
        table(index, SOUNDS, &mut faults, |_, _| {});
        codes(index, &mut faults);
        tiles(index, "populated tiles", 0, index.header.populated, &mut faults);
        tiles(index, "site tiles", index.header.populated, index.header.sites, &mut faults);
        translations(index, &mut faults);
        facts(index, &mut faults);
    }
    borders(index, &mut faults);
    letters(index, &mut faults);
    spellings(index, &mut faults);
    let land = index.bytes("land").len();
    let cells = LandGrid::ROWS * LandGrid::COLUMNS;
    faults.expect(land == 0 || land == cells.div_ceil(8), "land grid of another size", || {
        format!("{land} bytes for {LAND_CELLS_PER_DEGREE} cells a degree")
    });
    faults
}

/// Checks that the lists of the header are sorted and not empty.
fn lists(index: &Contents, faults: &mut Faults) {
    let header = &index.header;
    faults.expect(
        !header.kinds.is_empty() && header.kinds.is_sorted(),
        "list of kinds is empty or not sorted",
        String::new,
    );
    faults.expect(header.countries.is_sorted_by_key(|(code, _)| code), "list of countries is not sorted", String::new);
    faults.expect(header.languages.is_sorted(), "list of languages is not sorted", String::new);
    faults.expect(header.lexicon.kinds.is_sorted(), "list of words for kinds is not sorted", String::new);
    faults.expect(header.lexicon.fillers.is_sorted(), "list of filler words is not sorted", String::new);
    for (code, row) in &header.countries {
        let is_its_row =
            *row == NO_ROW || index.role(*row) == Some(Role::Country) && index.country(*row) == Some(*code);
        faults.expect(is_its_row, "country whose row is another place", || String::from_utf8_lossy(code).into_owned());
    }
    for border in &header.borders {
        let known = usize::from(*border) < header.countries.len();
        faults.expect(known, "border of a country that is not there", || border.to_string());
    }
}

/// Checks that every column has as many values as there are rows.
fn lengths(index: &Contents, faults: &mut Faults) -> bool {
    let before = faults.0.len();
    let rows = index.rows() as usize;
    let columns = [
        ("latitude", 4),
        ("longitude", 4),
        ("importance", 2),
        ("kind", 1),
        ("country", 2),
        ("parent", 4),
        ("id", 8),
        ("extent", 1),
        ("display name", 4),
    ];
    for (name, width) in columns {
        let bytes = index.bytes(name).len();
        faults.expect(bytes == width * rows, "column of another length than there are rows", || {
            format!("{name} has {bytes} bytes for {rows} rows")
        });
    }
    faults.0.len() == before
}

fn rows(index: &Contents, faults: &mut Faults) {
    let mut ids: Vec<u64> = index.column::<u64>("id").iter().collect();
    for row in 0..index.rows() {
        let id = ids[row as usize];
        let named = || format!("place {id}");
        faults.expect(index.position(row).is_some(), "position out of range", named);
        faults.expect((1..=MAX_ID).contains(&id), "place id out of range", named);
        faults.expect(index.country(row).is_some(), "country that is not in the list", named);
        let name = index.display_name(row);
        faults.expect(name.is_some_and(|name| !fold(name).is_empty()), "display name that cannot be read", named);
        let expected = match row {
            row if row < index.header.populated => [Some(Role::City), Some(Role::Quarter)].as_slice(),
            row if row < index.header.populated + index.header.sites => {
                &[Some(Role::Airport), Some(Role::Station), Some(Role::Landmark)]
            }
            _ => {
                &[Some(Role::Country), Some(Role::State), Some(Role::County), Some(Role::Region), Some(Role::Postcode)]
            }
        };
        let role = index.role(row);
        faults.expect(expected.contains(&role), "kind that does not belong among its rows", || {
            format!("place {id}, {role:?}")
        });
    }
    ids.sort_unstable();
    for pair in ids.windows(2).filter(|pair| pair[0] == pair[1]) {
        faults.add("place id that is there twice", pair[0].to_string());
    }
}

fn parents(index: &Contents, faults: &mut Faults) {
    let parents = index.column::<u32>("parent");
    for (row, parent) in (0..).zip(parents.iter()).filter(|(_, parent)| *parent != NO_ROW) {
        let named = || place(index, row);
        let (Some(role), Some(above)) = (index.role(row), index.role(parent)) else {
            faults.add("parent that is not there", named());
            continue;
        };
        let is_larger = above < role || above == Role::Country && parent != row;
        faults.expect(is_larger && above <= Role::Quarter, "parent that is not a larger place", named);
        let depth = std::iter::successors(Some(row), |&row| index.parent(row)).take(MAX_DEPTH + 2).count();
        faults.expect(depth <= MAX_DEPTH + 1, "parents without end", named);
    }
}

fn bounds(index: &Contents, faults: &mut Faults) {
    let rows = index.column::<u32>("bounds rows");
    let sides = index.column::<i32>("bounds");
    faults.expect(sides.len() == 4 * rows.len(), "bounds of another length than their rows", String::new);
    let sorted: Vec<u32> = rows.iter().collect();
    faults.expect(sorted.is_sorted_by(|a, b| a < b), "rows with bounds are not in order", String::new);
    for (at, row) in (0u32..).zip(sorted) {
        let side = |side: u32| sides.get(4 * at + side).map(degrees);
        let (Some(south), Some(north), Some(west), Some(east), Some(centre)) =
            (side(0), side(1), side(2), side(3), index.position(row))
        else {
            faults.add("bounds of a row that is not there", row.to_string());
            continue;
        };
        let example = || format!("{} at {}, {}", place(index, row), centre.lat(), centre.lon());
        let in_range =
            Coordinate::new(south, west).is_some() && Coordinate::new(north, east).is_some() && south <= north;
        faults.expect(in_range, "bounds out of range", example);
        let slack = CENTRE_SLACK_DEG;
        let from = west - slack;
        let to = east + slack;
        let across =
            if west <= east { (from..=to).contains(&centre.lon()) } else { centre.lon() >= from || centre.lon() <= to };
        let inside = (south - slack..=north + slack).contains(&centre.lat()) && across;
        faults.expect(inside, "bounds that do not hold the centre", example);
    }
}

fn capitals(index: &Contents, faults: &mut Faults) {
    let lengths = (index.column::<u32>("capital areas").len(), index.column::<u32>("capitals").len());
    faults.expect(lengths.0 == lengths.1, "capitals of another length than their areas", || format!("{lengths:?}"));
    let areas: Vec<u32> = index.capitals().map(|(area, _)| area).collect();
    faults.expect(areas.is_sorted_by(|a, b| a < b), "areas with capitals are not in order", String::new);
    for (area, city) in index.capitals() {
        let governs = matches!(index.role(area), Some(Role::Country | Role::State));
        let example = || format!("{} of {}", place(index, city), place(index, area));
        faults.expect(
            governs && index.role(city) == Some(Role::City),
            "capital that is not a city of an area",
            example,
        );
    }
}

fn further_countries(index: &Contents, faults: &mut Faults) {
    let lengths = (index.column::<u32>("shared regions").len(), index.column::<u16>("further countries").len());
    faults.expect(lengths.0 == lengths.1, "further countries of another length than their regions", || {
        format!("{lengths:?}")
    });
    let pairs: Vec<(u32, u16)> = index.further_countries().collect();
    faults.expect(pairs.is_sorted_by(|a, b| a < b), "further countries are not in order", String::new);
    for (row, country) in pairs {
        let is_further =
            index.role(row) == Some(Role::Region) && index.column::<u16>("country").get(row) != Some(country);
        faults.expect(is_further, "further country of a place that is not a region, or its own", || place(index, row));
    }
}

fn names(index: &Contents, faults: &mut Faults) {
    let mut found = vec![false; index.rows() as usize];
    let folded: Vec<String> = (0..index.rows()).map(|row| fold(index.display_name(row).unwrap_or_default())).collect();
    table(index, NAMES, faults, |key, row| {
        if let (Some(found), Some(name)) = (found.get_mut(row as usize), folded.get(row as usize)) {
            *found |= name == key;
        }
    });
    for (row, _) in (0u32..).zip(&found).filter(|(_, found)| !**found) {
        faults.add("place that its display name does not find", place(index, row));
    }
}

/// Checks a table of names and calls `see` with every key and each of its rows.
fn table(index: &Contents, at: Table, faults: &mut Faults, mut see: impl FnMut(&str, u32)) {
    let Some(map) = index.map(at.keys) else {
        return faults.add("fst that cannot be read", at.keys);
    };
    let count = index.column::<u32>(at.postings).len();
    if map.len() != count {
        return faults.add("postings that are not as many as names", format!("{}: {} and {count}", at.keys, map.len()));
    }
    let costs = index.column::<u8>(at.costs);
    faults.expect(costs.len() == count, "costs that are not as many as names", || {
        format!("{}: {} and {count}", at.keys, costs.len())
    });
    let mut numbers = 0u32..;
    index.each_key(at.keys, |key, id| {
        let number = numbers.next();
        let Ok(key) = std::str::from_utf8(key) else { return faults.add("name that is not text", at.keys) };
        let id = u32::try_from(id).unwrap_or(u32::MAX);
        let Some(postings) = index.postings(at, id) else {
            return faults.add("name whose places lie outside the file", format!("{key:?}"));
        };
        let mut before = 0;
        for &(row, class) in &postings {
            let (Some(importance), Some(class)) = (index.column::<u16>("importance").get(row), class) else {
                faults.add("name of a place that is not there", format!("{key:?}"));
                continue;
            };
            let cost = cost(importance, class);
            faults.expect(cost >= before, "places of a name that are not in order of cost", || format!("{key:?}"));
            before = cost;
            let is_in_its_table = at.alternates.is_none_or(|alternates| alternates == class.is_alternate());
            faults.expect(is_in_its_table, "name in the table of another class", || format!("{key:?}"));
            see(key, row);
        }
        let first =
            postings.first().and_then(|&(row, class)| Some(cost(index.column::<u16>("importance").get(row)?, class?)));
        let steps = first.map(|cost| cost / STEP);
        let agrees = steps.is_none() || steps == costs.get(id).map(u32::from);
        faults.expect(agrees, "cost of a name that is not that of its cheapest place", || format!("{key:?}"));
        faults.expect(Some(id) == number, "name that is not numbered as the alphabet has it", || format!("{key:?}"));
    });
}

fn cost(importance: u16, class: NameClass) -> u32 {
    let part = CLASS_COSTS.iter().find(|(known, _)| *known == class).map_or(0.0, |(_, part)| *part);
    u32::from(u16::MAX - importance) + (part * 65_536.0) as u32
}

fn codes(index: &Contents, faults: &mut Faults) {
    if index.map("codes").is_none() {
        return faults.add("fst that cannot be read", "codes");
    }
    index.each_key("codes", |key, row| {
        let known = code_of(key).is_some() && row < u64::from(index.rows());
        faults.expect(known, "code that stands for nothing", || String::from_utf8_lossy(key).into_owned());
    });
}

fn tiles(index: &Contents, name: &'static str, first: u32, rows: u32, faults: &mut Faults) {
    let sides: Vec<f32> = index.column::<f32>(name).iter().collect();
    let count = (rows as usize).div_ceil(TILE_ROWS);
    if sides.len() != TILE_SIDES * count {
        return faults.add("tiles that are not as many as their rows need", name);
    }
    for row in 0..rows {
        let tile = &sides[row as usize / TILE_ROWS * TILE_SIDES..][..TILE_SIDES];
        let vector = index.position(first + row).map(Coordinate::unit_vector).unwrap_or_default();
        let inside = (0..3).all(|axis| {
            let low = f64::from(tile[axis]) - TILE_SLACK;
            let high = f64::from(tile[3 + axis]) + TILE_SLACK;
            (low..=high).contains(&vector[axis])
        });
        faults.expect(inside, "place outside its tile", || place(index, first + row));
    }
}

fn translations(index: &Contents, faults: &mut Faults) {
    let rows = index.column::<u32>("translation rows");
    let starts = index.column::<u32>("translation starts");
    faults.expect(rows.len() == starts.len(), "translations of unequal length", String::new);
    let is_rising = rows.iter().zip(rows.iter().skip(1)).all(|(row, next)| row < next);
    faults.expect(is_rising, "translations that are not in order of their rows", String::new);
    for entry in index.translations() {
        let known = entry.row < index.rows()
            && entry.languages.iter().all(|&number| usize::from(number) < index.header.languages.len());
        faults.expect(known, "translation of a place or in a language that is not there", || entry.row.to_string());
        let is_read = entry.name.is_some_and(|name| !name.is_empty()) && !entry.languages.is_empty();
        faults.expect(is_read, "translation that cannot be read", || place(index, entry.row));
    }
}

/// Checks populations, time zones and the codes of rows, each of which may be left out.
fn facts(index: &Contents, faults: &mut Faults) {
    let people = index.column::<u32>("populations");
    let zones = index.column::<u8>("time zones");
    let has_lengths = is_whole(people.len(), index.header.populated) && is_whole(zones.len(), index.rows());
    faults.expect(has_lengths, "column of facts of another length than there are rows", String::new);
    let countries = index.column::<u16>("time zone countries");
    let names = index.column::<u32>("time zone names");
    faults.expect(countries.len() == names.len(), "time zones of unequal length", String::new);
    faults.expect(countries.iter().is_sorted(), "time zones that are not in order of their countries", String::new);
    for name in names.iter() {
        let is_text = index.text("time zone text", name).is_some_and(|text| !text.is_empty());
        faults.expect(is_text, "time zone that cannot be read", || name.to_string());
    }
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    countries.iter().for_each(|country| *counts.entry(country).or_default() += 1);
    let column = index.column::<u16>("country");
    for (row, zone) in (0..index.rows()).zip(zones.iter()) {
        let known = column.get(row).and_then(|country| counts.get(&country)).copied().unwrap_or_default();
        faults.expect(usize::from(zone) <= known, "time zone that its country lacks", || place(index, row));
    }
    let rows = index.column::<u32>("coded rows");
    let codes = index.column::<u64>("codes of rows");
    faults.expect(rows.len() == codes.len(), "codes of rows of unequal length", String::new);
    let in_order = rows.iter().is_sorted() && rows.iter().all(|row| row < index.rows());
    faults.expect(in_order, "codes of rows that are not there or not in order", String::new);
}

fn is_whole(length: usize, rows: u32) -> bool {
    length == 0 || length == rows as usize
}

fn borders(index: &Contents, faults: &mut Faults) {
    let vertices = index.column::<i32>("border vertices");
    let cells = index.column::<u32>("border cells");
    let edges = index.column::<u32>("border edges");
    let countries = index.header.borders.len();
    let states = index.column::<u64>("border states");
    let ids: BTreeSet<u64> = index.column::<u64>("id").iter().collect();
    for state in states.iter().filter(|state| !ids.contains(state)) {
        faults.add("border of a state that is not there", state.to_string());
    }
    let borders = countries + states.len();
    let expected = if borders == 0 { 0 } else { BORDER_CELLS };
    if cells.len() != expected {
        return faults.add("border grid of another size", format!("{} cells", cells.len()));
    }
    let points: Vec<i32> = vertices.iter().collect();
    for point in points.chunks(2) {
        let in_range = point.len() == 2 && Coordinate::new(degrees(point[0]), degrees(point[1])).is_some();
        faults.expect(in_range, "vertex of a border out of range", || format!("{point:?}"));
    }
    let is_known = |border: u32| (border as usize) < borders;
    for (cell, word) in cells.iter().enumerate().filter(|(_, word)| *word != 0) {
        let example = || format!("cell {cell}");
        if word & LIST == 0 {
            faults.expect(is_known(word - 1), "border that is not there", example);
            continue;
        }
        let mut at = word & !LIST;
        let Some(entries) = edges.get(at) else {
            faults.add("list of a border cell that lies outside the file", example());
            continue;
        };
        for _ in 0..entries {
            at = at.saturating_add(1);
            let Some(entry) = edges.get(at) else {
                faults.add("list of a border cell that lies outside the file", example());
                break;
            };
            faults.expect(is_known(entry >> 16 & 0x7fff), "border that is not there", example);
            for _ in 0..entry & 0xffff {
                at = at.saturating_add(1);
                // An edge runs from its vertex to the next one.
                let end = edges.get(at).map(|run| 2 * ((run >> 4) as usize + (run & 15) as usize + 1) + 1);
                faults.expect(end.is_some_and(|end| end < points.len()), "edge of a border that is not there", example);
            }
        }
    }
}

fn letters(index: &Contents, faults: &mut Faults) {
    let chars = index.column::<u32>("transliterated characters");
    let offsets = index.column::<u32>("transliteration offsets");
    faults.expect(chars.len() == offsets.len(), "letters of unequal length", String::new);
    faults.expect(chars.iter().is_sorted(), "letters that are not in order", String::new);
    for (letter, offset) in chars.iter().zip(offsets.iter()) {
        let known = char::from_u32(letter).is_some() && index.text("transliteration text", offset).is_some();
        faults.expect(known, "letter that cannot be read", || letter.to_string());
    }
}

fn spellings(index: &Contents, faults: &mut Faults) {
    let letters = index.column::<u64>("spelled letters");
    let starts = index.column::<u32>("spelling starts");
    let bytes = index.bytes("spellings");
    faults.expect(letters.len() == starts.len(), "spelled letters of unequal length", String::new);
    faults.expect(letters.iter().is_sorted(), "spelled letters that are not in order", String::new);
    let ends = starts.iter().skip(1).map(|start| start as usize).chain([bytes.len()]);
    for ((letter, start), end) in letters.iter().zip(starts.iter()).zip(ends) {
        let is_known = char::from_u32((letter >> 42) as u32).is_some();
        let are_whole = bytes.get(start as usize..end).is_some_and(are_spellings);
        faults.expect(is_known && are_whole, "spelled letter that cannot be read", || letter.to_string());
    }
}

/// Tells whether bytes are spellings, at least one, and nothing else.
fn are_spellings(mut rest: &[u8]) -> bool {
    let is_any = !rest.is_empty();
    while let [_, length, behind @ ..] = rest {
        let Some((latin, behind)) = behind.split_at_checked(usize::from(*length)) else { return false };
        if latin.len() > MAX_SPELLING || !latin.iter().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) {
            return false;
        }
        rest = behind;
    }
    is_any && rest.is_empty()
}

/// Describes a place in an example.
fn place(index: &Contents, row: u32) -> String {
    let id = index.column::<u64>("id").get(row).unwrap_or_default();
    format!("place {id} {:?}", index.display_name(row).unwrap_or_default())
}
