//! Every weight of the search, in one place.
//!
//! Costs are in points of importance: 1 is the difference between the most important place and one that nobody has heard
//! of, and 0.125 is a factor of ten in population. A candidate costs `1 - importance`, and each doubt adds its penalty. What
//! the class of a name adds is part of the index, and stands in `index/names/cost.rs`.
//!
//! The values were set by hand and held against the golden cases of `tests/golden`; `tests/snapshots/quality.txt` shows what a
//! change does. Where a value was measured by itself, its comment says how.

use crate::index::{Cost, share};

/// A complete text is only the prefix of a name: it is less likely to be meant than a complete name, but better than
/// nothing.
pub(crate) const PREFIX: Cost = share(0.30);

/// The same in a search field, where the last term is expected to be unfinished. A complete name (`niger`) is still better
/// than a longer one of a slightly greater place.
pub(crate) const PREFIX_UNFINISHED: Cost = share(0.04);

/// What a prefix of a name of the English class adds: it may be a spelling that few would begin to type (`Khirosima`).
pub(crate) const PREFIX_OF_SPELLING: Cost = share(0.15);

/// What a prefix of an alternate adds. It says very little: half of all prefixes of three Latin letters begin some name of
/// some capital in some language. In other scripts there are fewer languages to choose from.
pub(crate) const PREFIX_OF_ALTERNATE: Cost = share(0.30);
pub(crate) const PREFIX_OF_ALTERNATE_NOT_LATIN: Cost = share(0.05);

/// What an alternate costs less that is the name in the language of the one who asks. Searches do not know of it: it
/// decides between what they find, and finds nothing more.
pub(crate) const IN_LANGUAGE: Cost = share(0.15);

/// A part of the context in which the place does not lie: `Basel, France`.
pub(crate) const UNMATCHED_AREA: Cost = share(0.40);

/// The context before the name: `Texas Paris`.
pub(crate) const REVERSED: Cost = share(0.02);

/// The same while the name is still being typed: the name is more often complete, and its context a prefix.
pub(crate) const REVERSED_UNFINISHED: Cost = share(0.20);

/// The same across a comma: people write the smaller place first.
pub(crate) const REVERSED_ACROSS_COMMA: Cost = share(0.15);

/// A name that runs over a comma.
pub(crate) const ACROSS_COMMA: Cost = share(0.10);

/// A number that is dropped, as a postcode.
pub(crate) const DROPPED_NUMBER: Cost = share(0.03);

/// Another term that is dropped.
pub(crate) const DROPPED_TERM: Cost = share(0.25);

/// A text that the data lacks in its own script.
pub(crate) const TRANSLITERATED: Cost = share(0.12);

/// The term that says what is meant is no part of the name: a name that has it comes first (`Boulder City`).
pub(crate) const KIND_DROPPED: Cost = share(0.10);

/// Not of the kind that the query names.
pub(crate) const OTHER_KIND: Cost = share(0.45);

/// A site that the query names by its city: how far it may lie in metres, and what that costs at most; what the detour
/// costs; which part of the city's own importance counts; and how many cities of the name are looked at.
pub(crate) const AIRPORT_REACH_M: f64 = 60_000.0;
pub(crate) const STATION_REACH_M: f64 = 6_000.0;
pub(crate) const FAR_SITE: f64 = 0.35;
pub(crate) const SITE_OF_CITY: Cost = share(0.06);
pub(crate) const CITY_IN_SITE: Cost = 3;
pub(crate) const MAX_CITIES: usize = 4;

/// A code is meant when it is typed as one, in capitals; a well-known name of the same letters still comes first. Three
/// letters are an airport before they are a country, two a country before they are a state.
pub(crate) const AIRPORT_CODE: Cost = share(0.02);
pub(crate) const AIRPORT_CODE_IN_SMALL: Cost = share(0.30);
pub(crate) const COUNTRY_CODE: Cost = share(0.05);
pub(crate) const COUNTRY_CODE_OF_THREE: Cost = share(0.50);
pub(crate) const STATE_CODE: Cost = share(0.20);

/// One edit, and what it adds over the number of letters: an edit in a short name leaves more doubt.
pub(crate) const EDIT: f64 = 0.13;
pub(crate) const EDIT_OVER_LETTERS: f64 = 0.9;

/// From a best cost of this on names with edits are looked for, although something was found: the place is a village.
pub(crate) const DOUBTFUL: Cost = share(0.62);

/// A name with edits that costs more than this (a village with one edit) is a guess; one that costs so much more than the
/// best one with edits is not worth showing.
pub(crate) const GUESS: Cost = share(1.20);
pub(crate) const GUESS_OF_TWO_EDITS: Cost = share(1.0);
pub(crate) const EDITED_SPREAD: Cost = share(0.35);

/// A place of 20,000 people with one edit is what was meant: a second edit is not looked for.
pub(crate) const EDITED_WELL: Cost = share(0.80);

/// An area that is only a prefix.
pub(crate) const AREA_PREFIX: Cost = share(0.04);

/// An area whose name has edits, and each edit while it is looked for.
pub(crate) const AREA_EDITED: Cost = share(0.20);

/// An area with edits that costs more, one less important than a county, is not looked for.
pub(crate) const AREA_EDITED_LIMIT: Cost = share(0.90);

/// A name that sounds like the text, before letters are compared; what letters that all differ add; and an edit in the sound.
pub(crate) const SOUND: Cost = share(0.25);
pub(crate) const SOUND_UNLIKE: f64 = 0.8;
pub(crate) const SOUND_EDIT: Cost = share(0.12);

/// What the other side of the globe costs where a focus is given, and the distance in metres within which nothing does.
pub(crate) const FAR_FROM_FOCUS: f64 = 0.30;
pub(crate) const NEAR_FOCUS_M: f64 = 30_000.0;
