//! Makes typing errors by rule: a letter omitted, inserted, replaced, or swapped with the next one.
//! The first letter stays, as it mostly does when people type.

use fastrand::Rng;

const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";

/// Returns `word` with `count` errors, no two at the same place. The word must have more letters than twice that
/// number.
pub(crate) fn with_typos(word: &str, count: usize, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    // Each error gets its own part of the word, the last part first, so that none undoes another.
    let stretch = (letters.len() - 1) / count;
    for slip in (0..count).rev() {
        let at = 1 + slip * stretch + rng.usize(..stretch - usize::from(stretch > 1));
        apply(&mut letters, at, rng);
    }
    letters.into_iter().collect()
}

fn apply(letters: &mut Vec<char>, at: usize, rng: &mut Rng) {
    match rng.u8(..4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, other_letter(letters[at], rng)),
        2 if at + 1 < letters.len() && letters[at] != letters[at + 1] => letters.swap(at, at + 1),
        _ => letters[at] = other_letter(letters[at], rng),
    }
}

fn other_letter(than: char, rng: &mut Rng) -> char {
    loop {
        let letter = char::from(LETTERS[rng.usize(..LETTERS.len())]);
        if letter != than {
            return letter;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_keep_the_first_letter() {
        let mut rng = Rng::with_seed(7);
        for (word, count) in [("paris", 1), ("mississippi", 1), ("reykjavik", 2), ("san francisco", 2)] {
            for _ in 0..200 {
                let typed = with_typos(word, count, &mut rng);
                assert_ne!(typed, word);
                assert_eq!(typed.chars().next(), word.chars().next(), "{typed}");
                let difference = typed.chars().count().abs_diff(word.chars().count());
                assert!(difference <= count, "{typed}");
            }
        }
    }
}
