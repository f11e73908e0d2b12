//! Normalises the address of a deployment, so that a secret is sent only to the deployment it belongs to.

use anyhow::{Context, Result, bail, ensure};
use toponym_edge::http::is_loopback;
use ureq::http::Uri;

/// Returns scheme, host and port of `url` in normalised form. Plain HTTP is only allowed for this machine, because it
/// would send the admin secret unencrypted.
pub fn base(url: &str) -> Result<String> {
    let uri: Uri =
        url.parse().with_context(|| format!("{url} is not an address such as https://toponym.example.workers.dev"))?;
    let host = uri.host().with_context(|| format!("{url} has no host: start it with https://"))?.to_ascii_lowercase();
    ensure!(matches!(uri.path(), "" | "/") && uri.query().is_none(), "{url} must be an address without a path");
    ensure!(!uri.authority().is_some_and(|authority| authority.as_str().contains('@')), "{url} must not name a user");
    let (scheme, usual_port) = match uri.scheme_str() {
        Some("https") => ("https", 443),
        Some("http") if is_loopback(&host) => ("http", 80),
        _ => bail!("{url} would carry the admin secret unencrypted: use https://"),
    };
    let port = uri.port_u16().filter(|port| *port != usual_port).map_or(String::new(), |port| format!(":{port}"));
    Ok(format!("{scheme}://{host}{port}"))
}

/// Tells whether the deployment at `base` runs on this machine.
pub fn is_local(base: &str) -> bool {
    base.parse::<Uri>().is_ok_and(|uri| uri.host().is_some_and(is_loopback))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        check("https://toponym.example.workers.dev/", Ok("https://toponym.example.workers.dev"));
        check("HTTPS://Toponym.Example.workers.dev:443", Ok("https://toponym.example.workers.dev"));
        check("https://example.com:8443/", Ok("https://example.com:8443"));
        check("http://localhost:8787", Ok("http://localhost:8787"));
        check("http://[::1]:8787", Ok("http://[::1]:8787"));
        check("http://example.com", Err("unencrypted"));
        check("http://127.0.0.1.example.com", Err("unencrypted"));
        check("https://example.com/v1", Err("without a path"));
        check("https://user@example.com", Err("must not name a user"));
        check("example.com", Err("unencrypted"));
        check("", Err("is not an address"));
        for (base, local) in
            [("http://127.0.0.1:8787", true), ("https://127.0.0.1.test", false), ("https://x.test", false)]
        {
            assert_eq!(is_local(base), local, "{base}");
        }
    }

    fn check(url: &str, expect: Result<&str, &str>) {
        match (base(url), expect) {
            (Ok(got), Ok(expect)) => assert_eq!(got, expect),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{url}: {error}"),
            (got, _) => panic!("{url}: {got:?}"),
        }
    }
}
