//! `toponym deploy`: deploys the service to the Cloudflare account that wrangler is logged in to.
//!
//! A dry run prints the [`Step`]s, a real run performs them. Existing secrets are kept. Missing ones come from
//! `.deploy.vars`; [`secrets`] generates those that are not there either. Secrets are only passed to the standard input of
//! wrangler: none is in an argument, a log line or an error.

mod account;
mod bucket;
mod configuration;
mod folder;
mod health;
mod indexes;
mod places;
mod publication;
mod worker;
mod wrangler;

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use toponym_terminal::report;
use toponym_terminal::workspace::{CONFIGURATION, Workspace};

use crate::secrets::{KEY_MARK, SECRETS};
use crate::{index, keys, secrets};
use account::Account;
use bucket::Side;
use places::{Chosen, Places};

/// Arguments of `toponym deploy`, or another command about deployments.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    instead: Option<Instead>,
}

#[derive(Subcommand)]
enum Instead {
    /// Deletes the pages of old indexes from the bucket that `deploy --pages r2` filled
    CleanPages(bucket::Clean),
    /// Prepares a local run for `cargo xtask serve`, and prints what wrangler needs to know
    #[command(hide = true)]
    Locally(Places),
    /// Puts the indexes into the Worker that `cargo xtask` has built
    #[command(hide = true)]
    IntoWorker(worker::Arguments),
}

/// Options of `toponym deploy`.
#[derive(Args, Debug)]
struct Options {
    /// Shows each step and bundles the Worker, without reading or changing the account
    #[arg(long)]
    dry_run: bool,
    /// Creates an API key on the Free plan when the service is up, and shows its secret once
    #[arg(long)]
    first_key: bool,
    /// The address of the service, if wrangler.toml gives it one other than workers.dev
    #[arg(long)]
    url: Option<String>,
    /// Uploads the default index in one file, in place of its root and pages
    #[arg(long, conflicts_with_all = ["index", "pages"])]
    whole: bool,
    #[command(flatten)]
    places: Places,
}

impl Options {
    /// Returns what is deployed: by default the default index, with its pages among the static assets.
    fn places(&self) -> Places {
        if self.places.is_default() && !self.whole {
            return Places::default_in_pages();
        }
        self.places.clone()
    }
}

/// The steps, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// Find out which secrets the deployment has.
    AskForSecrets,
    /// Read or generate the missing ones.
    MakeSecrets,
    /// Upload them.
    HandOverSecrets,
    /// Create the bucket of the pages, if it is missing.
    MakeBucket,
    /// Upload the pages that it lacks.
    UploadPages,
    /// Build and upload the Worker.
    Deploy,
    /// Wait until the service answers.
    WaitForHealth,
    /// Create the first API key.
    CreateKey,
}

/// Warning about a deployment that was made before API keys had marks.
const UNMARKED: &str = "its API keys have no mark, so whoever guesses keys has an object asked for each: edge-worker/README.md says how to \
     go over to keys with a mark";

/// Memory of an isolate of Workers, bytes.
const ISOLATE: u64 = 128_000_000;

/// Memory that an isolate takes beside the indexes while it opens them, bytes: `tests/bench/service/memory.mjs` measured 4 MB.
const BESIDE_OPENING: u64 = 5_000_000;

/// Memory that an isolate takes beside the opened indexes, bytes: `tests/bench/service/memory.mjs` measured 32 to 44 MB at most, under
/// batches with the largest bodies.
const BESIDE_OPENED: u64 = 45_000_000;

/// Results of the steps so far.
#[derive(Default)]
struct Progress {
    missing: Vec<&'static str>,
    /// The missing secrets as JSON, if any.
    secrets: Option<String>,
    url: Option<String>,
}

/// Runs the command.
pub fn run(root: &Path, arguments: Arguments) -> Result<()> {
    let workspace = Workspace::at(root);
    match arguments.instead {
        None => deploy(&workspace, &arguments.options),
        Some(Instead::CleanPages(arguments)) => bucket::clean(&workspace, &arguments),
        Some(Instead::Locally(places)) => prepare_locally(&workspace, &places),
        Some(Instead::IntoWorker(arguments)) => worker::run(root, arguments),
    }
}

