//! Checks the places of `data/curated` or of an operator's own files, in any format of the import: each must lie in its
//! country and near its city, and be listed once.
//!
//! The reader already rejects rows with missing, unknown or out-of-range values. This module compares each row with the
//! borders and cities of an index, and with the other rows. A disputed area belongs to the country under which most of
//! its places are listed, as everywhere in the engine.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toponym_engine::geo::{Coordinate, METRES_PER_DEGREE};
use toponym_engine::{Engine, Role, fold};

use crate::error::BuildError;
use crate::feature::Feature;
use crate::fetch::Manifest;
use crate::gazetteer::{AddedFile, CITY_REACH_M, Files, SAME_SITE_M};
use crate::inspect::Contents;
use crate::sources::curated;
use crate::sources::import::languages::Languages;
use crate::sources::import::own_ids::OwnIds;
use crate::sources::import::plain::{Item, Schema};
use crate::sources::import::{
    Format, ImportFile, geonames_admin_codes, geonames_alternate_names, geonames_country_info, geonames_table,
    ourairports,
};
use crate::sources::rows::{Iso2, Origin, Site};
use crate::sources::tables::Tables;
use crate::text::key;

/// Greatest distance of a point from its country's borders: borders are simplified along coasts, and run through the
/// middle of bridges, waterfalls and summits.
const BORDER_SLACK_M: f64 = 3_000.0;

/// The slack never exceeds this, however large the place is.
const LARGEST_SLACK_M: f64 = 25_000.0;

/// Number of directions in which to look for a point on the other side of a border.
const DIRECTIONS: u32 = 16;

/// A rejected row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file that holds the row.
    pub file: String,
    /// Line of the row, from 1.
    pub line: u64,
    /// Field `id` of the row.
    pub id: String,
    /// Fault, and what to do.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}, {}: {}", self.file, self.line, self.id, self.reason)
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Number of rows checked.
    pub rows: usize,
    /// Number of rows that the import would leave out.
    pub invalid: u64,
    /// The rejected rows.
    pub refused: Vec<Refusal>,
}

/// Checks the files at `paths`, in any format that can be imported, against `index`; or without
/// paths, those of `data/curated`.
///
/// # Errors
/// When a file cannot be read, too many of its rows are invalid, or the index cannot be opened.
pub fn check(root: &Path, paths: &[PathBuf], index: Vec<u8>) -> Result<Report, BuildError> {
    let contents = Contents::open(index).map_err(cannot_open)?;
    let engine = Engine::open(contents.file()).map_err(cannot_open)?;
    let tables = Tables::read(root)?;
    let countries = contents.known_countries();
    let country_at = |point| engine.country_at(point);
    let (rows, invalid) = if paths.is_empty() {
        (curated_rows(root, &tables, &countries)?, 0)
    } else {
        let mut reader = Reader {
            tables: &tables,
            countries,
            country_at: &country_at,
            languages: Languages::default(),
            rows: Vec::new(),
        };
        let sources = Manifest::read(root)?.import;
        let files = Files::recognise(paths.iter().cloned().map(ImportFile::OnDisk), &sources)?;
        let invalid = reader.read(&files, OwnIds::beside(contents.country_ids()))?;
        (reader.rows, invalid)
    };
    let cities = Cities { contents: &contents };
    let mut refused: Vec<Refusal> = rows
        .iter()
        .filter_map(|row| {
            let reason = outside(&row.site, country_at).or_else(|| far_from_city(&row.site, &cities))?;
            Some(row.refusal(reason))
        })
        .collect();
    refused.extend(duplicates(&rows));
    Ok(Report { rows: rows.len(), invalid, refused })
}

fn cannot_open(error: toponym_engine::index::OpenError) -> BuildError {
    BuildError::Write(error.to_string())
}

fn curated_rows(root: &Path, tables: &Tables, countries: &BTreeSet<Iso2>) -> Result<Vec<Row>, BuildError> {
    let mut rows = Vec::new();
    for file in curated::files(root)? {
        let read = curated::read(&file, &tables.types, countries)?;
        let row = |row: curated::Curated| Row {
            file: file.name.as_str().into(),
            line: row.line,
            is_part: row.part.is_some(),
            is_own: true,
            site: row.site,
        };
        rows.extend(read.into_iter().map(row));
    }
    Ok(rows)
}

