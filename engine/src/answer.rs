//! Questions to an index of which parts may not be there yet: the answer, or what it lacks.

use std::collections::BTreeSet;

use crate::engine::Engine;
use crate::explain::Explanation;
use crate::geo::Coordinate;
use crate::nearby::Nearby;
use crate::pages::PageId;
use crate::place::{BatchResult, Outcome, Place, Suggestion};
use crate::query::{Mode, Search};
use crate::question::Question;
use crate::record::About;
use crate::reference::Reference;
use crate::shown::Shown;
use crate::view::{Asked, View};

/// An answer, or the pages that it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<T> {
    /// The answer.
    Ready(T),
    /// The pages to [insert](crate::pages::Paged::insert) before the question is asked again, each once.
    Missing(Vec<PageId>),
}

impl<T> Answer<T> {
    /// Returns the answer, if it is ready.
    ///
    /// # Example: take an answer that is there
    ///
    /// ```
    /// use toponym_engine::Answer;
    ///
    /// assert_eq!(Answer::Ready(7).ready(), Some(7));
    /// assert_eq!(Answer::<u8>::Missing(vec![]).ready(), None);
    /// ```
    pub fn ready(self) -> Option<T> {
        match self {
            Self::Ready(answer) => Some(answer),
            Self::Missing(_) => None,
        }
    }

    /// Returns the answer of an [`Engine`], which lacks nothing.
    ///
    /// # Panics
    /// If pages are missing.
    pub fn unwrap(self) -> T {
        self.ready().expect("an engine has everything")
    }

    /// Converts the answer if it is ready; missing pages stay.
    ///
    /// # Example: keep only the name of a place
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::{Answer, Geocode, Search};
    ///
    /// let first = engine.forward(&Search::new("louvre", 1));
    /// let name = Answer::Ready(first).map(|places| places[0].display_name.clone());
    /// assert_eq!(name.unwrap(), "Louvre, Paris, Île-de-France, France");
    /// ```
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Answer<U> {
        match self {
            Self::Ready(answer) => Answer::Ready(make(answer)),
            Self::Missing(pages) => Answer::Missing(pages),
        }
    }

    /// Collects all answers, or all pages that some of them need.
    ///
    /// # Example: answer several questions at once
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::{Answer, Geocode, Search};
    ///
    /// let texts = ["louvre", "montmartre"];
    /// let answers = texts.map(|text| Geocode::forward(&engine, &Search::new(text, 1)));
    /// assert_eq!(Answer::all(answers).unwrap().len(), 2);
    /// ```
    pub fn all(answers: impl IntoIterator<Item = Self>) -> Answer<Vec<T>> {
        let mut ready = Vec::new();
        let mut missing = BTreeSet::new();
        for answer in answers {
            match answer {
                Self::Ready(answer) => ready.push(answer),
                Self::Missing(pages) => missing.extend(pages),
            }
        }
        if missing.is_empty() {
            return Answer::Ready(ready);
        }
        Answer::Missing(missing.into_iter().collect())
    }
}

/// A geocoder that answers questions: an [`Engine`] has everything and is always ready,
/// [a paged index](crate::pages::Paged) says what it lacks.
///
/// # Example: write code for any kind of index
///
/// ```
/// use toponym_engine::{Answer, Geocode, Search};
///
/// fn count(places: &dyn Geocode, text: &str) -> Answer<usize> {
///     places.forward(&Search::new(text, 50)).map(|found| found.len())
/// }
/// # let engine = toponym_workload::example_engine();
/// assert_eq!(count(&engine, "louvre").unwrap(), 1);
/// ```
pub trait Geocode {
    /// Returns title, date and attribution of each index, the first one first.
    fn about_each(&self) -> Vec<&About>;

    /// Tells whether an index has names in a language, as [`Engine::has_language`].
    fn has_language(&self, tag: &str) -> bool;

    /// Tells whether places of an index have a type, as [`Engine::has_type`].
    fn has_type(&self, name: &str) -> bool;

    #[doc(hidden)]
    fn view(&self, asked: Asked) -> Answer<View<'_>>;

    /// Returns the places that match a text, as [`Engine::forward`].
    fn forward(&self, search: &Search) -> Answer<Vec<Place>> {
        self.view(Asked::new(search, Mode::Forward)).map(|view| view.places(search, view.found.as_deref()))
    }

