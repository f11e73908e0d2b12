//! Answers that an isolate repeats for a while, so that a flood of one question reaches no object.

use std::collections::HashMap;
use std::hash::Hash;

/// Values with the instant until which they hold.
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
    /// The value of `key`, while it holds.
    pub fn recall(&self, key: &K, now_ms: u64) -> Option<V> {
        self.kept.get(key).filter(|(until_ms, _)| now_ms < *until_ms).map(|(_, value)| value.clone())
    }

    /// Keeps `value` until `until_ms`.
    pub fn keep(&mut self, key: K, value: V, until_ms: u64) -> V {
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
}
