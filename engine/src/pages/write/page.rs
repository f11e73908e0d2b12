//! One page: from the places that it is made for to the bytes of its file.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::key::{Entry, Key};
use super::content::{Content, Wanted};
use super::shown::Shown;
use crate::index::{Contents, TableKeys, WriteError, encode, no_keys};
use crate::record::{Gazetteer, NameClass, Record};

/// Kind of the keys that a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Names,
    Sounds,
}

/// The keys of a page by the number of the place.
pub(super) type PageKeys<'k> = HashMap<u32, Vec<&'k Key>>;

/// Groups the keys of some entries by place.
pub(super) fn by_place<'k>(entries: impl IntoIterator<Item = &'k Entry>) -> PageKeys<'k> {
    let mut keys: PageKeys = HashMap::new();
    entries.into_iter().for_each(|entry| keys.entry(entry.key.place).or_default().push(&entry.key));
    keys
}

/// Returns the places of keys, with the names and codes among these.
pub(super) fn list_wanted(keys: &PageKeys) -> Vec<Wanted> {
    let wanted = keys.iter().map(|(&number, keys)| Wanted {
        number,
        names: Shown::Some(keys.iter().flat_map(|key| key.named.iter().copied()).collect()),
        codes: keys.iter().any(|key| key.class.is_none()),
    });
    let mut wanted: Vec<Wanted> = wanted.collect();
    wanted.sort_unstable_by_key(|place| place.number);
    wanted
}

/// Encodes the file of a page with the keys of some of its places.
pub(super) fn file(content: Content, keys: &PageKeys, table: Table, has_tiles: bool) -> Result<Vec<u8>, WriteError> {
    let keys = by_id(&content.ids, keys);
    let is_here: HashSet<u64> = content.places().map(|place| place.id).collect();
    let parents = content.places().filter_map(|place| place.parent);
    let remote: BTreeSet<u64> = parents.filter(|id| !is_here.contains(id)).collect();
    let Content { gazetteer, areas, bare, named, .. } = content;
    with_keys(&keys, table, |keys| {
        let remote_parents = remote.into_iter().collect();
        let contents = Contents { keys, areas, remote_parents, bare, named, has_tiles, ..Contents::of(&gazetteer) };
        encode(&contents, &|_| {})
    })
}

/// Keys by the id of the place.
pub(super) type IdKeys<'k> = HashMap<u64, &'k [&'k Key]>;

pub(super) fn by_id<'k>(ids: &[(u32, u64)], keys: &'k PageKeys) -> IdKeys<'k> {
    ids.iter().filter_map(|(number, id)| Some((*id, keys.get(number)?.as_slice()))).collect()
}

/// Calls `work` with what finds the keys of places.
pub(super) fn with_keys<T>(keys: &IdKeys, table: Table, work: impl FnOnce(TableKeys) -> T) -> T {
    let of = |place: &Record, is_wanted: &dyn Fn(NameClass) -> bool| {
        let of_place = keys.get(&place.id).copied().unwrap_or_default().iter();
        let classes = of_place.filter_map(|key| Some((key.text.clone(), key.class.filter(|&class| is_wanted(class))?)));
        classes.collect::<Vec<_>>()
    };
    let usual = |place: &Record| of(place, &|class| !class.is_alternate());
    let alternates = |place: &Record| of(place, &|class| class.is_alternate());
    let sounds = |place: &Record| of(place, &|_| true);
    work(match table {
        Table::Names => TableKeys { usual: &usual, alternates: &alternates, sounds: &no_keys },
        Table::Sounds => TableKeys { usual: &no_keys, alternates: &no_keys, sounds: &sounds },
    })
}

/// Returns a gazetteer without places.
pub(super) fn empty() -> &'static Gazetteer {
    static NOTHING: std::sync::OnceLock<Gazetteer> = std::sync::OnceLock::new();
    NOTHING.get_or_init(Gazetteer::default)
}
