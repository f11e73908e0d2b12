//! Reads all places, in order.

use std::borrow::Cow;

use super::{Source, parallel};
use crate::record::Record;

/// Places that are read at a time, on all cores.
const CHUNK: u32 = 16_384;

/// Places that a core reads at a time.
const PART: u32 = 512;

/// Iterates over what `of` makes of the number of each place and the place.
pub(super) fn each_place<'s, S: Source, R: Send>(
    source: &'s S,
    of: impl Fn(u32, Cow<'s, Record>) -> Result<R, S::Error> + Sync,
) -> impl Iterator<Item = Result<R, S::Error>> {
    let count = source.count();
    (0..count).step_by(CHUNK as usize).flat_map(move |first| {
        let end = count.min(first.saturating_add(CHUNK));
        let parts = parallel::map((first..end).step_by(PART as usize).collect(), |first: u32| {
            let numbers = first..end.min(first.saturating_add(PART));
            let places = source.places(numbers.clone())?;
            numbers.zip(places).map(|(number, place)| of(number, place)).collect::<Result<Vec<R>, _>>()
        });
        parts.into_iter().flat_map(each_or_error)
    })
}

/// Iterates over the items, or the error alone.
pub(super) fn each_or_error<T, E>(items: Result<Vec<T>, E>) -> impl Iterator<Item = Result<T, E>> {
    let (items, error) = match items {
        Ok(items) => (items, None),
        Err(error) => (Vec::new(), Some(Err(error))),
    };
    items.into_iter().map(Ok).chain(error)
}
