//! Codes as exact keys: IATA, ICAO, ISO 3166.

use bytes::Bytes;
use fst::{IntoStreamer, Map, Streamer};

use super::layout::{OpenError, Section, Sections};
use crate::record::CodeScheme;

/// The codes of an index: an fst from code, scheme and ordinal to row.
pub(crate) struct Codes(Map<Bytes>);

/// Key of a code: the text, a zero, then what keeps several meanings apart, the most important place first.
pub(crate) fn code_key(text: &str, scheme: CodeScheme, ordinal: u16) -> Vec<u8> {
    let mut key = text.as_bytes().to_vec();
    key.extend([0, scheme as u8]);
    key.extend(ordinal.to_be_bytes());
    key
}

impl Codes {
    pub fn open(sections: &Sections) -> Result<Self, OpenError> {
        Map::new(sections.get(Section::Codes)).map(Self).map_err(|_| OpenError::Malformed("code fst"))
    }

    /// What a code (capitals) stands for.
    pub fn meanings(&self, text: &str) -> Vec<(CodeScheme, u32)> {
        let (from, to) = ([text.as_bytes(), &[0]].concat(), [text.as_bytes(), &[1]].concat());
        let mut range = self.0.range().ge(from).lt(to).into_stream();
        let mut found = Vec::new();
        while let Some((key, row)) = range.next() {
            found.extend(key.get(text.len() + 1).and_then(|&scheme| scheme_of(scheme)).map(|s| (s, row as u32)));
        }
        found
    }
}

fn scheme_of(byte: u8) -> Option<CodeScheme> {
    use CodeScheme::{Iata, Icao, Iso2, Iso3, State};
    [Iso2, Iso3, State, Iata, Icao].into_iter().find(|&scheme| scheme as u8 == byte)
}
