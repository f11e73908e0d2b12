//! The `index` command: from the pinned sources to one index file.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use toponym_engine::{About, Gazetteer, Role, index};

use crate::core::core;
use crate::error::BuildError;
use crate::fetch::{Manifest, fetch};
use crate::gazetteer::{Inputs, borders, land, merge};
use crate::letters::letters;
use crate::lexicon;
use crate::progress::Step;

/// Where an index is built from and to.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// The project: holds `data/`.
    pub root: PathBuf,
    /// The file to write.
    pub out: PathBuf,
    /// Where fetched packages are kept.
    pub cache: PathBuf,
    /// Further places to merge in: CSV files with the columns of `data/curated`.
    pub add: Vec<PathBuf>,
}

impl IndexOptions {
    /// The default index of the project at `root`: `build/index.toponym`, packages in `build/cache`.
    pub fn new(root: &Path) -> Self {
        let build = root.join("build");
        Self { root: root.to_owned(), out: build.join("index.toponym"), cache: build.join("cache"), add: Vec::new() }
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
    let manifest = Manifest::read(&options.root)?;
    fetch(&manifest, &options.cache)?;
    let mut inputs = Inputs::read(&options.root, &manifest, &options.cache)?;
    inputs.add(&options.add)?;
    Ok(Gazetteer {
        land: land::grid(&inputs.coasts),
        borders: borders(&inputs.patches, &inputs.settlements),
        about: About { countries: inputs.country_facts(), ..about(&manifest) },
        places: merge(inputs)?,
        lexicon: lexicon::read(&options.root)?,
        letters: letters(),
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

fn about(manifest: &Manifest) -> About {
    let dates = manifest.source.iter().filter_map(|source| source.date.clone());
    About {
        title: "default".to_owned(),
        data_date: dates.max().unwrap_or_default(),
        attribution: manifest.source.iter().map(|source| source.attribution.clone()).collect(),
        ..About::default()
    }
}

/// Writes beside `path` and renames, so that a reader never sees a part of it and a failure leaves nothing.
fn put(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(BuildError::io(folder))?;
    let mut file = readable().tempfile_in(folder).map_err(BuildError::io(folder))?;
    file.write_all(bytes).map_err(BuildError::io(file.path()))?;
    file.persist(path).map_err(|error| BuildError::Io { path: path.to_owned(), source: error.error })?;
    Ok(())
}

/// Temporary files are for their owner alone; an index is for everybody that the umask allows.
fn readable() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
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
