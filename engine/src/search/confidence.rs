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
