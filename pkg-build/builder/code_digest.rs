//! Digests the code that decides the bytes of an index: the sources of this crate and of the crates of the workspace that it uses, and
//! the versions of all others.
//!
//! Whole crates count, because a list of files kept by hand misses the next one. Tests and comments do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

/// The package of this crate.
const BUILDER: &str = "toponym-builder";

/// Text at which the tests of a file begin; they are its end.
const TESTS: &str = "\n#[cfg(test)]\nmod tests {";

/// The code of a workspace that builds indexes.
pub struct Code {
    /// The sources, one folder for each crate of the workspace.
    pub folders: Vec<PathBuf>,
    /// `name version checksum` of each package that the builder uses, directly or not.
    packages: BTreeSet<String>,
}

impl Code {
    /// Finds the code of the workspace at `root`, by its Cargo.toml and Cargo.lock.
    pub fn of_workspace(root: &Path) -> Self {
        let table = |name: &str| -> toml::Table {
            let text = std::fs::read_to_string(root.join(name)).expect("a workspace has this file");
            text.parse().expect("the file is TOML")
        };
        let (packages, local) = dependencies(&table("Cargo.lock"));
        let known = table("Cargo.toml");
        let folder = |name: &String| {
            let path = known["workspace"]["dependencies"][name]["path"].as_str();
            root.join(path.expect("crates of the workspace have a path in its Cargo.toml")).join("src")
        };
        Self { folders: local.iter().map(folder).collect(), packages }
    }

    /// Returns the digest in hexadecimal.
    pub fn digest(&self) -> String {
        let mut digest = Xxh3::new();
        for folder in &self.folders {
            add(folder, folder, &mut digest);
        }
        self.packages.iter().for_each(|package| digest.update(format!("\n{package}").as_bytes()));
        format!("{:032x}", digest.digest128())
    }
}

/// Adds the Rust files at `path`, in order of their names, with their paths below `base`.
fn add(path: &Path, base: &Path, digest: &mut Xxh3) {
    let name = path.strip_prefix(base).expect("it is below").to_string_lossy().replace('\\', "/");
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("the sources can be read");
        let inside: BTreeSet<PathBuf> = entries.map(|entry| entry.expect("the sources can be read").path()).collect();
        inside.iter().for_each(|path| add(path, base, digest));
    } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
        let text = std::fs::read_to_string(path).expect("the sources can be read").replace("\r\n", "\n");
        let code = text.split(TESTS).next().unwrap_or_default();
        digest.update(format!("\n== {name}\n").as_bytes());
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            digest.update(line.as_bytes());
            digest.update(b"\n");
        }
    }
}

/// Returns `name version checksum` of each package that the builder depends on by `lock`, directly or not, and the names of
/// those that no registry has: the crates of the workspace.
fn dependencies(lock: &toml::Table) -> (BTreeSet<String>, BTreeSet<String>) {
    let packages = lock["package"].as_array().expect("Cargo.lock lists packages");
    let mut by_name: BTreeMap<String, Vec<&toml::Value>> = BTreeMap::new();
    for package in packages {
        by_name.entry(text_field(package, "name").unwrap_or_default()).or_default().push(package);
    }
    let mut found = BTreeSet::new();
    let mut local = BTreeSet::new();
    let mut open = vec![BUILDER.to_owned()];
    while let Some(reference) = open.pop() {
        // `name`, or `name version` if there are several.
        let (name, version) = reference.split_once(' ').unwrap_or((&reference, ""));
        for package in by_name.get(name).into_iter().flatten() {
            let own = text_field(package, "version").unwrap_or_default();
            if !version.is_empty() && version != own {
                continue;
            }
            if text_field(package, "source").is_none() {
                local.insert(name.to_owned());
            }
            if found.insert(format!("{name} {own} {}", text_field(package, "checksum").unwrap_or_default())) {
                let next = package.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
                open.extend(next.filter_map(toml::Value::as_str).map(str::to_owned));
            }
        }
    }
    (found, local)
}

fn text_field(package: &toml::Value, field: &str) -> Option<String> {
    package.get(field).and_then(toml::Value::as_str).map(str::to_owned)
}
