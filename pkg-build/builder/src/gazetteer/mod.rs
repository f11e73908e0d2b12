//! Merges the rows of all sources into one gazetteer: cleaned, in a hierarchy, with ids that are stable across
//! rebuilds.
//!
//! ```text
//! rows of sources and added files, by country ─> drafts ─> names of all countries ─> places, in no order
//! ```
//!
//! In a [`draft`] places are built from the largest to the smallest, because each needs the areas that contain it: country, states,
//! counties, cities and quarters, airports, stations, landmarks. Regions are compared with the areas of all countries. Nothing depends
//! on the order of rows or of a hash map.
//!
//! Precedence if sources overlap: imported data over pinned data ([`read`]); settlements and divisions of GeoNames;
//! languages of CLDR and ISO over anything inferred; curated sites over those of other sources except the operator's
//! own.

#[cfg(test)]
mod added_rows_tests;
mod additions;
mod airports;
mod alternate_languages;
mod area;
mod borders;
mod capitals;
mod cities;
mod clean_names;
mod countries;
#[cfg(test)]
mod countries_tests;
mod country_facts;
mod country_index;
mod division_names;
mod divisions;
mod draft;
mod drafts;
mod import;
mod in_order;
mod inputs;
mod kana;
mod land;
mod locator;
mod matcher;
mod merge;
mod merged;
mod names_of_states;
mod place_facts;
mod postcodes;
mod ranked_names;
mod region_namesakes;
mod regions;
mod romanized;
mod same_places;
mod same_sites;
mod settlements;
mod shared_regions;
mod sites;
mod states_by_latitude;
mod subdivisions;
#[cfg(test)]
mod test_rows;
#[cfg(test)]
mod tests;

pub(crate) use borders::{borders, engine_of_borders, state_borders};
pub(crate) use draft::Place;
pub(crate) use drafts::Drafts;
#[cfg(test)]
pub(crate) use import::test_files;
pub(crate) use import::{AddedFile, Files, Rows, read};
pub(crate) use in_order::label;
pub(crate) use inputs::Inputs;
pub(crate) use matcher::{Merges, SAME_SITE_M};
pub(crate) use merge::{Rest, merge};
pub(crate) use merged::Merged;
pub(crate) use postcodes::records as postcodes;
pub(crate) use sites::CITY_REACH_M;
#[cfg(test)]
pub(crate) use test_rows::{test_airport, test_merged, test_pair, test_settlement};
