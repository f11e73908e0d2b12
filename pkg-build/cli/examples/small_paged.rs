//! Writes a small index for the tests of the service, in one file and in pages: `small_paged FOLDER [PLACE_ID]`, after
//! `cargo xtask index --core`. It has the places of some countries, without the one with the id and what is in it.
//!
//! ```text
//! FOLDER/whole.toponym   in one file
//! FOLDER/index.pages     in pages, as `toponym index --paged` writes them, but smaller ones
//! ```

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;
use toponym_builder::{Compressor, pack, unpack};
use toponym_engine::pages::{PageSizes, WrittenPages, write_paged};
use toponym_engine::{Gazetteer, Record, Role, index};
use toponym_workload::gazetteer;

/// Some thousand places, in three alphabets.
const COUNTRIES: [&[u8; 2]; 4] = [b"FR", b"IT", b"GR", b"JP"];

/// So small that few places take many pages, and crowns below crowns.
const SIZES: PageSizes = PageSizes { root: 20_000, crown: 8_000, page: 20_000 };

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().context("usage: small_paged FOLDER [PLACE_ID]")?);
    let without: Option<u64> = arguments.next().map(|id| id.parse()).transpose()?;
    let core = fs_err::read(toponym_terminal::repository().join("build/core.toponym"))?;
    let places = part_of(gazetteer(core)?, without);
    let pages = folder.join("index.pages");
    fs_err::create_dir_all(&pages)?;
    fs_err::write(folder.join("whole.toponym"), index::write(&places)?)?;
    let mut names = BTreeSet::new();
    let mut take = |batch: WrittenPages| -> Result<()> {
        for page in batch.pages {
            write(&pages.join(page.file_name()), &page.bytes)?;
            names.insert(page.file_name());
        }
        Ok(())
    };
    let root = write_paged(&places, SIZES, &mut take)?;
    write(&pages.join("root"), &root)?;
    fs_err::write(pages.join("root.toponym"), root)?;
    fs_err::write(pages.join("pages.json"), json!({ "pages": names, "before": [] }).to_string())?;
    println!("{} places in {} pages", places.places.len(), names.len());
    Ok(())
}

/// All countries, and the places of some.
fn part_of(mut all: Gazetteer, without: Option<u64>) -> Gazetteer {
    let is_wanted = |place: &Record| place.kind.role == Role::Country || COUNTRIES.contains(&&place.country);
    let is_without = |place: &Record| without.is_none_or(|id| place.id != id && place.parent != Some(id));
    all.places.retain(|place| is_wanted(place) && is_without(place));
    let kept: HashSet<u64> = all.places.iter().map(|place| place.id).collect();
    all.capitals.retain(|capital| kept.contains(&capital.area) && kept.contains(&capital.city));
    all.further_countries.retain(|further| kept.contains(&further.region));
    all
}

/// Writes a packed file.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let pack = pack(bytes, Compressor::Gzip)?;
    debug_assert_eq!(unpack(&pack)?, bytes, "it is read as it was written");
    Ok(fs_err::write(path, pack)?)
}
