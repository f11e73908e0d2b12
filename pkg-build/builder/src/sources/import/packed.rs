//! Reads files in archives as if they were unpacked: gzip, and zip with its usual methods. Nothing is unpacked to disk or held in
//! memory.

use std::io::{self, Read, Seek};

use flate2::Crc;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use zip::{CompressionMethod, ZipArchive};

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The first bytes of a zip file, also of one without entries.
const ZIP: [[u8; 4]; 2] = [*b"PK\x03\x04", *b"PK\x05\x06"];

/// Folders and files beside the data that programs put into archives begin with one of these.
const NO_DATA: [&str; 2] = [".", "__MACOSX"];

/// A file that is open for reading.
pub(crate) struct Opened {
    /// Bytes as they are stored.
    pub bytes: Box<dyn Read>,
    /// Number of these bytes.
    pub length: u64,
    pub packing: Packing,
}

/// Packing of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    /// Entry of a zip archive, as it is, with its checksum.
    Stored(u32),
    /// Entry of a zip archive, deflated, with its checksum.
    Deflated(u32),
}

impl Opened {
    /// Wraps the stored bytes.
    pub fn map<R: Read + 'static>(self, wrap: impl FnOnce(Box<dyn Read>) -> R) -> Self {
        Self { bytes: Box::new(wrap(self.bytes)), ..self }
    }

    /// Returns a reader of the file itself.
    pub fn unpack(self) -> Box<dyn Read> {
        match self.packing {
            Packing::Plain => self.bytes,
            Packing::Gzip => Box::new(MultiGzDecoder::new(self.bytes)),
            Packing::Stored(sum) => Box::new(Checked { bytes: self.bytes, crc: Crc::new(), sum }),
            Packing::Deflated(sum) => {
                Box::new(Checked { bytes: DeflateDecoder::new(self.bytes), crc: Crc::new(), sum })
            }
        }
    }
}

/// Checks that a file has its checksum when it ends.
struct Checked<R> {
    bytes: R,
    crc: Crc,
    sum: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.crc.update(&buffer[..count]);
        let is_end = count == 0 && !buffer.is_empty();
        if is_end && self.crc.sum() != self.sum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum differs"));
        }
        Ok(count)
    }
}

/// A file in a zip archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Path inside the archive.
    pub path: String,
    /// Offset at which its bytes begin.
    pub start: u64,
    /// Number of its stored bytes.
    pub length: u64,
    pub packing: Packing,
}

/// Returns how a file that begins with these bytes is packed: a zip archive is [`Packing::Plain`], because it has files inside.
pub(crate) fn packing(start: &[u8]) -> Packing {
    if start.starts_with(&GZIP) { Packing::Gzip } else { Packing::Plain }
}

/// Recognises a zip archive by its first bytes.
pub(crate) fn is_zip(start: &[u8]) -> bool {
    ZIP.iter().any(|magic| start.starts_with(magic))
}

/// Lists the files of a zip archive.
///
/// # Errors
/// If the archive cannot be read: the text says what is wrong, and how to mend it.
pub(crate) fn entries(archive: impl Read + Seek) -> Result<Vec<Entry>, String> {
    let broken = |error| format!("it is a zip archive that cannot be read ({error}): download it again, or unpack it");
    let mut zip = ZipArchive::new(archive).map_err(|error| broken(error.to_string()))?;
    let paths = zip.file_names().map(|path| path.map(|path| path.into_owned()));
    let paths: Vec<String> = paths.collect::<Result<_, _>>().map_err(|error| broken(error.to_string()))?;
    let mut found = Vec::new();
    for (index, path) in paths.into_iter().enumerate() {
        let file = zip.by_index_raw(index).map_err(|error| broken(error.to_string()))?;
        if !file.is_file() || path.split('/').any(|part| NO_DATA.iter().any(|start| part.starts_with(start))) {
            continue;
        }
        if file.encrypted() {
            return Err("it is encrypted: unpack it first".to_owned());
        }
        let packing = match file.compression() {
            CompressionMethod::Stored => Packing::Stored(file.crc32()),
            CompressionMethod::Deflated => Packing::Deflated(file.crc32()),
            other => return Err(format!("it is packed by {other:?}, not by Deflate: unpack it first")),
        };
        let start = file.data_start().ok_or_else(|| broken(format!("{path} has no bytes")))?;
        found.push(Entry { path, start, length: file.compressed_size(), packing });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;

    use super::super::ImportFile;
    use super::super::row_reader::each_line;
    use super::*;
    use crate::error::BuildError;

    fn zip(files: &[(&str, &str)], method: CompressionMethod) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).expect("it can be begun");
            zip.write_all(text.as_bytes()).expect("memory can be written");
        }
        zip.finish().expect("the archive is complete").into_inner()
    }

    fn lines(file: &ImportFile) -> Result<Vec<String>, BuildError> {
        let mut lines = Vec::new();
        each_line(file, |_, line| {
            lines.push(line.to_owned());
            Ok(())
        })?;
        Ok(lines)
    }

    fn unzip(bytes: Vec<u8>) -> Result<Vec<(String, Vec<String>)>, BuildError> {
        let archive = ImportFile::InMemory("FR.zip".into(), bytes.into());
        let files = archive.unpack()?;
        files.iter().map(|file| Ok((file.name().into_owned(), lines(file)?))).collect()
    }

    #[test]
    fn files_of_a_zip_are_read_unchanged() {
        let files = [("readme.txt", "Read me"), ("data/FR.txt", "one\ntwo"), ("__MACOSX/._FR.txt", "no")];
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let found = unzip(zip(&files, method)).expect("it is whole");
            let expect = [("readme.txt", vec!["Read me"]), ("FR.txt", vec!["one", "two"])];
            let expect = expect.map(|(name, lines)| (name.to_owned(), lines.into_iter().map(str::to_owned).collect()));
            assert_eq!(found, expect);
        }
    }

    #[test]
    fn damaged_archives_say_so() {
        let whole = zip(&[("a.txt", "one\ntwo\n")], CompressionMethod::Stored);
        let at = whole.windows(3).position(|bytes| bytes == b"two").expect("it is stored as it is");
        let mut changed = whole.clone();
        changed[at] = b'T';
        check(changed, "while it is unpacked: the archive is cut off or damaged (its checksum differs)");
        check(whole[..at].to_vec(), "cannot be read");
    }

    fn check(bytes: Vec<u8>, part: &str) {
        let message = unzip(bytes).expect_err("it is damaged").to_string();
        assert!(message.contains(part), "no {part:?} in {message:?}");
    }

    #[test]
    fn a_gzip_file_is_read_unchanged() {
        // Some programs write a file in several members.
        let bytes = [pack("one\n"), pack("two\n")].concat();
        let file = ImportFile::InMemory("places.csv.gz".into(), bytes.clone().into());
        assert_eq!(
            (file.name().as_ref(), lines(&file).expect("it is whole")),
            ("places.csv", vec!["one".into(), "two".into()])
        );
        let cut = ImportFile::InMemory("places.csv.gz".into(), bytes[..bytes.len() - 6].to_vec().into());
        let message = lines(&cut).expect_err("it is cut off").to_string();
        assert!(message.starts_with("places.csv.gz, while it is unpacked: "), "{message}");
    }

    fn pack(text: &str) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text.as_bytes()).expect("memory can be written");
        packed.finish().expect("memory can be written")
    }
}
