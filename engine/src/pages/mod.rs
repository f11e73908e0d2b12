//! An index in pages: a root and pages that are fetched when a question needs them.

mod directory;
mod globe;
mod key;
mod page_id;
mod paged;
mod plan;
mod region;
mod split;
mod trie;
mod write;

pub use page_id::PageId;
pub use paged::Paged;
pub use split::PageSizes;
pub use write::{Item, Items, Source, Take, WithFacts, WrittenPage, WrittenPages, write_paged, write_paged_from};
