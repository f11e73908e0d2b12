//! The arguments of `toponym keys`.

use anyhow::{Result, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use toponym_edge::meter::plan::{Limits, Overrides, Plan};

/// Where `cargo xtask serve` runs.
const LOCAL: &str = "http://127.0.0.1:8787";

/// Arguments of `toponym keys`.
#[derive(Args)]
pub struct Arguments {
    /// Address of the deployment
    #[arg(long, global = true, default_value = LOCAL)]
    pub url: String,
    /// Says that the admin secret in .deploy.vars belongs to this address: it is sent to no other one
    #[arg(long, global = true)]
    pub bind: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// What to do with which keys.
#[derive(Debug, Subcommand)]
pub enum Command {
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
        /// Lifts every restriction
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
pub struct NewKey {
    /// What the account calls the key
    #[arg(long)]
    pub name: String,
    /// The account that pays
    #[arg(long)]
    pub account: String,
    /// Its plan
    #[arg(long, value_parser = plans(), default_value = "free")]
    pub plan: Plan,
    #[command(flatten)]
    pub numbers: Numbers,
    #[command(flatten)]
    pub restrictions: Restrictions,
}

/// A key that there is.
#[derive(Args, Debug)]
pub struct Key {
    /// The API key: gck_...
    #[arg(value_parser = api_key)]
    pub key: String,
}

/// What differs from the plan.
#[derive(Args, Debug)]
pub struct Numbers {
    /// Requests in any 60 seconds, instead of the plan's
    #[arg(long, value_name = "N")]
    pub per_minute: Option<u32>,
    /// Requests a month, instead of the plan's
    #[arg(long, value_name = "N")]
    pub per_month: Option<u64>,
}

/// Where a key may be used from.
#[derive(Args, Debug)]
pub struct Restrictions {
    /// An address or network such as 203.0.113.0/24 or 2001:db8::/32
    #[arg(long, value_name = "NETWORK", num_args = 1..)]
    pub ip: Vec<String>,
    /// A host such as example.com, or *.example.com for all below it
    #[arg(long, value_name = "HOST", num_args = 1..)]
    pub domain: Vec<String>,
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
    use super::*;

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
}
