//! Codes as exact keys: IATA, ICAO, ISO 3166.

use super::open_error::OpenError;
use super::sections::{Section, Sections};
use super::transducer::{Node, Transducer};
use crate::record::CodeScheme;

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
pub(crate) fn code_key(text: &str, scheme: CodeScheme, ordinal: u16) -> Vec<u8> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::transducer::wide;

    #[test]
    fn a_forged_code_does_not_mean_everything() {
        // Letter, zero, scheme and ordinal: 5 * 65,536 meanings of each letter in some thousand bytes.
        let fst = Transducer::open(wide(5, 1).into(), "codes").expect("both ends are right");
        assert_eq!(Codes { fst, rows: 1 }.meanings("A").len(), MOST_MEANINGS);
        let fst = Transducer::open(wide(5, 1).into(), "codes").expect("both ends are right");
        assert_eq!(Codes { fst, rows: 0 }.meanings("A"), []);
    }
}
