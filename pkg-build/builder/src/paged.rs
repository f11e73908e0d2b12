//! Writes an index in pages into a folder that any static host can serve.
//!
//! ```text
//! root          the root, as a pack
//! root.toponym  the same, unpacked, for a Worker
//! <16 digits>   a page, as a pack, named by its checksum
//! pages.json    which files belong to it, and to the version before
//! ```
//!
//! Files of pages change only with the code that packs them. Those of the version before stay, because there are visitors who still have
//! its root; older ones are removed.
//! The root is replaced last, so that whoever reads it finds its pages, and a build that is interrupted changes nothing.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toponym_engine::Gazetteer;
use toponym_engine::pages::{PageSizes, Source, WrittenPage, WrittenPages, write_paged_from};

use crate::error::BuildError;
use crate::output::{PARTIAL, put, put_soon, sync};
use crate::pack::{Compressor, pack};
use crate::parallel;
use crate::progress::Step;
use crate::receipt::{BUILDER, CODE, Receipt};
use crate::stored::Stored;

/// Name of the file of the root.
pub const ROOT: &str = "root";

/// Name of the file of the root as an index.
pub const PLAIN_ROOT: &str = "root.toponym";

/// Name of the file with the list of files.
pub const LIST: &str = "pages.json";

/// The files of an index in pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageList {
    /// Names of the files of pages, sorted.
    pub pages: BTreeSet<String>,
    /// Names of the files of the version before.
    pub before: BTreeSet<String>,
}

/// Tally of a build in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of pages.
    pub pages: usize,
    /// Number of pages that were written: the others were there already.
    pub new: usize,
    /// Size of all files.
    pub bytes: u64,
    /// Size of the root.
    pub root: u64,
}

impl PageList {
    /// Reads the list of a folder; empty if there is none.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    ///
    /// # Example: count the files of an index in pages
    ///
    /// ```
    /// use std::path::Path;
    /// use toponym_builder::paged::PageList;
    ///
    /// let list = PageList::read(Path::new("no/such/folder"))?;
    /// assert_eq!(list.pages.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(folder: &Path) -> Result<Self, BuildError> {
        let path = folder.join(LIST);
        match std::fs::read(&path) {
            Ok(json) => serde_json::from_slice(&json)
                .map_err(|error| BuildError::Io { path, source: std::io::Error::other(error) }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(BuildError::Io { path, source }),
        }
    }
}

/// Writes places, with all else of a gazetteer, in pages into a folder. Returns the root, too.
///
/// # Errors
/// When the gazetteer breaks a rule, or a file cannot be written.
pub(crate) fn write(places: &Stored, rest: &Gazetteer, folder: &Path) -> Result<(Written, Vec<u8>), BuildError> {
    let earlier = PageList::read(folder)?;
    write_beside(earlier, places, rest, folder).map_err(|error| {
        // Report the original error, not one of the clean-up.
        let _ = remove_unlisted(folder);
        match error {
            BuildError::Io { path, source } if source.kind() == ErrorKind::StorageFull => {
                BuildError::Full { path, needed: u64::from(places.count()) * BYTES_PER_PLACE }
            }
            error => error,
        }
    })
}

/// Bytes of pages for a place, with those of the version before: the default index takes 290 for each place.
const BYTES_PER_PLACE: u64 = 600;

fn write_beside(
    earlier: PageList,
    places: &Stored,
    rest: &Gazetteer,
    folder: &Path,
) -> Result<(Written, Vec<u8>), BuildError> {
    let are_by_this_code = are_by_this_code(folder);
    let mut step: Option<Step> = None;
    let mut written = Written::default();
    let mut list = PageList::default();
    let mut done = 0;
    let mut take = |batch: WrittenPages| -> Result<(), BuildError> {
        let step = step.get_or_insert_with(|| Step::share("pages", batch.of));
        // Two prefixes that the same names begin with have the same page.
        let new = batch.pages.iter().filter(|page| list.pages.insert(page.file_name())).collect::<Vec<_>>();
        for put in parallel::each(&new, |page| put_page(folder, page, are_by_this_code)) {
            let Put { bytes, is_new } = put?;
            written.new += usize::from(is_new);
            written.bytes += bytes;
        }
        written.pages += new.len();
        step.advance_by(batch.done - done);
        done = batch.done;
        Ok(())
    };
    let plain = write_paged_from(places, rest, PageSizes::default(), &mut take)?;
    let root = pack_page(&plain)?;
    // A page that is there is not written again, so the disk must have all of them before anything names them.
    let pages: Vec<PathBuf> = list.pages.iter().map(|name| folder.join(name)).collect();
    parallel::each(&pages, |path| sync(path)).into_iter().collect::<Result<(), _>>()?;
    list.before = if earlier.pages == list.pages { earlier.before } else { earlier.pages };
    put(&folder.join(ROOT), &root)?;
    put(&folder.join(PLAIN_ROOT), &plain)?;
    let mut json = serde_json::to_vec_pretty(&list).expect("a list is plain text");
    json.push(b'\n');
    put(&folder.join(LIST), &json)?;
    remove_others(folder, &list)?;
    written.root = root.len() as u64;
    written.bytes += written.root;
    if let Some(step) = step {
        step.finish(written.pages);
    }
    Ok((written, plain))
}

