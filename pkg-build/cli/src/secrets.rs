//! `toponym secrets`: manages the files of secrets in wrangler's format, `.dev.vars` for local runs and `.deploy.vars`
//! for the deployed service. Missing secrets are generated at random; existing ones are kept. Key rings get new keys in two
//! steps: [`crate::key_ring`]. edge-worker/src/config.rs explains each secret.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use tempfile::NamedTempFile;
use toponym_edge::config::check_admin_secret;
use toponym_terminal::report;

use crate::address::base;
use crate::key_ring::{KEY_BYTES, KeyRing, SPREAD_S, WaitingKeys, minutes, upload};

/// Subcommands of `toponym secrets`.
#[derive(Subcommand)]
pub enum Command {
    /// Creates the secrets that .deploy.vars lacks, and prints all for `wrangler secret bulk`
    ///
    /// They are printed as JSON, and never to a terminal.
    Deployment {
        /// The secrets that the deployment needs [default: all]
        #[arg(value_name = "NAME", value_parser = SECRETS)]
        names: Vec<String>,
    },
    /// Adds a new key to a key ring of .deploy.vars: the first step of a rotation
    ///
    /// The active key stays the active one. Upload the ring, and activate the new key when every location has it.
    Add {
        /// The key ring
        #[arg(value_name = "RING", value_parser = RINGS)]
        ring: String,
    },
    /// Makes a key the active one of its key ring in .deploy.vars: the second step of a rotation
    ///
    /// Refuses a key that was not uploaded, or so lately that some locations may not have it.
    Activate {
        /// The key ring
        #[arg(value_name = "RING", value_parser = RINGS)]
        ring: String,
        /// Id of the key, such as k2
        key: String,
        /// Activates the key although some locations may refuse what is made with it
        #[arg(long)]
        early: bool,
    },
}

/// The variables of a file, by name.
pub type Vars = BTreeMap<String, String>;

/// Secrets of every deployment. The last two are optional: without them API keys have no mark, and the Worker has no admin routes.
pub const SECRETS: [&str; 4] = ["TOPONYM_SIGNING_KEYS", "TOPONYM_PEPPER", KEY_MARK, ADMIN_SECRET];

/// Secrets that are key rings.
const RINGS: [&str; 2] = [SECRETS[0], SECRETS[1]];

/// Name of the secret that marks API keys.
pub const KEY_MARK: &str = "TOPONYM_KEY_MARK";

/// Name of the admin secret, in the environment and in the files.
pub const ADMIN_SECRET: &str = "TOPONYM_ADMIN_SECRET";

/// Name of the variable in `.deploy.vars` with the address that the secrets belong to.
const ADDRESS: &str = "TOPONYM_ADDRESS";

/// Name of the variable in `.deploy.vars` with the [`WaitingKeys`].
const WAITING: &str = "TOPONYM_WAITING_KEYS";

/// Enables the demo keys, in local runs only.
const DEMO: (&str, &str) = ("TOPONYM_DEMO", "true");

const DEV_HEADER: &str = "# Secrets of this machine's local runs, made by `cargo xtask serve`. Never deploy them.\n";

const DEPLOY_HEADER: &str = "\
# Secrets of the deployed service, made by `cargo toponym deploy`. Keep a copy in a safe place: a deployment gives none of
# them back, and without the pepper no API secret matches any more.
";

/// Runs the command.
pub fn run(root: &Path, command: Command) -> Result<()> {
    match command {
        Command::Deployment { names } => {
            ensure!(
                !stdout().is_terminal(),
                "secrets are not printed to a terminal: pipe them into `wrangler secret bulk`"
            );
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let names: &[&str] = if names.is_empty() { &SECRETS } else { &names };
            println!("{}", of_deployment(root, names)?);
            Ok(())
        }
        Command::Add { ring } => {
            println!("{}", add_key(&deploy_file(root), &ring, random_key()?)?);
            Ok(())
        }
        Command::Activate { ring, key, early } => {
            let now_s = if early { None } else { Some(now_s()?) };
            println!("{}", activate_key(&deploy_file(root), &ring, &key, now_s)?);
            Ok(())
        }
    }
}

/// Returns the file of local runs.
pub fn dev_file(root: &Path) -> PathBuf {
    root.join(".dev.vars")
}

/// Returns the file of the deployed service.
pub fn deploy_file(root: &Path) -> PathBuf {
    root.join(".deploy.vars")
}

/// Returns the secrets that a service lacks. One with a pepper but no mark has API keys without a mark, which would be refused: it gets
/// a mark only on demand.
pub fn lacking_secrets(has: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let has_unmarked_keys = has(SECRETS[1]);
    let stays_away = |name: &str| name == KEY_MARK && has_unmarked_keys;
    SECRETS.into_iter().filter(|name| !has(name) && !stays_away(name)).collect()
}

