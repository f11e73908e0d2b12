//! Finds subjects that may be the same as another one: by id, code and name, and airports by place.

use std::collections::HashMap;

use rstar::RTree;
use rstar::primitives::GeomWithData;
use toponym_engine::geo::metres_to_chord;

use super::rules::{NEAR_AIRPORT_M, Rule};
use super::subject::Subject;

/// Subjects, numbered in the order in which they were added.
pub(super) struct Candidates<'p> {
    /// `true` if two may be the same by names of which none is displayed.
    by_any_name: bool,
    count: usize,
    by_id: HashMap<u64, usize>,
    by_code: HashMap<&'p str, usize>,
    by_first: HashMap<u64, Vec<usize>>,
    by_other: HashMap<u64, Vec<usize>>,
    by_core: HashMap<u64, Vec<usize>>,
    airports: RTree<GeomWithData<[f64; 3], usize>>,
}

impl<'p> Candidates<'p> {
    /// Creates an empty set for subjects that are compared by `rules`.
    pub fn new(rules: &[Rule]) -> Self {
        Self {
            by_any_name: rules.iter().any(Rule::asks_any_name),
            count: 0,
            by_id: HashMap::new(),
            by_code: HashMap::new(),
            by_first: HashMap::new(),
            by_other: HashMap::new(),
            by_core: HashMap::new(),
            airports: RTree::new(),
        }
    }

    /// Adds a subject.
    pub fn add(&mut self, subject: &Subject<'p>) {
        let number = self.count;
        self.count += 1;
        self.by_id.insert(subject.id, number);
        self.by_code.extend(subject.codes().map(|code| (code, number)));
        self.by_first.entry(subject.first).or_default().push(number);
        subject.others.iter().for_each(|&name| self.by_other.entry(name).or_default().push(number));
        subject.core.iter().for_each(|core| self.by_core.entry(core.key).or_default().push(number));
        if subject.airport().is_some() {
            self.airports.insert(GeomWithData::new(subject.at.unit_vector(), number));
        }
    }

    /// Returns those that a subject may be; one alone if it has the id of that.
    pub fn of(&self, subject: &Subject) -> Vec<usize> {
        if let Some(&same) = self.by_id.get(&subject.id) {
            return vec![same];
        }
        let first_of = |name| self.by_first.get(name).into_iter().flatten();
        let other_of = |name| self.by_other.get(name).into_iter().flatten();
        let mut found: Vec<usize> = first_of(&subject.first).chain(other_of(&subject.first)).copied().collect();
        found.extend(self.by_core.get(&subject.first).into_iter().flatten());
        found.extend(subject.core.iter().flat_map(|core| first_of(&core.key).chain(other_of(&core.key))));
        for name in &subject.others {
            found.extend(first_of(name));
            found.extend(self.by_core.get(name).into_iter().flatten());
            if self.by_any_name {
                found.extend(other_of(name));
            }
        }
        if subject.airport().is_some() {
            found.extend(subject.codes().filter_map(|code| self.by_code.get(code)));
            let near = self.airports.locate_within_distance(subject.at.unit_vector(), metres_to_chord(NEAR_AIRPORT_M));
            found.extend(near.map(|point| point.data));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
