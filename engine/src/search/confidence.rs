//! Confidence: the probability that a candidate is the place that was meant.
//!
//! It is the product of two factors: how well the text fits the name, and the share of the candidate among all candidates.
//! The share is a softmax over costs.

use super::candidate::{Candidate, Evidence};
use crate::geo::power;
use crate::index::{Index, UNIT};
use crate::record::NameClass;

/// Difference in cost at which a rival is e times less likely, in points of importance.
const TEMPERATURE: f64 = 0.055;

/// The code of an airport that is typed as a word may be meant although a place of that name is far more important.
const TEMPERATURE_OF_TYPED_CODE: f64 = 0.22;

/// Returns the confidence of each candidate. `candidates` are sorted, cheapest first.
pub(crate) fn confidences(index: &Index, candidates: &[Candidate]) -> Vec<f64> {
    let importance = |row| 1.0 - f64::from(index.place(row).cost()) / f64::from(UNIT);
    let shares = shares(candidates);
    let fits = candidates.iter().map(|candidate| fit(&candidate.evidence, importance(candidate.row)));
    fits.zip(shares).map(|(fit, share)| round(fit * share)).collect()
}

/// Returns the share of each candidate among all rivals, by their costs alone. A place whose name has edits is not a rival of one that
/// fits the context without: for a single answer it is not even looked for.
fn shares(candidates: &[Candidate]) -> Vec<f64> {
    let least = candidates.first().map_or(0, |best| best.cost);
    let fits = candidates.iter().any(|candidate| candidate.evidence.edits == 0 && candidate.evidence.fits_context());
    let likely = |candidate: &Candidate| {
        let behind = f64::from(candidate.cost - least) / f64::from(UNIT);
        let temperature = if candidate.evidence.typed_code { TEMPERATURE_OF_TYPED_CODE } else { TEMPERATURE };
        libm::exp(-behind / temperature)
    };
    let is_rival = |candidate: &&Candidate| !fits || candidate.evidence.edits == 0;
    let all: f64 = candidates.iter().filter(is_rival).map(likely).sum();
    candidates.iter().map(likely).map(|likely| likely / all).collect()
}

/// Below this confidence, a mere guess is not an answer. On 6,847 golden, public and absent texts the best answer was such a guess 12
/// times for a text that means no place, 7 times for another place, and never for the right one; below twice as much it was so 30, 20
/// and 3 times.
const LEAST_GUESS: f64 = 0.05;

/// Below this confidence, a name that the text may spell in another script is not an answer: of names that are held out, one in
/// three with a confidence of a tenth is the right one.
const LEAST_GUESS_OF_SPELLING: f64 = 0.005;

/// Tells whether the candidates are not worth an answer: the best one is unlikely, and for none is its name in the text as
/// written, or does a context or a kind speak. `confidences` are those of `candidates`.
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

/// In a context, the place lies where the text says.
const WEAK_NAME_IN_CONTEXT_IS_MEANT: f64 = 0.95;

/// Share of a doubt about areas, words or spelling that is left if the place lies in an area of the context.
const DOUBT_IN_CONTEXT: f64 = 0.5;

/// Log odds of a name with edits: people know important places, so that a word is more often a slip in the name of one than in
/// that of a hamlet. Fitted to 722 best answers with edits of the golden cases, `absent.csv` and public queries; the mean squared
/// error of their confidence fell from .127, by letters alone, to .083.
const EDITED: f64 = -2.4;
const EDITED_PER_IMPORTANCE: f64 = 8.2;
const EDITED_PER_SHARE_OF_LETTERS: f64 = -7.9;
const EDITED_TWICE: f64 = -1.5;
const EDITED_OTHER_NAME: f64 = -1.5;
const EDITED_IN_CONTEXT: f64 = 1.3;
const EDITED_SOUND: f64 = -2.3;

/// The text is only the beginning of the name.
const PREFIX_IS_MEANT: f64 = 0.5;

/// Factor for each area of the context in which the place does not lie.
const UNMATCHED_IS_MEANT: f64 = 0.35;

/// Factors for each word, and for each number or filler, that is left out.
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