/// Fills the local bucket, if there is one, and creates the local secrets. Prints the configuration of wrangler and its variables.
fn prepare_locally(workspace: &Workspace, places: &Places) -> Result<()> {
    if places.are_default_pages() {
        index::build_if_stale(workspace.root(), true)?;
    }
    let places = places.choose(workspace)?;
    publication::tell(workspace, places.indexes.has_assets())?;
    if let Some(bucket) = &places.bucket {
        bucket.upload(workspace, Side::Local)?;
    }
    secrets::ensure_local(workspace.root())?;
    let mut variables = Map::new();
    for (name, value) in places.indexes.variables()? {
        let value = value.into_string().ok().context("the paths of the indexes are not UTF-8: move them elsewhere")?;
        variables.insert(name.to_owned(), Value::from(value));
    }
    println!("{}", json!({ "configuration": places.configuration, "variables": variables }));
    Ok(())
}

/// Deploys, or shows what deploying would do.
fn deploy(workspace: &Workspace, arguments: &Options) -> Result<()> {
    wrangler::install(workspace)?;
    let places = arguments.places();
    index::build_if_stale(workspace.root(), places.are_default_pages())?;
    let places = places.choose(workspace)?;
    let account = Account::new(workspace, &places);
    let mut progress = Progress { url: arguments.url.clone(), ..Progress::default() };
    if let Some(advice) = advice(&fs_err::read_to_string(workspace.root().join(CONFIGURATION))?) {
        report::remark(advice);
    }
    publication::tell(workspace, places.indexes.has_assets())?;
    let modules = places.indexes.modules(workspace.root());
    let sizes = modules.iter().map(|path| Ok(fs_err::metadata(path)?.len())).collect::<Result<Vec<u64>>>()?;
    if let Some(advice) = lack_of_memory(&sizes) {
        report::remark(&advice);
    }
    let steps = steps(arguments.first_key, places.bucket.is_some());
    for (number, step) in steps.iter().enumerate() {
        println!("{}/{} {step}", number + 1, steps.len());
        match (step, &places.bucket) {
            _ if !arguments.dry_run => step.take(workspace, &account, &places, &mut progress)?,
            (Step::Deploy, _) => account.bundle()?,
            (Step::UploadPages, Some(bucket)) => println!("{}", bucket.contents()?),
            _ => {}
        }
    }
    println!("{}", closing_line(arguments, progress.url.as_deref()));
    Ok(())
}

fn steps(first_key: bool, has_bucket: bool) -> Vec<Step> {
    use Step::{
        AskForSecrets, CreateKey, Deploy, HandOverSecrets, MakeBucket, MakeSecrets, UploadPages, WaitForHealth,
    };
    // Secrets and pages come before the code, so that it finds them from the first request on.
    let mut steps = vec![AskForSecrets, MakeSecrets, HandOverSecrets];
    steps.extend(has_bucket.then_some([MakeBucket, UploadPages]).into_iter().flatten());
    steps.extend([Deploy, WaitForHealth]);
    steps.extend(first_key.then_some(CreateKey));
    steps
}

impl Step {
    fn take(self, workspace: &Workspace, account: &Account, places: &Chosen, progress: &mut Progress) -> Result<()> {
        match self {
            Self::AskForSecrets => {
                let present = account.secrets()?;
                let has = |name: &str| present.iter().any(|present| present == name);
                progress.missing = secrets::lacking_secrets(has);
                report::remark(&found(&progress.missing));
                if !progress.missing.contains(&KEY_MARK) && !has(KEY_MARK) {
                    report::remark(UNMARKED);
                }
            }
            Self::MakeSecrets => {
                if !progress.missing.is_empty() {
                    progress.secrets = Some(secrets::of_deployment(workspace.root(), &progress.missing)?);
                }
            }
            Self::HandOverSecrets => {
                progress.secrets.as_deref().map_or(Ok(()), |secrets| account.hand_over(secrets))?
            }
            Self::MakeBucket => places
                .bucket
                .as_ref()
                .map_or(Ok(()), |bucket| bucket.create_if_missing(workspace, &places.configuration))?,
            Self::UploadPages => {
                places.bucket.as_ref().map_or(Ok(()), |bucket| bucket.upload(workspace, Side::Account))?
            }
            Self::Deploy => {
                let deployed = account.deploy()?;
                progress.url = progress.url.take().or(deployed);
                let url = progress.url.as_deref();
                url.map_or(Ok(()), |url| secrets::bind_admin_secret(workspace.root(), url))?;
            }
            Self::WaitForHealth => health::wait(address(progress)?)?,
            Self::CreateKey => {
                println!();
                keys::create_first(workspace.root(), address(progress)?)?;
                println!();
            }
        }
        Ok(())
    }
}

