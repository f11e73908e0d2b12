//! The bucket of R2 with the pages. The scripts of `edge-worker/places` write and read it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;
use fs_err as fs;
use toponym_terminal::process;
use toponym_terminal::workspace::{CONFIGURATION, Workspace};

use super::configuration::with_bucket;
use super::folder::{default_folder, page_list};
use super::wrangler::install;

/// The configuration with the bucket, beside `wrangler.toml`, so that its paths are the same. Not in git.
const DERIVED: &str = "wrangler.r2.toml";

/// The local storage of wrangler.
const LOCAL: &str = ".wrangler/state";

const UPLOAD: &str = "edge-worker/places/upload.mjs";
const CLEAN: &str = "edge-worker/places/clean.mjs";

/// A bucket, and the folder of the index whose pages it holds.
pub struct Bucket {
    name: String,
    account: Option<String>,
    folder: PathBuf,
}

/// Owner of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Bucket of the account that wrangler is logged in to.
    Account,
    /// Bucket of local runs.
    Local,
}

impl Bucket {
    /// Returns the bucket of the Worker, and the name of the configuration that has it.
    pub fn new(workspace: &Workspace, folder: PathBuf) -> Result<(Self, String)> {
        let found = with_bucket(&fs::read_to_string(workspace.root().join(CONFIGURATION))?)?;
        let bucket = Self { name: found.bucket, account: found.account, folder };
        let Some(text) = found.text else { return Ok((bucket, CONFIGURATION.to_owned())) };
        fs::write(workspace.root().join(DERIVED), text)?;
        Ok((bucket, DERIVED.to_owned()))
    }

    /// Says how many pages the index has.
    pub fn contents(&self) -> Result<String> {
        let pages = page_list(&self.folder)?.pages.len();
        let index = self.folder.display();
        Ok(format!("{index} has {pages} pages; those that the bucket {} has are not sent again", self.name))
    }

    /// Creates it in the account, if it is not there.
    pub fn create_if_missing(&self, workspace: &Workspace, configuration: &str) -> Result<()> {
        let wrangler = |arguments: &[&str]| -> Result<Command> {
            let mut command = workspace.wrangler(Some(configuration))?;
            // Without an input wrangler asks nothing.
            command.args(["r2", "bucket"]).args(arguments).arg(&self.name).stdin(Stdio::null());
            Ok(command)
        };
        let output = wrangler(&["info"])?.output().context("wrangler could not be started")?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        ensure!(is_missing(&said), "wrangler cannot look for the bucket {}:\n{said}", self.name);
        process::run(wrangler(&["create"])?)
    }

    /// Uploads the pages that it lacks.
    pub fn upload(&self, workspace: &Workspace, side: Side) -> Result<()> {
        let command = self.script(workspace, UPLOAD, side)?;
        let what = format!("upload the pages that the bucket {} lacks", self.name);
        process::run_as(&what, command)
    }

    fn script(&self, workspace: &Workspace, script: &str, side: Side) -> Result<Command> {
        let mut command = workspace.node(script)?;
        command.arg(&self.folder).args(["--bucket", &self.name]);
        match (side, &self.account) {
            (Side::Local, _) => drop(command.arg("--state").arg(workspace.root().join(LOCAL))),
            (Side::Account, Some(account)) => drop(command.args(["--account", account])),
            (Side::Account, None) => {}
        }
        Ok(command)
    }
}

/// Arguments of `cargo toponym deploy clean-pages`.
#[derive(Args, Debug)]
pub struct Clean {
    /// The folder of the index; its pages and those of the version before stay [default: build/index.pages]
    #[arg(long, value_name = "FOLDER")]
    index: Option<PathBuf>,
    /// Number of the indexes deployed last that stay: a rollback finds its pages only among them
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    keep: u32,
    /// Deletes; without it only shows what it would delete
    #[arg(long)]
    yes: bool,
    /// Cleans the bucket of local runs instead
    #[arg(long)]
    local: bool,
}

/// Deletes the pages of old indexes from the bucket.
pub fn clean(workspace: &Workspace, arguments: &Clean) -> Result<()> {
    install(workspace)?;
    let folder = arguments.index.clone().unwrap_or_else(|| default_folder(workspace));
    let folder = std::path::absolute(folder)?;
    let (bucket, _) = Bucket::new(workspace, folder)?;
    let side = if arguments.local { Side::Local } else { Side::Account };
    let mut command = bucket.script(workspace, CLEAN, side)?;
    command.args(["--keep", &arguments.keep.to_string()]).args(arguments.yes.then_some("--yes"));
    process::run(command)
}

/// Tells whether wrangler says that there is no such bucket. Other failures must not lead to an attempt at creating it.
fn is_missing(said: &str) -> bool {
    said.contains("[code: 10006]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missing_bucket_is_created() {
        check(
            "A request to the Cloudflare API failed.\n\n  The specified bucket does not exist. [code: 10006]\n",
            true,
        );
        check("  Please enable R2 through the Cloudflare Dashboard. [code: 10042]", false);
        check("You are not logged in.", false);
    }

    fn check(said: &str, expect: bool) {
        assert_eq!(is_missing(said), expect, "{said}");
    }
}
