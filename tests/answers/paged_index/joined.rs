//! An index in pages that an index in memory was joined with, such as an operator's own places: both answer as one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use fastrand::Rng;
use toponym_engine::geo::Coordinate;
use toponym_engine::pages::Paged;
use toponym_engine::{Answer, Engine, Gazetteer, Geocode, Name, NameClass, Record, Reference, Role, Shown, index};

use super::questions::{Asked, Tally, answer, any_place, any_question, fetch_answer, most_fetches};
use super::{GAZETTEER, root, whole, with_pages_of};

const QUESTIONS: usize = 1_500;

/// Places of one's own, and known ones that get a further name.
const ADDED: usize = 300;
const RENAMED: usize = 100;

/// Ids that no other place has.
const FIRST_ID: u64 = 1 << 50;

/// Least share of questions with the same first answer as the index in one file gives: as without other indexes, because of slips.
const SAME_FIRST: f64 = 0.93;

/// Least share of texts without a slip about places of one's own with the same first answer.
const SAME_OF_OWN: f64 = 0.99;

/// Names of which no other place has one.
const BEGINNINGS: [&str; 4] = ["Warehouse", "Atelier", "Hofladen", "倉庫"];

/// An index as `toponym index --alone` makes one: the places added or changed, and what contains them.
static OWN: LazyLock<Gazetteer> = LazyLock::new(|| {
    let mut rng = Rng::with_seed(31);
    let known: BTreeMap<u64, &Record> = GAZETTEER.places.iter().map(|place| (place.id, place)).collect();
    let cities: Vec<&Record> = GAZETTEER.places.iter().filter(|place| place.kind.role == Role::City).collect();
    let landmark = GAZETTEER.places.iter().find(|place| place.kind.role == Role::Landmark).expect("it has some");
    let mut own: BTreeMap<u64, Record> = BTreeMap::new();
    for number in 0..ADDED {
        let city = cities[rng.usize(..cities.len())];
        let text = format!("{} {}", BEGINNINGS[number % BEGINNINGS.len()], city.names[0].text);
        let at = city.position;
        let near = |degrees: f64, most: f64, rng: &mut Rng| (degrees + rng.f64() * 0.1).min(most);
        let place = Record {
            id: FIRST_ID + number as u64,
            kind: if rng.bool() { landmark.kind.clone() } else { city.kind.clone() },
            names: vec![name(&text, NameClass::Primary)],
            codes: Vec::new(),
            position: Coordinate::new(near(at.lat(), 90.0, &mut rng), near(at.lon(), 180.0, &mut rng))
                .expect("it is on the globe"),
            parent: city.parent,
            extent_m: 300.0,
            bounds: None,
            ..city.clone()
        };
        own.insert(place.id, place);
    }
    let bakery = own.get_mut(&FIRST_ID).expect("it is the first");
    bakery.kind.r#type = "bakery".into();
    bakery.names.push(Name { lang: Some("cy".into()), ..name("Becws", NameClass::Other) });
    for number in 0..RENAMED {
        let mut place = any_place(&GAZETTEER.places, &mut rng).clone();
        place.names.push(name(&format!("Depot {number}"), NameClass::Other));
        own.insert(place.id, place);
    }
    let mut parents: BTreeSet<u64> = own.values().filter_map(|place| place.parent).collect();
    while let Some(id) = parents.pop_first() {
        parents.extend(known[&id].parent);
        own.entry(id).or_insert_with(|| known[&id].clone());
    }
    Gazetteer {
        about: GAZETTEER.about.clone(),
        lexicon: GAZETTEER.lexicon.clone(),
        places: own.into_values().collect(),
        ..Gazetteer::default()
    }
});

fn name(text: &str, class: NameClass) -> Name {
    Name { text: text.to_owned(), class, lang: None }
}

fn own_engine() -> Engine {
    Engine::open(index::write(&OWN).expect("the places are sound")).expect("an index just written opens")
}

fn joined_pages() -> Paged {
    let mut paged = root();
    paged.join(own_engine());
    paged
}

fn whole_joined() -> Engine {
    let mut engine = whole();
    engine.join(own_engine());
    engine
}

fn any_asked(rng: &mut Rng) -> Asked {
    let of = if rng.bool() { &OWN.places } else { &GAZETTEER.places };
    any_question(of, rng)
}

#[test]
fn answers_ignore_cached_pages_within_two_fetches() {
    let mut rng = Rng::with_seed(32);
    let full = with_pages_of(joined_pages(), || true);
    let mut paged = joined_pages();
    for number in 0..QUESTIONS {
        match number % 50 {
            0 => paged = joined_pages(),
            25 => paged = with_pages_of(joined_pages(), || rng.u8(..4) > 0),
            _ => {}
        }
        let asked = any_asked(&mut rng);
        let Answer::Ready(expect) = answer(&full, &asked) else { panic!("{asked:?} lacks a page of all pages") };
        let (found, fetches) = fetch_answer(&mut paged, &asked);
        assert_eq!(found, expect, "{asked:?}");
        assert!(fetches <= most_fetches(&asked), "{asked:?} took {fetches} fetches");
    }
}

#[test]
fn as_one_file_that_is_joined_with_it() {
    let paged = with_pages_of(joined_pages(), || true);
    let engine = whole_joined();
    let share = |seed, question: &dyn Fn(&mut Rng) -> Asked| {
        let mut rng = Rng::with_seed(seed);
        let mut tally = Tally::default();
        (0..QUESTIONS).for_each(|_| tally.ask(&paged, &engine, &question(&mut rng)));
        tally.share_of_first()
    };
    let all = share(33, &any_asked);
    let of_own = share(34, &|rng| {
        let text = any_place(&OWN.places, rng).names[0].text.clone();
        let limit = 5;
        if rng.bool() { Asked::Forward(text, limit.into()) } else { Asked::Autocomplete(text, limit.into()) }
    });
    println!("{all:.4} of all and {of_own:.4} of whole names of own places have the same first answer");
    assert!(all > SAME_FIRST && of_own > SAME_OF_OWN, "{all} {of_own}");
}

#[test]
fn every_place_is_found_in_both_indexes() {
    let mut rng = Rng::with_seed(35);
    let paged = with_pages_of(joined_pages(), || true);
    let engine = whole_joined();
    let some = (0..QUESTIONS).map(|_| any_place(&GAZETTEER.places, &mut rng)).chain(&OWN.places);
    for Record { id, position, .. } in some {
        let found = paged.reverse(*position, Shown::default()).unwrap();
        assert_eq!(found, engine.reverse(*position, None), "{position:?}");
        let reference = Reference::Id(*id);
        assert_eq!(paged.place(&reference, Shown::default()).unwrap(), engine.place(&reference, None), "{id}");
    }
}

#[test]
fn what_both_say_of_themselves() {
    let paged = joined_pages();
    let engine = whole_joined();
    assert_eq!(Geocode::about_each(&paged), Geocode::about_each(&engine));
    for tag in ["cy", "xx"] {
        assert_eq!(paged.has_language(tag), engine.has_language(tag), "{tag}");
    }
    for name in ["city", "airport", "bakery", "no such type"] {
        assert_eq!(paged.has_type(name), engine.has_type(name), "{name}");
    }
    assert!(paged.has_language("cy") && paged.has_type("bakery"), "what only one's own places have");
}
