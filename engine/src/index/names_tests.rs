//! Searches for names give what a scan of all names gives.

use std::collections::BTreeMap;

use fastrand::Rng;

use super::tests::{gazetteer, open, word};
use crate::index::{Cost, Index, NameSearch, Names, Prefix, STEP, share};
use crate::record::Gazetteer;
use crate::text::{fold, variants};

/// Returns the names of a table with their lowest cost, from a scan of the records.
fn names_of(index: &Index, table: &Names, gazetteer: &Gazetteer) -> BTreeMap<String, Cost> {
    let alternates = std::ptr::eq(table, &index.segment(0).file.alternates);
    let mut names = BTreeMap::new();
    for place in &gazetteer.places {
        let keys = |alternate: bool| {
            let names = place.names.iter().filter(move |name| name.class.is_alternate() == alternate);
            names.flat_map(|name| [vec![fold(&name.text)], variants(&name.text, &fold(&name.text))].concat())
        };
        for folded in keys(alternates).filter(|key| !alternates || keys(false).all(|usual| usual != *key)) {
            let id = table.id(&folded).expect("every folded name is a key");
            let cost = table
                .postings(id)
                .map(|posting| index.segment(0).file.cost(posting))
                .min()
                .expect("a key has postings");
            names.insert(folded, cost);
        }
    }
    names
}

#[test]
fn a_prefix_gives_its_names_cheapest_first() {
    let mut rng = Rng::with_seed(1);
    for size in [1, 30, 2_000] {
        let gazetteer = gazetteer(&mut rng, size);
        let index = open(&gazetteer);
        for table in [&index.segment(0).file.usual, &index.segment(0).file.alternates] {
            let names = names_of(&index, table, &gazetteer);
            for prefix in ["", "k", "ka", "paris", "st", "но", "нов", "o", "x"] {
                let longer = names.iter().filter(|(name, _)| name.starts_with(prefix) && *name != prefix);
                let mut expected: Vec<(Cost, u32)> =
                    longer.map(|(name, &cost)| (cost / STEP * STEP, table.id(name).unwrap())).collect();
                expected.sort_unstable();
                let search = NameSearch::prefix(table, prefix, 0);
                let found: Vec<(Cost, u32)> = search.map(|found| (found.floor, found.id)).collect();
                assert_eq!(found, expected, "{size} {prefix}");
            }
            let ids: Vec<u32> = names.keys().map(|name| table.id(name).unwrap()).collect();
            assert!(ids.iter().copied().eq(0..ids.len() as u32), "names are numbered in alphabetical order");
            assert_eq!(ids.len(), table.len() as usize, "nothing else is a key");
        }
    }
}

/// Computes the distance of each beginning of a name by the textbook dynamic programming algorithm, without a band,
/// with the weights of the first character.
fn distance(name: &[char], pattern: &[char]) -> Vec<usize> {
    fn weight(i: usize, j: usize) -> usize {
        if i <= 1 && j <= 1 { 2 } else { 1 }
    }
    let mut d = vec![vec![0usize; pattern.len() + 1]; name.len() + 1];
    for i in 0..=name.len() {
        for j in 0..=pattern.len() {
            if i == 0 && j == 0 {
                continue;
            }
            let mut best = usize::MAX;
            if i > 0 {
                best = best.min(d[i - 1][j] + weight(i, i));
            }
            if j > 0 {
                best = best.min(d[i][j - 1] + weight(i, j));
            }
            if i > 0 && j > 0 {
                let kept = if name[i - 1] == pattern[j - 1] { 0 } else { weight(i, j) };
                best = best.min(d[i - 1][j - 1] + kept);
            }
            if i > 1 && j > 1 && name[i - 1] == pattern[j - 2] && name[i - 2] == pattern[j - 1] {
                best = best.min(d[i - 2][j - 2] + weight(i - 1, j - 1));
            }
            d[i][j] = best;
        }
    }
    (0..=name.len()).map(|i| d[i][pattern.len()]).collect()
}

/// Returns the first byte of a character in UTF-8.
fn lead(letter: &char) -> u8 {
    letter.encode_utf8(&mut [0; 4]).as_bytes()[0]
}

/// Returns the edits of a name, of which only the first letters may be compared, from the distances of its beginnings.
fn edits_of(compared: &[usize], name: &[char], prefix: Option<Prefix>) -> usize {
    let whole = if compared.len() > name.len() { compared[name.len()] } else { usize::MAX };
    let mut least = whole;
    for (at, &edits) in compared.iter().enumerate() {
        let may_end = match prefix {
            None => false,
            Some(Prefix::Letters) => true,
            Some(Prefix::Words) => name.get(at) == Some(&' '),
        };
        if may_end {
            least = least.min(edits);
        }
    }
    least
}

#[test]
fn typos_give_what_a_scan_gives() {
    let mut rng = Rng::with_seed(2);
    let mut gazetteer = gazetteer(&mut rng, 1_500);
    for place in gazetteer.places.iter_mut().step_by(2) {
        let first = &mut place.names[0].text;
        *first = format!("{} {first}", word(&mut rng));
    }
    let index = open(&gazetteer);
    let table = &index.segment(0).file.usual;
    let names = names_of(&index, table, &gazetteer);
    let prefix_cost = share(0.3);
    for _ in 0..400 {
        let prefix = [None, Some(Prefix::Letters), Some(Prefix::Words)][rng.usize(0..3)];
        let pattern = fold(&word(&mut rng));
        let max = rng.u8(0..3);
        let letters: Vec<char> = pattern.chars().collect();
        // Nothing is compared from the first character on that is of a later script than Latin and than the whole pattern.
        let last_lead = letters.iter().map(lead).fold(lead(&'\u{2ff}'), u8::max);
        let mut expected = BTreeMap::new();
        for name in names.keys() {
            let name_letters: Vec<char> = name.chars().collect();
            let compared = 1 + name.chars().take_while(|letter| lead(letter) <= last_lead).count();
            let edits = edits_of(&distance(&name_letters, &letters)[..compared], &name_letters, prefix);
            if edits <= usize::from(max) {
                expected.insert(table.id(name).unwrap(), edits);
            }
        }
        let mut found = BTreeMap::new();
        let mut floor = 0;
        for hit in NameSearch::fuzzy(table, &pattern, prefix.map(|prefix| (prefix, prefix_cost)), max, share(0.1)) {
            assert!(hit.floor >= floor, "costs never fall");
            floor = hit.floor;
            let least = table
                .postings(hit.id)
                .map(|posting| index.segment(0).file.cost(posting))
                .min()
                .expect("a key has postings");
            let penalty = Cost::from(hit.edits) * share(0.1) + if hit.prefix { prefix_cost } else { 0 };
            assert!(floor <= least + penalty && least + penalty < floor + STEP, "the floor is the cost, in steps");
            let best = found.entry(hit.id).or_insert(usize::MAX);
            *best = (*best).min(usize::from(hit.edits));
        }
        assert_eq!(found, expected, "{pattern} {prefix:?} max {max}");
    }
}