/// Returns the secrets `names` of the deployed service as JSON, creating those that .deploy.vars lacks.
pub fn of_deployment(root: &Path, names: &[&str]) -> Result<String> {
    deployment(&deploy_file(root), names, now_s()?)
}

/// Returns the secrets `names` as JSON, creating those that the file at `path` lacks. Notes when added keys were handed over.
fn deployment(path: &Path, names: &[&str], now_s: u64) -> Result<String> {
    let secrets = ensure_deploy(path, names)?;
    let admin = secrets.get(ADMIN_SECRET);
    admin.map_or(Ok(()), |secret| check_admin_secret(secret)).context("in .deploy.vars")?;
    let mut waiting = waiting_keys(&read(path)?)?;
    if !waiting.is_empty() {
        waiting.hand_over(names, now_s);
        set(path, WAITING, &waiting.to_json()?)?;
    }
    Ok(serde_json::to_string(&secrets)?)
}

/// Adds a key to a ring of the file at `path`, and says what to do next.
fn add_key(path: &Path, name: &str, key: [u8; KEY_BYTES]) -> Result<String> {
    let vars = read(path)?;
    let mut ring = ring_of(&vars, name)?;
    let mut waiting = waiting_keys(&vars)?;
    let id = ring.add(key);
    waiting.add(name, &id);
    // The ring comes first: without the note the key can still be activated.
    set(path, name, &ring.to_json()?)?;
    set(path, WAITING, &waiting.to_json()?)?;
    Ok(format!(
        "{name} has the new key {id}, and {} stays the active one. Now {}, wait {}, and run `toponym secrets activate {name} {id}`.",
        ring.active(),
        upload(name),
        minutes(SPREAD_S)
    ))
}

/// Makes a key the active one of a ring of the file at `path`, and says what to do next. With the time, refuses what is too early.
fn activate_key(path: &Path, name: &str, id: &str, now_s: Option<u64>) -> Result<String> {
    let vars = read(path)?;
    let mut ring = ring_of(&vars, name)?;
    let mut waiting = waiting_keys(&vars)?;
    let earlier = ring.active().to_owned();
    ring.activate(id).with_context(|| format!("in {name}"))?;
    let is_known = match now_s {
        Some(now_s) => waiting.check_spread(name, id, now_s)?,
        None => true,
    };
    if !is_known {
        report::remark(&format!(
            "nobody noted when {id} was uploaded. Locations that do not have it yet would refuse all that is made with it: upload the \
             ring with {id} as the active key only {} after an upload with {id}",
            minutes(SPREAD_S)
        ));
    }
    waiting.remove(name, id);
    set(path, name, &ring.to_json()?)?;
    set(path, WAITING, &waiting.to_json()?)?;
    let until = if name == RINGS[0] {
        "30 days from now, when the last token that it signed has expired"
    } else {
        "every API secret that was made with it has been rotated"
    };
    Ok(format!("{id} is the active key of {name}. Now {}. Keep {earlier} until {until}.", upload(name)))
}

/// Returns a key ring of the file.
fn ring_of(vars: &Vars, name: &str) -> Result<KeyRing> {
    let json = vars.get(name).with_context(|| {
        format!(".deploy.vars has no {name}: a rotation needs the file with which the service was deployed")
    })?;
    KeyRing::parse(json).with_context(|| format!("{name} in .deploy.vars"))
}

/// Returns the keys that wait for being activated.
fn waiting_keys(vars: &Vars) -> Result<WaitingKeys> {
    let parsed = vars.get(WAITING).map(|json| WaitingKeys::parse(json)).transpose();
    Ok(parsed.with_context(|| format!("{WAITING} in .deploy.vars is damaged: remove the line"))?.unwrap_or_default())
}

/// Returns the time, seconds since the epoch.
fn now_s() -> Result<u64> {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .context("the clock of this machine is before 1970: set it, and try again")?;
    Ok(since.as_secs())
}

/// Records in .deploy.vars where its admin secret was deployed, if it has one: `toponym keys` sends it nowhere else.
pub fn bind_admin_secret(root: &Path, url: &str) -> Result<()> {
    let path = &deploy_file(root);
    if read(path)?.contains_key(ADMIN_SECRET) { bind(path, &base(url)?) } else { Ok(()) }
}

