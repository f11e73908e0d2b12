//! `toponym inspect`: shows the contents of an index, or one place.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use comfy_table::Table;
use indicatif::{DecimalBytes, HumanCount};
use toponym_builder::inspect::{Contents, Facts, countries, facts, kinds, scripts, section_sizes};
use toponym_builder::receipt::{Receipt, Recipe};
use toponym_edge::platform::Made;
use toponym_engine::{DataSet, Role, Search};
use toponym_terminal::report;

use crate::table::new_table;
use crate::{index, pages};

/// Arguments of `toponym inspect`.
#[derive(Args)]
pub struct Arguments {
    /// Shows this place, given by its place_id or as a query [default: the whole index]
    place: Option<String>,
    /// The index; a query for a place is answered by several together [default: build/index.toponym]
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
    /// Lists every country, not only those with the most places
    #[arg(long)]
    countries: bool,
    /// Prints only the credit lines of the sources, which must be shown with results
    #[arg(long, conflicts_with_all = ["place", "countries"])]
    attribution: bool,
}

/// Number of countries in the short table.
const COUNTRIES: usize = 20;

/// Number of other matches to list.
const OTHERS: usize = 4;

/// Shows the index, or one place of it.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let default = vec![index::in_place(root)];
    let paths = if arguments.index.is_empty() { &default } else { &arguments.index };
    if let Some(place) = &arguments.place {
        let found = find(root, paths, place)?;
        println!("{}", place_table(&found));
        return Ok(());
    }
    for path in paths {
        let folder = path.as_path();
        let path = &pages::file_of(folder);
        let file = index::read(root, Some(path.clone()))?;
        let receipt = Receipt::beside(path).filter(|receipt| receipt.is_of(&file));
        let index = Contents::open(file)?;
        match arguments.attribution {
            true => index.about().attribution.iter().for_each(|line| println!("{line}")),
            false => overview(&index, &origin(receipt.as_ref()), arguments.countries)?,
        }
        if folder.is_dir() && !arguments.attribution {
            pages::overview(folder)?;
        }
    }
    Ok(())
}

/// Finds the place with an id, or the first match of a query, as the first index has it.
fn find(root: &Path, paths: &[PathBuf], place: &str) -> Result<Facts> {
    let with_id = |id: u64| -> Result<Option<Facts>> {
        for path in paths {
            let index = Contents::open(index::read(root, Some(path.clone()))?)?;
            if let Some(row) = index.row_of(id) {
                let found = facts(&index, row);
                let advice = "the place is incomplete: `cargo toponym verify` shows what is wrong with the index";
                return found.context(advice).map(Some);
            }
        }
        Ok(None)
    };
    if let Some(found) = place.parse().ok().map(with_id).transpose()?.flatten() {
        return Ok(found);
    }
    let found = index::open(root, paths)?.forward(&Search::new(place, 1 + OTHERS));
    let Some(first) = found.first() else { bail!("{place:?} is neither an id nor a name of this index") };
    for other in &found[1..] {
        report::remark(&format!("also {} {}", other.place_id, other.display_name));
    }
    with_id(first.place_id)?.context("the engine found a place that has no row")
}

/// Reads when and how the index in a file was made, for everyone to see; `None` if it has no receipt.
pub fn made(root: &Path, file: &Path) -> Result<Option<Made>> {
    let bytes = index::read(root, Some(file.to_owned()))?;
    Ok(Receipt::beside(file).filter(|receipt| receipt.is_of(&bytes)).map(|receipt| public(&receipt)))
}

/// Leaves out the folders of added files, which are the operator's business.
fn public(receipt: &Receipt) -> Made {
    let recipe = Recipe {
        add: receipt.recipe.add.iter().map(|path| path.file_name().map_or_else(PathBuf::new, PathBuf::from)).collect(),
        ..receipt.recipe.clone()
    };
    Made { at: receipt.made.clone(), arguments: recipe.to_string() }
}

/// Describes when an index was made, with which arguments, and of which files that are not the project's own.
fn origin(receipt: Option<&Receipt>) -> String {
    let Some(Receipt { made, recipe, inputs, .. }) = receipt else {
        return "it has no receipt that says when it was made, and with which arguments".to_owned();
    };
    let arguments = match recipe.to_string() {
        arguments if arguments.is_empty() => "without arguments".to_owned(),
        arguments => format!("with `{arguments}`"),
    };
    let digest = |path: &PathBuf| inputs.get(&*path.to_string_lossy()).map_or("", String::as_str);
    let added = recipe.add.iter().map(|path| format!("\n  added {} (XXH3 {})", path.display(), digest(path)));
    format!("made at {made} {arguments}{}", added.collect::<String>())
}

