//! Adds imported sites. [`crate::gazetteer::same_sites`] merges them.

use super::super::inputs::Inputs;
use super::super::sites::STATION;
use crate::sources::rows::Site;

pub(super) fn add_sites(inputs: &mut Inputs, sites: Vec<Site>) {
    let (stations, landmarks): (Vec<_>, Vec<_>) = sites.into_iter().partition(|site| site.r#type == STATION);
    inputs.stations.extend(stations);
    inputs.landmarks.extend(landmarks);
}

#[cfg(test)]
pub(super) fn test_site(slug: &str, r#type: &str) -> Site {
    Site {
        slug: slug.into(),
        origin: crate::sources::rows::Origin::Added,
        name: slug.into(),
        tagged: Vec::new(),
        ranked: Vec::new(),
        alternates: Vec::new(),
        merged: Vec::new(),
        country: *b"FR",
        city: String::new(),
        position: toponym_engine::geo::Coordinate::new(48.0, 2.0).expect("a test coordinate is in range"),
        r#type: r#type.into(),
        prominence: 0.0,
        extent_m: Some(100.0),
        bounds: None,
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn stations_are_told_from_landmarks() {
        let mut inputs = Inputs::default();
        add_sites(&mut inputs, vec![test_site("a", "museum"), test_site("b", "station"), test_site("c", "tower")]);
        assert_eq!((slugs(&inputs.stations), slugs(&inputs.landmarks)), ("b".to_owned(), "a c".to_owned()));
    }

    fn slugs(sites: &[Site]) -> String {
        sites.iter().map(|site| site.slug.as_str()).collect::<Vec<_>>().join(" ")
    }
}
