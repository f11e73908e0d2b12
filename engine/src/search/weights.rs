//! What each doubt about a candidate costs, in points of importance. Beside these, corrections, context and sound have costs
//! of their own, where they are looked for: `correction.rs`, `context.rs`, `by_sound.rs`; that of a name's class is part of
//! the index, in `index/cost.rs`.
//!
//! The values were set by hand and held against the golden cases of `tests/golden`, whose snapshot shows what a change does.

use crate::index::{Cost, share};

/// A complete text that only begins a name: it is less likely to be meant than a whole name, but better than nothing.
pub(crate) const BEGUN: Cost = share(0.30);

/// In a search field the last word is expected to be unfinished; a whole name (`niger`) is still better than a longer
/// one of a slightly greater place.
pub(crate) const UNFINISHED: Cost = share(0.04);

/// What a name of the English class adds that is only begun: it may be a spelling that few would begin to type
/// (`Khirosima`).
pub(crate) const BEGUN_SPELLING: Cost = share(0.15);

/// What an alternate adds that is only begun. It says very little: half of all beginnings of three Latin letters begin some
/// name of some capital in some language. In other scripts there are fewer languages to choose from.
pub(crate) const BEGUN_ALTERNATE: Cost = share(0.30);
pub(crate) const BEGUN_ALTERNATE_NOT_LATIN: Cost = share(0.05);

/// What an alternate costs less that is the name in the language of the one who asks. Searches do not know of it: it
/// decides between what they find, and finds nothing more.
pub(crate) const IN_LANGUAGE: Cost = share(0.15);

/// A piece of context that does not hold the place: `Basel, France`.
pub(crate) const UNHELD: Cost = share(0.40);

/// The context before the name: `Texas Paris`.
pub(crate) const REVERSED: Cost = share(0.02);

/// The same while the name is still being typed: the name is more often complete, and its context begun.
pub(crate) const REVERSED_UNFINISHED: Cost = share(0.20);

/// The same across a comma: people write the smaller place first.
pub(crate) const REVERSED_ACROSS_BREAK: Cost = share(0.15);

/// A name that runs over a comma.
pub(crate) const ACROSS_BREAK: Cost = share(0.10);

/// A number that is left out, as a postcode.
pub(crate) const IGNORED_NUMBER: Cost = share(0.03);

/// Another word that is left out.
pub(crate) const IGNORED_WORD: Cost = share(0.25);

/// A text that the data lacks in its own script.
pub(crate) const IN_LATIN: Cost = share(0.12);

/// The word that says what is meant is no part of the name: a name that has it comes first (`Boulder City`).
pub(crate) const KIND_LEFT_OUT: Cost = share(0.10);

/// A site that the query names by its city: how far it may lie and what that costs, what the detour costs, which part of
/// the city's own importance counts, and how many cities of the name are looked at.
pub(crate) const AIRPORT_REACH_M: f64 = 60_000.0;
pub(crate) const STATION_REACH_M: f64 = 6_000.0;
pub(crate) const FAR_SITE: f64 = 0.35;
pub(crate) const SITE_OF_CITY: Cost = share(0.06);
pub(crate) const CITY_IN_SITE: Cost = 3;
pub(crate) const MAX_CITIES: usize = 4;

/// Not of the kind the query names.
pub(crate) const OTHER_ROLE: Cost = share(0.45);

/// A code is meant when it is typed as one, in capitals; a well-known name of the same letters still comes first. Three
/// letters are an airport before they are a country, two a country before they are a state.
pub(crate) const AIRPORT_CODE: Cost = share(0.02);
pub(crate) const AIRPORT_CODE_IN_SMALL: Cost = share(0.30);
pub(crate) const COUNTRY_CODE: Cost = share(0.05);
pub(crate) const COUNTRY_CODE_OF_THREE: Cost = share(0.50);
pub(crate) const STATE_CODE: Cost = share(0.20);
