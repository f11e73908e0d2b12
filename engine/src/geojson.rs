//! Answers as GeoJSON (RFC 7946).

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::place::{Outcome, Place, Suggestion};

/// An object that may have a position on a map.
pub trait Located {
    /// Returns the id of the object, if it has one.
    fn id(&self) -> Option<u64>;

    /// Returns longitude and latitude, in this order; `None` if the object is nowhere.
    fn position(&self) -> Option<[f64; 2]>;

    /// Returns the box of the object: west, south, east, north.
    fn bounds(&self) -> Option<[f64; 4]>;
}

/// A `FeatureCollection`: a feature for each answer, in their order. Its properties are the fields of the answer.
///
/// # Example: write answers for a map
///
/// ```
/// # let engine = toponym_workload::example_engine();
///
/// use toponym_engine::{Search, geojson::FeatureCollection};
///
/// let places = engine.forward(&Search::new("louvre", 1));
/// let json = serde_json::to_value(FeatureCollection(&places)).unwrap();
/// assert_eq!(json["features"][0]["geometry"]["coordinates"][1], 48.86111);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FeatureCollection<'a, T>(pub &'a [T]);

impl<T: Located + Serialize> Serialize for FeatureCollection<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut collection = serializer.serialize_map(Some(2))?;
        collection.serialize_entry("type", "FeatureCollection")?;
        collection.serialize_entry("features", &Features(self.0))?;
        collection.end()
    }
}

struct Features<'a, T>(&'a [T]);

impl<T: Located + Serialize> Serialize for Features<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut features = serializer.serialize_seq(Some(self.0.len()))?;
        for answer in self.0 {
            features.serialize_element(&Feature {
                r#type: "Feature",
                id: answer.id(),
                bbox: answer.bounds(),
                geometry: answer.position().map(|coordinates| Point { r#type: "Point", coordinates }),
                properties: answer,
            })?;
        }
        features.end()
    }
}

#[derive(Serialize)]
struct Feature<'a, T> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bbox: Option<[f64; 4]>,
    /// `null` for what is nowhere (RFC 7946, section 3.2).
    geometry: Option<Point>,
    properties: &'a T,
}

#[derive(Serialize)]
struct Point {
    r#type: &'static str,
    coordinates: [f64; 2],
}

impl Located for Place {
    fn id(&self) -> Option<u64> {
        Some(self.place_id)
    }

    fn position(&self) -> Option<[f64; 2]> {
        Some([self.lon, self.lat])
    }

    fn bounds(&self) -> Option<[f64; 4]> {
        let [south, north, west, east] = self.boundingbox;
        Some([west, south, east, north])
    }
}

impl Located for Suggestion {
    fn id(&self) -> Option<u64> {
        None
    }

    fn position(&self) -> Option<[f64; 2]> {
        Some([self.lon, self.lat])
    }

    fn bounds(&self) -> Option<[f64; 4]> {
        None
    }
}

impl Located for Outcome {
    fn id(&self) -> Option<u64> {
        None
    }

    fn position(&self) -> Option<[f64; 2]> {
        match self {
            Self::Ok { lat, lon, .. } => Some([*lon, *lat]),
            Self::NotFound | Self::Error { .. } => None,
        }
    }

    fn bounds(&self) -> Option<[f64; 4]> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Address;

    #[test]
    fn answers_as_features() {
        let place = Place {
            place_id: 7,
            display_name: "Suva, Fiji".into(),
            lat: -18.14,
            lon: 178.44,
            country: "Fiji".into(),
            city: None,
            category: "place".into(),
            kind: "city".into(),
            importance: 0.5,
            boundingbox: [-18.5, -17.5, 177.5, -179.5],
            address: Address::default(),
            confidence: 1.0,
            facts: None,
        };
        let properties = serde_json::to_value(&place).expect("a place is JSON");
        fn check(collection: serde_json::Value, feature: serde_json::Value) {
            assert_eq!(collection, serde_json::json!({ "type": "FeatureCollection", "features": [feature] }));
        }
        check(
            serde_json::to_value(FeatureCollection(&[place])).expect("JSON"),
            serde_json::json!({
                "type": "Feature", "id": 7, "bbox": [177.5, -18.5, -179.5, -17.5],
                "geometry": { "type": "Point", "coordinates": [178.44, -18.14] }, "properties": properties,
            }),
        );
        check(
            serde_json::to_value(FeatureCollection(&[Outcome::NotFound])).expect("JSON"),
            serde_json::json!({ "type": "Feature", "geometry": null, "properties": { "status": "not_found" } }),
        );
    }
}
