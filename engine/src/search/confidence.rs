//! Confidence: the probability that a candidate is the place that was meant.
//!
//! It is the product of two factors: how well the text fits the name, and the share of the candidate among all candidates.
//! The share is a softmax over costs.

use super::candidate::{Candidate, Evidence};
use crate::record::NameClass;

/// Difference in cost at which a rival is e times less likely, in points of importance.
const TEMPERATURE: f64 = 0.055;

/// The confidence of each candidate. `candidates` are sorted, cheapest first.
pub(crate) fn confidences(candidates: &[Candidate]) -> Vec<f64> {
    let Some(best) = candidates.first() else { return Vec::new() };
    let likely = |candidate: &Candidate| {
        let behind = f64::from(candidate.cost - best.cost) / f64::from(crate::index::UNIT);
        libm::exp(-behind / TEMPERATURE)
    };
    let all: f64 = candidates.iter().map(likely).sum();
    candidates.iter().map(|candidate| round(fit(&candidate.evidence) * likely(candidate) / all)).collect()
}

/// Share of queries with this evidence that meant the place: per class of name, per edit in a name of eight or more
/// characters and in a shorter one, for a prefix, per unmatched area, per dropped term, and for respelled texts. Estimated
/// from the golden cases.
const USUAL_NAME_IS_MEANT: f64 = 0.98;
const OTHER_NAME_IS_MEANT: f64 = 0.95;
const WEAK_NAME_IS_MEANT: f64 = 0.85;
const LONG_NAME_LETTERS: u8 = 8;
const EDIT_OF_LONG_NAME_IS_MEANT: f64 = 0.86;
const EDIT_IS_MEANT: f64 = 0.7;
const PREFIX_IS_MEANT: f64 = 0.85;
const UNMATCHED_IS_MEANT: f64 = 0.35;
const DROPPED_IS_MEANT: f64 = 0.7;
const RESPELLED_IS_MEANT: f64 = 0.75;

/// Probability that a name with this evidence was meant.
fn fit(evidence: &Evidence) -> f64 {
    let class = match evidence.class {
        NameClass::Primary | NameClass::English => USUAL_NAME_IS_MEANT,
        NameClass::Other => OTHER_NAME_IS_MEANT,
        NameClass::Weak => WEAK_NAME_IS_MEANT,
    };
    let per_edit = if evidence.letters >= LONG_NAME_LETTERS { EDIT_OF_LONG_NAME_IS_MEANT } else { EDIT_IS_MEANT };
    let edits = libm::pow(per_edit, f64::from(evidence.edits));
    let prefix = if evidence.prefix { PREFIX_IS_MEANT } else { 1.0 };
    let unmatched = libm::pow(UNMATCHED_IS_MEANT, f64::from(evidence.unmatched));
    let dropped = libm::pow(DROPPED_IS_MEANT, f64::from(evidence.dropped));
    let respelled = if evidence.respelled { RESPELLED_IS_MEANT } else { 1.0 };
    respelled * class * edits * prefix * unmatched * dropped
}

fn round(confidence: f64) -> f64 {
    libm::round(confidence * 1e4) / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Cost, share};

    const SURE: Evidence = Evidence {
        class: NameClass::Primary,
        edits: 0,
        prefix: false,
        letters: 7,
        matched: 0,
        unmatched: 0,
        dropped: 0,
        respelled: false,
        code: false,
        role: None,
    };

    fn of_costs(costs: &[Cost]) -> Vec<f64> {
        let candidates = costs.iter().map(|&cost| Candidate { row: 0, cost, evidence: SURE });
        confidences(&candidates.collect::<Vec<_>>())
    }

    #[test]
    fn each_doubt_takes_its_share() {
        let check = |evidence: Evidence, expect: f64| {
            assert_eq!(confidences(&[Candidate { row: 0, cost: 9, evidence }]), [expect], "{evidence:?}");
        };
        check(SURE, 0.98);
        check(Evidence { class: NameClass::English, ..SURE }, 0.98);
        check(Evidence { class: NameClass::Other, ..SURE }, 0.95);
        check(Evidence { class: NameClass::Weak, ..SURE }, 0.85);
        check(Evidence { edits: 1, ..SURE }, 0.686);
        check(Evidence { edits: 1, letters: 8, ..SURE }, 0.8428);
        check(Evidence { edits: 2, letters: 9, ..SURE }, 0.7248);
        check(Evidence { prefix: true, ..SURE }, 0.833);
        check(Evidence { unmatched: 1, matched: 1, ..SURE }, 0.343);
        check(Evidence { unmatched: 2, class: NameClass::Other, ..SURE }, 0.1164);
        check(Evidence { dropped: 1, ..SURE }, 0.686);
        check(Evidence { respelled: true, ..SURE }, 0.735);
        check(Evidence { respelled: true, edits: 1, dropped: 1, prefix: true, unmatched: 1, ..SURE }, 0.1071);
    }

    #[test]
    fn rivals_share_what_is_likely() {
        assert_eq!(of_costs(&[]), [0.0; 0]);
        assert_eq!(of_costs(&[5, 5]), [0.49, 0.49]);
        assert_eq!(of_costs(&[7, 7 + share(TEMPERATURE)]), [0.7164, 0.2636]);
        assert_eq!(of_costs(&[7, 7 + share(2.0 * TEMPERATURE), 7 + share(0.9)]), [0.8632, 0.1168, 0.0]);
    }
}
