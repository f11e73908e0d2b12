//! An index in pages gives the answer that it gives with all its pages, whichever of them are there when a question begins, and
//! after two fetches at most. Asks a small index, whole and in pages.

mod alone;
mod joined;
pub mod questions;

use std::sync::LazyLock;

use toponym_engine::index::{WriteError, write};
use toponym_engine::pages::{PageId, PageSizes, Paged, WrittenPages, write_paged};
use toponym_engine::{Engine, Gazetteer, NameClass};
use toponym_workload::gazetteer;

/// Small enough to be divided in a test, with what a large one has.
const INDEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../build/core.toponym");

/// Small pages, so that there are crowns below crowns.
const SIZES: PageSizes = PageSizes { root: 20_000, crown: 8_000, page: 20_000 };

/// Languages of the names that are not usual. A file does not say of a name which language it is.
const LANGUAGES: [&str; 4] = ["de", "ja", "zh-Hant", "fr"];

pub static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    let file = std::fs::read(INDEX).expect("the index is there: run `cargo toponym index --core`");
    let mut gazetteer = gazetteer(file).expect("the index can be read back");
    for place in &mut gazetteer.places {
        let others = place.names.iter_mut().skip(1).filter(|name| name.class == NameClass::Other);
        others.zip(LANGUAGES).for_each(|(name, language)| name.lang = Some(language.to_owned()));
    }
    gazetteer
});

static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| write(&GAZETTEER).expect("the gazetteer is sound"));

/// The root, and the pages.
static WRITTEN: LazyLock<(Vec<u8>, Vec<Vec<u8>>)> = LazyLock::new(|| {
    let mut pages = Vec::new();
    let mut take = |written: WrittenPages| -> Result<(), WriteError> {
        pages.extend(written.pages.into_iter().map(|page| page.bytes));
        Ok(())
    };
    let root = write_paged(&GAZETTEER, SIZES, &mut take).expect("the gazetteer is sound");
    (root, pages)
});

pub fn page(id: PageId) -> Vec<u8> {
    WRITTEN.1[id.number() as usize].clone()
}

pub fn root() -> Paged {
    Paged::open(WRITTEN.0.clone()).expect("a root just written opens")
}

/// Opens the index in one file.
pub fn whole() -> Engine {
    Engine::open(WHOLE.clone()).expect("the index is whole")
}

/// Opens the index with those pages that `keep` is true for.
pub fn with_pages(keep: impl FnMut() -> bool) -> Paged {
    with_pages_of(root(), keep)
}

/// Returns `paged` with those of its pages that `keep` is true for.
pub fn with_pages_of(mut paged: Paged, mut keep: impl FnMut() -> bool) -> Paged {
    for (id, _) in paged.kinds() {
        if keep() {
            paged.insert(id, page(id)).expect("it is the page");
        }
    }
    paged
}
