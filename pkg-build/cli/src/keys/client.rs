//! HTTP client for the admin routes of a deployment.

use std::env;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use toponym_edge::config::check_admin_secret;
use ureq::http::Response;
use ureq::{Agent, Body};

use super::request::Request;
use crate::address::{base, is_local};
use crate::secrets::{self, ADMIN_SECRET};

/// An admin route queries two objects in turn, for at most 1.5 seconds each; the rest is for the network.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);

/// A deployment and its admin secret, which is never printed.
pub struct Client {
    agent: Agent,
    base: String,
    secret: String,
}

impl Client {
    /// Creates a client for the deployment at `url`. The admin secret comes from the environment, else from the
    /// repository's files: `.dev.vars` for a local address, `.deploy.vars` for the address that it belongs to. `bind`
    /// records `url` as that address.
    pub fn find(root: &Path, url: &str, bind: bool) -> Result<Self> {
        let base = base(url)?;
        let given = env::var(ADMIN_SECRET).ok().filter(|secret| !secret.is_empty());
        let secret = given.map_or_else(|| kept(root, &base, bind), Ok)?;
        check_admin_secret(&secret)
            .map_err(|error| anyhow!("the admin secret cannot be sent: it {}", error.problem))?;
        Ok(Self::new(base, secret))
    }

    fn new(base: String, secret: String) -> Self {
        let config = Agent::config_builder().timeout_global(Some(LONGEST_ANSWER)).http_status_as_error(false);
        // Do not follow redirects, which could send the secret to another host.
        Self { agent: config.max_redirects(0).build().into(), base, secret }
    }

    /// Sends `request` and returns the response: null if it has no body. Any status other than 2xx is an error.
    pub fn send(&self, request: &Request) -> Result<Value> {
        self.send_for(request)?.with_context(|| format!("{} has no such key", self.base))
    }

    /// Sends a request like [`Client::send`], but returns `None` if the key does not exist.
    pub fn send_for(&self, request: &Request) -> Result<Option<Value>> {
        let mut response = self.fetch(request).with_context(|| unreachable(&self.base))?;
        let text = response.body_mut().read_to_string().context("the response is incomplete")?;
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let message = body["message"].as_str().unwrap_or("no message");
        match response.status().as_u16() {
            200..=299 => Ok(Some(body)),
            404 if message == "No such API key" => Ok(None),
            401 => bail!("{} rejects this {ADMIN_SECRET}: it has another admin secret", self.base),
            404 => bail!(
                "{} has no admin routes ({message}): it was deployed without {ADMIN_SECRET}, or is not Toponym",
                self.base
            ),
            status => bail!("{} answers {status}: {message}", self.base),
        }
    }

