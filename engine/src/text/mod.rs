//! Text normalisation: folding, spelling variants and the sound of a name.

mod fold;
mod sound;
mod variants;

pub(crate) use fold::beginning;
pub use fold::{fold, segments};
pub(crate) use sound::sound;
pub(crate) use variants::variants;
