//! Text normalisation: folding, elided articles, initials, spelling variants and the sound of a name.

mod decimal;
mod decomposition;
mod elision;
mod fold;
mod initials;
mod letters;
mod point;
mod sound;
mod variants;

pub(crate) use decimal::decimal;
pub(crate) use decomposition::composed;
pub(crate) use elision::without_elisions;
pub(crate) use fold::{beginning, ends_with_separator};
pub use fold::{fold, segments};
pub(crate) use initials::with_initials_joined;
pub use letters::letters;
pub(crate) use letters::{are_of_one_script, first_of_syllable, in_katakana};
pub(crate) use point::point_of;
pub(crate) use sound::sound;
pub(crate) use variants::variants;
