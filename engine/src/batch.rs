//! A batch: many questions on one thread, such as the rows of a table, which share what they name.

use std::cell::RefCell;

use crate::answer::{Answer, Geocode};
use crate::city::CityRef;
use crate::engine::Engine;
use crate::geo::Coordinate;
use crate::record::About;
use crate::reverse::city_at;
use crate::search::{NamedAreas, candidates_knowing};
use crate::view::{Asked, View};

/// A geocoder for a batch: it answers as its [`Engine`] does, and remembers the areas that fields name. A country that
/// is misspelt in every row is looked for once.
///
/// # Example: geocode the rows of a table
///
/// ```
/// # let engine = toponym_workload::example_engine();
///
/// use toponym_engine::{Batch, Geocode, Structured};
///
/// let batch = Batch::new(&engine);
/// let found = ["Paris", "Montmartre"].map(|city| {
///     let row = Structured { city: Some(city), country: Some("Frankreich"), ..Structured::default() };
///     batch.forward(&row.search(1).unwrap()).unwrap().len()
/// });
/// assert_eq!(found, [1, 1]);
/// ```
#[derive(Debug)]
pub struct Batch<'e> {
    engine: &'e Engine,
    areas: RefCell<NamedAreas>,
}

impl<'e> Batch<'e> {
    /// Creates a geocoder that has answered no row yet.
    pub fn new(engine: &'e Engine) -> Self {
        Self { engine, areas: RefCell::default() }
    }

    /// Finds the city of the place that [`Engine::reverse`] answers, or else the nearest city of its country, at most `within_m`
    /// metres away. Makes no label, for tables that need none. Fastest for points in the order of [`Coordinate::curve_position`].
    ///
    /// # Example: name the cities of points
    ///
    /// ```
    /// # let engine = toponym_workload::example_engine();
    ///
    /// use toponym_engine::Batch;
    /// use toponym_engine::geo::Coordinate;
    ///
    /// let batch = Batch::new(&engine);
    /// let points = [(48.861, 2.3365), (48.8611, 2.3364), (40.0, -30.0)];
    /// let cities = points.map(|(lat, lon)| batch.city_at(Coordinate::new(lat, lon).unwrap(), 100_000.0));
    /// assert_eq!(cities.map(|city| city.map(|city| city.name())), [Some("Paris"), Some("Paris"), None]);
    /// ```
    pub fn city_at(&self, point: Coordinate, within_m: f64) -> Option<CityRef<'e>> {
        city_at(self.engine.index(), point, within_m)
    }
}

impl Geocode for Batch<'_> {
    fn about_each(&self) -> Vec<&About> {
        Geocode::about_each(self.engine)
    }

    fn has_language(&self, tag: &str) -> bool {
        self.engine.has_language(tag)
    }

    fn has_type(&self, name: &str) -> bool {
        self.engine.has_type(name)
    }

    fn view(&self, asked: Asked) -> Answer<View<'_>> {
        let view = View::whole(self.engine);
        Answer::Ready(match asked {
            Asked::Text(search, mode) => {
                let found = candidates_knowing(&mut self.areas.borrow_mut(), self.engine.index(), search, mode);
                view.with_found(self.engine.distinct(found))
            }
            _ => view,
        })
    }
}
