//! Places on disk, of which an index in pages is written: memory holds sixteen bytes of each.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toponym_engine::pages::{Item, Items, Source, WithFacts};
use toponym_engine::{Gazetteer, PlaceFacts, Record, Role};

use crate::error::BuildError;
use crate::gazetteer::label;
use crate::scratch::{Scratch, decode, encode};
use crate::sorted::{RUN, Sorter, sorted};

/// Places in the order of their ids.
pub(crate) struct Stored {
    folder: PathBuf,
    places: Scratch,
    ids: Vec<u64>,
    /// Offsets at which each place begins, and the last ends.
    offsets: Vec<u64>,
}

/// Places that are sorted in memory before they are written: 13 million make 26 runs, which are read at the same time.
const PLACES_IN_RUN: usize = 500_000;

/// Takes places one by one, in any order.
pub(crate) struct Storing {
    folder: PathBuf,
    places: Sorter<(u64, Whole)>,
    /// Number of places by role.
    pub counts: BTreeMap<Role, usize>,
}

impl Storing {
    /// Creates a store of places in `folder`, which is made.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(folder: &Path) -> Result<Self, BuildError> {
        std::fs::create_dir_all(folder).map_err(BuildError::io(folder))?;
        Ok(Self { folder: folder.to_owned(), places: Sorter::new(folder, PLACES_IN_RUN), counts: BTreeMap::new() })
    }

    /// Takes a place with its facts.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn push(&mut self, place: &Record, facts: Option<&PlaceFacts>) -> Result<(), BuildError> {
        *self.counts.entry(place.kind.role).or_default() += 1;
        self.places.push((place.id, Whole(encode(&(facts, place))?)))
    }

    /// Writes all places in order.
    ///
    /// # Errors
    /// When the folder cannot be written or read, or two places have one id.
    pub fn finish(self) -> Result<Stored, BuildError> {
        let Self { folder, places, .. } = self;
        let mut stored = Stored { places: Scratch::new(&folder), folder, ids: Vec::new(), offsets: vec![0] };
        let mut last = Vec::new();
        for item in places.finish()? {
            let (id, Whole(bytes)) = item?;
            if stored.ids.last() == Some(&id) {
                let [first, second] = [&last, &bytes].map(|bytes| decoded_place(bytes).map(|place| label(&place)));
                return Err(BuildError::Collision { id, first: first?, second: second? });
            }
            stored.offsets.push(stored.places.push(&bytes)?.end);
            stored.ids.push(id);
            last = bytes;
        }
        Ok(stored)
    }
}

impl Stored {
    /// Stores the places of a gazetteer, in `folder`.
    ///
    /// # Errors
    /// When the folder cannot be written, or two places have one id.
    pub fn of(gazetteer: &Gazetteer, folder: &Path) -> Result<Self, BuildError> {
        let facts: HashMap<u64, &PlaceFacts> = gazetteer.facts.iter().map(|facts| (facts.place, facts)).collect();
        let mut storing = Storing::new(folder)?;
        gazetteer.places.iter().try_for_each(|place| storing.push(place, facts.get(&place.id).copied()))?;
        storing.finish()
    }

    /// Reads the bytes of the places with these numbers.
    fn bytes(&self, numbers: Range<u32>) -> Result<Vec<u8>, BuildError> {
        let [from, to] = [numbers.start, numbers.end].map(|number| self.offsets[number as usize]);
        self.places.read(from..to)
    }
}

/// Bytes that are written as a whole, not one by one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Whole(Vec<u8>);

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'b> Deserialize<'b> for Whole {
    fn deserialize<D: Deserializer<'b>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(|bytes| Self(bytes.to_vec()))
    }
}

impl Source for Stored {
    type Error = BuildError;

    fn count(&self) -> u32 {
        self.ids.len() as u32
    }

