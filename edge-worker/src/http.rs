//! The request as plain values, without platform types.

use std::fmt;
use std::future::Future;
use std::net::{IpAddr, Ipv6Addr};

/// The headers that the service reads. No others are copied, so that no handler can depend on them.
pub const READ_HEADERS: [&str; 6] =
    ["authorization", "origin", "referer", "if-none-match", "cf-ray", "accept-language"];

/// The header in which the platform states the caller's address; `X-Forwarded-For` is the caller's own claim and never
/// read.
pub const CONNECTING_IP: &str = "cf-connecting-ip";

/// A request. Debug hides its headers, which contain tokens, and its query string, which contains the search text.
pub struct Request<B> {
    /// As sent: `GET`, `HEAD`, or anything else.
    pub method: String,
    /// True if the request came by HTTPS.
    pub is_secure: bool,
    /// Host name without port, lower case.
    pub host: String,
    /// Path as the platform normalises it, still percent-encoded.
    pub path: String,
    /// Query string without its `?`, still percent-encoded; empty when there is none.
    pub query: String,
    /// The headers of [`READ_HEADERS`] that were sent, names in lower case; repeated ones joined by `, `.
    pub headers: Vec<(&'static str, String)>,
    /// The caller's address as the platform states it.
    pub ip: Option<IpAddr>,
    /// The body, not read yet.
    pub body: B,
}

impl<B> Request<B> {
    /// Returns the value of a header of [`READ_HEADERS`].
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }
}

impl<B> fmt::Debug for Request<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({} {})", self.method, self.path)
    }
}

/// Host names of the local machine, as written in a URL.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Tells whether `host` is this machine.
pub fn is_loopback(host: &str) -> bool {
    LOOPBACK.contains(&host)
}

/// Ends of names that no public host has (RFC 6761, RFC 6762, RFC 8375, and `internal` by ICANN).
const PRIVATE_DOMAINS: [&str; 5] = [".localhost", ".local", ".internal", ".test", ".home.arpa"];

/// Tells whether `host` is this machine or another one of its own network, by its name: a deployment never has such a host.
pub fn is_private_host(host: &str) -> bool {
    let literal = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    match parse_ip(literal) {
        Some(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Some(IpAddr::V6(ip)) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
        None => !host.contains('.') || PRIVATE_DOMAINS.iter().any(|domain| host.ends_with(domain)),
    }
}

/// Splits a URL into scheme, host, path and query string. The platform writes it absolute, normalised, and never with a
/// user. The host is without its port; the query string without its `?`, and empty where there is none.
pub fn split_url(url: &str) -> Option<(&str, &str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let rest = rest.split('#').next()?;
    let (authority, target) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let after_address = authority.rfind(']').map_or(0, |end| end + 1);
    let port = authority[after_address..].find(':').map_or(authority.len(), |at| after_address + at);
    Some((scheme, &authority[..port], path, query))
}

/// A body that is read once, and never further than a cap.
pub trait Body {
    /// Reads the whole body, or returns an error as soon as it is longer than `cap` bytes. The length is counted while
    /// reading, not taken from a header.
    fn read(self, cap: usize) -> impl Future<Output = Result<Vec<u8>, BodyError>>;
}

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// Longer than the cap.
    TooLarge,
    /// The connection broke while reading.
    Broken,
    /// There is no room for it besides the bodies of other requests.
    NoRoom,
}

/// Reads an address in its plain form: an IPv4 address that arrives mapped into IPv6 is the IPv4 address.
pub fn parse_ip(text: &str) -> Option<IpAddr> {
    text.trim().parse::<IpAddr>().ok().map(|ip| ip.to_canonical())
}

/// Returns the network of an address, as text: the address itself, or the /64 of an IPv6 address, because one
/// subscriber has at least a /64. `unknown` without an address.
pub fn network_of(ip: Option<IpAddr>) -> String {
    match ip {
        Some(IpAddr::V4(ip)) => ip.to_string(),
        Some(IpAddr::V6(ip)) => format!("{}/64", Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64)),
        None => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_urls() {
        check_url("https://api.test/", Some(("https", "api.test", "/", "")));
        check_url("http://127.0.0.1:8787/v1/x?q=a%2Fb&r=?", Some(("http", "127.0.0.1", "/v1/x", "q=a%2Fb&r=?")));
        check_url("http://[::1]:8787/health", Some(("http", "[::1]", "/health", "")));
        check_url("http://[::1]/", Some(("http", "[::1]", "/", "")));
        check_url("https://api.test/x?", Some(("https", "api.test", "/x", "")));
        check_url("https://api.test/x?a=1#b?c", Some(("https", "api.test", "/x", "a=1")));
        check_url("https://api.test/x:y#z", Some(("https", "api.test", "/x:y", "")));
        check_url("api.test", None);
    }

    fn check_url(url: &str, expect: Option<(&str, &str, &str, &str)>) {
        assert_eq!(split_url(url), expect, "{url}");
    }

    #[test]
    fn private_hosts() {
        let private = [
            "localhost",
            "127.0.0.1",
            "[::1]",
            "10.1.2.3",
            "192.168.0.7",
            "169.254.1.1",
            "[fd00::1]",
            "[fe80::1]",
            "laptop",
            "laptop.local",
            "api.test",
            "x.internal",
            "box.home.arpa",
            "app.localhost",
        ];
        private.into_iter().for_each(|host| assert!(is_private_host(host), "{host}"));
        let public = [
            "api.example.com",
            "8.8.8.8",
            "[2001:db8::1]",
            "toponym.workers.dev",
            "local.example",
            "xtest.",
            "notlocal.com",
        ];
        public.into_iter().for_each(|host| assert!(!is_private_host(host), "{host}"));
    }

    #[test]
    fn addresses_are_unmapped() {
        check_ip("203.0.113.7", Some("203.0.113.7"));
        check_ip("::ffff:203.0.113.7", Some("203.0.113.7"));
        check_ip("2001:DB8::1", Some("2001:db8::1"));
        check_ip("203.0.113.7, 10.0.0.1", None);
        check_ip("", None);
    }

    fn check_ip(text: &str, expect: Option<&str>) {
        assert_eq!(parse_ip(text).map(|ip| ip.to_string()).as_deref(), expect, "{text:?}");
    }

    #[test]
    fn networks() {
        check_network("203.0.113.7", "203.0.113.7");
        check_network("::ffff:203.0.113.7", "203.0.113.7");
        check_network("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64");
        check_network("2001:db8:1:2::ffff", "2001:db8:1:2::/64");
        check_network("2001:db8:1:3::", "2001:db8:1:3::/64");
        check_network("", "unknown");
    }

    fn check_network(text: &str, expect: &str) {
        assert_eq!(network_of(parse_ip(text)), expect, "{text:?}");
    }
}
