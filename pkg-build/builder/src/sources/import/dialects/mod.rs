//! Places of other projects in JSON, told by their fields, in the words of the plain schema.
//! `data/tables/foreign-classes.csv` says which of their classes are imported, and as what.

mod dialect;
mod overture;
mod whos_on_first;
mod wikidata;

use serde_json::Value;

pub(crate) use dialect::{Classes, Dialect};

/// Reads an object, or a GeoJSON feature.
pub(crate) fn read(value: &Value, classes: &Classes) -> Dialect {
    let found = wikidata::read(value, classes)
        .or_else(|| whos_on_first::read(&value["properties"], classes))
        .or_else(|| overture::read(&value["properties"], classes));
    found.unwrap_or(Dialect::Plain)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_of_other_projects() {
        let classes =
            ["overture:town,town", "overture:locality,village", "whosonfirst:locality,village", "wikidata:Q515,city"];
        let classes: Classes =
            classes.iter().filter_map(|row| row.split_once(',')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
        let check = |value: Value, expect: Dialect| assert_eq!(read(&value, &classes), expect, "{value}");
        let place = Dialect::Place;
        check(json!({"name": "A"}), Dialect::Plain);
        check(json!({"type": "Feature", "properties": {"name": "A", "type": "town"}}), Dialect::Plain);

        let overture = |subtype: &str, class: Value| {
            json!({"type": "Feature", "properties": {"names": {"primary": "Ville", "common": {"en": "Town"}},
                "country": "FR", "subtype": subtype, "class": class, "population": 7}})
        };
        let ville = |r#type: &str| json!({"name": "Ville", "names": {"en": "Town"}, "country": "FR", "type": r#type, "population": 7});
        check(overture("locality", json!("town")), place(ville("town")));
        check(overture("locality", Value::Null), place(ville("village")));
        check(overture("region", Value::Null), Dialect::Skipped);

        let whos_on_first = |placetype: &str, current: i32| {
            json!({"type": "Feature", "properties": {"wof:id": 101, "wof:name": "Ville", "wof:placetype": placetype,
                "wof:country": "FR", "name:deu_x_preferred": ["Stadt"], "mz:is_current": current}})
        };
        let ville =
            json!({"id": "101", "name": "Ville", "names": {"de": ["Stadt"]}, "country": "FR", "type": "village"});
        check(whos_on_first("locality", 1), place(ville));
        check(whos_on_first("locality", 0), Dialect::Skipped);
        check(whos_on_first("county", 1), Dialect::Skipped);

        let wikidata = |class: &str| {
            let claim = |value: Value| json!([{"mainsnak": {"datavalue": {"value": value}}}]);
            json!({"id": "Q90", "labels": {"en": {"value": "Paris"}, "zh": {"value": "巴黎"}}, "claims": {
                "P625": claim(json!({"latitude": 48.8, "longitude": 2.3})), "P31": claim(json!({"id": class}))}})
        };
        let paris = json!({"id": "Q90", "name": "Paris", "names": {"en": "Paris", "zh": "巴黎"}, "lat": 48.8, "lon": 2.3,
            "type": "city"});
        check(wikidata("Q515"), place(paris));
        check(wikidata("Q5"), Dialect::Skipped);
        check(json!({"id": "Q90", "labels": {}, "claims": {}}), Dialect::Skipped);
    }
}
