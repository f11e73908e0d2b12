//! Names of cities that are called as their state.

use super::divisions::Divisions;
use crate::sources::rows::Settlement;
use crate::text::key;

/// Tags the names of cities that are called as their state, in languages in which GeoNames shows no other name than its own: Beijing is
/// Peking in German, as is the municipality. People checked CLDR's names of states.
pub(crate) fn tag_as_states(settlements: &mut [Settlement], divisions: &Divisions) {
    for settlement in settlements {
        let Some(state) = divisions.state_record(settlement) else { continue };
        if key(&settlement.name) != key(&state.names[0].text) {
            continue;
        }
        for own in settlement.tagged.iter_mut().filter(|own| own.text == settlement.name) {
            let of_state = state.names.iter().find(|name| name.lang.as_ref() == Some(&own.lang));
            let known = of_state.filter(|name| settlement.alternates.contains(&name.text));
            own.text = known.map_or(&settlement.name, |name| &name.text).clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use toponym_engine::geo::Coordinate;
    use toponym_engine::{Kind, Name, NameClass, Record, Role};

    use super::*;
    use crate::gazetteer::divisions::state_code;
    use crate::gazetteer::test_settlement;
    use crate::sources::rows::Tagged;

    fn tagged_name((lang, text): (&str, &str)) -> Tagged {
        Tagged { lang: lang.into(), text: text.into() }
    }

    fn state_called(name: &str, tagged: &[(&str, &str)]) -> Record {
        let mut names = vec![Name { text: name.to_owned(), class: NameClass::Primary, lang: None }];
        names.extend(tagged.iter().map(translation));
        Record {
            id: 9,
            kind: Kind { role: Role::State, category: "boundary".into(), r#type: "state".into() },
            names,
            codes: vec![],
            position: Coordinate::new(0.0, 0.0).expect("on the globe"),
            parent: None,
            country: *b"CN",
            importance: 0.5,
            extent_m: 5_000.0,
            bounds: None,
        }
    }

    fn translation(&(lang, text): &(&str, &str)) -> Name {
        Name { text: text.to_owned(), class: NameClass::Other, lang: Some(lang.to_owned()) }
    }

    #[test]
    fn a_city_is_called_as_its_state() {
        let mut city = test_settlement(1, "Beijing", (0.0, 0.0), 100);
        city.tagged = [("de", "Beijing"), ("ja", "北京"), ("it", "Beijing")].map(tagged_name).to_vec();
        city.alternates = vec!["Peking".to_owned(), "北京市".to_owned()];
        let divisions = Divisions::of_states([state(state_code(&city))]);
        let mut cities = [city];
        tag_as_states(&mut cities, &divisions);
        let shown: Vec<String> = cities[0].tagged.iter().map(|name| format!("{}:{}", name.lang, name.text)).collect();
        assert_eq!(shown, ["de:Peking", "ja:北京", "it:Beijing"]);
    }

    fn state(code: String) -> (String, Record) {
        (code, state_called("Beijing", &[("de", "Peking"), ("ja", "北京市"), ("it", "Pechino")]))
    }
}