/// Creates the secrets that .dev.vars lacks, for local runs.
pub fn ensure_local(root: &Path) -> Result<()> {
    let path = &dev_file(root);
    let mut vars = read(path)?;
    let lacking = lacking_secrets(|name| vars.contains_key(name));
    let mut missing = generate_missing(&lacking, &vars)?;
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

/// Returns the address that the secrets of the deployment file belong to, if known.
pub fn address(vars: &Vars) -> Option<&str> {
    vars.get(ADDRESS).map(String::as_str)
}

/// Records in the deployment file that its secrets belong to `address` and no other.
pub fn bind(path: &Path, address: &str) -> Result<()> {
    set(path, ADDRESS, address)
}

/// Replaces the value of a variable of the file at `path`, or adds it.
fn set(path: &Path, name: &str, value: &str) -> Result<()> {
    let text = fs_err::read_to_string(path)?;
    let mut text: String = text
        .lines()
        .filter(|line| line.split('=').next().is_none_or(|known| known.trim() != name))
        .map(|line| format!("{line}\n"))
        .collect();
    text.push_str(&format!("{name}='{value}'\n"));
    write_private(path, &text).with_context(|| format!("{} could not be written", path.display()))
}

/// Reads the variables of the file at `path`; none if the file does not exist.
pub fn read(path: &Path) -> Result<Vars> {
    let text = if path.is_file() { fs_err::read_to_string(path)? } else { String::new() };
    Ok(parse(&text))
}

fn parse(text: &str) -> Vars {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), unquote(value.trim()).to_owned())).collect()
}

fn unquote(value: &str) -> &str {
    let inside = |quote| value.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    inside('\'').or_else(|| inside('"')).unwrap_or(value)
}

fn generate_missing(names: &[&str], vars: &Vars) -> Result<Vec<(String, String)>> {
    let missing = names.iter().filter(|name| !vars.contains_key(**name));
    missing.map(|name| Ok(((*name).to_owned(), secret(name, random_key()?)?))).collect()
}

