//! Writes the tables of names: keys in alphabetical order, each with its lowest cost and its postings.

use std::panic::resume_unwind;

use super::cost::{self, Cost};
use super::table::{ALTERNATES, MAX_KEY_LETTERS, NameSections, Posting, SOUNDS, USUAL, encode_list};
use super::transducer::encode_fst;
use crate::index::format::{EncodedSection, encode as column};
use crate::record::{NameClass, Record, Role};
use crate::text::{fold, sound, variants};

/// The work that is reported for each place: reading its names and writing its entries, in each of three tables.
pub const WORK_PER_PLACE: usize = 6;

/// Tables of fewer places are made one after the other: a thread costs more than such a table. Pages are as small, and are made on all
/// cores.
const LEAST_FOR_THREADS: usize = 10_000;

/// Work is reported after so many places or entries.
const REPORTED: usize = 1_000;

/// An encoded table of names.
struct NameTable {
    fst: Vec<u8>,
    costs: Vec<u8>,
    postings: Vec<u32>,
    lists: Vec<u32>,
}

/// Returns the keys of a place, each with the class of its name.
pub(crate) type Keys<'k> = &'k (dyn Fn(&Record) -> Vec<(String, NameClass)> + Sync);

/// The keys that places have in each table of names.
#[derive(Clone, Copy)]
pub(crate) struct TableKeys<'k> {
    pub usual: Keys<'k>,
    pub alternates: Keys<'k>,
    pub sounds: Keys<'k>,
}

/// Returns no keys: for a table without names.
pub(crate) fn no_keys(_: &Record) -> Vec<(String, NameClass)> {
    Vec::new()
}

impl TableKeys<'_> {
    /// Creates the keys of all names of a place, and of their sounds if they are wanted.
    pub const fn of_all_names(by_sound: bool) -> Self {
        let sounds: Keys = if by_sound { &sound_keys } else { &no_keys };
        Self { usual: &usual_keys, alternates: &alternate_keys, sounds }
    }
}

/// Encodes the sections of the three tables of names, for places in row order.
pub(crate) fn encode_names(places: &[&Record], keys: TableKeys, done: &(dyn Fn(usize) + Sync)) -> Vec<EncodedSection> {
    let tables: [(NameSections, Keys); 3] = [(USUAL, keys.usual), (ALTERNATES, keys.alternates), (SOUNDS, keys.sounds)];
    let sections = |(at, keys): (NameSections, Keys)| {
        let table = NameTable::of(places, keys, done);
        let postings = column(table.postings);
        let lists = column(table.lists);
        [(at.fst, table.fst), (at.costs, table.costs), (at.postings, postings), (at.lists, lists)]
    };
    if places.len() < LEAST_FOR_THREADS {
        return tables.into_iter().flat_map(sections).collect();
    }
    side_by_side(tables, sections).into_iter().flatten().collect()
}

