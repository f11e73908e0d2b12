//! Reads the names of the cities that time zones are named after from Unicode CLDR: `main/LOCALE/timeZoneNames.json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::File;
use super::rows::Tagged;
use crate::error::BuildError;

#[derive(Deserialize)]
struct Document {
    main: BTreeMap<String, Locale>,
}

#[derive(Deserialize)]
struct Locale {
    dates: Dates,
}

#[derive(Deserialize)]
struct Dates {
    #[serde(rename = "timeZoneNames")]
    names: Names,
}

#[derive(Deserialize)]
struct Names {
    #[serde(default)]
    zone: Value,
}

/// Reads the names of the city of each zone, by CLDR's id of the zone (`Europe/Tirane`), in order of the locale.
pub(crate) fn read(files: &[File]) -> Result<BTreeMap<String, Vec<Tagged>>, BuildError> {
    let mut cities = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.ends_with("/timeZoneNames.json")) {
        let document: Document = file.json()?;
        for (lang, locale) in document.main {
            collect(&locale.dates.names.zone, "", &lang, &mut cities);
        }
    }
    cities.values_mut().for_each(|names| names.sort());
    Ok(cities)
}

fn collect(value: &Value, id: &str, lang: &str, cities: &mut BTreeMap<String, Vec<Tagged>>) {
    let Some(object) = value.as_object() else { return };
    if let Some(city) = object.get("exemplarCity").and_then(Value::as_str) {
        let name = Tagged { lang: lang.to_owned(), text: city.to_owned() };
        cities.entry(id.to_owned()).or_default().push(name);
    }
    for (part, inner) in object {
        let inner_id = if id.is_empty() { part.clone() } else { format!("{id}/{part}") };
        collect(inner, &inner_id, lang, cities);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn zones_of_two_and_three_parts() {
        let text = r#"{"main": {"fr": {"dates": {"timeZoneNames": {"hourFormat": "+HH:mm", "zone": {
            "Europe": {"London": {"_type": "zone", "long": {"daylight": "x"}, "exemplarCity": "Londres"}},
            "America": {"Indiana": {"Knox": {"_type": "zone", "exemplarCity": "Knox [Indiana]"}}}}}}}}}"#;
        let read = read(&[test_file("main/fr/timeZoneNames.json", text)]).expect("the document is whole");
        assert_eq!(read.keys().map(String::as_str).collect::<Vec<_>>(), ["America/Indiana/Knox", "Europe/London"]);
        assert_eq!(read["Europe/London"], [Tagged { lang: "fr".into(), text: "Londres".into() }]);
    }
}