/// Reads an operator's files as the import does.
struct Reader<'i> {
    tables: &'i Tables,
    countries: BTreeSet<Iso2>,
    country_at: &'i dyn Fn(Coordinate) -> Option<Iso2>,
    languages: Languages,
    rows: Vec<Row>,
}

impl Reader<'_> {
    /// Reads files and returns the number of their invalid rows.
    fn read(&mut self, files: &Files, mut ids: OwnIds) -> Result<u64, BuildError> {
        let mut invalid = 0;
        for file in &files.0 {
            invalid += self.read_file(file, &mut ids)?;
        }
        Ok(invalid)
    }

    fn read_file(&mut self, added: &AddedFile, ids: &mut OwnIds) -> Result<u64, BuildError> {
        let AddedFile { format, source, file } = added;
        let name: Arc<str> = file.path().to_string_lossy().into();
        let rows = &mut self.rows;
        let mut keep = |line, item: Item, is_own: bool| {
            let is_part = matches!(&item, Item::Settlement(part) if part.feature == Feature::Section);
            rows.push(Row { file: name.clone(), line, is_part, is_own, site: as_site(item) });
        };
        match format {
            Format::CountryInfo => {
                let added = geonames_country_info::read(file, |_| false)?;
                self.countries.extend(added.into_iter().map(|country| country.iso2));
                Ok(0)
            }
            Format::Admin1 => geonames_admin_codes::read(file, 2).map(|_| 0),
            Format::Admin2 => geonames_admin_codes::read(file, 3).map(|_| 0),
            Format::AlternateNames => geonames_alternate_names::read(file, |_| true, &self.languages, |_, _| {}),
            Format::Table => {
                geonames_table::Reader::new(self.tables, &self.countries, ids).read(file, |line, row| match row {
                    geonames_table::Row::Settlement(settlement) => keep(line, Item::Settlement(settlement), false),
                    geonames_table::Row::Airport(airport) => keep(line, Item::Airport(airport), false),
                    geonames_table::Row::Site(site) => keep(line, Item::Site(site), false),
                    geonames_table::Row::State(_) | geonames_table::Row::County(_) => {}
                })
            }
            Format::OurAirports => {
                ourairports::read(file, &self.countries, |line, airport| keep(line, Item::Airport(airport), false))
            }
            Format::Adapted(..) | Format::Plain(_) => {
                let schema = Schema {
                    types: &self.tables.types,
                    classes: &self.tables.classes,
                    countries: &self.countries,
                    country_at: self.country_at,
                    languages: &self.languages,
                    origin: source.origin,
                    ids: &source.ids,
                };
                let is_own = source.origin == Origin::Operator;
                schema.read(*format, file, ids, |placed| keep(placed.line, placed.item, is_own))
            }
        }
    }
}

/// Turns a place of any kind into a site with what is checked of it.
fn as_site(item: Item) -> Site {
    let (slug, name, position, country, city, bounds) = match item {
        Item::Site(site) => return site,
        Item::Settlement(place) => {
            (place.id.to_string(), place.name, place.position, place.country, String::new(), place.bounds)
        }
        Item::Airport(place) => (place.ident, place.name, place.position, place.country, place.city, None),
    };
    Site {
        slug,
        origin: Origin::Operator,
        name,
        tagged: Vec::new(),
        ranked: Vec::new(),
        alternates: Vec::new(),
        merged: Vec::new(),
        country,
        city,
        position,
        r#type: String::new(),
        prominence: 0.0,
        extent_m: Some(0.0),
        bounds,
    }
}

/// A row and its location.
struct Row {
    file: Arc<str>,
    line: u64,
    site: Site,
    /// True for a part of a city.
    is_part: bool,
    /// True in the plain schema; other formats list places twice, and these are merged.
    is_own: bool,
}

impl Row {
    fn refusal(&self, reason: String) -> Refusal {
        Refusal { file: self.file.to_string(), line: self.line, id: self.site.slug.clone(), reason }
    }
}

