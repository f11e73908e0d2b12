//! The engine: an opened index, and the four operations on it: forward, autocomplete, reverse and batch.

use bytes::Bytes;

use crate::coverage::{self, CountryCoverage};
use crate::geo::Coordinate;
use crate::index::{Index, OpenError};
use crate::label::Labels;
use crate::place::{BatchResult, Outcome, Place, Suggestion};
use crate::query::{MAX_QUERY_CHARS, Mode, Search};
use crate::record::{About, Role};
use crate::reverse;
use crate::search::{Candidate, are_mere_guesses, candidates, confidences};

/// Answers queries from one index. Cheap to share; keeps no state between queries.
pub struct Engine {
    index: Index,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("rows", &self.index.rows()).finish_non_exhaustive()
    }
}

impl Engine {
    /// Opens an index without copying it.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged index of this version.
    pub fn open(bytes: impl Into<Bytes>) -> Result<Self, OpenError> {
        Ok(Self { index: Index::open(bytes.into())? })
    }

    /// Like [`Engine::open`], but skips the checksum, which takes nearly all of the time of opening (about 5 ms for the
    /// full index). For bytes that were verified some other way, such as a pack whose hash was compared or a module of a
    /// deployment. Damaged bytes give wrong answers, but never a panic or an endless loop.
    ///
    /// # Errors
    /// If the frame, the header or the length of a section is not that of an index of this version.
    pub fn open_trusted(bytes: impl Into<Bytes>) -> Result<Self, OpenError> {
        Ok(Self { index: Index::open_trusted(bytes.into())? })
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Title, date, attribution and country facts of the index.
    pub fn about(&self) -> &About {
        self.index.about()
    }

    /// The code of the country that contains a point; `None` at sea, and if the index has no borders.
    pub fn country_at(&self, point: Coordinate) -> Option<[u8; 2]> {
        let number = self.index.country_at(point)?;
        self.index.countries().get(usize::from(number)).map(|country| country.iso2)
    }

    /// The capital of a country (ISO 3166-1 alpha-2, upper case); `None` if the index lacks the country or its capital.
    pub fn capital(&self, country: [u8; 2]) -> Option<Place> {
        let countries = self.index.countries();
        let at = countries.binary_search_by_key(&country, |country| country.iso2).ok()?;
        let capital = self.index.country_place(countries[at])?.capital()?;
        Some(Labels::new(&self.index, None).place(capital.row, 1.0))
    }

    /// How well the index covers each country. Scans every row, so do not call it for every query.
    pub fn coverage(&self) -> Vec<CountryCoverage> {
        coverage::countries(&self.index)
    }

    /// The places that match a text, the most relevant first; empty if nothing matches, or if the best
    /// match is an unlikely guess.
    pub fn forward(&self, search: &Search) -> Vec<Place> {
        let found = self.distinct(candidates(&self.index, search, Mode::Forward));
        let confidences = confidences(&found);
        if are_mere_guesses(&found, &confidences) {
            return Vec::new();
        }
        let labels = Labels::new(&self.index, search.lang);
        let best = found.iter().zip(confidences).take(search.limit);
        best.map(|(candidate, confidence)| labels.place(candidate.row, confidence)).collect()
    }

    /// Suggestions for a text whose last term may be unfinished.
    pub fn autocomplete(&self, search: &Search) -> Vec<Suggestion> {
        let found = self.distinct(candidates(&self.index, search, Mode::Autocomplete));
        let labels = Labels::new(&self.index, search.lang);
        found.iter().take(search.limit).map(|candidate| labels.suggestion(candidate.row)).collect()
    }

    /// The place at a point; `None` at sea and far from everything.
    pub fn reverse(&self, point: Coordinate) -> Option<Place> {
        let near = reverse::place_at(&self.index, point)?;
        let labels = Labels::new(&self.index, None);
        let mut place = labels.place(near.row, reverse::confidence(&self.index, near));
        if matches!(self.index.place(near.row).role(), Role::Airport | Role::Station | Role::Landmark) {
            let name = self.index.place(near.row).display_name().to_owned();
            place.address.0.insert(0, (place.category.clone().into(), name));
        }
        Some(place)
    }

    /// The best place for each text, in order. A text that is blank or longer than [`MAX_QUERY_CHARS`] is an error for
    /// that item only.
    pub fn batch<S: AsRef<str>>(&self, queries: &[S]) -> Vec<BatchResult> {
        queries.iter().map(|query| self.batch_item(query.as_ref())).collect()
    }

    fn batch_item(&self, query: &str) -> BatchResult {
        let outcome = match query_error(query) {
            Some(error) => Outcome::Error { error },
            None => self.forward(&Search::new(query, 1)).pop().map_or(Outcome::NotFound, |place| Outcome::Ok {
                lat: place.lat,
                lon: place.lon,
                display_name: place.display_name,
                country: place.country,
                city: place.city,
                confidence: place.confidence,
            }),
        };
        BatchResult { query: query.to_owned(), outcome }
    }

    /// Removes duplicates: a county that has the name of one of its cities, if that city ranks higher.
    pub(crate) fn distinct(&self, found: Vec<Candidate>) -> Vec<Candidate> {
        let mut kept: Vec<Candidate> = Vec::with_capacity(found.len());
        for candidate in found {
            let place = self.index.place(candidate.row);
            let is_its_county = |other: &Candidate| {
                let other = self.index.place(other.row);
                other.display_name() == place.display_name() && other.ancestors().any(|area| area.row == place.row)
            };
            if place.role() != Role::County || !kept.iter().any(is_its_county) {
                kept.push(candidate);
            }
        }
        kept
    }
}

fn query_error(query: &str) -> Option<String> {
    if query.trim().is_empty() {
        Some("query must not be empty".to_owned())
    } else if query.chars().count() > MAX_QUERY_CHARS {
        Some(format!("query must be at most {MAX_QUERY_CHARS} characters"))
    } else {
        None
    }
}
