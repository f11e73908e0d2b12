//! Candidates: places with what speaks for and against them.

use crate::index::Cost;
use crate::record::{NameClass, Role};

/// Why a place is a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Class of the name that matched.
    pub class: NameClass,
    /// Edits in the name.
    pub edits: u8,
    /// The name is complete, not only begun.
    pub whole: bool,
    /// Letters of the name part of the query.
    pub letters: u8,
    /// Pieces of context that hold the place.
    pub held: u8,
    /// Pieces of context that do not.
    pub unheld: u8,
    /// Words that were left out: numbers first of all.
    pub ignored: u8,
    /// The text was put into Latin letters, or only sounds like the name.
    pub respelled: bool,
    /// The query is a code of the place.
    pub code: bool,
    /// What the query says is meant, if it does.
    pub role: Option<Role>,
}

/// A place that may be what was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub row: u32,
    pub cost: Cost,
    pub evidence: Evidence,
}

/// The cheapest candidates so far, one per place.
#[derive(Debug)]
pub(crate) struct Pool {
    capacity: usize,
    best: Vec<Candidate>,
}

/// Room that is made at once: for the largest limit of the HTTP contract, and what is kept beyond it. The caller may
/// ask for more than there is memory for; the pool grows with what is found.
const RESERVED: usize = 64;

impl Pool {
    pub fn new(capacity: usize) -> Self {
        Self { capacity, best: Vec::with_capacity(capacity.min(RESERVED)) }
    }

    /// The cost from which on a candidate would not be kept.
    pub fn limit(&self) -> Cost {
        if self.best.len() < self.capacity { Cost::MAX } else { self.best[self.capacity - 1].cost }
    }

    /// Cost of the best candidate.
    pub fn least(&self) -> Option<Cost> {
        self.best.first().map(|candidate| candidate.cost)
    }

    pub fn is_empty(&self) -> bool {
        self.best.is_empty()
    }

    /// Keeps the candidate if it is among the cheapest; of two for one place the cheaper stays.
    pub fn add(&mut self, candidate: Candidate) {
        if candidate.cost >= self.limit() {
            return;
        }
        match self.best.iter().position(|other| other.row == candidate.row) {
            Some(at) if self.best[at].cost <= candidate.cost => return,
            Some(at) => drop(self.best.remove(at)),
            None => {}
        }
        let at = self.best.partition_point(|other| (other.cost, other.row) < (candidate.cost, candidate.row));
        self.best.insert(at, candidate);
        self.best.truncate(self.capacity);
    }

    /// The candidates, cheapest first.
    pub fn into_best(self) -> Vec<Candidate> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate((row, cost, edits): (u32, Cost, u8)) -> Candidate {
        let evidence = Evidence {
            class: NameClass::Primary,
            edits,
            whole: true,
            letters: 5,
            held: 0,
            unheld: 0,
            ignored: 0,
            respelled: false,
            code: false,
            role: None,
        };
        Candidate { row, cost, evidence }
    }

    /// Rows, costs and edits that are offered in this order, and what is kept.
    #[test]
    fn a_pool_keeps_the_cheapest_of_each_place() {
        let check = |capacity: usize, offered: &[(u32, Cost, u8)], kept: &[(u32, Cost, u8)]| {
            let mut pool = Pool::new(capacity);
            assert!(pool.is_empty() && pool.least().is_none());
            offered.iter().for_each(|&offer| pool.add(candidate(offer)));
            assert_eq!((pool.is_empty(), pool.least()), (kept.is_empty(), kept.first().map(|&(_, cost, _)| cost)));
            let limit = if kept.len() < capacity { Cost::MAX } else { kept[capacity - 1].1 };
            assert_eq!(pool.limit(), limit, "{offered:?}");
            assert_eq!(pool.into_best(), kept.iter().copied().map(candidate).collect::<Vec<_>>(), "{offered:?}");
        };
        check(2, &[], &[]);
        check(2, &[(1, 50, 0)], &[(1, 50, 0)]);
        check(2, &[(1, 50, 0), (2, 40, 0)], &[(2, 40, 0), (1, 50, 0)]);
        check(2, &[(1, 50, 0), (2, 40, 0), (3, 45, 0)], &[(2, 40, 0), (3, 45, 0)]);
        check(2, &[(1, 50, 0), (2, 40, 0), (3, 60, 0)], &[(2, 40, 0), (1, 50, 0)]);
        // Of two that cost as much the first row comes first, but none drives out the other.
        check(2, &[(9, 50, 0), (3, 50, 0)], &[(3, 50, 0), (9, 50, 0)]);
        check(2, &[(9, 50, 0), (8, 50, 0), (3, 50, 0)], &[(8, 50, 0), (9, 50, 0)]);
        // Of one place the cheaper, and of two that cost as much the first.
        check(3, &[(1, 50, 0), (2, 45, 0), (1, 40, 1)], &[(1, 40, 1), (2, 45, 0)]);
        check(3, &[(1, 50, 0), (1, 60, 1)], &[(1, 50, 0)]);
        check(3, &[(1, 50, 0), (1, 50, 1)], &[(1, 50, 0)]);
        check(Cost::MAX as usize, &[(1, 50, 0)], &[(1, 50, 0)]);
    }
}