    /// Returns suggestions for a text, as [`Engine::autocomplete`].
    fn autocomplete(&self, search: &Search) -> Answer<Vec<Suggestion>> {
        self.view(Asked::new(search, Mode::Autocomplete)).map(|view| view.suggestions(search, view.found.as_deref()))
    }

    /// Returns the candidates of forward with their signals, as
    /// [`Engine::explain_forward`].
    fn explain_forward(&self, search: &Search) -> Answer<Vec<Explanation>> {
        explain(self.view(Asked::Text(search, Mode::Forward)), search, Mode::Forward)
    }

    /// Returns the candidates of autocomplete with their signals, as
    /// [`Engine::explain_autocomplete`].
    fn explain_autocomplete(&self, search: &Search) -> Answer<Vec<Explanation>> {
        explain(self.view(Asked::Text(search, Mode::Autocomplete)), search, Mode::Autocomplete)
    }

    /// Returns the place at a point, as [`Engine::reverse`].
    fn reverse(&self, point: Coordinate, shown: Shown) -> Answer<Option<Place>> {
        self.view(Asked::Near(shown.place_at(point))).map(|view| view.reverse(point, shown))
    }

    /// Returns the places near a point, as [`Engine::nearby`].
    fn nearby(&self, nearby: &Nearby) -> Answer<Vec<(Place, f64)>> {
        self.view(Asked::Near(*nearby)).map(|view| view.nearby(nearby))
    }

    /// Returns the place that a reference means, as [`Engine::place`].
    fn place(&self, reference: &Reference, shown: Shown) -> Answer<Option<Place>> {
        self.view(Asked::Place(reference, shown)).map(|view| view.place(reference, shown))
    }

    /// Answers one question of a batch, as [`Engine::outcome`].
    fn outcome(&self, question: Question, shown: Shown) -> Answer<Outcome> {
        if let Some(error) = question.fault() {
            return Answer::Ready(Outcome::Error { error });
        }
        let found = match question {
            Question::Point(point) => self.reverse(point, shown),
            _ => {
                let Shown { lang, facts } = shown;
                let search = question.search(1).map(|search| Search { lang, facts, ..search });
                search.map_or(Answer::Ready(None), |search| self.forward(&search).map(|mut places| places.pop()))
            }
        };
        found.map(Outcome::of)
    }
}

fn explain(view: Answer<View>, search: &Search, mode: Mode) -> Answer<Vec<Explanation>> {
    view.map(|view| view.explain(search, mode, view.found.as_deref()))
}

impl Engine {
    /// Finds the best place for each text, in order. A text that is blank or too long is an error for that item only.
    ///
    /// # Example: geocode a list of texts
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::Outcome;
    ///
    /// let results = engine.batch(&["Parigi", "qqqqqqqq", " "]);
    /// assert!(matches!(&results[0].outcome, Outcome::Ok { display_name, .. } if display_name.starts_with("Paris")));
    /// assert_eq!(results[1].outcome, Outcome::NotFound);
    /// assert_eq!(results[2].outcome, Outcome::Error { error: "query must not be empty".into() });
    /// ```
    pub fn batch<S: AsRef<str>>(&self, queries: &[S]) -> Vec<BatchResult> {
        let mut results = Vec::with_capacity(queries.len());
        for query in queries {
            let text = query.as_ref();
            results.push(BatchResult { query: text.to_owned(), outcome: self.outcome(Question::Text(text), None) });
        }
        results
    }

    /// Answers one question of a batch, shown with the language and the facts asked for; an error if it has a
    /// [fault](Question::fault).
    ///
    /// # Example: geocode a row of a table
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::{Outcome, Question, Structured};
    ///
    /// let row = Structured { city: Some("Paris"), state: Some("TX"), ..Structured::default() };
    /// let outcome = engine.outcome(Question::Fields(row), Some("de"));
    /// assert!(matches!(outcome, Outcome::Ok { country, .. } if country == "Vereinigte Staaten"));
    /// ```
    pub fn outcome<'q>(&self, question: Question, shown: impl Into<Shown<'q>>) -> Outcome {
        Geocode::outcome(self, question, shown.into()).unwrap()
    }
}

impl Geocode for Engine {
    fn about_each(&self) -> Vec<&About> {
        Self::about_each(self).collect()
    }

    fn has_language(&self, tag: &str) -> bool {
        Self::has_language(self, tag)
    }

    fn has_type(&self, name: &str) -> bool {
        Self::has_type(self, name)
    }

    fn view(&self, _: Asked) -> Answer<View<'_>> {
        Answer::Ready(View::whole(self))
    }
}