/// Returns the results of `work` in the order of `parts`, each made on a thread of its own where there are threads.
fn side_by_side<T: Send, R: Send, const N: usize>(parts: [T; N], work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if cfg!(target_family = "wasm") {
        return parts.into_iter().map(work).collect();
    }
    let work = &work;
    std::thread::scope(|scope| {
        let threads = parts.map(|part| scope.spawn(move || work(part)));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// A key with its postings, cheapest first.
struct Entry {
    key: String,
    postings: Vec<Posting>,
    cost: Cost,
}

impl NameTable {
    /// Builds a table with the keys of all places, which are in row order.
    fn of(places: &[&Record], keys: Keys, done: &dyn Fn(usize)) -> Self {
        let mut costs = Vec::new();
        let mut postings = Vec::new();
        let mut lists = Vec::new();
        let entries = entries(places, keys, done);
        let count = entries.len();
        let mut reported = 0;
        let fst = encode_fst((0u64..).zip(entries).map(|(id, entry)| {
            if id.is_multiple_of(REPORTED as u64) {
                let share = places.len() * id as usize / count;
                done(share - reported);
                reported = share;
            }
            costs.push(cost::in_steps(entry.cost));
            postings.push(append(&mut lists, &entry.postings));
            (entry.key, id)
        }));
        done(places.len() - reported);
        Self { fst, costs, postings, lists }
    }
}

/// Returns the entries of a table in order. Calls `done` with the number of places read since the last call.
fn entries(places: &[&Record], keys: Keys, done: &dyn Fn(usize)) -> Vec<Entry> {
    let mut pairs: Vec<(String, Posting)> = Vec::new();
    for (chunk, first) in places.chunks(REPORTED).zip((0u32..).step_by(REPORTED)) {
        let postings = chunk
            .iter()
            .zip(first..)
            .flat_map(|(place, row)| keys(place).into_iter().map(move |(key, class)| (key, Posting { row, class })));
        pairs.extend(postings);
        done(chunk.len());
    }
    pairs.sort_unstable();
    pairs.dedup_by(|later, first| (&later.0, later.1.row) == (&first.0, first.1.row));
    pairs
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| {
            let cost_of = |posting: &Posting| {
                cost::of_importance(cost::stored_importance(places[posting.row as usize].importance))
                    + cost::of_class(posting.class)
            };
            let mut postings: Vec<Posting> = same.iter().map(|(_, posting)| *posting).collect();
            postings.sort_by_key(|posting| (cost_of(posting), posting.row));
            Entry { key: same[0].0.clone(), cost: cost_of(&postings[0]), postings }
        })
        .collect()
}

/// Returns the keys of the usual names of a place.
fn usual_keys(place: &Record) -> Vec<(String, NameClass)> {
    let mut keys = name_keys(place);
    keys.retain(|&(_, class)| !class.is_alternate());
    keys
}

/// Returns the keys of the alternates of a place, without those of its usual names.
fn alternate_keys(place: &Record) -> Vec<(String, NameClass)> {
    let (alternates, usual): (Vec<_>, Vec<_>) =
        name_keys(place).into_iter().partition(|(_, class)| class.is_alternate());
    alternates.into_iter().filter(|(key, _)| usual.iter().all(|(usual, _)| usual != key)).collect()
}

/// Returns the keys of all names of a place and their variants. Variants of primary names are in the English class.
pub(crate) fn name_keys(place: &Record) -> Vec<(String, NameClass)> {
    let mut keys = Vec::new();
    for name in &place.names {
        let folded = fold(&name.text);
        let lower = name.class.max(NameClass::English);
        keys.extend(variants(&name.text, &folded).into_iter().map(|variant| (variant, lower)));
        keys.push((folded, name.class));
    }
    keys.retain(|(key, _)| !key.is_empty() && key.chars().count() <= MAX_KEY_LETTERS);
    keys
}

/// Minimum importance of a place that can be found by sound: a town of about 10,000 people.
const MIN_SOUND_IMPORTANCE: f64 = 0.42;

/// Returns the phonetic keys of the names of a place, without weak names and keys that are too short; none for a county
/// or a place of little importance.
pub(crate) fn sound_keys(place: &Record) -> Vec<(String, NameClass)> {
    const MIN_LENGTH: usize = 2;
    if place.importance < MIN_SOUND_IMPORTANCE || place.kind.role == Role::County {
        return Vec::new();
    }
    let names = place
        .names
        .iter()
        .filter(|name| name.class < NameClass::Weak && name.text.chars().any(|c| c.is_ascii_alphabetic()));
    names.map(|name| (sound(&fold(&name.text)), name.class)).filter(|(key, _)| key.len() >= MIN_LENGTH).collect()
}

fn append(lists: &mut Vec<u32>, postings: &[Posting]) -> u32 {
    if let [single] = postings {
        return single.encode();
    }
    let offset = lists.len() as u32;
    lists.push(postings.len() as u32);
    lists.extend(postings.iter().map(|posting| posting.encode()));
    encode_list(offset)
}
