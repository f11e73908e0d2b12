//! Tables of names (an fst from folded name to number, the cost of each name, its postings), and the searches in them.

mod cost;
mod edits;
mod encode;
mod minima;
mod search;
mod spelled;
mod table;
pub(super) mod transducer;

pub use encode::WORK_PER_PLACE;
pub use table::MAX_KEY_LETTERS;

pub(crate) use cost::{Cost, STEP, UNIT, in_steps, of_class, of_importance, share, stored_importance};
pub(crate) use edits::{Distances, MAX_EDITS};
pub(crate) use encode::{TableKeys, encode_names, name_keys, no_keys, sound_keys};
pub(crate) use search::{Match, NameSearch, OrderedSearch, Prefix, Spelled, last_lead};
pub(crate) use spelled::SpelledSearch;
pub(crate) use table::{ALTERNATES, Keys, MAX_ROWS, Names, Posting, SOUNDS, Subtree, USUAL};
pub(crate) use transducer::encode_fst;
