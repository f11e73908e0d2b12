//! `toponym index`, and access to the built index for the other commands.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use clap::Args;
use indicatif::{DecimalBytes, HumanCount};
use toponym_builder::freshness::{Freshness, freshness, freshness_of_pages};
use toponym_builder::index::{IndexOptions, Summary, build, build_parts};
use toponym_builder::paged::Written;
use toponym_builder::paged::remove_unlisted;
use toponym_builder::receipt::{Extent, Recipe};
use toponym_engine::Engine;
use toponym_terminal::prerequisites::{Need, require};
use toponym_terminal::report::{self, Work};

use crate::index_files::require_one_file;

/// The message for a missing index.
pub const MISSING: &str = "there is no index: build one with `cargo toponym index`";

/// Arguments of `toponym index`.
#[derive(Args, Default)]
pub struct Arguments {
    /// Imports the places of these files; data/ADDING.md lists the formats
    #[arg(long, value_name = "FILE", num_args = 1..)]
    add: Vec<PathBuf>,
    /// Adds a line that credits the authors of the imported files
    #[arg(long, value_name = "LINE")]
    credit: Vec<String>,
    /// Leaves out a package of data/sources.toml whose licence you cannot use
    #[arg(long, value_name = "SOURCE")]
    without: Vec<String>,
    /// Builds an index of European stations instead, which are under the Open Database License
    ///
    /// It holds the stations and the places that contain them. It is a separate file because the licence covers
    /// everything made with them. [default of --out: build/odbl-stations.toponym]
    #[arg(long, conflicts_with_all = ["add", "credit"])]
    odbl_stations: bool,
    /// Builds an index of postal codes instead, which are under the Open Database License
    ///
    /// It is used beside the default index, as a file of its own for the same reason. [default of --out:
    /// build/postcodes.toponym]
    #[arg(long, conflicts_with_all = ["add", "credit", "odbl_stations"])]
    postcodes: bool,
    /// Builds an index of the places of --add alone, with those that contain them, to be used beside the default index
    /// [default of --out: build/alone.toponym]
    #[arg(long, requires = "add", conflicts_with_all = ["odbl_stations", "postcodes", "core"])]
    alone: bool,
    /// Builds the smaller index for web pages instead [default of --out: build/core.toponym]
    #[arg(long, conflicts_with_all = ["odbl_stations", "postcodes"])]
    core: bool,
    /// Builds the index instead from which web pages answer first; with --core both [to build/first.toponym]
    #[arg(long, conflicts_with_all = ["odbl_stations", "postcodes", "alone", "out", "paged"])]
    first: bool,
    /// Also builds the two smaller indexes for web pages, of the same places [to build/core.toponym and build/first.toponym]
    #[arg(long, conflicts_with_all = ["odbl_stations", "postcodes", "alone", "core", "first", "out"])]
    with_core: bool,
    /// Writes the index in pages, into a folder for any static host, and not into one file [to build/index.pages]
    ///
    /// Files of --add may have more rows than memory holds: they are merged a country at a time.
    #[arg(long, conflicts_with_all = ["odbl_stations", "postcodes", "alone", "with_core"])]
    paged: bool,
    /// Builds only if the index in place is missing or out of date, with the arguments of its last build
    #[arg(long, conflicts_with_all = ["add", "credit", "without"])]
    if_stale: bool,
    /// Writes the index to this file [default: build/index.toponym]
    #[arg(long, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Arguments {
    fn out(&self, root: &Path) -> PathBuf {
        let usual = || match in_place(root) {
            index if self.odbl_stations => index.with_file_name("odbl-stations.toponym"),
            index if self.postcodes => index.with_file_name("postcodes.toponym"),
            index if self.alone => index.with_file_name("alone.toponym"),
            _ if self.core => core_in_place(root),
            _ if self.first => first_in_place(root),
            index => index,
        };
        self.out.clone().unwrap_or_else(usual)
    }

