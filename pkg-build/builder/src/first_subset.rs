//! Reduces the subset for web pages to the places that people ask for most. The npm package publishes it as `first`: a page answers
//! from it while the core pack loads.
//!
//! It holds the countries, the places that are at least as important as [`GREAT`], and the states and countries that these lie in, so
//! that they are labelled as in the core pack. Their names are the usual ones, those in English, and those in [`LANGUAGES`]. It leaves out
//! what only the core pack answers, above all where a point lies: borders, land and the boxes of places; and spellings that are learned.

use std::collections::{HashMap, HashSet};

use toponym_engine::{Gazetteer, LandGrid, Name, NameClass, Record, Role};

/// The importance of a city of 360,000 people, or of a smaller one as well known. With it the pack is as large as a page may load before it
/// answers: 450 kB.
const GREAT: f64 = 0.62;

/// The importance of sights and stations that are known worldwide, some 400.
const GREAT_SIGHT: f64 = 0.6;

/// The languages beside English in which the places have names. Each takes 12 kB of the pack.
const LANGUAGES: [&str; 3] = ["de", "es", "fr"];

/// Reduces the gazetteer of the core pack to the first places.
pub(crate) fn first_subset(gazetteer: Gazetteer) -> Gazetteer {
    let parents: HashMap<u64, Option<u64>> = gazetteer.places.iter().map(|place| (place.id, place.parent)).collect();
    let mut kept = HashSet::new();
    for place in gazetteer.places.iter().filter(|place| is_first(place)) {
        kept.extend(std::iter::successors(Some(place.id), |id| parents.get(id).copied().flatten()));
    }
    let mut places = gazetteer.places;
    places.retain(|place| kept.contains(&place.id));
    places.iter_mut().for_each(thin);
    let mut capitals = gazetteer.capitals;
    capitals.retain(|capital| kept.contains(&capital.area) && kept.contains(&capital.city));
    let mut further_countries = gazetteer.further_countries;
    further_countries.retain(|further| kept.contains(&further.region));
    let mut about = gazetteer.about;
    "first".clone_into(&mut about.title);
    let borders = Vec::new();
    let land = LandGrid::default();
    let spellings = Vec::new();
    Gazetteer { places, capitals, further_countries, about, borders, land, spellings, ..gazetteer }
}

fn is_first(place: &Record) -> bool {
    match place.kind.role {
        Role::Country => true,
        Role::Landmark | Role::Station => place.importance >= GREAT_SIGHT,
        _ => place.importance >= GREAT,
    }
}

/// Removes from a place what the first pack leaves out. The first name is the display name.
fn thin(place: &mut Record) {
    let mut is_display_name = true;
    place.names.retain(|name| std::mem::take(&mut is_display_name) || name.class != NameClass::Other || speaks(name));
    for name in place.names.iter_mut().filter(|name| !speaks(name)) {
        name.lang = name.lang.take().filter(|lang| lang == "en");
    }
    place.bounds = None;
}

fn speaks(name: &Name) -> bool {
    name.lang.as_deref().is_some_and(|lang| LANGUAGES.contains(&lang))
}

#[cfg(test)]
mod tests {
    use toponym_engine::{Capital, Kind};

    use super::*;
    use crate::gazetteer_for_tests::france;

    #[test]
    fn the_greatest_places_and_what_they_lie_in() {
        let [france] = france().places.try_into().expect("it is one place");
        let place = |id, role, importance, parent| {
            let kind = Kind { role, ..france.kind.clone() };
            Record { id, kind, importance, parent, ..france.clone() }
        };
        let places = vec![
            place(1, Role::Country, 0.3, None),
            place(2, Role::State, 0.4, Some(1)),
            place(3, Role::City, GREAT, Some(2)),
            place(4, Role::City, GREAT - 0.01, Some(2)),
            place(5, Role::State, 0.4, Some(1)),
            place(6, Role::Landmark, GREAT_SIGHT, Some(3)),
            place(7, Role::Landmark, GREAT_SIGHT - 0.01, Some(3)),
        ];
        let capitals = vec![Capital { area: 2, city: 3 }, Capital { area: 5, city: 4 }];
        let first = first_subset(Gazetteer { places, capitals, ..Gazetteer::default() });
        assert_eq!(first.places.iter().map(|place| place.id).collect::<Vec<_>>(), [1, 2, 3, 6]);
        assert_eq!(first.capitals, [Capital { area: 2, city: 3 }]);
        assert_eq!(first.about.title, "first");
    }

    #[test]
    fn names_in_the_main_languages() {
        use NameClass::{English, Other, Primary};
        let [mut place] = france().places.try_into().expect("it is one place");
        place.names = vec![
            name("Wien", Other, Some("de")),
            name("Bécs", Other, Some("hu")),
            name("Vienne", Other, Some("fr")),
            name("Vienna", English, Some("en")),
            name("Wean", Primary, Some("bar")),
        ];
        thin(&mut place);
        let names: Vec<_> = place.names.iter().map(|name| (name.text.as_str(), name.lang.as_deref())).collect();
        let expect = [("Wien", Some("de")), ("Vienne", Some("fr")), ("Vienna", Some("en")), ("Wean", None)];
        assert_eq!(names, expect);
    }

    fn name(text: &str, class: NameClass, lang: Option<&str>) -> Name {
        Name { text: text.into(), class, lang: lang.map(Into::into) }
    }
}
