//! Parts that the tests in wasm share with the native ones: a small index, its golden answers, and damaged copies of
//! it.

pub mod answers;
pub mod damage;
mod small;

pub use small::index;
