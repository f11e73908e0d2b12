//! Works on all cores.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

/// Items that a core takes at a time: enough that taking costs nothing, and few enough that all cores end together.
const CHUNK: usize = 1_000;

/// Returns the results of `work` in the order of the items, of which there are many.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    in_chunks(items, CHUNK, work)
}

/// Returns the results of `work` in the order of the items, each of which takes long.
pub(crate) fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    in_chunks(items, 1, work)
}

/// Sorts items, each core a part of them. Equal ones are in no order.
pub(crate) fn sort<T: Ord + Send>(items: &mut [T]) {
    let part = items.len().div_ceil(cores()).max(CHUNK);
    scope(|scope| {
        for part in items.chunks_mut(part) {
            scope.spawn(|| part.sort_unstable());
        }
    });
    // It finds parts that are in order, and merges them.
    items.sort();
}

fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

fn in_chunks<T: Sync, R: Send>(items: &[T], chunk: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let chunks: Vec<&[T]> = items.chunks(chunk).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let chunk = chunks.get(at)?;
        let done: Vec<R> = chunk.iter().map(&work).collect();
        Some((at, done))
    };
    let cores = cores().min(chunks.len());
    let mut done: Vec<(usize, Vec<R>)> = scope(|scope| {
        let threads: Vec<_> =
            (0..cores).map(|_| scope.spawn(|| std::iter::from_fn(take).collect::<Vec<_>>())).collect();
        let joined = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.flatten().collect()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for count in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 20 * CHUNK + 7] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(map(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
            let mut sorted: Vec<usize> = items.iter().map(|item| item * 7_919 % count.max(1)).collect();
            let mut expect = sorted.clone();
            expect.sort_unstable();
            sort(&mut sorted);
            assert_eq!(sorted, expect);
        }
    }
}
