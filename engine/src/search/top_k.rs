//! Top k: keeps the cheapest candidates.

use super::candidate::Candidate;
use crate::index::Cost;

/// Maximum capacity reserved up front: enough for the largest limit of the HTTP contract and the spare candidates. A caller
/// may pass any limit; the list only grows with what is found.
const RESERVED: usize = 64;

/// The `k` cheapest candidates so far, one per place.
#[derive(Debug)]
pub(crate) struct TopK {
    k: usize,
    best: Vec<Candidate>,
}

impl TopK {
    pub fn new(k: usize) -> Self {
        Self { k, best: Vec::with_capacity(k.min(RESERVED)) }
    }

    /// Returns the greatest number of candidates.
    pub fn capacity(&self) -> usize {
        self.k
    }

    /// Returns the least cost at which candidates are not kept.
    pub fn limit(&self) -> Cost {
        if self.best.len() < self.k { Cost::MAX } else { self.best[self.k - 1].cost }
    }

    /// Returns the lowest cost of a candidate.
    pub fn least(&self) -> Option<Cost> {
        self.best.first().map(|candidate| candidate.cost)
    }

    pub fn is_empty(&self) -> bool {
        self.best.is_empty()
    }

    pub fn len(&self) -> usize {
        self.best.len()
    }

    /// Tells whether a candidate has to be cheaper than one that is kept.
    pub fn is_full(&self) -> bool {
        self.best.len() == self.k
    }

    /// Keeps the candidate if it is among the cheapest. Of two for the same place, the cheaper one is kept.
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
        self.best.truncate(self.k);
    }

    /// Returns the candidates, cheapest first.
    pub fn into_candidates(self) -> Vec<Candidate> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::RowId;
    use crate::record::NameClass;
    use crate::search::candidate::{Evidence, FoundBy};

    fn candidate((row, cost, edits): (u32, Cost, u8)) -> Candidate {
        let row = RowId { segment: 0, row };
        let evidence = Evidence { edits, ..Evidence::of_exact(NameClass::Primary, 5) };
        Candidate { row, cost, evidence, found_by: FoundBy::Other }
    }

    /// Offers rows, costs and edits in this order, and checks which are kept.
    #[test]
    fn the_cheapest_of_each_place_are_kept() {
        let check = |capacity: usize, offered: &[(u32, Cost, u8)], kept: &[(u32, Cost, u8)]| {
            let mut top = TopK::new(capacity);
            assert!(top.is_empty() && top.least().is_none());
            offered.iter().for_each(|&offer| top.add(candidate(offer)));
            assert_eq!((top.is_empty(), top.least()), (kept.is_empty(), kept.first().map(|&(_, cost, _)| cost)));
            let limit = if kept.len() < capacity { Cost::MAX } else { kept[capacity - 1].1 };
            assert_eq!(top.limit(), limit, "{offered:?}");
            assert_eq!(top.into_candidates(), kept.iter().copied().map(candidate).collect::<Vec<_>>(), "{offered:?}");
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
