//! Pins the bytes of everything that is stored or sent between Workers and objects of different versions:
//! `toponym_edge::durable::rows` has the rules.
//!
//! A pin is the current format, which every later version must be able to read. When a format changes, its pin moves to
//! the old ones.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::IpAddr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use toponym_edge::auth::credentials::{Proof, SecretHash};
use toponym_edge::auth::keyring::Keyring;
use toponym_edge::auth::restriction::{Caller, Restrictions};
use toponym_edge::durable::billing::{Billing, Closed};
use toponym_edge::durable::directory::{DirectoryRequest, Listed};
use toponym_edge::durable::location::Location;
use toponym_edge::durable::message::{Command, Envelope, KeyTerms, Reply};
use toponym_edge::durable::record::{KeyRecord, KeyView, MonthUsage, Patch};
use toponym_edge::durable::tables;
use toponym_edge::meter::Standing;
use toponym_edge::meter::allowance::{Allowance, MonthLeft};
use toponym_edge::meter::exchanges::{SavedExchanges, Source};
use toponym_edge::meter::lease::granted::GrantedLease;
use toponym_edge::meter::lease::{IsolateQuestion, Lease, Report};
use toponym_edge::meter::ledger::Saved;
use toponym_edge::meter::month::Month;
use toponym_edge::meter::plan::{Overrides, Plan};
use toponym_edge::meter::window::Opening;
use toponym_edge::metrics::board::{Answer, Hour, Last, Message, Register};
use toponym_edge::metrics::bucket::Bucket;
use toponym_edge::metrics::counts::Counts;
use toponym_edge::metrics::report::{self, Probes};
use toponym_edge::metrics::snapshot::Snapshot;
use toponym_edge::metrics::tally::Batch;
use toponym_edge::refusal::Refusal;
use toponym_engine::coverage::{Continent, CountryCoverage, PlacesByKind};

use super::support::{NOON, RING};

/// Checks that a value is written as `json`, and read from it; also when each object at `objects` holds a field that a
/// later version added.
fn pin<T: Serialize + DeserializeOwned>(value: &T, json: Value, objects: &[&str]) {
    assert_eq!(serde_json::to_value(value).expect("JSON"), json);
    let read = |json: &Value| {
        let read: T = serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{error}: {json}"));
        serde_json::to_value(read).expect("JSON")
    };
    assert_eq!(read(&json), json);
    for path in objects {
        let mut later = json.clone();
        let object = later.pointer_mut(path).and_then(Value::as_object_mut);
        object.unwrap_or_else(|| panic!("no object at {path:?}: {json}")).insert("ofLater".into(), json!({ "x": [1] }));
        assert_eq!(read(&later), json, "a field at {path:?} that is not known");
    }
}

/// Checks that a form of an earlier version is read as `value`.
fn old<T: DeserializeOwned + PartialEq + Debug>(json: Value, value: &T) {
    assert_eq!(&serde_json::from_value::<T>(json.clone()).unwrap_or_else(|error| panic!("{error}: {json}")), value);
}

fn restrictions() -> Restrictions {
    let network = "203.0.113.0/24".parse().expect("a network");
    Restrictions { ips: vec![network], domains: vec!["*.shop.test".into()] }
}

fn record() -> KeyRecord {
    KeyRecord {
        client_id: "app_x".into(),
        account: "a-1".into(),
        name: "Shop".into(),
        plan: Plan::PayAsYouGo,
        overrides: Overrides { per_minute: Some(7), per_month: Some(70) },
        enabled: true,
        restrictions: restrictions(),
        secret: SecretHash { pepper: "p1".into(), hash: "aGFzaA".into() },
        created_ms: NOON,
        location: Location::try_from("weur".to_owned()).ok(),
        moves: 2,
    }
}