/// Returns what to change in `wrangler.toml`, if anything.
fn advice(toml: &str) -> Option<&'static str> {
    let toml: toml::Table = toml.parse().ok()?;
    let has_own_address = toml.contains_key("routes") || toml.contains_key("route");
    let is_on_workers_dev = toml.get("workers_dev").and_then(toml::Value::as_bool) == Some(true);
    (has_own_address && is_on_workers_dev).then_some(
        "wrangler.toml has workers_dev = true beside an address of your own: rules of your zone, such as a firewall, do not \
         hold for the name on workers.dev; set workers_dev = false when nobody uses it any more",
    )
}

/// Returns a warning before indexes of so many bytes each are deployed, if they are large. An isolate has one at a time twice, while it
/// copies that from its module.
fn lack_of_memory(sizes: &[u64]) -> Option<String> {
    let indexes: u64 = sizes.iter().sum();
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let needed = (indexes + largest + BESIDE_OPENING).max(indexes + BESIDE_OPENED);
    (needed > ISOLATE).then(|| {
        format!(
            "the indexes have {} MB, with which an isolate takes up to {} MB of memory; the platform allows {}: leave one out, \
             or use a smaller one, such as build/core.toponym",
            megabytes(indexes),
            megabytes(needed),
            megabytes(ISOLATE)
        )
    })
}

fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

fn address(progress: &Progress) -> Result<&str> {
    progress.url.as_deref().context(
        "wrangler reported no address of the service: give it with --url (wrangler.toml has workers_dev or routes)",
    )
}

fn found(missing: &[&str]) -> String {
    if missing.is_empty() {
        "it has all of them; they are kept".into()
    } else {
        format!("it lacks {}", missing.join(", "))
    }
}

