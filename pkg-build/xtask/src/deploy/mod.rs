//! `cargo xtask deploy`: the service on the Cloudflare account that wrangler is logged in to.
//!
//! A dry run prints the list of [`Step`]s, a real run takes them. Secrets that the deployment has are kept. What it lacks,
//! `toponym secrets` takes from `.deploy.vars`, or makes and writes there first. Secrets travel on standard output and input
//! only: none is an argument, a log line or part of an error.

mod account;

use std::fmt;

use anyhow::{Context, Result};
use clap::Args;
use toponym_terminal::report;

use super::process;
use super::setup;
use super::toponym;
use super::workspace::Workspace;
use account::Account;

/// Secrets that every deployment has: `toponym secrets` makes them.
const SECRETS: [&str; 3] = ["TOPONYM_SIGNING_KEYS", "TOPONYM_PEPPER", "TOPONYM_ADMIN_SECRET"];

/// The first API key, which is on the Free plan.
const FIRST_KEY: [&str; 5] = ["create", "--name", "First key", "--account", "owner"];

/// Arguments of `cargo xtask deploy`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Shows each step and bundles the Worker, but asks and changes nothing of the account
    #[arg(long)]
    dry_run: bool,
    /// Makes an API key when the service is up, on the Free plan, and shows its secret this once
    #[arg(long)]
    first_key: bool,
    /// The address of the service, where wrangler.toml gives it another one than workers.dev
    #[arg(long)]
    url: Option<String>,
}

/// What is done, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// Learn which secrets the deployment has.
    AskForSecrets,
    /// Take or make what it lacks.
    MakeSecrets,
    /// Give them to it.
    HandOverSecrets,
    /// Build and upload.
    Deploy,
    /// Until it answers.
    WaitForHealth,
    /// The first API key.
    CreateKey,
}

/// What the steps so far have found out.
#[derive(Default)]
struct Progress {
    missing: Vec<&'static str>,
    /// As JSON, where something is missing.
    secrets: Option<String>,
    url: Option<String>,
}

/// Deploys, or shows what deploying would do.
pub fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    setup::worker(workspace)?;
    toponym::ensure_index(workspace)?;
    let account = Account::new(workspace);
    let mut progress = Progress { url: arguments.url.clone(), ..Progress::default() };
    if let Some(advice) = advice(&fs_err::read_to_string(workspace.root().join("wrangler.toml"))?) {
        report::remark(advice);
    }
    let steps = steps(arguments.first_key);
    for (number, step) in steps.iter().enumerate() {
        println!("{}/{} {step}", number + 1, steps.len());
        if !arguments.dry_run {
            step.take(workspace, &account, &mut progress)?;
        } else if *step == Step::Deploy {
            account.bundle()?;
        }
    }
    println!("{}", closing(arguments, progress.url.as_deref()));
    Ok(())
}

fn steps(first_key: bool) -> Vec<Step> {
    use Step::{AskForSecrets, CreateKey, Deploy, HandOverSecrets, MakeSecrets, WaitForHealth};
    // Secrets come before the code: the first version that runs has them.
    let mut steps = vec![AskForSecrets, MakeSecrets, HandOverSecrets, Deploy, WaitForHealth];
    steps.extend(first_key.then_some(CreateKey));
    steps
}

impl Step {
    fn take(self, workspace: &Workspace, account: &Account, progress: &mut Progress) -> Result<()> {
        match self {
            Self::AskForSecrets => {
                let held = account.secrets()?;
                progress.missing = lacking(&held);
                report::remark(&found(&progress.missing));
            }
            Self::MakeSecrets => {
                if !progress.missing.is_empty() {
                    let arguments = [["secrets", "deployment"].as_slice(), &progress.missing].concat();
                    progress.secrets = Some(process::output(toponym::command(workspace, &arguments)?)?);
                }
            }
            Self::HandOverSecrets => {
                progress.secrets.as_deref().map_or(Ok(()), |secrets| account.hand_over(secrets))?
            }
            Self::Deploy => {
                let deployed = account.deploy()?;
                progress.url = progress.url.take().or(deployed);
                // So that `toponym keys` sends the admin secret nowhere else.
                let bind = progress.url.as_deref().map(|url| toponym::command(workspace, &["secrets", "bind", url]));
                bind.map_or(Ok(()), |command| process::run(command?))?;
            }
            Self::WaitForHealth => process::run(toponym::command(workspace, &["health", address(progress)?])?)?,
            Self::CreateKey => {
                let arguments = [["keys", "--url", address(progress)?].as_slice(), &FIRST_KEY].concat();
                println!();
                process::run(toponym::command(workspace, &arguments)?)?;
                println!();
            }
        }
        Ok(())
    }
}

