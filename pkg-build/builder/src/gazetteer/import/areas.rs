//! Merges imported countries and divisions.

use std::collections::HashMap;

use super::super::inputs::Inputs;
use crate::sources::import::geonames_alternate_names::Alternate;
use crate::sources::rows::{Country, Division};

/// Adds a country, or replaces the one with the same code.
pub(super) fn add_country(countries: &mut Vec<Country>, country: Country) {
    match countries.iter_mut().find(|known| known.iso2 == country.iso2) {
        Some(known) => *known = country,
        None => countries.push(country),
    }
    countries.sort_by_key(|country| country.iso2);
}

/// Adds divisions. One with a known code replaces the known division, but keeps its ranked and tagged names.
pub(super) fn add_divisions(divisions: &mut Vec<Division>, added: Vec<Division>) {
    let mut known: HashMap<String, usize> =
        divisions.iter().enumerate().map(|(index, division)| (division.code.clone(), index)).collect();
    for division in added {
        match known.get(&division.code) {
            Some(&index) => {
                let old = &mut divisions[index];
                *old = Division {
                    ranked: std::mem::take(&mut old.ranked),
                    tagged: std::mem::take(&mut old.tagged),
                    ..division
                };
            }
            None => {
                known.insert(division.code.clone(), divisions.len());
                divisions.push(division);
            }
        }
    }
    divisions.sort_by(|a, b| a.code.cmp(&b.code));
}

/// The index of a division with a GeoNames id.
#[derive(Clone, Copy)]
pub(super) enum Area {
    State(u32),
    County(u32),
}

/// Returns the divisions with an id of GeoNames, by that id.
pub(super) fn areas_by_id(inputs: &Inputs) -> HashMap<u64, Area> {
    let states = (0..).zip(&inputs.states).filter_map(|(index, state)| Some((state.id?, Area::State(index))));
    let counties = (0..).zip(&inputs.counties).filter_map(|(index, county)| Some((county.id?, Area::County(index))));
    states.chain(counties).collect()
}

/// Gives a name to a division. Names without a language are left out: divisions need one.
pub(super) fn name_area(inputs: &mut Inputs, area: Area, name: Alternate) {
    let Alternate::Ranked(name) = name else { return };
    match area {
        Area::State(index) => inputs.states[index as usize].ranked.push(name),
        Area::County(index) => inputs.counties[index as usize].ranked.push(name),
    }
}

#[cfg(test)]
pub(in crate::gazetteer) fn test_division(code: &str, name: &str, id: u64, names: &[&str]) -> Division {
    use crate::sources::rows::{RankedName, Tagged, Usage};
    Division {
        code: code.into(),
        name: name.into(),
        id: Some(id),
        ranked: names
            .iter()
            .map(|text| RankedName { name: Tagged { lang: "de".into(), text: (*text).into() }, usage: Usage::Usual })
            .collect(),
        tagged: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use toponym_engine::coverage::Continent;

    use super::*;

    #[test]
    fn a_country_is_the_same_by_its_code() {
        let mut countries = vec![country(b"BE", "Belgium"), country(b"FR", "Frankreich")];
        for added in [country(b"FR", "France"), country(b"AD", "Andorra"), country(b"ES", "Spain")] {
            add_country(&mut countries, added);
        }
        let names: Vec<&str> = countries.iter().map(|country| country.name.as_str()).collect();
        assert_eq!(names, ["Andorra", "Belgium", "Spain", "France"]);
    }

    fn country(iso2: &[u8; 2], name: &str) -> Country {
        Country {
            iso2: *iso2,
            iso3: String::new(),
            id: 1,
            name: name.into(),
            capital: String::new(),
            area_km2: 0.0,
            population: 0,
            continent: Continent::Europe,
            languages: Vec::new(),
        }
    }

    #[test]
    fn a_division_matches_by_code_keeping_names() {
        let mut divisions =
            vec![test_division("FR.11", "Paris", 1, &["Pariser Becken"]), test_division("FR.20", "Corse", 2, &[])];
        let added = ["FR.11", "FR.09", "FR.09", "FR.20"].map(|code| test_division(code, "New", 3, &["Neu"]));
        add_divisions(&mut divisions, added.to_vec());
        let found: Vec<_> = divisions.iter().map(|d| (d.code.as_str(), d.name.as_str(), names(d).join(" "))).collect();
        let expect = [("FR.09", "New", "Neu"), ("FR.11", "New", "Pariser Becken"), ("FR.20", "New", "")];
        // Of one that is said twice in the files, the names of the first.
        assert_eq!(found, expect.map(|(code, name, names)| (code, name, names.to_owned())));
    }

    fn names(division: &Division) -> Vec<String> {
        division.ranked.iter().map(|ranked| ranked.name.text.clone()).collect::<Vec<_>>()
    }
}
