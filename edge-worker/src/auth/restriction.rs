//! Restricts a key to addresses and to hosts of web pages (decisions 12, 33 and 34).

use std::net::{IpAddr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::http::Request;
use crate::refusal::Refusal;

/// The origin of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The address, as the platform states it.
    pub ip: Option<IpAddr>,
    /// Host of the page that sent the request: from `Origin`, else from `Referer`. Empty, which no rule allows, if the
    /// header contains none, such as the `Origin: null` of a sandboxed page.
    pub page_host: Option<String>,
}

impl Caller {
    /// Reads the caller of a request.
    pub fn of<B>(request: &Request<B>) -> Self {
        let page = ["origin", "referer"].into_iter().find_map(|name| request.header(name));
        Self { ip: request.ip, page_host: page.map(|url| host_of_url(url).unwrap_or_default()) }
    }
}

/// The restrictions of a key; an empty list restricts nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Restrictions {
    /// Networks. A single address is a network of one.
    #[serde(deserialize_with = "networks")]
    pub ips: Vec<IpNet>,
    /// `example.com`, or `*.example.com` for every host below it but not itself; lower case, international names in
    /// their `xn--` form.
    pub domains: Vec<String>,
}

impl Restrictions {
    /// Tells whether `rule` can be one of [`Restrictions::domains`].
    pub fn is_domain_rule(rule: &str) -> bool {
        let host = rule.strip_prefix("*.").unwrap_or(rule);
        if rule.starts_with('[') {
            return ipv6_host(rule).is_some();
        }
        !host.is_empty()
            && !host.starts_with('.')
            && !host.ends_with('.')
            && host.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'))
    }

    /// Tells whether nothing is restricted.
    pub fn is_empty(&self) -> bool {
        self.ips.is_empty() && self.domains.is_empty()
    }

    /// Checks a geocoding request.
    pub fn check(&self, caller: &Caller) -> Result<(), Refusal> {
        self.check_ip(caller)?;
        self.check_domain(caller)
    }

    /// Checks a token exchange, which a server makes without any page.
    pub fn check_exchange(&self, caller: &Caller) -> Result<(), Refusal> {
        self.check_ip(caller)?;
        if caller.page_host.is_some() { self.check_domain(caller) } else { Ok(()) }
    }

    fn check_ip(&self, caller: &Caller) -> Result<(), Refusal> {
        if self.ips.is_empty() || caller.ip.is_some_and(|ip| self.ips.iter().any(|net| net.contains(&ip))) {
            Ok(())
        } else {
            Err(Refusal::Ip)
        }
    }

    fn check_domain(&self, caller: &Caller) -> Result<(), Refusal> {
        let host = caller.page_host.as_deref();
        if self.domains.is_empty() || host.is_some_and(|host| self.domains.iter().any(|rule| rule_covers(rule, host))) {
            Ok(())
        } else {
            Err(Refusal::Domain)
        }
    }
}

/// Reads networks, or single addresses, from text.
pub fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| network(text).map_err(D::Error::custom)).collect()
}

fn network(text: &str) -> Result<IpNet, String> {
    let network = text.parse::<IpAddr>().map(IpNet::from).or_else(|_| text.parse());
    let expected = "an address or a network such as 203.0.113.0/24 is expected";
    network.map(canonical).map_err(|_| format!("{expected}, not {text:?}"))
}

/// Bits in front of an IPv4 address that is mapped into IPv6.
const MAPPED_BITS: u8 = 96;

/// Turns a network of IPv4 addresses that are mapped into IPv6 into the network of those addresses: callers arrive
/// unmapped (decision 34).
fn canonical(network: IpNet) -> IpNet {
    let IpNet::V6(v6) = network else { return network };
    unmap(v6).map_or(network, IpNet::V4)
}

fn unmap(network: ipnet::Ipv6Net) -> Option<Ipv4Net> {
    Ipv4Net::new(network.addr().to_ipv4_mapped()?, network.prefix_len().checked_sub(MAPPED_BITS)?).ok()
}

fn rule_covers(rule: &str, host: &str) -> bool {
    match rule.strip_prefix("*.") {
        Some(parent) => host.strip_suffix(parent).is_some_and(|sub| sub.len() > 1 && sub.ends_with('.')),
        None => rule == host || ipv6_host(rule).is_some_and(|address| ipv6_host(host) == Some(address)),
    }
}

