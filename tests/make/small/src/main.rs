//! Writes a small index for the tests of the service, in one file and in pages: `small_paged FOLDER [PLACE_ID [BYTES]]`, after
//! `cargo toponym index --core`. It has the places of some countries, without the one with the id (0: all) and what is in it, in
//! pages of so many bytes.
//!
//! ```text
//! FOLDER/whole.toponym   in one file
//! FOLDER/index.pages     in pages, as `toponym index --paged` writes them, but smaller ones
//! FOLDER/own.toponym     a place beside it, in Paris, as `toponym index --alone` writes it: with what contains it
//! ```

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;
use toponym_builder::{Compressor, pack, unpack};
use toponym_engine::pages::{PageSizes, WrittenPages, write_paged};
use toponym_engine::{Gazetteer, Kind, Name, NameClass, Record, Role, index};
use toponym_workload::gazetteer;

/// Countries with some thousand places, in three alphabets.
const COUNTRIES: [&[u8; 2]; 4] = [b"FR", b"IT", b"GR", b"JP"];

/// Sizes so small that few places take many pages, and crowns below crowns.
const SIZES: PageSizes = PageSizes { root: 20_000, crown: 8_000, page: 20_000 };

/// Paris, and an id that no other place has.
const PARIS: u64 = 2988507;
const SHOP: u64 = 1 << 50;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().context("usage: small_paged FOLDER [PLACE_ID [BYTES]]")?);
    let without: Option<u64> = arguments.next().map(|id| id.parse()).transpose()?;
    let bytes: Option<usize> = arguments.next().map(|bytes| bytes.parse()).transpose()?;
    let sizes = bytes.map_or(SIZES, |bytes| PageSizes { crown: bytes, page: bytes, ..SIZES });
    let core = fs_err::read(toponym_terminal::repository().join("build/core.toponym"))?;
    let places = part_of(gazetteer(core)?, without);
    let pages = folder.join("index.pages");
    fs_err::create_dir_all(&pages)?;
    fs_err::write(folder.join("whole.toponym"), index::write(&places)?)?;
    fs_err::write(folder.join("own.toponym"), index::write(&own_places(&places)?)?)?;
    let mut names = BTreeSet::new();
    let mut take = |batch: WrittenPages| -> Result<()> {
        for page in batch.pages {
            write(&pages.join(page.file_name()), &page.bytes)?;
            names.insert(page.file_name());
        }
        Ok(())
    };
    let root = write_paged(&places, sizes, &mut take)?;
    write(&pages.join("root"), &root)?;
    fs_err::write(pages.join("root.toponym"), root)?;
    fs_err::write(pages.join("pages.json"), json!({ "pages": names, "before": [] }).to_string())?;
    println!("{} places in {} pages", places.places.len(), names.len());
    Ok(())
}

/// Keeps all countries, and the places of some.
fn part_of(mut all: Gazetteer, without: Option<u64>) -> Gazetteer {
    all.places.retain(|place| place.kind.role == Role::Country || COUNTRIES.contains(&&place.country));
    if let Some(without) = without {
        all.places.retain(|place| place.id != without && place.parent != Some(without));
    }
    let kept: HashSet<u64> = all.places.iter().map(|place| place.id).collect();
    all.capitals.retain(|capital| kept.contains(&capital.area) && kept.contains(&capital.city));
    all.further_countries.retain(|further| kept.contains(&further.region));
    all
}

/// Makes a gazetteer of a shop in Paris, and what contains it.
fn own_places(all: &Gazetteer) -> Result<Gazetteer> {
    let with_id = |id: u64| all.places.iter().find(|place| place.id == id).cloned();
    let paris = with_id(PARIS).context("the index lacks Paris")?;
    let name = Name { text: "Our Shop".into(), class: NameClass::Primary, lang: None };
    let kind = Kind { role: Role::Landmark, category: "shop".into(), r#type: "shop".into() };
    let shop =
        Record { id: SHOP, kind, names: vec![name], codes: Vec::new(), parent: Some(PARIS), extent_m: 100.0, ..paris };
    let mut places = vec![shop];
    while let Some(area) = places.last().and_then(|place| place.parent).and_then(with_id) {
        places.push(area);
    }
    places.sort_by_key(|place| place.id);
    Ok(Gazetteer { places, about: all.about.clone(), ..Gazetteer::default() })
}

/// Writes a packed file.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let pack = pack(bytes, Compressor::Gzip)?;
    debug_assert_eq!(unpack(&pack)?, bytes, "it is read as it was written");
    Ok(fs_err::write(path, pack)?)
}
