//! The candidates that a query has found so far, and the limits that they set to further searches.

use super::candidate::{Candidate, Evidence};
use super::penalties::{CODE_AMONG, EDITED_SPREAD, GUESS, GUESS_OF_TWO_EDITS, UNMATCHED_AREA};
use super::top_k::TopK;
use crate::index::{Cost, RowId};

/// The results so far.
#[derive(Debug)]
pub(crate) struct Found {
    pub top: TopK,
    /// Places whose whole name matched and that lie in every area of the context. They are kept apart, so that no famous
    /// namesake elsewhere takes their room.
    fitting: TopK,
    /// Lowest cost of a candidate without edits.
    pub least_without_edits: Cost,
    /// The airport with scheduled flights of which the text is the code.
    pub code: Option<Candidate>,
    /// True if names with edits would have been looked for.
    pub lacks_edits: bool,
}

impl Found {
    pub fn new(k: usize) -> Self {
        let (top, fitting) = (TopK::new(k), TopK::new(k));
        Self { top, fitting, least_without_edits: Cost::MAX, code: None, lacks_edits: false }
    }

    /// Returns the least cost at which exact matches are not kept.
    pub fn limit_of_exact(&self, has_context: bool) -> Cost {
        if !has_context { self.top.limit() } else { self.top.limit().max(self.fitting.limit()) }
    }

    /// Tells whether a name with edits may be among the first `limit` answers. A place that fits the context without edits comes
    /// before all with edits, so that the first answer is known; of several such places, some may not be shown.
    pub fn may_show_edits(&self, limit: usize) -> bool {
        limit > 1 || self.fitting.least().is_none_or(|least| least > GUESS)
    }

    pub fn add(&mut self, candidate: Candidate) {
        if candidate.evidence.edits == 0 && candidate.evidence.fits_context() {
            self.fitting.add(candidate);
        }
        self.top.add(candidate);
    }

    /// Returns the candidates, cheapest first. A place that fits the context comes before all with more edits, and before
    /// those with as many edits that lie outside an area of the context or leave terms out.
    pub fn into_candidates(self) -> Vec<Candidate> {
        let mut ordered = TopK::new(self.top.capacity());
        let exact = self.fitting.into_candidates();
        let is_known = |row: RowId| exact.iter().any(|candidate| candidate.row == row);
        let others: Vec<Candidate> =
            self.top.into_candidates().into_iter().filter(|candidate| !is_known(candidate.row)).collect();
        let with_edits = others.iter().copied().filter(|candidate| candidate.evidence.fits_context());
        let fitting: Vec<Candidate> = exact.iter().copied().chain(with_edits).collect();
        for candidate in exact.into_iter().chain(others) {
            let Evidence { edits, .. } = candidate.evidence;
            let leaves_out = !candidate.evidence.leaves_nothing_out();
            let fits_better =
                |fit: &&Candidate| fit.evidence.edits < edits || (leaves_out && fit.evidence.edits == edits);
            let last = fitting.iter().filter(fits_better).map(|fit| fit.cost + UNMATCHED_AREA).max();
            ordered.add(Candidate { cost: candidate.cost.max(last.unwrap_or(0)), ..candidate });
        }
        let mut ordered = ordered.into_candidates();
        if let Some(code) = self.code.filter(|code| !ordered.iter().take(CODE_AMONG).any(|other| other.row == code.row))
        {
            ordered.retain(|other| other.row != code.row);
            let at = ordered.len().min(CODE_AMONG - 1);
            let cost = ordered.get(at).map_or(code.cost, |next| next.cost);
            ordered.insert(at, Candidate { cost, ..code });
        }
        ordered
    }

    /// Tells whether a name was found as it is written, and not only a guess.
    pub fn is_written(&self) -> bool {
        self.least_without_edits <= GUESS
    }

    /// Returns the cost at which a search for names with this many edits stops. A match must be cheaper than the worst
    /// candidate that is kept. With edits it must also be cheaper than all without edits, not much costlier than the best
    /// candidate, and likely enough to be meant at all.
    pub fn limit(&self, edits: u8) -> Cost {
        let guess = if edits > 1 { GUESS_OF_TWO_EDITS } else { GUESS };
        let spread = self.top.least().map_or(guess, |least| least.saturating_add(EDITED_SPREAD).min(guess));
        if edits > 0 { self.top.limit().min(spread).min(self.least_without_edits) } else { self.top.limit() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::NameClass;
    use crate::search::candidate::FoundBy;

    /// Checks the limits of searches with no, one and two edits, by the costs of the best candidates and the least cost
    /// without edits.
    #[test]
    fn limits_follow_the_best_candidates() {
        let check = |costs: [Cost; 2], without_edits: Cost, expect: [Cost; 3]| {
            let mut found = Found { least_without_edits: without_edits, ..Found::new(2) };
            for (row, cost) in (0..).map(|row| RowId { segment: 0, row }).zip(costs).filter(|&(_, cost)| cost > 0) {
                let evidence = Evidence::of_exact(NameClass::Primary, 5);
                found.top.add(Candidate { row, cost, evidence, found_by: FoundBy::Other });
            }
            assert_eq!([0, 1, 2].map(|edits| found.limit(edits)), expect, "{costs:?} {without_edits}");
        };
        let none = Cost::MAX;
        check([0, 0], none, [none, GUESS, GUESS_OF_TWO_EDITS]);
        check([0, 0], 70_000, [none, 70_000, GUESS_OF_TWO_EDITS]);
        check([10_000, 0], none, [none, 10_000 + EDITED_SPREAD, 10_000 + EDITED_SPREAD]);
        check([60_000, 0], none, [none, GUESS, GUESS_OF_TWO_EDITS]);
        check([10_000, 0], 20_000, [none, 20_000, 20_000]);
        check([10_000, 15_000], 20_000, [15_000, 15_000, 15_000]);
    }
}
