//! An index in pages answers what the index in one file does. `tests/answers` asks the same of a larger one, at random.

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::index::{self, WriteError};
use toponym_engine::pages::{PageSizes, Paged, WrittenPages, write_paged};
use toponym_engine::{
    AreaNames, Capital, Engine, Fact, FactSet, Filter, Gazetteer, Geocode, Kind, Name, NameClass, Nearby, Record,
    Reference, Role, Search, Shown,
};

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("a test coordinate is in range")
}

/// Creates a place whose first name is displayed; the others are of languages, as `zh:名`.
fn place(id: u64, role: Role, names: &[&str], position: Coordinate, parent: Option<u64>, importance: f64) -> Record {
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: "town".into() },
        names: names.iter().copied().map(name).collect(),
        codes: vec![],
        position,
        parent,
        country: *b"XX",
        importance,
        extent_m: 1_000.0,
        bounds: None,
    }
}

/// Reads a name, with its language before a colon.
fn name(text: &str) -> Name {
    match text.split_once(':') {
        Some((lang, text)) => Name { text: text.into(), class: NameClass::Other, lang: Some(lang.into()) },
        None => Name { text: text.into(), class: NameClass::Primary, lang: None },
    }
}

/// Creates a country with a state, whose capital is a village of many; a county of it; and a region around some, with its centre
/// far away.
fn gazetteer() -> Gazetteer {
    let mut places = vec![
        place(1, Role::Country, &["Land"], at(2.0, 2.0), None, 0.9),
        place(2, Role::State, &["North"], at(3.0, 2.0), Some(1), 0.6),
        place(3, Role::County, &["Shire", "zh:县", "zh-Hant:縣"], at(3.0, 3.0), Some(2), 0.1),
    ];
    let region = place(4, Role::Region, &["Lakes"], at(-60.0, -100.0), Some(1), 0.0);
    places.push(Record { bounds: Some(Bounds { south: 3.0, north: 4.0, west: 3.0, east: 4.0 }), ..region });
    places.extend((100..400).map(|id| {
        let row = (id - 100) / 20;
        let column = (id - 100) % 20;
        let position = at(3.0 + row as f64 / 10.0, 3.0 + column as f64 / 10.0);
        place(id, Role::City, &[&format!("Village {id}"), "zh:村", "zh-Hant:莊"], position, Some(3), 0.01)
    }));
    places.extend((1_000..2_500).map(|id| {
        let position = at(-60.0 + (id % 50) as f64 / 100.0, -100.0 + (id / 50) as f64 / 100.0);
        place(id, Role::City, &[&format!("Far {id}")], position, Some(1), 0.001)
    }));
    let capitals = vec![Capital { area: 2, city: 333 }];
    Gazetteer { places, capitals, ..Gazetteer::default() }
}

/// Returns the root of the index in pages, and adds its pages.
fn written(pages: &mut Vec<Vec<u8>>) -> Vec<u8> {
    let mut take = |written: WrittenPages| -> Result<(), WriteError> {
        pages.extend(written.pages.into_iter().map(|page| page.bytes));
        Ok(())
    };
    let sizes = PageSizes { root: 500, crown: 2_000, page: 2_000 };
    write_paged(&gazetteer(), sizes, &mut take).expect("it is sound")
}

/// Creates the index in one file, and in pages which are all there.
fn both() -> (Engine, Paged) {
    let engine = Engine::open(index::write(&gazetteer()).expect("it is sound")).expect("it is whole");
    let mut pages = Vec::new();
    let root = written(&mut pages);
    let mut paged = Paged::open(root).expect("a root just written opens");
    for (id, _) in paged.kinds() {
        paged.insert(id, pages[id.number() as usize].clone()).expect("it is the page");
    }
    (engine, paged)
}