/// Reads the IPv6 address in the host of a URL, such as `[2001:db8::1]`. One address can be written in several ways.
fn ipv6_host(host: &str) -> Option<Ipv6Addr> {
    host.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Returns the host of a URL in lower case, without user, port and final dot; `None` for `null` and anything else that
/// is not a URL.
fn host_of_url(url: &str) -> Option<String> {
    let (_, rest) = url.trim().split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = if host.starts_with('[') { host.split_inclusive(']').next()? } else { host.split(':').next()? };
    let host = host.strip_suffix('.').unwrap_or(host);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restrictions(ips: &[&str], domains: &[&str]) -> Restrictions {
        let json = serde_json::json!({ "ips": ips, "domains": domains });
        serde_json::from_value(json).expect("test rules")
    }

    #[test]
    fn addresses() {
        check_address(&[], "", true);
        check_address(&["203.0.113.0/24"], "203.0.113.200", true);
        check_address(&["203.0.113.0/24"], "::ffff:203.0.113.200", true);
        check_address(&["203.0.113.0/24"], "203.0.114.1", false);
        check_address(&["203.0.113.0/24"], "", false);
        check_address(&["203.0.113.7/32", "2001:db8::/32"], "2001:db8:1::1", true);
        check_address(&["203.0.113.7/32", "2001:db8::/32"], "2001:db9::1", false);
        check_address(&["::ffff:203.0.113.0/120"], "203.0.113.200", true);
        check_address(&["::ffff:203.0.113.0/120"], "::ffff:203.0.113.200", true);
        check_address(&["::ffff:203.0.113.0/120"], "203.0.114.1", false);
        check_address(&["::ffff:203.0.113.7"], "203.0.113.7", true);
        check_address(&["::ffff:0:0/96"], "198.51.100.1", true);
        check_address(&["::ffff:0:0/96"], "2001:db8::1", false);
        check_address(&["::/0"], "2001:db8::1", true);
        check_address(&["::/0"], "203.0.113.7", false);
    }

    fn check_address(ips: &[&str], ip: &str, allowed: bool) {
        let caller = Caller { ip: crate::http::parse_ip(ip), page_host: None };
        let expect = if allowed { Ok(()) } else { Err(Refusal::Ip) };
        assert_eq!(restrictions(ips, &[]).check(&caller), expect, "{ip} in {ips:?}");
    }

    #[test]
    fn domains() {
        check_page(&[], "", true);
        check_page(&["example.com"], "https://example.com", true);
        check_page(&["example.com"], "https://EXAMPLE.com.:8443/path?x#y", true);
        check_page(&["example.com"], "https://www.example.com", false);
        check_page(&["example.com"], "https://example.com.evil.net", false);
        check_page(&["example.com"], "https://example.com@evil.net/", false);
        check_page(&["example.com"], "null", false);
        check_page(&["example.com"], "", false);
        check_page(&["*.example.com"], "https://a.b.example.com", true);
        check_page(&["*.example.com"], "https://example.com", false);
        check_page(&["*.example.com"], "https://evilexample.com", false);
        check_page(&["*.example.com"], "https://.example.com", false);
        check_page(&["*.example.com", "localhost"], "http://localhost:3000", true);
        check_page(&["[::1]"], "http://[::1]:3000/", true);
        check_page(&["[2001:DB8:0::1]"], "http://[2001:db8::1]/", true);
        check_page(&["[::ffff:192.0.2.1]"], "http://[::ffff:c000:201]/", true);
        check_page(&["[2001:db8::1]"], "http://[2001:db8::2]/", false);
        check_page(&["[2001:db8::1]"], "http://2001:db8::1/", false);
    }

    fn check_page(domains: &[&str], page: &str, allowed: bool) {
        let caller = Caller { ip: None, page_host: host_of_url(page) };
        let expect = if allowed { Ok(()) } else { Err(Refusal::Domain) };
        assert_eq!(restrictions(&[], domains).check(&caller), expect, "{page} in {domains:?}");
    }

    #[test]
    fn an_empty_list_restricts_nothing() {
        check_empty(&[], &[], true);
        check_empty(&["203.0.113.7"], &[], false);
        check_empty(&[], &["example.com"], false);
        check_empty(&["203.0.113.7"], &["example.com"], false);
    }

    fn check_empty(ips: &[&str], domains: &[&str], expect: bool) {
        assert_eq!(restrictions(ips, domains).is_empty(), expect, "{ips:?} {domains:?}");
    }

    #[test]
    fn rules_as_an_operator_writes_them() {
        let parsed = parse(r#"{"ips":["203.0.113.7","::ffff:203.0.113.8","2001:db8::/32"]}"#).expect("good rules");
        assert_eq!(texts(&parsed), ["203.0.113.7/32", "203.0.113.8/32", "2001:db8::/32"]);
        let mapped = parse(r#"{"ips":["::ffff:203.0.113.0/120","::ffff:0:0/95"]}"#).expect("good rules");
        assert_eq!(texts(&mapped), ["203.0.113.0/24", "::ffff:0.0.0.0/95"]);
        assert_eq!(parse(&serde_json::to_string(&parsed).expect("JSON")).expect("its own form"), parsed);
        for wrong in [r#"{"ips":["203.0.113.0/33"]}"#, r#"{"ips":["host"]}"#, r#"{"ips":7}"#] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        for rule in ["example.com", "*.example.com", "localhost", "xn--bcher-kva.example", "[::1]"] {
            check_rule(rule, true);
        }
        for rule in [
            "",
            "*",
            "*.",
            "https://example.com",
            "example.com:80",
            "Example.com",
            "a.*.com",
            ".example.com",
            "[]",
            "[::1][::1]",
            "[a.b]",
            "*.[::1]",
        ] {
            check_rule(rule, false);
        }
    }

    fn check_rule(rule: &str, good: bool) {
        assert_eq!(Restrictions::is_domain_rule(rule), good, "{rule:?}");
    }

    fn texts(rules: &Restrictions) -> Vec<String> {
        rules.ips.iter().map(ToString::to_string).collect::<Vec<_>>()
    }

    fn parse(json: &str) -> serde_json::Result<Restrictions> {
        serde_json::from_str::<Restrictions>(json)
    }

    #[test]
    fn an_exchange_without_origin_passes_domain_restrictions() {
        check_exchange_from(None, Ok(()));
        check_exchange_from(Some("example.com"), Ok(()));
        check_exchange_from(Some(""), Err(Refusal::Domain));
        check_exchange_from(Some("evil.net"), Err(Refusal::Domain));
    }

    fn check_exchange_from(page: Option<&str>, expect: Result<(), Refusal>) {
        let caller = Caller { ip: None, page_host: page.map(str::to_owned) };
        assert_eq!(restrictions(&[], &["example.com"]).check_exchange(&caller), expect, "{page:?}");
    }
}