    fn recipe(self) -> Result<Recipe> {
        let extent = match self {
            Self { odbl_stations: true, .. } => Extent::OdblStations,
            Self { postcodes: true, .. } => Extent::Postcodes,
            Self { alone: true, .. } => Extent::Alone,
            Self { core: true, .. } => Extent::Core,
            Self { first: true, .. } => Extent::First,
            _ => Extent::Whole,
        };
        let add = self.add.iter().map(std::path::absolute).collect::<Result<_, _>>();
        let add = add.context("the current folder is unknown, so give --add absolute paths")?;
        Ok(Recipe { extent, add, credit: self.credit, without: self.without })
    }
}

/// Exit code of a program stopped by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Builds the index. Ctrl-C leaves the old file unchanged and removes temporary files.
pub fn run(root: &Path, arguments: Arguments) -> Result<()> {
    let if_stale = arguments.if_stale;
    let with_core = arguments.with_core;
    let with_first = with_core || arguments.core && arguments.first;
    let out = arguments.out(root);
    let paged = arguments.paged.then(|| out.with_extension("pages"));
    let recipe = arguments.recipe()?;
    let main = IndexOptions { out, paged, recipe, ..IndexOptions::new(root) };
    let part = |extent, out| IndexOptions { out, recipe: Recipe { extent, ..main.recipe.clone() }, ..main.clone() };
    let core = with_core.then(|| part(Extent::Core, core_in_place(root)));
    let first = with_first.then(|| part(Extent::First, first_in_place(root)));
    let wanted: Vec<_> = [Some(main.clone()), core, first].into_iter().flatten().collect();
    let folders = wanted.iter().filter_map(|options| options.paged.clone()).collect();
    remove_on_interrupt(wanted.iter().flat_map(IndexOptions::leftovers).collect(), folders)?;
    let wanted = if if_stale { out_of_date(root, wanted)? } else { wanted };
    if !wanted.is_empty() {
        require(&[Need::Npm, Need::Pip])?;
    }
    let summaries = if are_of_the_same_places(&wanted) {
        build_parts(&wanted)?
    } else {
        wanted.iter().map(build).collect::<Result<Vec<_>, _>>()?
    };
    for (options, summary) in wanted.iter().zip(summaries) {
        report::remark(&format!("{}: {}", options.index().display(), describe(&summary)));
        if let (Some(folder), Some(written)) = (&options.paged, &summary.paged) {
            report::remark(&format!("{}: {}", folder.display(), describe_pages(written)));
        }
    }
    Ok(())
}

/// Builds the index in place, or its pages if it is `paged`, if they are missing or out of date.
pub fn build_if_stale(root: &Path, paged: bool) -> Result<()> {
    run(root, Arguments { if_stale: true, paged, ..Arguments::default() })
}

/// Returns the indexes that have to be built, with the arguments of their last build.
fn out_of_date(root: &Path, wanted: Vec<IndexOptions>) -> Result<Vec<IndexOptions>> {
    let mut stale_ones = Vec::new();
    for options in wanted {
        let found = match &options.paged {
            None => freshness(root, &options.out, options.recipe.clone())?,
            Some(folder) => freshness_of_pages(root, folder, &options.out, options.recipe.clone())?,
        };
        match (&found, &options.paged) {
            (Freshness::Stale { reason, .. }, Some(_)) if is_of_unknown_places(root, &options)? => {
                bail!(without_pages(&options.out, reason))
            }
            _ => add_if_stale(options, found, &mut stale_ones),
        }
    }
    Ok(stale_ones)
}

/// Tells whether there is an index, and nobody knows what it was made of, but no pages.
fn is_of_unknown_places(root: &Path, options: &IndexOptions) -> Result<bool> {
    let is_alone = options.out.is_file() && !options.index().is_file();
    Ok(is_alone && freshness(root, &options.out, options.recipe.clone())? == Freshness::Unknown)
}

