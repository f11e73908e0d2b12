//! The engine: one opened index or several, and the four operations on them: forward, autocomplete, reverse and batch.

use std::borrow::Cow;

use bytes::Bytes;

use crate::coverage::{self, CountryCoverage};
use crate::explain::{Explanation, explanation};
use crate::facts::{Fact, Finding, MatchedText};
use crate::geo::Coordinate;
use crate::index::{Index, Near, OpenError, PlaceRef};
use crate::label::Labels;
use crate::nearby::Nearby;
use crate::place::{Place, Suggestion};
use crate::query::{Mode, Search};
use crate::record::{About, CodeScheme, Role};
use crate::reference::Reference;
use crate::reverse;
use crate::search::{Admission, Budgets, Candidate, FoundBy, FoundName, are_mere_guesses, candidates, confidences};
use crate::shown::Shown;
use crate::text::point_of;

/// The largest region that may be there as the town on it: half the length of Ibiza, Madeira or Bali.
const SMALL_REGION_M: f64 = 60_000.0;

/// Answers queries from one index, or from several that were [joined](Engine::join). Cheap to share; keeps no state between
/// queries.
pub struct Engine {
    index: Index,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("rows", &self.index.rows()).finish_non_exhaustive()
    }
}

impl Engine {
    /// Creates the engine of an opened index.
    pub(crate) fn of(index: Index) -> Self {
        Self { index }
    }

    /// Opens an index without copying it.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version.
    pub fn open(bytes: impl Into<Bytes>) -> Result<Self, OpenError> {
        Ok(Self { index: Index::open(bytes.into())? })
    }

    /// Opens an index like [`Engine::open`], but skips the checksum, which takes nearly all of the time of opening (about 5 ms
    /// for the full index). For bytes that were verified some other way, such as a pack whose hash was compared or a module of a
    /// deployment. Damaged bytes give wrong answers, but never a panic or an endless loop.
    ///
    /// # Errors
    /// If the frame, the header or the length of a section is not that of an index of this version.
    pub fn open_trusted(bytes: impl Into<Bytes>) -> Result<Self, OpenError> {
        Ok(Self { index: Index::open_trusted(bytes.into())? })
    }

    /// Adds the index of another engine: both answer as one. Call it again for further ones.
    ///
    /// Candidates of all indexes are ranked together. The same `place_id` in several is one place: it is shown as in the first,
    /// and found by its names in all. An area holds for the places of every index, so `Our Quarter, Paris` is found if only
    /// one of them knows Paris. Indexes say the same of a place that they share. The first index with borders decides which
    /// country a point lies in, and which words are no names.
    pub fn join(&mut self, other: Self) {
        self.index.join(other.index);
    }

