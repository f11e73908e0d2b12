//! Searches by position: the nearest places, the country that contains a point, and whether it is near land.

mod borders;
mod cells;
mod land;
mod nearest;
mod tiles;
mod tree;
mod window;

pub(crate) use borders::{Borders, Window, divide_borders, encode_borders};
pub(crate) use land::Land;
pub(crate) use nearest::{Nearest, Points};
pub(crate) use tiles::{Tiles, encode_tiles};
pub(crate) use tree::{Cuboid, Tree};
