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

use toponym_engine::{PlaceFacts, Role};

use crate::added;
use crate::error::BuildError;
use crate::gazetteer::{Changed, Changing, Merged, Merges, Rows, read};
use crate::paged::{self, Written};
use crate::pinned::{Pinned, assembled};
use crate::receipt::Recipe;
use crate::stored::Storing;

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

    let mut changing = Changing::new(&pinned, &inputs.tables);
    added::merge(&inputs, rows, &mut changing, |Changed { place, facts, .. }| places.push(&place, facts.as_ref()))?;

    let facts: HashMap<u64, &PlaceFacts> = pinned.facts.iter().map(|facts| (facts.place, facts)).collect();
    let mut as_they_were = pinned.places.iter().filter(|place| changing.is_as_it_was(place.id));
    as_they_were.try_for_each(|place| places.push(place, facts.get(&place.id).copied()))?;
    let rest = changing.finish();
    drop((inputs, facts));
    let (rest, merges) = rest.of(pinned);
    merges.say();
    let counts = std::mem::take(&mut places.counts);
    let (written, root) = paged::write(&places.finish()?, &rest, folder)?;
    Ok(BuiltPages { places: counts, written, root, merges })
}
