//! Text to places: terms, interpretations, candidates, confidence.
//!
//! A text can mean several things: all of it is a name, or a part of it is the name and the rest its context (`paris
//! texas`, `texas, paris`), with a word that says what is meant (`airport`) or without. [`interpretation`] lists what a text
//! can mean, in tiers of rising effort. [`evaluate`] turns each interpretation into candidates, all on one scale of cost
//! ([`penalties`]), and [`top_k`] keeps the cheapest.

mod areas;
mod budget;
mod candidate;
mod confidence;
#[cfg(feature = "stages")]
pub(crate) mod counted;
mod edit_distance;
mod evaluate;
mod interpretation;
mod kind_terms;
mod penalties;
mod sound;
mod terms;
#[cfg(test)]
mod tests;
mod tiers;
mod top_k;

pub(crate) use candidate::Candidate;
pub(crate) use confidence::confidences;
pub(crate) use tiers::candidates;
