//! Simplifies Chinese characters, so that what is tagged as Chinese is written in one way: `data/distil/simplified.py` made the table.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Rows of a traditional and a simplified character, below a heading.
const TABLE: &str = include_str!("../../../data/tables/simplified-characters.csv");

static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let pair = |line: &str| line.split_once(',').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    TABLE
        .lines()
        .skip(1)
        .map(|line| pair(line).unwrap_or_else(|| panic!("simplified-characters.csv: {line}")))
        .collect()
});

/// Returns a text with each traditional character as the simplified one.
pub(crate) fn simplify(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| !SIMPLIFIED.contains_key(&c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| SIMPLIFIED.get(&c).copied().unwrap_or(c)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traditional_characters_are_simplified() {
        check("里約熱內盧州", "里约热内卢州");
        check("臺灣", "台湾");
        check("東京", "东京");
        // Both ways of writing have these.
        check("乾安", "乾安");
        check("里约热内卢", "里约热内卢");
        check("München", "München");
    }

    fn check(text: &str, expect: &str) {
        assert_eq!(simplify(text), expect);
    }
}
