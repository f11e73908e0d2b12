//! Sources in JSON other than the plain schema, one adapter each, told by their fields. `data/tables/foreign-classes.csv` says
//! which of their classes are imported, and as what; `data/sources.toml` says everything else about each.

mod adapter;
mod overture;
mod whos_on_first;
mod wikidata;

use serde_json::Value;

#[cfg(test)]
use adapter::Place;
pub(crate) use adapter::{Adapter, Classes};

/// The adapters in the order of their precedence: of two sources with one place, the data of the later one is kept.
pub(crate) const ADAPTERS: [Adapter; 3] = [wikidata::ADAPTER, whos_on_first::ADAPTER, overture::ADAPTER];

/// Finds the adapter of an object, or a GeoJSON feature, by its index among [`ADAPTERS`]. `None` for the plain schema.
pub(crate) fn adapter_of(object: &Value) -> Option<usize> {
    ADAPTERS.iter().position(|adapter| (adapter.is_one)(object))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn classes() -> Classes {
        let rows =
            ["overture:town,town", "overture:locality,village", "whosonfirst:locality,village", "wikidata:Q515,city"];
        rows.iter().filter_map(|row| row.split_once(',')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
    }

    /// Reads an object as its adapter does.
    fn read(object: &Value) -> Option<Place> {
        let adapter = ADAPTERS[adapter_of(object).unwrap_or_else(|| panic!("{object} is of no source"))];
        (adapter.read)(object, &classes())
    }

    fn check(object: Value, fields: Value) {
        assert_eq!(read(&object).map_or(Value::Null, |place| place.fields), fields, "{object}");
    }

    fn weak_names(object: &Value) -> Vec<String> {
        let place = read(object).expect("it is imported");
        place.weak_names.into_iter().map(|name| format!("{}:{}", name.lang, name.text)).collect()
    }

    #[test]
    fn the_plain_schema_has_no_adapter() {
        assert_eq!(adapter_of(&json!({"name": "A"})), None);
        assert_eq!(adapter_of(&json!({"type": "Feature", "properties": {"name": "A", "type": "town"}})), None);
    }

    fn overture(id: &str, subtype: &str, class: Value, common: Value) -> Value {
        let rules = json!([
            {"variant": "official", "language": "fr", "value": "Ville de France", "between": null},
            {"variant": "short", "language": null, "value": "VF"},
        ]);
        json!({"type": "Feature", "id": id, "properties": {"names": {"primary": "Ville", "common": common, "rules": rules},
            "country": "FR", "subtype": subtype, "class": class, "population": 7}})
    }

    #[test]
    fn divisions_of_overture() {
        check(division("locality", json!("town")), ville("town"));
        check(division("locality", Value::Null), ville("village"));
        check(division("region", Value::Null), Value::Null);
        check(division("locality", json!("maritime")), Value::Null);
        let mut area = division("locality", json!("land"));
        area["properties"]["division_id"] = "0a1".into();
        area["id"] = "0b2".into();
        check(area, ville("village"));
    }

    fn ville(r#type: &str) -> Value {
        json!({"id": "0a1", "name": "Ville", "names": {"en": "Town"}, "country": "FR", "type": r#type, "population": 7})
    }

    fn division(subtype: &str, class: Value) -> Value {
        overture("0a1", subtype, class, json!({"en": "Town"}))
    }

    /// Reads the names as an object, as Overture's own tool writes it, and as other programs write maps.
    #[test]
    fn overture_names_are_read_in_every_form() {
        for common in [
            json!({"en": "Town", "de": "Stadt"}),
            json!([["en", "Town"], ["de", "Stadt"]]),
            json!([{"key": "en", "value": "Town"}, {"key": "de", "value": "Stadt"}]),
        ] {
            let place = read(&overture("0a1", "locality", Value::Null, common.clone())).expect("it is imported");
            assert_eq!(place.fields["names"], json!({"en": "Town", "de": "Stadt"}), "{common}");
        }
    }

    #[test]
    fn other_names_are_weak() {
        let division = overture("0a1", "locality", Value::Null, Value::Null);
        assert_eq!(weak_names(&division), ["fr:Ville de France", ":VF"]);
        let mut place = whos_on_first("locality", 1);
        for (usage, name) in [("historical", "Alt"), ("colloquial", "Dorf"), ("variant", "Statt")] {
            place["properties"][format!("name:deu_x_{usage}")] = json!([name]);
        }
        assert_eq!(weak_names(&place), ["de:Dorf", "de:Alt", "de:Statt"]);
    }

    fn whos_on_first(placetype: &str, current: i32) -> Value {
        json!({"type": "Feature", "properties": {"wof:id": 101, "wof:name": "Ville", "wof:placetype": placetype,
            "wof:country": "FR", "name:deu_x_preferred": ["Stadt"], "mz:is_current": current}})
    }

    #[test]
    fn places_of_whos_on_first() {
        let ville =
            json!({"id": "101", "name": "Ville", "names": {"de": ["Stadt"]}, "country": "FR", "type": "village"});
        check(whos_on_first("locality", 1), ville);
        check(whos_on_first("locality", 0), Value::Null);
        check(whos_on_first("county", 1), Value::Null);
    }

    /// Makes a statement: its value, its rank, and the time that it holds for.
    fn claim(value: Value, rank: &str, time: &str) -> Value {
        let time = json!([{"datavalue": {"value": {"time": time}}}]);
        json!({"mainsnak": {"datavalue": {"value": value}}, "rank": rank, "qualifiers": {"P585": time}})
    }

    fn point(lat: f64, globe: &str) -> Value {
        json!({"latitude": lat, "longitude": 2.3, "globe": format!("http://www.wikidata.org/entity/{globe}")})
    }

    fn wikidata(at: Value, class: Value, people: Value) -> Value {
        json!({"id": "Q90", "labels": {"en": {"value": "Paris"}, "zh": {"value": "巴黎"}},
            "claims": {"P625": at, "P31": class, "P1082": people}})
    }

    #[test]
    fn items_of_wikidata() {
        let paris = json!({"id": "Q90", "name": "Paris", "names": {"en": "Paris", "zh": "巴黎"}, "lat": 48.8, "lon": 2.3,
            "type": "city"});
        check(item("Q515"), paris);
        check(item("Q5"), Value::Null);
        check(json!({"id": "Q90", "labels": {}, "claims": {}}), Value::Null);
    }

    fn item(class: &str) -> Value {
        let at = claim(json!({"latitude": 48.8, "longitude": 2.3}), "normal", "");
        wikidata(json!([at]), json!([claim(json!({"id": class}), "normal", "")]), Value::Null)
    }

    #[test]
    fn the_latest_best_ranked_population_counts() {
        let old = "+1921-00-00T00:00:00Z";
        let new = "+2021-01-01T00:00:00Z";
        check_people(&[("+2900000", "normal", old), ("+2100000", "normal", new)], Some(2_100_000));
        check_people(&[("+2100000", "normal", new), ("+2900000", "normal", old)], Some(2_100_000));
        check_people(&[("+2900000", "normal", new), ("+2200000", "preferred", old)], Some(2_200_000));
        check_people(&[("+9000000", "deprecated", new), ("+2200000", "normal", old)], Some(2_200_000));
        check_people(&[("+9000000", "deprecated", new)], None);
        check_people(&[("+9000000", "normal", ""), ("+2100000", "normal", old)], Some(2_100_000));
        check_people(
            &[("+300", "normal", "-0050-00-00T00:00:00Z"), ("+200", "normal", "+0100-00-00T00:00:00Z")],
            Some(200),
        );
        check_people(&[("+7", "normal", ""), ("+8", "normal", "")], Some(7));
    }

    fn check_people(people: &[(&str, &str, &str)], expect: Option<u64>) {
        let claims = people.iter().map(|(amount, rank, time)| claim(json!({"amount": amount}), rank, time));
        let at = json!([claim(point(48.8, "Q2"), "normal", "")]);
        let city = json!([claim(json!({"id": "Q515"}), "normal", "")]);
        let place = read(&wikidata(at, city, claims.collect())).expect("it is imported");
        assert_eq!(place.fields["population"].as_u64(), expect, "{people:?}");
    }

    #[test]
    fn deprecated_positions_and_classes_never_count() {
        let city = &[("Q515", "normal")];
        check_position(&[(1.0, "Q2", "deprecated"), (48.8, "Q2", "normal")], city, Some(48.8));
        check_position(&[(1.0, "Q2", "normal"), (48.8, "Q2", "preferred")], city, Some(48.8));
        check_position(&[(1.0, "Q2", "deprecated")], city, None);
        check_position(&[(48.8, "Q2", "normal")], &[("Q515", "deprecated")], None);
        check_position(&[(48.8, "Q2", "normal")], &[("Q515", "normal"), ("Q5", "preferred")], None);
        // Mountains and craters of Mars.
        check_position(&[(18.7, "Q111", "normal")], city, None);
    }

    fn check_position(at: &[(f64, &str, &str)], classes: &[(&str, &str)], expect: Option<f64>) {
        let at = at.iter().map(|&(lat, globe, rank)| claim(point(lat, globe), rank, "")).collect();
        let classes = classes.iter().map(|(class, rank)| claim(json!({"id": class}), rank, "")).collect();
        let place = read(&wikidata(at, classes, Value::Null));
        assert_eq!(place.map(|place| place.fields["lat"].as_f64()), expect.map(Some));
    }
}
