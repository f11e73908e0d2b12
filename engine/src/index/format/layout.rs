//! The layout of an index file: magic, version, checksum, header, sections.
//!
//! ```text
//! 0   magic "TOPONYM\x1a"
//! 8   u32 format version
//! 12  u32 length of the header
//! 16  u64 length of the file
//! 24  u64 xxh3-64 of everything from byte 32 on
//! 32  header (postcard), then the sections, each at a multiple of 8
//! ```

use std::ops::Range;

use bytes::{Buf, Bytes};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::open_error::{FORMAT_VERSION, MAGIC, OpenError};
use super::sections::{SECTIONS, Sections};
use crate::index::layer::Layer;
use crate::record::{About, Kind, Lexicon};

const FRAME: usize = 32;
const ALIGNMENT: usize = 8;

/// The header, which describes the rest of the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub about: About,
    pub lexicon: Lexicon,
    /// Rows of cities and quarters: the first ones.
    pub populated: u32,
    /// Rows of airports, stations and landmarks: the next ones.
    pub sites: u32,
    /// Rows of counties, states and countries: the last ones.
    pub areas: u32,
    /// The kinds that the `kind` column refers to.
    pub kinds: Vec<Kind>,
    /// The countries that the `country` column refers to.
    pub countries: Vec<Country>,
    /// Number in `countries` of each border.
    pub borders: Vec<u16>,
    /// BCP 47 tags that translations refer to, sorted.
    pub languages: Vec<String>,
    /// Length of each section. They follow one another, each at a multiple of 8.
    pub sections: Vec<u64>,
}

impl Header {
    pub fn rows(&self) -> u32 {
        self.populated + self.sites + self.areas
    }

    /// Returns the rows of a layer.
    pub fn layer(&self, layer: Layer) -> Range<u32> {
        let sites = self.populated..self.populated + self.sites;
        match layer {
            Layer::Populated => 0..sites.start,
            Layer::Sites => sites,
            Layer::Areas => sites.end..self.rows(),
        }
    }
}

/// A country that places belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Country {
    /// ISO 3166-1 alpha-2, upper case.
    pub iso2: [u8; 2],
    /// Row of the country, or [`NO_ROW`] if the index lacks it.
    pub row: u32,
}

/// Marks a missing row in columns of rows.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// Returns the name and bytes of each part of an index file: the header, then the sections.
///
/// # Errors
/// If the bytes are not a complete, undamaged index of this version.
///
/// # Example: see what takes the room of a file
///
/// ```
/// use toponym_engine::index;
///
/// # let places = toponym_workload::example_gazetteer();
/// let sections = index::sections(index::write(&places)?)?;
/// assert!(sections.iter().any(|(_, bytes)| bytes.len() > 100));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sections(file: impl Into<Bytes>) -> Result<Vec<(&'static str, Bytes)>, OpenError> {
    let file = file.into();
    verify(&file)?;
    let (_, sections) = open(file.clone())?;
    let body: usize = sections.0.iter().map(|section| section.len().next_multiple_of(ALIGNMENT)).sum();
    let header = file.slice(..file.len().saturating_sub(body));
    Ok(std::iter::once(("header", header)).chain(SECTIONS.iter().map(|info| info.name).zip(sections.0)).collect())
}

/// Assembles header and sections into a file. Fills in `header.sections`.
pub(crate) fn assemble(mut header: Header, sections: [Vec<u8>; SECTIONS.len()]) -> Result<Vec<u8>, postcard::Error> {
    header.sections = sections.iter().map(|section| section.len() as u64).collect();
    let mut encoded = postcard::to_allocvec(&header)?;
    let header_len = u32::try_from(encoded.len()).map_err(|_| postcard::Error::SerializeBufferFull)?;
    encoded.resize(encoded.len().next_multiple_of(ALIGNMENT), 0);
    let mut file = vec![0; FRAME];
    file.append(&mut encoded);
    for section in sections {
        file.extend_from_slice(&section);
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
    }
    let checksum = xxh3_64(&file[FRAME..]);
    let length = file.len() as u64;
    file[0..8].copy_from_slice(&MAGIC);
    file[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    file[12..16].copy_from_slice(&header_len.to_le_bytes());
    file[16..24].copy_from_slice(&length.to_le_bytes());
    file[24..32].copy_from_slice(&checksum.to_le_bytes());
    Ok(file)
}

/// Returns the checksum that a file declares.
pub(crate) fn checksum(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(24..FRAME)?.try_into().ok()?))
}

/// Checks the frame and the checksum of a file.
pub(crate) fn verify(bytes: &Bytes) -> Result<(), OpenError> {
    let frame = Frame::of(bytes)?;
    if xxh3_64(&bytes[FRAME..]) == frame.checksum { Ok(()) } else { Err(OpenError::Damaged) }
}

/// The first bytes of a file, after they are checked.
struct Frame {
    header_len: usize,
    checksum: u64,
}

impl Frame {
    fn of(bytes: &Bytes) -> Result<Self, OpenError> {
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(OpenError::NotAnIndex);
        }
        let found = bytes.len() as u64;
        let frame = bytes.get(..FRAME).ok_or(OpenError::Truncated { expected: FRAME as u64, found })?;
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| frame[at + i]));
        let version = word(8) as u32;
        if version != FORMAT_VERSION {
            return Err(OpenError::Version { found: version });
        }
        let expected = word(16);
        if expected != found {
            return Err(OpenError::Truncated { expected, found });
        }
        Ok(Self { header_len: (word(8) >> 32) as usize, checksum: word(24) })
    }
}

/// Checks the frame and splits a file into header and sections.
pub(crate) fn open(bytes: Bytes) -> Result<(Header, Sections), OpenError> {
    let header_len = Frame::of(&bytes)?.header_len;
    let encoded = bytes.get(FRAME..).and_then(|rest| rest.get(..header_len)).ok_or(OpenError::Malformed("header"))?;
    let (header, rest): (Header, _) = postcard::take_from_bytes(encoded).map_err(|_| OpenError::Malformed("header"))?;
    // The checksum does not cover the length of the header: bytes left over mean that it is wrong.
    if !rest.is_empty() {
        return Err(OpenError::Malformed("header"));
    }
    let mut body = bytes.slice((FRAME + header_len.next_multiple_of(ALIGNMENT)).min(bytes.len())..);
    let sections = Sections(header.sections.iter().map(|&length| cut(&mut body, length)).collect::<Result<_, _>>()?);
    sections.check()?;
    check_rows(&header)?;
    Ok((header, sections))
}

/// Cuts a section of a length off the start of `body`, with what pads it.
fn cut(body: &mut Bytes, length: u64) -> Result<Bytes, OpenError> {
    let length = usize::try_from(length).ok().filter(|&length| length <= body.len());
    let section = body.slice(..length.ok_or(OpenError::Malformed("section beyond the end"))?);
    body.advance(section.len().next_multiple_of(ALIGNMENT).min(body.len()));
    Ok(section)
}

fn check_rows(header: &Header) -> Result<(), OpenError> {
    let rows = [header.populated, header.sites, header.areas].iter().try_fold(0u32, |sum, &n| sum.checked_add(n));
    rows.filter(|&rows| rows < NO_ROW).map(drop).ok_or(OpenError::Malformed("number of rows"))
}
