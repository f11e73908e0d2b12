//! Digests of inputs, by which products are not built again and long checks do not run again.
//!
//! A record in `build/made` holds the digest of a product's inputs. It is deleted before the product is rebuilt, so
//! that an incomplete product is never taken as current. Of all processes, one makes a product at a time: what is prepared beside a
//! run is not made twice.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err::{self as fs, File};
use sha2::{Digest as _, Sha256};
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

/// Folders of products and tools inside those of sources.
const PRODUCTS: [&str; 6] = ["build", "node_modules", "target", "work", ".wrangler", "__pycache__"];

/// A digest of all inputs of a product or a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest(String);

impl Digest {
    /// Digests the paths and contents of `paths` (files, and folders with all their files but products) and `settings`.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn new(root: &Path, paths: &[&str], settings: &[String]) -> Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            collect(&root.join(path), &mut files)?;
        }
        files.sort();
        let mut digest = Sha256::new();
        let mut add = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        for file in &files {
            add(file.strip_prefix(root).unwrap_or(file).as_os_str().as_encoded_bytes());
            add(&fs::read(file)?);
        }
        settings.iter().for_each(|setting| add(setting.as_bytes()));
        Ok(Self(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if !path.file_name().is_some_and(|name| PRODUCTS.iter().any(|product| name == *product)) {
            collect(&path, files)?;
        }
    }
    Ok(())
}

/// Builds `product` at `output` from inputs with the digest `origin`, unless it was built from those, or from some that are
/// `as_good`. While another process builds it, waits.
pub fn unless_current(
    workspace: &Workspace,
    product: &str,
    output: &Path,
    (origin, as_good): (&Digest, &[Digest]),
    make: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let _turn = turn_of(workspace, product)?;
    let record = workspace.root().join("build").join("made").join(product);
    let known = fs::read_to_string(&record).map(Digest).ok().filter(|_| output.exists());
    if known.is_some_and(|known| known == *origin || as_good.contains(&known)) {
        report::remark(&format!("{product} is up to date"));
        return Ok(());
    }
    fs::write(&record, "")?;
    make()?;
    Ok(fs::write(record, &origin.0)?)
}

/// Waits for the turn to make a product, which lasts until the file is closed: it ends with the process, too.
fn turn_of(workspace: &Workspace, product: &str) -> Result<File> {
    let folder = workspace.root().join("build").join("made");
    fs::create_dir_all(&folder)?;
    let turn = File::create(folder.join(format!("{product}.lock")))?;
    if turn.file().try_lock().is_err() {
        report::step(&format!("wait for {product}, which another process makes"), |_| {
            turn.file().lock().context("cannot wait for another process")
        })?;
    }
    Ok(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_path_content_and_settings() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("the folder is ours");
            fs::write(path, text).expect("the folder is ours");
        };
        let of = |settings: &[&str]| {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            Digest::new(root.path(), &["src", "file"], &settings).expect("all can be read")
        };
        write("src/a/one", "1");
        write("src/two", "2");
        write("file", "3");
        write("other", "4");
        write("src/node_modules/tool", "4");
        let first = of(&["small"]);
        write("other", "5");
        write("src/node_modules/tool", "5");
        assert_eq!(of(&["small"]), first, "what is not named does not count");
        assert_ne!(of(&["large"]), first);
        for (path, text) in [("src/two", "1"), ("src/three", "2"), ("file", "")] {
            let before = of(&[]);
            write(path, text);
            assert_ne!(of(&[]), before, "{path}");
        }
        fs::remove_file(root.path().join("file")).expect("it is there");
        let missing = Digest::new(root.path(), &["file"], &[]).expect_err("a source is missing").to_string();
        assert!(missing.contains("file"), "{missing}");
    }

    #[test]
    fn current_products_are_not_rebuilt() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let workspace = Workspace::at(root.path());
        let output = root.path().join("product");
        let make = |origin: &str, as_good: &[&str], works: bool| {
            let mut ran = false;
            let as_good: Vec<Digest> = as_good.iter().map(|&text| Digest(text.into())).collect();
            let outcome = unless_current(&workspace, "product", &output, (&Digest(origin.into()), &as_good), || {
                ran = true;
                anyhow::ensure!(works, "it fails");
                Ok(fs::write(&output, origin)?)
            });
            assert_eq!(outcome.is_ok(), works);
            ran
        };
        assert!(make("1", &[], true), "there is none");
        assert!(!make("1", &[], true), "it is there");
        assert!(make("2", &[], true), "it was made from something else");
        assert!(!make("1", &["2"], true), "what it was made from is as good");
        assert!(make("3", &[], false), "a failure");
        assert!(make("2", &[], true), "leaves nothing that counts");
        fs::remove_file(&output).expect("it is there");
        assert!(make("2", &[], true), "it is gone");
    }

    #[test]
    fn a_turn_lasts_until_it_is_dropped() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let workspace = Workspace::at(root.path());
        let turn = turn_of(&workspace, "product").expect("nobody has it");
        let lock = |product: &str| {
            let path = root.path().join("build/made").join(format!("{product}.lock"));
            File::create(path).expect("the folder is ours").file().try_lock().is_ok()
        };
        assert_eq!(["product", "another"].map(lock), [false, true]);
        drop(turn);
        // It waits: a process that another test is starting holds the file, too, until its program runs.
        turn_of(&workspace, "product").expect("nobody has it again");
    }
}
