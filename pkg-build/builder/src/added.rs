//! Merges the rows of added files into the gazetteer of the pinned sources, several countries at a time.

use std::sync::{Mutex, PoisonError};

use crate::error::BuildError;
use crate::gazetteer::{Changed, Changing, Inputs, Rows, Shared, changes};
use crate::parallel;
use crate::progress::Step;

/// Rows of the countries that are merged at a time, each on a core, unless one country has more. They bound the memory, and are enough
/// that small countries keep all cores busy.
const ROWS_AT_A_TIME: usize = 500_000;

/// Merges `rows` into `changing`, which is of the gazetteer of `pinned`. `take` gets each place that they change.
///
/// # Errors
/// When two places have the same id, the rows on disk cannot be read, or `take` fails.
pub(crate) fn merge(
    pinned: &Inputs,
    rows: Rows,
    changing: &mut Changing<'_>,
    mut take: impl FnMut(Changed) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    let count = rows.count;
    let step = (count > 0).then(|| Step::counted("added rows by country", count));
    let shared = Shared::of(pinned);
    for batch in rows.finish()?.batches(ROWS_AT_A_TIME) {
        let countries: Vec<_> = batch?.into_iter().map(|(country, rows)| (country, Mutex::new(rows))).collect();
        let merged = parallel::each(&countries, |(country, rows)| {
            let rows = std::mem::take(&mut *rows.lock().unwrap_or_else(PoisonError::into_inner));
            let count = rows.len();
            let changes = changes(pinned, &shared, *country, rows);
            step.iter().for_each(|step| step.advance_by(count));
            changes
        });
        for changes in merged {
            changing.make(changes?).into_iter().try_for_each(&mut take)?;
        }
    }
    changing.make_regions(pinned, &shared)?.into_iter().try_for_each(take)?;
    step.into_iter().for_each(|step| step.finish(count));
    Ok(())
}
