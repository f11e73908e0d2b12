//! Works on all cores.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread::{available_parallelism, scope};

/// Returns the results of `work` in the order of the items.
pub(super) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let cores = if cfg!(target_family = "wasm") { 1 } else { available_parallelism().map_or(1, NonZero::get) };
    if cores.min(items.len()) < 2 {
        return items.into_iter().map(work).collect();
    }
    let items = Mutex::new(items.into_iter().enumerate());
    // Without a lock while it works.
    let take = || items.lock().ok()?.next();
    let worker = || std::iter::from_fn(|| take().map(|(at, item)| (at, work(item)))).collect::<Vec<_>>();
    let mut done: Vec<(usize, R)> = scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    done.sort_unstable_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for count in [0, 1, 2, 1_000] {
            assert_eq!(map((0..count).collect(), |item| item * 2), (0..count).map(|item| item * 2).collect::<Vec<_>>());
        }
    }
}
