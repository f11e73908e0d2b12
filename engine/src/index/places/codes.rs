//! Codes as exact keys: IATA, ICAO, ISO 3166.

use fst::MapBuilder;

use crate::index::format::{OpenError, Section, Sections};
use crate::index::names::stored_importance;
use crate::index::names::transducer::{Node, Transducer};
use crate::record::{CodeScheme, Record};

/// Meanings of a code that are read. The states of the world share numbers, some 150 of them one; a forged index may say
/// that all places share one code.
const MOST_MEANINGS: usize = 1_000;

/// The codes of an index: an fst from code, scheme and ordinal to row.
pub(crate) struct Codes {
    fst: Transducer,
    /// Rows of the index: a code of another means nothing.
    rows: u32,
}

/// Key of a code: the text, a zero, then what keeps several meanings apart, the most important place first.
fn code_key(text: &str, scheme: CodeScheme, ordinal: u16) -> Vec<u8> {
    let mut key = text.as_bytes().to_vec();
    key.extend([0, scheme as u8]);
    key.extend(ordinal.to_be_bytes());
    key
}

impl Codes {
    /// The codes of `rows` places.
    pub fn open(sections: &Sections, rows: u32) -> Result<Self, OpenError> {
        Ok(Self { fst: Transducer::open(sections.get(Section::Codes), "code fst")?, rows })
    }

    /// What a code (capitals) stands for.
    pub fn meanings(&self, text: &str) -> Vec<(CodeScheme, u32)> {
        let (mut node, mut row) = (self.fst.node(self.fst.root()), 0);
        for &byte in text.as_bytes().iter().chain(&[0]) {
            let Some(transition) = node.find(byte) else { return Vec::new() };
            (_, node, row) = self.behind(&node, row, transition);
        }
        let schemes = self.all_behind(node, row).filter_map(|(byte, node, row)| Some((scheme_of(byte)?, node, row)));
        let of_scheme = |(scheme, node, row)| {
            let high_bytes = self.all_behind(node, row);
            high_bytes.flat_map(|(_, node, row)| self.all_behind(node, row)).map(move |(_, _, row)| (scheme, row))
        };
        let meanings = schemes.flat_map(of_scheme).take(MOST_MEANINGS);
        meanings.filter(|&(_, row)| row < u64::from(self.rows)).map(|(scheme, row)| (scheme, row as u32)).collect()
    }

    /// Byte, node and output of a transition. Keys end where their ordinals do and none begins another, so that the outputs
    /// on the way to the last node are the row.
    fn behind(&self, node: &Node, output: u64, transition: usize) -> (u8, Node<'_>, u64) {
        let transition = node.transition(transition);
        (transition.letter, self.fst.node(transition.to), output.wrapping_add(transition.output))
    }

    fn all_behind<'f>(&'f self, node: Node<'f>, output: u64) -> impl Iterator<Item = (u8, Node<'f>, u64)> {
        (0..node.len()).map(move |transition| self.behind(&node, output, transition))
    }
}

fn scheme_of(byte: u8) -> Option<CodeScheme> {
    use CodeScheme::{Iata, Icao, Iso2, Iso3, State};
    [Iso2, Iso3, State, Iata, Icao].into_iter().find(|&scheme| scheme as u8 == byte)
}

/// The section of codes for places in row order.
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
    let mut builder = MapBuilder::memory();
    let mut ordinal = 0u16;
    for (i, &(text, scheme, row)) in keys.iter().enumerate() {
        let same = i > 0 && (keys[i - 1].0, keys[i - 1].1) == (text, scheme);
        ordinal = if same { ordinal.saturating_add(1) } else { 0 };
        if ordinal < u16::MAX {
            builder.insert(code_key(text, scheme, ordinal), u64::from(row)).expect("codes are sorted and distinct");
        }
    }
    builder.into_inner().expect("memory does not fail")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::names::transducer::wide;

    #[test]
    fn a_forged_code_does_not_mean_everything() {
        // Letter, zero, scheme and ordinal: 5 * 65,536 meanings of each letter in some thousand bytes.
        let fst = Transducer::open(wide(5, 1).into(), "codes").expect("both ends are right");
        assert_eq!(Codes { fst, rows: 1 }.meanings("A").len(), MOST_MEANINGS);
        let fst = Transducer::open(wide(5, 1).into(), "codes").expect("both ends are right");
        assert_eq!(Codes { fst, rows: 0 }.meanings("A"), []);
    }
}
