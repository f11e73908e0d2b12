//! Checks which changes of the code make an index out of date.

use std::path::{Path, PathBuf};

#[path = "../code_digest.rs"]
mod code_digest;

use code_digest::Code;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A copy of the code of this workspace, to be changed.
struct Copy(tempfile::TempDir);

impl Copy {
    fn new() -> Self {
        let copy = tempfile::tempdir().expect("a temporary folder can be created");
        for path in ["Cargo.toml", "Cargo.lock", "engine/src", "pkg-build/builder/src"] {
            copy_all(&Path::new(ROOT).join(path), &copy.path().join(path));
        }
        Self(copy)
    }

    /// Returns whether the digest of the code changes if `change` is applied to the text of a file.
    fn is_changed_by(&self, path: &str, change: impl Fn(&str) -> String) -> bool {
        let path = self.0.path().join(path);
        let text = std::fs::read_to_string(&path).expect("the workspace has this file");
        let before = Code::of_workspace(self.0.path()).digest();
        std::fs::write(&path, change(&text)).expect("the folder is ours");
        let after = Code::of_workspace(self.0.path()).digest();
        std::fs::write(&path, text).expect("the folder is ours");
        before != after
    }
}

fn copy_all(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir_all(to).expect("the folder is ours");
        let entries = std::fs::read_dir(from).expect("the sources can be read");
        let names: Vec<PathBuf> = entries.map(|entry| entry.expect("the sources can be read").path()).collect();
        names.iter().for_each(|path| copy_all(path, &to.join(path.file_name().expect("it has a name"))));
    } else {
        std::fs::create_dir_all(to.parent().expect("it lies in a folder")).expect("the folder is ours");
        std::fs::copy(from, to).expect("the folder is ours");
    }
}

#[test]
fn all_code_that_writes_counts() {
    let copy = Copy::new();
    let with_code = |text: &str| format!("const NEW: u8 = 1;\n{text}");
    for path in [
        "engine/src/index/writer.rs",
        "engine/src/pages/write/root.rs",
        "engine/src/pages/split.rs",
        "engine/src/pages/key.rs",
        "pkg-build/builder/src/gazetteer/mod.rs",
        "pkg-build/builder/src/paged.rs",
        "pkg-build/builder/src/pack.rs",
    ] {
        assert!(copy.is_changed_by(path, with_code), "{path}");
    }
    let newer = |lock: &str| lock.replacen("name = \"flate2\"\nversion = \"", "name = \"flate2\"\nversion = \"9", 1);
    assert!(copy.is_changed_by("Cargo.lock", newer), "the version of a dependency");
}

#[test]
fn comments_and_tests_do_not_count() {
    let copy = Copy::new();
    let path = "pkg-build/builder/src/pack.rs";
    assert!(!copy.is_changed_by(path, |text| format!("// A comment.\n{text}")));
    assert!(!copy.is_changed_by(path, |text| text.replace("fn differences_are_small", "fn differences_stay_small")));
    assert!(!copy.is_changed_by("engine/src/index/tests.rs", |text| format!("const NEW: u8 = 1;\n{text}")));
    let other = |lock: &str| lock.replacen("name = \"pyo3\"\nversion = \"", "name = \"pyo3\"\nversion = \"9", 1);
    assert!(!copy.is_changed_by("Cargo.lock", other), "a crate that the builder does not use");
}