fn overview(index: &Contents, origin: &str, all: bool) -> Result<()> {
    let about = index.about();
    println!("{} of {}: {} places", about.title, about.data_date, count(index.rows() as usize));
    println!("{origin}");
    for DataSet { title, version, date } in &about.made_of {
        let parts = [title, version, date].map(String::as_str).into_iter().filter(|part| !part.is_empty());
        println!("  {}", parts.collect::<Vec<_>>().join(", "));
    }
    println!("credits:");
    about.attribution.iter().for_each(|line| println!("  {line}"));

    let mut table = new_table(&["role", "category", "type", "places"], 3);
    for kind in kinds(index) {
        let role = format!("{:?}", kind.kind.role).to_lowercase();
        table.add_row([role, kind.kind.category, kind.kind.r#type, count(kind.places)]);
    }
    println!("\n{table}");

    let countries = countries(index);
    let shown = if all { countries.len() } else { COUNTRIES.min(countries.len()) };
    let mut table = new_table(&["country", "settlements", "sites", "areas"], 1);
    for (code, groups) in &countries[..shown] {
        table.add_row([code.clone(), count(groups[0]), count(groups[1]), count(groups[2])]);
    }
    let rest = countries[shown..]
        .iter()
        .fold([0; 3], |sum: [usize; 3], (_, groups)| std::array::from_fn(|i| sum[i] + groups[i]));
    if shown < countries.len() {
        let name = format!("{} others", countries.len() - shown);
        table.add_row([name, count(rest[0]), count(rest[1]), count(rest[2])]);
    }
    println!("\n{table}");

    let mut table = new_table(&["script", "distinct names"], 1);
    for (script, names) in scripts(index) {
        table.add_row([script.to_owned(), count(names)]);
    }
    println!("\n{table}");

    let sizes = section_sizes(index);
    let mut table = new_table(&["section", "bytes", "gzip"], 1);
    for size in &sizes {
        table.add_row([size.name.to_owned(), bytes_of(size.bytes), bytes_of(size.gzip)]);
    }
    let (bytes, gzip) = sizes.iter().fold((0, 0), |sum, size| (sum.0 + size.bytes, sum.1 + size.gzip));
    table.add_row(["all".to_owned(), bytes_of(bytes), bytes_of(gzip)]);
    println!("\n{table}");
    Ok(())
}

fn place_table(facts: &Facts) -> Table {
    let mut table = new_table(&["", &facts.display_name], 2);
    let mut add = |name: &str, value: String| {
        table.add_row([name.to_owned(), value]);
    };
    let kind = &facts.kind;
    add("place_id", format!("{}, an id of {}", facts.id, facts.source));
    add("row", facts.row.to_string());
    add("kind", format!("{:?}: {} / {}", kind.role, kind.category, kind.r#type));
    add("position", format!("{}, {}", facts.position.lat(), facts.position.lon()));
    add("extent", format!("{:.0} m", facts.extent_m));
    let bounds = facts.bounds.map(|b| format!("{} to {} N, {} to {} E", b.south, b.north, b.west, b.east));
    add("bounds", bounds.unwrap_or_else(|| "derived from the position and extent".to_owned()));
    add("importance", format!("{:.4}", facts.importance));
    add("country", facts.country.clone());
    add("lies in", lines(facts.parents.iter().map(name_with_id).collect()));
    if facts.kind.role <= Role::State {
        add("capital", lines(facts.capital.iter().map(name_with_id).collect()));
    }
    if !facts.capital_of.is_empty() {
        add("capital of", lines(facts.capital_of.iter().map(name_with_id).collect()));
    }
    add("codes", lines(facts.codes.iter().map(|(scheme, text)| format!("{scheme:?} {text}")).collect()));
    add(
        "found by",
        lines(facts.names.iter().map(|(name, class)| format!("{name} ({class:?})").to_lowercase()).collect()),
    );
    add("translations", lines(facts.translations.iter().map(|(lang, text)| format!("{lang}: {text}")).collect()));
    add("sounds like", lines(facts.sounds.clone()));
    table
}

fn name_with_id((id, name): &(u64, String)) -> String {
    format!("{name} ({id})")
}

fn lines(items: Vec<String>) -> String {
    if items.is_empty() { "none".to_owned() } else { items.join("\n") }
}

fn count(number: usize) -> String {
    HumanCount(number as u64).to_string()
}

fn bytes_of(number: usize) -> String {
    DecimalBytes(number as u64).to_string()
}

#[cfg(test)]
mod tests {
    use toponym_builder::receipt::Inputs;

    use super::*;

    #[test]
    fn the_origin_of_an_index() {
        check(None, "it has no receipt that says when it was made, and with which arguments");
        check(Some(&receipt(Vec::new())), "made at 2026-11-23T00:00:00Z without arguments");
        let added = "made at 2026-11-23T00:00:00Z with `--add /my.csv`\n  added /my.csv (XXH3 0a)";
        check(Some(&receipt(vec!["/my.csv".into()])), added);
        let made = public(&receipt(vec!["/home/of mine/my.csv".into()]));
        assert_eq!((made.at.as_str(), made.arguments.as_str()), ("2026-11-23T00:00:00Z", "--add my.csv"));
    }

    fn check(receipt: Option<&Receipt>, expect: &str) {
        assert_eq!(origin(receipt), expect);
    }

    fn receipt(add: Vec<PathBuf>) -> Receipt {
        Receipt {
            made: "2026-11-23T00:00:00Z".into(),
            recipe: Recipe { add, ..Recipe::default() },
            inputs: Inputs::from([("/my.csv".to_owned(), "0a".to_owned())]),
            index: String::new(),
        }
    }
}
