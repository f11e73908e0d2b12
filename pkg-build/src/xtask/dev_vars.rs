//! `.dev.vars`: the secrets of local runs, random, made once and kept. Their meaning is told in edge-worker/src/config.rs.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tempfile::NamedTempFile;

/// Bytes of a signing key, and of a pepper: what HMAC-SHA256 can use.
const KEY_BYTES: usize = 32;

const HEADER: &str = "# Secrets of this machine's local runs, made by `cargo xtask serve`. Never deploy them.\n";

/// Writes what is missing from the file at `path`; what is there is kept.
pub fn ensure(path: &Path) -> Result<()> {
    let existing = if path.is_file() { fs_err::read_to_string(path)? } else { String::new() };
    let keys = [random_key()?, random_key()?];
    if let Some(text) = complete(&existing, keys) {
        write_private(path, &text).with_context(|| format!("{} could not be written", path.display()))?;
    }
    Ok(())
}

/// `existing` with a line for every variable that it lacks; `None` where it lacks none.
fn complete(existing: &str, [signing_key, pepper]: [[u8; KEY_BYTES]; 2]) -> Option<String> {
    let wanted = [
        ("TOPONYM_SIGNING_KEYS", key_ring("k1", signing_key)),
        ("TOPONYM_PEPPER", key_ring("p1", pepper)),
        ("TOPONYM_DEMO", "\"true\"".to_owned()),
    ];
    let missing: Vec<_> = wanted.into_iter().filter(|(name, _)| !defines(existing, name)).collect();
    if missing.is_empty() {
        return None;
    }
    let mut text = if existing.is_empty() { HEADER.to_owned() } else { existing.to_owned() };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    for (name, value) in missing {
        text.push_str(&format!("{name}={value}\n"));
    }
    Some(text)
}

fn defines(text: &str, name: &str) -> bool {
    text.lines().filter_map(|line| line.split_once('=')).any(|(key, _)| key.trim() == name)
}

/// A ring of one key, in the single quotes inside which dotenv changes nothing.
fn key_ring(id: &str, key: [u8; KEY_BYTES]) -> String {
    format!("'{{\"active\":\"{id}\",\"keys\":{{\"{id}\":\"{}\"}}}}'", STANDARD.encode(key))
}

fn random_key() -> Result<[u8; KEY_BYTES]> {
    let mut key = [0; KEY_BYTES];
    getrandom::fill(&mut key).context("the system gives no random bytes")?;
    Ok(key)
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

    const KEYS: [[u8; KEY_BYTES]; 2] = [[0; KEY_BYTES], [255; KEY_BYTES]];

    #[test]
    fn an_empty_file_gets_everything() {
        let text = complete("", KEYS).expect("everything is missing");
        let zeros = "A".repeat(43) + "=";
        let expect = format!("{HEADER}TOPONYM_SIGNING_KEYS='{{\"active\":\"k1\",\"keys\":{{\"k1\":\"{zeros}\"}}}}'\n");
        assert!(text.starts_with(&expect), "{text}");
        assert!(text.ends_with("TOPONYM_DEMO=\"true\"\n"), "{text}");
        let value = text.lines().find_map(|line| line.strip_prefix("TOPONYM_PEPPER=")).expect("a pepper is there");
        let ring: serde_json::Value = serde_json::from_str(value.trim_matches('\'')).expect("the value is JSON");
        assert_eq!(ring["keys"]["p1"], STANDARD.encode([255; KEY_BYTES]));
    }

    #[test]
    fn what_is_there_is_kept() {
        let own = "OTHER=1\nTOPONYM_PEPPER=mine\n TOPONYM_DEMO = \"false\"";
        let text = complete(own, KEYS).expect("the signing keys are missing");
        assert!(text.starts_with(&format!("{own}\nTOPONYM_SIGNING_KEYS='")), "{text}");
        assert_eq!((text.matches("TOPONYM_PEPPER").count(), text.matches("TOPONYM_DEMO").count()), (1, 1), "{text}");
        assert_eq!(complete(&text, KEYS), None);
    }

    #[test]
    fn the_file_is_made_once() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join(".dev.vars");
        let texts = [(); 2].map(|()| {
            ensure(&path).expect("the file can be written");
            fs_err::read_to_string(&path).expect("the file is there")
        });
        assert!(texts[0] == texts[1] && texts[0].contains("TOPONYM_PEPPER"), "{texts:?}");
    }
}
