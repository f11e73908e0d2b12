//! Places of added files without those of the pinned sources, but for those that contain them.

use std::collections::HashSet;
use std::path::Path;

use toponym_engine::{Gazetteer, LandGrid};

use crate::added;
use crate::error::BuildError;
use crate::gazetteer::{Changed, Changing, Merged, Rows, count_people, read};
use crate::parts::{facts_of, with_ancestors};
use crate::pinned::{Pinned, assembled};
use crate::receipt::Recipe;

/// What the files of a recipe change, and the ancestors. Temporary files lie in `folder`.
///
/// # Errors
/// When a source cannot be fetched or read.
pub(crate) fn merged(
    root: &Path,
    cache: &Path,
    recipe: &Recipe,
    max_places: usize,
    folder: &Path,
) -> Result<Merged, BuildError> {
    let Pinned { mut inputs, files, borders, about } = Pinned::read(root, cache, recipe)?;
    let mut rows = Rows::new(folder);
    read(&mut inputs, &files, Some(max_places), |country, row| rows.push(country, row))?;
    let Merged { gazetteer: pinned, mut people, .. } = assembled(root, inputs.clone(), borders, about)?;

    let mut changing = Changing::new(&pinned, &inputs.tables);
    let (mut places, mut facts, mut changed) = (Vec::new(), Vec::new(), HashSet::new());
    added::merge(&inputs, rows, &mut changing, |Changed { place, facts: of_place, people: of_people }| {
        changed.insert(place.id);
        people.insert(place.id, of_people);
        facts.extend(of_place);
        places.push(place);
        Ok(())
    })?;
    let as_they_were = pinned.places.iter().filter(|place| changing.is_as_it_was(place.id));
    places.extend(as_they_were.cloned());
    places.sort_unstable_by_key(|place| place.id);
    let places = with_ancestors(places, |place| changed.contains(&place.id));

    let kept: HashSet<u64> = places.iter().map(|place| place.id).collect();
    facts.extend(pinned.facts.iter().filter(|facts| changing.is_as_it_was(facts.place)).cloned());
    facts.sort_unstable_by_key(|facts| facts.place);
    let (mut rest, merges) = changing.finish().of(pinned);
    merges.say();
    rest.capitals.retain(|capital| kept.contains(&capital.area) && kept.contains(&capital.city));
    rest.further_countries.retain(|further| kept.contains(&further.region));
    "alone".clone_into(&mut rest.about.title);
    count_people(&mut rest.about.countries, &places, &people);
    let facts = facts_of(facts, &places);
    // The default index has them, and this one is for use beside it.
    let (borders, land, transliteration) = (Vec::new(), LandGrid::default(), Vec::new());
    Ok(Merged { gazetteer: Gazetteer { places, facts, borders, land, transliteration, ..rest }, merges, people })
}