fn add_if_stale(options: IndexOptions, found: Freshness, stale_ones: &mut Vec<IndexOptions>) {
    match found {
        Freshness::Fresh => {}
        Freshness::Unknown => report::remark(&unknown_origin(&options.index())),
        Freshness::Stale { recipe, reason } => {
            let work = if options.paged.is_some() { BUILD_PAGES } else { BUILD };
            report::remark(&stale(&reason, &recipe, work));
            stale_ones.push(IndexOptions { recipe, ..options });
        }
    }
}

/// Extents, each of which is a part of the one before.
const PARTS: [Extent; 3] = [Extent::Whole, Extent::Core, Extent::First];

/// Tells whether there are several, each with a part of the places of the one before.
fn are_of_the_same_places(wanted: &[IndexOptions]) -> bool {
    let is_part = |pair: &[IndexOptions]| {
        let [larger, smaller] = pair else { return false };
        let has_its_arguments = smaller.recipe == Recipe { extent: smaller.recipe.extent, ..larger.recipe.clone() };
        has_its_arguments && part_number(larger).is_some() && part_number(larger) < part_number(smaller)
    };
    wanted.len() > 1 && wanted.windows(2).all(is_part)
}

fn part_number(options: &IndexOptions) -> Option<usize> {
    PARTS.iter().position(|extent| *extent == options.recipe.extent)
}

