//! Rows of added files between reading and merging: on disk, because there may be millions, and in memory those of one group at
//! a time.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::Path;

use itertools::Itertools;
use serde::{Deserialize, Serialize};
use toponym_engine::pages::Items;

use crate::error::BuildError;
use crate::sorted::Sorter;
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

/// Rows that are sorted in memory before they are written: 13 million make 52 runs, which are read at the same time.
const ROWS_IN_RUN: usize = 250_000;

/// Rows by the country that they are merged in, in the order in which they were read.
pub(crate) struct Rows {
    sorter: Sorter<Grouped>,
    /// Number of rows.
    pub count: usize,
    /// The first error, after which no row is stored.
    failed: Option<BuildError>,
}

impl Rows {
    /// Creates an empty collection. Rows that memory does not hold will lie in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self { sorter: Sorter::new(folder, ROWS_IN_RUN), count: 0, failed: None }
    }

    /// Takes a row. If it cannot be stored, [`Rows::finish`] says so: who reads files cannot.
    pub fn push(&mut self, country: Iso2, row: Row) {
        if self.failed.is_none() {
            self.failed = self.sorter.push(Grouped { country, order: self.count as u64, row }).err();
        }
        self.count += 1;
    }

    /// Returns the rows, those of a country together.
    ///
    /// # Errors
    /// When one could not be stored.
    pub fn finish(self) -> Result<Groups, BuildError> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok(Groups { rows: self.sorter.finish()?.peekable() }),
        }
    }
}

/// The rows that are merged in a country.
pub(crate) type OfCountry = (Iso2, Vec<Row>);

/// Rows, country by country.
pub(crate) struct Groups {
    rows: std::iter::Peekable<Items<'static, Grouped, BuildError>>,
}

impl Groups {
    /// Iterates over the countries of `codes`, which may have no rows, and the others that have some: with so many rows together
    /// at most, or one country that has more.
    pub fn batches(
        self,
        codes: BTreeSet<Iso2>,
        most: usize,
    ) -> impl Iterator<Item = Result<Vec<OfCountry>, BuildError>> {
        let without = codes.into_iter().map(|code| Ok((code, Vec::new())));
        let pairs = without.merge_join_by(self, |none: &Result<OfCountry, _>, some| match (none, some) {
            (Ok((none, _)), Ok((some, _))) => none.cmp(some),
            // An error comes first.
            _ => Ordering::Greater,
        });
        let mut groups = pairs.map(|pair| pair.reduce(|_, some| some)).peekable();
        let mut batch = move || -> Result<Option<Vec<OfCountry>>, BuildError> {
            let Some(first) = groups.next().transpose()? else { return Ok(None) };
            let mut count = first.1.len();
            let mut batch = vec![first];
            let mut fits =
                |count| groups.next_if(|next| next.as_ref().is_ok_and(|(_, rows)| count + rows.len() <= most));
            // An error belongs to the next batch.
            while let Some(Ok(next)) = fits(count) {
                count += next.1.len();
                batch.push(next);
            }
            Ok(Some(batch))
        };
        std::iter::from_fn(move || batch().transpose())
    }
}

impl Iterator for Groups {
    type Item = Result<OfCountry, BuildError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Grouped { country, row, .. } = match self.rows.next()? {
            Ok(first) => first,
            Err(error) => return Some(Err(error)),
        };
        let mut rows = vec![row];
        // An error belongs to the next group.
        while let Some(Ok(next)) = self.rows.next_if(|next| next.as_ref().is_ok_and(|next| next.country == country)) {
            rows.push(next.row);
        }
        Some(Ok((country, rows)))
    }
}

/// A row with what it is sorted by.
#[derive(Serialize, Deserialize)]
struct Grouped {
    country: Iso2,
    order: u64,
    row: Row,
}

impl Grouped {
    fn key(&self) -> (Iso2, u64) {
        (self.country, self.order)
    }
}

impl PartialEq for Grouped {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Grouped {}

impl PartialOrd for Grouped {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Grouped {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
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
        let groups = rows.finish().expect("they fit into memory").collect::<Result<Vec<_>, _>>();
        let expect = [(*b"AD", vec![name(7)]), (*b"DE", vec![name(9), name(1)]), (*b"FR", vec![name(5), name(2)])];
        assert_eq!(groups.expect("they can be read"), expect);
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
        let batches = rows.finish().expect("they fit into memory").batches(BTreeSet::new(), most);
        let countries: Vec<usize> = batches.map(|batch| batch.expect("it can be read").len()).collect();
        assert_eq!(countries, expect, "{sizes:?} {most}");
    }

    #[test]
    fn a_failed_write_is_reported_at_the_end() {
        let mut rows = Rows::new(Path::new("nowhere"));
        (0..=ROWS_IN_RUN as u64).for_each(|id| rows.push(*b"FR", name(id)));
        assert!(rows.finish().is_err_and(|error| error.to_string().contains("nowhere")));
    }
}
