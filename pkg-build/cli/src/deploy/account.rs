//! Access to the Cloudflare account through wrangler.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;
use toponym_terminal::process;
use toponym_terminal::workspace::Workspace;

use super::places::Chosen;

/// The account that wrangler is logged in to, by `wrangler login` or CLOUDFLARE_API_TOKEN, and what is to be deployed there.
pub struct Account<'a> {
    workspace: &'a Workspace,
    places: &'a Chosen,
}

impl<'a> Account<'a> {
    /// Returns the account of this machine's wrangler.
    pub fn new(workspace: &'a Workspace, places: &'a Chosen) -> Self {
        Self { workspace, places }
    }

    /// Returns the names of the deployment's secrets; none before the first deployment.
    pub fn secrets(&self) -> Result<Vec<String>> {
        let mut command = self.wrangler(&["secret", "list", "--format", "json"])?;
        let output = command.stdin(Stdio::null()).output().context("wrangler could not be started")?;
        let listed = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            return secret_names(&listed);
        }
        ensure!(is_not_deployed_yet(&said), "wrangler cannot list the secrets:\n{listed}{said}");
        Ok(Vec::new())
    }

    /// Uploads these secrets, which are JSON. Before the first deployment wrangler creates an empty Worker for them.
    pub fn hand_over(&self, secrets: &str) -> Result<()> {
        let command = self.wrangler(&["secret", "bulk"])?;
        feed(command, secrets.as_bytes())
    }

    /// Uploads the Worker and returns its address.
    pub fn deploy(&self) -> Result<Option<String>> {
        let report = tempfile::tempdir()?;
        let file = report.path().join("wrangler.ndjson");
        let mut command = self.wrangler(&["deploy"])?;
        command.env("WRANGLER_OUTPUT_FILE_PATH", &file);
        process::run(command)?;
        Ok(deployed_address(&report_of(&file)?))
    }

    /// Bundles the Worker as for an upload and prints its size.
    pub fn bundle(&self) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let mut command = self.wrangler(&["deploy", "--dry-run", "--outdir"])?;
        command.arg(folder.path());
        process::run(command)
    }

    fn wrangler(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = self.workspace.wrangler(Some(&self.places.configuration))?;
        command.args(arguments).envs(self.places.indexes.variables()?);
        Ok(command)
    }
}

/// Runs `command` with `input` on its standard input.
fn feed(mut command: Command, input: &[u8]) -> Result<()> {
    let mut child = command.stdin(Stdio::piped()).spawn().context("wrangler could not be started")?;
    // Dropping the pipe ends the input. If the child ended early, its status is more helpful than the broken pipe.
    let written = child.stdin.take().context("the standard input was piped")?.write_all(input);
    let status = child.wait()?;
    ensure!(status.success(), "wrangler did not accept the secrets ({status}); its output is above");
    written.context("wrangler did not accept the secrets")
}

/// Tells whether wrangler reports that there is no such Worker. Other failures must not be taken as a deployment
/// without secrets: new ones would replace the existing ones.
fn is_not_deployed_yet(said: &str) -> bool {
    said.lines().any(|line| line.contains("Worker \"") && line.contains("\" not found"))
}

fn secret_names(json: &str) -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Secret {
        name: String,
    }
    let secrets: Vec<Secret> = serde_json::from_str(json).context("wrangler secret list printed no JSON")?;
    Ok(secrets.into_iter().map(|secret| secret.name).collect())
}

fn report_of(file: &Path) -> Result<String> {
    if file.is_file() { Ok(fs_err::read_to_string(file)?) } else { Ok(String::new()) }
}

/// Finds the first address in wrangler's deployment report: lines of JSON, one of which has the type `deploy`.
fn deployed_address(report: &str) -> Option<String> {
    let mut entries = report.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let deployed = entries.find(|entry| entry["type"] == "deploy")?;
    let target = deployed["targets"].as_array()?.iter().filter_map(Value::as_str).next()?;
    // A custom domain has no scheme, and a description after it.
    let address = target.split_whitespace().next()?;
    Some(if address.contains("://") { address.to_owned() } else { format!("https://{address}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        let json = r#"[{"name":"TOPONYM_PEPPER","type":"secret_text"},{"name":"OTHER","type":"secret_text"}]"#;
        assert_eq!(secret_names(json).expect("JSON"), ["TOPONYM_PEPPER", "OTHER"]);
        assert_eq!(secret_names("[]").expect("JSON"), Vec::<String>::new());
        assert!(secret_names("error").is_err());
    }

    #[test]
    fn only_a_missing_worker_is_a_first_deployment() {
        check_first(
            "\u{1b}[31m✘ [ERROR]\u{1b}[0m \u{1b}[1mWorker \"toponym\" not found.\u{1b}[0m\n\nIf this is a new Worker",
            true,
        );
        check_first(
            "✘ [ERROR] A request to the Cloudflare API (/accounts/x/workers) failed.\n\n  Account not found",
            false,
        );
        check_first("sh: node: not found", false);
        check_first("You are not logged in.", false);
        check_first("", false);
    }

    fn check_first(said: &str, expect: bool) {
        assert_eq!(is_not_deployed_yet(said), expect, "{said}");
    }

    #[test]
    fn the_address_of_a_deployment() {
        check_address("", None);
        check_address("{\"type\":\"wrangler-session\"}\n{\"type\":\"deploy\"}\n", None);
        check_address(r#"{"type":"deploy","targets":[]}"#, None);
        check_address(
            "{\"type\":\"wrangler-session\"}\n{\"type\":\"deploy\",\"targets\":[\"https://toponym.me.workers.dev\",\"x\"]}",
            Some("https://toponym.me.workers.dev"),
        );
        check_address(
            r#"{"type":"deploy","targets":["api.example.com (custom domain)"]}"#,
            Some("https://api.example.com"),
        );
    }

    fn check_address(report: &str, expect: Option<&str>) {
        assert_eq!(deployed_address(report).as_deref(), expect, "{report}");
    }

    #[cfg(unix)]
    #[test]
    fn secrets_travel_on_the_standard_input() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("input");
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).env("FILE", &file);
            command
        };
        feed(shell("cat > \"$FILE\""), b"{\"A\":\"hush\"}").expect("cat takes everything");
        assert_eq!(fs_err::read_to_string(&file).expect("it was written"), "{\"A\":\"hush\"}");
        let error = feed(shell("cat > /dev/null; exit 3"), b"hush").expect_err("a failure").to_string();
        assert!(error.contains("did not accept the secrets") && !error.contains("hush"), "{error}");
    }
}