fn closing_line(arguments: &Options, url: Option<&str>) -> String {
    match url {
        _ if arguments.dry_run => "This was a dry run: the account was neither read nor changed.".to_owned(),
        Some(url) if arguments.first_key => format!("{url} is deployed."),
        Some(url) => format!("{url} is deployed; `cargo toponym keys --url {url} create` makes an API key."),
        None => "The service is deployed.".to_owned(),
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = SECRETS.join(", ");
        match self {
            Self::AskForSecrets => {
                write!(f, "ask which of the secrets {names} the deployment has: wrangler secret list")
            }
            Self::MakeSecrets => {
                f.write_str("take those it lacks from .deploy.vars, or make them at random and keep them there")
            }
            Self::HandOverSecrets => f.write_str("hand those over on the standard input of wrangler secret bulk"),
            Self::MakeBucket => {
                f.write_str("make the bucket of the pages if it is missing: wrangler r2 bucket info, create")
            }
            Self::UploadPages => f.write_str("upload the pages that the bucket lacks"),
            Self::Deploy => f.write_str("build the Worker and upload it: wrangler deploy"),
            Self::WaitForHealth => f.write_str("wait until /health answers 200"),
            Self::CreateKey => f.write_str("make the first API key, and show its secret this once"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dry_run_shows_every_step() {
        let shown = step_lines(true, true);
        let expect = [
            "TOPONYM_SIGNING_KEYS, TOPONYM_PEPPER, TOPONYM_KEY_MARK, TOPONYM_ADMIN_SECRET the deployment has: wrangler secret list",
            "make them at random",
            "standard input of wrangler secret bulk",
            "make the bucket",
            "upload the pages",
            "wrangler deploy",
            "/health answers 200",
            "first API key",
        ];
        let mut from = 0;
        for part in expect {
            from += shown[from..].find(part).unwrap_or_else(|| panic!("{part} is missing or out of order in\n{shown}"));
        }
        assert_eq!(shown.lines().count(), expect.len());
        assert!(!step_lines(false, true).contains("API key"));
        assert!(!step_lines(true, false).contains("bucket"));
    }

    fn step_lines(first_key: bool, has_bucket: bool) -> String {
        steps(first_key, has_bucket).iter().map(|step| format!("{step}\n")).collect::<String>()
    }

    #[derive(Debug, clap::Parser)]
    struct Deploy {
        #[command(flatten)]
        options: Options,
    }

    fn read_options(line: &str) -> clap::error::Result<Deploy> {
        <Deploy as clap::Parser>::try_parse_from(line.split(' '))
    }

    #[test]
    fn pages_are_the_default() {
        let check = |line: &str, default_pages: bool, shown: &str| {
            let places = read_options(line).expect("they are arguments").options.places();
            assert_eq!(places.are_default_pages(), default_pages, "{line}");
            assert!(format!("{places:?}").contains(shown), "{line}: {places:?}");
        };
        check("deploy", true, "pages: Some(Assets)");
        check("deploy --dry-run", true, "pages: Some(Assets)");
        check("deploy --pages r2", true, "pages: Some(R2)");
        check("deploy --whole", false, "pages: None");
        check("deploy --index build/core.toponym", false, "pages: None");
        check("deploy --pages assets --index my.pages", false, "pages: Some(Assets)");
        for line in ["deploy --whole --pages r2", "deploy --whole --index build/core.toponym"] {
            read_options(line).expect_err("one of them is meant");
        }
    }

    #[test]
    fn a_second_address_is_reported() {
        let routes = "routes = [{ pattern = \"api.example.com\", custom_domain = true }]\n";
        check_advice("workers_dev = true", false);
        check_advice(routes, false);
        check_advice(&format!("workers_dev = false\n{routes}"), false);
        check_advice(&format!("workers_dev = true\n{routes}"), true);
        check_advice("workers_dev = true\nroute = \"example.com/*\"", true);
        check_advice("no TOML", false);
        check_advice(include_str!("../../../../wrangler.toml"), false);
    }

    fn check_advice(toml: &str, expect: bool) {
        assert_eq!(advice(toml).is_some(), expect, "{toml}");
    }

    #[test]
    fn too_large_indexes_are_reported() {
        check_memory(&[], None);
        check_memory(&[61], None);
        check_memory(&[62], Some("up to 129 MB"));
        check_memory(&[50, 23], None);
        check_memory(&[50, 25], Some("have 75 MB"));
        check_memory(&[42, 42], Some("up to 131 MB"));
        check_memory(&[28, 28, 27], None);
        check_memory(&[28, 28, 28], Some("up to 129 MB"));
    }

    fn check_memory(megabytes: &[u64], expect: Option<&str>) {
        let sizes: Vec<u64> = megabytes.iter().map(|size| size * 1_000_000).collect();
        let found = lack_of_memory(&sizes);
        let is_expected = match (&found, expect) {
            (Some(line), Some(part)) => line.contains(part),
            (found, expect) => found.is_none() && expect.is_none(),
        };
        assert!(is_expected, "{megabytes:?}: {found:?}");
    }

    #[test]
    fn missing_secrets_are_named() {
        assert_eq!(found(&[]), "it has all of them; they are kept");
        assert_eq!(found(&["A", "B"]), "it lacks A, B");
    }

    #[test]
    fn the_closing_line_says_what_to_do_next() {
        check_closing(true, true, None, "dry run");
        check_closing(false, true, Some("https://x.test"), "https://x.test is deployed.");
        check_closing(false, false, Some("https://x.test"), "keys --url https://x.test create");
    }

    fn check_closing(dry_run: bool, first_key: bool, url: Option<&str>, part: &str) {
        let arguments = Options { dry_run, first_key, url: None, whole: false, places: Places::default() };
        let line = closing_line(&arguments, url);
        assert!(line.contains(part), "{line}");
    }
}