/// Rejects a point that is neither in its country nor near it.
fn outside(site: &Site, country_at: impl Fn(Coordinate) -> Option<Iso2>) -> Option<String> {
    let reach = BORDER_SLACK_M + site.reach_m().min(LARGEST_SLACK_M);
    let near = [0.0, reach / 4.0, reach / 2.0, reach].into_iter().flat_map(|metres| around(site.position, metres));
    if near.into_iter().any(|point| country_at(point) == Some(site.country)) {
        return None;
    }
    let lat = site.position.lat();
    let lon = site.position.lon();
    let found = country_at(site.position).map_or_else(|| "no country".to_owned(), text);
    Some(format!("{lat}, {lon} lies in {found}, not in {}: correct the point or the country", text(site.country)))
}

/// Iterates over points at a distance, in all directions.
fn around(centre: Coordinate, metres: f64) -> impl Iterator<Item = Coordinate> {
    let count = if metres == 0.0 { 1 } else { DIRECTIONS };
    (0..count).filter_map(move |direction| {
        let angle = f64::from(direction) / f64::from(DIRECTIONS) * core::f64::consts::TAU;
        let north = metres * libm::cos(angle);
        let east = metres * libm::sin(angle);
        let lat = centre.lat() + north / METRES_PER_DEGREE;
        let lon = centre.lon() + east / (METRES_PER_DEGREE * libm::cos(centre.lat().to_radians()).max(0.01));
        Coordinate::new(lat, (lon + 180.0).rem_euclid(360.0) - 180.0)
    })
}

/// Settlements of an index by name.
struct Cities<'i> {
    contents: &'i Contents,
}

impl Cities<'_> {
    /// Returns the positions of the settlements with this name in this country.
    fn places_called(&self, country: Iso2, name: &str) -> Vec<Coordinate> {
        let rows = self.contents.rows_named(&fold(name)).into_iter();
        let cities = rows.filter(|&row| {
            let role = self.contents.role(row);
            self.contents.country(row) == Some(country) && matches!(role, Some(Role::City | Role::Quarter))
        });
        cities.filter_map(|row| self.contents.position(row)).collect()
    }
}

/// Rejects a point that is far from every city with the name in its `city` field.
fn far_from_city(site: &Site, cities: &Cities) -> Option<String> {
    let named = if site.city.is_empty() { Vec::new() } else { cities.places_called(site.country, &site.city) };
    let nearest = named.into_iter().map(|city| city.distance_m(site.position)).min_by(f64::total_cmp)?;
    let reach = CITY_REACH_M + site.reach_m();
    (nearest > reach).then(|| {
        let nearest = nearest / 1_000.0;
        let reach = reach / 1_000.0;
        format!(
            "{:?} is {nearest:.0} km away, not {reach:.0} km or less: correct the point, name a nearer city, or leave the city empty",
            site.city
        )
    })
}

/// Rejects the later of two nearby rows with the same name and country. A part of a city and its station, stadium or
/// park are different places.
fn duplicates(rows: &[Row]) -> Vec<Refusal> {
    let mut by_name: HashMap<(Iso2, String, bool), Vec<&Row>> = HashMap::new();
    let mut ids: BTreeSet<&str> = BTreeSet::new();
    let mut refused = Vec::new();
    for row in rows.iter().filter(|row| row.is_own) {
        if !ids.insert(&row.site.slug) {
            refused.push(row.refusal("another row has the same id: ids must be unique across all files".to_owned()));
        }
        let namesakes = by_name.entry((row.site.country, key(&row.site.name), row.is_part)).or_default();
        let same = |other: &&&Row| {
            let reach = SAME_SITE_M + other.site.reach_m().max(row.site.reach_m());
            other.site.position.distance_m(row.site.position) < reach
        };
        if let Some(other) = namesakes.iter().find(same) {
            let place = format!("{}, line {} ({})", other.file, other.line, other.site.slug);
            refused.push(row.refusal(format!("{:?} is there already, in {place}: keep one of them", row.site.name)));
        }
        namesakes.push(row);
    }
    refused
}

fn text(code: Iso2) -> String {
    String::from_utf8_lossy(&code).into_owned()
}

#[cfg(test)]
mod tests {
    use toponym_engine::{Border, Bordered, Gazetteer, Kind, Name, NameClass, Record, index};

    use super::*;

    const HEADER: &str = "id,name,names,country,city,lat,lon,type,prominence,extent_m\n";

