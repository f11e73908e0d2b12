//! Fuzz targets for the parts of a request that the Worker parses.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use toponym_edge::auth::bearer;
use toponym_edge::auth::keyring::Keyring;
use toponym_edge::auth::restriction::{Caller, Restrictions};
use toponym_edge::auth::token;
use toponym_edge::error::Failure;
use toponym_edge::etag::add_tag;
use toponym_edge::http::{Body, BodyError, Request, parse_ip, split_url};
use toponym_edge::query;
use toponym_edge::response::Response;
use toponym_edge::routes::parameters::Source;
use toponym_edge::routes::{batch, sla};
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::request::{
    AUTOCOMPLETE, FIELDS, FORWARD, Fields, Filters, Focus, Item, Lookup, MAX_ITEMS, NearOptions, Operation,
    PointRequest, Sought, Value as Raw,
};
use toponym_engine::{MAX_QUERY_CHARS, MAX_RADIUS_M};

use crate::support::{NOON, RING, run};

/// Reads a query string for every route. Values must be within the bounds of the contract, and a text must read the same
/// however it is escaped.
pub fn query(data: &[u8]) {
    let raw = String::from_utf8_lossy(data);
    let _ = query::read(&raw, &["query", "limit", "lat"]);
    for (route, most) in [(&FORWARD, 50), (&AUTOCOMPLETE, 10)] {
        let Ok(values) = Source::Query(&raw).values(route.operation, Some(&raw)) else { continue };
        let Ok(read) = route.read(&values) else { continue };
        match &read.sought {
            Sought::Text(text) => assert!(fits(text), "{read:?}"),
            Sought::Fields(fields) => {
                assert!(fields.as_structured().each().all(|(_, text)| fits(text)), "{read:?}");
                assert!(fields.as_structured().search(1).is_some(), "{read:?}");
            }
        }
        assert!((1..=most).contains(&read.limit), "{read:?}");
        if let Focus::At(focus) = read.options.focus {
            assert!(Coordinate::new(focus.lat(), focus.lon()).is_some(), "{read:?}");
        }
        check_filters(&read.options.filters);
    }
    if let Some(PointRequest { point: at, near }) = point(&raw) {
        assert!(Coordinate::new(at.lat(), at.lon()).is_some(), "{at:?}");
        let again = point(&format!("lat={}&lon={}", at.lat(), at.lon()));
        assert_eq!(again, Some(PointRequest { point: at, near: NearOptions::default() }), "rounding twice");
        assert!(near.radius_m.is_none_or(|radius_m| (1.0..=MAX_RADIUS_M).contains(&radius_m)), "{near:?}");
        assert!(near.limit.is_none_or(|limit| (1..=10).contains(&limit)), "{near:?}");
        check_filters(&near.options.filters);
    }
    for id in [None, Some(Raw::Text(raw.to_string()))] {
        let values = Source::Query(&raw).values(Operation::Place, Some(&raw));
        let _ = values.map(|values| Lookup::read(id.as_ref(), &values));
    }
    if let Ok(hours) = sla::hours(&raw) {
        assert!((1..=168).contains(&hours), "{hours} hours");
    }
    let escaped = utf8_percent_encode(&raw, NON_ALPHANUMERIC);
    for sent in [format!("query={escaped}"), format!("query={escaped}").replace("%20", "+")] {
        match query::read(&sent, &["query"]) {
            Ok(read) => assert_eq!(read, [Some(raw.to_string())], "{sent}"),
            Err(error) => assert_eq!(error, query::QueryError::TooLong, "{sent}"),
        }
    }
}

fn point(raw: &str) -> Option<PointRequest> {
    let values = Source::Query(raw).values(Operation::Reverse, Some(raw)).ok()?;
    PointRequest::read(&values).ok()
}

fn fits(text: &str) -> bool {
    (1..=MAX_QUERY_CHARS).contains(&text.chars().count()) && !text.trim().is_empty()
}

fn check_filters(filters: &Filters) {
    assert!(filters.countries.iter().flatten().all(u8::is_ascii_uppercase), "{filters:?}");
    assert!(filters.types.iter().all(|name| !name.is_empty()), "{filters:?}");
    assert!(
        filters.bounds.is_none_or(|Bounds { south, north, west, east }| {
            south <= north
                && [(south, west), (north, east)].iter().all(|&(lat, lon)| Coordinate::new(lat, lon).is_some())
        }),
        "{filters:?}"
    );
    assert!(filters.within != Some(0), "{filters:?}");
}

/// Reads headers, one per line: Authorization, the caller's address, Origin, Referer, If-None-Match, and the URL.
pub fn headers(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n');
    let mut next = || lines.next().unwrap_or_default();
    if let Ok(token) = bearer::token(Some(next())) {
        assert!(!token.is_empty() && !token.contains([' ', ',']), "{token:?}");
        let keys = Keyring::parse(RING).expect("the ring of the tests is good");
        let verified = token::verify(token, &keys, NOON);
        assert!(matches!(verified, Ok(_) | Err(Failure::InvalidToken | Failure::TokenExpired)), "{verified:?}");
    }
    let ip = parse_ip(next());
    if let Some(ip) = ip {
        assert_eq!(parse_ip(&ip.to_string()), Some(ip), "an address as it is written");
        assert_eq!(ip.to_canonical(), ip, "a mapped address");
    }
    let origin = next();
    let referer = next();
    for headers in
        [vec![("origin", origin)], vec![("referer", referer)], vec![("referer", referer), ("origin", origin)]]
    {
        let host = caller(ip, &headers).page_host.unwrap_or_default();
        assert!(!host.contains(['/', '@', '?', '#']) && !host.contains(|c: char| c.is_ascii_uppercase()), "{host:?}");
    }
    let status = add_tag(Response::json(&1).expect("a number is JSON"), Some(next())).status;
    assert!(matches!(status, 200 | 304), "{status}");
    if let Some((scheme, host, path, query)) = split_url(next()) {
        assert!(
            !scheme.contains("://")
                && !host.contains(['/', '?', '#'])
                && !path.contains(['?', '#'])
                && !query.contains('#')
        );
    }
}

