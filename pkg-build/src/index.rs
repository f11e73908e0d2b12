//! The `index` command: from the pinned sources to one index file.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use toponym_engine::{About, Gazetteer, Role};

use crate::error::BuildError;
use crate::fetch::{Manifest, fetch};
use crate::gazetteer::{Inputs, borders, merge};
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
    /// Further files to merge in.
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
    let gazetteer = gazetteer(options)?;
    let step = Step::open("index");
    let bytes = toponym_engine::index::write(&gazetteer).map_err(|error| BuildError::Write(error.to_string()))?;
    put(&options.out, &bytes)?;
    step.finish(gazetteer.places.len());
    Ok(Summary { bytes: bytes.len(), places: counts(&gazetteer), took: started.elapsed() })
}

/// All places, and what describes them.
///
/// # Errors
/// When a source cannot be fetched or read.
pub fn gazetteer(options: &IndexOptions) -> Result<Gazetteer, BuildError> {
    let manifest = Manifest::read(&options.root)?;
    fetch(&manifest, &options.cache)?;
    let inputs = Inputs::read(&options.root, &manifest, &options.cache)?;
    Ok(Gazetteer {
        borders: borders(&inputs.patches, &inputs.settlements),
        places: merge(inputs)?,
        about: about(&manifest),
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