/// Makes Ctrl-C remove `leftovers` and end the program.
fn remove_on_interrupt(leftovers: Vec<PathBuf>, pages: Vec<PathBuf>) -> Result<()> {
    let stop = move || {
        for path in &leftovers {
            // They may not exist yet.
            let _ = if path.is_dir() { fs_err::remove_dir_all(path) } else { fs_err::remove_file(path) };
        }
        for folder in &pages {
            let _ = remove_unlisted(folder);
        }
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(stop).context("cannot handle signals")
}

/// Building the index of the pinned sources.
const BUILD: Work = Work::alone(30);

/// Work to build the index in pages: 117 s of the processor, of which the pages use all cores.
const BUILD_PAGES: Work = Work::alone(100);

/// Says why an index is built, and how long that takes.
fn stale(reason: &str, recipe: &Recipe, work: Work) -> String {
    let of_files = if recipe.add.is_empty() { "" } else { ", and what the files take" };
    match recipe.to_string() {
        arguments if arguments.is_empty() => format!("{reason}: the index is built ({work})"),
        arguments => format!("{reason}: the index is built with `{arguments}` ({work}{of_files})"),
    }
}

/// Says that an index is kept though nobody knows whether it is up to date.
fn unknown_origin(index: &Path) -> String {
    let index = index.display();
    format!(
        "{index} has no receipt that says what it was made of, so it is kept: `cargo toponym index` builds the default one"
    )
}

/// Says why no pages are made of an index of which nobody knows what it was made of.
fn without_pages(index: &Path, reason: &str) -> String {
    format!(
        "{reason}, and {} has no receipt that says what to make pages of: `cargo toponym index --paged` builds the default index and \
         its pages, `cargo toponym deploy --whole` deploys the file as it is",
        index.display()
    )
}

/// Returns the path of the index that the Worker is built with.
pub fn in_place(root: &Path) -> PathBuf {
    IndexOptions::new(root).out
}

/// Returns the path of the index that the npm package is built with.
fn core_in_place(root: &Path) -> PathBuf {
    in_place(root).with_file_name("core.toponym")
}

/// Returns the path of the index from which the npm package answers first.
fn first_in_place(root: &Path) -> PathBuf {
    in_place(root).with_file_name("first.toponym")
}

/// Opens the engine of the indexes at `paths`, which answer together, or of the built one.
pub fn open(root: &Path, paths: &[PathBuf]) -> Result<Engine> {
    let default = [in_place(root)];
    let paths = if paths.is_empty() { &default } else { paths };
    let mut engines = paths.iter().map(|path| -> Result<Engine> {
        let bytes = read(root, Some(path.clone()))?;
        Engine::open(bytes).with_context(|| format!("{} cannot be opened", path.display()))
    });
    let mut joined = engines.next().expect("there is at least one path")?;
    for engine in engines {
        joined.join(engine?);
    }
    Ok(joined)
}

/// Reads the index at `path`, or the built one.
pub fn read(root: &Path, path: Option<PathBuf>) -> Result<Bytes> {
    let path = path.unwrap_or_else(|| in_place(root));
    require_one_file(&path)?;
    Ok(fs_err::read(&path).context(MISSING)?.into())
}

fn describe(summary: &Summary) -> String {
    let counts = summary.places.iter().map(|(role, &count)| {
        let count = HumanCount(count as u64);
        format!("{count} {role:?}").to_lowercase()
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    format!("{} with {counts}, in {}", DecimalBytes(summary.bytes as u64), report::duration(summary.took))
}

fn describe_pages(written: &Written) -> String {
    let [pages, new] = [written.pages, written.new].map(|count| HumanCount(count as u64));
    let [bytes, root] = [written.bytes, written.root].map(DecimalBytes);
    format!("{bytes} in {pages} pages, {new} of them new, and a root of {root}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use toponym_engine::Role;

    use super::*;

    #[test]
    fn a_reason_in_one_line() {
        check(&Recipe::default(), "the index is built (about 30 s)");
        let recipe = Recipe { add: vec!["/my.csv".into()], ..Recipe::default() };
        check(&recipe, "the index is built with `--add /my.csv` (about 30 s, and what the files take)");
    }

    fn check(recipe: &Recipe, expect: &str) {
        assert_eq!(
            stale("data/sources.toml has changed", recipe, BUILD),
            format!("data/sources.toml has changed: {expect}")
        );
    }

    #[test]
    fn parts_are_made_of_the_same_places() {
        let check = |whole: Recipe, core: Recipe, expect: bool| check_all(&[whole, core], expect);
        check(recipe_of(Extent::Whole, &[]), recipe_of(Extent::Core, &[]), true);
        check(recipe_of(Extent::Whole, &["my.csv"]), recipe_of(Extent::Core, &["my.csv"]), true);
        // As they were built last: with other places.
        check(recipe_of(Extent::Whole, &["my.csv"]), recipe_of(Extent::Core, &[]), false);
        check(recipe_of(Extent::Alone, &[]), recipe_of(Extent::Core, &[]), false);
        check(recipe_of(Extent::Whole, &[]), recipe_of(Extent::Whole, &[]), false);
        check(recipe_of(Extent::Core, &[]), recipe_of(Extent::First, &[]), true);
        check(recipe_of(Extent::First, &[]), recipe_of(Extent::Core, &[]), false);
        check_all(&[Extent::Whole, Extent::Core, Extent::First].map(|extent| recipe_of(extent, &[])), true);
        check_all(
            &[recipe_of(Extent::Whole, &[]), recipe_of(Extent::Core, &[]), recipe_of(Extent::First, &["my.csv"])],
            false,
        );
        check_all(&[recipe_of(Extent::Whole, &[])], false);
    }

    fn recipe_of(extent: Extent, add: &[&str]) -> Recipe {
        Recipe { extent, add: add.iter().map(PathBuf::from).collect(), ..Recipe::default() }
    }

    fn check_all(recipes: &[Recipe], expect: bool) {
        let wanted: Vec<_> =
            recipes.iter().cloned().map(|recipe| IndexOptions { recipe, ..IndexOptions::new(Path::new("")) }).collect();
        assert_eq!(are_of_the_same_places(&wanted), expect, "{recipes:?}");
    }

    #[test]
    fn a_summary_in_one_line() {
        let places = [(Role::City, 234_908), (Role::Country, 250)].into();
        let summary = Summary { bytes: 24_300_000, places, took: Duration::from_secs(61), paged: None };
        assert_eq!(describe(&summary), "24.30 MB with 250 country, 234,908 city, in 1 min 1 s");
    }
}
