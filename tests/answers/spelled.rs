//! Names that nobody wrote down: texts in other scripts that no source has for any place.
//!
//! The builder learns spellings from nine of ten places. Here the others lose their names in other scripts, and each such name
//! that is then left to no place is asked for. With a folder in TOPONYM_HELD_OUT, the index without them and the names are written there,
//! for `tests/bench/node/spelled.mjs`, which measures them in wasm.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

use toponym_engine::index::{self, sections};
use toponym_engine::{Engine, Name, NameClass, Record, Role, Search, fold, is_held_out};

use crate::default_index::{BYTES, GAZETTEER};

/// Places with fewer people are seldom asked for in another script.
const PEOPLE: u32 = 15_000;

/// Confidence with which an answer is more likely right than wrong.
const LIKELY: f64 = 0.5;

/// The scripts, each with its first and last letter, and the least share of names that find their place first. Names that are no
/// transliterations are among them: translations, names of their divisions, and those of other languages.
const SCRIPTS: [(&str, char, char, f64); 12] = [
    ("Greek", '\u{370}', '\u{3ff}', 0.82),
    ("Cyrillic", '\u{400}', '\u{52f}', 0.81),
    ("Armenian", '\u{531}', '\u{58f}', 0.79),
    ("Hebrew", '\u{5d0}', '\u{5ea}', 0.45),
    ("Arabic", '\u{620}', '\u{6ff}', 0.45),
    ("Devanagari", '\u{900}', '\u{97f}', 0.71),
    ("Bengali", '\u{980}', '\u{9ff}', 0.73),
    ("Thai", '\u{e01}', '\u{e5b}', 0.49),
    ("Georgian", '\u{10d0}', '\u{10ff}', 0.82),
    ("Hangul", '\u{1100}', '\u{11ff}', 0.63),
    ("kana", '\u{3041}', '\u{30ff}', 0.62),
    ("Han", '\u{4e00}', '\u{9fff}', 0.44),
];

/// Most answers with a confidence of one half and more that are wrong, among all of a script.
const MOST_WRONG: f64 = 0.05;

/// Tally of what the names of a script found.
#[derive(Default)]
struct Tally {
    asked: usize,
    first: usize,
    wrong_and_likely: usize,
}

/// Returns the script of a folded name, if all of its letters are of one that is tested.
fn script(name: &str) -> Option<&'static str> {
    let mut letters = name
        .chars()
        .filter(|c| c.is_alphabetic())
        .map(|c| SCRIPTS.iter().find(|(_, first, last, _)| (*first..=*last).contains(&c)).map(|(name, ..)| *name));
    let first = letters.next()??;
    letters.all(|script| script == Some(first)).then_some(first)
}

/// A name that its place loses: the id, the script and the name.
type Lost = (u64, &'static str, String);

/// Removes the names of places that are held out, and returns those that are to be asked for.
fn take_names(places: &mut [Record], people: &[u32]) -> Vec<Lost> {
    let mut owners: HashMap<String, u32> = HashMap::new();
    for place in places.iter() {
        place.names.iter().for_each(|name| *owners.entry(fold(&name.text)).or_default() += 1);
    }
    let mut lost = Vec::new();
    for (place, &people) in places.iter_mut().zip(people).filter(|(place, _)| is_held_out(place.id)) {
        let is_asked = place.kind.role == Role::City && people >= PEOPLE && place.names[0].text.is_ascii();
        let (kept, taken): (Vec<Name>, Vec<Name>) =
            place.names.drain(..).partition(|name| script(&fold(&name.text)).is_none());
        place.names = kept;
        for name in taken.into_iter().filter(|name| is_asked && name.class == NameClass::Other) {
            let folded = fold(&name.text);
            let script = script(&folded).expect("names without a script are kept");
            lost.extend((owners[&folded] == 1).then_some((place.id, script, folded)));
        }
    }
    lost
}

/// Writes the index without the names, and the names, a line each, for measurements elsewhere.
fn keep(folder: &Path, index: &[u8], lost: &[Lost]) {
    std::fs::create_dir_all(folder).expect("TOPONYM_HELD_OUT names a folder that can be made");
    std::fs::write(folder.join("index.toponym"), index).expect("the folder can be written");
    let names: Vec<&str> = lost.iter().map(|(.., name)| name.as_str()).collect();
    std::fs::write(folder.join("names.txt"), names.join("\n")).expect("the folder can be written");
}

/// Says how long a question took: the median, and the most of 99 in 100.
fn quantiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let micros = |share: f64| times[(times.len() as f64 * share) as usize].as_micros();
    format!("p50 {} µs, p99 {} µs of {} questions", micros(0.5), micros(0.99), times.len())
}

#[test]
fn names_that_are_held_out_are_guessed() {
    let mut gazetteer = GAZETTEER.clone();
    let columns: BTreeMap<&str, _> = sections(BYTES.clone()).expect("the index is whole").into_iter().collect();
    let people =
        columns["populations"].chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four")));
    // Places that are called so in no Latin letters keep all of their names.
    let displayed: Vec<bool> =
        gazetteer.places.iter().map(|place| script(&fold(&place.names[0].text)).is_some()).collect();
    let people: Vec<u32> = people.chain(std::iter::repeat(0)).take(displayed.len()).collect();
    let (mut latin, others): (Vec<_>, Vec<_>) =
        gazetteer.places.drain(..).zip(people).zip(displayed).partition(|(_, is_displayed)| !is_displayed);
    let (mut places, people): (Vec<Record>, Vec<u32>) = latin.drain(..).map(|(place, _)| place).unzip();
    let lost = take_names(&mut places, &people);
    gazetteer.places = places.into_iter().chain(others.into_iter().map(|((place, _), _)| place)).collect();
    let bytes = index::write(&gazetteer).expect("the gazetteer is sound");
    if let Some(folder) = std::env::var_os("TOPONYM_HELD_OUT") {
        keep(Path::new(&folder), &bytes, &lost);
    }
    let engine = Engine::open(bytes).expect("the index is whole");
    let mut times = Vec::new();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for (id, script, name) in &lost {
        let start = Instant::now();
        let found = engine.forward(&Search::new(name, 5));
        times.push(start.elapsed());
        let is_right = found.first().is_some_and(|place| place.place_id == *id);
        let is_likely = found.first().is_some_and(|place| place.confidence >= LIKELY);
        let tally = tallies.entry(script).or_default();
        tally.asked += 1;
        tally.first += usize::from(is_right);
        tally.wrong_and_likely += usize::from(!is_right && is_likely);
    }
    let lines: Vec<String> = tallies.iter().map(|(script, tally)| tally_line(script, tally)).collect();
    println!("{}\n{}", lines.join("\n"), quantiles(&mut times));
    for (script, _, _, floor) in SCRIPTS {
        let tally = tallies.get(script).unwrap_or_else(|| panic!("no name in {script} is held out"));
        assert!(tally.asked >= 100, "{}", tally_line(script, tally));
        assert!(tally.first as f64 >= floor * tally.asked as f64, "{}", tally_line(script, tally));
        assert!(tally.wrong_and_likely as f64 <= MOST_WRONG * tally.asked as f64, "{}", tally_line(script, tally));
    }
}

fn tally_line(script: &str, tally: &Tally) -> String {
    let share = |count: usize| count as f64 / tally.asked as f64;
    format!(
        "{script}: {:.3} of {}, {:.3} wrong and likely",
        share(tally.first),
        tally.asked,
        share(tally.wrong_and_likely)
    )
}
