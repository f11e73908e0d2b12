//! Several indexes that answer together: one place under one id, areas for the places of every index, one ranking.

use toponym_engine::geo::Coordinate;
use toponym_engine::{
    About, Border, Bordered, Capital, Code, CodeScheme, Engine, Gazetteer, Kind, Name, NameClass, Record, Role, Search,
    index,
};

fn at(lat: f64, lon: f64) -> Coordinate {
    Coordinate::new(lat, lon).expect("a test coordinate is in range")
}

/// Id, role, names (the first is displayed, with `xx:` in a language), position, parent and importance; in the country `XX`.
type Line = (u64, Role, &'static [&'static str], (f64, f64), Option<u64>, f64);

fn record(&(id, role, names, (lat, lon), parent, importance): &Line) -> Record {
    let r#type = if role == Role::Postcode { "postal_code" } else { "town" };
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: r#type.into() },
        names: names.iter().copied().map(name).collect(),
        codes: if role == Role::Country { vec![Code { scheme: CodeScheme::Iso2, text: "XX".into() }] } else { vec![] },
        position: at(lat, lon),
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

fn gazetteer(title: &str, lines: &[Line]) -> Gazetteer {
    let about = About { title: title.into(), attribution: vec![format!("© {title}")], ..About::default() };
    Gazetteer { places: lines.iter().map(record).collect(), about, ..Gazetteer::default() }
}

fn engine(gazetteer: &Gazetteer) -> Engine {
    Engine::open(index::write(gazetteer).expect("the gazetteer is sound")).expect("an index just written opens")
}

/// The default index: a country, a state with its capital, another city; their borders.
const BASE: &[Line] = &[
    (1, Role::Country, &["Land", "fr:Pays"], (2.0, 2.0), None, 0.9),
    (2, Role::State, &["North", "fr:Nord"], (3.0, 2.0), Some(1), 0.6),
    (3, Role::City, &["Stad", "fr:Ville"], (3.0, 3.0), Some(2), 0.7),
    (4, Role::City, &["Dorp"], (1.0, 1.0), Some(1), 0.3),
];

/// An operator's own places, with bare copies of those that contain them.
const OWN: &[Line] = &[
    (1, Role::Country, &["Land"], (2.0, 2.0), None, 0.9),
    (2, Role::State, &["North"], (3.0, 2.0), Some(1), 0.6),
    (3, Role::City, &["Stad", "Our Town"], (3.0, 3.0), Some(2), 0.7),
    (50, Role::Quarter, &["Shops"], (3.01, 3.0), Some(3), 0.2),
    (51, Role::Landmark, &["Shop One", "fr:Magasin Un"], (3.01, 3.01), Some(50), 0.2),
    (52, Role::City, &["Dorp"], (1.5, 1.5), Some(1), 0.4),
    (53, Role::Postcode, &["1000 01", "100001"], (3.0, 3.0), Some(3), 0.3),
];

fn base() -> Gazetteer {
    let corners = [(0.0, 0.0), (0.0, 5.0), (5.0, 5.0), (5.0, 0.0), (0.0, 0.0)];
    let border = Border { of: Bordered::Country(*b"XX"), rings: vec![corners.map(|(lat, lon)| at(lat, lon)).to_vec()] };
    let capitals = vec![Capital { area: 1, city: 3 }];
    Gazetteer { borders: vec![border], capitals, ..gazetteer("base", BASE) }
}

fn join(first: &Gazetteer, second: &Gazetteer) -> Engine {
    let mut engine = engine(first);
    engine.join(self::engine(second));
    engine
}

#[test]
fn places_of_both_are_ranked_together() {
    let engine = join(&base(), &gazetteer("own", OWN));
    let check = |text: &str, lang: Option<&str>, expect: &[&str]| {
        let found = engine.forward(&Search { lang, ..Search::new(text, 5) });
        let shown: Vec<String> =
            found.iter().map(|place| format!("{} {}", place.place_id, place.display_name)).collect();
        assert_eq!(shown, expect, "{text}");
        let suggested = engine.autocomplete(&Search { lang, ..Search::new(text, 5) });
        assert_eq!(suggested.len(), found.len(), "{text}");
    };
    // Both have a Dorp; that of the second index is greater.
    check("Dorp", None, &["52 Dorp, Land", "4 Dorp, Land"]);
    // A place that both have is one, with the names of both.
    check("Stad", None, &["3 Stad, North, Land"]);
    check("Our Town", None, &["3 Stad, North, Land"]);
    check("Ville", Some("fr"), &["3 Ville, Nord, Pays"]);
    // Areas of either hold for the places of both, in the languages of the first.
    check("Shop One", Some("fr"), &["51 Magasin Un, Shops, Ville, Nord, Pays"]);
    check("Shop One, Ville", None, &["51 Shop One, Shops, Stad, North, Land"]);
    check("Shop One, Our Town, Nord, XX", None, &["51 Shop One, Shops, Stad, North, Land"]);
}

/// The second index lacks what the first says about areas, and the other way round.
#[test]
fn parents_come_from_the_first_index() {
    let engine = join(&gazetteer("own", OWN), &base());
    let found = engine.forward(&Search { lang: Some("fr"), ..Search::new("Stad", 1) });
    assert_eq!(found[0].display_name, "Stad, North, Land", "the bare copy comes first");
    let found = engine.forward(&Search::new("Ville", 1));
    assert_eq!((found[0].place_id, found[0].display_name.as_str()), (3, "Stad, North, Land"));
    assert_eq!(engine.capital(*b"XX").map(|place| place.place_id), Some(3), "the second index knows the capital");
    assert_eq!(join(&base(), &gazetteer("own", OWN)).capital(*b"XX").map(|place| place.place_id), Some(3));
}

/// A copy in a later index is less important than the place in the first, and has a name of its own there, which many have. How
/// many answers are asked for does not change which is the best.
#[test]
fn a_place_costs_the_same_whatever_is_kept() {
    fn line(id: u64, importance: f64) -> Line {
        (id, Role::City, &["Ford"] as &'static [&'static str], (1.0, 1.0), Some(1), importance)
    }
    let mut own: Vec<Line> = (100..400).map(|id| line(id, 0.6)).collect();
    own.extend([BASE[0], (4, Role::City, &["Dorp", "Ford"], (1.0, 1.0), Some(1), 0.1)]);
    let base: Vec<Line> = [BASE[0], (4, Role::City, &["Dorp"], (1.0, 1.0), Some(1), 0.9)].to_vec();
    let engine = join(&gazetteer("base", &base), &gazetteer("own", &own));
    let best = |limit: usize| engine.forward(&Search::new("Ford", limit))[0].place_id;
    assert_eq!(best(1), best(350));
}