#[test]
fn a_required_region_is_found() {
    let (engine, paged) = both();
    let filter = Filter { within: Some(4), ..Filter::default() };
    let nearby = Nearby { filter, radius_m: 200_000.0, ..Nearby::new(at(3.5, 3.5), 5) };
    let expect = engine.nearby(&nearby);
    assert_eq!(expect.len(), 5);
    assert_eq!(paged.nearby(&nearby).unwrap(), expect);
    let search = Search { filter, ..Search::new("3.5, 3.5", 1) };
    assert_eq!(engine.forward(&search).len(), 1);
    assert_eq!(paged.forward(&search).unwrap(), engine.forward(&search));
}

/// The pages of the area's name have the names of some places, and come before those of their positions.
#[test]
fn named_areas_keep_places_by_position() {
    let (engine, paged) = both();
    let filter = Filter { areas: AreaNames { county: Some("Shire"), ..AreaNames::default() }, ..Filter::default() };
    let nearby = Nearby { filter, radius_m: 200_000.0, ..Nearby::new(at(3.5, 3.5), 50) };
    let expect = engine.nearby(&nearby);
    assert_eq!(expect.len(), 50);
    assert_eq!(paged.nearby(&nearby).unwrap(), expect);
}

#[test]
fn the_better_language_names_places_and_areas() {
    let (engine, paged) = both();
    for lang in ["zh-Hant-TW", "zh-Hant", "zh", "xx"] {
        // Found by its name in one language, so that the page of the name has that one alone.
        for text in ["村", "Village 150", "莊"] {
            let search = Search { lang: Some(lang), ..Search::new(text, 3) };
            assert_eq!(paged.forward(&search).unwrap(), engine.forward(&search), "{text} in {lang}");
        }
        let shown = Shown { lang: Some(lang), facts: FactSet::ALL };
        let reference = Reference::Id(150);
        assert_eq!(paged.place(&reference, shown).unwrap(), engine.place(&reference, shown), "{lang}");
        let point = at(3.51, 3.51);
        assert_eq!(paged.reverse(point, shown).unwrap(), engine.reverse(point, shown), "{lang}");
    }
}

#[test]
fn a_capital_that_the_root_lacks_is_known() {
    let (engine, paged) = both();
    for lang in [None, Some("zh")] {
        let shown = Shown { lang, facts: FactSet::default().with(Fact::Capital) };
        let search = Search { lang, facts: shown.facts, ..Search::new("North", 1) };
        let expect = engine.forward(&search);
        let capital = expect[0].facts.as_ref().and_then(|facts| facts.capital.as_ref());
        assert_eq!(capital.map(|capital| capital.place_id), Some(333));
        assert_eq!(paged.forward(&search).unwrap(), expect, "{lang:?}");
        let reference = Reference::Id(2);
        assert_eq!(paged.place(&reference, shown).unwrap(), engine.place(&reference, shown), "{lang:?}");
    }
}

/// Changes bytes of the directory, which nobody need have written.
#[test]
fn a_forged_directory_never_panics() {
    let mut pages = Vec::new();
    let root = written(&mut pages);
    let parts = index::sections(root.clone()).expect("it is whole");
    let (_, directory) = parts.iter().find(|(name, _)| *name == "directory").expect("a root has one");
    let start = root.windows(directory.len()).position(|bytes| bytes == &directory[..]).expect("it is there");
    let mut rng = fastrand::Rng::with_seed(31);
    let mut opened = 0;
    for _ in 0..3_000 {
        let mut forged = root.clone();
        for _ in 0..rng.usize(1..4) {
            forged[start + rng.usize(..directory.len())] = rng.u8(..);
        }
        let Ok(Some(paged)) = Paged::open_trusted(forged) else { continue };
        opened += 1;
        for text in ["Village 150", "Vilage 105", "far 1x04", "XX"] {
            let _ = paged.autocomplete(&Search { lang: Some("zh"), ..Search::new(text, 5) });
        }
        let _ = paged.reverse(at(3.51, 3.51), Shown::default());
        let _ = paged.place(&Reference::Id(150), Shown::default());
        let _ = (paged.kinds(), paged.coverage(), paged.file_name(paged.kinds().last().expect("it has pages").0));
    }
    assert!(opened > 1_000, "{opened}");
}
