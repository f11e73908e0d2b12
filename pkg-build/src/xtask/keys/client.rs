//! The admin routes of one deployment, over HTTP.

use std::env;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

use super::super::vars;
use super::super::workspace::Workspace;
use super::request::Request;

/// The variable of a deployment's admin secret, in the environment and in the files of [`vars`].
pub const ADMIN_SECRET: &str = "TOPONYM_ADMIN_SECRET";

/// An admin route asks two objects in turn, each for a second and a half at most; the rest is for the way there.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);

/// A deployment with its admin secret, which nothing prints.
pub struct Client {
    agent: Agent,
    base: String,
    secret: String,
}

impl Client {
    /// The deployment at `url`, with the admin secret of the environment, else of the file that this repository keeps:
    /// the one of local runs for a local address, the one of `cargo xtask deploy` for any other.
    pub fn find(workspace: &Workspace, url: &str) -> Result<Self> {
        let base = base(url)?;
        let file = if is_local(&base) { workspace.dev_vars() } else { workspace.deploy_vars() };
        let secret = env::var(ADMIN_SECRET).ok().filter(|secret| !secret.is_empty());
        let secret = match secret {
            Some(secret) => secret,
            None => vars::read(&file)?.remove(ADMIN_SECRET).with_context(|| {
                format!(
                    "the admin secret of {base} is not known: set {ADMIN_SECRET}; {} does not hold it",
                    file.display()
                )
            })?,
        };
        Ok(Self::new(base, secret))
    }

    fn new(base: String, secret: String) -> Self {
        let config = Agent::config_builder().timeout_global(Some(LONGEST_ANSWER)).http_status_as_error(false);
        // A redirect could carry the secret to another host.
        Self { agent: config.max_redirects(0).build().into(), base, secret }
    }

    /// The answer to `request`: null where it has no body; an error for every status but 2xx.
    pub fn send(&self, request: &Request) -> Result<Value> {
        self.send_for(request)?.with_context(|| format!("{} has no such key", self.base))
    }

    /// Like [`Client::send`]; `None` where the key does not exist.
    pub fn send_for(&self, request: &Request) -> Result<Option<Value>> {
        let mut response = self.ask(request).with_context(|| unreachable(&self.base))?;
        let text = response.body_mut().read_to_string().context("the answer breaks off")?;
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let message = body["message"].as_str().unwrap_or("no message");
        match response.status().as_u16() {
            200..=299 => Ok(Some(body)),
            404 if message == "No such API key" => Ok(None),
            401 => bail!("{} takes another admin secret than the {ADMIN_SECRET} of here", self.base),
            404 => bail!(
                "{} has no admin routes ({message}): it was deployed without {ADMIN_SECRET}, or is no Toponym",
                self.base
            ),
            status => bail!("{} answers {status}: {message}", self.base),
        }
    }

    fn ask(&self, Request { method, target, body }: &Request) -> Result<Response<Body>> {
        let request = ureq::http::Request::builder()
            .method(*method)
            .uri(format!("{}{target}", self.base))
            .header("authorization", format!("Bearer {}", self.secret));
        Ok(match body {
            Some(body) => self.agent.run(request.header("content-type", "application/json").body(body.to_string())?)?,
            None => self.agent.run(request.body(())?)?,
        })
    }
}

fn unreachable(base: &str) -> String {
    let advice = if is_local(base) { ": `cargo xtask serve` runs it" } else { "" };
    format!("no answer from {base}{advice}")
}

/// Scheme and host of `url`. The admin secret travels unencrypted to this machine only.
fn base(url: &str) -> Result<String> {
    let uri: Uri =
        url.parse().with_context(|| format!("{url} is no address such as https://toponym.example.workers.dev"))?;
    let host = uri.host().with_context(|| format!("{url} names no host: begin with https://"))?;
    ensure!(matches!(uri.path(), "" | "/") && uri.query().is_none(), "{url} must be an address without a path");
    ensure!(!uri.authority().is_some_and(|authority| authority.as_str().contains('@')), "{url} must not name a user");
    match uri.scheme_str() {
        Some("https") => {}
        Some("http") if LOOPBACK.contains(&host) => {}
        _ => bail!("{url} would carry the admin secret unencrypted: use https://"),
    }
    Ok(url.trim_end_matches('/').to_owned())
}

/// Names of this machine.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