#[test]
fn reverse_takes_the_nearest_of_both() {
    let engine = join(&base(), &gazetteer("own", OWN));
    let check = |point: (f64, f64), expect: Option<u64>| {
        assert_eq!(engine.reverse(at(point.0, point.1), None).map(|place| place.place_id), expect, "{point:?}");
    };
    check((3.0, 3.0), Some(3));
    check((3.012, 3.012), Some(51));
    check((1.0, 1.0), Some(4));
    check((1.5, 1.5), Some(52));
    check((9.0, 9.0), None);
    assert_eq!(engine.country_at(at(1.0, 1.0)), Some(*b"XX"));
}

#[test]
fn postal_codes_lie_in_their_cities() {
    let engine = join(&base(), &gazetteer("own", OWN));
    let check = |text: &str, expect: &str| {
        let found = engine.forward(&Search::new(text, 2));
        let shown: Vec<String> =
            found.iter().map(|place| format!("{} {}", place.display_name, place.confidence)).collect();
        assert_eq!(shown.join("; "), expect, "{text}");
    };
    check("1000 01", "1000 01, Stad, North, Land 0.98");
    check("100001", "1000 01, Stad, North, Land 0.98");
    check("1000-01 Ville", "1000 01, Stad, North, Land 0.98");
    check("10 0001 Stad", "1000 01, Stad, North, Land 0.98");
    // A code of another place says nothing, and costs confidence.
    let alone = engine.forward(&Search::new("Dorp", 1))[0].confidence;
    let with_code = engine.forward(&Search::new("100001 Dorp", 1)).remove(0);
    assert_eq!(with_code.place_id, 52);
    assert!(with_code.confidence < alone, "{} {alone}", with_code.confidence);
    let place = engine.forward(&Search::new("100001", 1)).remove(0);
    assert_eq!((place.address.get("postcode"), place.address.get("city")), (Some("1000 01"), Some("Stad")));
    assert_eq!(engine.reverse(at(3.0, 3.0), None).map(|place| place.place_id), Some(3), "reverse answers no code");
}

#[test]
fn the_sources_of_all_are_credited() {
    let engine = join(&base(), &gazetteer("own", OWN));
    assert_eq!(engine.about().title, "base");
    let lines: Vec<&str> = engine.about_each().flat_map(|about| &about.attribution).map(String::as_str).collect();
    assert_eq!(lines, ["© base", "© own"]);
}

/// An index beside itself, and one beside a place that nobody asks for, answer as the index alone: the same bytes.
#[test]
fn what_adds_nothing_changes_nothing() {
    let base = base();
    let own = gazetteer("own", OWN);
    let one = engine(&base);
    let texts = ["Stad", "Dorp", "Ville", "stat, north", "dor", "Dorp, Land", "XX", "Nrth", "", "1000 01", "wstad"];
    let elsewhere = gazetteer("elsewhere", &[(9, Role::Landmark, &["Quux"], (-80.0, 90.0), None, 0.0)]);
    for other in [&base, &elsewhere] {
        let engine = join(&base, other);
        for text in texts {
            for lang in [None, Some("fr")] {
                let search = Search { lang, ..Search::new(text, 5) };
                assert_eq!(json(&one.forward(&search)), json(&engine.forward(&search)), "{text}");
                assert_eq!(json(&one.autocomplete(&search)), json(&engine.autocomplete(&search)), "{text}");
                assert_eq!(json(&one.explain_forward(&search)), json(&engine.explain_forward(&search)), "{text}");
            }
        }
        for point in [(3.0, 3.0), (1.2, 1.2), (4.9, 4.9), (6.0, 6.0)].map(|(lat, lon)| at(lat, lon)) {
            assert_eq!(json(&one.reverse(point, None)), json(&engine.reverse(point, None)), "{point:?}");
        }
        assert_eq!(json(&one.batch(&texts)), json(&engine.batch(&texts)));
        assert_eq!(one.coverage(), engine.coverage());
    }
    let mut three = join(&base, &own);
    three.join(engine(&own));
    let two = join(&base, &own);
    for text in texts {
        assert_eq!(json(&two.forward(&Search::new(text, 5))), json(&three.forward(&Search::new(text, 5))), "{text}");
    }
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("answers are plain values")
}
