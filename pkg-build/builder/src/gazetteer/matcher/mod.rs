//! Decides which rows and places are the same, and reports each merge with its reason. Used wherever two may be one: for rows of added
//! files, towns and sites that sources list twice, landmarks that are regions, and places under two names.
//!
//! ```text
//! subjects ─> candidates by name, code and place ─> decide: same, because ..., or different ─> the best first ─> report
//! ```
//!
//! What is compared is a [`Subject`]. [`rules`] is the table of what two of a kind must have in common. The callers know precedence: they
//! bring the subjects in its order, and put two together that are one. Invariants:
//!
//! 1. Two rows of one of an operator's own files are never one place, also not by way of a third.
//! 2. The result depends neither on the order of files nor on that of a hash map.

mod candidates;
mod provenance;
mod report;
mod rules;
mod subject;

use std::collections::{BTreeMap, HashMap, HashSet};

use candidates::Candidates;
pub(crate) use provenance::{Imported, OwnRow};
pub(crate) use report::{Merges, Why};
#[cfg(test)]
pub(crate) use rules::SAME_PLACE_M;
pub(crate) use rules::SAME_SITE_M;
pub(crate) use rules::{PLACES, ROWS};
use rules::{Rule, Same};
pub(crate) use subject::{Addition, Core, Kind, Subject};

/// Finds which subjects are the same by one table of rules.
pub(crate) struct Matcher<'m> {
    rules: &'static [Rule],
    /// The group of each type of `data/tables/place-types.csv`.
    groups: &'m BTreeMap<String, String>,
    pub imported: &'m mut Imported,
    pub merges: &'m mut Merges,
}

/// A row that is a known place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Index of the place.
    pub place: usize,
    pub why: Why,
}

impl<'m> Matcher<'m> {
    /// Creates a matcher by [`ROWS`] or [`PLACES`].
    pub fn new(
        rules: &'static [Rule],
        groups: &'m BTreeMap<String, String>,
        imported: &'m mut Imported,
        merges: &'m mut Merges,
    ) -> Self {
        Self { rules, groups, imported, merges }
    }

    /// Returns the known place of each of `rows` that has one: the best matches first, and of one own file at most one row for each place.
    /// `files_of` a row are the own files that it is in.
    pub fn known(
        &self,
        known: &[Subject],
        rows: &[Subject],
        files_of: impl Fn(usize) -> Vec<u32>,
    ) -> HashMap<usize, Known> {
        let mut candidates = Candidates::new(self.rules);
        known.iter().for_each(|subject| candidates.add(subject));
        let mut found: Vec<(Same, usize, usize)> = Vec::new();
        for (row, subject) in rows.iter().enumerate() {
            let same = candidates
                .of(subject)
                .into_iter()
                .filter_map(|place| Some((self.decide(&known[place], subject)?, row, place)));
            found.extend(same);
        }
        best_first(found, files_of)
    }

    /// Calls `same` with the indices of a kept subject and of a later one that is the same place, for each of `subjects`. Those that
    /// come first are kept. Each of the others is compared with the kept ones: a chain of neighbours is not a place.
    pub fn duplicates(&mut self, subjects: &[Subject], mut same: impl FnMut(usize, usize)) {
        let mut kept = Candidates::new(self.rules);
        let mut indices = Vec::new();
        for (index, subject) in subjects.iter().enumerate() {
            let found = kept.of(subject).into_iter().filter_map(|at| {
                let place = indices[at];
                Some((self.decide(&subjects[place], subject)?, place))
            });
            match found.min() {
                Some((found, place)) => {
                    self.join(&subjects[place], subject, found.why);
                    same(place, index);
                }
                None => {
                    kept.add(subject);
                    indices.push(index);
                }
            }
        }
    }

    /// Notes that `other` became part of `kept`, and reports it.
    pub fn join(&mut self, kept: &Subject, other: &Subject, why: Why) {
        // The report names the added row first.
        let is_added = self.imported.has(kept.id) && !self.imported.has(other.id);
        let (row, known) = if is_added { (kept, other) } else { (other, kept) };
        self.merges.add(row, known, why, self.imported);
        self.imported.join(kept.id, other.id);
    }

    /// Decides why two subjects are the same; `None` if they are different.
    fn decide(&self, a: &Subject, b: &Subject) -> Option<Same> {
        rules::decide(self.rules, a, b, self.groups, self.imported)
    }
}

fn best_first(mut found: Vec<(Same, usize, usize)>, files_of: impl Fn(usize) -> Vec<u32>) -> HashMap<usize, Known> {
    found.sort_unstable();
    let mut taken: HashSet<(usize, u32)> = HashSet::new();
    let mut best = HashMap::new();
    for (same, row, place) in found {
        let files = files_of(row);
        if !best.contains_key(&row) && files.iter().all(|&file| !taken.contains(&(place, file))) {
            taken.extend(files.into_iter().map(|file| (place, file)));
            best.insert(row, Known { place, why: same.why });
        }
    }
    best
}
