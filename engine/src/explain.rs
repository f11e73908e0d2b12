//! Explains the ranking: the candidates of a query with the signals that decide their order. For developers and tuning.

use serde::Serialize;

use crate::facts::Facts;
use crate::index::UNIT;
use crate::place::Place;
use crate::record::{NameClass, Role};
use crate::search::{Candidate, Spelling};

/// A candidate with its signals. Costs are in points of importance; lower is better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The name followed by the areas it lies in.
    pub display_name: String,
    /// The place's id.
    pub place_id: u64,
    /// The sort key of candidates: `1 - importance` plus all penalties.
    pub cost: f64,
    /// 0 to 1.
    pub importance: f64,
    /// 0 to 1.
    pub confidence: f64,
    /// Class of the name that matched.
    pub class: NameClass,
    /// Edit distance between the text and the name.
    pub edits: u8,
    /// The text is only a prefix of the name.
    pub prefix: bool,
    /// Number of matched and of unmatched areas of the context.
    pub context: (u8, u8),
    /// Number of terms that were dropped.
    pub dropped: u8,
    /// The text was transliterated, or only sounds like the name.
    pub respelled: bool,
    /// If the place was guessed because the text may spell its name in another script: how unlikely that is, in nats for each
    /// letter of the text. JSON leaves it out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spelling: Option<f64>,
    /// The text is a code of the place.
    pub code: bool,
    /// The role that a term of the text asks for, if the place has it. JSON leaves it out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Facts that were asked for.
    #[serde(flatten)]
    pub facts: Option<Box<Facts>>,
}

/// Creates the explanation of a candidate, as it is shown.
pub(crate) fn explanation(place: Place, candidate: &Candidate) -> Explanation {
    let evidence = candidate.evidence;
    Explanation {
        display_name: place.display_name,
        place_id: place.place_id,
        cost: libm::round(f64::from(candidate.cost) / f64::from(UNIT) * 1e4) / 1e4,
        importance: place.importance,
        confidence: place.confidence,
        class: evidence.class,
        edits: evidence.edits,
        prefix: evidence.prefix,
        context: (evidence.matched, evidence.unmatched),
        dropped: evidence.dropped + evidence.dropped_numbers,
        respelled: evidence.respelled,
        spelling: evidence.spelling.map(Spelling::nats_per_letter),
        code: evidence.code,
        role: evidence.role,
        facts: place.facts,
    }
}
