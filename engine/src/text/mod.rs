//! Text normalisation: folding, elided articles, spelling variants and the sound of a name.

mod elision;
mod fold;
mod sound;
mod variants;

pub(crate) use elision::without_elisions;
pub(crate) use fold::beginning;
pub use fold::{fold, segments};
pub(crate) use sound::sound;
pub(crate) use variants::variants;
