//! Runs every target on the inputs in the repository: seeds, and inputs that failed before.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use toponym_fuzz::{TARGETS, world};

const HOME: &str = env!("CARGO_MANIFEST_DIR");

/// The inputs of a target.
fn inputs(kind: &str, target: &str) -> Vec<PathBuf> {
    let folder = Path::new(HOME).join(kind).join(target);
    let Ok(entries) = fs::read_dir(&folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path()).collect();
    files.sort();
    files
}

#[test]
fn every_input_that_is_kept_passes() {
    let mut failed = Vec::new();
    for target in TARGETS {
        for file in ["seeds", "regressions"].into_iter().flat_map(|kind| inputs(kind, target.name)) {
            let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            if catch_unwind(|| (target.run)(&bytes)).is_err() {
                failed.push(file.display().to_string());
            }
        }
    }
    assert!(failed.is_empty(), "{} inputs fail, as said above:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_target_has_its_program_and_seeds() {
    let mut programs: Vec<String> = fs::read_dir(Path::new(HOME).join("fuzz_targets"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().replace(".rs", ""))
        .collect();
    programs.sort();
    assert_eq!(programs, TARGETS.map(|target| target.name));
    for target in TARGETS {
        assert!(!inputs("seeds", target.name).is_empty(), "{} has no seeds", target.name);
    }
}

/// Seeds must be indexes of the current format: nearly all mutations of an older one would be rejected. `UPDATE_EXPECT=1`
/// renews them.
#[test]
fn the_index_among_the_seeds_opens() {
    let path = Path::new(HOME).join("seeds/index_bytes/whole");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let today = toponym_engine::index::write(&world::gazetteer()).expect("the gazetteer is sound");
        fs::write(&path, today).expect("the file can be written");
    }
    let opened = toponym_engine::Engine::open(fs::read(&path).expect("the file is there"));
    assert!(opened.is_ok(), "{}: {opened:?}; UPDATE_EXPECT=1 renews it", path.display());
}
