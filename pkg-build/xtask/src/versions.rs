//! Finds the required and the installed version of a tool.
//!
//! A tool that belongs to a library has the library's version in Cargo.lock; any other tool is pinned in
//! `setup/cargo_tools.rs`.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The version of the package `name` in the text of a Cargo.lock.
pub fn locked(lock: &str, name: &str) -> Result<String> {
    #[derive(Deserialize)]
    struct Lock {
        package: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        version: String,
    }
    let lock: Lock = toml::from_str(lock).context("Cargo.lock is not readable: restore it from git")?;
    let found = lock.package.into_iter().find(|package| package.name == name);
    Ok(found.with_context(|| format!("Cargo.lock names no package {name}"))?.version)
}

/// The programs of the package `name` in `version`, from the text of cargo install's `.crates.toml`; `None` if the
/// package is not listed.
pub fn installed(record: &str, name: &str, version: &str) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct Record {
        v1: BTreeMap<String, Vec<String>>,
    }
    let record: Record = toml::from_str(record).ok()?;
    let wanted = format!("{name} {version} ");
    record.v1.into_iter().find(|(package, _)| package.starts_with(&wanted)).map(|(_, programs)| programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_names_versions() {
        let lock = "version = 4\n[[package]]\nname = \"worker-macros\"\nversion = \"0.9.0\"\ndependencies = [\"x\"]\n\
                    [[package]]\nname = \"worker\"\nversion = \"0.8.7\"\nsource = \"registry\"\n";
        let check = |name: &str, expect: Option<&str>| assert_eq!(locked(lock, name).ok().as_deref(), expect, "{name}");
        check("worker", Some("0.8.7"));
        check("worker-macros", Some("0.9.0"));
        check("wor", None);
        assert!(locked("version = ", "worker").is_err());
    }

    #[test]
    fn the_record_of_cargo_install_names_programs() {
        let record = "[v1]\n\"tool 1.2.3 (registry+https://example.org)\" = [\"tool\", \"tool-more\"]\n";
        let check = |name: &str, version: &str, expect: Option<&[&str]>| {
            let programs = installed(record, name, version);
            assert_eq!(programs.as_ref().map(|p| p.iter().map(String::as_str).collect::<Vec<_>>()).as_deref(), expect);
        };
        check("tool", "1.2.3", Some(&["tool", "tool-more"]));
        check("tool", "1.2", None);
        check("tool", "1.2.30", None);
        check("too", "1.2.3", None);
        assert_eq!(installed("[v1", "tool", "1.2.3"), None);
        assert_eq!(installed("", "tool", "1.2.3"), None);
    }
}