/// What to change in `wrangler.toml`, if anything.
fn advice(toml: &str) -> Option<&'static str> {
    let toml: toml::Table = toml.parse().ok()?;
    let has_own_address = toml.contains_key("routes") || toml.contains_key("route");
    let is_on_workers_dev = toml.get("workers_dev").and_then(toml::Value::as_bool) == Some(true);
    (has_own_address && is_on_workers_dev).then_some(
        "wrangler.toml has workers_dev = true beside an address of your own: rules of your zone, such as a firewall, do not \
         hold for the name on workers.dev; set workers_dev = false when nobody uses it any more",
    )
}

fn address(progress: &Progress) -> Result<&str> {
    progress.url.as_deref().context(
        "wrangler named no address of the service: give it with --url (wrangler.toml has workers_dev or routes)",
    )
}

fn lacking(held: &[String]) -> Vec<&'static str> {
    SECRETS.into_iter().filter(|name| !held.iter().any(|held| held == name)).collect()
}

fn found(missing: &[&str]) -> String {
    if missing.is_empty() {
        "it has all of them, which are kept".into()
    } else {
        format!("it lacks {}", missing.join(", "))
    }
}

fn closing(arguments: &Arguments, url: Option<&str>) -> String {
    match url {
        _ if arguments.dry_run => "This was a dry run: nothing of the account was asked or changed.".to_owned(),
        Some(url) if arguments.first_key => format!("{url} is deployed."),
        Some(url) => format!("{url} is deployed; `cargo xtask keys --url {url} create` makes an API key."),
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
        let text = |first_key| steps(first_key).iter().map(|step| format!("{step}\n")).collect::<String>();
        let shown = text(true);
        let expect = [
            "TOPONYM_SIGNING_KEYS, TOPONYM_PEPPER, TOPONYM_ADMIN_SECRET the deployment has: wrangler secret list",
            "make them at random",
            "standard input of wrangler secret bulk",
            "wrangler deploy",
            "/health answers 200",
            "first API key",
        ];
        let mut from = 0;
        for part in expect {
            from += shown[from..].find(part).unwrap_or_else(|| panic!("{part} is missing or out of order in\n{shown}"));
        }
        assert_eq!(shown.lines().count(), expect.len());
        assert!(!text(false).contains("API key"));
    }

    #[test]
    fn two_names_of_one_service_are_remarked() {
        let check = |toml: &str, expect: bool| assert_eq!(advice(toml).is_some(), expect, "{toml}");
        let routes = "routes = [{ pattern = \"api.example.com\", custom_domain = true }]\n";
        check("workers_dev = true", false);
        check(routes, false);
        check(&format!("workers_dev = false\n{routes}"), false);
        check(&format!("workers_dev = true\n{routes}"), true);
        check("workers_dev = true\nroute = \"example.com/*\"", true);
        check("no TOML", false);
        check(include_str!("../../../../wrangler.toml"), false);
    }

    #[test]
    fn what_is_there_is_kept() {
        let check = |held: &[&str], expect: &[&str]| {
            let held: Vec<_> = held.iter().map(|&name| name.to_owned()).collect();
            assert_eq!(lacking(&held), expect);
        };
        check(&[], &SECRETS);
        check(&["OTHER", "TOPONYM_PEPPER"], &["TOPONYM_SIGNING_KEYS", "TOPONYM_ADMIN_SECRET"]);
        check(&SECRETS, &[]);
        assert_eq!(found(&[]), "it has all of them, which are kept");
        assert_eq!(found(&["A", "B"]), "it lacks A, B");
    }

    #[test]
    fn the_closing_line_tells_what_to_do_next() {
        let check = |dry_run, first_key, url: Option<&str>, part: &str| {
            let line = closing(&Arguments { dry_run, first_key, url: None }, url);
            assert!(line.contains(part), "{line}");
        };
        check(true, true, None, "dry run");
        check(false, true, Some("https://x.test"), "https://x.test is deployed.");
        check(false, false, Some("https://x.test"), "keys --url https://x.test create");
    }
}
