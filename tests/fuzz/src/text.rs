//! Fuzz target for folding and splitting queries.

use toponym_engine::stages::segments;
use unicode_normalization::UnicodeNormalization;

/// Folds any text: folding twice must equal folding once, in every Unicode form, and segments must be folded pieces of it.
pub fn fold(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let folded = toponym_engine::fold(&text);
    assert_eq!(toponym_engine::fold(&folded), folded, "folding twice");
    assert!(folded.split(' ').all(|word| !word.is_empty()) || folded.is_empty(), "one space between words: {folded:?}");
    assert_eq!(toponym_engine::fold(&text.nfc().collect::<String>()), folded, "composed");
    assert_eq!(toponym_engine::fold(&text.nfd().collect::<String>()), folded, "decomposed");
    let segments = segments(&text);
    assert!(segments.iter().all(|segment| !segment.is_empty()), "an empty segment: {segments:?}");
    assert_eq!(segments.join(" "), folded, "the segments are the text");
}
