//! How sure an answer is: the probability that a candidate is what was meant.
//!
//! Two questions, multiplied: is the reading right (how well the text fits), and among the places that fit, is it this
//! one (its share, where each step of cost makes a rival so much less likely).

use super::candidate::{Candidate, Evidence};
use crate::record::NameClass;

/// Cost at which a rival is e times less likely, in points of importance.
const TEMPERATURE: f64 = 0.055;

/// The confidence of each candidate; they come cheapest first.
pub(crate) fn confidences(candidates: &[Candidate]) -> Vec<f64> {
    let Some(best) = candidates.first() else { return Vec::new() };
    let likely = |candidate: &Candidate| {
        let behind = f64::from(candidate.cost - best.cost) / f64::from(crate::index::UNIT);
        libm::exp(-behind / TEMPERATURE)
    };
    let all: f64 = candidates.iter().map(likely).sum();
    candidates.iter().map(|candidate| round(fit(&candidate.evidence) * likely(candidate) / all)).collect()
}

/// Share of queries that fit like this and were meant so.
fn fit(evidence: &Evidence) -> f64 {
    let class = match evidence.class {
        NameClass::Primary | NameClass::English => 0.98,
        NameClass::Other => 0.95,
        NameClass::Weak => 0.85,
    };
    let per_edit: f64 = if evidence.letters >= 8 { 0.86 } else { 0.7 };
    let edits = libm::pow(per_edit, f64::from(evidence.edits));
    let begun = if evidence.whole { 1.0 } else { 0.85 };
    let unheld = libm::pow(0.35, f64::from(evidence.unheld));
    let ignored = libm::pow(0.7, f64::from(evidence.ignored));
    let respelled = if evidence.respelled { 0.75 } else { 1.0 };
    respelled * class * edits * begun * unheld * ignored
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
        whole: true,
        letters: 7,
        held: 0,
        unheld: 0,
        ignored: 0,
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
        check(Evidence { whole: false, ..SURE }, 0.833);
        check(Evidence { unheld: 1, held: 1, ..SURE }, 0.343);
        check(Evidence { unheld: 2, class: NameClass::Other, ..SURE }, 0.1164);
        check(Evidence { ignored: 1, ..SURE }, 0.686);
        check(Evidence { respelled: true, ..SURE }, 0.735);
        check(Evidence { respelled: true, edits: 1, ignored: 1, whole: false, unheld: 1, ..SURE }, 0.1071);
    }

    #[test]
    fn rivals_share_what_is_likely() {
        assert_eq!(of_costs(&[]), [0.0; 0]);
        assert_eq!(of_costs(&[5, 5]), [0.49, 0.49]);
        assert_eq!(of_costs(&[7, 7 + share(TEMPERATURE)]), [0.7164, 0.2636]);
        assert_eq!(of_costs(&[7, 7 + share(2.0 * TEMPERATURE), 7 + share(0.9)]), [0.8632, 0.1168, 0.0]);
    }
}
