//! Text to places: words, readings, candidates, confidence.
//!
//! A query is read in several ways at once: all of it as one name, or one part as the name and the rest as its
//! context (`paris texas`, `texas, paris`), with a word that says what is meant (`airport`) or without. Each reading
//! gives candidates on one scale of cost, and the cheapest ones are the answer.

mod budget;
mod by_sound;
mod candidate;
mod confidence;
mod context;
mod correction;
#[cfg(feature = "stages")]
pub(crate) mod counted;
mod kinds;
mod readings;
#[cfg(test)]
mod tests;
mod weights;
mod words;

pub(crate) use candidate::Candidate;
pub(crate) use confidence::confidences;
pub(crate) use readings::{Mode, candidates};
