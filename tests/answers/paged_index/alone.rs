//! An index in pages by itself.

use fastrand::Rng;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Answer, Geocode, Search, Shown, Suggestion};

use super::questions::{
    SLIPS, SPELLED, Tally, WAYS, answer, any_place, any_question, fetch_answer, most_fetches, text_of,
};
use super::{GAZETTEER, page, root, whole, with_pages};

/// Number of questions of a test run. TOPONYM_QUESTIONS sets another number.
const QUESTIONS: usize = 2_000;

/// First letters that the small root has suggestions for.
const MOST_LETTERS: usize = 5;

/// Least shares of questions with the same answer, and the same first place, as the index in one file gives: slips are looked for
/// in the pages where their names are likely, and of small pages there are many.
const SAME: f64 = 0.9;
const SAME_FIRST: f64 = 0.97;

fn question_count() -> usize {
    std::env::var("TOPONYM_QUESTIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(QUESTIONS)
}

#[test]
fn answers_ignore_cached_pages_within_two_fetches() {
    let mut rng = Rng::with_seed(19);
    let questions = question_count();
    let full = with_pages(|| true);
    let mut trips = [0; 4];
    let mut paged = root();
    for number in 0..questions {
        // A cache that is empty, that has what others asked for, or that has lost some of it.
        match number % 50 {
            0 => paged = root(),
            25 => paged = with_pages(|| rng.u8(..4) > 0),
            _ => {}
        }
        let asked = any_question(&GAZETTEER.places, &mut rng);
        let Answer::Ready(expect) = answer(&full, &asked) else { panic!("{asked:?} lacks a page of all pages") };
        let (found, fetches) = fetch_answer(&mut paged, &asked);
        assert_eq!(found, expect, "{asked:?}");
        assert!(fetches <= most_fetches(&asked), "{asked:?} took {fetches} fetches");
        trips[fetches] += 1;
    }
    assert!(trips[..3].iter().all(|&count| count > questions / 100), "{trips:?}");
}

/// Shares of questions with the first answer of the same index in one file. A slip is looked for in the pages where its names
/// are likely, and a text in another script in those of its likeliest spelling; of small ones there are many.
#[test]
fn nearly_always_the_first_answer_of_one_file() {
    let mut rng = Rng::with_seed(20);
    let paged = with_pages(|| true);
    let engine = whole();
    // Of texts without and with a slip, and in another script: all, and those with the same answer.
    let mut counts = [[0; 2]; 3];
    for number in 0..QUESTIONS {
        let way = rng.u8(..WAYS);
        let text = text_of(&GAZETTEER.places, &mut rng, way);
        let search = Search::new(&text, 5);
        let first = |source: &dyn Geocode| match number % 2 {
            0 => source.autocomplete(&search).unwrap().first().map(|found| found.place_id),
            _ => source.forward(&search).unwrap().first().map(|found| found.place_id),
        };
        let [all, same] = &mut counts[if way == SPELLED { 2 } else { usize::from(SLIPS.contains(&way)) }];
        *all += 1;
        *same += usize::from(first(&paged) == first(&engine));
    }
    let [without, with, spelled] = counts.map(|[all, same]| same as f64 / all as f64);
    println!("the same first answer: {without:.4} without a slip, {with:.4} with one, {spelled:.4} in another script");
    assert!(without > 0.97 && with > 0.8 && spelled > 0.7, "{without} {with} {spelled}");
}

/// Compares every operation with every option. Where places lie and which they are, pages know exactly.
#[test]
fn as_the_one_file() {
    let mut rng = Rng::with_seed(22);
    let paged = with_pages(|| true);
    let engine = whole();
    let mut tally = Tally::default();
    for _ in 0..question_count() {
        tally.ask(&paged, &engine, &any_question(&GAZETTEER.places, &mut rng));
    }
    println!("{:.4} of all answers are the same, {:.4} the first", tally.share(), tally.share_of_first());
    assert!(tally.share() > SAME && tally.share_of_first() > SAME_FIRST, "{tally:?}");
}

#[test]
fn every_place_is_named_at_its_own_position() {
    let mut rng = Rng::with_seed(21);
    let paged = with_pages(|| true);
    let engine = whole();
    let places = (0..QUESTIONS).map(|_| any_place(&GAZETTEER.places, &mut rng).position);
    // There a point is looked up on both sides of the map.
    let seam = (-90..=90).map(|lat| Coordinate::new(f64::from(lat), 180.0).expect("it is on the globe"));
    for at in places.chain(seam) {
        let Answer::Ready(found) = paged.reverse(at, Shown::default()) else { panic!("{at:?} lacks a page") };
        assert_eq!(found, engine.reverse(at, None), "{at:?}");
    }
}

/// The best of all names are in the root, so that it has the suggestions for most first letters. In a language it needs the names
/// of its places, which one page has.
#[test]
fn first_letters_need_no_page() {
    let mut paged = root();
    let engine = whole();
    for lang in [None, Some("de"), Some("fr")] {
        for (id, _) in paged.kinds().into_iter().filter(|(_, kind)| lang.is_some() && *kind == "language") {
            paged.insert(id, page(id)).expect("it is the page");
        }
        let mut answered = 0;
        for letter in 'a'..='z' {
            let letter = letter.to_string();
            let search = Search { lang, ..Search::new(&letter, 5) };
            if let Answer::Ready(found) = paged.autocomplete(&search) {
                assert_eq!(ids(&found), ids(&engine.autocomplete(&search)), "{letter}");
                answered += 1;
            }
        }
        assert!(answered >= MOST_LETTERS, "{answered} of 26 in {lang:?}");
    }
}

fn ids(found: &[Suggestion]) -> Vec<u64> {
    found.iter().map(|found| found.place_id).collect::<Vec<_>>()
}

/// Refuses a page whatever it says of itself: a host may have damaged it.
#[test]
fn a_page_with_a_changed_byte_is_refused() {
    let mut rng = Rng::with_seed(23);
    let mut paged = root();
    for (id, kind) in paged.kinds().into_iter().step_by(7) {
        let mut bytes = page(id);
        let at = rng.usize(..bytes.len());
        bytes[at] ^= 1 << rng.u8(..8);
        assert!(paged.insert(id, bytes).is_err(), "{kind}, byte {at}");
    }
}
