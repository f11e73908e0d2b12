//! A pack: an index on its way to a page, as small as a browser can unpack by itself.
//!
//! ```text
//! gzip of: magic "TOPOPACK", u32 number of columns, per column u32 start, u32 length, u32 width, then the index
//! ```
//!
//! Each column lies there as its byte planes: first the lowest byte of every value, then the next. Neighbours in a plane
//! are much alike, which gzip makes more of than of whole numbers. The reader puts the bytes back in place; the index
//! itself, its checksum included, is what it was. All numbers are little-endian. `npm/src/inflate.js` is the reader.

use std::io::Write;
use std::num::NonZeroU64;

use flate2::Compression;
use flate2::write::GzEncoder;
use toponym_engine::index::{OpenError, sections};

/// The first bytes of what gzip holds.
const MAGIC: [u8; 8] = *b"TOPOPACK";

/// Sections of the index start at multiples of this.
const ALIGNMENT: usize = 8;

/// Rounds of zopfli: more than these save less than a thousandth.
const ROUNDS: NonZeroU64 = NonZeroU64::new(5).expect("five is not zero");

/// Bytes of a value of each section that holds columns of numbers.
const WIDTHS: [(&str, usize); 17] = [
    ("postings", 4),
    ("posting lists", 4),
    ("latitude", 4),
    ("longitude", 4),
    ("importance", 2),
    ("country", 2),
    ("id", 8),
    ("display name", 4),
    ("bounds rows", 4),
    ("bounds", 4),
    ("populated tiles", 4),
    ("site tiles", 4),
    ("border vertices", 4),
    ("border edges", 4),
    ("sound postings", 4),
    ("letter characters", 4),
    ("letter offsets", 4),
];

/// A run of numbers in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    start: usize,
    length: usize,
    width: usize,
}

/// How hard to compress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As gzip does it.
    Ordinary,
    /// Some percent smaller, in some fifty times the time.
    Most,
}

/// The pack of an index.
///
/// # Errors
/// When `index` is no index.
pub fn pack(index: &[u8], effort: Effort) -> Result<Vec<u8>, OpenError> {
    let plain = planes(index, &columns(index)?);
    let packed = match effort {
        Effort::Ordinary => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&plain).and_then(|()| encoder.finish())
        }
        Effort::Most => {
            let options = zopfli::Options { iteration_count: ROUNDS, ..zopfli::Options::default() };
            let mut packed = Vec::new();
            zopfli::compress(options, zopfli::Format::Gzip, plain.as_slice(), &mut packed).map(|()| packed)
        }
    };
    Ok(packed.expect("memory does not fail"))
}

fn columns(index: &[u8]) -> Result<Vec<Column>, OpenError> {
    let mut at = 0;
    let mut columns = Vec::new();
    for (name, bytes) in sections(index.to_vec())? {
        let width = WIDTHS.iter().find(|(section, _)| *section == name).map(|&(_, width)| width);
        columns.extend(width.map(|width| Column { start: at, length: bytes.len() / width * width, width }));
        at += bytes.len().next_multiple_of(ALIGNMENT);
    }
    Ok(columns)
}

fn planes(index: &[u8], columns: &[Column]) -> Vec<u8> {
    let mut plain = MAGIC.to_vec();
    let mut number = |value: usize| plain.extend_from_slice(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
    number(columns.len());
    for column in columns {
        [column.start, column.length, column.width].into_iter().for_each(&mut number);
    }
    let body = plain.len();
    plain.extend_from_slice(index);
    for &Column { start, length, width } in columns {
        let values = &index[start..start + length];
        let planes = (0..width).flat_map(|byte| values.iter().skip(byte).step_by(width));
        plain.splice(body + start..body + start + length, planes.copied());
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use toponym_engine::geo::Coordinate;
    use toponym_engine::{Gazetteer, Kind, Name, NameClass, Record, Role, index};

    use super::*;

    #[test]
    fn columns_lie_in_planes() {
        let index = [9, 1, 2, 3, 4, 5, 6, 9];
        let plain = planes(&index, &[Column { start: 1, length: 6, width: 2 }]);
        assert_eq!(plain[..8], MAGIC);
        assert_eq!(plain[8..24], [1, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(plain[24..], [9, 1, 3, 5, 2, 4, 6, 9]);
    }

    #[test]
    fn every_width_is_that_of_a_section() {
        let place = Record {
            id: 1,
            kind: Kind { role: Role::Country, category: "place".into(), r#type: "country".into() },
            names: vec![Name { text: "France".into(), class: NameClass::Primary, lang: None }],
            codes: Vec::new(),
            position: Coordinate { lat: 46.6, lon: 2.4 },
            parent: None,
            country: *b"FR",
            importance: 0.9,
            extent_m: 500_000.0,
            bounds: None,
        };
        let gazetteer = Gazetteer { places: vec![place], ..Gazetteer::default() };
        let index = index::write(&gazetteer).expect("the gazetteer is well formed");
        let columns = columns(&index).expect("it is an index");
        assert_eq!(columns.len(), WIDTHS.len());
        let starts: Vec<usize> = columns.iter().map(|column| column.start).collect();
        assert!(starts.is_sorted() && starts.iter().all(|start| start.is_multiple_of(ALIGNMENT)), "{starts:?}");
        for effort in [Effort::Ordinary, Effort::Most] {
            let packed = pack(&index, effort).expect("it is an index");
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut plain).expect("it is gzip");
            assert_eq!(plain, planes(&index, &columns), "{effort:?}");
        }
        assert!(pack(b"no index", Effort::Ordinary).is_err());
    }
}
