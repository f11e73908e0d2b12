//! Packs an index for download by a web page, as small as browsers can decompress without extra code.
//!
//! ```text
//! gzip of: magic "TOPOPACK", u32 number of columns, per column u32 start, u32 length, u32 width, u32 step, then the index
//! ```
//!
//! In a column with a step, each value is stored as its difference, modulo 2^32, from the value one step before it, in
//! zigzag encoding (0, -1, 1, -2 as 0, 1, 2, 3). Each column is stored as byte planes: the lowest byte of every value,
//! then the next byte of every value, and so on. Neighbouring bytes in a plane are similar, so gzip compresses them
//! better than whole numbers. The reader restores the original index bytes, including the checksum. All numbers are
//! little-endian. The reader is `pkg-build/npm/src/inflate.js`.

use std::io::{Read, Write};
use std::num::NonZeroU64;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use toponym_engine::index::{OpenError, SECTIONS, sections};

/// The first bytes inside the gzip stream.
const MAGIC: [u8; 8] = *b"TOPOPACK";

/// Sections of the index start at multiples of this.
const ALIGNMENT: usize = 8;

/// Iterations of zopfli: more than these save less than a thousandth.
const ROUNDS: NonZeroU64 = NonZeroU64::new(5).expect("five is not zero");

/// Blocks of a megabyte, which can each have a code of their own: with 15, as usual, the core pack is 3 % larger.
const BLOCKS: u16 = 60;

/// The sections that are packed as byte planes, each with its step; only columns of four-byte numbers may have one.
const COLUMNS: [(&str, usize); 37] = [
    ("postings", 0),
    ("posting lists", 0),
    ("alternate postings", 0),
    ("alternate lists", 0),
    ("latitude", 1),
    ("longitude", 1),
    ("importance", 0),
    ("country", 0),
    ("parent", 0),
    ("id", 0),
    ("display name", 1),
    ("bounds rows", 1),
    ("bounds", 0),
    ("populated tiles", 0),
    ("site tiles", 0),
    ("border vertices", 2),
    ("border edges", 0),
    ("sound postings", 0),
    ("transliterated characters", 1),
    ("transliteration offsets", 0),
    ("translation rows", 1),
    ("translation starts", 1),
    ("capital areas", 1),
    ("capitals", 0),
    ("shared regions", 1),
    ("populations", 0),
    ("time zone names", 1),
    ("coded rows", 1),
    ("codes of rows", 0),
    ("remote parents", 0),
    ("bare rows", 1),
    ("remote ids", 0),
    ("remote cells", 0),
    ("remote names", 1),
    ("named rows", 1),
    ("spelled letters", 0),
    ("spelling starts", 1),
];

/// A run of numbers in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    start: usize,
    length: usize,
    width: usize,
    step: usize,
}

/// Program that compresses a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressor {
    /// Ordinary gzip.
    Gzip,
    /// A few percent smaller than gzip, in about fifty times the time.
    Zopfli,
}

/// Packs an index.
///
/// # Errors
/// When `index` is not an index.
///
/// # Example: compress an index for browsers
///
/// ```
/// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
/// use toponym_builder::{Compressor, pack, unpack};
///
/// let pack = pack(&bytes, Compressor::Gzip)?;
/// assert!(pack.len() < bytes.len());
/// assert_eq!(unpack(&pack)?, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pack(index: &[u8], compressor: Compressor) -> Result<Vec<u8>, OpenError> {
    let plain = planes(index, &columns(index)?);
    let packed = match compressor {
        Compressor::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&plain).and_then(|()| encoder.finish())
        }
        Compressor::Zopfli => {
            let options =
                zopfli::Options { iteration_count: ROUNDS, maximum_block_splits: BLOCKS, ..zopfli::Options::default() };
            let mut packed = Vec::new();
            zopfli::compress(options, zopfli::Format::Gzip, plain.as_slice(), &mut packed).map(|()| packed)
        }
    };
    Ok(packed.expect("memory does not fail"))
}

/// Returns the index in a pack.
///
/// # Errors
/// When the bytes are not a complete pack.
pub fn unpack(pack: &[u8]) -> Result<Vec<u8>, OpenError> {
    let mut plain = Vec::new();
    GzDecoder::new(pack).read_to_end(&mut plain).map_err(|_| OpenError::Damaged)?;
    unplane(&plain).ok_or(OpenError::Damaged)
}

/// Returns the index of a decompressed pack; `None` if its columns are not within it.
fn unplane(plain: &[u8]) -> Option<Vec<u8>> {
    const HEAD: usize = MAGIC.len() + 4;
    const ENTRY: usize = 16;
    let number = |at: usize| Some(u32::from_le_bytes(plain.get(at..at + 4)?.try_into().ok()?) as usize);
    if plain.get(..MAGIC.len())? != MAGIC {
        return None;
    }
    let body = HEAD + number(MAGIC.len())?.checked_mul(ENTRY)?;
    let packed = plain.get(body..)?;
    let mut index = packed.to_vec();
    for at in (HEAD..body).step_by(ENTRY) {
        let [start, length, width, step] = [number(at)?, number(at + 4)?, number(at + 8)?, number(at + 12)?];
        let planes = packed.get(start..start.checked_add(length)?)?;
        let count = length.checked_div(width)?;
        for (place, &byte) in planes.iter().enumerate().take(count * width) {
            index[start + place % count * width + place / count] = byte;
        }
        if step > 0 {
            sum(&mut index[start..start + length], step);
        }
    }
    Some(index)
}