/// Estimates the probability that a name with this evidence was meant, of a place with this importance.
fn fit(evidence: &Evidence, importance: f64) -> f64 {
    let in_context = evidence.matched > 0;
    let class = match evidence.class {
        NameClass::Primary | NameClass::English => USUAL_NAME_IS_MEANT,
        NameClass::Other => OTHER_NAME_IS_MEANT,
        NameClass::Weak if in_context => WEAK_NAME_IN_CONTEXT_IS_MEANT,
        NameClass::Weak => WEAK_NAME_IS_MEANT,
    };
    let prefix = if evidence.prefix { PREFIX_IS_MEANT } else { 1.0 };
    let areas_and_words = power(UNMATCHED_IS_MEANT, evidence.unmatched.into())
        * power(DROPPED_WORD_IS_MEANT, evidence.dropped.into())
        * power(DROPPED_NUMBER_IS_MEANT, evidence.dropped_numbers.into());
    let areas_and_words = if in_context { 1.0 - DOUBT_IN_CONTEXT * (1.0 - areas_and_words) } else { areas_and_words };
    let kind = match evidence {
        Evidence { mere_kind: true, .. } => MERE_KIND_IS_MEANT,
        Evidence { without_kind: true, role: None, .. } => OTHER_KIND_IS_MEANT,
        _ => 1.0,
    };
    let code = if evidence.typed_code { TYPED_CODE_IS_MEANT } else { 1.0 };
    code * written(evidence, importance) * class * prefix * areas_and_words * kind
}

/// Estimates the probability that a name was meant although the text writes it otherwise.
fn written(evidence: &Evidence, importance: f64) -> f64 {
    match evidence.spelling {
        Some(spelling) => {
            let share = SPELLED_IS_MEANT * logistic(FALLS_PER_NAT * (HALF_MEANT_NATS - spelling.nats_per_letter()));
            if evidence.matched > 0 { 1.0 - DOUBT_IN_CONTEXT * (1.0 - share) } else { share }
        }
        None if evidence.edits > 0 => logistic(log_odds_of_edits(evidence, importance)),
        None if evidence.respelled => RESPELLED_IS_MEANT,
        None => 1.0,
    }
}

/// Returns the log odds that a name with edits was meant.
fn log_odds_of_edits(evidence: &Evidence, importance: f64) -> f64 {
    let if_it = |is_so: bool, odds: f64| if is_so { odds } else { 0.0 };
    let share_of_letters = f64::from(evidence.edits) / f64::from(evidence.letters.max(1));
    EDITED
        + EDITED_PER_IMPORTANCE * importance
        + EDITED_PER_SHARE_OF_LETTERS * share_of_letters
        + if_it(evidence.edits > 1, EDITED_TWICE)
        + if_it(matches!(evidence.class, NameClass::Other | NameClass::Weak), EDITED_OTHER_NAME)
        + if_it(evidence.matched > 0, EDITED_IN_CONTEXT)
        + if_it(evidence.respelled, EDITED_SOUND)
}

/// Turns log odds into a probability.
fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

