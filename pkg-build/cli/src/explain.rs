//! `toponym explain`: shows the candidates of a query and why they rank as they do.

use std::path::Path;

use anyhow::Result;
use clap::Args;
use comfy_table::{Table, presets};
use toponym_engine::{Engine, Explanation, Search};

use crate::index;

/// What to explain.
#[derive(Args)]
pub struct Options {
    /// The text, as a user would type it
    query: String,
    /// Treats the last word as unfinished, as a search field does
    #[arg(long)]
    autocomplete: bool,
    /// Number of candidates to show
    #[arg(long, default_value_t = 10)]
    limit: usize,
    /// Language of the names
    #[arg(long)]
    lang: Option<String>,
}

/// Prints the candidates of the query, best first.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let engine = Engine::open(index::read(root, None)?)?;
    let search = Search { lang: options.lang.as_deref(), ..Search::new(&options.query, options.limit) };
    let found =
        if options.autocomplete { engine.explain_autocomplete(&search) } else { engine.explain_forward(&search) };
    println!("{}", table(&found));
    Ok(())
}

fn table(found: &[Explanation]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header([
        "cost",
        "confidence",
        "importance",
        "place",
        "name class",
        "edits",
        "name",
        "context",
        "dropped",
        "signals",
    ]);
    for candidate in found {
        table.add_row([
            format!("{:.3}", candidate.cost),
            format!("{:.3}", candidate.confidence),
            format!("{:.3}", candidate.importance),
            candidate.display_name.clone(),
            format!("{:?}", candidate.class),
            candidate.edits.to_string(),
            if candidate.prefix { "prefix" } else { "complete" }.to_owned(),
            format!("{} matched, {} not", candidate.context.0, candidate.context.1),
            candidate.dropped.to_string(),
            signals(candidate),
        ]);
    }
    table
}

fn signals(candidate: &Explanation) -> String {
    let role = candidate.role.map(|role| format!("is the requested {role:?}"));
    let flags = [(candidate.code, "code"), (candidate.respelled, "respelled")];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, name)| name.to_owned());
    flags.chain(role).collect::<Vec<_>>().join(", ")
}