    /// Returns the index that the engine answers from.
    pub(crate) fn into_index(self) -> Index {
        self.index
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Returns title, date, attribution and country facts of the index; of the first if several are joined.
    pub fn about(&self) -> &About {
        self.index.about()
    }

    /// Returns the metadata of every joined index, in join order. Credit the sources of all of them.
    pub fn about_each(&self) -> impl Iterator<Item = &About> {
        self.index.segments().map(|segment| &segment.file.header.about)
    }

    /// Returns the code of the country that contains a point; `None` at sea, and if the index has no borders.
    pub fn country_at(&self, point: Coordinate) -> Option<[u8; 2]> {
        self.index.country_at(point)
    }

    /// Returns the id of the state that contains a point; `None` if the index does not have its border.
    pub fn state_at(&self, point: Coordinate) -> Option<u64> {
        self.index.state_at(point)
    }

    /// Returns the capital of a country (ISO 3166-1 alpha-2, upper case); `None` if the index lacks the country or its capital.
    pub fn capital(&self, country: [u8; 2]) -> Option<Place> {
        let capital = self.index.country_place(country)?.capital()?;
        Some(Labels::new(&self.index, None).place(capital, 1.0, Finding::default()))
    }

    /// Tells how well the index covers each country. Scans every row, so do not call it for every query.
    pub fn coverage(&self) -> Vec<CountryCoverage> {
        coverage::countries(&self.index)
    }

    /// Returns the places that match a text, the most relevant first; empty if nothing matches, or if the best match is an
    /// unlikely guess.
    ///
    /// A text that is a pair of coordinates means the place there, as [`Engine::reverse`] finds it.
    pub fn forward(&self, search: &Search) -> Vec<Place> {
        self.places(search, None)
    }

    /// Answers as [`Engine::forward`] does, from candidates that are known already.
    pub(crate) fn places(&self, search: &Search, known: Option<&[Candidate]>) -> Vec<Place> {
        let labels = Labels::new(&self.index, search);
        if let Some(point) = point_of(search.text) {
            return self.admitted_at(point, search).map(|near| labels.reversed(near)).into_iter().collect();
        }
        let found = self.found(search, Mode::Forward, known);
        let confidences = confidences(&self.index, &found);
        if are_mere_guesses(&found, &confidences) {
            return Vec::new();
        }
        let best = found.iter().zip(confidences).take(search.limit);
        best.map(|(candidate, confidence)| self.label(&labels, search, candidate, confidence)).collect()
    }

    /// Returns suggestions for a text whose last term may be unfinished. White space at its end finishes the term: `san ` begins
    /// San Jose, but not Santiago. A comma completes the name.
    pub fn autocomplete(&self, search: &Search) -> Vec<Suggestion> {
        self.suggestions(search, None)
    }

    /// Answers as [`Engine::autocomplete`] does, from candidates that are known already.
    pub(crate) fn suggestions(&self, search: &Search, known: Option<&[Candidate]>) -> Vec<Suggestion> {
        let labels = Labels::new(&self.index, search);
        if let Some(point) = point_of(search.text) {
            let near = self.admitted_at(point, search);
            return near.map(|near| labels.suggestion(near.place, Finding::default())).into_iter().collect();
        }
        let found = self.found(search, Mode::Autocomplete, known);
        let best = &found[..found.len().min(search.limit)];
        let mut shown: Vec<Suggestion> = best
            .iter()
            .map(|candidate| labels.suggestion(self.index.place(candidate.row), self.finding(search, candidate)))
            .collect();
        let reads_as_another = |at: usize| {
            shown
                .iter()
                .enumerate()
                .any(|(other, suggestion)| other != at && suggestion.display_name == shown[at].display_name)
        };
        let alike: Vec<usize> = (0..shown.len()).filter(|&at| reads_as_another(at)).collect();
        for at in alike {
            shown[at].display_name = labels.longer_name(self.index.place(best[at].row));
        }
        shown
    }

    /// Finds the place at a point, if the filter admits it.
    fn admitted_at(&self, point: Coordinate, search: &Search) -> Option<Near<'_>> {
        let budgets = Budgets::of_a_question(&self.index);
        budgets.begin(u32::MAX);
        let admission = Admission::new(&self.index, &search.filter, &budgets);
        reverse::place_at(&self.index, point).filter(|near| admission.admits(near.place))
    }

    /// Returns the candidates of [`Engine::forward`], each with its signals.
    pub fn explain_forward(&self, search: &Search) -> Vec<Explanation> {
        self.explain(search, Mode::Forward, None)
    }

    /// Returns the candidates of [`Engine::autocomplete`], each with its signals.
    pub fn explain_autocomplete(&self, search: &Search) -> Vec<Explanation> {
        self.explain(search, Mode::Autocomplete, None)
    }

    /// Returns candidates, each with its signals, which may be known already.
    pub(crate) fn explain(&self, search: &Search, mode: Mode, known: Option<&[Candidate]>) -> Vec<Explanation> {
        let labels = Labels::new(&self.index, search);
        let found = self.found(search, mode, known);
        let best = found.iter().zip(confidences(&self.index, &found)).take(search.limit);
        let explained = |(candidate, confidence): (&Candidate, f64)| {
            explanation(self.label(&labels, search, candidate, confidence), candidate)
        };
        best.map(explained).collect()
    }

