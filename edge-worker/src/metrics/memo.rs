//! Caches answers in an isolate for a while, so that a flood of equal requests reaches no object.

use std::collections::HashMap;
use std::hash::Hash;

/// Maximum number of values. There are fewer queries about the service than this, so only values about callers reach it.
const MAX_KEPT: usize = 10_000;

/// Values, each with the instant at which it expires.
#[derive(Debug)]
pub struct Memo<K, V> {
    kept: HashMap<K, (u64, V)>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self { kept: HashMap::new() }
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// Returns the value of `key`, unless it has expired.
    pub fn recall(&self, key: &K, now_ms: u64) -> Option<V> {
        self.kept.get(key).filter(|(until_ms, _)| now_ms < *until_ms).map(|(_, value)| value.clone())
    }

    /// Returns when the value of `key` expires, unless it has.
    pub fn until_ms(&self, key: &K, now_ms: u64) -> Option<u64> {
        self.kept.get(key).map(|(until_ms, _)| *until_ms).filter(|until_ms| now_ms < *until_ms)
    }

    /// Keeps `value` until `until_ms`. If there are too many values, drops all others.
    pub fn keep(&mut self, key: K, value: V, until_ms: u64) -> V {
        if self.kept.len() >= MAX_KEPT {
            self.kept.clear();
        }
        self.kept.insert(key, (until_ms, value.clone()));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_holds_until_its_instant() {
        let mut memo = Memo::default();
        assert_eq!(memo.keep("k", 7, 100), 7);
        assert_eq!((memo.recall(&"k", 99), memo.recall(&"k", 100), memo.recall(&"other", 0)), (Some(7), None, None));
    }

    #[test]
    fn its_size_is_bounded() {
        let mut memo = Memo::default();
        (0..3 * MAX_KEPT).for_each(|key| memo.keep(key, (), 100));
        assert!(memo.kept.len() <= MAX_KEPT && memo.recall(&(3 * MAX_KEPT - 1), 99).is_some());
    }
}
