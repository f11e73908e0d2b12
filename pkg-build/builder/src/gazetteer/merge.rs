//! Merges the rows of all sources, country by country, into places.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use itertools::Itertools;
use toponym_engine::{About, Gazetteer, NO_COUNTRY, Record};

use super::additions::Additions;
use super::clean_names::{self, Calling, Counts as Cleaned};
use super::country_facts::Counts;
use super::draft::{Draft, Drawn, Place};
use super::drafts::Drafts;
use super::import::Rows;
use super::inputs::Inputs;
use super::matcher::Merges;
use super::shared_regions::SharedRegions;
use super::{region_namesakes, regions};
use crate::error::BuildError;
use crate::parallel;
use crate::progress::{self, Step};
use crate::sources::rows::Iso2;

/// All of a gazetteer but its places, and which rows of added files are known places.
#[derive(Debug)]
pub(crate) struct Rest {
    pub gazetteer: Gazetteer,
    pub merges: Merges,
}

/// Countries with so many rows of added files are merged at a time, each on a core, unless one country has more. They bound the
/// memory, and are enough that small countries keep all cores busy.
const ROWS_AT_A_TIME: usize = 500_000;

/// Merges the rows of all sources, those of added files among them. `take` gets each place, in no order.
///
/// Countries are drafted one by one, and finished one by one when the names of all are known. They are put
/// into `drafts`, which are empty.
///
/// # Errors
/// When two places of a country have the same id, a table names an unknown place, the rows or drafts cannot be stored, or `take`
/// fails.
pub(crate) fn merge(
    inputs: &Inputs,
    rows: Rows,
    mut drafts: Drafts,
    mut take: impl FnMut(Place) -> Result<(), BuildError>,
) -> Result<Rest, BuildError> {
    let step = Step::counted("places by country", inputs.rows() + rows.count);
    let tables = &inputs.tables;
    let mut calling = Calling::new(&tables.scripts, &tables.kind_words);
    let (mut areas, mut merges) = (Vec::new(), Merges::default());
    let (mut regions, mut regions_with_rows) = (SharedRegions::default(), HashSet::new());
    let codes: BTreeSet<Iso2> = inputs.countries.iter().map(|country| country.iso2).chain([NO_COUNTRY]).collect();
    for batch in rows.finish()?.batches(codes, ROWS_AT_A_TIME) {
        let countries: Vec<_> = batch?.into_iter().map(|(country, rows)| (country, Mutex::new(rows))).collect();
        let drawn = parallel::each(&countries, |(country, rows)| {
            let rows = std::mem::take(&mut *rows.lock().unwrap_or_else(PoisonError::into_inner));
            let inputs = inputs.of(*country);
            let count = inputs.rows() + rows.len();
            let drawn = progress::quietly(|| Drawn::of(*country, inputs, rows));
            step.advance_by(count);
            drawn
        });
        for drawn in drawn {
            let drawn = drawn?;
            drawn.of_sources().for_each(|place| calling.take(place));
            regions_with_rows
                .extend(drawn.regions.iter().map(|region| region.id).filter(|&id| drawn.draft.has_row(id)));
            regions.take(drawn.draft.country, drawn.regions);
            areas.extend(drawn.areas);
            merges.append(drawn.merges);
            drafts.push(drawn.draft)?;
        }
    }
    step.finish(inputs.rows());

    let regions = region_namesakes::join_areas(regions.finish(&inputs.regions), &mut areas);
    areas.iter().chain(&regions).for_each(|area| calling.take(area));
    let others = calling.finish();
    let languages = inputs.countries.iter().map(|country| (country.iso2, country.languages.as_slice()));
    let additions = Additions::new(&tables.additions, languages);
    let mut areas_of: HashMap<Iso2, Vec<Record>> = areas.into_iter().map(|area| (area.country, area)).into_group_map();

    let count = drafts.places();
    let step = Step::counted("names", count);
    let (mut cleaned, mut counts, mut capitals, mut twice) =
        (Cleaned::new(), Counts::default(), Vec::new(), HashMap::new());
    let mut take = |place: Place| {
        counts.take(&place.record, place.people);
        take(place)
    };
    for batch in drafts.batches() {
        let with_areas = |draft: Draft| Mutex::new(Some((areas_of.remove(&draft.country).unwrap_or_default(), draft)));
        let batch: Vec<_> = batch?.into_iter().map(with_areas).collect();
        let finished = parallel::each(&batch, |draft| {
            let (areas, draft) = draft.lock().unwrap_or_else(PoisonError::into_inner).take()?;
            step.advance_by(draft.len());
            Some(draft.finish(areas, &others, &additions, &tables.groups))
        });
        for finished in finished.into_iter().flatten() {
            let finished = finished?;
            capitals.extend(finished.capitals);
            merges.append(finished.merges);
            twice.extend(finished.twice);
            finished.cleaned.into_iter().for_each(|(rule, count)| *cleaned.entry(rule).or_default() += count);
            finished.places.into_iter().try_for_each(&mut take)?;
        }
    }
    let further_countries = regions::further_countries(&inputs.regions, &regions);
    for mut record in regions {
        others.clean(&mut record, &mut cleaned);
        record.parent = record.parent.map(|id| twice.get(&id).copied().unwrap_or(id));
        let is_added = regions_with_rows.contains(&record.id);
        take(Place { record, facts: None, people: 0, is_added })?;
    }
    step.finish(count);
    clean_names::say(&cleaned);
    merges.say();
    let mut countries = inputs.country_facts();
    counts.finish(&mut countries);
    let about = About { countries, ..About::default() };
    Ok(Rest { gazetteer: Gazetteer { capitals, further_countries, about, ..Gazetteer::default() }, merges })
}
