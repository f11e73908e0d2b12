//! The rows of added files, by the place that each is or became part of.
//!
//! Two rows of one of an operator's own files are never one place, whatever they are merged with. Files of other formats list some
//! places twice.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use toponym_engine::geo::Coordinate;

use super::merges::{Merges, Side, Why};

/// A row of one of an operator's own files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnRow {
    /// Number of the file.
    pub file: u32,
    /// Its id among all files.
    pub id: String,
}

/// One of two places that are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Same<'p> {
    /// Its place id.
    pub id: u64,
    pub name: &'p str,
    pub at: Coordinate,
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
        self.own.entry(place).or_default().push(row);
    }

    /// Notes that a row of another file is a place.
    pub fn add(&mut self, place: u64) {
        self.others.insert(place);
    }

    /// Checks whether a place has a row of one of an operator's own files.
    pub fn is_own(&self, place: u64) -> bool {
        self.own.contains_key(&place)
    }

    /// Returns the numbers of the own files that a place has rows of.
    pub fn files(&self, place: u64) -> impl Iterator<Item = u32> {
        self.own.get(&place).into_iter().flatten().map(|row| row.file)
    }

    /// Checks whether two places have rows of one own file, and so are two.
    pub fn are_apart(&self, a: u64, b: u64) -> bool {
        a != b && self.files(a).any(|file| self.files(b).any(|other| other == file))
    }

    /// Notes that `other` became part of `kept`, and reports it if one of them has rows.
    pub fn merge(&mut self, kept: Same, other: Same, why: Why, merges: &mut Merges) {
        let (row, known) = if self.has(other.id) { (other, kept) } else { (kept, other) };
        if self.has(row.id) {
            let (id, known_id) = (self.row_of(row.id), known.id.to_string());
            let imported = Side { id: &id, name: row.name, at: row.at };
            merges.add(imported, Side { id: &known_id, name: known.name, at: known.at }, why);
        }
        self.join(kept.id, other.id);
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

    /// Checks whether a place has a row of any added file.
    pub fn has(&self, place: u64) -> bool {
        self.is_own(place) || self.others.contains(&place)
    }

    /// Returns the id of an imported place in the report: that of its first own row, else the number of the place.
    fn row_of(&self, place: u64) -> String {
        let row = self.own.get(&place).and_then(|rows| rows.first());
        row.map_or_else(|| place.to_string(), |row| row.id.clone())
    }
}

/// A row and a place that it may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<R> {
    /// The better the match, the less.
    pub rank: R,
    /// Index of the row.
    pub row: usize,
    /// Index of the place.
    pub place: usize,
    pub why: Why,
}

/// Returns the place of each row that has one: the best matches first, and of one file at most one row for each place. `files_of` a row
/// are none if it may share a place with any other.
pub(crate) fn pairs<R: Ord, F: Eq + Hash>(
    mut candidates: Vec<Candidate<R>>,
    files_of: impl Fn(usize) -> Vec<F>,
) -> HashMap<usize, (usize, Why)> {
    candidates.sort_by(|a, b| a.rank.cmp(&b.rank).then(a.row.cmp(&b.row)));
    let mut taken: HashSet<(usize, F)> = HashSet::new();
    let mut found = HashMap::new();
    for Candidate { row, place, why, .. } in candidates {
        let pairs: Vec<(usize, F)> = files_of(row).into_iter().map(|file| (place, file)).collect();
        if !found.contains_key(&row) && pairs.iter().all(|pair| !taken.contains(pair)) {
            taken.extend(pairs);
            found.insert(row, (place, why));
        }
    }
    found
}

/// Returns a number that is the greater the farther `metres` are, for the rank of a candidate.
pub(crate) fn by_distance(metres: f64) -> u64 {
    // The bits of numbers above zero are in their order.
    metres.max(0.0).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: u32, id: &str) -> OwnRow {
        OwnRow { file, id: id.into() }
    }

    #[test]
    fn rows_of_one_file_stay_apart_behind_other_places() {
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

    #[test]
    fn the_best_matches_come_first() {
        let check = |candidates: &[(u64, usize, usize)], file: Option<u8>, expect: &[(usize, usize)]| {
            let candidate = |&(rank, row, place)| Candidate { rank, row, place, why: Why::Name };
            let found = pairs(candidates.iter().map(candidate).collect(), |_| Vec::from_iter(file));
            let mut found: Vec<(usize, usize)> = found.into_iter().map(|(row, (place, _))| (row, place)).collect();
            found.sort_unstable();
            assert_eq!(found, expect, "{candidates:?} {file:?}");
        };
        let candidates = [(20, 0, 7), (10, 1, 7), (30, 0, 8)];
        check(&candidates, Some(1), &[(0, 8), (1, 7)]);
        check(&candidates, None, &[(0, 7), (1, 7)]);
        check(&candidates[..2], Some(1), &[(1, 7)]);
    }

    #[test]
    fn only_merges_of_rows_are_reported() {
        let at = Coordinate::new(48.0, 2.0).expect("it is in range");
        let same = |id, name| Same { id, name, at };
        let mut imported = Imported::default();
        imported.add_own(2, row(1, "a/2"));
        imported.add(3);
        let mut merges = Merges::default();
        imported.merge(same(1, "One"), same(5, "Five"), Why::Name, &mut merges);
        imported.merge(same(1, "One"), same(2, "Two"), Why::Name, &mut merges);
        imported.merge(same(3, "Three"), same(6, "Six"), Why::OtherName, &mut merges);
        let csv = String::from_utf8(merges.csv()).expect("it is UTF-8");
        let lines: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(
            lines,
            ["a/2,Two,1,One,\"name, kind and distance\",0", "3,Three,6,Six,another name and distance,0",]
        );
    }
}
