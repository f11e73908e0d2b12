//! `toponym index`, and access to the built index for the other commands.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use bytes::Bytes;
use clap::Args;
use indicatif::{DecimalBytes, HumanCount};
use toponym_builder::index::{
    IndexOptions, Summary, build as build_index, build_browser_subset, build_odbl_stations, partial,
};
use toponym_engine::Engine;
use toponym_terminal::prerequisites::{Need, require};
use toponym_terminal::report;

/// The message for a missing index.
pub const MISSING: &str = "there is no index: build one with `cargo xtask index`";

/// Arguments of `toponym index`.
#[derive(Args)]
pub struct Arguments {
    /// Imports the places of these files; data/ADDING.md lists the formats
    #[arg(long, value_name = "FILE", num_args = 1..)]
    add: Vec<PathBuf>,
    /// Keeps at most this many populated places of imported GeoNames tables, the most important ones [default: 2000000]
    #[arg(long, value_name = "NUMBER")]
    places: Option<usize>,
    /// Adds a line that credits the authors of the imported files
    #[arg(long, value_name = "LINE")]
    credit: Vec<String>,
    /// Builds an index of European stations instead, which are under the Open Database License
    ///
    /// It holds the stations and the places that contain them. It is a separate file because the licence covers
    /// everything made with them. [default of --out: build/odbl-stations.toponym]
    #[arg(long, conflicts_with_all = ["add", "places", "credit"])]
    odbl_stations: bool,
    /// Builds the smaller index for web pages instead [default of --out: build/core.toponym]
    #[arg(long, conflicts_with = "odbl_stations")]
    core: bool,
    /// Does nothing if there is an index that this version can read
    #[arg(long, conflicts_with_all = ["add", "places", "credit", "odbl_stations", "core", "out"])]
    if_missing: bool,
    /// Writes the index to this file [default: build/index.toponym]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Arguments {
    fn out(&self, root: &Path) -> PathBuf {
        let usual = || match in_place(root) {
            index if self.odbl_stations => index.with_file_name("odbl-stations.toponym"),
            index if self.core => index.with_file_name("core.toponym"),
            index => index,
        };
        self.out.clone().unwrap_or_else(usual)
    }
}

/// Exit code of a program stopped by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Builds the index. Ctrl-C leaves the old file unchanged and removes temporary files.
pub fn run(root: &Path, arguments: Arguments) -> Result<()> {
    let partial = partial(&arguments.out(root));
    let stop = move || {
        // The file may not exist yet.
        let _ = fs_err::remove_file(&partial);
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(stop).context("cannot handle signals")?;
    if arguments.if_missing && is_in_place(root)? {
        return Ok(());
    }
    require(&[Need::Npm, Need::Pip])?;
    let mut options = IndexOptions { out: arguments.out(root), ..IndexOptions::new(root) };
    options.add = arguments.add;
    options.credit = arguments.credit;
    options.max_places = arguments.places.unwrap_or(options.max_places);
    let summary = match arguments {
        Arguments { odbl_stations: true, .. } => build_odbl_stations(&options),
        Arguments { core: true, .. } => build_browser_subset(&options),
        _ => build_index(&options),
    }?;
    report::remark(&format!("{}: {}", options.out.display(), describe(&summary)));
    Ok(())
}

/// Path of the index that the Worker is built with.
pub fn in_place(root: &Path) -> PathBuf {
    IndexOptions::new(root).out
}

/// Reads the index at `path`, or the built one.
pub fn read(root: &Path, path: Option<PathBuf>) -> Result<Bytes> {
    let path = path.unwrap_or_else(|| in_place(root));
    Ok(fs_err::read(&path).context(MISSING)?.into())
}

/// Whether there is an index that this engine can read.
fn is_in_place(root: &Path) -> Result<bool> {
    let path = in_place(root);
    if !path.is_file() {
        return Ok(false);
    }
    match Engine::open(fs_err::read(&path)?) {
        Ok(_) => remark_if_older(&path, &root.join("data")).map(|()| true),
        Err(error) => {
            report::remark(&format!("{} is rebuilt: {error}", path.display()));
            Ok(false)
        }
    }
}

/// The index may hold an operator's own places, so newer data only cause a remark, not a rebuild.
fn remark_if_older(index: &Path, data: &Path) -> Result<()> {
    if fs_err::metadata(index)?.modified()? < newest(data)? {
        let (index, data) = (index.display(), data.display());
        report::remark(&format!("{index} is older than {data}: `cargo xtask index` rebuilds it"));
    }
    Ok(())
}

/// Modification time of the newest file under `folder`.
fn newest(folder: &Path) -> Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        let changed = if path.is_dir() { self::newest(&path)? } else { fs_err::metadata(&path)?.modified()? };
        newest = newest.max(changed);
    }
    Ok(newest)
}

fn describe(summary: &Summary) -> String {
    let counts = summary.places.iter().map(|(role, &count)| {
        let count = HumanCount(count as u64);
        format!("{count} {role:?}").to_lowercase()
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    format!("{} with {counts}, in {}", DecimalBytes(summary.bytes as u64), report::duration(summary.took))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use toponym_engine::geo::Coordinate;
    use toponym_engine::{Gazetteer, Kind, Name, NameClass, Record, Role};

    use super::*;

    #[test]
    fn the_newest_file_may_be_nested() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let deep = folder.path().join("a/b");
        fs_err::create_dir_all(&deep).expect("the folder is ours");
        assert_eq!(newest(folder.path()).expect("it can be read"), SystemTime::UNIX_EPOCH);
        for (path, seconds) in
            [(folder.path().join("old"), 1_000), (deep.join("new"), 3_000), (deep.join("middle"), 2_000)]
        {
            let file = std::fs::File::create(path).expect("the folder is ours");
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            file.set_modified(time).expect("the file is ours");
        }
        let expect = SystemTime::UNIX_EPOCH + Duration::from_secs(3_000);
        assert_eq!(newest(folder.path()).expect("it can be read"), expect);
    }

    /// An index of one place.
    fn small_index() -> Vec<u8> {
        let place = Record {
            id: 1,
            kind: Kind { role: Role::Country, category: "place".into(), r#type: "country".into() },
            names: vec![Name { text: "France".into(), class: NameClass::Primary, lang: None }],
            codes: Vec::new(),
            position: Coordinate::new(46.6, 2.4).expect("it is in range"),
            parent: None,
            country: *b"FR",
            importance: 0.9,
            extent_m: 500_000.0,
            bounds: None,
        };
        let gazetteer = Gazetteer { places: vec![place], ..Gazetteer::default() };
        toponym_engine::index::write(&gazetteer).expect("the gazetteer is valid")
    }

    #[test]
    fn an_index_is_in_place_when_the_engine_can_read_it() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let check = |file: Option<&[u8]>, expect: bool| {
            if let Some(bytes) = file {
                fs_err::write(in_place(root.path()), bytes).expect("the folder is ours");
            }
            assert_eq!(is_in_place(root.path()).expect("it can be read"), expect);
        };
        fs_err::create_dir_all(root.path().join("data")).expect("the folder is ours");
        fs_err::create_dir_all(root.path().join("build")).expect("the folder is ours");
        check(None, false);
        check(Some(b"damaged"), false);
        check(Some(&small_index()), true);
    }

    #[test]
    fn a_summary_in_one_line() {
        let places = [(Role::City, 234_908), (Role::Country, 250)].into();
        let summary = Summary { bytes: 24_300_000, places, took: Duration::from_secs(61) };
        assert_eq!(describe(&summary), "24.30 MB with 250 country, 234,908 city, in 1 min 1 s");
    }
}