    fn fetch(&self, Request { method, target, body }: &Request) -> Result<Response<Body>> {
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

/// Reads the admin secret in the repository's files for `base`.
fn kept(root: &Path, base: &str, bind: bool) -> Result<String> {
    let is_local = is_local(base);
    let file = if is_local { secrets::dev_file(root) } else { secrets::deploy_file(root) };
    let mut vars = secrets::read(&file)?;
    let secret = vars.remove(ADMIN_SECRET).with_context(|| {
        format!("the admin secret of {base} is not known: set {ADMIN_SECRET}; {} does not hold it", file.display())
    })?;
    if bind && !is_local {
        secrets::bind(&file, base)?;
    } else if !is_local {
        belongs(secrets::address(&vars), base)?;
    }
    Ok(secret)
}

/// Checks whether the secrets in `.deploy.vars`, which belong to the address `known`, may be sent to `base`.
fn belongs(known: Option<&str>, base: &str) -> Result<()> {
    match known {
        Some(known) if known == base => Ok(()),
        Some(known) => bail!(
            "the admin secret in .deploy.vars belongs to {known} and is not sent to {base}; if the service is there now, \
             confirm it with --bind, or set {ADMIN_SECRET} for this once"
        ),
        None => bail!(
            "the address of the admin secret in .deploy.vars is unknown; if it is {base}, confirm it with \
             --bind, or set {ADMIN_SECRET} for this once"
        ),
    }
}

fn unreachable(base: &str) -> String {
    let advice = if is_local(base) { ": `cargo xtask serve` runs it" } else { "" };
    format!("no answer from {base}{advice}")
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{Ipv4Addr, TcpListener};

    use super::super::request::show;
    use super::*;

    /// Serves one request with `answer`; returns the client's result and what it sent.
    fn exchange(request: &Request, answer: &str) -> (Result<Option<Value>>, String) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
        let base = format!("http://{}", listener.local_addr().expect("it is bound"));
        std::thread::scope(|scope| {
            let server = scope.spawn(move || {
                let (mut stream, _) = listener.accept().expect("a request comes");
                let mut reader = BufReader::new(stream.try_clone().expect("a socket can be read and written"));
                let mut sent = String::new();
                let mut length = 0;
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
    fn failures_advise_and_hide_the_secret() {
        check_advice(&answer("401 Unauthorized", r#"{"message":"Invalid token"}"#), "another admin secret");
        check_advice(
            &answer("404 Not Found", r#"{"message":"Cannot GET /admin/keys/gck_a"}"#),
            "without TOPONYM_ADMIN_SECRET",
        );
        check_advice(
            &answer("400 Bad Request", r#"{"message":"perMinute must be"}"#),
            "answers 400: perMinute must be",
        );
        check_advice(&answer("502 Bad Gateway", "<html>"), "answers 502: no message");
        check_advice("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", "answers 302");
        check_advice("", "no answer from http://127.0.0.1");
        let gone = exchange(&show("gck_a"), &answer("404 Not Found", r#"{"message":"No such API key"}"#)).0;
        assert_eq!(gone.expect("no failure"), None);
    }

    fn check_advice(answer: &str, part: &str) {
        let error = format!("{:#}", exchange(&show("gck_a"), answer).0.expect_err("a failure"));
        assert!(error.contains(part) && !error.contains("hush"), "{error}");
    }

    /// Checks what `find` does for `url` with the secret of `.deploy.vars`, which belongs to `known`.
    #[test]
    fn the_secret_goes_to_its_address_alone() {
        let own = "https://own.test";
        check_address(Some(own), "https://own.test", false, Ok(()));
        check_address(Some(own), "https://OWN.test:443/", false, Ok(()));
        check_address(
            Some(own),
            "https://evil.test",
            false,
            Err("belongs to https://own.test and is not sent to https://evil.test"),
        );
        check_address(Some(own), "https://own.test:8443", false, Err("is not sent to"));
        check_address(Some(own), "https://own.test.evil.test", false, Err("is not sent to"));
        check_address(None, own, false, Err("the address of the admin secret in .deploy.vars is unknown"));
        check_address(None, own, true, Ok(()));
        check_address(Some(own), "https://new.test", true, Ok(()));
        check_address(Some(own), "http://127.0.0.1:8787", false, Ok(()));
        check_address(None, "http://localhost:8787", true, Ok(()));
    }

    fn check_address(known: Option<&str>, url: &str, bind: bool, expect: Result<(), &str>) {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let root = folder.path();
        let secret = "s".repeat(32);
        fs_err::write(secrets::deploy_file(root), format!("{ADMIN_SECRET}='{secret}'\n")).expect("the folder is ours");
        fs_err::write(secrets::dev_file(root), format!("{ADMIN_SECRET}='dev'\n")).expect("the folder is ours");
        known.map_or(Ok(()), |known| secrets::bind(&secrets::deploy_file(root), known)).expect("the folder is ours");
        let base = base(url).expect("an address");
        match (kept(root, &base, bind), expect) {
            (Ok(got), Ok(())) => assert_eq!(got, if is_local(&base) { "dev" } else { &secret }, "{url}"),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{url}: {error}"),
            (got, _) => panic!("{known:?} {url}: {got:?}"),
        }
        let after = secrets::read(&secrets::deploy_file(root)).expect("the file is there");
        let bound = if bind && !is_local(&base) { Some(base.as_str()) } else { known };
        assert_eq!(secrets::address(&after), bound, "{url}");
    }
}
