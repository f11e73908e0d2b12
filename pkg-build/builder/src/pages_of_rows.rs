//! Builds an index in pages of the pinned sources and of added files, whose rows may be more than memory holds.
//!
//! ```text
//! added files ─> rows on disk, by country ─> changes of one country ─┐
//! pinned sources ─> gazetteer in memory ─> places as they were ──────┴─> places on disk ─> pages
//! ```
//!
//! Memory holds the gazetteer of the pinned sources, and the rows of a few countries, or of one that has many.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use toponym_engine::{PlaceFacts, Role};

use crate::error::BuildError;
use crate::gazetteer::{Changing, Merged, Merges, Rows, changes, read};
use crate::paged::{self, Written};
use crate::parallel;
use crate::pinned::{Pinned, assembled};
use crate::progress::Step;
use crate::receipt::Recipe;
use crate::stored::Storing;

/// Rows of the countries that are merged at a time, each on a core, unless one country has more. They bound the memory, and are enough
/// that small countries keep all cores busy.
const ROWS_AT_A_TIME: usize = 500_000;

/// An index in pages that is written.
pub(crate) struct BuiltPages {
    /// Number of places by role.
    pub places: BTreeMap<Role, usize>,
    pub written: Written,
    /// The root, unpacked.
    pub root: Vec<u8>,
    /// Which added places are known ones.
    pub merges: Merges,
}

/// Builds the index of a recipe in pages in `folder`.
///
/// # Errors
/// When a source cannot be fetched or read, or a file cannot be written.
pub(crate) fn build(root: &Path, cache: &Path, recipe: &Recipe, folder: &Path) -> Result<BuiltPages, BuildError> {
    let mut places = Storing::new(folder)?;
    let Pinned { mut inputs, files, borders, about } = Pinned::read(root, cache, recipe)?;
    let mut rows = Rows::new(folder);
    read(&mut inputs, &files, recipe.places, |country, row| rows.push(country, row))?;
    let Merged { gazetteer: pinned, .. } = assembled(root, inputs.clone(), borders, about)?;

    let count = rows.count;
    let step = (count > 0).then(|| Step::counted("added rows by country", count));
    let mut changing = Changing::new(&pinned, &inputs.tables);
    let mut merges = Merges::default();
    for batch in rows.finish()?.batches(ROWS_AT_A_TIME) {
        let countries: Vec<_> = batch?.into_iter().map(|(country, rows)| (country, Mutex::new(rows))).collect();
        let merged = parallel::each(&countries, |(country, rows)| {
            let rows = std::mem::take(&mut *rows.lock().unwrap_or_else(PoisonError::into_inner));
            let count = rows.len();
            let changes = changes(&inputs, *country, rows);
            step.iter().for_each(|step| step.advance_by(count));
            changes
        });
        for changes in merged {
            let mut changes = changes?;
            changing.make(&mut changes);
            changes.places.iter().try_for_each(|(place, facts)| places.push(place, facts.as_ref()))?;
            merges.append(changes.merges);
        }
    }
    step.into_iter().for_each(|step| step.finish(count));
    merges.say();

    let facts: HashMap<u64, &PlaceFacts> = pinned.facts.iter().map(|facts| (facts.place, facts)).collect();
    let mut as_they_were = pinned.places.iter().filter(|place| changing.is_as_it_was(place.id));
    as_they_were.try_for_each(|place| places.push(place, facts.get(&place.id).copied()))?;
    let rest = changing.finish();
    drop((inputs, facts));
    let rest = rest.of(pinned);
    let counts = std::mem::take(&mut places.counts);
    let (written, root) = paged::write(&places.finish()?, &rest, folder)?;
    Ok(BuiltPages { places: counts, written, root, merges })
}
