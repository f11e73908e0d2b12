//! The shape of a GeoJSON feature as a point inside it and its bounds.

use geo::{CoordsIter, Geometry, InteriorPoint};
use serde_json::Value;
use toponym_engine::geo::{Bounds, Coordinate};

use super::row_reader::{Fault, fault};

/// Position and extent of a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    /// The point itself, or one inside the polygon or on the line.
    pub point: Coordinate,
    /// The bounds of anything but a point.
    pub bounds: Option<Bounds>,
}

/// Reads the shape of a geometry. Heights are ignored.
pub(crate) fn shape(geometry: &Value) -> Result<Shape, Fault> {
    if geometry.is_null() {
        return Err(geometry_fault("is missing: give the feature a point, line or polygon".to_owned()));
    }
    let parsed: geojson::Geometry =
        serde_json::from_value(geometry.clone()).map_err(|error| geometry_fault(format!("is not GeoJSON: {error}")))?;
    let shape =
        Geometry::<f64>::try_from(parsed).map_err(|error| geometry_fault(format!("is not GeoJSON: {error}")))?;
    let mut corners = Vec::new();
    for corner in shape.coords_iter() {
        corners.push(coordinate(corner.x, corner.y)?);
    }
    let is_point = matches!(shape, Geometry::Point(_));
    let point = match shape {
        Geometry::Point(point) => Some(point),
        ref other => other.interior_point(),
    };
    let point = point.ok_or_else(|| geometry_fault("has no coordinates: give it at least one".to_owned()))?;
    Ok(Shape { point: coordinate(point.x(), point.y())?, bounds: Bounds::of(corners).filter(|_| !is_point) })
}

fn geometry_fault(message: String) -> Fault {
    fault("geometry", message)
}

fn coordinate(lon: f64, lat: f64) -> Result<Coordinate, Fault> {
    Coordinate::new(lat, lon).ok_or_else(|| {
        let advice = if (-90.0..=90.0).contains(&lon) && (-180.0..=180.0).contains(&lat) {
            "GeoJSON writes longitude first: swap them"
        } else {
            "write degrees (WGS 84), longitude first"
        };
        fault("geometry", format!("must be longitude and latitude in degrees, not {lon}, {lat}: {advice}"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shapes_and_their_points() {
        check_shape(json!({"type": "Point", "coordinates": [2.5, 48.5, 130.0]}), (48.5, 2.5), None);
        let square = json!([[[0, 0], [4, 0], [4, 2], [0, 2], [0, 0]]]);
        check_shape(json!({"type": "Polygon", "coordinates": square}), (1.0, 2.0), Some([0.0, 0.0, 2.0, 4.0]));
        let line = json!([[0, 0], [1, 1], [2, 0]]);
        check_shape(json!({"type": "LineString", "coordinates": line}), (1.0, 1.0), Some([0.0, 0.0, 1.0, 2.0]));
        let islands =
            json!([[[[179, 0], [180, 0], [180, 2], [179, 0]]], [[[-180, 0], [-179, 0], [-180, 2], [-180, 0]]]]);
        let found = shape(&json!({"type": "MultiPolygon", "coordinates": islands})).expect("it is sound");
        assert_eq!(found.bounds.map(|bounds| (bounds.west, bounds.east)), Some((179.0, -179.0)));
    }

    fn check_shape(geometry: Value, point: (f64, f64), bounds: Option<[f64; 4]>) {
        let found = shape(&geometry).expect("it is sound");
        assert_eq!((found.point.lat(), found.point.lon()), point, "{geometry}");
        assert_eq!(found.bounds.map(|b| [b.south, b.west, b.north, b.east]), bounds, "{geometry}");
    }

    #[test]
    fn broken_shapes() {
        check_broken(Value::Null, "is missing");
        check_broken(json!({"type": "Point", "coordinates": []}), "is not GeoJSON");
        check_broken(json!({"type": "Point", "coordinates": ["a", 2]}), "is not GeoJSON");
        check_broken(json!({"type": "Circle", "coordinates": [1, 2]}), "is not GeoJSON");
        check_broken(json!({"type": "MultiPoint", "coordinates": []}), "has no coordinates");
        check_broken(json!({"type": "Point", "coordinates": [48.5, 102.5]}), "swap them");
        check_broken(json!({"type": "Point", "coordinates": [652000, 6862000]}), "write degrees");
    }

    fn check_broken(geometry: Value, expect: &str) {
        let fault = shape(&geometry).expect_err("it is broken");
        assert!(fault.field == "geometry" && fault.message.contains(expect), "{fault:?}");
    }
}