/// Restrictions of a key as JSON, then the caller in lines as for [`headers`]. A rule must admit what it names, and rules
/// must survive being stored.
pub fn restrictions(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n');
    let mut next = || lines.next().unwrap_or_default();
    let Ok(rules) = serde_json::from_str::<Restrictions>(next()) else { return };
    let stored = serde_json::to_string(&rules).expect("rules are JSON");
    assert_eq!(serde_json::from_str::<Restrictions>(&stored).ok().as_ref(), Some(&rules), "{stored}");
    let ip = parse_ip(next());
    let origin = next();
    let referer = next();
    for headers in [vec![("origin", origin)], vec![("referer", referer)], vec![]] {
        let caller = caller(ip, &headers);
        let allowed = rules.check(&caller).is_ok();
        assert!(!allowed || rules.check_exchange(&caller).is_ok(), "an exchange asks no more than a request");
        assert!(!allowed || rules.domains.is_empty() || caller.page_host.is_some(), "a page is asked for");
        assert!(!allowed || rules.ips.is_empty() || caller.ip.is_some(), "an address is asked for");
    }
    let by_ip = Restrictions { domains: Vec::new(), ..rules.clone() };
    for net in &rules.ips {
        let first = parse_ip(&net.network().to_string());
        assert!(by_ip.check(&caller(first, &[])).is_ok(), "{net} does not hold {first:?}");
    }
    let by_page = Restrictions { ips: Vec::new(), ..rules.clone() };
    for rule in rules.domains.iter().filter(|rule| Restrictions::is_domain_rule(rule)) {
        let page = format!("https://{}:8443/page?x@y#z", rule.replace('*', "sub"));
        assert!(by_page.check(&caller(None, &[("origin", &page)])).is_ok(), "{rule} does not cover {page}");
    }
}

fn caller(ip: Option<std::net::IpAddr>, headers: &[(&'static str, &str)]) -> Caller {
    let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    let method = String::new();
    let host = String::new();
    let path = String::new();
    let query = String::new();
    Caller::of(&Request { method, is_secure: true, host, path, query, headers, ip, body: () })
}

struct Bytes(Vec<u8>);

impl Body for Bytes {
    async fn read(self, cap: usize) -> Result<Vec<u8>, BodyError> {
        if self.0.len() > cap { Err(BodyError::TooLarge) } else { Ok(self.0) }
    }
}

/// JSON errors that only a tree of values finds, in fields that the service ignores. They do not violate the grammar.
const BESIDES: [&str; 4] = [
    "recursion limit exceeded",
    "number out of range",
    "lone leading surrogate in hex escape",
    "unexpected end of hex escape",
];

/// Reads a body of batch, and compares it with a tree of JSON values (decisions 16 to 18).
pub fn bodies(data: &[u8]) {
    let read = run(batch::read(Bytes(data.to_vec()), "", None)).map(|batch| batch.items);
    let tree = serde_json::from_slice::<Value>(data);
    if tree.as_ref().is_err_and(|error| BESIDES.iter().any(|fault| error.to_string().starts_with(fault))) {
        return;
    }
    let tree = tree.ok();
    let values = tree.as_ref().and_then(|body| body.get("queries")).and_then(Value::as_array);
    let items: Option<Vec<Item>> = values.and_then(|values| values.iter().map(item).collect());
    match (read, items) {
        (Ok(read), Some(items)) => assert_eq!(read, items),
        (Ok(read), None) => panic!("these are not items: {read:?}"),
        (Err(failure), items) => {
            let expect = match items {
                _ if data.len() > batch::MAX_BODY => "request body must be at most 1048576 bytes",
                None => "queries must be an array of strings",
                Some(items) if items.is_empty() => "queries array cannot be empty",
                Some(items) if items.len() > MAX_ITEMS => "queries array must contain between 1 and 100 items",
                Some(items) => panic!("{} items are refused: {failure:?}", items.len()),
            };
            assert_eq!(failure.message(), expect);
        }
    }
}

/// Returns the item that a value is.
fn item(value: &Value) -> Option<Item> {
    if let Some(text) = value.as_str() {
        return Some(Item::Text(text.to_owned()));
    }
    let object = value.as_object()?;
    let named = FIELDS.map(|name| object.get(name));
    match (object.get("lat"), object.get("lon")) {
        (None, None) if named.iter().flatten().all(|value| value.is_string()) => {
            Fields::new(named.map(|value| value.and_then(Value::as_str).map(str::to_owned))).map(Item::Fields)
        }
        (Some(lat), Some(lon)) if named.iter().all(Option::is_none) => {
            Some(Item::Point { lat: lat.as_f64()?, lon: lon.as_f64()? })
        }
        _ => None,
    }
}
