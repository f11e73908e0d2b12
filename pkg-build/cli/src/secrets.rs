//! `toponym secrets`: manages the files of secrets in wrangler's format, `.dev.vars` for local runs and `.deploy.vars`
//! for the deployed service. Missing secrets are generated at random; existing ones are kept. edge-worker/src/config.rs
//! explains each of them.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Subcommand;
use tempfile::NamedTempFile;
use toponym_edge::config::check_admin_secret;

use crate::address::base;

/// Subcommands of `toponym secrets`.
#[derive(Subcommand)]
pub enum Command {
    /// Creates the secrets that .dev.vars lacks, for local runs
    Local,
    /// Creates the secrets that .deploy.vars lacks, and prints all for `wrangler secret bulk`
    ///
    /// They are printed as JSON, and never to a terminal.
    Deployment {
        /// The secrets that the deployment needs [default: all]
        #[arg(value_name = "NAME", value_parser = SECRETS)]
        names: Vec<String>,
    },
    /// Records the address that .deploy.vars belongs to: `toponym keys` sends the admin secret nowhere else
    Bind {
        /// Address of the deployment
        url: String,
    },
}

/// The variables of a file, by name.
pub type Vars = BTreeMap<String, String>;

/// Secrets of every deployment. Only the last is optional: without it the Worker has no admin routes.
const SECRETS: [&str; 3] = ["TOPONYM_SIGNING_KEYS", "TOPONYM_PEPPER", ADMIN_SECRET];

/// Name of the admin secret, in the environment and in the files.
pub const ADMIN_SECRET: &str = "TOPONYM_ADMIN_SECRET";

/// Name of the variable in `.deploy.vars` with the address that the secrets belong to.
const ADDRESS: &str = "TOPONYM_ADDRESS";

/// Enables the demo keys, in local runs only.
const DEMO: (&str, &str) = ("TOPONYM_DEMO", "true");

/// Length of a secret in bytes, the output size of HMAC-SHA256.
const KEY_BYTES: usize = 32;

const DEV_HEADER: &str = "# Secrets of this machine's local runs, made by `cargo xtask serve`. Never deploy them.\n";

const DEPLOY_HEADER: &str = "\
# Secrets of the deployed service, made by `cargo xtask deploy`. Keep a copy in a safe place: a deployment gives none of
# them back, and without the pepper no API secret matches any more.
";

/// Runs the command.
pub fn run(root: &Path, command: Command) -> Result<()> {
    match command {
        Command::Local => ensure_dev(&dev_file(root)),
        Command::Deployment { names } => {
            ensure!(
                !stdout().is_terminal(),
                "secrets are not printed to a terminal: pipe them into `wrangler secret bulk`"
            );
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            println!("{}", deployment(&deploy_file(root), if names.is_empty() { &SECRETS } else { &names })?);
            Ok(())
        }
        Command::Bind { url } => bind_admin_secret(&deploy_file(root), &url),
    }
}

/// The file of local runs.
pub fn dev_file(root: &Path) -> PathBuf {
    root.join(".dev.vars")
}

/// The file of the deployed service.
pub fn deploy_file(root: &Path) -> PathBuf {
    root.join(".deploy.vars")
}

/// Returns the secrets `names` as JSON, creating those that the file at `path` lacks.
fn deployment(path: &Path, names: &[&str]) -> Result<String> {
    let secrets = ensure_deploy(path, names)?;
    let admin = secrets.get(ADMIN_SECRET);
    admin.map_or(Ok(()), |secret| check_admin_secret(secret)).context("in .deploy.vars")?;
    Ok(serde_json::to_string(&secrets)?)
}

/// Records in the file at `path` where its admin secret was deployed, if it has one.
fn bind_admin_secret(path: &Path, url: &str) -> Result<()> {
    if read(path)?.contains_key(ADMIN_SECRET) { bind(path, &base(url)?) } else { Ok(()) }
}

/// Creates the secrets that the file of local runs lacks.
fn ensure_dev(path: &Path) -> Result<()> {
    let mut vars = read(path)?;
    let mut missing = generate_missing(&SECRETS, &vars)?;
    if !vars.contains_key(DEMO.0) {
        missing.push((DEMO.0.to_owned(), DEMO.1.to_owned()));
    }
    append(path, DEV_HEADER, &missing)?;
    vars.extend(missing);
    Ok(())
}

