//! `toponym explain`: shows the candidates of a query and why they rank as they do.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use comfy_table::{Table, presets};
use toponym_engine::Explanation;
use toponym_engine::request::{self, Operation, TextRequest};

use crate::index;
use crate::parameters::{FORWARD, Flags, put, put_focus};

/// Number of candidates to show without `--limit`.
const DEFAULT_LIMIT: usize = 10;

/// Query to explain. The options are the parameters of the service, read by the same code.
#[derive(Args)]
pub struct Options {
    /// The text, as a user would type it; or else fields
    query: Option<String>,
    /// Treats the last word as unfinished, as a search field does
    #[arg(long)]
    autocomplete: bool,
    /// The index; several answer together [default: build/index.toponym]
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
    #[command(flatten)]
    flags: Flags<FORWARD>,
    /// Prefers places near this point: latitude,longitude
    #[arg(long, allow_hyphen_values = true)]
    focus: Option<String>,
}

/// Prints the candidates of the question, best first.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let engine = index::open(root, &options.index)?;
    let text = options.text()?;
    let found = text.search(&engine, |search| match options.autocomplete {
        true => engine.explain_autocomplete(search),
        false => engine.explain_forward(search),
    });
    let found = found?;
    println!("{}", table(&found));
    for candidate in &found {
        if let Some(facts) = &candidate.facts {
            println!("{}: {}", candidate.display_name, serde_json::to_string(facts)?);
        }
    }
    Ok(())
}

impl Options {
    fn text(&self) -> Result<TextRequest> {
        let mut values = self.flags.values();
        self.query.iter().for_each(|query| put(&mut values, Operation::Forward, "query", query));
        put_focus(&mut values, Operation::Forward, self.focus.as_deref())?;
        let request = request::FORWARD.read(&values)?;
        let limit = if values.text("limit").is_some() { request.limit } else { DEFAULT_LIMIT };
        Ok(TextRequest { limit, ..request })
    }
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
