//! The stages of a query one by one, for `benches/stages.rs`. Needs the feature `stages`, which no host needs. Most
//! methods return how much a stage finds rather than what.

use crate::engine::Engine;
use crate::facts::Finding;
use crate::geo::Coordinate;
use crate::index::{Cost, Index, NameSearch, share};
use crate::label::Labels;
use crate::place::{Place, Suggestion};
use crate::query::{Mode, Search};
use crate::reverse;
use crate::search::{Candidate, candidates, confidences, counted};
use crate::text;

/// Cost of an edit in the benches of name searches.
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

/// Candidates of a text.
#[derive(Clone, Debug)]
pub struct Found(Vec<Candidate>);

/// Splits a query at commas and the like into its parts, each folded.
pub fn segments(text: &str) -> Vec<String> {
    text::segments(text)
}

impl<'e> Stages<'e> {
    /// Returns the stages of an engine's queries.
    pub fn new(engine: &'e Engine) -> Self {
        Self { index: engine.index() }
    }

    /// Counts the folded terms of a text.
    pub fn terms(self, text: &str) -> usize {
        counted::terms(text)
    }

    /// Counts the places that have a text as a code.
    pub fn code(self, text: &str) -> usize {
        self.index.meanings(&text.to_ascii_uppercase()).len()
    }

    /// Counts the places with exactly this name (folded), in both tables of names.
    pub fn exact(self, name: &str) -> usize {
        let tables = [&self.index.segment(0).file.usual, &self.index.segment(0).file.alternates];
        tables.into_iter().filter_map(|names| names.id(name).map(|id| names.postings(id).count())).sum()
    }

    /// Counts the usual names, at most `k`, that start with a prefix (folded): a search for the `k` cheapest.
    pub fn prefix(self, prefix: &str, k: usize) -> usize {
        NameSearch::prefix(&self.index.segment(0).file.usual, prefix, 0).take(k).count()
    }

    /// Counts the usual names, at most `k`, within `edits` (1 or 2) of a name (folded): a search for the `k` cheapest.
    pub fn with_edits(self, name: &str, edits: u8, k: usize) -> usize {
        NameSearch::fuzzy(&self.index.segment(0).file.usual, name, None, edits, EDIT).take(k).count()
    }

    /// Counts the areas that a text resolves to as a context; `None` if some term is part of no area.
    pub fn context(self, text: &str) -> Option<usize> {
        counted::context(self.index, text)
    }

    /// Counts the places whose names sound like a text in Latin letters.
    pub fn by_sound(self, text: &str) -> usize {
        counted::by_sound(self.index, text)
    }

    /// Returns the candidates of a text: all stages before confidence and labels.
    pub fn candidates(self, search: &Search, unfinished: bool) -> Found {
        Found(candidates(self.index, search, if unfinished { Mode::Autocomplete } else { Mode::Forward }))
    }

    /// Returns the confidence of each candidate.
    pub fn confidences(self, found: &Found) -> Vec<f64> {
        confidences(self.index, &found.0)
    }

    /// Returns the label of the first candidate for forward.
    pub fn place(self, found: &Found) -> Option<Place> {
        found.0.first().map(|candidate| {
            Labels::new(self.index, None).place(self.index.place(candidate.row), 1.0, Finding::default())
        })
    }

    /// Returns the label of the first candidate for autocomplete.
    pub fn suggestion(self, found: &Found) -> Option<Suggestion> {
        found.0.first().map(|candidate| {
            Labels::new(self.index, None).suggestion(self.index.place(candidate.row), Finding::default())
        })
    }

    /// Tells whether a point is in a country and near land.
    pub fn country(self, point: Coordinate) -> bool {
        let vicinity = self.index.vicinity(point);
        vicinity.country().is_some() && vicinity.is_near_land()
    }

    /// Returns the distance in metres to the nearest city or quarter of any country.
    pub fn nearest(self, point: Coordinate) -> Option<f64> {
        self.index
            .segment(0)
            .file
            .populated()
            .nearest(&crate::geo::Centre::new(point), crate::nearby::AREA_WITHIN_M, |_| true, |_| true)
            .map(|near| near.distance_m)
    }

    /// Runs all of reverse but the label. Returns the distance in metres to the place found.
    pub fn place_at(self, point: Coordinate) -> Option<f64> {
        reverse::place_at(self.index, point).map(|near| near.distance_m)
    }
}
