//! Compares the size of everything shipped with a committed snapshot: a part that grows by more than 2 % fails, until
//! `UPDATE_EXPECT=1` updates the snapshot and the growth shows in the diff. Every line is a part with its size, plain
//! and compressed.
//!
//! Modules are measured as they are deployed, not as local runs compile them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use toponym_engine::index::sections;

/// Allowed growth, as a share.
const TOLERANCE: f64 = 0.02;

/// Growth that is always allowed, because 2 % of a few hundred bytes is noise.
const TOLERANCE_BYTES: u64 = 256;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Command that builds the modules as they are deployed.
const REMEDY: &str = "cargo xtask test \"size of the modules\"";

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/size.txt");

/// The size of a part, plain and compressed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Size {
    raw: u64,
    gzip: u64,
}

/// Parts by name.
type Sizes = BTreeMap<String, Size>;

#[test]
fn no_section_of_the_index_grows() {
    let path =
        std::env::var("TOPONYM_INDEX").map_or_else(|_| Path::new(ROOT).join("build/index.toponym"), PathBuf::from);
    let file = read(&path, "cargo toponym index");
    let parts = sections(file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let sizes: Sizes = parts.iter().map(|(name, bytes)| (format!("index: {name}"), size(bytes))).collect();
    let total = sizes.values().fold(Size { raw: 0, gzip: 0 }, Size::plus);
    check("index", sizes.into_iter().chain([("index".to_owned(), total)]).collect());
}

#[test]
#[ignore = "needs what `cargo xtask test \"size of the modules\"` builds, which runs it"]
fn no_module_grows() {
    let worker = Path::new(ROOT).join("build/small/worker");
    let engine = Path::new(ROOT).join("build/small/engine");
    let worker_wasm = size_of_file(&worker.join("index_bg.wasm"), REMEDY);
    let worker_js = size_of_file(&worker.join("index.js"), REMEDY);
    let index = size_of_file(&Path::new(ROOT).join("build/index.toponym"), "cargo toponym index");
    let sizes = [
        ("module: engine for JavaScript", size_of_file(&engine.join("engine_bg.wasm"), REMEDY)),
        ("module: Worker", worker_wasm),
        ("module: upload of the Worker", worker_wasm.plus(&worker_js).plus(&index)),
    ];
    check("module", sizes.map(|(name, size)| (name.to_owned(), size)).into());
}

fn size_of_file(path: &Path, remedy: &str) -> Size {
    size(&read(path, remedy))
}

impl Size {
    fn plus(self, other: &Self) -> Self {
        Self { raw: self.raw + other.raw, gzip: self.gzip + other.gzip }
    }
}

fn read(path: &Path, remedy: &str) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{} ({error}): build it with `{remedy}`", path.display()))
}

fn size(bytes: &[u8]) -> Size {
    let mut encoder = GzEncoder::new(Counter(0), Compression::default());
    encoder.write_all(bytes).expect("counting does not fail");
    Size { raw: bytes.len() as u64, gzip: encoder.finish().expect("counting does not fail").0 }
}

/// A writer that counts bytes.
struct Counter(u64);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Compares the parts whose names begin with `group` with the snapshot, or updates the snapshot.
fn check(group: &str, sizes: Sizes) {
    let known = parse(&std::fs::read_to_string(SNAPSHOT).unwrap_or_default());
    let (of_group, others): (Sizes, Sizes) = known.into_iter().partition(|(name, _)| name.starts_with(group));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let all = others.into_iter().chain(sizes).collect();
        return std::fs::write(SNAPSHOT, render(&all)).expect("the snapshot can be written");
    }
    let faults = faults(&of_group, &sizes);
    assert!(faults.is_empty(), "{}\nIf that is meant: UPDATE_EXPECT=1, and look at the difference.", faults.join("\n"));
}

/// Returns the parts that grew, are new or are missing.
fn faults(known: &Sizes, sizes: &Sizes) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, size) in sizes {
        match known.get(name) {
            None => faults.push(format!("{name} is not in the snapshot")),
            Some(old) if size.raw > most_bytes(old.raw) || size.gzip > most_bytes(old.gzip) => faults.push(format!(
                "{name} grew from {} to {} bytes, compressed from {} to {}",
                old.raw, size.raw, old.gzip, size.gzip
            )),
            Some(_) => {}
        }
    }
    let gone = known.keys().filter(|name| !sizes.contains_key(*name));
    faults.extend(gone.map(|name| format!("{name} is in the snapshot and no longer there")));
    faults
}

fn most_bytes(bytes: u64) -> u64 {
    bytes + TOLERANCE_BYTES.max((bytes as f64 * TOLERANCE) as u64)
}

fn render(sizes: &Sizes) -> String {
    let mut text = String::new();
    for (name, Size { raw, gzip }) in sizes {
        writeln!(text, "{name:<32}{raw:>10}{gzip:>10}").expect("a string takes everything");
    }
    text
}

fn parse(text: &str) -> Sizes {
    text.lines().map(|text| parse_line(text).unwrap_or_else(|| panic!("{SNAPSHOT}: {text}"))).collect()
}

fn parse_line(line: &str) -> Option<(String, Size)> {
    let (rest, gzip) = line.rsplit_once(' ')?;
    let (name, raw) = rest.trim_end().rsplit_once(' ')?;
    Some((name.trim_end().to_owned(), Size { raw: raw.parse().ok()?, gzip: gzip.parse().ok()? }))
}

#[test]
fn growth_is_found() {
    let known = sizes(100_000, 50_000);
    let check = |new: Sizes, expect: &str| {
        let faults = faults(&known, &new).join("; ");
        assert_eq!(faults.is_empty(), expect.is_empty(), "{faults}");
        assert!(faults.contains(expect), "{faults}");
    };
    check(sizes(102_000, 51_000), "");
    check(sizes(1_000, 500), "");
    check(sizes(102_001, 50_000), "grew from 100000 to 102001");
    check(sizes(100_000, 51_001), "compressed from 50000 to 51001");
    check(Sizes::new(), "no longer there");
    assert_eq!(parse(&render(&known)), known);
}

fn sizes(raw: u64, gzip: u64) -> BTreeMap<String, Size> {
    Sizes::from([("index: names".to_owned(), Size { raw, gzip })])
}
