//! Turns commands into requests to the admin routes, which are in edge-worker/src/routes/admin.rs.

use std::fmt;

use serde_json::{Map, Value, json};

use super::arguments::{Command, Key, NewKey, Numbers, Restrictions};

/// One request to the admin routes.
#[derive(Debug, PartialEq)]
pub struct Request {
    /// HTTP method.
    pub method: &'static str,
    /// Path and query string.
    pub target: String,
    /// JSON, if the route takes a body.
    pub body: Option<Value>,
}

impl Request {
    /// Creates the request for `command`.
    pub fn of(command: &Command) -> Self {
        match command {
            Command::Create(key) => create(key),
            Command::List | Command::Usage { key: None } => list_after("keys", ""),
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
            Command::Move { key, location } => to(&key.key, "POST", "/location", Some(json!({ "location": location }))),
            Command::Delete { key, yes: _ } => to(&key.key, "DELETE", "", None),
        }
    }
}

/// Lists the keys after `after` below a route.
pub fn list_after(route: &str, after: &str) -> Request {
    let query = if after.is_empty() { String::new() } else { format!("?after={after}") };
    Request { method: "GET", target: format!("/admin/{route}{query}"), body: None }
}

/// Shows one key.
pub fn show(key: &str) -> Request {
    to(key, "GET", "", None)
}

fn create(NewKey { name: called, account, plan, numbers, restrictions, location }: &NewKey) -> Request {
    let mut body = json!({
        "name": called,
        "account": account,
        "plan": plan,
        "overrides": overrides(numbers),
        "restrictions": networks_and_hosts(restrictions),
    });
    if let Some(location) = location {
        body["location"] = json!(location);
    }
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::arguments::Arguments;
    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// Checks the request that a command line makes.
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
        check(
            "create --name S --account a --location weur",
            Ok(concat!(
                r#"POST /admin/keys {"account":"a","location":"weur","name":"S","overrides":{},"#,
                r#""plan":"free","restrictions":{}}"#
            )),
        );
        check(
            "create --name S --account a --location europe",
            Err("[possible values: wnam, enam, sam, weur, eeur, apac, oc, afr, me]"),
        );
        check("move gck_a --location weur", Ok(r#"POST /admin/keys/gck_a/location {"location":"weur"}"#));
        check("move gck_a", Err("--location <HINT>"));
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
