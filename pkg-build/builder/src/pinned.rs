//! Inputs that every build begins with: the pinned sources, and the added files by name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toponym_engine::{About, Border, DataSet, Gazetteer};

use crate::error::BuildError;
use crate::fetch::{Manifest, Source, fetch};
use crate::gazetteer::{Drafts, Files, Inputs, Merged, Place, Rest, Rows, borders, merge, read, state_borders};
use crate::index_options::IndexOptions;
use crate::lexicon;
use crate::progress;
use crate::receipt::{Extent, Recipe};
use crate::sources::import::ImportFile;
use crate::sources::rows::Iso2;
use crate::spellings::{Pairs, learned_of};
use crate::transliteration::transliterations;

/// All that is read before places are merged.
pub(crate) struct Pinned {
    root: PathBuf,
    /// A folder for what memory does not hold.
    folder: PathBuf,
    pub manifest: Manifest,
    /// The rows of the pinned sources, with the areas of added files.
    pub inputs: Inputs,
    /// The other rows of added files.
    rows: Rows,
    /// Borders of the pinned sources: added files must not change which country a disputed area belongs to.
    pub borders: Vec<Border>,
    about: About,
}

impl Pinned {
    /// Reads the pinned sources and the added files.
    ///
    /// # Errors
    /// When a source cannot be fetched or read, or the format of an added file is unknown.
    pub fn read(options: &IndexOptions) -> Result<Self, BuildError> {
        // First, so that an unknown file fails at once.
        let sources = Manifest::read(&options.root)?.import;
        let files = Files::recognise(options.recipe.add.iter().cloned().map(ImportFile::OnDisk), &sources)?;
        files.share_alike(options.recipe.extent == Extent::Alone).iter().for_each(|text| progress::say(text));
        let mut pinned = Self::of(options, &files)?;
        let Self { inputs, rows, .. } = &mut pinned;
        read(inputs, &files, |country, row| rows.push(country, row))?;
        Ok(pinned)
    }

    /// Reads the pinned sources without the curated parts of cities.
    ///
    /// # Errors
    /// When a source cannot be fetched or read.
    pub fn without_files(options: &IndexOptions) -> Result<Self, BuildError> {
        let mut pinned = Self::of(options, &Files::default())?;
        pinned.inputs.quarters.clear();
        Ok(pinned)
    }

    fn of(options: &IndexOptions, files: &Files) -> Result<Self, BuildError> {
        let IndexOptions { root, cache, recipe, paged, .. } = options;
        let manifest = Manifest::read(root)?.without(&recipe.without)?;
        fetch(&manifest, cache)?;
        let inputs = Inputs::read(root, &manifest, cache)?;
        let mut borders = borders(&inputs.patches, &inputs.settlements);
        borders.extend(state_borders(&inputs.state_borders, &inputs.settlements));
        let about = about(&manifest, files, recipe);
        let folder = paged.as_deref().unwrap_or(options.folder()).to_owned();
        let rows = Rows::new(&folder);
        Ok(Self { root: root.clone(), folder, manifest, inputs, rows, borders, about })
    }

    /// Returns the codes of the countries that there are.
    pub fn known_countries(&self) -> BTreeSet<Iso2> {
        self.inputs.countries.iter().map(|country| country.iso2).collect()
    }

    /// Gives the index a title, and credits the share-alike package that it is made of.
    pub fn credit(&mut self, title: &str, package: &str) {
        title.clone_into(&mut self.about.title);
        for source in self.manifest.opt_in.iter().filter(|source| source.package == package) {
            self.about.made_of.push(data_set(source));
            self.about.attribution.push(source.attribution.clone());
        }
    }

    /// Merges all rows. `take` gets each place.
    ///
    /// # Errors
    /// Errors of [`merge`].
    pub fn merge(self, mut take: impl FnMut(Place) -> Result<(), BuildError>) -> Result<Rest, BuildError> {
        let Self { root, folder, inputs, rows, borders, about, .. } = self;
        let mut pairs = Pairs::default();
        let Rest { gazetteer, merges } = merge(&inputs, rows, Drafts::new(&folder), |place| {
            pairs.take(&place.record);
            take(place)
        })?;
        let gazetteer = with_world(gazetteer, &root, &inputs, borders, about)?;
        Ok(Rest { gazetteer: Gazetteer { spellings: pairs.learn(), ..gazetteer }, merges })
    }

    /// Merges all rows in memory.
    ///
    /// # Errors
    /// Errors of [`merge`].
    pub fn in_memory(self) -> Result<Merged, BuildError> {
        let Self { root, folder, inputs, rows, borders, about, .. } = self;
        let merged = Merged::of(&inputs, rows, &folder)?;
        let spellings = learned_of(&merged.gazetteer.places);
        let gazetteer = with_world(merged.gazetteer, &root, &inputs, borders, about)?;
        Ok(Merged { gazetteer: Gazetteer { spellings, ..gazetteer }, ..merged })
    }
}

/// Adds what a gazetteer has beside places.
fn with_world(
    gazetteer: Gazetteer,
    root: &Path,
    inputs: &Inputs,
    borders: Vec<Border>,
    about: About,
) -> Result<Gazetteer, BuildError> {
    Ok(Gazetteer {
        land: inputs.surface.with_waters(),
        borders,
        about: About { countries: gazetteer.about.countries, ..about },
        lexicon: lexicon::read(root)?,
        transliteration: transliterations(),
        ..gazetteer
    })
}

fn data_set(source: &Source) -> DataSet {
    let date = source.date.clone().unwrap_or_default();
    DataSet { title: source.title.clone(), version: source.version.clone(), date }
}

fn about(manifest: &Manifest, files: &Files, recipe: &Recipe) -> About {
    let pinned = manifest.source.iter().map(|source| &source.attribution);
    let pinned = pinned.chain(manifest.library.iter().map(|library| &library.attribution)).cloned();
    let libraries = manifest.library.iter().map(|library| DataSet {
        title: library.title.clone(),
        version: library.version.clone(),
        ..DataSet::default()
    });
    let dates = manifest.source.iter().filter_map(|source| source.date.clone());
    About {
        title: "default".to_owned(),
        data_date: dates.min().unwrap_or_default(),
        made_of: manifest.source.iter().map(data_set).chain(libraries).chain(files.made_of()).collect(),
        attribution: pinned.chain(files.attribution()).chain(recipe.credit.iter().cloned()).collect(),
        ..About::default()
    }
}