/// Checks whether the pages in a folder were written by the code of this program, as their receipt says.
fn are_by_this_code(folder: &Path) -> bool {
    let receipt = Receipt::beside(&folder.join(PLAIN_ROOT));
    receipt.is_some_and(|receipt| receipt.inputs.get(BUILDER).is_some_and(|code| code == CODE))
}

/// The file of a page.
struct Put {
    bytes: u64,
    is_new: bool,
}

/// Writes a page, unless it is there. A file of other code may be packed in another way, so it is replaced if it differs.
fn put_page(folder: &Path, page: &WrittenPage, are_by_this_code: bool) -> Result<Put, BuildError> {
    let path = folder.join(page.file_name());
    let mut is_new = !path.exists();
    if is_new || !are_by_this_code {
        let packed = pack_page(&page.bytes)?;
        is_new = is_new || std::fs::read(&path).map_err(BuildError::io(&path))? != packed;
        if is_new {
            put_soon(&path, &packed)?;
        }
    }
    let bytes = std::fs::metadata(&path).map_err(BuildError::io(&path))?.len();
    Ok(Put { bytes, is_new })
}

fn pack_page(bytes: &[u8]) -> Result<Vec<u8>, BuildError> {
    pack(bytes, Compressor::Gzip).map_err(|error| BuildError::Write(error.to_string()))
}

/// Removes what a build that ended early left in a folder: pages that no version has, and unfinished files.
///
/// # Errors
/// When the folder cannot be read or written.
pub fn remove_unlisted(folder: &Path) -> Result<(), BuildError> {
    remove_others(folder, &PageList::read(folder)?)
}

/// Removes the pages that belong to no version, and unfinished files.
fn remove_others(folder: &Path, list: &PageList) -> Result<(), BuildError> {
    for entry in std::fs::read_dir(folder).map_err(BuildError::io(folder))? {
        let path: PathBuf = entry.map_err(BuildError::io(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_page = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_partial = name.starts_with('.') && name.ends_with(PARTIAL);
        if is_partial || is_page && !list.pages.contains(&name) && !list.before.contains(&name) {
            std::fs::remove_file(&path).map_err(BuildError::io(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer_for_tests::france;
    use crate::receipt::{Inputs, Recipe};

    /// Writes the pages, packs one of them in another way, and writes them again: with a receipt that says which code wrote the
    /// first ones. Returns how many are new, and whether the page is as at first.
    fn written_again(code: Option<&str>) -> (usize, bool) {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let folder = folder.path();
        let write = || {
            let places = Stored::of(&france(), folder).expect("the folder is ours");
            write(&places, &france(), folder).expect("the folder is ours")
        };
        let (first, root) = write();
        assert!(first.new == first.pages && first.pages > 0, "{first:?}");
        if let Some(code) = code {
            let inputs = Inputs::from([(BUILDER.to_owned(), code.to_owned())]);
            let receipt = serde_json::to_vec(&Receipt::new(Recipe::default(), inputs, &root));
            std::fs::write(Receipt::path(&folder.join(PLAIN_ROOT)), receipt.expect("it is plain values"))
                .expect("the folder is ours");
        }
        let pages = PageList::read(folder).expect("it is there").pages;
        let page = folder.join(pages.first().expect("there is one"));
        let bytes = std::fs::read(&page).expect("it is there");
        std::fs::write(&page, [&*bytes, &b"packed in another way"[..]].concat()).expect("the folder is ours");
        let (again, _) = write();
        (again.new, std::fs::read(&page).expect("it is there") == bytes)
    }

    /// A folder lies where the root belongs, which is written behind the pages.
    #[test]
    fn a_build_that_fails_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let folder = folder.path();
        let names = || -> BTreeSet<String> {
            let entries = std::fs::read_dir(folder).expect("it is there");
            entries.map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned()).collect()
        };
        let places = Stored::of(&france(), folder).expect("the folder is ours");
        write(&places, &france(), folder).expect("the folder is ours");
        let pages = PageList::read(folder).expect("it is there").pages;
        assert!(pages.len() > 1, "{pages:?}");
        for name in names() {
            std::fs::remove_file(folder.join(name)).expect("it is a file");
        }
        std::fs::write(folder.join("own"), "a file of somebody else").expect("the folder is ours");
        std::fs::create_dir(folder.join(ROOT)).expect("the folder is ours");
        write(&places, &france(), folder).expect_err("a folder is in the way");
        assert_eq!(names(), [ROOT, "own"].map(str::to_owned).into());
    }

    #[test]
    fn other_code_packs_the_pages_again() {
        assert_eq!(written_again(Some("other code")), (1, true));
        assert_eq!(written_again(None), (1, true), "nobody knows by which code");
        assert_eq!(written_again(Some(CODE)), (0, false), "the same page has the same file");
    }
}
