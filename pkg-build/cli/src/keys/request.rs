//! What a command asks of the admin routes: edge-worker/src/routes/admin.rs answers it.

use std::fmt;

use serde_json::{Map, Value, json};

use super::{Command, Key, NewKey, Numbers, Restrictions};

/// One request to the admin routes.
#[derive(Debug, PartialEq)]
pub struct Request {
    /// HTTP method.
    pub method: &'static str,
    /// Path and query string.
    pub target: String,
    /// JSON, where the route takes a body.
    pub body: Option<Value>,
}

impl Request {
    /// What `command` asks.
    pub(super) fn of(command: &Command) -> Self {
        match command {
            Command::Create(key) => create(key),
            Command::List | Command::Usage { key: None } => list_after(""),
            Command::Show(Key { key }) | Command::Usage { key: Some(key) } => show(key),
            Command::Rotate(Key { key }) => to(key, "POST", "/secret", None),
            Command::Disable(key) => change(key, json!({ "enabled": false })),
            Command::Enable(key) => change(key, json!({ "enabled": true })),
            Command::Plan { key, plan, numbers } => {
                change(key, json!({ "plan": plan, "overrides": overrides(numbers) }))
            }
            Command::Restrict { key, restrictions, none: _ } => {
                change(key, json!({ "restrictions": networks_and_hosts(restrictions) }))
            }
            Command::Delete { key, yes: _ } => to(&key.key, "DELETE", "", None),
        }
    }
}

/// The keys behind `after`.
pub fn list_after(after: &str) -> Request {
    let query = if after.is_empty() { String::new() } else { format!("?after={after}") };
    Request { method: "GET", target: format!("/admin/keys{query}"), body: None }
}

/// One key.
pub fn show(key: &str) -> Request {
    to(key, "GET", "", None)
}

fn create(NewKey { name: called, account, plan, numbers, restrictions }: &NewKey) -> Request {
    let body = json!({
        "name": called,
        "account": account,
        "plan": plan,
        "overrides": overrides(numbers),
        "restrictions": networks_and_hosts(restrictions),
    });
    Request { method: "POST", target: "/admin/keys".to_owned(), body: Some(body) }
}

fn change(key: &Key, body: Value) -> Request {
    to(&key.key, "PATCH", "", Some(body))
}

fn to(key: &str, method: &'static str, below: &str, body: Option<Value>) -> Request {
    Request { method, target: format!("/admin/keys/{key}{below}"), body }
}

fn overrides(Numbers { per_minute, per_month }: &Numbers) -> Value {
    let numbers = [("perMinute", per_minute.map(u64::from)), ("perMonth", *per_month)];
    numbers
        .into_iter()
        .filter_map(|(name, number)| Some((name.to_owned(), number?.into())))
        .collect::<Map<_, _>>()
        .into()
}

fn networks_and_hosts(Restrictions { ip, domain }: &Restrictions) -> Value {
    let lists = [("ips", ip), ("domains", domain)];
    let given = lists.into_iter().filter(|(_, list)| !list.is_empty());
    given.map(|(name, list)| (name.to_owned(), list.clone().into())).collect::<Map<_, _>>().into()
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.target)?;
        self.body.as_ref().map_or(Ok(()), |body| write!(f, " {body}"))
    }
}
