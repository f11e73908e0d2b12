//! Tests that openapi.yaml is served and describes all routes.

use super::support::InMemory;

fn description() -> String {
    let response = InMemory::new().send("GET /openapi.yaml", "");
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/yaml")));
    assert_eq!(response.header("cache-control"), Some("public, max-age=3600"));
    String::from_utf8(response.body.expect("a body")).expect("text")
}

#[test]
fn who_has_it_gets_304() {
    let platform = InMemory::new();
    let tag = platform.send("GET /openapi.yaml", "").header("etag").expect("a tag").to_owned();
    let again = platform.send_with("GET /openapi.yaml/", &[("if-none-match", &tag)], "");
    assert_eq!((again.status, again.body), (304, None));
}

/// Checks each path with its method, by the indentation of the file.
#[test]
fn every_described_route_is_there() {
    let text = description();
    let platform = InMemory::new();
    let paths = &text[text.find("\npaths:\n").expect("paths")..text.find("\ncomponents:\n").expect("components")];
    let lines: Vec<&str> = paths.lines().filter(|line| !line.is_empty()).collect();
    let routes = lines.windows(2).filter_map(|pair| {
        let path = pair[0].strip_prefix("  ")?.strip_suffix(':').filter(|path| path.starts_with('/'))?;
        Some((path, pair[1].trim().strip_suffix(':')?.to_uppercase()))
    });
    let routes: Vec<(&str, String)> = routes.collect();
    assert_eq!(routes.len(), toponym_edge::router::routes().count(), "{routes:?}");
    for (path, method) in routes {
        let preflight = platform.send(&format!("OPTIONS {path}"), "");
        let methods = preflight.header("access-control-allow-methods").unwrap_or_default();
        assert!(preflight.status == 204 && methods.split(", ").any(|known| known == method), "{method} {path}");
    }
}
