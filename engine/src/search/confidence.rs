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

/// Below this confidence, a mere guess is not an answer. On 4,418 public queries and the 1,411 texts of `absent.csv`, the best
/// answer was such a guess 156 times for a text that means no place, 91 times for another place, and 14 times for the right one.
const LEAST_GUESS: f64 = 0.2;

/// The same for a name that the text may spell in another script: of names that are held out, one in three with a confidence of a
/// tenth is the right one.
const LEAST_GUESS_OF_SPELLING: f64 = 0.005;

/// Whether the candidates are not worth an answer: the best one is unlikely, and for none is its name in the text as written,
/// or does a context or a kind speak. `confidences` are those of `candidates`.
pub(crate) fn are_mere_guesses(candidates: &[Candidate], confidences: &[f64]) -> bool {
    let is_spelled = candidates.first().is_some_and(|best| best.evidence.spelling.is_some());
    let least = if is_spelled { LEAST_GUESS_OF_SPELLING } else { LEAST_GUESS };
    confidences.first().is_some_and(|&best| best < least)
        && candidates.iter().all(|candidate| is_guess(&candidate.evidence))
}

fn is_guess(evidence: &Evidence) -> bool {
    let is_as_written = evidence.edits == 0 && !evidence.respelled;
    let is_byname_of_part = evidence.class == NameClass::Weak && evidence.dropped > 0;
    let is_of_context_or_kind = evidence.matched > 0 || evidence.code || evidence.without_kind;
    !is_of_context_or_kind && (!is_as_written || is_byname_of_part)
}

// Each factor is a share of queries with that evidence that meant the place, estimated from the golden cases
// (`tests/golden/forward.csv`) and from texts that mean no place (`absent.csv` there).

/// By the class of the name.
const USUAL_NAME_IS_MEANT: f64 = 0.98;
const OTHER_NAME_IS_MEANT: f64 = 0.95;
const WEAK_NAME_IS_MEANT: f64 = 0.85;

/// An edit puts this many letters in doubt: it means little in a long name, and much in a short one.
const LETTERS_IN_DOUBT_PER_EDIT: f64 = 2.0;

/// Share of the doubt about edits that is left if the place lies in the context.
const DOUBT_IN_CONTEXT: f64 = 0.5;

/// The text is only the beginning of the name.
const PREFIX_IS_MEANT: f64 = 0.5;

/// For each area of the context in which the place does not lie.
const UNMATCHED_IS_MEANT: f64 = 0.35;

/// For each word, and for each number or filler, that is left out.
const DROPPED_WORD_IS_MEANT: f64 = 0.4;
const DROPPED_NUMBER_IS_MEANT: f64 = 0.7;

/// The text was transliterated, or only sounds like the name.
const RESPELLED_IS_MEANT: f64 = 0.5;

/// The text may spell the name in another script. By how unlikely the spelling is for each Latin letter, in nats: the most that it is
/// worth, where it is worth half of that, and how steeply it falls. Nine in ten such answers are right up to .6 nats for names
/// that are held out; but words that mean no place find one as well.
const SPELLED_IS_MEANT: f64 = 0.95;
const HALF_MEANT_NATS: f64 = 0.62;
const FALLS_PER_NAT: f64 = 5.0;

/// The text only names a kind of place, and the place happens to be called so: the village of Airport.
const MERE_KIND_IS_MEANT: f64 = 0.4;

/// The place is not of the kind that the text names.
const OTHER_KIND_IS_MEANT: f64 = 0.6;

/// The text is the code of an airport, but not in capitals.
const TYPED_CODE_IS_MEANT: f64 = 0.45;

/// Probability that a name with this evidence was meant.
fn fit(evidence: &Evidence) -> f64 {
    let class = match evidence.class {
        NameClass::Primary | NameClass::English => USUAL_NAME_IS_MEANT,
        NameClass::Other => OTHER_NAME_IS_MEANT,
        NameClass::Weak => WEAK_NAME_IS_MEANT,
    };
    let in_doubt = LETTERS_IN_DOUBT_PER_EDIT * f64::from(evidence.edits) / f64::from(evidence.letters.max(1));
    let edits = 1.0 - in_doubt.min(1.0);
    let edits = if evidence.matched > 0 { 1.0 - DOUBT_IN_CONTEXT * (1.0 - edits) } else { edits };
    let prefix = if evidence.prefix { PREFIX_IS_MEANT } else { 1.0 };
    let unmatched = libm::pow(UNMATCHED_IS_MEANT, f64::from(evidence.unmatched));
    let dropped = libm::pow(DROPPED_WORD_IS_MEANT, f64::from(evidence.dropped))
        * libm::pow(DROPPED_NUMBER_IS_MEANT, f64::from(evidence.dropped_numbers));
    let kind = match evidence {
        Evidence { mere_kind: true, .. } => MERE_KIND_IS_MEANT,
        Evidence { without_kind: true, role: None, .. } => OTHER_KIND_IS_MEANT,
        _ => 1.0,
    };
    let respelled = match evidence.spelling {
        Some(spelling) => {
            SPELLED_IS_MEANT / (1.0 + libm::exp(FALLS_PER_NAT * (spelling.nats_per_letter() - HALF_MEANT_NATS)))
        }
        None if evidence.respelled => RESPELLED_IS_MEANT,
        None => 1.0,
    };
    let code = if evidence.typed_code { TYPED_CODE_IS_MEANT } else { 1.0 };
    code * respelled * class * edits * prefix * unmatched * dropped * kind
}

