//! The names that people give to the fields of the plain schema, in CSV headers and in JSON.

use serde_json::Value;

/// Required fields; a GeoJSON feature has the point in its geometry.
pub(crate) const REQUIRED: [&str; 5] = ["name", "country", "lat", "lon", "type"];

/// Each field with its other names, best first. Case, spaces and hyphens do not count.
const FIELDS: [(&str, &[&str]); 16] = [
    ("name", &["title", "label", "place_name", "placename"]),
    ("lat", &["latitude", "y", "lat_dd", "y_coord", "point_y"]),
    ("lon", &["lng", "long", "longitude", "x", "lon_dd", "x_coord", "point_x"]),
    ("country", &["country_code", "countrycode", "iso2", "iso_a2", "iso_country", "cc"]),
    ("type", &["kind", "category", "place_type", "feature_type"]),
    ("id", &["identifier", "uid", "key", "fid", "objectid"]),
    ("names", &[]),
    ("city", &["municipality", "town"]),
    ("prominence", &[]),
    ("extent_m", &["extent", "radius", "radius_m"]),
    ("population", &["pop", "inhabitants"]),
    ("admin1", &["admin1_code", "admin1code"]),
    ("admin2", &["admin2_code", "admin2code"]),
    ("geonameid", &["geoname_id", "geonames_id"]),
    ("iata", &["iata_code"]),
    ("icao", &["icao_code"]),
];

/// Characters between columns.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

fn other_names(field: &str) -> &'static [&'static str] {
    FIELDS.into_iter().find(|(name, _)| *name == field).map_or(&[], |(_, others)| others)
}

/// Formats a field with its other names, for messages: `iata (or iata_code)`.
pub(crate) fn describe_field(field: &str) -> String {
    match other_names(field) {
        [] => field.to_owned(),
        others => format!("{field} (or {})", others.join(", ")),
    }
}

fn plain(header: &str) -> String {
    header.trim().trim_matches('"').to_lowercase().replace([' ', '-'], "_")
}

/// Renames headers: the best column for each field is called as the field.
pub(crate) fn rename_headers(headers: &[String]) -> Vec<String> {
    let mut renamed: Vec<String> = headers.iter().map(|header| header.trim().to_owned()).collect();
    let known: Vec<String> = headers.iter().map(|header| plain(header)).collect();
    for (field, others) in FIELDS {
        let column = [field].iter().chain(others).find_map(|name| known.iter().position(|header| header == name));
        if let Some(column) = column {
            renamed[column] = field.to_owned();
        }
    }
    renamed
}

/// Finds the character between the columns of a header: the one that it has most often.
pub(crate) fn separator(header: &str) -> char {
    let best = SEPARATORS.into_iter().rev().max_by_key(|&separator| header.matches(separator).count());
    best.expect("there are separators")
}

/// Finds the value of a field in an object, by any of its names, else in the objects inside it.
pub(crate) fn value<'v>(object: &'v Value, field: &str) -> &'v Value {
    own_value(object, field).or_else(|| find_nested(object, field)).unwrap_or(&Value::Null)
}

fn own_value<'v>(object: &'v Value, field: &str) -> Option<&'v Value> {
    let object = object.as_object()?;
    let by_name = |name: &&str| {
        let exact = object.get(*name).or_else(|| object.iter().find(|(key, _)| plain(key) == **name).map(|(_, v)| v));
        exact.filter(|value| !value.is_null())
    };
    [field].iter().chain(other_names(field)).find_map(by_name)
}

/// Looks one level down. `names` holds names by language, and no fields.
fn find_nested<'v>(object: &'v Value, field: &str) -> Option<&'v Value> {
    let inner = object.as_object()?.iter().filter(|(key, value)| *key != "names" && value.is_object());
    inner.map(|(_, value)| value).find_map(|value| own_value(value, field))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn headers_of_many_names() {
        check_headers("name,country,lat,lon,type", "name,country,lat,lon,type");
        check_headers("Title;Country Code;Latitude;Longitude;Kind", "name,country,lat,lon,type");
        check_headers("label\tiso2\ty\tx\tcategory", "name,country,lat,lon,type");
        check_headers("x|y|lat|lng|name", "x|y|lat|lng|name".replace('|', ",").replace("lng", "lon").as_str());
        check_headers("name,title", "name,title");
    }

    fn check_headers(header: &str, expect: &str) {
        let headers: Vec<String> = header.split(separator(header)).map(str::to_owned).collect();
        assert_eq!(rename_headers(&headers).join(","), expect, "{header:?}");
    }

    #[test]
    fn values_by_other_names_and_inside() {
        check_value(json!({"latitude": 1}), "lat", json!(1));
        check_value(json!({"Latitude": 1, "lat": null}), "lat", json!(1));
        check_value(json!({"location": {"lat": 2}}), "lat", json!(2));
        check_value(json!({"address": {"name": "inner"}, "name": "outer"}), "name", json!("outer"));
        check_value(json!({"names": {"type": "x"}}), "type", Value::Null);
    }

    fn check_value(object: Value, field: &str, expect: Value) {
        assert_eq!(value(&object, field), &expect, "{field}");
    }
}