    /// Writes an index of a country from 0 to 10 degrees and its neighbour from 10 to 20, with a town in each.
    fn index() -> Vec<u8> {
        let places = vec![
            place(1, Role::Country, "Westland", b"WW", 5.0),
            place(2, Role::Country, "Eastland", b"EE", 15.0),
            place(3, Role::City, "Westburg", b"WW", 5.0),
            place(4, Role::City, "Eastburg", b"EE", 15.0),
        ];
        let borders = vec![border(b"WW", 0.0), border(b"EE", 10.0)];
        index::write(&Gazetteer { places, borders, ..Gazetteer::default() }).expect("the gazetteer is valid")
    }

    fn border(country: &[u8; 2], west: f64) -> Border {
        let corners = [(0.0, 0.0), (0.0, 10.0), (10.0, 10.0), (10.0, 0.0), (0.0, 0.0)];
        let ring = corners.map(|(lat, lon)| Coordinate::new(lat, west + lon).expect("it is in range")).to_vec();
        Border { of: Bordered::Country(*country), rings: vec![ring] }
    }

    fn place(id: u64, role: Role, name: &str, country: &[u8; 2], lon: f64) -> Record {
        Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: "place".into() },
            names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
            codes: Vec::new(),
            position: Coordinate::new(5.0, lon).expect("it is in range"),
            parent: None,
            country: *country,
            importance: 0.5,
            extent_m: 1_000.0,
            bounds: None,
        }
    }

    fn refusals(rows: &str) -> Vec<String> {
        let dir = tempfile::tempdir().expect("a temporary folder can be created");
        let path = dir.path().join("mine.csv");
        std::fs::write(&path, format!("{HEADER}{rows}")).expect("the folder can be written");
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        match check(root, &[path], index()) {
            Ok(report) => report.refused.iter().map(Refusal::to_string).collect(),
            Err(error) => vec![error.to_string()],
        }
    }

    #[test]
    fn good_rows_are_not_refused() {
        let none: Vec<String> = Vec::new();
        assert_eq!(refusals("a,A,,WW,Westburg,5.1,5.1,museum,1,100\nb,A,,WW,,5.5,5.5,museum,1,100\n"), none);
        assert_eq!(refusals("a,A,,WW,Unheard-of,5.1,5.1,museum,1,100\n"), none, "not every village is in the index");
        assert_eq!(refusals("a,On the border,,WW,,5.0,10.02,bridge,1,100\n"), none);
        assert_eq!(refusals("a,On the coast,,WW,,-0.02,5.0,beach,1,100\n"), none);
        assert_eq!(refusals("a,A large park,,WW,,5.0,10.1,national_park,1,20000\n"), none);
    }

    #[test]
    fn each_refusal() {
        check_refusal("a,A,,WW,,5.0,15.0,museum,1,100\n", "line 2, mine/a: 5, 15 lies in EE, not in WW");
        check_refusal("a,A,,WW,,-5.0,5.0,museum,1,100\n", "line 2, mine/a: -5, 5 lies in no country, not in WW");
        check_refusal("a,A,,WW,,5.0,12.0,national_park,1,500000\n", "lies in EE");
        check_refusal("a,A,,WW,Westburg,5.0,6.0,museum,1,100\n", "\"Westburg\" is 111 km away");
        check_refusal(
            "a,A,,WW,,5.0,5.0,museum,1,100\nb,Ä,,WW,,5.005,5.0,castle,1,100\n",
            "line 3, mine/b: \"Ä\" is there already",
        );
        check_refusal(
            "a,A,,WW,,5.0,5.0,museum,1,100\na,B,,WW,,5.0,5.0,castle,1,100\n",
            "line 3, field id: \"a\" is there already",
        );
        check_refusal(
            "a,A,,WW,,95.0,5.0,museum,1,100\n",
            "line 2, field lat: must be latitude and longitude in degrees, not 95",
        );
        check_refusal("a,A,,WW,,5.0,5.0,museeum,1,100\n", "line 2, field type: \"museeum\"");
        check_refusal("a,A,,XX,,5.0,5.0,museum,1,100\n", "line 2, field country: \"XX\"");
        check_refusal("a,,,WW,,5.0,5.0,museum,1,100\n", "line 2, field name: is missing");
    }

    fn check_refusal(rows: &str, expect: &str) {
        let found = refusals(rows);
        assert!(found.len() == 1 && found[0].contains(expect), "not {expect:?} but {found:?}");
    }
}
