//! Makes a gazetteer of any size that looks like a larger version of a real one. New names combine syllables of real
//! names, new places are near real ones, and all of them are less important than the real ones.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Gazetteer, Name, NameClass, Record, Role};

const SEED: u64 = 0x0073_796e_7468;

/// Maximum distance of an added place from a real one, degrees.
const SPREAD: f64 = 0.5;

/// Largest importance of an added place: a village's.
const IMPORTANCE: f64 = 0.25;

/// One added place in so many has a second name.
const SECOND_NAME: u32 = 3;

/// Returns `gazetteer` with `count` points (places that are not areas) and the areas around them. Adds points if there
/// are fewer, keeps only the most important ones if there are more.
pub fn synthetic(gazetteer: &Gazetteer, count: usize) -> Gazetteer {
    let mut points: Vec<&Record> = gazetteer.places.iter().filter(|place| !place.kind.role.is_area()).collect();
    points.sort_by(|a, b| b.importance.total_cmp(&a.importance).then(a.id.cmp(&b.id)));
    points.truncate(count);
    let known = with_ancestors(gazetteer, &points);
    let mut places: Vec<Record> = gazetteer.places.iter().filter(|place| known.contains(&place.id)).cloned().collect();
    places.extend(added_places(&places, count - points.len()));
    let capitals = gazetteer.capitals.iter().filter(|it| known.contains(&it.area) && known.contains(&it.city));
    Gazetteer { places, capitals: capitals.copied().collect(), ..without_places(gazetteer) }
}

/// Returns the ids of the points and of all areas that contain them.
fn with_ancestors(gazetteer: &Gazetteer, points: &[&Record]) -> HashSet<u64> {
    let parents: HashMap<u64, u64> =
        gazetteer.places.iter().filter_map(|place| Some((place.id, place.parent?))).collect();
    points.iter().flat_map(|place| std::iter::successors(Some(place.id), |id| parents.get(id).copied())).collect()
}

fn without_places(gazetteer: &Gazetteer) -> Gazetteer {
    Gazetteer {
        places: Vec::new(),
        capitals: Vec::new(),
        further_countries: Vec::new(),
        facts: Vec::new(),
        about: gazetteer.about.clone(),
        lexicon: gazetteer.lexicon.clone(),
        borders: gazetteer.borders.clone(),
        land: gazetteer.land.clone(),
        transliteration: gazetteer.transliteration.clone(),
        spellings: gazetteer.spellings.clone(),
    }
}

fn added_places(places: &[Record], count: usize) -> Vec<Record> {
    let mut rng = Rng::with_seed(SEED);
    let cities: Vec<&Record> = places.iter().filter(|place| place.kind.role == Role::City).collect();
    let heads: Vec<&str> = cities.iter().filter_map(|city| head(&city.names[0].text)).collect();
    let tails: Vec<&str> = cities.iter().filter_map(|city| tail(&city.names[0].text)).collect();
    let first = places.iter().map(|place| place.id).max().unwrap_or_default() + 1;
    let name = |rng: &mut Rng| format!("{}{}", heads[rng.usize(..heads.len())], tails[rng.usize(..tails.len())]);
    (first..)
        .take(count)
        .map(|id| {
            let model = cities[rng.usize(..cities.len())];
            let mut names = vec![Name { text: name(&mut rng), class: NameClass::Primary, lang: None }];
            if rng.u32(..SECOND_NAME) == 0 {
                names.push(Name { text: name(&mut rng), class: NameClass::Other, lang: None });
            }
            let importance = IMPORTANCE * rng.f64() * rng.f64();
            Record {
                id,
                names,
                position: around(model.position, &mut rng),
                importance,
                bounds: None,
                codes: vec![],
                ..model.clone()
            }
        })
        .collect()
}

/// Returns a name up to its first inner syllable. The first consonant after a vowel begins the next syllable.
fn head(name: &str) -> Option<&str> {
    syllable(name).map(|at| &name[..at])
}

/// Returns a name from its first inner syllable on.
fn tail(name: &str) -> Option<&str> {
    syllable(name).map(|at| &name[at..])
}

fn syllable(name: &str) -> Option<usize> {
    let letters: Vec<(usize, char)> = name.char_indices().collect();
    letters.windows(2).find(|pair| is_vowel(pair[0].1) && !is_vowel(pair[1].1)).map(|pair| pair[1].0)
}

fn is_vowel(c: char) -> bool {
    "aeiouyAEIOUY".contains(c) || !c.is_ascii()
}

fn around(centre: Coordinate, rng: &mut Rng) -> Coordinate {
    let lon = centre.lon() + shift(rng);
    let lat = centre.lat() + shift(rng);
    Coordinate::new(lat.clamp(-90.0, 90.0), lon.clamp(-180.0, 180.0)).expect("it is clamped")
}

fn shift(rng: &mut Rng) -> f64 {
    SPREAD * (2.0 * rng.f64() - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_behind_a_vowel() {
        for (name, parts) in [("Paris", Some(("Pa", "ris"))), ("Ulm", Some(("U", "lm"))), ("Brr", None)] {
            assert_eq!(head(name).zip(tail(name)), parts, "{name}");
        }
    }
}
