//! Puts the indexes into the Worker that `cargo xtask` has built: as modules, and their pages beside the web pages.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use fs_err as fs;
use toponym_builder::paged::ROOT;

use super::folder::{assets, page_list};
use super::indexes::{Indexes, Store};
use crate::inspect;
use crate::pages::file_of;

/// The folder of the Worker, and the modules in it that `entry.mjs` imports: when and how the index was made, and the indexes.
const BUILD: &str = "edge-worker/build";
const MADE: &str = "made.json";
const INDEXES: &str = "indexes.mjs";

/// Folder of the pages among the static assets.
const PLACES: &str = "build/site/places";

/// Indexes of the Worker.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The index; several answer together [default: those of the environment]
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
}

/// Puts them there.
pub fn run(root: &Path, arguments: Arguments) -> Result<()> {
    let indexes = match arguments.index {
        paths if paths.is_empty() => Indexes::of_environment(),
        paths => Indexes { paths, store: Store::default() },
    };
    // For `/attribution`.
    let made = inspect::made(root, &indexes.modules(root)[0])?;
    fs::write(root.join(BUILD).join(MADE), serde_json::to_string(&made)?)?;
    import(root, &indexes)?;
    put_in_site(root, &indexes)
}

/// Writes the module that imports each index. Indexes of other folders are copied beside it, because wrangler takes only
/// what lies in the project.
fn import(root: &Path, indexes: &Indexes) -> Result<()> {
    let folder = root.join(BUILD);
    let mut paths = Vec::new();
    for (number, index) in indexes.paths.iter().enumerate() {
        let name = format!("index-{number}.toponym");
        fs::copy(file_of(index), folder.join(&name))?;
        paths.push(format!("./{name}"));
    }
    if paths.is_empty() {
        paths.push("../../build/index.toponym".to_owned());
    }
    let lines: String = paths.iter().map(|path| format!("  () => import(\"{path}\"),\n")).collect();
    Ok(fs::write(folder.join(INDEXES), format!("export default [\n{lines}];\n"))?)
}

/// Puts the files of an index in pages beside the web pages, if its pages lie there, and removes those of another one.
fn put_in_site(root: &Path, indexes: &Indexes) -> Result<()> {
    let folder = root.join(PLACES);
    let mut wanted = BTreeSet::new();
    for index in indexes.paths.iter().filter(|index| indexes.store == Store::Assets && index.is_dir()) {
        fs::create_dir_all(&folder)?;
        let list = page_list(index)?;
        for name in assets(&list).into_iter().chain([ROOT]) {
            let copy = folder.join(name);
            if name == ROOT || !copy.exists() {
                fs::copy(index.join(name), &copy)?;
            }
            wanted.insert(OsString::from(name));
        }
    }
    if folder.is_dir() {
        let old = fs::read_dir(&folder)?.collect::<std::io::Result<Vec<_>>>()?;
        old.iter()
            .filter(|entry| !wanted.contains(&entry.file_name()))
            .try_for_each(|entry| fs::remove_file(entry.path()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_beside_the_web_pages_or_not() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let index = folder.path().join("index.pages");
        let site = folder.path().join(PLACES);
        ["root", "root.toponym", "aa", "bb"].iter().for_each(|name| write(&index, name, name));
        write(&index, "pages.json", r#"{"pages": ["aa"], "before": ["bb"]}"#);
        write(&site, "old", "old");
        let there = |store| {
            let indexes = Indexes { paths: vec![index.clone()], store };
            put_in_site(folder.path(), &indexes).expect("they are copied");
            let names = fs::read_dir(&site).expect("it is there");
            names.map(|entry| entry.expect("it is there").file_name()).collect::<BTreeSet<_>>()
        };
        assert_eq!(there(Store::Assets), ["aa", "bb", "root"].map(Into::into).into());
        assert_eq!(there(Store::R2), BTreeSet::new());
    }

    fn write(folder: &Path, name: &str, text: &str) {
        fs::create_dir_all(folder).expect("the folder is ours");
        fs::write(folder.join(name), text).expect("the folder is ours");
    }

    #[test]
    fn every_index_is_imported() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        fs::create_dir_all(folder.path().join(BUILD)).expect("the folder is ours");
        let pages = folder.path().join("index.pages");
        let own = folder.path().join("own.toponym");
        fs::create_dir_all(&pages).expect("the folder is ours");
        fs::write(pages.join("root.toponym"), "root").expect("the folder is ours");
        fs::write(&own, "own").expect("the folder is ours");
        let read = |name: &str| fs::read_to_string(folder.path().join(BUILD).join(name)).expect("it was written");
        let imported = |paths| {
            import(folder.path(), &Indexes { paths, store: Store::Assets }).expect("they are there");
            read(INDEXES)
        };
        assert_eq!(imported(Vec::new()), "export default [\n  () => import(\"../../build/index.toponym\"),\n];\n");
        assert_eq!(
            imported(vec![pages.clone(), own.clone()]),
            "export default [\n  () => import(\"./index-0.toponym\"),\n  () => import(\"./index-1.toponym\"),\n];\n"
        );
        assert_eq!((read("index-0.toponym").as_str(), read("index-1.toponym").as_str()), ("root", "own"));
    }
}