fn round(confidence: f64) -> f64 {
    libm::round(confidence * 1e4) / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Cost, RowId, share};
    use crate::record::Role;
    use crate::search::candidate::FoundBy;

    const SURE: Evidence = Evidence::of_exact(NameClass::Primary, 7);

    const CITY: f64 = 0.8;
    const VILLAGE: f64 = 0.4;

    fn shares_of(candidates: &[(Cost, Evidence)]) -> Vec<f64> {
        let of = |&(cost, evidence): &(Cost, Evidence)| Candidate {
            row: RowId { segment: 0, row: 0 },
            cost,
            evidence,
            found_by: FoundBy::Other,
        };
        shares(&candidates.iter().map(of).collect::<Vec<_>>()).into_iter().map(round).collect()
    }

    #[test]
    fn each_doubt_takes_its_share() {
        let check = |evidence: Evidence, expect: f64| {
            assert_eq!(round(fit(&evidence, CITY)), expect, "{evidence:?}");
            assert_eq!(round(fit(&evidence, VILLAGE)), expect, "{evidence:?}");
        };
        let weak = Evidence { class: NameClass::Weak, ..SURE };
        check(SURE, 0.98);
        check(Evidence { class: NameClass::English, ..SURE }, 0.98);
        check(Evidence { class: NameClass::Other, ..SURE }, 0.95);
        check(weak, 0.85);
        check(Evidence { matched: 1, ..weak }, 0.95);
        check(Evidence { prefix: true, ..SURE }, 0.49);
        check(Evidence { unmatched: 1, ..SURE }, 0.343);
        check(Evidence { unmatched: 1, matched: 1, ..SURE }, 0.6615);
        check(Evidence { unmatched: 2, class: NameClass::Other, ..SURE }, 0.1164);
        check(Evidence { dropped: 1, ..SURE }, 0.392);
        check(Evidence { dropped: 1, matched: 1, ..SURE }, 0.686);
        check(Evidence { dropped_numbers: 1, ..SURE }, 0.686);
        check(Evidence { dropped: 2, dropped_numbers: 1, ..SURE }, 0.1098);
        check(Evidence { respelled: true, ..SURE }, 0.49);
        check(Evidence { mere_kind: true, ..SURE }, 0.392);
        check(Evidence { without_kind: true, ..SURE }, 0.588);
        check(Evidence { without_kind: true, role: Some(Role::Station), ..SURE }, 0.98);
        check(Evidence { code: true, typed_code: true, ..SURE }, 0.441);
    }

    #[test]
    fn a_slip_in_an_important_name_is_likelier() {
        let check = |evidence: Evidence, city: f64, village: f64| {
            let fits = [CITY, VILLAGE].map(|importance| round(fit(&evidence, importance)));
            assert_eq!(fits, [city, village], "{evidence:?}");
        };
        let one = Evidence { edits: 1, ..SURE };
        let two = Evidence { edits: 2, ..SURE };
        check(one, 0.9349, 0.4294);
        check(Evidence { letters: 3, ..one }, 0.8051, 0.1447);
        check(Evidence { letters: 0, ..one }, 0.0227, 0.0009);
        check(Evidence { class: NameClass::Other, ..one }, 0.7811, 0.1408);
        check(Evidence { matched: 1, ..one }, 0.9673, 0.7262);
        check(two, 0.5874, 0.0522);
        check(Evidence { letters: 12, ..two }, 0.7772, 0.1235);
        check(Evidence { respelled: true, ..two }, 0.1278, 0.0055);
    }

    #[test]
    fn rivals_share_what_is_likely() {
        assert_eq!(shares_of(&[]), [0.0; 0]);
        assert_eq!(shares_of(&[(5, SURE), (5, SURE)]), [0.5, 0.5]);
        assert_eq!(shares_of(&[(7, SURE), (7 + share(TEMPERATURE), SURE)]), [0.731, 0.269]);
        let far = [7, 7 + share(2.0 * TEMPERATURE), 7 + share(0.9)];
        assert_eq!(shares_of(&far.map(|cost| (cost, SURE))), [0.8808, 0.1192, 0.0]);
        let code = Evidence { code: true, typed_code: true, ..SURE };
        assert_eq!(shares_of(&[(7, SURE), (7 + share(TEMPERATURE_OF_TYPED_CODE), code)]), [0.731, 0.269]);
    }

    #[test]
    fn unlikely_answers_without_evidence_are_guesses() {
        let check = |confidence: f64, evidence: Evidence, expect: bool| {
            let candidates =
                [Candidate { row: RowId { segment: 0, row: 0 }, cost: 0, evidence, found_by: FoundBy::Other }];
            assert_eq!(are_mere_guesses(&candidates, &[confidence]), expect, "{confidence} {evidence:?}");
        };
        let weak = Evidence { class: NameClass::Weak, ..SURE };
        check(0.04, SURE, false);
        check(0.04, weak, false);
        check(0.04, Evidence { dropped: 3, ..SURE }, false);
        check(0.04, Evidence { dropped: 1, ..weak }, true);
        check(0.04, Evidence { dropped: 1, matched: 1, ..weak }, false);
        check(0.04, Evidence { edits: 1, ..SURE }, true);
        check(0.05, Evidence { edits: 1, ..SURE }, false);
        check(0.049, Evidence { edits: 1, ..SURE }, true);
        check(0.04, Evidence { edits: 1, matched: 1, ..SURE }, false);
        check(0.04, Evidence { prefix: true, ..SURE }, false);
        check(0.04, Evidence { edits: 1, without_kind: true, ..SURE }, false);
        check(0.04, Evidence { respelled: true, ..SURE }, true);
        check(0.04, Evidence { respelled: true, code: true, ..SURE }, false);
        assert!(!are_mere_guesses(&[], &[]));
    }
}
