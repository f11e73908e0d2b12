//! `toponym keys`: manages the API keys of a deployment through its admin routes.
//!
//! [`arguments`] defines the commands, [`request`] turns them into HTTP requests, [`client`] sends these, and [`show`]
//! formats the responses. An API secret is printed once, by the command that creates it; the admin secret is never
//! printed.

mod arguments;
mod client;
mod request;
mod show;

use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::Value;
use toponym_edge::meter::plan::Plan;

pub use arguments::Arguments;
use arguments::{Command, NewKey, Numbers, Restrictions};
use client::Client;
use request::{Request, list_after};

/// Runs the command.
pub fn run(root: &Path, Arguments { url, bind, command }: Arguments) -> Result<()> {
    let client = Client::find(root, &url, bind)?;
    match command {
        Command::List => println!("{}", show::list(&list_all(&client, "keys")?)),
        Command::Usage { key: None } => {
            let (shown, missing) = everything(&client)?;
            println!("{}", show::usage(&shown));
            ensure!(missing.is_empty(), "some keys cannot be shown:\n{}", missing.join("\n"));
        }
        Command::Usage { key: Some(key) } => println!("{}", show::usage(&[client.send(&request::show(&key))?])),
        command => println!("{}", show::outcome(&client.send(&Request::of(&command))?)),
    }
    Ok(())
}

/// Creates the first key of the deployment at `url`, on the Free plan, and shows its secret once.
pub fn create_first(root: &Path, url: &str) -> Result<()> {
    let key = NewKey {
        name: "First key".to_owned(),
        account: "owner".to_owned(),
        plan: Plan::Free,
        numbers: Numbers::default(),
        restrictions: Restrictions::default(),
        location: None,
    };
    run(root, Arguments { url: url.to_owned(), bind: false, command: Command::Create(key) })
}

/// Lists every key below a route of the deployment, page by page.
fn list_all(client: &Client, route: &str) -> Result<Vec<Value>> {
    let mut keys: Vec<Value> = Vec::new();
    loop {
        let after = keys.last().map_or("", |key| key["apiKey"].as_str().unwrap_or_default());
        let mut answer = client.send(&list_after(route, after))?;
        let Value::Array(page) = answer["keys"].take() else { anyhow::bail!("the deployment lists no keys: {answer}") };
        if page.is_empty() {
            return Ok(keys);
        }
        keys.extend(page);
    }
}

/// Fetches every key with its usage, those that were deleted too, and an error for each key that cannot be shown. A listed
/// key whose creation never completed is left out.
fn everything(client: &Client) -> Result<(Vec<Value>, Vec<String>)> {
    let mut shown = Vec::new();
    let mut missing = Vec::new();
    for key in list_all(client, "keys")? {
        let key = key["apiKey"].as_str().unwrap_or_default();
        match client.send_for(&request::show(key)) {
            Ok(known) => shown.extend(known),
            Err(error) => missing.push(format!("{key}: {error:#}")),
        }
    }
    shown.extend(list_all(client, "deleted-keys")?);
    Ok((shown, missing))
}
