//! Look-up of places by code: IATA, ICAO, ISO 3166.

use crate::index::format::{OpenError, Section, Sections};
use crate::index::names::stored_importance;
use crate::index::names::transducer::{Node, Transducer, encode_fst};
use crate::record::{CodeScheme, Record};

/// Maximum number of places per code that are read. States share numbers, up to some 150 the same one. In a forged index
/// all places may share one code.
const MAX_MEANINGS: usize = 1_000;

/// The codes of an index: an fst from code, scheme and ordinal to row.
pub(crate) struct Codes {
    fst: Transducer,
    /// Number of rows of the index; codes of other rows are ignored.
    rows: u32,
}

/// Encodes the key of a code: the text, 0, the scheme, and an ordinal that orders places by importance.
fn code_key(text: &str, scheme: CodeScheme, ordinal: u16) -> Vec<u8> {
    let mut key = text.as_bytes().to_vec();
    key.extend([0, scheme as u8]);
    key.extend(ordinal.to_be_bytes());
    key
}

impl Codes {
    /// Opens the codes of `rows` places.
    pub fn open(sections: &Sections, rows: u32) -> Result<Self, OpenError> {
        Ok(Self { fst: Transducer::open(sections.get(Section::Codes), "code fst")?, rows })
    }

    /// Returns the places that have a code (upper case), each with the scheme.
    pub fn meanings(&self, text: &str) -> Vec<(CodeScheme, u32)> {
        let mut node = self.fst.node(self.fst.root());
        let mut row = 0;
        for &byte in text.as_bytes().iter().chain(&[0]) {
            let Some(transition) = node.find(byte) else { return Vec::new() };
            (_, node, row) = self.step(&node, row, transition);
        }
        let schemes = self.step_all(node, row).filter_map(|(byte, node, row)| Some((scheme_of(byte)?, node, row)));
        let meanings = schemes.flat_map(|(scheme, node, row)| {
            let high_bytes = self.step_all(node, row);
            high_bytes.flat_map(|(_, node, row)| self.step_all(node, row)).map(move |(_, _, row)| (scheme, row))
        });
        let meanings = meanings.take(MAX_MEANINGS);
        meanings.filter(|&(_, row)| row < u64::from(self.rows)).map(|(scheme, row)| (scheme, row as u32)).collect()
    }

    /// Follows a transition: its byte, the next node, and the sum of outputs. No key is a prefix of another, so the sum at the
    /// end of a key is the row.
    fn step(&self, node: &Node, output: u64, transition: usize) -> (u8, Node<'_>, u64) {
        let transition = node.transition(transition);
        (transition.input, self.fst.node(transition.to), output.wrapping_add(transition.output))
    }

    fn step_all<'f>(&'f self, node: Node<'f>, output: u64) -> impl Iterator<Item = (u8, Node<'f>, u64)> {
        (0..node.len()).map(move |transition| self.step(&node, output, transition))
    }
}

/// Returns the scheme with this number.
pub(super) fn scheme_of(byte: u8) -> Option<CodeScheme> {
    use CodeScheme::{Iata, Icao, Iso2, Iso3, State};
    [Iso2, Iso3, State, Iata, Icao].into_iter().find(|&scheme| scheme as u8 == byte)
}

/// Encodes the section of codes, for places in row order.
pub(crate) fn encode_codes(places: &[&Record]) -> Vec<u8> {
    let mut keys: Vec<_> = places
        .iter()
        .zip(0u32..)
        .flat_map(|(place, row)| place.codes.iter().map(move |code| (code.text.as_str(), code.scheme, row)))
        .collect();
    keys.sort_by_key(|&(text, scheme, row)| {
        (text, scheme, u16::MAX - stored_importance(places[row as usize].importance), row)
    });
    keys.dedup();
    let mut ordinal = 0u16;
    encode_fst(keys.iter().enumerate().filter_map(|(i, &(text, scheme, row))| {
        let same = i > 0 && (keys[i - 1].0, keys[i - 1].1) == (text, scheme);
        ordinal = if same { ordinal.saturating_add(1) } else { 0 };
        (ordinal < u16::MAX).then(|| (code_key(text, scheme, ordinal), u64::from(row)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::names::transducer::wide;

    #[test]
    fn a_forged_code_does_not_mean_everything() {
        // Letter, zero, scheme and ordinal: 5 * 65,536 meanings of each letter in some thousand bytes.
        let fst = Transducer::open(wide(5, 1).into(), "codes").expect("both ends are right");
        assert_eq!(Codes { fst, rows: 1 }.meanings("A").len(), MAX_MEANINGS);
        let fst = Transducer::open(wide(5, 1).into(), "codes").expect("both ends are right");
        assert_eq!(Codes { fst, rows: 0 }.meanings("A"), []);
    }
}
