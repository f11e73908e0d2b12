//! All weights of the search.
//!
//! Costs are in points of importance: 1 is the difference between the most and the least important place, and 0.125 is a
//! factor of ten in population. The cost of a candidate is `1 - importance` plus its penalties. The penalties of name
//! classes are part of the index format and defined in `index/names/cost.rs`.
//!
//! The values were tuned by hand against the golden cases of `tests/golden`; `tests/snapshots/quality.txt` shows the effect
//! of a change.

use crate::index::{Cost, share};

/// A complete text is only a prefix of the name: less likely to be meant than an exact match, but better than nothing.
pub(crate) const PREFIX: Cost = share(0.30);

/// An unfinished text in autocomplete is only a prefix of the name: more is expected to follow. An exact match (`niger`) still
/// beats the longer name of a slightly more important place.
pub(crate) const PREFIX_UNFINISHED: Cost = share(0.04);

/// Subtracted in autocomplete for the whole usual name of a place: who has typed `porto` and goes on to Porto Alegre is rarer than
/// the populations say. Of 810 public beginnings, some of which are names by chance, four that were first no longer are.
pub(crate) const WHOLE_NAME: Cost = share(0.065);

/// The cost of importance of a place that is known well enough for this.
pub(crate) const WHOLE_NAME_OF_KNOWN: Cost = share(0.525);

/// Added in autocomplete for a prefix of a state that is not known widely, and the cost of importance above which none is: people who
/// type a city are more than the populations of states say. Tasmania is known.
pub(crate) const PREFIX_OF_STATE: Cost = share(0.05);
pub(crate) const STATE_NOT_KNOWN: Cost = share(0.35);

/// Added for a prefix of a name of the English class: it may be a rare spelling (`Khirosima`).
pub(crate) const PREFIX_OF_SPELLING: Cost = share(0.15);

/// Added for a prefix of an alternate. It is weak evidence: half of all prefixes of three Latin letters match a name of
/// some capital in some language. Other scripts are shared by fewer languages.
pub(crate) const PREFIX_OF_ALTERNATE: Cost = share(0.30);
pub(crate) const PREFIX_OF_ALTERNATE_NOT_LATIN: Cost = share(0.05);

/// Subtracted in autocomplete for each Latin letter of such a prefix beyond some, and the most such letters: six letters are hardly
/// the beginning of a name by chance. With `EDITED_UNFINISHED`, six more of 810 public beginnings have the right place first and
/// seven more among five.
pub(crate) const FURTHER_LETTER: f64 = 0.25 / 3.0;
pub(crate) const LETTERS_BY_CHANCE: usize = 3;
pub(crate) const MOST_FURTHER_LETTERS: usize = 3;

/// Subtracted for an alternate that is the name in the language of the query. Name searches do not use it: it changes the
/// order of the matches, not which names match.
pub(crate) const IN_LANGUAGE: Cost = share(0.15);

/// A part of the context in which the place does not lie: `Basel, France`.
pub(crate) const UNMATCHED_AREA: Cost = share(0.40);

/// A town that is not in the city of the context, but near it: `Arlington, Washington` means the state.
pub(crate) const NEAR_CITY: Cost = share(0.47);

/// A query with commas is split elsewhere: `Oye-Ekiti, Nigeria` means Oye-Ekiti, not Oye in Ekiti.
pub(crate) const BETWEEN_COMMAS: Cost = share(0.50);

/// The context before the name: `Texas Paris`.
pub(crate) const REVERSED: Cost = share(0.02);

/// The context before the name in autocomplete: usually the name comes first and the context is unfinished.
pub(crate) const REVERSED_UNFINISHED: Cost = share(0.20);

/// The context before the name, across a comma: people write the smaller place first. Kanata is a quarter of Ottawa and a name of
/// Canada, and `Kanata, Ontario` means the quarter.
pub(crate) const REVERSED_ACROSS_COMMA: Cost = share(0.80);

/// A name that spans a comma. There is a Santo Tomás La Unión in Guatemala, but `Santo Tomas, La Union` means the town in
/// the province of La Union.
pub(crate) const ACROSS_COMMA: Cost = share(0.50);

/// The Arabic article is left out before the name.
pub(crate) const WITHOUT_ARTICLE: Cost = share(0.05);

/// The text has marks on letters, and no name of the place has them: `köl` and Kolkata.
pub(crate) const WITHOUT_MARKS: Cost = share(0.25);

/// The syllables of a name apart: `xi an`.
pub(crate) const JOINED: Cost = share(0.05);

/// The words of a name in another order: `angeles los`.
pub(crate) const SWAPPED: Cost = share(0.10);

/// A number that is dropped, such as a postcode.
pub(crate) const DROPPED_NUMBER: Cost = share(0.03);

/// A first word that says where, but not what, is dropped in autocomplete: `north ko` begins North Korea before Kolkata.
pub(crate) const FIRST_WORD_DROPPED_UNFINISHED: Cost = share(0.35);

/// Another term that is dropped.
pub(crate) const DROPPED_TERM: Cost = share(0.25);

/// A text that is transliterated, because the data lacks the name in its script.
pub(crate) const TRANSLITERATED: Cost = share(0.12);

/// A name that is guessed from its spelling in another script.
pub(crate) const SPELLED: Cost = share(0.05);

/// Added if the place has a known name in the script of the text, which is another.
pub(crate) const WRITTEN_OTHERWISE: Cost = share(0.10);

/// An area that is guessed so.
pub(crate) const AREA_SPELLED: Cost = share(0.05);

