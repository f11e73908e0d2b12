//! Tests that a context is an order: `P, A` answers a place called P within A first, for places P of the whole index and
//! each area A that they lie in.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use toponym_engine::{Gazetteer, Record, Role, Search, fold};

use crate::default_index::{ENGINE, GAZETTEER};

/// Number of places in a test run. TOPONYM_PLACES sets another number.
const PLACES: usize = 2_000;

/// An area with more words is not a context.
const MAX_AREA_WORDS: usize = 5;

/// Two places of one name this near each other are the same to whoever asks.
const BESIDE_M: f64 = 15_000.0;

#[test]
fn a_place_in_its_context_comes_first() {
    let Gazetteer { places, further_countries, .. } = &*GAZETTEER;
    let engine = &*ENGINE;
    let by_id: HashMap<u64, &Record> = places.iter().map(|place| (place.id, place)).collect();
    let above = |place: &Record| by_id.get(&place.parent?).copied();
    let chain = |place: &Record| std::iter::successors(above(place), |area| above(area)).collect::<Vec<_>>();
    let further: HashSet<(u64, [u8; 2])> = further_countries.iter().map(|of| (of.region, of.country)).collect();
    let large: Vec<&Record> =
        places.iter().filter(|place| matches!(place.kind.role, Role::Country | Role::Region)).collect();
    let names: HashMap<u64, HashSet<String>> =
        places.iter().map(|place| (place.id, place.names.iter().map(|name| fold(&name.text)).collect())).collect();

    let count = std::env::var("TOPONYM_PLACES").map_or(PLACES, |text| text.parse().expect("it is a number"));
    let mut rng = Rng::with_seed(16);
    let mut chosen: Vec<&Record> = places.iter().filter(|place| place.kind.role <= Role::Quarter).collect();
    rng.shuffle(&mut chosen);
    let mut asked = 0;
    let mut wrong = Vec::new();
    for place in chosen.into_iter().take(count) {
        for area in chain(place) {
            let name = &place.names[0].text;
            let context = &area.names[0].text;
            let is_long = context.split_whitespace().count() > MAX_AREA_WORDS;
            // Signs that separate parts of a query, as a comma does.
            let is_divided = |text: &&String| text.contains([',', '/', '(', ';']);
            if is_long || area.kind.role > Role::County || [name, context].iter().any(is_divided) {
                continue;
            }
            asked += 1;
            let text = format!("{name}, {context}");
            let found = engine.forward(&Search::new(&text, 1));
            let is_it = found.first().is_some_and(|first| {
                let first = by_id[&first.place_id];
                // A county is left out if a city of the same name, which lies in it, is among the answers.
                if chain(first).iter().any(|area| area.id == place.id) {
                    return true;
                }
                // A place lies in the regions around it too, a region in each of its countries: Bertrange of Luxembourg is on the
                // Moselle, as that of the French department is.
                let is_in = |other: &&&Record| match other.kind.role {
                    Role::Country => first.country == other.country || further.contains(&(first.id, other.country)),
                    _ => other.id != first.id && other.bounds.is_some_and(|of| of.contains(first.position)),
                };
                let is_region_there = || {
                    let mut around = large.iter().filter(is_in);
                    around.any(|area| names[&area.id].contains(&fold(context)))
                };
                let lies_there =
                    || chain(first).iter().any(|area| names[&area.id].contains(&fold(context))) || is_region_there();
                // Some islands are there twice, as a place to live in and as a sight.
                let is_beside = || first.position.distance_m(place.position) < BESIDE_M;
                names[&first.id].contains(&fold(name)) && (lies_there() || is_beside())
            });
            if !is_it {
                let first = found.first().map_or("nothing", |first| &first.display_name);
                wrong.push(format!("{text}: {first}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
}
