//! Text as the index knows it: folded names, and the other ways people write the same name.

mod fold;
mod variants;

pub use fold::{fold, segments};
pub(crate) use variants::variants;