/// Replaces each four-byte difference by its sum with the value `step` before it: the inverse of [`differences`].
fn sum(values: &mut [u8], step: usize) {
    for at in 0..values.len() / 4 {
        let coded = word(values, at);
        let difference = coded >> 1 ^ 0u32.wrapping_sub(coded & 1);
        let before = if at < step { 0 } else { word(values, at - step) };
        values[at * 4..at * 4 + 4].copy_from_slice(&difference.wrapping_add(before).to_le_bytes());
    }
}

fn word(values: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|byte| values[at * 4 + byte]))
}

fn columns(index: &[u8]) -> Result<Vec<Column>, OpenError> {
    let mut at = 0;
    let mut columns = Vec::new();
    for (name, bytes) in sections(index.to_vec())? {
        let width = SECTIONS.iter().find(|section| section.name == name).map_or(1, |section| section.element.width());
        let packed = COLUMNS.iter().find(|(section, _)| *section == name && !bytes.is_empty());
        columns.extend(packed.map(|&(_, step)| Column { start: at, length: bytes.len() / width * width, width, step }));
        at += bytes.len().next_multiple_of(ALIGNMENT);
    }
    Ok(columns)
}

fn planes(index: &[u8], columns: &[Column]) -> Vec<u8> {
    let mut plain = MAGIC.to_vec();
    let mut number = |value: usize| plain.extend_from_slice(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
    number(columns.len());
    for column in columns {
        [column.start, column.length, column.width, column.step].into_iter().for_each(&mut number);
    }
    let body = plain.len();
    plain.extend_from_slice(index);
    for &Column { start, length, width, step } in columns {
        let values = &index[start..start + length];
        let values = if step == 0 { values.to_vec() } else { differences(values, step) };
        let planes = (0..width).flat_map(|byte| values.iter().skip(byte).step_by(width));
        plain.splice(body + start..body + start + length, planes.copied());
    }
    plain
}

/// Replaces each four-byte value by its difference from the value `step` before it.
fn differences(values: &[u8], step: usize) -> Vec<u8> {
    let words = values.chunks_exact(4).map(|word| u32::from_le_bytes(std::array::from_fn(|byte| word[byte])));
    let words: Vec<u32> = words.collect();
    let before = std::iter::repeat_n(0, step).chain(words.iter().copied());
    let pairs = words.iter().zip(before);
    pairs.flat_map(|(word, before)| zigzag(word.wrapping_sub(before)).to_le_bytes()).collect()
}

fn zigzag(difference: u32) -> u32 {
    let sign = 0u32.wrapping_sub(difference >> 31);
    difference << 1 ^ sign
}

#[cfg(test)]
mod tests {
    use toponym_engine::index;

    use super::*;
    use crate::gazetteer_for_tests::france;

    #[test]
    fn columns_are_stored_as_byte_planes() {
        let index = [9, 1, 2, 3, 4, 5, 6, 9];
        let plain = planes(&index, &[Column { start: 1, length: 6, width: 2, step: 0 }]);
        assert_eq!(plain[..8], MAGIC);
        assert_eq!(plain[8..28], [1, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(plain[28..], [9, 1, 3, 5, 2, 4, 6, 9]);
    }

    #[test]
    fn differences_are_small() {
        check(&[5, 6, 4, 4], 1, &[10, 2, 3, 0]);
        check(&[5, 100, 6, 98], 2, &[10, 200, 2, 3]);
        check(&[i32::MAX, i32::MIN], 1, &[u32::MAX - 1, 2]);
        check(&[], 1, &[]);
    }

    fn check(values: &[i32], step: usize, expect: &[u32]) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let expect: Vec<u8> = expect.iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(differences(&bytes, step), expect, "{values:?}");
    }

    #[test]
    fn every_column_is_a_section() {
        let index = index::write(&france()).expect("the gazetteer is valid");
        let columns = columns(&index).expect("it is an index");
        assert!(COLUMNS.iter().all(|&(name, step)| width(name).is_some_and(|width| step == 0 || width == 4)));
        assert!(columns.len() > 5 && columns.iter().all(|column| column.length > 0), "{columns:?}");
        let starts: Vec<usize> = columns.iter().map(|column| column.start).collect();
        assert!(starts.is_sorted() && starts.iter().all(|start| start.is_multiple_of(ALIGNMENT)), "{starts:?}");
        for compressor in [Compressor::Gzip, Compressor::Zopfli] {
            let packed = pack(&index, compressor).expect("it is an index");
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut plain).expect("it is gzip");
            assert_eq!(plain, planes(&index, &columns), "{compressor:?}");
            assert_eq!(unpack(&packed), Ok(index.clone()), "{compressor:?}");
            assert_eq!(unpack(&packed[..packed.len() - 1]), Err(OpenError::Damaged));
        }
        assert!(pack(b"no index", Compressor::Gzip).is_err());
    }

    fn width(name: &str) -> Option<usize> {
        SECTIONS.iter().find(|section| section.name == name).map(|section| section.element.width())
    }
}
