//! The ids of an operator's files: unique within a file, and kept apart between files.

use std::collections::HashMap;

use toponym_engine::geo::Coordinate;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::row_reader::{Fault, fault};
use crate::ids::number_of;

/// Seed of a hash that is independent of the number of an id.
const SECOND_SEED: u64 = 1;

/// First occurrence of an id: 24 bytes, of which there may be millions.
struct First {
    /// Two ids may have the same number by chance, but not this hash as well.
    hash: u64,
    file: u32,
    line: u32,
    /// Latitude and longitude, to a metre.
    position: [f32; 2],
}

/// The ids seen so far, in all files.
#[derive(Default)]
pub(crate) struct OwnIds {
    /// Names of the files without their folders and endings.
    files: Vec<String>,
    /// First occurrences by the number that becomes part of the `place_id`.
    seen: HashMap<u64, First>,
    /// Ids of GeoNames that belong to countries.
    countries: HashMap<u64, String>,
    /// Ids of GeoNames that belong to imported divisions.
    divisions: HashMap<u64, String>,
    /// The ids of other sources, by their number.
    others: HashMap<u64, String>,
}

impl OwnIds {
    /// Creates an empty set for files that may not use the ids of these countries.
    pub fn beside(countries: impl IntoIterator<Item = (u64, String)>) -> Self {
        Self { countries: countries.into_iter().collect(), ..Self::default() }
    }

    /// Refuses also ids that have by chance the number of one of `others`. Such a collision would stop the build at its end.
    pub fn apart_from<'i>(self, others: impl IntoIterator<Item = &'i str>) -> Self {
        let others = others.into_iter().map(|id| (number_of(id), id.to_owned())).collect();
        Self { others, ..self }
    }

    /// Refuses also the ids of these divisions.
    pub fn apart_from_divisions(&mut self, divisions: impl IntoIterator<Item = (u64, String)>) {
        self.divisions = divisions.into_iter().collect();
    }

    /// Begins the file with this name: its ids are its own.
    pub fn begin(&mut self, file: &str) {
        self.files.push(stem(file).to_owned());
    }

    /// Returns the number of the current file.
    pub fn file(&self) -> u32 {
        self.files.len() as u32
    }

    /// Returns the id that the row `own` of the current file has among all files.
    pub fn in_file(&self, own: &str) -> String {
        match self.files.last() {
            Some(file) => format!("{file}/{own}"),
            None => own.to_owned(),
        }
    }

    /// Takes an id for the row at `line`.
    pub fn take(&mut self, id: &str, line: u64, position: Coordinate) -> Result<(), Fault> {
        let number = number_of(id);
        let file = self.file();
        if let Some(other) = self.others.get(&number).filter(|other| *other != id) {
            return Err(by_chance(&format!("{other:?}")));
        }
        let hash = xxh3_64_with_seed(id.as_bytes(), SECOND_SEED);
        let Some(first) = self.seen.get(&number) else {
            let position = [position.lat() as f32, position.lon() as f32];
            self.seen.insert(number, First { hash, file, line: u32::try_from(line).unwrap_or(u32::MAX), position });
            return Ok(());
        };
        let at = first.line;
        if first.hash != hash {
            let file = self.files.get((first.file as usize).wrapping_sub(1)).map_or("", String::as_str);
            return Err(by_chance(&format!("that in line {at} of {file}")));
        }
        if first.file != file {
            return Ok(());
        }
        let own = self.files.last().and_then(|file| id.strip_prefix(&format!("{file}/"))).unwrap_or(id);
        let [lat, lon] = first.position.map(f64::from);
        let km = Coordinate::new(lat, lon).map_or(0.0, |first| first.distance_m(position)) / 1_000.0;
        Err(fault(
            "id",
            format!("{own:?} is there already, in line {at}, {km:.1} km away: give each place an id of its own"),
        ))
    }

    /// Refuses the GeoNames id of a country for anything else.
    pub fn refuse_country(&self, id: u64) -> Result<(), Fault> {
        refuse_area(id, "country", self.countries.get(&id))
    }

    /// Refuses the GeoNames id of a country or of an imported division for a place of the plain schema.
    pub fn refuse_area(&self, id: u64) -> Result<(), Fault> {
        self.refuse_country(id)?;
        refuse_area(id, "division", self.divisions.get(&id))
    }
}

fn refuse_area(id: u64, kind: &str, area: Option<&String>) -> Result<(), Fault> {
    area.map_or(Ok(()), |name| {
        let message = format!("{id} is the id of the {kind} {name}: leave it empty, or give that of the place");
        Err(fault("geonameid", message))
    })
}

fn by_chance(other: &str) -> Fault {
    fault("id", format!("has by chance the same place_id as {other}: change it"))
}

/// Returns the name of a file without its ending.
pub(crate) fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64) -> Coordinate {
        Coordinate::new(lat, 2.0).expect("it is in range")
    }

    #[test]
    fn ids_belong_to_their_file() {
        let mut ids = OwnIds::default();
        assert_eq!(ids.in_file("1"), "1", "curated places have no file of their own");
        ids.begin("shops.csv");
        assert_eq!(ids.in_file("1"), "shops/1");
        ids.take("shops/1", 2, at(48.0)).expect("it is new");
        let again = ids.take("shops/1", 7, at(49.0)).expect_err("it is there already");
        assert_eq!(again.field, "id");
        assert!(again.message.starts_with("\"1\" is there already, in line 2, 111"), "{}", again.message);
        ids.begin("parks.csv");
        assert_eq!(ids.in_file("1"), "parks/1");
        ids.take("geonames-7", 2, at(48.0)).expect("it is new");
        ids.begin("more.csv");
        ids.take("geonames-7", 2, at(48.0)).expect("two files may describe one place");
    }

    /// No two texts with one number of 48 bits are at hand, so the number of one is put under the name of another.
    #[test]
    fn ids_of_other_sources_are_theirs() {
        let mut ids = OwnIds::default().apart_from(["eiffel-tower"]);
        ids.take("eiffel-tower", 2, at(48.0)).expect("a row may describe a place of another source");
        ids.others.insert(number_of("shops/1"), "louvre".to_owned());
        let fault = ids.take("shops/1", 3, at(48.0)).expect_err("the number is taken");
        assert_eq!(
            (fault.field.as_str(), fault.message.as_str()),
            ("id", "has by chance the same place_id as \"louvre\": change it")
        );
    }

    #[test]
    fn a_second_id_of_one_number_is_refused() {
        let mut ids = OwnIds::default();
        ids.begin("shops.csv");
        let other = First { hash: 0, file: 1, line: 7, position: [48.0, 2.0] };
        ids.seen.insert(number_of("shops/1"), other);
        let fault = ids.take("shops/1", 9, at(48.0)).expect_err("the number is taken");
        assert_eq!(fault.message, "has by chance the same place_id as that in line 7 of shops: change it");
    }

    #[test]
    fn ids_of_countries_are_theirs() {
        let ids = OwnIds::beside([(3_017_382, "France".to_owned())]);
        assert!(ids.refuse_country(1).is_ok());
        assert!(ids.refuse_country(3_017_382).is_err_and(|fault| fault.message.contains("the country France")));
    }

    #[test]
    fn stems() {
        check("places.csv", "places");
        check("my.places.geojson", "my.places");
        check("places", "places");
        check(".csv", ".csv");
    }

    fn check(name: &str, expect: &str) {
        assert_eq!(stem(name), expect);
    }
}
