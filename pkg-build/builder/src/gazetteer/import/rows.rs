//! Rows of added files between reading and merging.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::BuildError;
use crate::scratch::{Scratch, decode_first, encode};
use crate::sources::import::geonames_alternate_names::Alternate;
use crate::sources::import::plain::Item;
use crate::sources::rows::{Airport, Iso2, Origin, Settlement, Site};

/// A row of an added file. Rows of areas are few, and are not among them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Row {
    /// A settlement of a GeoNames table.
    Settlement(Settlement),
    /// An airport of a GeoNames table.
    Airport(Airport),
    /// A site of a GeoNames table.
    Site(Site),
    /// A name of the place of GeoNames with this id.
    Name(u64, Alternate),
    /// An airport of the file of OurAirports with this number.
    OurAirport(u32, Airport),
    /// A place of a file in the project's own schema, or of a source with an adapter.
    Own(Own),
}

/// A row of one of an operator's own files, or of a source with an adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Own {
    /// Precedence of the file.
    pub origin: Origin,
    /// Number of the file.
    pub file: u32,
    /// Id of the row among all files.
    pub id: String,
    pub item: Item,
}

/// Bytes of the rows of a country that are stored together.
const PART: usize = 1 << 16;

/// Rows by the country that they are merged in, in the order in which they were read: encoded, and on disk if there are many.
pub(crate) struct Rows {
    scratch: Scratch,
    by_country: BTreeMap<Iso2, OfCountry>,
    /// Number of rows.
    pub count: usize,
    /// The first error, after which no row is stored.
    failed: Option<BuildError>,
}

/// The rows of a country.
#[derive(Default)]
struct OfCountry {
    count: usize,
    parts: Vec<Range<u64>>,
    /// The rows behind the parts.
    last: Vec<u8>,
}

impl Rows {
    /// Creates an empty collection. Rows that memory does not hold will lie in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self { scratch: Scratch::new(folder), by_country: BTreeMap::new(), count: 0, failed: None }
    }

    /// Takes a row. If it cannot be stored, [`Rows::finish`] says so: who reads files cannot.
    pub fn push(&mut self, country: Iso2, row: Row) {
        if self.failed.is_none() {
            self.failed = self.store(country, &row).err();
        }
        self.count += 1;
    }

    fn store(&mut self, country: Iso2, row: &Row) -> Result<(), BuildError> {
        let OfCountry { count, parts, last } = self.by_country.entry(country).or_default();
        *count += 1;
        last.extend(encode(row)?);
        if last.len() >= PART {
            parts.push(self.scratch.push(last)?);
            last.clear();
        }
        Ok(())
    }

    /// Returns the rows, all of which are stored.
    ///
    /// # Errors
    /// When one could not be stored.
    pub fn finish(mut self) -> Result<Self, BuildError> {
        self.failed.take().map_or(Ok(self), Err)
    }

    /// Returns the number of rows of a country.
    pub fn count_of(&self, country: Iso2) -> usize {
        self.by_country.get(&country).map_or(0, |rows| rows.count)
    }

    /// Groups the countries of `codes`, which may have no rows, and the others that have some: with so many rows together at most, or
    /// one country that has more.
    pub fn batches(&self, codes: BTreeSet<Iso2>, most: usize) -> Vec<Vec<Iso2>> {
        let all: BTreeSet<Iso2> = codes.into_iter().chain(self.by_country.keys().copied()).collect();
        let mut batches: Vec<Vec<Iso2>> = Vec::new();
        let mut room = 0;
        for country in all {
            let count = self.count_of(country);
            match batches.last_mut() {
                Some(batch) if count <= room => {
                    room -= count;
                    batch.push(country);
                }
                _ => {
                    room = most.saturating_sub(count);
                    batches.push(vec![country]);
                }
            }
        }
        batches
    }

    /// Calls `take` with each row of a country, also for several countries at the same time.
    ///
    /// # Errors
    /// When the rows cannot be read.
    pub fn each(&self, country: Iso2, mut take: impl FnMut(Row)) -> Result<(), BuildError> {
        let Some(OfCountry { parts, last, .. }) = self.by_country.get(&country) else { return Ok(()) };
        for part in parts {
            each_row(&self.scratch.read(part.clone())?, &mut take)?;
        }
        each_row(last, &mut take)
    }
}

fn each_row(mut bytes: &[u8], take: &mut impl FnMut(Row)) -> Result<(), BuildError> {
    while !bytes.is_empty() {
        take(decode_first(&mut bytes)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(id: u64) -> Row {
        Row::Name(id, Alternate::Untagged(format!("Name {id}")))
    }

    #[test]
    fn rows_of_a_country_keep_their_order() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let mut rows = Rows::new(folder.path());
        for (country, id) in [(b"FR", 5), (b"DE", 9), (b"FR", 2), (b"AD", 7), (b"DE", 1)] {
            rows.push(*country, name(id));
        }
        assert_eq!(rows.count, 5);
        let rows = rows.finish().expect("they fit into memory");
        let check = |country: &Iso2, expect: &[u64]| {
            let mut found = Vec::new();
            rows.each(*country, |row| found.push(row)).expect("they can be read");
            assert_eq!(found, expect.iter().map(|&id| name(id)).collect::<Vec<_>>());
            assert_eq!(rows.count_of(*country), expect.len());
        };
        check(b"AD", &[7]);
        check(b"DE", &[9, 1]);
        check(b"FR", &[5, 2]);
        check(b"IT", &[]);
    }

    #[test]
    fn small_countries_come_together() {
        check(&[], 5, &[]);
        check(&[1, 2, 3], 5, &[2, 1]);
        check(&[1, 2, 2], 5, &[3]);
        check(&[9, 1, 9, 1, 1], 5, &[1, 1, 1, 2]);
    }

    fn check(sizes: &[u64], most: usize, expect: &[usize]) {
        let mut rows = Rows::new(Path::new("nowhere"));
        for (&size, land) in sizes.iter().zip(b'A'..) {
            (0..size).for_each(|id| rows.push([land, land], name(id)));
        }
        let batches = rows.batches(BTreeSet::new(), most);
        let countries: Vec<usize> = batches.iter().map(Vec::len).collect();
        assert_eq!(countries, expect, "{sizes:?} {most}");
    }

    #[test]
    fn a_failed_write_is_reported_at_the_end() {
        let mut rows = Rows::new(Path::new("nowhere"));
        rows.scratch = Scratch::with_most(Path::new("nowhere"), PART);
        (0..PART as u64).for_each(|id| rows.push(*b"FR", name(id)));
        assert!(rows.finish().is_err_and(|error| error.to_string().contains("nowhere")));
    }
}
