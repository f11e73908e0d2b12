//! `toponym keys`: what an operator does with the API keys of a deployment, through its admin routes.
//!
//! [`request`] is what a command asks the deployment, [`client`] asks it, [`show`] puts the answer into words. An API
//! secret is printed by the command that made it and never again; the admin secret is never printed.

mod client;
mod request;
mod show;

use std::path::Path;

use anyhow::{Result, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use serde_json::Value;
use toponym_edge::meter::plan::{Limits, Overrides, Plan};

use client::Client;
use request::{Request, list_after};

/// Where `cargo xtask serve` runs.
const LOCAL: &str = "http://127.0.0.1:8787";

/// Arguments of `toponym keys`.
#[derive(Args)]
pub struct Arguments {
    /// Address of the deployment
    #[arg(long, global = true, default_value = LOCAL)]
    url: String,
    /// Says that the admin secret in .deploy.vars belongs to this address: it is sent to no other one
    #[arg(long, global = true)]
    bind: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Makes a key, and shows its secret this once
    Create(NewKey),
    /// Lists the keys
    List,
    /// Shows a key with its limits, its restrictions and its use
    Show(Key),
    /// Makes a new secret, shows it this once; the old one ends at once, tokens live on until they expire
    Rotate(Key),
    /// Refuses all requests of a key, its tokens' too
    Disable(Key),
    /// Ends a `disable`
    Enable(Key),
    /// Puts a key on a plan, with the plan's own numbers where none are given
    Plan {
        #[command(flatten)]
        key: Key,
        #[arg(value_parser = plans())]
        plan: Plan,
        #[command(flatten)]
        numbers: Numbers,
    },
    /// Restricts where a key may be used from, in place of all earlier restrictions
    #[command(group(clap::ArgGroup::new("restrictions").args(["ip", "domain", "none"]).required(true).multiple(true)))]
    Restrict {
        #[command(flatten)]
        key: Key,
        #[command(flatten)]
        restrictions: Restrictions,
        /// Lift every restriction
        #[arg(long, conflicts_with_all = ["ip", "domain"])]
        none: bool,
    },
    /// Deletes a key with its record and its counts, which ends its tokens
    Delete {
        #[command(flatten)]
        key: Key,
        /// It cannot be undone, and what was used can no longer be billed
        #[arg(long, required = true)]
        yes: bool,
    },
    /// Shows what each month was used, and what of it goes beyond the plan
    Usage {
        /// The API key [default: all]
        #[arg(value_parser = api_key)]
        key: Option<String>,
    },
}

/// A key to make.
#[derive(Args, Debug)]
struct NewKey {
    /// What the account calls the key
    #[arg(long)]
    name: String,
    /// The account that pays
    #[arg(long)]
    account: String,
    /// Its plan
    #[arg(long, value_parser = plans(), default_value = "free")]
    plan: Plan,
    #[command(flatten)]
    numbers: Numbers,
    #[command(flatten)]
    restrictions: Restrictions,
}

#[derive(Args, Debug)]
struct Key {
    /// The API key: gck_...
    #[arg(value_parser = api_key)]
    key: String,
}

/// What differs from the plan.
#[derive(Args, Debug)]
struct Numbers {
    /// Requests in any 60 seconds, instead of the plan's
    #[arg(long, value_name = "N")]
    per_minute: Option<u32>,
    /// Requests a month, instead of the plan's
    #[arg(long, value_name = "N")]
    per_month: Option<u64>,
}

/// Where a key may be used from.
#[derive(Args, Debug)]
struct Restrictions {
    /// An address or network such as 203.0.113.0/24 or 2001:db8::/32
    #[arg(long, value_name = "NETWORK", num_args = 1..)]
    ip: Vec<String>,
    /// A host such as example.com, or *.example.com for all below it
    #[arg(long, value_name = "HOST", num_args = 1..)]
    domain: Vec<String>,
}

/// Runs the command.
pub fn run(root: &Path, Arguments { url, bind, command }: Arguments) -> Result<()> {
    let client = Client::find(root, &url, bind)?;
    match command {
        Command::List => println!("{}", show::list(&listed(&client)?)),
        Command::Usage { key: None } => {
            let (shown, missing) = everything(&client)?;
            println!("{}", show::usage(&shown));
            ensure!(missing.is_empty(), "not all is shown:\n{}", missing.join("\n"));
        }
        Command::Usage { key: Some(key) } => println!("{}", show::usage(&[client.send(&request::show(&key))?])),
        command => println!("{}", show::outcome(&client.send(&Request::of(&command))?)),
    }
    Ok(())
}

/// Every key that the deployment lists, page by page.
fn listed(client: &Client) -> Result<Vec<Value>> {
    let mut keys: Vec<Value> = Vec::new();
    loop {
        let after = keys.last().map_or("", |key| key["apiKey"].as_str().unwrap_or_default());
        let mut answer = client.send(&list_after(after))?;
        let Value::Array(page) = answer["keys"].take() else { anyhow::bail!("the deployment lists no keys: {answer}") };
        if page.is_empty() {
            return Ok(keys);
        }
        keys.extend(page);
    }
}

/// Every key with its use, and what was answered for a key that cannot be shown. One that is listed and was never made
/// completely is left out.
fn everything(client: &Client) -> Result<(Vec<Value>, Vec<String>)> {
    let (mut shown, mut missing) = (Vec::new(), Vec::new());
    for key in listed(client)? {
        let key = key["apiKey"].as_str().unwrap_or_default();
        match client.send_for(&request::show(key)) {
            Ok(known) => shown.extend(known),
            Err(error) => missing.push(format!("{key}: {error:#}")),
        }
    }
    Ok((shown, missing))
}

/// The plans of the service, by the names that its admin routes know.
fn plans() -> impl TypedValueParser<Value = Plan> {
    let value = |plan: Plan| PossibleValue::new(name(plan)).help(in_words(&plan.limits(Overrides::default())));
    let named = |name: String| serde_json::from_value::<Plan>(name.into());
    PossibleValuesParser::new(Plan::ALL.map(value)).try_map(named)
}

fn name(plan: Plan) -> String {
    serde_json::to_value(plan).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn in_words(limits: &Limits) -> String {
    let month = match (limits.month_cap, limits.included) {
        (Some(cap), _) => format!("{cap} a month and no more"),
        (None, Some(0)) => "all billed".to_owned(),
        (None, Some(included)) => format!("{included} a month included"),
        (None, None) => "no count a month".to_owned(),
    };
    format!("{} a minute, {month}", limits.per_minute)
}

/// The form of an API key, so that nothing else gets into a path.
fn api_key(text: &str) -> Result<String> {
    let form = text
        .strip_prefix("gck_")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    ensure!(form, "an API key is gck_ and letters or digits");
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// The command of a line, as the request that it makes.
    fn check(line: &str, expect: Result<&str, &str>) {
        let words = std::iter::once("keys").chain(line.split_whitespace());
        let got = Line::try_parse_from(words).map(|line| Request::of(&line.arguments.command).to_string());
        match (got, expect) {
            (Ok(got), Ok(expect)) => assert_eq!(got, expect, "{line}"),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{line}: {error}"),
            (Ok(got), Err(part)) => panic!("{line} is {got}, yet it should say {part}"),
            (Err(error), Ok(_)) => panic!("{line}: {error}"),
        }
    }

    #[test]
    fn lines_and_their_requests() {
        check(
            "create --name Shop --account a-1",
            Ok(r#"POST /admin/keys {"account":"a-1","name":"Shop","overrides":{},"plan":"free","restrictions":{}}"#),
        );
        check(
            "create --name S --account a --plan enterprise --per-minute 9 --per-month 10 --ip 10.0.0.0/8 ::1 --domain *.x.test",
            Ok(concat!(
                r#"POST /admin/keys {"account":"a","name":"S","overrides":{"perMinute":9,"perMonth":10},"#,
                r#""plan":"enterprise","restrictions":{"domains":["*.x.test"],"ips":["10.0.0.0/8","::1"]}}"#
            )),
        );
        check("list", Ok("GET /admin/keys"));
        check("show gck_a", Ok("GET /admin/keys/gck_a"));
        check("usage gck_a", Ok("GET /admin/keys/gck_a"));
        check("rotate gck_a", Ok("POST /admin/keys/gck_a/secret"));
        check("disable gck_a", Ok(r#"PATCH /admin/keys/gck_a {"enabled":false}"#));
        check("enable gck_a", Ok(r#"PATCH /admin/keys/gck_a {"enabled":true}"#));
        check("plan gck_a pay-as-you-go", Ok(r#"PATCH /admin/keys/gck_a {"overrides":{},"plan":"pay-as-you-go"}"#));
        check(
            "plan gck_a growth --per-minute 900 --url https://x.test",
            Ok(r#"PATCH /admin/keys/gck_a {"overrides":{"perMinute":900},"plan":"growth"}"#),
        );
        check(
            "restrict gck_a --domain shop.test",
            Ok(r#"PATCH /admin/keys/gck_a {"restrictions":{"domains":["shop.test"]}}"#),
        );
        check("restrict gck_a --none", Ok(r#"PATCH /admin/keys/gck_a {"restrictions":{}}"#));
        check("delete gck_a --yes", Ok("DELETE /admin/keys/gck_a"));
    }

    #[test]
    fn plans_are_those_of_the_service() {
        let check = |plan: Plan, expect: &str| {
            assert_eq!(format!("{}: {}", name(plan), in_words(&plan.limits(Overrides::default()))), expect);
        };
        check(Plan::Free, "free: 30 a minute, 10000 a month and no more");
        check(Plan::PayAsYouGo, "pay-as-you-go: 120 a minute, all billed");
        check(Plan::Growth, "growth: 600 a minute, 500000 a month included");
        check(Plan::Enterprise, "enterprise: 6000 a minute, no count a month");
    }

    #[test]
    fn lines_that_are_refused() {
        check("create --name Shop", Err("--account"));
        check("create --name Shop --account a --plan gold", Err("gold"));
        check("restrict gck_a", Err("required"));
        check("restrict gck_a --none --ip ::1", Err("cannot be used"));
        check("delete gck_a", Err("--yes"));
        for key in ["gck_", "gcs_a", "gck_a/secret", "gck_a?x", "../keys"] {
            check(&format!("show {key}"), Err("an API key is gck_"));
        }
    }
}
