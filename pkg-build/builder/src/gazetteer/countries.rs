//! Builds the records of countries: names of CLDR in all languages, centre and bounds from their outlines.

use toponym_engine::{Code, CodeScheme, Kind, NameClass, Record, Role};

use super::area::{self, Cover};
use super::country_index::CountryIndex;
use super::inputs::Inputs;
use crate::name_list::NameList;
use crate::names::{is_short_and_strange, without_note};
use crate::sources::cldr_territories::TerritoryName;
use crate::sources::rows::{Alias, Country, Iso2, Settlement};

/// Creates the record of a country, if `code` is one and has a place: without an outline it is located at its
/// settlements.
pub(crate) fn record_of(code: Iso2, inputs: &Inputs, country_index: &CountryIndex) -> Option<Record> {
    let country = inputs.countries.iter().find(|country| country.iso2 == code)?;
    let outline = inputs.outlines.iter().find(|outline| outline.country == code);
    let outline = outline.map(|outline| outline.parts.as_slice()).unwrap_or_default();
    let cover = area::of_outline(outline, country.area_km2, inputs.surface.cells())
        .or_else(|| of_settlements(&inputs.settlements))?;
    let names: Vec<&TerritoryName> = inputs.territories.iter().filter(|name| name.country == code).collect();
    let aliases: Vec<&Alias> = inputs.tables.countries.iter().filter(|alias| alias.country == code).collect();
    Some(record(country, cover, name_list(country, &names, &aliases, country_index), country_index))
}

fn of_settlements(settlements: &[Settlement]) -> Option<Cover> {
    area::of_places(&settlements.iter().map(|settlement| settlement.position).collect::<Vec<_>>(), &[])
}

fn record(country: &Country, cover: Cover, names: NameList, country_index: &CountryIndex) -> Record {
    let iso2 = String::from_utf8_lossy(&country.iso2).into_owned();
    let land = country_index.get(country.iso2).expect("the index holds every country of the inputs");
    Record {
        id: land.id,
        kind: Kind { role: Role::Country, category: "place".to_owned(), r#type: "country".to_owned() },
        names: names.finish(),
        codes: vec![code(CodeScheme::Iso2, iso2), code(CodeScheme::Iso3, country.iso3.clone())],
        position: cover.centre,
        parent: None,
        country: country.iso2,
        importance: land.importance,
        extent_m: cover.extent_m,
        bounds: cover.bounds,
    }
}

fn code(scheme: CodeScheme, text: String) -> Code {
    Code { scheme, text }
}

fn name_list(
    country: &Country,
    names: &[&TerritoryName],
    aliases: &[&Alias],
    country_index: &CountryIndex,
) -> NameList {
    let shown = display(country, names, aliases);
    let mut list = NameList::new(shown.clone());
    list.add(&country.name, NameClass::English);
    for name in names {
        let (text, note) = without_note(&name.name.text);
        let class = match name.alt {
            None => country_index.class_of(country.iso2, &name.name.lang),
            Some(_) => country_index.class_of(country.iso2, &name.name.lang).max(NameClass::English),
        };
        // `Poo` is the United States in Vai.
        let says_little = class == NameClass::Other && is_short_and_strange(text, &shown);
        let class = if says_little { NameClass::Weak } else { class };
        list.add_tagged(text, &name.name.lang, class);
        if let Some(note) = note {
            list.add_tagged(note, &name.name.lang, class.max(NameClass::Other));
        }
    }
    let usual = names.iter().filter(|name| name.alt.is_none()).map(|name| &name.name);
    let local = country_index.get(country.iso2).and_then(|land| land.local.as_ref());
    if let Some(name) = usual.into_iter().find(|name| Some(&name.lang) == local) {
        list.add_local(&name.text);
    }
    for alias in aliases {
        match &alias.lang {
            Some(lang) => list.add_tagged(&alias.text, lang, alias.class),
            None => list.add(&alias.text, alias.class),
        }
    }
    list
}

/// Returns the English name in the tables, else CLDR's name written out, else the name in the country's row.
fn display(country: &Country, names: &[&TerritoryName], aliases: &[&Alias]) -> String {
    let is_english = |lang: Option<&str>| lang == Some("en");
    let by_hand = aliases.iter().find(|alias| alias.class == NameClass::Primary && is_english(alias.lang.as_deref()));
    let usual = || names.iter().find(|name| name.name.lang == "en" && name.alt.is_none());
    match (by_hand, usual()) {
        (Some(alias), _) => alias.text.clone(),
        (None, Some(name)) => written_out(without_note(&name.name.text).0),
        (None, None) => country.name.clone(),
    }
}

/// Writes a name out: `St. Kitts & Nevis` is `Saint Kitts and Nevis`.
fn written_out(name: &str) -> String {
    let name = name.replace(" & ", " and ");
    name.strip_prefix("St. ").map_or_else(|| name.clone(), |rest| format!("Saint {rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::rows::Tagged;

    #[test]
    fn display_names() {
        let by_hand = Alias {
            is_shown: false,
            country: *b"KN",
            place: String::new(),
            text: "Myanmar".into(),
            lang: Some("en".into()),
            class: NameClass::Primary,
        };
        check(&[territory("UK", Some("short")), territory("United Kingdom", None)], &[], "United Kingdom");
        check(&[territory("St. Kitts & Nevis", None)], &[], "Saint Kitts and Nevis");
        check(&[territory("Myanmar (Burma)", None)], &[&by_hand], "Myanmar");
        check(&[], &[], "GeoNames");
    }

    fn check(names: &[TerritoryName], aliases: &[&Alias], expect: &str) {
        assert_eq!(display(&country("GeoNames"), &names.iter().collect::<Vec<_>>(), aliases), expect);
    }

    fn territory(text: &str, alt: Option<&str>) -> TerritoryName {
        TerritoryName {
            country: *b"KN",
            name: Tagged { lang: "en".into(), text: text.into() },
            alt: alt.map(str::to_owned),
        }
    }

    fn country(name: &str) -> Country {
        Country {
            iso2: *b"KN",
            iso3: "KNA".into(),
            id: 1,
            name: name.into(),
            capital: String::new(),
            area_km2: 1.0,
            population: 1,
            continent: toponym_engine::coverage::Continent::Europe,
            languages: Vec::new(),
        }
    }
}
