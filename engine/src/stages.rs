//! The stages of a question, each by itself, for benches (`benches/stages.rs`): with the feature `stages`, which no host
//! needs. What a stage finds is counted rather than handed out.

use crate::engine::Engine;
use crate::geo::Coordinate;
use crate::index::{Cost, Index, NameSearch, share};
use crate::label::Labels;
use crate::place::{Place, Suggestion};
use crate::query::{Mode, Search};
use crate::reverse;
use crate::search::{Candidate, candidates, confidences, counted};
use crate::text;

/// What an edit costs where only the search for it is measured.
const EDIT: Cost = share(0.25);

/// The stages of an opened engine.
#[derive(Clone, Copy)]
pub struct Stages<'e> {
    index: &'e Index,
}

impl std::fmt::Debug for Stages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stages").finish_non_exhaustive()
    }
}

/// Candidates of a text, on their way to an answer.
#[derive(Clone, Debug)]
pub struct Found(Vec<Candidate>);

/// The parts of a query between commas and the like, each folded.
pub fn segments(text: &str) -> Vec<String> {
    text::segments(text)
}

impl Engine {
    /// The stages of this engine's questions.
    pub fn stages(&self) -> Stages<'_> {
        Stages { index: self.index() }
    }
}

impl Stages<'_> {
    /// Text to folded terms: how many.
    pub fn terms(self, text: &str) -> usize {
        counted::terms(text)
    }

    /// A text as a code: how many places it stands for.
    pub fn code(self, text: &str) -> usize {
        self.index.meanings(&text.to_ascii_uppercase()).len()
    }

    /// Places that are called exactly so (folded), in both tables of names.
    pub fn exact(self, name: &str) -> usize {
        let tables = [self.index.usual_names(), self.index.alternates()];
        tables.into_iter().filter_map(|names| names.id(name).map(|id| names.postings(id).count())).sum()
    }

    /// The `most` best names that begin so (folded), without their alternates: how many there are of them.
    pub fn prefix(self, beginning: &str, most: usize) -> usize {
        NameSearch::prefix(self.index.usual_names(), beginning, 0).take(most).count()
    }

    /// The `most` best names within `edits` (1 or 2) of a name (folded), without their alternates: how many there are.
    pub fn with_edits(self, name: &str, edits: u8, most: usize) -> usize {
        NameSearch::fuzzy(self.index.usual_names(), name, None, edits, EDIT).take(most).count()
    }

    /// A text as the areas that say where a name lies: how many parts, `None` where some term is of no area.
    pub fn context(self, text: &str) -> Option<usize> {
        counted::context(self.index, text)
    }

    /// Places whose names sound like a text in Latin letters: how many.
    pub fn by_sound(self, text: &str) -> usize {
        counted::by_sound(self.index, text)
    }

    /// Everything before confidence and labels: the candidates of a text, complete or not.
    pub fn candidates(self, search: &Search, unfinished: bool) -> Found {
        Found(candidates(self.index, search, if unfinished { Mode::Autocomplete } else { Mode::Forward }))
    }

    /// How sure each candidate is.
    pub fn confidences(self, found: &Found) -> Vec<f64> {
        confidences(&found.0)
    }

    /// The label of the first candidate as forward shows it.
    pub fn place(self, found: &Found) -> Option<Place> {
        found.0.first().map(|candidate| Labels::new(self.index, None).place(candidate.row, 1.0))
    }

    /// The label of the first candidate as autocomplete shows it.
    pub fn suggestion(self, found: &Found) -> Option<Suggestion> {
        found.0.first().map(|candidate| Labels::new(self.index, None).suggestion(candidate.row))
    }

    /// Whether a point is in some country, by borders and land.
    pub fn country(self, point: Coordinate) -> bool {
        self.index.country_at(point).is_some() && self.index.is_near_land(point)
    }

    /// Distance in metres of the nearest city or quarter of any country.
    pub fn nearest(self, point: Coordinate) -> Option<f64> {
        self.index.populated().nearest(point, reverse::AREA_WITHIN_M, |_| true).map(|near| near.distance_m)
    }

    /// Country, nearest place of it and site: everything but the label. Distance in metres.
    pub fn place_at(self, point: Coordinate) -> Option<f64> {
        reverse::place_at(self.index, point).map(|near| near.distance_m)
    }
}
