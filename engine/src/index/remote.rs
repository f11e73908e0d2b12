//! Remote places: those of other pages, as a page knows them. It has where they lie, or their names in one language; and which of
//! its own places have names in pages of languages.

use bytes::Bytes;

use super::format::{Column, EncodedSection, OpenError, Section, Sections, Texts, encode, text_at};

/// Places of other pages, by id.
#[derive(Debug)]
pub(crate) struct RemotePlaces {
    ids: Column<u64>,
    curve: Column<u32>,
    names: Column<u32>,
    text: Bytes,
    named_row: Column<u32>,
    named_languages: Column<u32>,
}

impl RemotePlaces {
    pub fn open(sections: &Sections) -> Result<Self, OpenError> {
        let remote = Self {
            ids: Column::new(sections.get(Section::RemoteId)),
            curve: Column::new(sections.get(Section::RemoteCurve)),
            names: Column::new(sections.get(Section::RemoteName)),
            text: sections.get(Section::Translations),
            named_row: Column::new(sections.get(Section::NamedRow)),
            named_languages: Column::new(sections.get(Section::NamedLanguages)),
        };
        let is_full_or_empty = |length: usize| length == 0 || length == remote.ids.len();
        let agree = is_full_or_empty(remote.curve.len())
            && is_full_or_empty(remote.names.len())
            && remote.named_row.len() == remote.named_languages.len();
        if agree { Ok(remote) } else { Err(OpenError::Malformed("remote places")) }
    }

    /// Returns the position on the Hilbert curve of the place with an id.
    pub fn curve(&self, id: u64) -> Option<u32> {
        let at = self.ids.find(id)?;
        ((at as usize) < self.curve.len()).then(|| self.curve.get(at))
    }

    /// Tells whether the page has names of places of other pages.
    pub fn has_names(&self) -> bool {
        self.names.len() > 0
    }

    /// Returns the name of the place with an id, in the only language of the page.
    pub fn name(&self, id: u64) -> Option<&str> {
        let at = self.ids.find(id)?;
        if (at as usize) < self.names.len() { text_at(&self.text, self.names.get(at)) } else { None }
    }

    /// Tells whether a page of a language may have a name of one of the file's own rows.
    pub fn may_name(&self, row: u32, language: &str) -> bool {
        self.named_row.find(row).is_some_and(|at| self.named_languages.get(at) & language_bit(language) != 0)
    }
}

/// Returns the bit of a language among those of a row: several languages share one.
pub(crate) fn language_bit(tag: &str) -> u32 {
    1 << (xxhash_rust::xxh3::xxh3_64(tag.to_ascii_lowercase().as_bytes()) % u64::from(u32::BITS))
}

/// Places of other pages, as a page is written with them: ids, ascending, with positions on the Hilbert curve or with names in a
/// language.
#[derive(Default)]
pub(crate) struct RemoteRecords<'c> {
    pub ids: Vec<u64>,
    pub curve: Vec<u32>,
    pub names: Vec<&'c str>,
    /// The language of the names.
    pub language: Option<&'c str>,
}

impl RemoteRecords<'_> {
    /// Encodes the sections of remote places, and the texts of their names.
    pub fn encode(&self) -> ([EncodedSection; 3], Vec<u8>) {
        let mut texts = Texts::default();
        let names: Vec<u32> = self.names.iter().map(|name| texts.offset(name)).collect();
        let sections = [
            (Section::RemoteId, encode(self.ids.iter().copied())),
            (Section::RemoteCurve, encode(self.curve.iter().copied())),
            (Section::RemoteName, encode(names)),
        ];
        (sections, texts.into_bytes())
    }
}
