//! What every build begins with: the pinned sources, and the added files by name.

use std::path::Path;

use toponym_engine::{About, Border, DataSet, Gazetteer};

use crate::error::BuildError;
use crate::fetch::{Manifest, Source, fetch};
use crate::gazetteer::{Files, Inputs, Merged, add_curated, borders, merge};
use crate::lexicon;
use crate::receipt::Recipe;
use crate::sources::import::ImportFile;
use crate::transliteration::transliterations;

/// What is read before added files are.
pub(crate) struct Pinned {
    /// The rows of the pinned sources.
    pub inputs: Inputs,
    /// The added files.
    pub files: Files,
    /// Those of the pinned sources: added files must not change which country a disputed area belongs to.
    pub borders: Vec<Border>,
    pub about: About,
}

impl Pinned {
    /// Reads the pinned sources of the project at `root`, with packages in `cache`, by a recipe.
    ///
    /// # Errors
    /// When a source cannot be fetched or read, or the format of an added file is unknown.
    pub fn read(root: &Path, cache: &Path, recipe: &Recipe) -> Result<Self, BuildError> {
        // First, so that an unknown file fails at once.
        let files = Files::recognise(recipe.add.iter().cloned().map(ImportFile::OnDisk))?;
        let manifest = Manifest::read(root)?.without(&recipe.without)?;
        fetch(&manifest, cache)?;
        let mut inputs = Inputs::read(root, &manifest, cache)?;
        let borders = borders(&inputs.patches, &inputs.settlements);
        add_curated(&mut inputs);
        let about = about(&manifest, &files, recipe);
        Ok(Self { inputs, files, borders, about })
    }
}

/// Merges `inputs` into the gazetteer.
pub(crate) fn assembled(root: &Path, inputs: Inputs, borders: Vec<Border>, about: About) -> Result<Merged, BuildError> {
    let land = inputs.surface.with_waters();
    let merged = merge(inputs)?;
    let gazetteer = Gazetteer {
        land,
        borders,
        about: About { countries: merged.gazetteer.about.countries, ..about },
        lexicon: lexicon::read(root)?,
        transliteration: transliterations(),
        ..merged.gazetteer
    };
    Ok(Merged { gazetteer, ..merged })
}

pub(crate) fn data_set(source: &Source) -> DataSet {
    let date = source.date.clone().unwrap_or_default();
    DataSet { title: source.title.clone(), version: source.version.clone(), date }
}

/// The name of an imported file without its folder: the index says nothing about the operator's machine.
fn import(path: &Path) -> DataSet {
    let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    DataSet { title, ..DataSet::default() }
}

pub(crate) fn about(manifest: &Manifest, files: &Files, recipe: &Recipe) -> About {
    let pinned = manifest.source.iter().map(|source| &source.attribution);
    let pinned = pinned.chain(manifest.library.iter().map(|library| &library.attribution)).cloned();
    let libraries = manifest.library.iter().map(|library| DataSet {
        title: library.title.clone(),
        version: library.version.clone(),
        ..DataSet::default()
    });
    let imports = recipe.add.iter().map(|path| import(path));
    let dates = manifest.source.iter().filter_map(|source| source.date.clone());
    About {
        title: "default".to_owned(),
        data_date: dates.min().unwrap_or_default(),
        made_of: manifest.source.iter().map(data_set).chain(libraries).chain(imports).collect(),
        attribution: pinned.chain(files.attribution()).chain(recipe.credit.iter().cloned()).collect(),
        ..About::default()
    }
}
