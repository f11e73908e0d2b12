//! Files of secrets, in the form that wrangler reads: `.dev.vars` of local runs, `.deploy.vars` of what was deployed. What
//! is missing is made at random; what is there is kept. The meaning of each is told in edge-worker/src/config.rs.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tempfile::NamedTempFile;

/// The variables of a file, by name.
pub type Vars = BTreeMap<String, String>;

/// Secrets that every deployment has. Only the last is optional to the Worker: without it there are no admin routes.
pub const SECRETS: [&str; 3] = ["TOPONYM_SIGNING_KEYS", "TOPONYM_PEPPER", "TOPONYM_ADMIN_SECRET"];

/// In the file of deployments: the address that its secrets belong to.
const ADDRESS: &str = "TOPONYM_ADDRESS";

/// The switch of the demo keys, which only local runs have.
const DEMO: (&str, &str) = ("TOPONYM_DEMO", "true");

/// Bytes of a secret: what HMAC-SHA256 can use.
const KEY_BYTES: usize = 32;

const DEV_HEADER: &str = "# Secrets of this machine's local runs, made by `cargo xtask serve`. Never deploy them.\n";

const DEPLOY_HEADER: &str = "\
# Secrets of the deployed service, made by `cargo xtask deploy`. Keep a copy in a safe place: a deployment gives none of
# them back, and without the pepper no API secret matches any more.
";

/// Makes what is missing from the file of local runs.
pub fn ensure_dev(path: &Path) -> Result<()> {
    let mut vars = read(path)?;
    let mut missing = generate_missing(&SECRETS, &vars)?;
    if !vars.contains_key(DEMO.0) {
        missing.push((DEMO.0.to_owned(), DEMO.1.to_owned()));
    }
    append(path, DEV_HEADER, &missing)?;
    vars.extend(missing);
    Ok(())
}

/// Makes what is missing of `names` from the file of deployments, and returns all of `names`.
pub fn ensure_deploy(path: &Path, names: &[&str]) -> Result<Vars> {
    let mut vars = read(path)?;
    let missing = generate_missing(names, &vars)?;
    append(path, DEPLOY_HEADER, &missing)?;
    vars.extend(missing);
    vars.retain(|name, _| names.contains(&name.as_str()));
    Ok(vars)
}

/// The address that the secrets of the file of deployments belong to, where it is known.
pub fn address(vars: &Vars) -> Option<&str> {
    vars.get(ADDRESS).map(String::as_str)
}

/// Notes in the file of deployments that its secrets belong to `address`, and to no other one.
pub fn bind(path: &Path, address: &str) -> Result<()> {
    let text = fs_err::read_to_string(path)?;
    let is_other = |line: &&str| line.split('=').next().is_none_or(|name| name.trim() != ADDRESS);
    let mut text: String = text.lines().filter(is_other).map(|line| format!("{line}\n")).collect();
    text.push_str(&format!("{ADDRESS}='{address}'\n"));
    write_private(path, &text).with_context(|| format!("{} could not be written", path.display()))
}

/// The variables of the file at `path`; none where there is no such file.
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

/// The form that the Worker wants of a secret: a ring of one key, or plain text.
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
    getrandom::fill(&mut key).context("the system gives no random bytes")?;
    Ok(key)
}

/// Adds lines to the file, or makes it with `header`.
fn append(path: &Path, header: &str, vars: &[(String, String)]) -> Result<()> {
    if vars.is_empty() {
        return Ok(());
    }
    let mut text = if path.is_file() { fs_err::read_to_string(path)? } else { header.to_owned() };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // Inside single quotes dotenv changes nothing, and no value holds one.
    text.extend(vars.iter().map(|(name, value)| format!("{name}='{value}'\n")));
    write_private(path, &text).with_context(|| format!("{} could not be written", path.display()))
}

/// Through a file beside it that only its owner can read, so that an interruption leaves the old file or the new one.
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
    fn lines() {
        let text = "# A=1\nA='{\"x\":1}'\n B = \"two\" \nC=three=3\nD='\nnothing\n";
        let expect = [("A", r#"{"x":1}"#), ("B", "two"), ("C", "three=3"), ("D", "'")];
        assert_eq!(parse(text), expect.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    }

    #[test]
    fn what_is_there_is_kept() {
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
    fn a_deployment_gets_what_it_lacks_from_the_file_or_anew() {
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
