//! Digests the code that decides the bytes of an index, so that an index knows when that code has changed:
//! `src/receipt.rs` reads `TOPONYM_WRITER`.
//!
//! The code is this crate, the writing side of the engine, and the versions of the crates that both depend on. Tests and
//! comments do not count, nor does code that only reads a built index.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

/// Folders and files of the engine that decide what is written.
const ENGINE: [&str; 7] = ["coverage.rs", "geo.rs", "index", "land_grid.rs", "place.rs", "record.rs", "text"];

/// Files of this crate that do not take part in a build, or only report it.
const READERS: [&str; 8] =
    ["attribution.rs", "check.rs", "error.rs", "freshness.rs", "fuzz.rs", "inspect", "pack.rs", "progress.rs"];

/// Where the tests of a file begin; they are its end.
const TESTS: &str = "\n#[cfg(test)]\nmod tests {";

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = here.join("../..");
    let builder = here.join("src");
    let engine = root.join("engine/src");
    let lock = root.join("Cargo.lock");
    for path in [&builder, &engine, &lock] {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rerun-if-changed=build.rs");

    let mut digest = Xxh3::new();
    for part in ENGINE {
        add(&engine.join(part), &engine, &mut digest);
    }
    add(&builder, &builder, &mut digest);
    let lock = std::fs::read_to_string(lock).expect("the workspace has a Cargo.lock");
    digest.update(dependencies(&lock, "toponym-builder").as_bytes());
    println!("cargo::rustc-env=TOPONYM_WRITER={:032x}", digest.digest128());
}

/// Adds the Rust files at `path`, in order of their names, with their paths below `base`.
fn add(path: &Path, base: &Path, digest: &mut Xxh3) {
    let name = path.strip_prefix(base).expect("it is below").to_string_lossy().replace('\\', "/");
    if base.ends_with("builder/src") && READERS.contains(&name.as_str()) {
        return;
    }
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

/// `name version checksum` of each package that `package` depends on according to `lock`, directly or not.
fn dependencies(lock: &str, package: &str) -> String {
    let lock: toml::Table = lock.parse().expect("Cargo.lock is TOML");
    let packages = lock["package"].as_array().expect("Cargo.lock lists packages");
    let text = |package: &toml::Value, field: &str| package.get(field).and_then(toml::Value::as_str).map(str::to_owned);
    let mut by_name: BTreeMap<String, Vec<&toml::Value>> = BTreeMap::new();
    for package in packages {
        by_name.entry(text(package, "name").unwrap_or_default()).or_default().push(package);
    }
    let mut found = BTreeSet::new();
    let mut open = vec![package.to_owned()];
    while let Some(reference) = open.pop() {
        // `name`, or `name version` if there are several.
        let (name, version) = reference.split_once(' ').unwrap_or((&reference, ""));
        for package in by_name.get(name).into_iter().flatten() {
            let own = text(package, "version").unwrap_or_default();
            if !version.is_empty() && version != own {
                continue;
            }
            if found.insert(format!("{name} {own} {}", text(package, "checksum").unwrap_or_default())) {
                let next = package.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
                open.extend(next.filter_map(toml::Value::as_str).map(str::to_owned));
            }
        }
    }
    found.into_iter().collect::<Vec<_>>().join("\n")
}
