//! The arguments of `toponym keys`.

use anyhow::{Result, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use toponym_edge::durable::location::Location;
use toponym_edge::meter::plan::{Limits, Overrides, Plan};

/// Address of `cargo xtask serve`.
const LOCAL: &str = "http://127.0.0.1:8787";

/// Arguments of `toponym keys`.
#[derive(Args)]
pub struct Arguments {
    /// Address of the deployment
    #[arg(long, global = true, default_value = LOCAL)]
    pub url: String,
    /// Confirms that the admin secret in .deploy.vars belongs to this address: it is sent to no other
    #[arg(long, global = true)]
    pub bind: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// Subcommands of `toponym keys`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Creates a key and shows its secret once
    Create(NewKey),
    /// Lists the keys
    List,
    /// Shows a key with its limits, restrictions and usage
    Show(Key),
    /// Creates a new secret and shows it once; the old one stops working at once, tokens remain valid until they expire
    Rotate(Key),
    /// Rejects all requests of a key, including those with its tokens
    Disable(Key),
    /// Enables a disabled key
    Enable(Key),
    /// Moves a key to a plan, with the plan's own limits unless given
    Plan {
        #[command(flatten)]
        key: Key,
        #[arg(value_parser = plans())]
        plan: Plan,
        #[command(flatten)]
        numbers: Numbers,
    },
    /// Restricts where a key may be used from, replacing all earlier restrictions
    #[command(group(clap::ArgGroup::new("restrictions").args(["ip", "domain", "none"]).required(true).multiple(true)))]
    Restrict {
        #[command(flatten)]
        key: Key,
        #[command(flatten)]
        restrictions: Restrictions,
        /// Removes every restriction
        #[arg(long, conflicts_with_all = ["ip", "domain"])]
        none: bool,
    },
    /// Moves a key to where its requests are counted from now on
    ///
    /// Its limits, counts and tokens stay as they are. Safe to repeat.
    Move {
        #[command(flatten)]
        key: Key,
        /// Near most of its requests is fastest
        #[arg(long, value_name = "HINT", value_parser = locations())]
        location: Location,
    },
    /// Deletes a key, and invalidates its tokens; `usage` goes on showing what it has used
    Delete {
        #[command(flatten)]
        key: Key,
        /// Confirms the deletion: it cannot be undone
        #[arg(long, required = true)]
        yes: bool,
    },
    /// Shows the usage of each month, and how much of it exceeds the plan
    Usage {
        /// The API key [default: all]
        #[arg(value_parser = api_key)]
        key: Option<String>,
    },
}

/// Arguments for a new key.
#[derive(Args, Debug)]
pub struct NewKey {
    /// Name of the key within the account
    #[arg(long)]
    pub name: String,
    /// The account that pays
    #[arg(long)]
    pub account: String,
    /// Plan of the key
    #[arg(long, value_parser = plans(), default_value = "free")]
    pub plan: Plan,
    #[command(flatten)]
    pub numbers: Numbers,
    #[command(flatten)]
    pub restrictions: Restrictions,
    /// Location where the key's requests are counted: near most of them is fastest [default: KEY_LOCATION of the deployment,
    /// else near whoever runs this]
    #[arg(long, value_name = "HINT", value_parser = locations())]
    pub location: Option<Location>,
}

/// An existing key.
#[derive(Args, Debug)]
pub struct Key {
    /// The API key: gck_...
    #[arg(value_parser = api_key)]
    pub key: String,
}

/// Limits that override those of the plan.
#[derive(Args, Debug, Default)]
pub struct Numbers {
    /// Requests in any 60 seconds, instead of the plan's
    #[arg(long, value_name = "N")]
    pub per_minute: Option<u32>,
    /// Requests a month, instead of the plan's
    #[arg(long, value_name = "N")]
    pub per_month: Option<u64>,
}

/// Places where a key may be used from.
#[derive(Args, Debug, Default)]
pub struct Restrictions {
    /// IP addresses or networks such as 203.0.113.0/24 or 2001:db8::/32
    #[arg(long, value_name = "NETWORK", num_args = 1..)]
    pub ip: Vec<String>,
    /// Hosts such as example.com, or *.example.com for all its subdomains
    #[arg(long, value_name = "HOST", num_args = 1..)]
    pub domain: Vec<String>,
}

/// Returns a parser of plans by their names in the admin API.
fn plans() -> impl TypedValueParser<Value = Plan> {
    PossibleValuesParser::new(
        Plan::ALL.map(|plan| PossibleValue::new(name(plan)).help(in_words(&plan.limits(Overrides::default())))),
    )
    .try_map(plan_called)
}

fn plan_called(name: String) -> serde_json::Result<Plan> {
    serde_json::from_value(name.into())
}

/// Returns a parser of regions by the location hints of the platform.
fn locations() -> impl TypedValueParser<Value = Location> {
    PossibleValuesParser::new(Location::ALL.map(|location| PossibleValue::new(location.hint).help(location.name)))
        .try_map(Location::try_from)
}

fn name(plan: Plan) -> String {
    serde_json::to_value(plan).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn in_words(limits: &Limits) -> String {
    let month = match (limits.month_cap, limits.included) {
        (Some(cap), _) => format!("at most {cap} a month"),
        (None, Some(0)) => "all billed".to_owned(),
        (None, Some(included)) => format!("{included} a month included"),
        (None, None) => "no monthly limit".to_owned(),
    };
    format!("{} a minute, {month}", limits.per_minute)
}

/// Validates an API key, so that nothing else gets into a path.
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
        check(Plan::Free, "free: 30 a minute, at most 10000 a month");
        check(Plan::PayAsYouGo, "pay-as-you-go: 120 a minute, all billed");
        check(Plan::Growth, "growth: 600 a minute, 500000 a month included");
        check(Plan::Enterprise, "enterprise: 6000 a minute, no monthly limit");
    }

    fn check(plan: Plan, expect: &str) {
        assert_eq!(format!("{}: {}", name(plan), in_words(&plan.limits(Overrides::default()))), expect);
    }
}
