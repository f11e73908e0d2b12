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
    let world = World::new(&GAZETTEER);
    let count = std::env::var("TOPONYM_PLACES").map_or(PLACES, |text| text.parse().expect("it is a number"));
    let mut rng = Rng::with_seed(16);
    let mut chosen: Vec<&Record> = GAZETTEER.places.iter().filter(|place| place.kind.role <= Role::Quarter).collect();
    rng.shuffle(&mut chosen);
    let mut asked = 0;
    let mut wrong = Vec::new();
    for place in chosen.into_iter().take(count) {
        for area in world.areas_of(place).filter(|area| is_asked(place, area)) {
            asked += 1;
            let text = format!("{}, {}", place.names[0].text, area.names[0].text);
            let found = ENGINE.forward(&Search::new(&text, 1));
            if !found.first().is_some_and(|first| world.is_right(place, area, world.by_id[&first.place_id])) {
                let first = found.first().map_or("nothing", |first| &first.display_name);
                wrong.push(format!("{text}: {first}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Tells whether the name of a place and that of an area around it make a question of two parts.
fn is_asked(place: &Record, area: &Record) -> bool {
    let name = &place.names[0].text;
    let context = &area.names[0].text;
    // Signs that separate parts of a query, as a comma does.
    let is_divided = [name, context].iter().any(|text| text.contains([',', '/', '(', ';']));
    let is_long = context.split_whitespace().count() > MAX_AREA_WORDS;
    area.kind.role <= Role::County && !is_long && !is_divided
}

/// The places of an index, with what says where each lies.
struct World<'g> {
    by_id: HashMap<u64, &'g Record>,
    /// Folded names of each place.
    names: HashMap<u64, HashSet<String>>,
    /// Countries and regions.
    large: Vec<&'g Record>,
    /// Regions with each of their countries but the first.
    further: HashSet<(u64, [u8; 2])>,
}

impl<'g> World<'g> {
    fn new(gazetteer: &'g Gazetteer) -> Self {
        let places = &gazetteer.places;
        let folded = |place: &Record| place.names.iter().map(|name| fold(&name.text)).collect();
        Self {
            by_id: places.iter().map(|place| (place.id, place)).collect(),
            names: places.iter().map(|place| (place.id, folded(place))).collect(),
            large: places.iter().filter(|place| matches!(place.kind.role, Role::Country | Role::Region)).collect(),
            further: gazetteer.further_countries.iter().map(|of| (of.region, of.country)).collect(),
        }
    }

    /// Iterates over the areas that a place lies in, from the smallest.
    fn areas_of(&self, place: &Record) -> impl Iterator<Item = &'g Record> {
        std::iter::successors(self.parent(place), |area| self.parent(area))
    }

    fn parent(&self, place: &Record) -> Option<&'g Record> {
        self.by_id.get(&place.parent?).copied()
    }

    fn is_called(&self, place: &Record, name: &str) -> bool {
        self.names[&place.id].contains(&fold(name))
    }

    /// Tells whether `first` answers the name of a place with that of an area around it.
    fn is_right(&self, place: &Record, area: &Record, first: &Record) -> bool {
        // A county is left out if a city of the same name, which lies in it, is among the answers.
        if self.areas_of(first).any(|area| area.id == place.id) {
            return true;
        }
        // Some islands are there twice, as a place to live in and as a sight.
        let is_beside = || first.position.distance_m(place.position) < BESIDE_M;
        let context = &area.names[0].text;
        self.is_called(first, &place.names[0].text) && (self.lies_in(first, context) || is_beside())
    }

    /// Tells whether a place lies in an area that is called so: in the regions around it too, a region in each of its countries.
    /// Bertrange of Luxembourg is on the Moselle, as that of the French department is.
    fn lies_in(&self, place: &Record, context: &str) -> bool {
        if self.areas_of(place).any(|area| self.is_called(area, context)) {
            return true;
        }
        let mut around = self.large.iter().filter(|area| match area.kind.role {
            Role::Country => place.country == area.country || self.further.contains(&(place.id, area.country)),
            _ => area.id != place.id && area.bounds.is_some_and(|bounds| bounds.contains(place.position)),
        });
        around.any(|area| self.is_called(area, context))
    }
}