/// Creates those of `names` that the deployment file lacks, and returns all of `names`.
fn ensure_deploy(path: &Path, names: &[&str]) -> Result<Vars> {
    let mut vars = read(path)?;
    let missing = generate_missing(names, &vars)?;
    append(path, DEPLOY_HEADER, &missing)?;
    vars.extend(missing);
    vars.retain(|name, _| names.contains(&name.as_str()));
    Ok(vars)
}

/// The address that the secrets of the deployment file belong to, if known.
pub fn address(vars: &Vars) -> Option<&str> {
    vars.get(ADDRESS).map(String::as_str)
}

/// Records in the deployment file that its secrets belong to `address` and no other.
pub fn bind(path: &Path, address: &str) -> Result<()> {
    let text = fs_err::read_to_string(path)?;
    let is_other = |line: &&str| line.split('=').next().is_none_or(|name| name.trim() != ADDRESS);
    let mut text: String = text.lines().filter(is_other).map(|line| format!("{line}\n")).collect();
    text.push_str(&format!("{ADDRESS}='{address}'\n"));
    write_private(path, &text).with_context(|| format!("{} could not be written", path.display()))
}

/// The variables of the file at `path`; none if the file does not exist.
pub fn read(path: &Path) -> Result<Vars> {
    let text = if path.is_file() { fs_err::read_to_string(path)? } else { String::new() };
    Ok(parse(&text))
}

fn parse(text: &str) -> Vars {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), unquoted(value.trim()).to_owned())).collect()
}

fn unquoted(value: &str) -> &str {
    let inside = |quote| value.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    inside('\'').or_else(|| inside('"')).unwrap_or(value)
}

fn generate_missing(names: &[&str], vars: &Vars) -> Result<Vec<(String, String)>> {
    let missing = names.iter().filter(|name| !vars.contains_key(**name));
    missing.map(|name| Ok(((*name).to_owned(), secret(name, random_key()?)))).collect()
}

