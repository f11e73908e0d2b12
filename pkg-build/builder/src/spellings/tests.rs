use toponym_engine::geo::Coordinate;
use toponym_engine::{Beside, Kind, Name, NameClass, Record, Role, Spellings, is_held_out};

use super::{FEWEST_PAIRS, learned_of};

fn place(id: u64, latin: &str, other: &str) -> Record {
    Record {
        id,
        kind: Kind { role: Role::City, category: "place".into(), r#type: "town".into() },
        names: vec![name(latin, NameClass::Primary), name(other, NameClass::Other)],
        codes: vec![],
        position: Coordinate::new(0.0, 0.0).expect("it is on the globe"),
        parent: None,
        country: *b"XX",
        importance: 0.5,
        extent_m: 1_000.0,
        bounds: None,
    }
}

fn name(text: &str, class: NameClass) -> Name {
    Name { text: text.to_owned(), class, lang: None }
}

/// Makes places with names of a language in which `ш` is `sh`, `г` is `g`, and `h` at the beginning of a word.
fn places(count: u64) -> Vec<Record> {
    let consonants = [("sh", "ш"), ("m", "м"), ("r", "р"), ("g", "г"), ("l", "л"), ("n", "н")];
    let vowels = [("a", "а"), ("o", "о"), ("u", "у"), ("i", "и")];
    let mut rng = fastrand::Rng::with_seed(9);
    let name = |id: u64| {
        let letters = (0..rng.usize(4..7)).map(|at| {
            let of_kind: &[(&str, &str)] = if at % 2 == 0 { &consonants } else { &vowels };
            of_kind[rng.usize(..of_kind.len())]
        });
        let (latin, other): (String, String) = letters.collect::<Vec<_>>().into_iter().unzip();
        let latin = latin.strip_prefix('g').map_or(latin.clone(), |rest| format!("h{rest}"));
        place(id, &latin, &other)
    };
    (1..=count).map(name).collect()
}

/// Returns the likeliest spelling of a letter beside something.
fn first(learned: &[Spellings], letter: char, beside: Beside) -> Option<&str> {
    let of_letter = learned.iter().find(|of_letter| (of_letter.letter, of_letter.beside) == (letter, beside))?;
    Some(&of_letter.all[0].latin)
}

#[test]
fn regular_letters_are_learned() {
    let learned = learned_of(&places(1_500));
    let check = |letter: char, beside: Beside, expect: Option<&str>| {
        assert_eq!(first(&learned, letter, beside), expect, "{letter} {beside:?}");
    };
    check('ш', Beside::Anything, Some("sh"));
    check('м', Beside::Anything, Some("m"));
    check('у', Beside::Anything, Some("u"));
    check('г', Beside::Anything, Some("g"));
    check('г', Beside::After(' '), Some("h"));
    check('м', Beside::After(' '), None);
    check('ж', Beside::Anything, None);
    assert!(learned.is_sorted_by_key(|of_letter| (of_letter.letter, of_letter.beside)));
}

#[test]
fn the_order_of_places_changes_nothing() {
    let mut places = places(600);
    let learned = learned_of(&places);
    places.reverse();
    assert_eq!(learned_of(&places), learned);
}

#[test]
fn nothing_is_learned_from_what_is_held_out() {
    let mut places = places(1_000);
    let learned = learned_of(&places);
    places.retain(|place| !is_held_out(place.id));
    assert!((850..950).contains(&places.len()), "{} of 1,000", places.len());
    assert_eq!(learned_of(&places), learned);
}

#[test]
fn few_names_and_translations_are_not_learned_from() {
    assert_eq!(learned_of(&places(FEWEST_PAIRS as u64 / 2)), []);
    let mut places = places(800);
    places.extend((2_000..2_040).map(|id| place(id, "Xq", "мошагарулимоша")));
    let learned = learned_of(&places);
    let spelled = learned.iter().flat_map(|of_letter| &of_letter.all);
    assert!(spelled.into_iter().all(|spelling| !spelling.latin.contains('q')), "{learned:?}");
}

/// The names of Chinese cities in Han are their own, and Latin ones their readings.
#[test]
fn own_names_are_not_foreign_ones() {
    assert_eq!(learned_of(&in_country(b"CN")), []);
    assert!(first(&learned_of(&in_country(b"ID")), '巴', Beside::Anything).is_some());
}

fn in_country(country: &[u8; 2]) -> Vec<Record> {
    (1..400).map(|id| Record { country: *country, ..place(id, "Bali", "巴里") }).collect()
}
