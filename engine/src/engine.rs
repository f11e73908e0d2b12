//! The engine: one opened index or several, and the four operations on them: forward, autocomplete, reverse and batch.

use std::borrow::Cow;

use bytes::Bytes;

use crate::coverage::{self, CountryCoverage};
use crate::explain::{Explanation, explanation};
use crate::facts::{Fact, Finding, MatchedText};
use crate::geo::Coordinate;
use crate::index::{Cost, Index, Near, OpenError, PlaceRef, share};
use crate::label::Labels;
use crate::nearby::Nearby;
use crate::place::{Place, Suggestion};
use crate::query::{Mode, Search};
use crate::record::{About, Role};
use crate::reference::Reference;
use crate::reverse;
use crate::search::{
    Admission, Budgets, Candidate, FoundBy, FoundName, NamedAreas, are_mere_guesses, candidates, confidences,
};
use crate::shown::Shown;
use crate::text::point_of;

/// The largest region that may be there as the town on it: half the length of Ibiza, Madeira or Bali.
const SMALL_REGION_M: f64 = 60_000.0;

/// Cost by which a city may be behind the state of its name, and still stand for both. With .15, `Provincia de Santiago del Estero`
/// was the city.
const NEARLY_AS_KNOWN: Cost = share(0.1);

/// Answers queries from one index, or from several that were [joined](Engine::join). Cheap to share; keeps no state between
/// queries.
pub struct Engine {
    index: Index,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows: u32 = self.index.segments().map(|segment| segment.file.rows()).sum();
        f.debug_struct("Engine").field("rows", &rows).finish_non_exhaustive()
    }
}

impl Engine {
    /// Creates the engine of an opened index.
    pub(crate) fn from_index(index: Index) -> Self {
        Self { index }
    }

