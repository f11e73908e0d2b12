//! Reads country outlines from `borders.json` of country-coder, a GeoJSON feature collection.
//!
//! A feature belongs to the country with its code, else to a territory it is part of, else to the state it is part of:
//! France is the feature `FX`, Norway is `Mainland Norway`, Saba is `BQ`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::File;
use super::rows::{Iso2, Outline, Patch};
use crate::error::BuildError;

/// Clipperton: uninhabited and an ocean away from its state, it would spoil the bounds of France.
const LEFT_OUT: &str = "CP";

#[derive(Deserialize)]
struct Document {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    properties: Properties,
    geometry: Option<Geometry>,
}

#[derive(Deserialize)]
struct Properties {
    #[serde(rename = "iso1A2")]
    code: Option<String>,
    country: Option<String>,
    #[serde(default)]
    groups: Vec<String>,
}

#[derive(Deserialize)]
struct Geometry {
    /// Parts, rings and points (longitude and latitude) of a MultiPolygon.
    coordinates: Vec<Vec<Vec<[f64; 2]>>>,
}

/// Reads the outlines of the countries in `known`, in order of their code.
pub(crate) fn read(file: &File, known: &BTreeSet<Iso2>) -> Result<Vec<Outline>, BuildError> {
    let document: Document = file.json()?;
    let mut outlines: BTreeMap<Iso2, Vec<Vec<_>>> = BTreeMap::new();
    for (index, feature) in document.features.into_iter().enumerate() {
        let (Some(geometry), Some(owner)) = (feature.geometry, owner(&feature.properties, known)) else { continue };
        for ring in geometry.coordinates.into_iter().filter_map(|part| part.into_iter().next()) {
            let at = || format!("record features[{index}], field geometry");
            let points = ring.into_iter().map(|[lon, lat]| file.coordinate(at, lat, lon));
            outlines.entry(owner).or_default().push(points.collect::<Result<_, _>>()?);
        }
    }
    Ok(outlines.into_iter().map(|(country, parts)| Outline { country, parts }).collect())
}

/// Reads every feature with all its rings, including holes, and the country of its codes, if it is in `known`.
pub(crate) fn patches(file: &File, known: &BTreeSet<Iso2>) -> Result<Vec<Patch>, BuildError> {
    let document: Document = file.json()?;
    let mut patches = Vec::new();
    for (index, feature) in document.features.into_iter().enumerate() {
        let Some(geometry) = feature.geometry else { continue };
        let at = || format!("record features[{index}], field geometry");
        let rings = geometry
            .coordinates
            .into_iter()
            .flatten()
            .map(|ring| ring.into_iter().map(|[lon, lat]| file.coordinate(at, lat, lon)).collect())
            .collect::<Result<_, _>>()?;
        patches.push(Patch { owner: owner(&feature.properties, known), rings });
    }
    Ok(patches)
}

fn owner(properties: &Properties, known: &BTreeSet<Iso2>) -> Option<Iso2> {
    if properties.code.as_deref() == Some(LEFT_OUT) {
        return None;
    }
    let candidates = properties.code.iter().chain(&properties.groups).chain(&properties.country);
    candidates.filter_map(|code| Iso2::try_from(code.as_bytes()).ok()).find(|code| known.contains(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn parts_go_to_their_country() {
        let features = [
            feature(r#"{"iso1A2": "FX", "country": "FR", "groups": ["EU", "155"]}"#, 1.0),
            feature(r#"{"country": "NL", "groups": ["BQ", "UN"]}"#, 2.0),
            feature(r#"{"iso1A2": "CP", "country": "FR", "groups": []}"#, 3.0),
            r#"{"type": "Feature", "properties": {"iso1A2": "FR"}, "geometry": null}"#.to_owned(),
        ];
        let text = format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(","));
        let known = BTreeSet::from([*b"FR", *b"NL", *b"BQ"]);
        let read = read(&test_file("borders.json", text), &known).expect("the features are whole");
        let found: Vec<_> = read.iter().map(|outline| (outline.country, outline.parts[0][0].lon())).collect();
        assert_eq!(found, [(*b"BQ", 2.0), (*b"FR", 1.0)]);
    }

    fn feature(properties: &str, lon: f64) -> String {
        format!(
            r#"{{"type": "Feature", "properties": {properties}, "geometry": {{"type": "MultiPolygon",
                "coordinates": [[[[{lon}, 1], [{lon}, 2], [3, 3], [{lon}, 1]]]]}}}}"#
        )
    }
}