#[test]
fn records_of_keys() {
    let json = json!({
        "clientId": "app_x", "account": "a-1", "name": "Shop", "plan": "pay-as-you-go",
        "overrides": { "perMinute": 7, "perMonth": 70 }, "enabled": true,
        "restrictions": { "ips": ["203.0.113.0/24"], "domains": ["*.shop.test"] },
        "secret": { "pepper": "p1", "hash": "aGFzaA" }, "createdMs": NOON, "location": "weur", "moves": 2,
    });
    pin(&record(), json, &["", "/overrides", "/restrictions", "/secret"]);
    let overrides = Overrides::default();
    let restrictions = Restrictions::default();
    let bare = KeyRecord { overrides, restrictions, location: None, moves: 0, ..record() };
    old(
        json!({
            "clientId": "app_x", "account": "a-1", "name": "Shop", "plan": "pay-as-you-go", "enabled": true,
            "secret": { "pepper": "p1", "hash": "aGFzaA" }, "createdMs": NOON,
        }),
        &bare,
    );
    let names = Plan::ALL.map(|plan| serde_json::to_value(plan).expect("JSON"));
    assert_eq!(json!(names), json!(["free", "pay-as-you-go", "starter", "growth", "enterprise"]));
}

#[test]
fn months() {
    pin(&Billing { plan: Plan::Starter, included: Some(5) }, json!({ "plan": "starter", "included": 5 }), &[""]);
    pin(&Billing { plan: Plan::Enterprise, included: None }, json!({ "plan": "enterprise" }), &[""]);
    let starter = Billing { plan: Plan::Starter, included: None };
    assert_eq!(read_closed(None).expect("a row of an earlier version"), (Month(24_323), None));
    assert_eq!(read_closed(Some(r#"{"plan":"starter"}"#)).expect("a row"), (Month(24_323), Some(starter)));
    assert!(read_closed(Some("x")).is_err() && read_closed(Some(r#"{"plan":"platinum"}"#)).is_err());
    assert_eq!(Month(24_323).name(), "2026-12");
}

fn read_closed(billing: Option<&str>) -> serde_json::Result<(Month, Option<Billing>)> {
    Closed::read(24_323, 9, billing).map(|closed| (closed.month, closed.billing))
}

#[test]
fn counts_of_keys() {
    let grant = GrantedLease { id: 7, ends_ms: NOON + 1_000, units: 20, month: Month(24_323) };
    let saved = Saved {
        counted_ms: NOON,
        slots: vec![(17_951_760_000, 3)],
        month: Month(24_323),
        used: 9,
        reserve: 5,
        until_ms: NOON + 5_000,
        grants: vec![grant],
        lost: vec![(Month(24_322), 2)],
    };
    let json = json!({
        "counted_ms": NOON, "slots": [[17_951_760_000_u64, 3]], "month": 24_323, "used": 9, "reserve": 5,
        "until_ms": NOON + 5_000, "grants": [{ "id": 7, "ends_ms": NOON + 1_000, "units": 20, "month": 24_323 }],
        "lost": [[24_322, 2]],
    });
    pin(&saved, json, &["", "/grants/0"]);
    let quiet = Saved { reserve: 0, until_ms: 0, grants: Vec::new(), lost: Vec::new(), ..saved };
    let json = json!({ "counted_ms": NOON, "slots": [[17_951_760_000_u64, 3]], "month": 24_323, "used": 9 });
    pin(&quiet, json, &[""]);
    let exchanges = SavedExchanges { now_ms: NOON, right: vec![(5, 1)], wrong: vec![(6, Source(9), 2)] };
    pin(&exchanges, json!({ "now_ms": NOON, "right": [[5, 1]], "wrong": [[6, 9, 2]] }), &[""]);
}

#[test]
fn the_directory() {
    let listed = Listed::new("gck_a".into(), "a-1".into(), "Shop".into());
    let json = json!({ "apiKey": "gck_a", "account": "a-1", "name": "Shop" });
    pin(&listed, json.clone(), &[""]);
    assert_eq!(Listed::read("gck_a".into(), &json.to_string()), listed);
    let unreadable = Listed { unreadable: true, ..Listed::new("gck_a".into(), String::new(), String::new()) };
    for damaged in ["", "x", "{}", "[]"] {
        assert_eq!(Listed::read("gck_a".into(), damaged), unreadable, "{damaged}");
    }
    pin(&DirectoryRequest::Add(listed.clone()), json!({ "add": json }), &["/add"]);
    let billing = Some(Billing { plan: Plan::Free, included: Some(10_000) });
    let used = MonthUsage { month: "2026-11".into(), used: 3, lost: 0, overage: 0, billing };
    let used_json = json!({ "month": "2026-11", "used": 3, "overage": 0, "plan": "free", "included": 10_000 });
    let mut buried = json.clone();
    buried["usage"] = json!([used_json]);
    pin(&DirectoryRequest::Bury(Listed { usage: vec![used], ..listed.clone() }), json!({ "bury": buried }), &["/bury"]);
    pin(&DirectoryRequest::ListDeleted { after: "gck_a".into() }, json!({ "list_deleted": { "after": "gck_a" } }), &[]);
    pin(&DirectoryRequest::Remove("gck_a".into()), json!({ "remove": "gck_a" }), &[]);
    pin(&DirectoryRequest::List { after: "gck_a".into() }, json!({ "list": { "after": "gck_a" } }), &["/list"]);
}

#[test]
fn questions_to_keys() {
    let caller = Caller { ip: "203.0.113.7".parse::<IpAddr>().ok(), page_host: Some("shop.test".into()) };
    let from = json!({ "ip": "203.0.113.7", "page_host": "shop.test" });
    pin(
        &envelope(Command::Charge { cost: 3, caller: caller.clone(), question: None }),
        sent_envelope(json!({ "charge": { "cost": 3, "caller": from } })),
        &["", "/command/charge", "/command/charge/caller"],
    );
    let question =
        IsolateQuestion { id: 7, seen: 20, types: true, reports: vec![Report { id: 6, units: 9 }], back: vec![5] };
    let asked = json!({ "id": 7, "seen": 20, "types": true, "used": [{ "id": 6, "units": 9 }], "back": [5] });
    let bare = IsolateQuestion { id: 7, seen: 0, types: false, reports: Vec::new(), back: Vec::new() };
    pin(&bare, json!({ "id": 7, "seen": 0 }), &[""]);
    pin(
        &envelope(Command::Charge { cost: 3, caller: caller.clone(), question: Some(Box::new(question)) }),
        sent_envelope(json!({ "charge": { "cost": 3, "caller": from, "ask": asked } })),
        &["/command/charge/ask", "/command/charge/ask/used/0"],
    );
    let nowhere = json!({ "ip": null, "page_host": null });
    pin(
        &envelope(Command::Charge { cost: 0, caller: Caller::default(), question: None }),
        sent_envelope(json!({ "charge": { "cost": 0, "caller": nowhere } })),
        &[],
    );
    let peppers = Keyring::parse(RING).expect("a ring");
    let proof = json!({ "k1": "eyKMImie/XS5W67oOG8reQpekBQsvYkiYczeTvIz5Jg" });
    pin(
        &envelope(Command::Exchange { proof: Proof::new("gcs_x", &peppers), caller }),
        sent_envelope(json!({ "exchange": { "proof": proof, "caller": from } })),
        &["", "/command/exchange", "/command/exchange/caller"],
    );
    let stored = serde_json::to_value(record()).expect("JSON");
    pin(
        &envelope(Command::Create(Box::new(record()))),
        sent_envelope(json!({ "create": stored })),
        &["/command/create"],
    );
    let patch = Patch { plan: Some(Plan::Growth), enabled: Some(false), ..Patch::default() };
    let changed = json!({
        "account": null, "name": null, "plan": "growth", "overrides": null, "enabled": false, "restrictions": null,
        "secret": null,
    });
    pin(&envelope(Command::Change(Box::new(patch))), sent_envelope(json!({ "change": changed })), &["/command/change"]);
    pin(&envelope(Command::Show), sent_envelope(json!("show")), &[""]);
    pin(&envelope(Command::Delete), sent_envelope(json!("delete")), &[""]);
}

fn sent_envelope(command: Value) -> Value {
    json!({ "key": "gck_a", "not_after_ms": NOON, "command": command })
}

fn envelope(command: Command) -> Envelope {
    Envelope { key: "gck_a".into(), not_after_ms: NOON, command }
}

#[test]
fn replies_of_keys() {
    let standing = Standing { limit: 30, remaining: 4, reset: 100 };
    let stood = json!({ "limit": 30, "remaining": 4, "reset": 100 });
    let admitted = Reply::Admitted { client_id: "app_x".into(), standing, terms: None };
    let json = json!({ "admitted": { "client_id": "app_x", "standing": stood } });
    pin(&admitted, json, &["/admitted", "/admitted/standing"]);
    let terms = KeyTerms {
        enabled: true,
        restrictions: restrictions(),
        allowance: Allowance {
            at_ms: NOON,
            standing,
            month: Some(MonthLeft { units: 9, reset_ms: NOON + 1 }),
            openings: vec![Opening { cost: 4, at_ms: 0 }, Opening { cost: u32::MAX, at_ms: NOON + 60_100 }],
        },
        lease: None,
        lost: 0,
    };
    let terms_json = json!({
        "enabled": true,
        "restrictions": { "ips": ["203.0.113.0/24"], "domains": ["*.shop.test"] },
        "outlook": {
            "at_ms": NOON, "standing": stood, "month": { "units": 9, "reset_ms": NOON + 1 },
            "openings": [{ "cost": 4, "at_ms": 0 }, { "cost": 4_294_967_295_u32, "at_ms": NOON + 60_100 }],
        },
    });
    let allowance = "/refused/terms/outlook";
    let objects = ["/refused", "/refused/terms", "/refused/terms/restrictions", allowance];
    let deeper = [format!("{allowance}/standing"), format!("{allowance}/month"), format!("{allowance}/openings/1")];
    let objects: Vec<&str> = objects.into_iter().chain(deeper.iter().map(String::as_str)).collect();
    let refused = |refusal| Reply::Refused { refusal, standing, terms: Some(Box::new(terms.clone())) };
    let said = |refusal: Value| json!({ "refused": { "refusal": refusal, "standing": stood, "terms": terms_json } });
    pin(&refused(Refusal::Rate { retry_after: 7 }), said(json!({ "rate": { "retry_after": 7 } })), &objects);
    pin(
        &refused(Refusal::Month { reset_ms: NOON }),
        said(json!({ "month": { "reset_ms": NOON } })),
        &["/refused/refusal/month"],
    );
    for (refusal, name) in
        [(Refusal::Disabled, "disabled"), (Refusal::Ip, "ip"), (Refusal::Domain, "domain"), (Refusal::Secret, "secret")]
    {
        pin(&refused(refusal), said(json!(name)), &[]);
    }
    let leased =
        KeyTerms { lease: Some(Lease { id: 7, units: 20, ttl_ms: 1_000, ..Lease::NONE }), lost: 9, ..terms.clone() };
    let few = Lease { id: 7, units: 5, ttl_ms: 1_000, is_for_typing: true, ..Lease::NONE };
    pin(&few, json!({ "id": 7, "units": 5, "ttl_ms": 1_000, "is_for_typing": true }), &[""]);
    let crowded = json!({ "id": 0, "units": 0, "ttl_ms": 0, "is_crowded": true });
    pin(&Lease { is_crowded: true, ..Lease::NONE }, crowded, &[""]);
    let mut leased_json = terms_json.clone();
    leased_json["lease"] = json!({ "id": 7, "units": 20, "ttl_ms": 1_000 });
    leased_json["lost"] = json!(9);
    pin(&leased, leased_json, &["/lease"]);
    let bare = Reply::Refused { refusal: Refusal::Secret, standing, terms: None };
    old(json!({ "refused": { "refusal": "secret", "standing": stood } }), &bare);
    let others = [
        (Reply::Deleted, "deleted"),
        (Reply::Exists, "exists"),
        (Reply::UnknownKey, "unknown_key"),
        (Reply::Unreadable, "unreadable"),
        (Reply::Late, "late"),
    ];
    for (reply, name) in others {
        pin(&reply, json!(name), &[]);
    }
}

#[test]
fn what_is_shown_of_keys() {
    let month = |billing| MonthUsage { month: "2026-11".into(), used: 5, lost: 0, overage: 2, billing };
    let view = |billing| KeyView {
        client_id: "app_x".into(),
        account: "a-1".into(),
        name: "Shop".into(),
        plan: Plan::Starter,
        per_minute: 180,
        per_month: Some(3),
        enabled: true,
        restrictions: Restrictions::default(),
        created_at: "2026-11-20T12:00:00.000Z".into(),
        location: Location::try_from("oc".to_owned()).ok(),
        usage: vec![month(billing)],
        unreadable: 0,
    };
    let billing = Some(Billing { plan: Plan::Starter, included: Some(3) });
    let usage = json!({ "month": "2026-11", "used": 5, "overage": 2, "plan": "starter", "included": 3 });
    pin(&Reply::Shown(Box::new(view(billing))), shown_json(usage), &["/shown", "/shown/usage/0"]);
    old(shown_json(json!({ "month": "2026-11", "used": 5, "overage": 2 })), &Reply::Shown(Box::new(view(None))));
    let unreadable = serde_json::to_value(KeyView { unreadable: 2, ..view(None) }).expect("JSON");
    assert_eq!(unreadable["unreadable"], 2);
}

fn shown_json(usage: Value) -> Value {
    json!({ "shown": {
            "clientId": "app_x", "account": "a-1", "name": "Shop", "plan": "starter", "perMinute": 180, "perMonth": 3,
            "enabled": true, "restrictions": { "ips": [], "domains": [] }, "createdAt": "2026-11-20T12:00:00.000Z",
            "location": "oc", "usage": [usage],
        } })
}

#[test]
fn metrics() {
    let mut counts = Counts::default();
    [(200, 5), (404, 5), (503, 300)].into_iter().for_each(|(status, ms)| counts.record(status, ms));
    let counted = json!({ "good": 1, "refused": 1, "failed": 1, "latencies": [[5, 2], [301, 1]] });
    pin(&counts, counted.clone(), &[""]);
    let mut metered = Counts::default();
    metered.metering.record(31, Some(30));
    metered.metering.lost = 9;
    let metering = json!({ "object": [[30, 1]], "rest": [[1, 1]], "lost": 9 });
    let json = json!({ "good": 0, "refused": 0, "failed": 0, "latencies": [], "metering": metering });
    pin(&metered, json, &["", "/metering"]);
    let bucket = Bucket::of(NOON);
    let batch = Batch { isolate: 9, sequence: 2, counts: vec![(bucket, counts.clone())] };
    let json = json!({ "isolate": 9, "sequence": 2, "counts": [[bucket.0, counted]] });
    pin(&batch, json.clone(), &["", "/counts/0/1"]);
    pin(&Message::Samples(batch), json!({ "samples": json }), &["/samples", "/samples/counts/0/1"]);
    let hour = Hour { sums: BTreeMap::from([(bucket, counts.clone())]), probed: 5, good: 4 };
    pin(&hour, json!({ "sums": { bucket.0.to_string(): counted }, "probed": 5, "good": 4 }), &[""]);
    let last = BTreeMap::from([(9_u64, Last { sequence: 2, at_ms: NOON })]);
    let register = Register { last, first_probe: Some(7) };
    let json = json!({ "last": { "9": { "sequence": 2, "at_ms": NOON } }, "first_probe": 7 });
    pin(&register, json, &["", "/last/9"]);
    let probe = json!({ "probe": { "at_ms": NOON, "good": true } });
    pin(&Message::Probe { at_ms: NOON, good: true }, probe, &["/probe"]);
    pin(&Message::Metrics, json!("metrics"), &[]);
    pin(&Message::Metering, json!("metering"), &[]);
    pin(&Message::History { hours: 24 }, json!({ "history": { "hours": 24 } }), &["/history"]);
    pin(&Message::Coverage, json!("coverage"), &[]);
    pin(&Answer::Noted, json!("noted"), &[]);
    let metrics = report::metrics(&counts, Probes::default());
    let shown = json!({ "metrics": {
        "period": "last_24h", "window": "5m", "latency": { "p50": 5, "p95": 301, "p99": 301 },
        "requests": { "total": 3, "successRate": 66.666, "errorRate": 33.334 },
        "availability": { "uptime": 66.666 },
    } });
    pin(&Answer::Metrics(metrics), shown, &["/metrics", "/metrics/latency", "/metrics/requests"]);
    let shown = serde_json::to_value(Answer::Metering(report::metering(&metered))).expect("JSON");
    let part = json!({ "requests": 1, "latency": { "p50": 30, "p95": 30, "p99": 30 } });
    assert_eq!((&shown["metering"]["object"], &shown["metering"]["lostUnits"]), (&part, &json!(9)));
    assert_eq!(shown["metering"]["histogram"][5], json!({ "upToMs": 50, "object": 1, "rest": 0 }));
    let _: Answer = serde_json::from_value(shown).expect("an answer");
    let history = report::history(24, [(bucket, &counts)].into_iter());
    let point = json!({ "timestamp": "2026-11-20T12:00:00.000Z", "p95": 301, "successRate": 66.666 });
    let shown = json!({ "history": { "period": "last_24h", "window": "5m", "points": [point] } });
    pin(&Answer::History(history), shown, &["/history", "/history/points/0"]);
}

#[test]
fn coverage() {
    let france = CountryCoverage {
        code: "FR".into(),
        name: "France".into(),
        continent: Continent::NorthAmerica,
        population: 67_000_000,
        people_in_places: 50_000_000,
        cities: 5,
        cities_with_sites: 4,
        by_kind: PlacesByKind { cities: 6, quarters: 1, airports: 1, stations: 0, landmarks: 2, regions: 4 },
    };
    let snapshot = Box::new(Snapshot { at_ms: NOON, countries: vec![france] });
    let country = json!({
        "code": "FR", "name": "France", "continent": "northAmerica", "population": 67_000_000,
        "people_in_places": 50_000_000, "cities": 5, "cities_with_sites": 4,
        "by_kind": { "cities": 6, "quarters": 1, "airports": 1, "stations": 0, "landmarks": 2, "regions": 4 },
    });
    let json = json!({ "at_ms": NOON, "countries": [country] });
    pin(&*snapshot, json.clone(), &["", "/countries/0", "/countries/0/by_kind"]);
    pin(&Message::Refresh(snapshot.clone()), json!({ "refresh": json }), &["/refresh"]);
    pin(&Answer::Coverage(Some(snapshot)), json!({ "coverage": json }), &["/coverage"]);
    pin(&Answer::Coverage(None), json!({ "coverage": null }), &[]);
}

/// Checks the tables with their columns, and the columns that came later: those may be NULL.
#[test]
fn columns() {
    assert_eq!(
        columns_of(tables::KEY),
        [
            "record (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL)",
            "counts (id INTEGER PRIMARY KEY, json TEXT NOT NULL)",
            "months (month INTEGER PRIMARY KEY, used INTEGER NOT NULL, billing TEXT)",
        ]
    );
    assert_eq!(
        columns_of(tables::DIRECTORY),
        ["keys", "deleted"].map(|name| format!("{name} (api_key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID"))
    );
    assert_eq!(
        columns_of(tables::BOARD),
        [
            "hours (hour INTEGER PRIMARY KEY, json TEXT NOT NULL)",
            "facts (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID",
        ]
    );
}

fn columns_of(sql: &str) -> Vec<String> {
    let statements = sql.split(';').map(str::trim).filter(|statement| !statement.is_empty());
    statements
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ").replace("CREATE TABLE IF NOT EXISTS ", ""))
        .collect()
}
