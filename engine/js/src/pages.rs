//! Methods for an index in pages only.

use toponym_engine::pages::{PageId, Paged};
use toponym_engine::request::{Operation, Options};
use wasm_bindgen::prelude::*;

use crate::arguments::values;
use crate::errors::{invalid, invalid_index};
use crate::{Geocoder, Source, to_js_answer, wrong};

#[wasm_bindgen]
impl Geocoder {
    /// Opens the root of an index in pages.
    ///
    /// # Errors
    /// `invalid_index` if the bytes are not a complete, undamaged root of this version.
    pub fn paged(root: Vec<u8>) -> Result<Geocoder, JsValue> {
        Ok(Self { source: Source::Paged(Box::new(Paged::open(root).map_err(invalid_index)?)) })
    }

    /// Joins the indexes that an older root was joined with, which this one takes the place of.
    pub fn join_as(&mut self, old: &Geocoder) {
        if let (Source::Paged(paged), Source::Paged(old)) = (&mut self.source, &old.source) {
            paged.join_as(old);
        }
    }

    /// Returns the name of the file of a page, which is its checksum; `undefined` if the index has no such page.
    pub fn file(&self, page: u32) -> Option<String> {
        self.as_paged().ok()?.file_name(PageId::of(page))
    }

    /// Adds a page.
    ///
    /// # Errors
    /// `invalid_index` if the bytes are not that page.
    pub fn insert(&mut self, page: u32, bytes: Vec<u8>) -> Result<(), JsValue> {
        match &mut self.source {
            Source::Paged(paged) => paged.insert(PageId::of(page), bytes).map_err(invalid_index),
            Source::Whole(_) => Err(invalid(NO_PAGES)),
        }
    }

    /// Returns the pages of a region: of `countries`, of a `bbox`, or both, with its names in `lang`. An array of
    /// numbers.
    ///
    /// # Errors
    /// `invalid_argument` if neither is given, an option is out of range, or the index is not in pages.
    pub fn pages_of(&self, region: JsValue) -> Result<JsValue, JsValue> {
        let region = Options::read(&values(Operation::Region, &region)).map_err(wrong)?;
        if region.filters.is_open() {
            return Err(invalid("a region is countries, a bbox, or both"));
        }
        let paged = self.as_paged()?;
        let pages = paged.pages_of(&region.filters.filter(&[]), region.languages.tag(paged));
        to_js_answer(pages.map(|pages| pages.iter().map(|page| page.number()).collect::<Vec<_>>()))
    }

    /// Forgets the pages that no question has looked at for longest, until the others have at most so many bytes.
    pub fn keep_within(&mut self, bytes: usize) {
        if let Source::Paged(paged) = &mut self.source {
            paged.keep_within(bytes);
        }
    }
}

impl Geocoder {
    fn as_paged(&self) -> Result<&Paged, JsValue> {
        match &self.source {
            Source::Whole(_) => Err(invalid(NO_PAGES)),
            Source::Paged(paged) => Ok(paged),
        }
    }
}

const NO_PAGES: &str = "this index has no pages";
