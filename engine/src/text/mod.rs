//! Text normalisation: folding, elided articles, initials, spelling variants and the sound of a name.

mod elision;
mod fold;
mod initials;
mod point;
mod sound;
mod variants;

pub(crate) use elision::without_elisions;
pub(crate) use fold::{beginning, ends_with_separator};
pub use fold::{fold, segments};
pub(crate) use initials::with_initials_joined;
pub(crate) use point::point_of;
pub(crate) use sound::sound;
pub(crate) use variants::variants;
