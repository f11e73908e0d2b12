//! Compares the first answers to `golden/options.csv`: filters, fields, look-up and nearest places.
//!
//! A case has a tag, a request, and how the display name of the first answer begins. With an empty `expect` there must be
//! no answer.

use super::cases::{self, Case};

/// The fewest cases of the file.
const FEWEST: usize = 150;

#[test]
fn the_first_answers_are_as_expected() {
    cases::check("options.csv", FEWEST, |Case { request, expect, .. }| {
        let found = first(request);
        let is_right = found.as_ref().map_or(expect.is_empty(), |name| !expect.is_empty() && name.starts_with(expect));
        (!is_right).then(|| format!("expected {expect:?}, got {found:?}"))
    });
}

/// Returns the display name of the first answer to a request.
fn first(request: &str) -> Option<String> {
    cases::first(request)["display_name"].as_str().map(str::to_owned)
}