    fn places(&self, numbers: Range<u32>) -> Result<Vec<Cow<'_, Record>>, BuildError> {
        let bytes = self.bytes(numbers.clone())?;
        let begin = self.offsets[numbers.start as usize];
        let place = |number: u32| {
            let [from, to] = [0, 1].map(|next| (self.offsets[number as usize + next] - begin) as usize);
            decoded_place(&bytes[from..to]).map(Cow::Owned)
        };
        numbers.map(place).collect()
    }

    fn with_facts(&self, number: u32) -> Result<WithFacts<'_>, BuildError> {
        let (facts, place) = decode_both(&self.bytes(number..number + 1)?)?;
        Ok((Cow::Owned(place), facts.map(Cow::Owned)))
    }

    fn id(&self, number: u32) -> u64 {
        self.ids[number as usize]
    }

    fn number(&self, id: u64) -> Option<u32> {
        self.ids.binary_search(&id).ok().map(|number| number as u32)
    }

    fn sorted<'s, T: Item>(&'s self, items: Items<'_, T, BuildError>) -> Result<Items<'s, T, BuildError>, BuildError> {
        sorted(items, &self.folder, RUN)
    }
}

fn decoded_place(bytes: &[u8]) -> Result<Record, BuildError> {
    decode_both(bytes).map(|(_, place)| place)
}

/// Reads a place as [`Storing::push`] writes it.
fn decode_both(bytes: &[u8]) -> Result<(Option<PlaceFacts>, Record), BuildError> {
    decode(bytes)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use toponym_engine::geo::Coordinate;
    use toponym_engine::pages::{PageSizes, WrittenPages, write_paged, write_paged_from};
    use toponym_engine::{Gazetteer, Kind, Name, NameClass, Role};

    use super::*;

    fn place(rng: &mut Rng, id: u64) -> Record {
        let mut name = |class, lang: Option<&str>| {
            let text: String = (0..8).map(|_| rng.char('a'..'f')).collect();
            Name { text, class, lang: lang.map(str::to_owned) }
        };
        let names = vec![
            name(NameClass::Primary, None),
            name(NameClass::Other, Some("fr")),
            name(NameClass::Other, Some("de")),
        ];
        Record {
            id,
            kind: Kind { role: Role::City, category: "place".into(), r#type: "village".into() },
            names,
            codes: Vec::new(),
            position: Coordinate::new(rng.f64() * 10.0, rng.f64() * 10.0).expect("it is on the globe"),
            parent: None,
            country: *b"FR",
            importance: rng.f64(),
            extent_m: 500.0,
            bounds: None,
        }
    }

    #[test]
    fn pages_from_disk_equal_pages_from_memory() {
        let mut rng = Rng::with_seed(7);
        let places: Vec<Record> = (1..500).rev().map(|id| place(&mut rng, id)).collect();
        let facts = (1..500).step_by(3).map(facts).collect();
        let gazetteer = Gazetteer { places, facts, ..Gazetteer::default() };
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let sizes = PageSizes { root: 500, crown: 500, page: 2_000 };
        let mut written = [Vec::new(), Vec::new()];
        let [in_memory, on_disk] = &mut written;
        let of_memory = write_paged(&gazetteer, sizes, &mut |batch| take(in_memory, batch)).expect("it is sound");
        let stored = Stored::of(&gazetteer, folder.path()).expect("the folder can be written");
        let of_disk =
            write_paged_from(&stored, &gazetteer, sizes, &mut |batch| take(on_disk, batch)).expect("it is sound");
        assert!(of_memory == of_disk, "the roots differ");
        assert!(in_memory.len() > 10 && in_memory == on_disk, "the pages differ");
        assert_eq!((stored.number(17), stored.number(500)), (Some(16), None));
    }

    fn take(pages: &mut Vec<Vec<u8>>, batch: WrittenPages) -> Result<(), BuildError> {
        pages.extend(batch.pages.into_iter().map(|page| page.bytes));
        Ok::<_, BuildError>(())
    }

    fn facts(place: u64) -> PlaceFacts {
        PlaceFacts { place, population: Some(place as u32), ..PlaceFacts::default() }
    }

    #[test]
    fn two_places_with_one_id_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let mut rng = Rng::with_seed(7);
        let mut storing = Storing::new(folder.path()).expect("the folder can be written");
        for id in [3, 1, 3] {
            storing.push(&place(&mut rng, id), None).expect("the folder can be written");
        }
        assert!(matches!(storing.finish().map(|_| ()), Err(BuildError::Collision { id: 3, .. })));
    }
}
