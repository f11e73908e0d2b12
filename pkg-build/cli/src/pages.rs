//! An index in pages as the commands see it: a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use indicatif::{DecimalBytes, HumanCount};
use toponym_builder::paged::PLAIN_ROOT;
use toponym_builder::unpack;
use toponym_engine::pages::Paged;
use toponym_terminal::report;

use crate::table::new_table;

/// Returns the file of an index that says what it is: of one in pages its root.
pub fn file_of(index: &Path) -> PathBuf {
    if index.is_dir() { index.join(PLAIN_ROOT) } else { index.to_owned() }
}

/// Opens the root in a folder.
fn root_of(folder: &Path) -> Result<Paged> {
    let path = folder.join(PLAIN_ROOT);
    Paged::open(fs_err::read(&path)?).with_context(|| format!("{} cannot be opened", path.display()))
}

/// Prints how many pages of each kind there are, and how large they are.
pub fn overview(folder: &Path) -> Result<()> {
    let paged = root_of(folder)?;
    let mut kinds: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for (page, kind) in paged.kinds() {
        let name = paged.file_name(page).context("the directory is complete")?;
        let bytes = fs_err::metadata(folder.join(name))?.len();
        let (count, sum, largest) = kinds.entry(kind).or_default();
        (*count, *sum, *largest) = (*count + 1, *sum + bytes, bytes.max(*largest));
    }
    let mut table = new_table(&["pages", "number", "bytes", "on average", "largest"], 1);
    for (kind, (count, sum, largest)) in kinds {
        let bytes = [sum, sum / count, largest].map(|bytes| DecimalBytes(bytes).to_string());
        table.add_row([vec![kind.to_owned(), HumanCount(count).to_string()], bytes.to_vec()].concat());
    }
    println!("{table}");
    Ok(())
}

/// Checks that every page is there and is the one that the root names.
pub fn verify(folder: &Path) -> Result<()> {
    let mut paged = root_of(folder)?;
    let kinds = paged.kinds();
    let mut wrong = 0;
    for &(page, _) in &kinds {
        let name = paged.file_name(page).context("the directory is complete")?;
        let checked = fs_err::read(folder.join(&name)).map_err(anyhow::Error::from).and_then(|pack| {
            let inserted = paged.insert(page, unpack(&pack)?);
            paged.remove(page);
            Ok(inserted?)
        });
        if let Err(error) = checked {
            report::say(&format!("✗ {name}: {error}"));
            wrong += 1;
        }
    }
    ensure!(wrong == 0, "{} is not valid: write it again with `toponym index --paged`", folder.display());
    report::say(&format!("✓ {}: {} pages are valid", folder.display(), HumanCount(kinds.len() as u64)));
    Ok(())
}
