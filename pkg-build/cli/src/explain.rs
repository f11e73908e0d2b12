//! `toponym explain`: shows the candidates of a query and why they rank as they do.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use comfy_table::{Table, presets};
use toponym_edge::error::Failure;
use toponym_edge::routes::facts;
use toponym_edge::routes::fields::Fields;
use toponym_edge::routes::filters::Filters;
use toponym_edge::routes::language::Languages;
use toponym_edge::routes::numbers::point;
use toponym_edge::routes::text::{Extensions, Sought, Text};
use toponym_engine::Explanation;

use crate::index;

/// What to explain. The options are the parameters of the service, read by the same code.
#[derive(Args)]
pub struct Options {
    /// The text, as a user would type it; or else fields
    query: Option<String>,
    /// Treats the last word as unfinished, as a search field does
    #[arg(long)]
    autocomplete: bool,
    /// Number of candidates to show
    #[arg(long, default_value_t = 10)]
    limit: usize,
    /// The index; several answer together [default: build/index.toponym]
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
    /// Language of the names
    #[arg(long)]
    lang: Option<String>,
    /// In place of the text: name of a place of any kind
    #[arg(long, conflicts_with = "query")]
    name: Option<String>,
    /// In place of the text: name of a city, town or village
    #[arg(long, conflicts_with = "query")]
    city: Option<String>,
    /// In place of the text: name of a second-level division
    #[arg(long, conflicts_with = "query")]
    county: Option<String>,
    /// In place of the text: name or code of a first-level division
    #[arg(long, conflicts_with = "query")]
    state: Option<String>,
    /// In place of the text: name or code of a country
    #[arg(long, conflicts_with = "query")]
    country: Option<String>,
    /// Facts to show of each candidate, such as matched,population; or all
    #[arg(long)]
    fields: Option<String>,
    /// Only places in these countries: ISO 3166-1 alpha-2, separated by commas
    #[arg(long)]
    countrycodes: Option<String>,
    /// Only places of these kinds, such as city,airport
    #[arg(long)]
    types: Option<String>,
    /// Only places in this box: west,south,east,north
    #[arg(long, allow_hyphen_values = true)]
    bbox: Option<String>,
    /// Only places in the place with this place_id
    #[arg(long)]
    within: Option<String>,
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
    let found = found.map_err(said)?;
    println!("{}", table(&found));
    for candidate in &found {
        if let Some(facts) = &candidate.facts {
            println!("{}: {}", candidate.display_name, serde_json::to_string(facts)?);
        }
    }
    Ok(())
}

impl Options {
    fn text(&self) -> Result<Text> {
        let Self { name, city, county, state, country, countrycodes, types, bbox, within, .. } = self;
        let fields = [name, city, county, state, country].map(Clone::clone);
        let sought = match &self.query {
            Some(query) => Sought::Text(query.clone()),
            None => Sought::Fields(Fields::read(fields).map_err(said)?.context("a text or a field is required")?),
        };
        let focus = self.focus.as_deref().map(|focus| focus.split_once(',').context("a focus is latitude,longitude"));
        let focus = focus.transpose()?.map(|(lat, lon)| point(lat, lon).map_err(said)).transpose()?;
        let filters = [countrycodes, types, bbox, within].map(Clone::clone);
        let extensions = Extensions {
            languages: Languages::read(self.lang.clone(), None).map_err(said)?,
            filters: Filters::read(filters).map_err(said)?,
            focus: focus.into(),
            facts: facts::read(self.fields.clone()).map_err(said)?,
            ..Extensions::default()
        };
        Ok(Text { sought, limit: self.limit, extensions })
    }
}

fn said(failure: Failure) -> anyhow::Error {
    anyhow!(failure.message().into_owned())
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
