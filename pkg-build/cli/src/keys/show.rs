//! Formats the responses of the admin routes as text.

use comfy_table::{CellAlignment, Table, presets};
use serde_json::Value;

/// Printed next to a secret.
const ONCE: &str = "(shown this once, keep it now)";

/// Formats a key, with its secret if the response has one. Empty if the key is deleted.
pub fn outcome(key: &Value) -> String {
    if key.is_null() {
        return "deleted".to_owned();
    }
    let mut lines = vec![("key", text(key, "apiKey"))];
    if let Some(secret) = key["apiSecret"].as_str() {
        lines.push(("secret", format!("{secret}  {ONCE}")));
    }
    lines.extend([
        ("name", text(key, "name")),
        ("account", text(key, "account")),
        ("client id", text(key, "clientId")),
        ("plan", plan(key)),
        ("status", if key["enabled"] == true { "enabled" } else { "disabled" }.to_owned()),
        ("addresses", restriction(&key["restrictions"]["ips"])),
        ("domains", restriction(&key["restrictions"]["domains"])),
        ("created", text(key, "createdAt")),
    ]);
    if let Some(hint) = key["location"].as_str() {
        lines.push(("location", hint.to_owned()));
    }
    for month in months(key) {
        lines.push(("used", used_units(month)));
    }
    if let Some(rows) = key["unreadable"].as_u64() {
        lines.push(("damaged", format!("{rows} stored rows cannot be read and are not counted")));
    }
    lines.iter().map(|(name, value)| format!("{name:<11}{value}")).collect::<Vec<_>>().join("\n")
}

/// Formats the keys by name and account.
pub fn list(keys: &[Value]) -> String {
    if keys.is_empty() {
        return "There are no keys yet: create one with `cargo toponym keys create`.".to_owned();
    }
    let mut table = table(["key", "name", "account"]);
    for key in keys {
        let name = if key["unreadable"] == true { "(cannot be read)".to_owned() } else { text(key, "name") };
        table.add_row([text(key, "apiKey"), name, text(key, "account")]);
    }
    table.to_string()
}

/// Formats a table with a row for every month of every key.
pub fn usage(keys: &[Value]) -> String {
    let mut table = table(["key", "account", "plan", "month", "used", "beyond the plan", "lost"]);
    for key in keys {
        for month in months(key) {
            let who = ["apiKey", "account"].map(|field| text(key, field));
            table.add_row(
                who.into_iter().chain(["plan", "month", "used", "overage", "lost"].map(|field| text(month, field))),
            );
        }
    }
    for column in [4, 5, 6] {
        if let Some(numbers) = table.column_mut(column) {
            numbers.set_cell_alignment(CellAlignment::Right);
        }
    }
    if table.is_empty() { "Nothing was used yet.".to_owned() } else { table.to_string() }
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(header);
    table
}

fn plan(key: &Value) -> String {
    let month = key["perMonth"].as_u64().map_or("no monthly limit".to_owned(), |n| format!("{n} a month"));
    format!("{}: {} a minute, {month}", text(key, "plan"), text(key, "perMinute"))
}

fn restriction(list: &Value) -> String {
    let rules: Vec<_> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if rules.is_empty() { "any".to_owned() } else { rules.join(", ") }
}

fn months(key: &Value) -> &[Value] {
    key["usage"].as_array().map_or(&[], Vec::as_slice)
}

fn used_units(month: &Value) -> String {
    let beyond =
        month["overage"].as_u64().filter(|n| *n > 0).map_or(String::new(), |n| format!(", {n} beyond the plan"));
    // Units of leases that no isolate reported. They are not billed.
    let lost = month["lost"].as_u64().map_or(String::new(), |n| format!(", {n} lost"));
    format!("{} in {}{beyond}{lost}", text(month, "used"), text(month, "month"))
}

/// Formats a field: without quotes; empty if absent. Removes control characters, which could imitate output of this
/// program.
fn text(value: &Value, field: &str) -> String {
    match &value[field] {
        Value::String(text) => text.chars().filter(|c| !c.is_control()).collect(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key() -> Value {
        json!({
            "apiKey": "gck_a", "name": "Shop\u{1b}[2J", "account": "a-1", "clientId": "app_x", "plan": "starter",
            "perMinute": 180, "perMonth": 50_000, "enabled": true, "createdAt": "2026-11-20T12:00:00.000Z",
            "restrictions": { "ips": ["10.0.0.0/8", "::1/128"], "domains": [] },
            "usage": [
                { "month": "2026-11", "used": 50_007, "overage": 7, "plan": "starter", "included": 50_000 },
                { "month": "2026-10", "used": 3, "lost": 12, "overage": 0, "plan": "free", "included": 10_000 },
            ],
        })
    }

    #[test]
    fn a_key() {
        let expect = "\
key        gck_a
name       Shop[2J
account    a-1
client id  app_x
plan       starter: 180 a minute, 50000 a month
status     enabled
addresses  10.0.0.0/8, ::1/128
domains    any
created    2026-11-20T12:00:00.000Z
used       50007 in 2026-11, 7 beyond the plan
used       3 in 2026-10, 12 lost";
        assert_eq!(outcome(&key()), expect);
        let mut made = key();
        made["apiSecret"] = "gcs_once".into();
        assert!(outcome(&made).contains("secret     gcs_once  (shown this once, keep it now)\n"));
        assert_eq!(outcome(&Value::Null), "deleted");
        let mut placed = key();
        placed["location"] = "weur".into();
        assert!(outcome(&placed).contains("\nlocation   weur\n"));
        let mut damaged = key();
        damaged["unreadable"] = 2.into();
        assert!(outcome(&damaged).ends_with("damaged    2 stored rows cannot be read and are not counted"));
    }

    #[test]
    fn tables() {
        assert!(list(&[]).contains("keys create"));
        let table = list(&[key()]);
        assert!(["gck_a", "a-1"].iter().all(|part| table.contains(part)) && !table.contains('\u{1b}'), "{table}");
        let table = usage(&[key()]);
        assert!(["50007", "starter", "2026-10", "free"].iter().all(|part| table.contains(part)), "{table}");
        assert_eq!(usage(&[json!({ "usage": [] })]), "Nothing was used yet.");
    }
}