fn round(confidence: f64) -> f64 {
    libm::round(confidence * 1e4) / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Cost, share};
    use crate::record::Role;
    use crate::search::candidate::FoundBy;

    const SURE: Evidence = Evidence::of_exact(NameClass::Primary, 7);

    fn of_costs(costs: &[Cost]) -> Vec<f64> {
        let candidates = costs.iter().map(|&cost| Candidate { row: 0, cost, evidence: SURE, found_by: FoundBy::Other });
        confidences(&candidates.collect::<Vec<_>>())
    }

    #[test]
    fn each_doubt_takes_its_share() {
        let check = |evidence: Evidence, expect: f64| {
            assert_eq!(
                confidences(&[Candidate { row: 0, cost: 9, evidence, found_by: FoundBy::Other }]),
                [expect],
                "{evidence:?}"
            );
        };
        check(SURE, 0.98);
        check(Evidence { class: NameClass::English, ..SURE }, 0.98);
        check(Evidence { class: NameClass::Other, ..SURE }, 0.95);
        check(Evidence { class: NameClass::Weak, ..SURE }, 0.85);
        check(Evidence { edits: 1, ..SURE }, 0.7);
        check(Evidence { edits: 1, letters: 4, ..SURE }, 0.49);
        check(Evidence { edits: 1, letters: 1, ..SURE }, 0.0);
        check(Evidence { edits: 1, letters: 0, ..SURE }, 0.0);
        check(Evidence { edits: 2, letters: 10, ..SURE }, 0.588);
        check(Evidence { edits: 1, matched: 1, ..SURE }, 0.84);
        check(Evidence { prefix: true, ..SURE }, 0.49);
        check(Evidence { unmatched: 1, matched: 1, ..SURE }, 0.343);
        check(Evidence { unmatched: 2, class: NameClass::Other, ..SURE }, 0.1164);
        check(Evidence { dropped: 1, ..SURE }, 0.392);
        check(Evidence { dropped_numbers: 1, ..SURE }, 0.686);
        check(Evidence { dropped: 2, dropped_numbers: 1, ..SURE }, 0.1098);
        check(Evidence { respelled: true, ..SURE }, 0.49);
        check(Evidence { mere_kind: true, ..SURE }, 0.392);
        check(Evidence { without_kind: true, ..SURE }, 0.588);
        check(Evidence { without_kind: true, role: Some(Role::Station), ..SURE }, 0.98);
        check(Evidence { respelled: true, edits: 1, dropped: 1, prefix: true, unmatched: 1, ..SURE }, 0.0245);
    }

    #[test]
    fn rivals_share_what_is_likely() {
        assert_eq!(of_costs(&[]), [0.0; 0]);
        assert_eq!(of_costs(&[5, 5]), [0.49, 0.49]);
        assert_eq!(of_costs(&[7, 7 + share(TEMPERATURE)]), [0.7164, 0.2636]);
        assert_eq!(of_costs(&[7, 7 + share(2.0 * TEMPERATURE), 7 + share(0.9)]), [0.8632, 0.1168, 0.0]);
    }

    #[test]
    fn unlikely_answers_with_nothing_in_their_favour_are_guesses() {
        let check = |confidence: f64, evidence: Evidence, expect: bool| {
            let candidates = [Candidate { row: 0, cost: 0, evidence, found_by: FoundBy::Other }];
            assert_eq!(are_mere_guesses(&candidates, &[confidence]), expect, "{confidence} {evidence:?}");
        };
        let weak = Evidence { class: NameClass::Weak, ..SURE };
        check(0.1, SURE, false);
        check(0.1, weak, false);
        check(0.1, Evidence { dropped: 3, ..SURE }, false);
        check(0.1, Evidence { dropped: 1, ..weak }, true);
        check(0.1, Evidence { dropped: 1, matched: 1, ..weak }, false);
        check(0.1, Evidence { edits: 1, ..SURE }, true);
        check(0.2, Evidence { edits: 1, ..SURE }, false);
        check(0.199, Evidence { edits: 1, ..SURE }, true);
        check(0.1, Evidence { edits: 1, matched: 1, ..SURE }, false);
        check(0.1, Evidence { prefix: true, ..SURE }, false);
        check(0.1, Evidence { edits: 1, without_kind: true, ..SURE }, false);
        check(0.1, Evidence { respelled: true, ..SURE }, true);
        check(0.1, Evidence { respelled: true, code: true, ..SURE }, false);
        assert!(!are_mere_guesses(&[], &[]));
    }
}