/// Formats a secret as the Worker expects it: a key ring with one key, or plain text.
fn secret(name: &str, key: [u8; KEY_BYTES]) -> Result<String> {
    match name {
        "TOPONYM_SIGNING_KEYS" => KeyRing::new("k1", key).to_json(),
        "TOPONYM_PEPPER" => KeyRing::new("p1", key).to_json(),
        _ => Ok(key.iter().map(|byte| format!("{byte:02x}")).collect()),
    }
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

    const NOW_S: u64 = 1_796_083_140;

    #[test]
    fn secrets_have_the_form_that_the_worker_reads() {
        let zeros = "A".repeat(43) + "=";
        check_secret(SECRETS[0], &format!(r#"{{"active":"k1","keys":{{"k1":"{zeros}"}}}}"#));
        check_secret(SECRETS[1], &format!(r#"{{"active":"p1","keys":{{"p1":"{zeros}"}}}}"#));
        check_secret(KEY_MARK, &"00".repeat(32));
        check_secret(ADMIN_SECRET, &"00".repeat(32));
    }

    fn check_secret(name: &str, expect: &str) {
        assert_eq!(secret(name, [0; KEY_BYTES]).expect("JSON"), expect);
    }

    #[test]
    fn a_deployment_gets_what_the_worker_expects() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = deploy_file(folder.path());
        let made = deployment(&path, &SECRETS, NOW_S).expect("the file can be written");
        let made: Vars = serde_json::from_str(&made).expect("it is JSON");
        assert_eq!(made, ensure_deploy(&path, &SECRETS).expect("nothing is missing"));
        fs_err::write(&path, "TOPONYM_ADMIN_SECRET='short'\n").expect("the folder is ours");
        let error = format!("{:#}", deployment(&path, &SECRETS, NOW_S).expect_err("the Worker would refuse it"));
        assert!(error.starts_with("in .deploy.vars: ") && !error.contains("short"), "{error}");
    }

    #[test]
    fn only_a_new_service_gets_a_mark_unasked() {
        check_lacking(&[], &SECRETS);
        check_lacking(&SECRETS, &[]);
        check_lacking(&[SECRETS[0], SECRETS[1], ADMIN_SECRET], &[]);
        check_lacking(&[SECRETS[1]], &[SECRETS[0], ADMIN_SECRET]);
        check_lacking(&[KEY_MARK], &[SECRETS[0], SECRETS[1], ADMIN_SECRET]);
    }

    fn check_lacking(has: &[&str], expect: &[&str]) {
        assert_eq!(lacking_secrets(|name| has.contains(&name)), expect, "{has:?}");
    }

    #[test]
    fn an_admin_secret_belongs_to_its_deployment() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = deploy_file(folder.path());
        bind_admin_secret(folder.path(), "https://a.test").expect("there is nothing to note");
        assert!(!path.exists());
        deployment(&path, &SECRETS, NOW_S).expect("the file can be written");
        bind_admin_secret(folder.path(), "https://A.test:443/").expect("the file can be written");
        assert_eq!(address(&read(&path).expect("the file is there")), Some("https://a.test"));
        assert!(bind_admin_secret(folder.path(), "http://a.test").is_err(), "unencrypted");
    }

    #[test]
    fn a_rotation_takes_two_uploads_and_a_wait() {
        for (name, first, second) in [(RINGS[0], "k1", "k2"), (RINGS[1], "p1", "p2")] {
            let folder = tempfile::tempdir().expect("the temporary folder can be written");
            let path = deploy_file(folder.path());
            let none = failure(add_key(&path, name, [2; KEY_BYTES]));
            assert!(none.contains(&format!(".deploy.vars has no {name}")), "{none}");
            deployment(&path, &SECRETS, NOW_S).expect("the file can be written");
            let others: Vars =
                read(&path).expect("it is there").into_iter().filter(|(known, _)| known != name).collect();

            let said = add_key(&path, name, [2; KEY_BYTES]).expect("the file has the ring");
            assert!(said.contains(&format!("new key {second}, and {first} stays the active one")), "{said}");
            let activate = |now_s| activate_key(&path, name, second, now_s);
            assert!(failure(activate(Some(NOW_S + 9_999))).contains("was not handed over yet"));
            let handed_over = |now_s| -> KeyRing {
                let vars: Vars =
                    serde_json::from_str(&deployment(&path, &[name], now_s).expect("it is there")).expect("it is JSON");
                assert_eq!(vars.keys().collect::<Vec<_>>(), [name], "nothing else is uploaded");
                KeyRing::parse(&vars[name]).expect("the Worker would take it")
            };
            assert_eq!(handed_over(NOW_S).active(), first);
            assert!(failure(activate(Some(NOW_S + SPREAD_S - 1))).contains("--early"));
            assert_eq!(ring_of(&read(&path).expect("it is there"), name).expect("a ring").active(), first);
            let said = activate(Some(NOW_S + SPREAD_S)).expect("every location has it");
            assert!(said.contains(&format!("{second} is the active key")), "{said}");
            assert!(said.contains(&format!("Keep {first} until")), "{said}");
            let ring = handed_over(NOW_S + SPREAD_S);
            assert_eq!(ring.active(), second);

            let mut back = ring;
            back.activate(first).expect("the earlier key stays");
            let now: Vars = read(&path).expect("it is there");
            assert!(others.iter().all(|(known, value)| now[known] == *value), "the rest of the file stays");
        }
    }

    fn failure(result: Result<String>) -> String {
        format!("{:#}", result.expect_err("it is refused"))
    }

    #[test]
    fn a_key_may_be_activated_early_on_demand() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = deploy_file(folder.path());
        deployment(&path, &SECRETS, NOW_S).expect("the file can be written");
        add_key(&path, RINGS[0], [2; KEY_BYTES]).expect("the file has the ring");
        activate_key(&path, RINGS[0], "k2", None).expect("it is demanded");
        // Back to the key before, of which nobody noted when it was uploaded.
        activate_key(&path, RINGS[0], "k1", Some(NOW_S)).expect("it only warns");
        assert!(activate_key(&path, RINGS[0], "k3", None).is_err());
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
        ensure_local(folder.path()).expect("the file can be written");
        let first = text();
        assert!(first.starts_with(DEV_HEADER) && first.ends_with("TOPONYM_DEMO='true'\n"), "{first}");
        ensure_local(folder.path()).expect("the file can be read");
        assert_eq!(text(), first);
        let own = "OTHER=1\nTOPONYM_PEPPER=mine\n TOPONYM_DEMO = \"false\"";
        fs_err::write(&path, own).expect("the file can be written");
        ensure_local(folder.path()).expect("the file can be written");
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
        assert_eq!(ensure_deploy(&path, &SECRETS).expect("nothing is missing"), made, "the address is not a secret");
    }

    #[test]
    fn missing_secrets_are_read_or_generated() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join(".deploy.vars");
        assert_eq!(ensure_deploy(&path, &[]).expect("nothing is missing"), Vars::new());
        assert!(!path.exists());
        let made = ensure_deploy(&path, &SECRETS[..2]).expect("the file can be written");
        assert_eq!(made.keys().collect::<Vec<_>>(), ["TOPONYM_PEPPER", "TOPONYM_SIGNING_KEYS"]);
        let all = ensure_deploy(&path, &SECRETS).expect("the file can be written");
        assert!(made.iter().all(|(name, value)| all[name] == *value) && all.len() == SECRETS.len());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = path.metadata().expect("the file is there").permissions().mode();
            assert_eq!(mode & 0o077, 0, "only its owner reads it");
        }
    }
}
