//! Pairs of names of a place: one in another script, and Latin ones of which one may spell it.

use std::collections::{BTreeMap, BinaryHeap};

use toponym_engine::{NameClass, Record, fold, is_held_out, letters};
use unicode_script::Script;
use xxhash_rust::xxh3::xxh3_64;

use crate::text::script;

/// Most pairs of a script that are learned from: more take longer and change little.
const MOST_PAIRS: usize = 10_000;

/// Most pairs of names in Han, which has many letters, and short names.
const MOST_PAIRS_OF_HAN: usize = 24_000;

/// Most Latin names of a place that are compared with one in another script.
const MOST_LATIN: usize = 2;

/// Longer names are not learned from: the time of an alignment grows with the product of both lengths.
const MOST_LETTERS: usize = 28;

/// A name in another script, and Latin names of the same place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    /// The name without spaces.
    pub letters: Vec<char>,
    /// Characters before and behind each letter: a letter, or a space, also at the ends.
    pub beside: Vec<(char, char)>,
    /// The Latin names without spaces.
    pub latin: Vec<Vec<u8>>,
}

/// The pairs of a script.
#[derive(Debug, Default)]
pub(crate) struct OfScript {
    /// Pairs in the order of a hash of the place.
    pub pairs: Vec<Pair>,
    /// Number of names that are held out.
    pub held_out: usize,
}

/// Pairs of names of places by script.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// Pairs by the short name of the script, which has no order of its own.
    by_script: BTreeMap<&'static str, Collected>,
}

/// The pairs of a script so far.
#[derive(Debug)]
struct Collected {
    script: Script,
    /// Pairs of the places with the least hashes.
    pairs: BinaryHeap<(u64, Pair)>,
    /// Number of names that are held out.
    held_out: usize,
}

impl Pairs {
    /// Takes the names of a place.
    pub fn take(&mut self, place: &Record) {
        // Most places have none.
        let others = other_names(place);
        if others.is_empty() {
            return;
        }
        let latin = latin_names(place);
        if latin.is_empty() {
            return;
        }
        for (script, letters) in others {
            let new = || Collected { script, pairs: BinaryHeap::new(), held_out: 0 };
            let Collected { pairs, held_out, .. } = self.by_script.entry(script.short_name()).or_insert_with(new);
            if is_held_out(place.id) {
                *held_out += 1;
                continue;
            }
            pairs.push((hash(place.id), Pair::new(&letters, latin.clone())));
            let most = if script == Script::Han { MOST_PAIRS_OF_HAN } else { MOST_PAIRS };
            if pairs.len() > most {
                pairs.pop();
            }
        }
    }

    /// Returns the pairs of each script.
    pub fn by_script(self) -> impl Iterator<Item = (Script, OfScript)> {
        self.by_script.into_values().map(|Collected { script, pairs, held_out }| {
            let pairs = pairs.into_sorted_vec().into_iter().map(|(_, pair)| pair).collect();
            (script, OfScript { pairs, held_out })
        })
    }
}

impl Pair {
    /// Creates a pair of a name with its spaces, and Latin ones without.
    fn new(name: &[char], latin: Vec<Vec<u8>>) -> Self {
        let at = |at: Option<usize>| at.and_then(|at| name.get(at)).copied().unwrap_or(' ');
        let letters = name.iter().copied().enumerate().filter(|&(_, c)| c != ' ');
        let (letters, beside) = letters.map(|(here, c)| (c, (at(here.checked_sub(1)), at(Some(here + 1))))).unzip();
        Self { letters, beside, latin }
    }
}

fn hash(id: u64) -> u64 {
    xxh3_64(&id.to_le_bytes())
}

/// Returns the usual Latin names of a place.
fn latin_names(place: &Record) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    for name in place.names.iter().filter(|name| name.class <= NameClass::English) {
        if found.len() == MOST_LATIN || script(&name.text) != Some(Script::Latin) {
            continue;
        }
        let latin: Vec<u8> = fold(&name.text).bytes().filter(|&c| c != b' ').collect();
        let is_plain = latin.iter().all(u8::is_ascii_alphanumeric) && (2..=MOST_LETTERS).contains(&latin.len());
        if is_plain && !found.contains(&latin) {
            found.push(latin);
        }
    }
    found
}

/// Returns the names of a place in other scripts that may spell its Latin name.
fn other_names(place: &Record) -> Vec<(Script, Vec<char>)> {
    let mut found: Vec<(Script, Vec<char>)> = Vec::new();
    for name in place.names.iter().filter(|name| name.class < NameClass::Weak) {
        let Some(script) = script_of(&name.text).filter(|&script| !is_read_otherwise(script, place.country)) else {
            continue;
        };
        let letters = letters(&fold(&name.text));
        let is_plain =
            letters.iter().all(|&c| !c.is_ascii() || c == ' ') && (2..=MOST_LETTERS).contains(&letters.len());
        if is_plain && !found.contains(&(script, letters.clone())) {
            found.push((script, letters));
        }
    }
    found
}

/// Returns the script of a text, the two kana as one; `None` if it is Latin or mixed.
fn script_of(text: &str) -> Option<Script> {
    match script(text)? {
        Script::Latin | Script::Common => None,
        Script::Hiragana | Script::Katakana => Some(Script::Katakana),
        Script::Han if text.chars().any(|c| ('\u{3041}'..='\u{30ff}').contains(&c)) => None,
        script => Some(script),
    }
}

/// Tells whether names in a script are those of the country itself there, and its Latin names their readings: they say nothing
/// about how foreign names are spelled.
fn is_read_otherwise(script: Script, country: [u8; 2]) -> bool {
    let own: &[&[u8; 2]] = match script {
        Script::Han => &[b"CN", b"TW", b"HK", b"MO", b"JP", b"KR", b"KP", b"SG", b"MY", b"VN"],
        Script::Katakana => &[b"JP"],
        Script::Hangul => &[b"KR", b"KP"],
        _ => &[],
    };
    own.contains(&&country)
}