fn is_local(base: &str) -> bool {
    base.parse::<Uri>().is_ok_and(|uri| uri.host().is_some_and(|host| LOOPBACK.contains(&host)))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{Ipv4Addr, TcpListener};

    use super::super::request::show;
    use super::*;

    /// Answers one request with `answer`: the result of the client, and what it sent.
    fn exchange(request: &Request, answer: &str) -> (Result<Option<Value>>, String) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
        let base = format!("http://{}", listener.local_addr().expect("it is bound"));
        std::thread::scope(|scope| {
            let server = scope.spawn(move || {
                let (mut stream, _) = listener.accept().expect("a request comes");
                let mut reader = BufReader::new(stream.try_clone().expect("a socket can be read and written"));
                let (mut sent, mut length) = (String::new(), 0);
                while !sent.ends_with("\r\n\r\n") {
                    let from = sent.len();
                    reader.read_line(&mut sent).expect("text");
                    if let Some(value) = sent[from..].to_ascii_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().expect("a number");
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).expect("as long as it says");
                stream.write_all(answer.as_bytes()).expect("the client waits");
                sent + &String::from_utf8(body).expect("text")
            });
            let result = Client::new(base, "hush".into()).send_for(request);
            (result, server.join().expect("the server ends"))
        })
    }

    fn answer(status: &str, body: &str) -> String {
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn the_secret_and_the_body_are_sent() {
        let request = Request { method: "PATCH", target: "/admin/keys/gck_a".into(), body: Some(Value::from(7)) };
        let (result, sent) = exchange(&request, &answer("200 OK", r#"{"apiKey":"gck_a"}"#));
        assert_eq!(result.expect("200").expect("a body")["apiKey"], "gck_a");
        assert!(sent.starts_with("PATCH /admin/keys/gck_a HTTP/1.1\r\n") && sent.ends_with("\r\n\r\n7"), "{sent}");
        assert!(sent.to_ascii_lowercase().contains("authorization: bearer hush"), "{sent}");
        let (result, sent) = exchange(&show("gck_a"), &answer("204 No Content", ""));
        assert_eq!(result.expect("204"), Some(Value::Null));
        assert!(sent.starts_with("GET /admin/keys/gck_a HTTP/1.1\r\n"), "{sent}");
    }

    #[test]
    fn failures_say_what_to_do_and_hide_the_secret() {
        let check = |answer: &str, part: &str| {
            let error = format!("{:#}", exchange(&show("gck_a"), answer).0.expect_err("a failure"));
            assert!(error.contains(part) && !error.contains("hush"), "{error}");
        };
        check(&answer("401 Unauthorized", r#"{"message":"Invalid token"}"#), "another admin secret");
        check(
            &answer("404 Not Found", r#"{"message":"Cannot GET /admin/keys/gck_a"}"#),
            "without TOPONYM_ADMIN_SECRET",
        );
        check(&answer("400 Bad Request", r#"{"message":"perMinute must be"}"#), "answers 400: perMinute must be");
        check(&answer("502 Bad Gateway", "<html>"), "answers 502: no message");
        check("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", "answers 302");
        check("", "no answer from http://127.0.0.1");
        let gone = exchange(&show("gck_a"), &answer("404 Not Found", r#"{"message":"No such API key"}"#)).0;
        assert_eq!(gone.expect("no failure"), None);
    }

    #[test]
    fn addresses() {
        let check = |url: &str, expect: Result<&str, &str>| match (base(url), expect) {
            (Ok(got), Ok(expect)) => assert_eq!(got, expect),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{url}: {error}"),
            (got, _) => panic!("{url}: {got:?}"),
        };
        check("https://toponym.example.workers.dev/", Ok("https://toponym.example.workers.dev"));
        check("http://localhost:8787", Ok("http://localhost:8787"));
        check("http://[::1]:8787", Ok("http://[::1]:8787"));
        check("http://example.com", Err("unencrypted"));
        check("http://127.0.0.1.example.com", Err("unencrypted"));
        check("https://example.com/v1", Err("without a path"));
        check("https://user@example.com", Err("must not name a user"));
        check("example.com", Err("unencrypted"));
        check("", Err("is no address"));
        for (base, local) in
            [("http://127.0.0.1:8787", true), ("https://127.0.0.1.test", false), ("https://x.test", false)]
        {
            assert_eq!(is_local(base), local, "{base}");
        }
    }
}