    /// Returns the candidates of a search, each place once.
    fn found<'c>(&self, search: &Search, mode: Mode, known: Option<&'c [Candidate]>) -> Cow<'c, [Candidate]> {
        known.map_or_else(|| Cow::Owned(self.distinct(candidates(&self.index, search, mode))), Cow::Borrowed)
    }

    /// Returns the place of a candidate, as it is shown.
    fn label<'i>(&'i self, labels: &Labels<'i>, search: &Search, candidate: &Candidate, confidence: f64) -> Place {
        labels.place(self.index.place(candidate.row), confidence, self.finding(search, candidate))
    }

    /// Returns the place at a point, shown with the language and the facts asked for; `None` at sea and far from everything.
    pub fn reverse<'q>(&self, point: Coordinate, shown: impl Into<Shown<'q>>) -> Option<Place> {
        let near = reverse::place_at(&self.index, point)?;
        Some(Labels::new(&self.index, shown).reversed(near))
    }

    /// Returns the places near a point that the filter of `nearby` admits, at most [`Nearby::limit`], each with its distance from
    /// the point in metres. Places of the same distance are in order of their rows.
    ///
    /// Countries, divisions and regions that contain the point have the distance 0 and come first, the smallest of them
    /// first; they are found only if the filter asks for their types. Among the others, the answer of [`Engine::reverse`] is
    /// first if the filter admits it and it is not farther away than asked for.
    pub fn nearby(&self, nearby: &Nearby) -> Vec<(Place, f64)> {
        let labels = Labels::new(&self.index, nearby);
        let found = reverse::nearby(&self.index, nearby).into_iter();
        found.map(|near| (labels.reversed(near), libm::round(near.distance_m))).collect()
    }

    /// Returns the place that a reference means, shown with the language and the facts asked for; `None` if the index lacks it.
    /// The confidence of the place is 1.
    pub fn place<'q>(&self, reference: &Reference, shown: impl Into<Shown<'q>>) -> Option<Place> {
        Some(Labels::new(&self.index, shown).place(self.find(reference)?, 1.0, Finding::default()))
    }

    /// Finds the place that a reference means.
    pub(crate) fn find(&self, reference: &Reference) -> Option<PlaceRef<'_>> {
        match reference {
            Reference::Id(id) => self.index.find(*id),
            Reference::Code { scheme, code, country } => {
                let is_it = |&(other, place): &(CodeScheme, PlaceRef)| {
                    other == *scheme && country.is_none_or(|country| place.country().iso2 == country)
                };
                self.index.meanings(code).into_iter().find(is_it).map(|(_, place)| place)
            }
        }
    }

    /// Tells whether places of the index have names in a language (a BCP 47 tag), or in one of its shorter tags.
    pub fn has_language(&self, tag: &str) -> bool {
        self.index.segments().any(|segment| !segment.file.translations.languages(tag).is_empty())
    }

    /// Tells whether places of the index have this type, or it is the name of a role: [`Filter::types`](crate::Filter) takes
    /// both.
    pub fn has_type(&self, name: &str) -> bool {
        Role::from_name(name).is_some() || self.index.segments().any(|segment| segment.file.has_type(name))
    }

    /// Tells how a text found a candidate, as far as the search asks for facts that say so.
    pub(crate) fn finding(&self, search: &Search, candidate: &Candidate) -> Finding {
        let asks = |fact| search.facts.contains(fact);
        let focus = search.focus.filter(|_| asks(Fact::Distance));
        let distance_m = focus.map(|focus| focus.distance_m(self.index.place(candidate.row).position()));
        let by = match candidate.found_by {
            _ if !asks(Fact::Matched) => None,
            FoundBy::Name(FoundName { segment, is_alternate, number }) => {
                self.index.segment(segment).file.folded_name(is_alternate, number).map(MatchedText::Name)
            }
            FoundBy::Code(code) => {
                let text = code.into_iter().take_while(|&byte| byte > 0).map(char::from).collect();
                Some(MatchedText::Code(text))
            }
            FoundBy::Other => None,
        };
        Finding { by, distance_m }
    }

    /// Removes areas that are there twice: Tokyo, the prefecture, behind Tokyo, the city in it; they would read the same. A region
    /// such as an island is its town as well, if it is small and the town lies on it.
    pub(crate) fn distinct(&self, found: Vec<Candidate>) -> Vec<Candidate> {
        let mut kept: Vec<(Candidate, &str)> = Vec::with_capacity(found.len());
        for candidate in found {
            let place = self.index.place(candidate.row);
            let name = place.display_name();
            let is_there = |&(ref other, of_other): &(Candidate, &str)| {
                of_other == name && is_same_area(place, self.index.place(other.row))
            };
            if !kept.iter().any(is_there) {
                kept.push((candidate, name));
            }
        }
        kept.into_iter().map(|(candidate, _)| candidate).collect()
    }
}

/// Tells whether of two places of one name, one is an area that the other lies in.
fn is_same_area(a: PlaceRef, b: PlaceRef) -> bool {
    let is_area = |place: PlaceRef| {
        use Role::{City, County, Quarter, Region, State};
        matches!(place.role(), City | County | Quarter | Region | State)
    };
    let holds = |area: PlaceRef, place: PlaceRef| {
        let is_island = area.role() == Role::Region && area.extent_m() <= SMALL_REGION_M;
        place.ancestors().any(|other| other.row == area.row) || (is_island && area.bounds().contains(place.position()))
    };
    is_area(a) && is_area(b) && (holds(a, b) || holds(b, a))
}
