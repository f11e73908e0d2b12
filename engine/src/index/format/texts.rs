//! Texts of at most 255 bytes, stored without duplicates.

use std::collections::HashMap;

/// Reads the text at an offset: a length byte, then UTF-8.
pub(crate) fn text_at(text: &[u8], offset: u32) -> Option<&str> {
    let (&length, text) = text.get(offset as usize..)?.split_first()?;
    std::str::from_utf8(text.get(..usize::from(length))?).ok()
}

/// A builder of texts, without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Texts<'t> {
    bytes: Vec<u8>,
    known: HashMap<&'t str, u32>,
}

impl<'t> Texts<'t> {
    /// Returns the offset of a text, which has at most 255 bytes, and adds a text that is new.
    pub fn offset(&mut self, text: &'t str) -> u32 {
        *self.known.entry(text).or_insert_with(|| {
            let offset = self.bytes.len() as u32;
            self.bytes.push(text.len() as u8);
            self.bytes.extend_from_slice(text.as_bytes());
            offset
        })
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