/// A term that names a kind is dropped from the name: a name that contains it comes first (`Boulder City`).
pub(crate) const KIND_DROPPED: Cost = share(0.10);

/// A term that names a kind is dropped in autocomplete, where the name that begins with it comes before all.
pub(crate) const KIND_DROPPED_UNFINISHED: Cost = share(0.25);

/// An elided article is dropped: `l'Aquila` is a city in Italy before it is Aquila in Mexico.
pub(crate) const ELISION_DROPPED: Cost = share(0.10);

/// An elided article is dropped in autocomplete, where `l'a` may go on to either.
pub(crate) const ELISION_DROPPED_UNFINISHED: Cost = share(0.25);

/// A place that is not of the kind that the query names.
pub(crate) const OTHER_KIND: Cost = share(0.45);

/// Cost from which a sight is better known than the city it lies in, of which both begin with the text.
pub(crate) const SIGHT_BETTER_KNOWN: Cost = share(0.10);

/// A site that the query names by its city: the largest distance in metres and its penalty; the penalty of such an
/// interpretation; the divisor of the cost of the city's importance; and the maximum number of cities tried.
pub(crate) const AIRPORT_REACH_M: f64 = 60_000.0;
pub(crate) const STATION_REACH_M: f64 = 6_000.0;
pub(crate) const LANDMARK_REACH_M: f64 = 12_000.0;
pub(crate) const FAR_SITE: f64 = 0.35;
pub(crate) const FAR_SITE_OF_OWN_CITY: f64 = 0.05;
/// A site of the kind that is asked for, without the word in its name: a stadium that is called a park.
pub(crate) const KIND_NOT_IN_NAME: Cost = share(0.08);
pub(crate) const SITE_OF_CITY: Cost = share(0.06);
pub(crate) const CITY_IN_SITE: Cost = 3;
pub(crate) const MAX_CITIES: usize = 4;

/// The cost of an airport with scheduled flights by its code, if the code is not in capitals: it is behind a city of 100,000 people
/// whose name begins with the text, and before all that are smaller.
pub(crate) const CODE_TYPED: Cost = share(0.48);

/// The cost by a code of four letters, if it is not in capitals: hardly anybody but pilots knows one, and Fogo is an island.
pub(crate) const CODE_OF_FOUR_TYPED: Cost = share(0.53);

/// The code of such an airport finds it among so many places in any case.
pub(crate) const CODE_AMONG: usize = 5;

/// The cost of the importance that every airport with scheduled flights stays below: the least important one has .31.
pub(crate) const WITHOUT_SCHEDULED_FLIGHTS: Cost = share(0.72);

/// The cost of an airport by its code beside the name of its city: nothing else is meant.
pub(crate) const CODE_OF_CITY: Cost = share(0.05);

/// A text may be another code; an important place with the text as its name still comes first. Two letters in capitals are more
/// likely a country than a state.
pub(crate) const AIRPORT_CODE: Cost = share(0.02);
pub(crate) const COUNTRY_CODE: Cost = share(0.05);
pub(crate) const COUNTRY_CODE_OF_THREE: Cost = share(0.50);
pub(crate) const STATE_CODE: Cost = share(0.20);

/// One edit costs `EDIT + EDIT_OVER_LETTERS / length`: in a short name, an edit is less likely a typo.
pub(crate) const EDIT: f64 = 0.13;
pub(crate) const EDIT_OVER_LETTERS: f64 = 0.9;

/// Added in autocomplete for each edit in a name in Latin letters, and again if the text is only a prefix of it: every beginning is
/// like that of some important name.
pub(crate) const EDITED_UNFINISHED: Cost = share(0.05);

/// If the best cost is higher (a village), names with edits are searched although something was found.
pub(crate) const SEARCH_EDITS_ABOVE: Cost = share(0.62);

/// Names with edits are searched earlier in autocomplete, where a text is the beginning of some obscure name more often: `bangok` of an airport in the Congo.
pub(crate) const SEARCH_EDITS_ABOVE_UNFINISHED: Cost = share(0.45);

/// A name with edits that costs more (a village with one edit) is only a guess. One that costs `EDITED_SPREAD` more than
/// the best candidate is not shown.
pub(crate) const GUESS: Cost = share(1.20);
pub(crate) const GUESS_OF_TWO_EDITS: Cost = share(1.0);
pub(crate) const EDITED_SPREAD: Cost = share(0.35);

/// If a candidate with one edit costs less (a town of 20,000 people), names with two edits are not searched.
pub(crate) const GOOD_WITH_EDITS: Cost = share(0.65);

/// An area of which the text is only a prefix.
pub(crate) const AREA_PREFIX: Cost = share(0.04);

/// An area whose name has edits; also the cost of each edit in the search for it.
pub(crate) const AREA_EDITED: Cost = share(0.20);

/// An area with edits that costs more (less important than a county) is not considered.
pub(crate) const AREA_EDITED_LIMIT: Cost = share(0.90);

/// A name that sounds like the text; added if no letters are alike; and an edit in the phonetic key.
pub(crate) const SOUND: Cost = share(0.25);
pub(crate) const SOUND_UNLIKE: f64 = 0.8;
pub(crate) const SOUND_EDIT: Cost = share(0.12);

/// With a focus: the penalty of a place on the other side of the globe, and the distance in metres without a penalty.
pub(crate) const FAR_FROM_FOCUS: f64 = 0.30;
pub(crate) const NEAR_FOCUS_M: f64 = 30_000.0;