    /// Opens an index without copying it.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version.
    ///
    /// # Example: open an index, and see what is wrong with a file
    ///
    /// ```
    /// use toponym_engine::{Engine, index, index::OpenError};
    ///
    /// # let places = toponym_workload::example_gazetteer();
    /// let engine = Engine::open(index::write(&places)?)?;
    /// assert_eq!(engine.about().title, "example");
    /// assert_eq!(Engine::open(&b"no index"[..]).unwrap_err(), OpenError::NotAnIndex);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(bytes: impl Into<Bytes>) -> Result<Self, OpenError> {
        Ok(Self { index: Index::open(bytes.into())? })
    }

    /// Opens an index like [`Engine::open`], but skips the checksum, which takes nearly all of the time of opening (about 5 ms
    /// for the full index). For bytes that were verified some other way, such as a pack whose hash was compared or a module of a
    /// deployment. Damaged bytes give wrong answers, but never a panic or an endless loop.
    ///
    /// # Errors
    /// If the frame, the header or the length of a section is not that of an index of this version.
    ///
    /// # Example: open bytes that were verified before
    ///
    /// ```
    /// use toponym_engine::{Engine, index};
    ///
    /// # let places = toponym_workload::example_gazetteer();
    /// let verified = index::write(&places)?;
    /// let engine = Engine::open_trusted(verified)?;
    /// assert!(engine.has_language("de"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_trusted(bytes: impl Into<Bytes>) -> Result<Self, OpenError> {
        Ok(Self { index: Index::open_trusted(bytes.into())? })
    }

    /// Adds the index of another engine: both answer as one. Call it again for further ones.
    ///
    /// Candidates of all indexes are ranked together. The same `place_id` in several is one place: it is shown as in the first,
    /// and found by its names in all. An area holds for the places of every index, so `Our Quarter, Paris` is found if only
    /// one of them knows Paris. Indexes say the same of a place that they share. The first index with borders decides which
    /// country a point lies in, and which words are not names.
    ///
    /// # Example: add places of your own
    ///
    /// ```
    /// use toponym_engine::{Engine, Gazetteer, Name, NameClass, Search, index};
    ///
    /// # let mut engine = toponym_workload::example_engine();
    /// # let places = toponym_workload::example_gazetteer().places;
    /// // A market in Paris, which both indexes have. Ids of your own lie above 2^48.
    /// let mut market = places.iter().find(|place| place.names[0].text == "Montmartre").unwrap().clone();
    /// market.id = (1 << 48) + 1;
    /// market.names = vec![Name { text: "Corner Market".into(), class: NameClass::Primary, lang: None }];
    /// let own = Gazetteer { places: [market].into_iter().chain(places).collect(), ..Gazetteer::default() };
    ///
    /// engine.join(Engine::open(index::write(&own)?)?);
    /// assert_eq!(engine.forward(&Search::new("corner market, paris", 1))[0].place_id, (1 << 48) + 1);
    /// assert_eq!(engine.forward(&Search::new("louvre", 5)).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// # Example: show the date of the data
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// assert_eq!(engine.about().data_date, "2026-11-01");
    /// ```
    pub fn about(&self) -> &About {
        self.index.about()
    }

    /// Returns the metadata of every joined index, in join order. Credit the sources of all of them.
    ///
    /// # Example: credit all sources
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// let credits: Vec<&str> = engine.about_each().flat_map(|about| &about.attribution).map(String::as_str).collect();
    /// assert_eq!(credits, ["GeoNames, CC BY 4.0"]);
    /// ```
    pub fn about_each(&self) -> impl Iterator<Item = &About> {
        self.index.segments().map(|segment| &segment.file.header.about)
    }

    /// Returns the code of the country that contains a point; `None` at sea, and if the index has no borders.
    ///
    /// # Example: find the country of a point
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::geo::Coordinate;
    ///
    /// let dijon = Coordinate::new(47.32, 5.04).unwrap();
    /// let atlantic = Coordinate::new(40.0, -30.0).unwrap();
    /// assert_eq!(engine.country_at(dijon), Some(*b"FR"));
    /// assert_eq!(engine.country_at(atlantic), None);
    /// ```
    pub fn country_at(&self, point: Coordinate) -> Option<[u8; 2]> {
        self.index.vicinity(point).country()
    }

    /// Returns the id of the state that contains a point; `None` if the index does not have its border.
    ///
    /// # Example: find the state of a point
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::geo::Coordinate;
    ///
    /// let texas = engine.place(&"iso:US-TX".parse().unwrap(), None).unwrap();
    /// let waco = Coordinate::new(31.55, -97.15).unwrap();
    /// assert_eq!(engine.state_at(waco), Some(texas.place_id));
    /// ```
    pub fn state_at(&self, point: Coordinate) -> Option<u64> {
        self.index.vicinity(point).state()
    }

    /// Returns the capital of a country (ISO 3166-1 alpha-2, upper case); `None` if the index lacks the country or its capital.
    ///
    /// # Example: find the capital of a country
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// assert_eq!(engine.capital(*b"FR").unwrap().display_name, "Paris, Île-de-France, France");
    /// assert_eq!(engine.capital(*b"XX"), None);
    /// ```
    pub fn capital(&self, country: [u8; 2]) -> Option<Place> {
        let capital = self.index.country_place(country)?.capital()?;
        Some(Labels::new(&self.index, None).place(capital, 1.0, Finding::default()))
    }

    /// Tells how well the index covers each country. Scans every row, so do not call it for every query.
    ///
    /// # Example: count the airports of each country
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// let countries = engine.coverage();
    /// let airports: Vec<(&str, u32)> =
    ///     countries.iter().map(|country| (country.code.as_str(), country.by_kind.airports)).collect();
    /// assert_eq!(airports, [("FR", 1), ("US", 0)]);
    /// ```
    pub fn coverage(&self) -> Vec<CountryCoverage> {
        coverage::countries(&self.index)
    }

    /// Returns the places that match a text, the most relevant first; empty if nothing matches, or if the best match is an
    /// unlikely guess.
    ///
    /// A text that is a pair of coordinates means the place there, as [`Engine::reverse`] finds it.
    ///
    /// # Example: find a place by its name and a state
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::Search;
    ///
    /// let places = engine.forward(&Search::new("paris, texas", 5));
    /// assert_eq!(places[0].display_name, "Paris, Texas, United States");
    /// assert_eq!((places[0].lat, places[0].lon), (33.66094, -95.55551));
    /// assert!(engine.forward(&Search::new("qqqqqqqq", 5)).is_empty());
    /// ```
    pub fn forward(&self, search: &Search) -> Vec<Place> {
        self.places(search, None)
    }

    /// Answers as [`Engine::forward`] does, from candidates that are known already.
    pub(crate) fn places(&self, search: &Search, known: Option<&[Candidate]>) -> Vec<Place> {
        let labels = Labels::new(&self.index, search);
        if let Some(point) = point_of(search.text) {
            return self.admitted_at(point, search).map(|near| labels.place_near(near)).into_iter().collect();
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
    ///
    /// # Example: suggest places while somebody types
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::Search;
    ///
    /// let names = |text| -> Vec<String> {
    ///     engine.autocomplete(&Search::new(text, 5)).into_iter().map(|suggestion| suggestion.display_name).collect()
    /// };
    /// assert_eq!(names("montm"), ["Montmartre, Paris, Île-de-France, France"]);
    /// assert_eq!(names("montm "), [""; 0], "the space finishes the word");
    /// ```
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
        let admission = Admission::new(&self.index, &search.filter, &budgets, &mut NamedAreas::default());
        reverse::place_at(&self.index, point).filter(|near| admission.admits(near.place))
    }

    /// Returns the candidates of [`Engine::forward`], each with its signals.
    ///
    /// # Example: see why a place is first
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::Search;
    ///
    /// let found = engine.explain_forward(&Search::new("pariss, tx", 5));
    /// assert_eq!(found[0].display_name, "Paris, Texas, United States");
    /// assert_eq!((found[0].edits, found[0].context), (1, (1, 0)), "one letter too many, in the area that the text names");
    /// ```
    pub fn explain_forward(&self, search: &Search) -> Vec<Explanation> {
        self.explain(search, Mode::Forward, None)
    }

    /// Returns the candidates of [`Engine::autocomplete`], each with its signals.
    ///
    /// # Example: see which suggestions are beginnings
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::Search;
    ///
    /// assert!(engine.explain_autocomplete(&Search::new("louv", 1))[0].prefix);
    /// assert!(!engine.explain_autocomplete(&Search::new("louvre", 1))[0].prefix);
    /// ```
    pub fn explain_autocomplete(&self, search: &Search) -> Vec<Explanation> {
        self.explain(search, Mode::Autocomplete, None)
    }

    /// Returns candidates, each with its signals, which may be known already.
    pub(crate) fn explain(&self, search: &Search, mode: Mode, known: Option<&[Candidate]>) -> Vec<Explanation> {
        let labels = Labels::new(&self.index, search);
        let found = self.found(search, mode, known);
        let best = found.iter().zip(confidences(&self.index, &found)).take(search.limit);
        best.map(|(candidate, confidence)| explanation(self.label(&labels, search, candidate, confidence), candidate))
            .collect()
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
    ///
    /// # Example: find the place at a point, in German
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::geo::Coordinate;
    ///
    /// let point = Coordinate::new(48.861, 2.3365).unwrap();
    /// let place = engine.reverse(point, Some("de")).unwrap();
    /// assert_eq!(place.address.get("tourism"), Some("Louvre-Museum"));
    /// assert_eq!(place.country, "Frankreich");
    /// assert_eq!(engine.reverse(Coordinate::new(40.0, -30.0).unwrap(), None), None, "at sea");
    /// ```
    pub fn reverse<'q>(&self, point: Coordinate, shown: impl Into<Shown<'q>>) -> Option<Place> {
        let near = reverse::place_at(&self.index, point)?;
        Some(Labels::new(&self.index, shown).place_near(near))
    }

    /// Returns the places near a point that the filter of `nearby` admits, at most [`Nearby::limit`], each with its distance from
    /// the point in metres. Places of the same distance are in order of their rows.
    ///
    /// Countries, divisions and regions that contain the point have the distance 0 and come first, the smallest of them
    /// first; they are found only if the filter asks for their types. Among the others, the answer of [`Engine::reverse`] is
    /// first if the filter admits it and it is not farther away than asked for.
    ///
    /// # Example: list the airports near a point
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::geo::Coordinate;
    /// use toponym_engine::{Filter, Nearby};
    ///
    /// let louvre = Coordinate::new(48.86111, 2.33639).unwrap();
    /// let airports = Filter { types: &["airport"], ..Filter::default() };
    /// let found = engine.nearby(&Nearby { filter: airports, ..Nearby::new(louvre, 3) });
    /// let (airport, metres) = &found[0];
    /// assert_eq!(airport.display_name, "Paris Charles de Gaulle Airport, Île-de-France, France");
    /// assert_eq!(*metres, 22_975.0);
    /// ```
    pub fn nearby(&self, nearby: &Nearby) -> Vec<(Place, f64)> {
        let labels = Labels::new(&self.index, nearby);
        let found = reverse::nearby(&self.index, nearby).into_iter();
        found.map(|near| (labels.place_near(near), libm::round(near.distance_m))).collect()
    }

    /// Returns the place that a reference means, shown with the language and the facts asked for; `None` if the index lacks it.
    /// The confidence of the place is 1.
    ///
    /// # Example: look up a place by its code
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// let airport = engine.place(&"iata:CDG".parse().unwrap(), None).unwrap();
    /// assert_eq!(airport.kind, "aerodrome");
    /// let france = engine.place(&"iso:FR".parse().unwrap(), Some("de")).unwrap();
    /// assert_eq!(france.display_name, "Frankreich");
    /// ```
    pub fn place<'q>(&self, reference: &Reference, shown: impl Into<Shown<'q>>) -> Option<Place> {
        Some(Labels::new(&self.index, shown).place(self.find(reference)?, 1.0, Finding::default()))
    }

    /// Finds the place that a reference means.
    pub(crate) fn find(&self, reference: &Reference) -> Option<PlaceRef<'_>> {
        match reference {
            Reference::Id(id) => self.index.find(*id),
            Reference::Code { scheme, code, country } => {
                let meanings = self.index.meanings(code).into_iter();
                let mut places = meanings.filter(|(other, _)| other == scheme).map(|(_, place)| place);
                places.find(|place| country.is_none_or(|country| place.country().iso2 == country))
            }
        }
    }

    /// Tells whether places of the index have names in a language (a BCP 47 tag), or in one of its shorter tags.
    ///
    /// # Example: ask whether names of a language are there
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// assert!(engine.has_language("de-AT"), "there are names in de");
    /// assert!(!engine.has_language("sw"));
    /// ```
    pub fn has_language(&self, tag: &str) -> bool {
        self.index.segments().any(|segment| !segment.file.translations.languages(tag).is_empty())
    }

    /// Tells whether places of the index have this type, or it is the name of a role: [`Filter::types`](crate::Filter) takes
    /// both.
    ///
    /// # Example: check the types of a filter
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// assert!(engine.has_type("airport") && engine.has_type("museum"));
    /// assert!(!engine.has_type("casino"));
    /// ```
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

    /// Removes areas that are there twice: Tokyo, the prefecture, beside Tokyo, the city in it; they would read the same. A region
    /// such as an island is its town as well, if it is small and the town lies on it. The first of both stays, but a city takes
    /// the place of its state if the text is a name of both.
    pub(crate) fn distinct(&self, found: Vec<Candidate>) -> Vec<Candidate> {
        let mut kept: Vec<(Candidate, &str)> = Vec::with_capacity(found.len());
        for candidate in found {
            let place = self.index.place(candidate.row);
            let name = place.display_name();
            let twin = kept
                .iter_mut()
                .find(|(other, of_other)| *of_other == name && is_same_area(place, self.index.place(other.row)));
            match twin {
                Some((other, _)) if self.is_city_of_state(&candidate, other) => {
                    *other = Candidate { cost: other.cost, ..candidate };
                }
                Some(_) => {}
                None => kept.push((candidate, name)),
            }
        }
        kept.into_iter().map(|(candidate, _)| candidate).collect()
    }

    /// Tells whether the first candidate is a city and the second a state, which is hardly better known and found by as much of a text:
    /// `kanton uri` is all of the name of one, and has a word that the other has not.
    fn is_city_of_state(&self, city: &Candidate, state: &Candidate) -> bool {
        let role = |candidate: &Candidate| self.index.place(candidate.row).role();
        let asked = (state.evidence.role, state.evidence.letters);
        (role(city), role(state)) == (Role::City, Role::State)
            && asked == (None, city.evidence.letters)
            && city.cost <= state.cost + NEARLY_AS_KNOWN
    }
}

/// Tells whether of two places of one name, one is an area that the other lies in.
fn is_same_area(a: PlaceRef, b: PlaceRef) -> bool {
    is_area_below_country(a) && is_area_below_country(b) && (holds(a, b) || holds(b, a))
}

/// Tells whether a place is an area smaller than a country.
fn is_area_below_country(place: PlaceRef) -> bool {
    use Role::{City, County, Quarter, Region, State};
    matches!(place.role(), City | County | Quarter | Region | State)
}

/// Tells whether an area contains a place; a small island contains what lies within its bounds.
fn holds(area: PlaceRef, place: PlaceRef) -> bool {
    let is_island = area.role() == Role::Region && area.extent_m() <= SMALL_REGION_M;
    place.ancestors().any(|other| other.row == area.row) || (is_island && area.bounds().contains(place.position()))
}
