//! Codes as exact keys: IATA, ICAO, ISO 3166.

use bytes::Bytes;
use fst::Map;
use fst::raw::{Fst, Node, Output};

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
        let fst = self.0.as_fst();
        let (mut node, mut row) = (fst.root(), Output::zero());
        for &byte in text.as_bytes().iter().chain(&[0]) {
            let Some(transition) = node.find_input(byte) else { return Vec::new() };
            (_, node, row) = behind(fst, &node, row, transition);
        }
        let of_scheme = |(scheme, node, row)| {
            let high_bytes = all_behind(fst, node, row);
            let rows =
                high_bytes.flat_map(|(_, node, row)| all_behind(fst, node, row)).map(|(_, _, row)| row.value() as u32);
            rows.filter_map(move |row| Some((scheme_of(scheme)?, row)))
        };
        all_behind(fst, node, row).flat_map(of_scheme).collect()
    }
}

/// Byte, node and output of a transition. Keys end where their ordinals do and none begins another, so that the outputs on
/// the way to the last node are the row.
fn behind<'f>(fst: &'f Fst<Bytes>, node: &Node, output: Output, transition: usize) -> (u8, Node<'f>, Output) {
    let transition = node.transition(transition);
    (transition.inp, fst.node(transition.addr), output.cat(transition.out))
}

fn all_behind<'f>(fst: &'f Fst<Bytes>, node: Node<'f>, output: Output) -> impl Iterator<Item = (u8, Node<'f>, Output)> {
    (0..node.len()).map(move |transition| behind(fst, &node, output, transition))
}

fn scheme_of(byte: u8) -> Option<CodeScheme> {
    use CodeScheme::{Iata, Icao, Iso2, Iso3, State};
    [Iso2, Iso3, State, Iata, Icao].into_iter().find(|&scheme| scheme as u8 == byte)
}
