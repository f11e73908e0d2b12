//! Text as the index knows it: folded names, and the other ways people write the same name.

mod fold;
mod sound;
mod variants;

pub use fold::{fold, segments};
pub(crate) use sound::sound;
pub(crate) use variants::variants;
