//! The cells of an answer.

use serde::Serialize;
use toponym_engine::geojson::Located;
use toponym_engine::{Place, Suggestion};

/// An answer that can be printed in every format.
pub trait Shown: Located + Serialize {
    /// The names of its columns.
    const COLUMNS: &'static [&'static str];

    /// Returns a cell for each column.
    fn cells(&self) -> Vec<String>;
}

impl Shown for Place {
    const COLUMNS: &'static [&'static str] = &[
        "place_id",
        "display_name",
        "lat",
        "lon",
        "country",
        "country_code",
        "city",
        "category",
        "type",
        "importance",
        "confidence",
    ];

    fn cells(&self) -> Vec<String> {
        let text = |text: &str| text.to_owned();
        vec![
            self.place_id.to_string(),
            text(&self.display_name),
            self.lat.to_string(),
            self.lon.to_string(),
            text(&self.country),
            text(self.address.get("country_code").unwrap_or_default()),
            text(self.city.as_deref().unwrap_or_default()),
            text(&self.category),
            text(&self.kind),
            self.importance.to_string(),
            self.confidence.to_string(),
        ]
    }
}

impl Shown for Suggestion {
    const COLUMNS: &'static [&'static str] = &["display_name", "lat", "lon", "country", "city", "type"];

    fn cells(&self) -> Vec<String> {
        let city = self.city.clone().unwrap_or_default();
        let Self { display_name, lat, lon, country, kind, .. } = self;
        vec![display_name.clone(), lat.to_string(), lon.to_string(), country.clone(), city, kind.clone()]
    }
}
