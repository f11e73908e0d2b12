//! An engine as what answers questions: it has everything.

use crate::answer::{Answer, Geocode};
use crate::engine::Engine;
use crate::explain::Explanation;
use crate::geo::Coordinate;
use crate::nearby::Nearby;
use crate::place::{Place, Suggestion};
use crate::query::Search;
use crate::record::About;
use crate::reference::Reference;
use crate::shown::Shown;

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

    fn forward(&self, search: &Search) -> Answer<Vec<Place>> {
        Answer::Ready(Self::forward(self, search))
    }

    fn autocomplete(&self, search: &Search) -> Answer<Vec<Suggestion>> {
        Answer::Ready(Self::autocomplete(self, search))
    }

    fn explain_forward(&self, search: &Search) -> Answer<Vec<Explanation>> {
        Answer::Ready(Self::explain_forward(self, search))
    }

    fn explain_autocomplete(&self, search: &Search) -> Answer<Vec<Explanation>> {
        Answer::Ready(Self::explain_autocomplete(self, search))
    }

    fn reverse(&self, point: Coordinate, shown: Shown) -> Answer<Option<Place>> {
        Answer::Ready(Self::reverse(self, point, shown))
    }

    fn nearby(&self, nearby: &Nearby) -> Answer<Vec<(Place, f64)>> {
        Answer::Ready(Self::nearby(self, nearby))
    }

    fn place(&self, reference: &Reference, shown: Shown) -> Answer<Option<Place>> {
        Answer::Ready(Self::place(self, reference, shown))
    }
}