/// The format that the Worker expects: a key ring with one key, or plain text.
fn secret(name: &str, key: [u8; KEY_BYTES]) -> String {
    match name {
        "TOPONYM_SIGNING_KEYS" => key_ring("k1", key),
        "TOPONYM_PEPPER" => key_ring("p1", key),
        _ => key.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

fn key_ring(id: &str, key: [u8; KEY_BYTES]) -> String {
    format!("{{\"active\":\"{id}\",\"keys\":{{\"{id}\":\"{}\"}}}}", STANDARD.encode(key))
}

fn random_key() -> Result<[u8; KEY_BYTES]> {
    let mut key = [0; KEY_BYTES];
    getrandom::fill(&mut key).context("the system has no source of random bytes")?;
    Ok(key)
}

/// Appends lines to the file, or creates it with `header`.
fn append(path: &Path, header: &str, vars: &[(String, String)]) -> Result<()> {
    if vars.is_empty() {
        return Ok(());
    }
    let mut text = if path.is_file() { fs_err::read_to_string(path)? } else { header.to_owned() };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // dotenv takes single-quoted text literally, and no value contains a single quote.
    text.extend(vars.iter().map(|(name, value)| format!("{name}='{value}'\n")));
    write_private(path, &text).with_context(|| format!("{} could not be written", path.display()))
}

/// Writes a temporary file that only its owner can read and renames it, so that an interruption leaves either the old
/// or the new file.
fn write_private(path: &Path, text: &str) -> Result<()> {
    let mut file = NamedTempFile::new_in(path.parent().context("the path names no file")?)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_have_the_form_that_the_worker_reads() {
        let check = |name: &str, expect: &str| assert_eq!(secret(name, [0; KEY_BYTES]), expect);
        let zeros = "A".repeat(43) + "=";
        check(SECRETS[0], &format!(r#"{{"active":"k1","keys":{{"k1":"{zeros}"}}}}"#));
        check(SECRETS[1], &format!(r#"{{"active":"p1","keys":{{"p1":"{zeros}"}}}}"#));
        check(SECRETS[2], &"00".repeat(32));
    }

    #[test]
    fn a_deployment_gets_what_the_worker_expects() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = deploy_file(folder.path());
        let made = deployment(&path, &SECRETS).expect("the file can be written");
        let made: Vars = serde_json::from_str(&made).expect("it is JSON");
        assert_eq!(made, ensure_deploy(&path, &SECRETS).expect("nothing is missing"));
        fs_err::write(&path, "TOPONYM_ADMIN_SECRET='short'\n").expect("the folder is ours");
        let error = format!("{:#}", deployment(&path, &SECRETS).expect_err("the Worker would refuse it"));
        assert!(error.starts_with("in .deploy.vars: ") && !error.contains("short"), "{error}");
    }

    #[test]
    fn an_admin_secret_belongs_to_its_deployment() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = deploy_file(folder.path());
        bind_admin_secret(&path, "https://a.test").expect("there is nothing to note");
        assert!(!path.exists());
        deployment(&path, &SECRETS).expect("the file can be written");
        bind_admin_secret(&path, "https://A.test:443/").expect("the file can be written");
        assert_eq!(address(&read(&path).expect("the file is there")), Some("https://a.test"));
        assert!(bind_admin_secret(&path, "http://a.test").is_err(), "unencrypted");
    }

    #[test]
    fn lines() {
        let text = "# A=1\nA='{\"x\":1}'\n B = \"two\" \nC=three=3\nD='\nnothing\n";
        let expect = [("A", r#"{"x":1}"#), ("B", "two"), ("C", "three=3"), ("D", "'")];
        assert_eq!(parse(text), expect.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    }

    #[test]
    fn existing_secrets_are_kept() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join(".dev.vars");
        let text = || fs_err::read_to_string(&path).expect("the file is there");
        ensure_dev(&path).expect("the file can be written");
        let first = text();
        assert!(first.starts_with(DEV_HEADER) && first.ends_with("TOPONYM_DEMO='true'\n"), "{first}");
        ensure_dev(&path).expect("the file can be read");
        assert_eq!(text(), first);
        let own = "OTHER=1\nTOPONYM_PEPPER=mine\n TOPONYM_DEMO = \"false\"";
        fs_err::write(&path, own).expect("the file can be written");
        ensure_dev(&path).expect("the file can be written");
        assert!(text().starts_with(&format!("{own}\nTOPONYM_SIGNING_KEYS='")), "{}", text());
        let vars = read(&path).expect("the file can be read");
        assert_eq!((vars.len(), &*vars["TOPONYM_PEPPER"], &*vars["TOPONYM_DEMO"]), (5, "mine", "false"));
    }

    #[test]
    fn secrets_belong_to_one_address() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join(".deploy.vars");
        let made = ensure_deploy(&path, &SECRETS).expect("the file can be written");
        assert_eq!(address(&read(&path).expect("the file is there")), None);
        for own in ["https://a.test", "https://b.test:8443", "https://a.test"] {
            bind(&path, own).expect("the file can be written");
            let vars = read(&path).expect("the file is there");
            assert_eq!((address(&vars), vars.len()), (Some(own), SECRETS.len() + 1));
            assert!(made.iter().all(|(name, value)| vars[name] == *value));
        }
        let text = fs_err::read_to_string(&path).expect("the file is there");
        assert!(text.starts_with(DEPLOY_HEADER) && text.matches(ADDRESS).count() == 1, "{text}");
        assert_eq!(ensure_deploy(&path, &SECRETS).expect("nothing is missing"), made, "the address is no secret");
    }

    #[test]
    fn missing_secrets_come_from_the_file_or_are_generated() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join(".deploy.vars");
        assert_eq!(ensure_deploy(&path, &[]).expect("nothing is missing"), Vars::new());
        assert!(!path.exists());
        let made = ensure_deploy(&path, &SECRETS[..2]).expect("the file can be written");
        assert_eq!(made.keys().collect::<Vec<_>>(), ["TOPONYM_PEPPER", "TOPONYM_SIGNING_KEYS"]);
        let all = ensure_deploy(&path, &SECRETS).expect("the file can be written");
        assert!(made.iter().all(|(name, value)| all[name] == *value) && all.len() == 3);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = path.metadata().expect("the file is there").permissions().mode();
            assert_eq!(mode & 0o077, 0, "only its owner reads it");
        }
    }
}
