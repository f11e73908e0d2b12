//! The rows of added files, by the place that each is or became part of.
//!
//! Two rows of one of an operator's own files are never one place, whatever they are merged with. Files of other formats list some
//! places twice.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

/// A row of one of an operator's own files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnRow {
    /// Number of the file.
    pub file: u32,
    /// Id of the row among all files.
    pub id: String,
}

/// The places that rows of added files are or became part of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Imported {
    /// The rows of an operator's own files, by place id.
    own: HashMap<u64, Vec<OwnRow>>,
    /// Ids of places with rows of other files.
    others: HashSet<u64>,
}

impl Imported {
    /// Notes that a row of one of an operator's own files is a place.
    pub fn add_own(&mut self, place: u64, row: OwnRow) {
        // Most have one row: a list that grows has room for four.
        self.own
            .entry(place)
            .and_modify(|rows| rows.reserve_exact(1))
            .or_insert_with(|| Vec::with_capacity(1))
            .push(row);
    }

    /// Notes that a row of another file is a place.
    pub fn add(&mut self, place: u64) {
        self.others.insert(place);
    }

    /// Tells whether a place has a row of one of an operator's own files.
    pub fn is_own(&self, place: u64) -> bool {
        self.own.contains_key(&place)
    }

    /// Returns the numbers of the own files that a place has rows of.
    pub fn files(&self, place: u64) -> impl Iterator<Item = u32> {
        self.own.get(&place).into_iter().flatten().map(|row| row.file)
    }

    /// Tells whether two places have rows of one own file, and so are two.
    pub fn are_apart(&self, a: u64, b: u64) -> bool {
        a != b && self.files(a).any(|file| self.files(b).any(|other| other == file))
    }

    /// Notes that `other` became part of `kept`.
    pub fn join(&mut self, kept: u64, other: u64) {
        if kept != other {
            let rows = self.own.remove(&other).unwrap_or_default();
            if !rows.is_empty() {
                self.own.entry(kept).or_default().extend(rows);
            }
            if self.others.remove(&other) {
                self.others.insert(kept);
            }
        }
    }

    /// Tells whether a place has a row of any added file.
    pub fn has(&self, place: u64) -> bool {
        self.is_own(place) || self.others.contains(&place)
    }

    /// Returns the id of the first own row of a place.
    pub fn row_of(&self, place: u64) -> Option<&str> {
        self.own.get(&place).and_then(|rows| rows.first()).map(|row| row.id.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: u32, id: &str) -> OwnRow {
        OwnRow { file, id: id.into() }
    }

    #[test]
    fn rows_of_one_file_stay_apart() {
        let mut imported = Imported::default();
        imported.add_own(1, row(1, "a/1"));
        imported.add_own(2, row(1, "a/2"));
        imported.add_own(3, row(2, "b/1"));
        imported.add(4);
        assert!(imported.are_apart(1, 2));
        assert!(!imported.are_apart(1, 3) && !imported.are_apart(1, 4) && !imported.are_apart(1, 1));
        imported.join(3, 1);
        assert!(imported.are_apart(3, 2) && !imported.is_own(1));
    }
}
