//! `toponym fetch-index`: downloads an index of a release, checks it, and puts it where the other commands look for it.
//!
//! The list of the release says what each file is and where it lies. It comes with the program, so no mirror has to be trusted. A
//! download that ends early goes on where it ended, by itself or with the next call. Nothing replaces an index until all of the
//! new one is there and can be opened.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::DecimalBytes;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use toponym_builder::unpack;
use toponym_engine::Engine;
use toponym_terminal::report;
use ureq::Agent;
use ureq::http::{StatusCode, Uri};

use crate::index_files;

/// The list, from the folder of the program.
const LIST: &str = "../share/toponym/indexes.json";

/// Pauses before each further attempt. The first is at once, for a connection that was cut.
const PAUSES: [Duration; 4] = [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(9)];

/// Time until a server answers. The rest may take as long as the connection needs.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Arguments of `toponym fetch-index`.
#[derive(Args)]
pub struct Arguments {
    /// The index: `default` has every place, `core` the better known ones, `first` the best known
    #[arg(value_name = "INDEX", default_value = "default")]
    name: String,
    /// Address of a folder with the files of the release, in place of the one in the list
    #[arg(long, value_name = "URL")]
    mirror: Option<String>,
    /// The list of the indexes of a release [default: share/toponym/indexes.json, beside the folder of the program]
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Writes the index to this file [default: index.toponym in the folder TOPONYM_HOME, else in .toponym of your home folder,
    /// where the other commands find it]
    #[arg(long, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
}

/// `indexes.json`: what a release has.
#[derive(Deserialize)]
struct Release {
    version: String,
    /// The address of its files, which ends with a slash.
    address: Option<String>,
    indexes: BTreeMap<String, Pack>,
    attribution: Vec<String>,
}

/// A packed index.
#[derive(Deserialize)]
struct Pack {
    file: String,
    size: u64,
    /// In hexadecimal.
    sha256: String,
}

/// Fetches the index, unless it is there.
pub fn run(arguments: &Arguments) -> Result<()> {
    let list = arguments.list.clone().map_or_else(beside_the_program, Ok)?;
    let release: Release = serde_json::from_slice(&fs_err::read(&list)?)
        .with_context(|| format!("{} is not the list of a release", list.display()))?;
    let names = || release.indexes.keys().cloned().collect::<Vec<_>>().join(", ");
    let pack = release.indexes.get(&arguments.name);
    let pack = pack.with_context(|| format!("the release has no index {:?}, but {}", arguments.name, names()))?;
    let out = arguments.out.clone().or_else(index_files::fetched_index);
    let out = out.context("there is no home folder: name a file with --out, or a folder in TOPONYM_HOME")?;
    let record = beside(&out, "from");
    if out.is_file() && fs_err::read_to_string(&record).is_ok_and(|from| from == pack.sha256) {
        report::remark(&format!("{} is up to date", out.display()));
        return Ok(());
    }
    let base = arguments.mirror.as_ref().or(release.address.as_ref());
    let base = base.context("the list of the release names no address: give one with --mirror")?;
    let url = format!("{}/{}", base.trim_end_matches('/'), pack.file);
    let is_address = url.parse().is_ok_and(|uri: Uri| matches!(uri.scheme_str(), Some("http" | "https")));
    ensure!(is_address, "{base} is not an address such as https://example.com/files");
    if let Some(folder) = out.parent() {
        fs_err::create_dir_all(folder)?;
    }
    let part = beside(&out, "part");
    report::step(&format!("download {url} ({})", DecimalBytes(pack.size)), |_| download(&url, pack, &part))?;
    let index = unpack(&fs_err::read(&part)?).with_context(|| format!("{url} cannot be unpacked"))?;
    Engine::open(index.clone())
        .with_context(|| format!("{url} is of another version than this program: fetch the list of its own release"))?;
    let next = beside(&out, "next");
    fs_err::write(&next, index)?;
    fs_err::rename(&next, &out)?;
    fs_err::write(record, &pack.sha256)?;
    fs_err::remove_file(part)?;
    report::remark(&format!("{} is the {} index of version {}", out.display(), arguments.name, release.version));
    report::say("Show these credits wherever you show results:");
    release.attribution.iter().for_each(|line| report::say(&format!("  {line}")));
    Ok(())
}

fn beside_the_program() -> Result<PathBuf> {
    let list = env::current_exe()?.canonicalize()?.parent().unwrap_or(Path::new("")).join(LIST);
    ensure!(
        list.is_file(),
        "the list of indexes is not at {}: this program was not installed from a release, so name the release's indexes.json with --list",
        list.display()
    );
    Ok(list)
}

/// Returns the path of a file that belongs to another one.
fn beside(path: &Path, end: &str) -> PathBuf {
    path.with_added_extension(end)
}

/// Downloads `pack` into the file at `part`, which may hold its first bytes.
fn download(url: &str, pack: &Pack, part: &Path) -> Result<()> {
    let config = Agent::config_builder().http_status_as_error(false).timeout_connect(Some(LONGEST_WAIT));
    let agent: Agent = config.timeout_recv_response(Some(LONGEST_WAIT)).build().into();
    let mut pauses = PAUSES.iter();
    loop {
        let failure = match attempt(&agent, url, pack, part) {
            Ok(()) => return verify(url, pack, part),
            Err(Failure::Final(error)) => return Err(error),
            Err(Failure::Passing(error)) => error,
        };
        let Some(pause) = pauses.next() else {
            return Err(failure.context(format!("{url} could not be downloaded: call the same again to go on")));
        };
        std::thread::sleep(*pause);
    }
}

/// A failed attempt.
enum Failure {
    /// Another attempt would end alike.
    Final(anyhow::Error),
    /// Another attempt may succeed.
    Passing(anyhow::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Passing(error.into())
    }
}

/// Adds to the file at `part` what it lacks.
fn attempt(agent: &Agent, url: &str, pack: &Pack, part: &Path) -> Result<(), Failure> {
    let there = fs_err::metadata(part).map_or(0, |file| file.len());
    if there == pack.size {
        return Ok(());
    }
    let mut request = agent.get(url);
    if there > 0 && there < pack.size {
        request = request.header("range", format!("bytes={there}-"));
    }
    let mut response = request.call().map_err(|error| Failure::Passing(error.into()))?;
    let (mut file, there) = match response.status() {
        StatusCode::PARTIAL_CONTENT => {
            (fs_err::OpenOptions::new().append(true).open(part).map_err(disk_failure)?, there)
        }
        StatusCode::OK => (fs_err::File::create(part).map_err(disk_failure)?, 0),
        status => {
            let error = anyhow::anyhow!("{url}: the server answered {status}");
            let is_passing = status.is_server_error()
                || [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS].contains(&status);
            return Err(if is_passing { Failure::Passing(error) } else { Failure::Final(error) });
        }
    };
    // One byte more shows that the file is another one.
    let mut body = response.body_mut().as_reader().take(pack.size - there + 1);
    let copied = io::copy(&mut body, &mut file)?;
    if there + copied < pack.size {
        return Err(Failure::Passing(anyhow::anyhow!(
            "{url}: the download was cut short after {} bytes",
            there + copied
        )));
    }
    Ok(())
}

fn disk_failure(error: io::Error) -> Failure {
    Failure::Final(error.into())
}

/// Checks the SHA-256 of the file at `part`, and removes it if that is not the one of the list.
fn verify(url: &str, pack: &Pack, part: &Path) -> Result<()> {
    let found: String = Sha256::digest(fs_err::read(part)?).iter().map(|byte| format!("{byte:02x}")).collect();
    if found != pack.sha256 {
        fs_err::remove_file(part)?;
        bail!(
            "{url} is not the file of the release: its SHA-256 is {found}, and the list says {}; try again, or with another --mirror",
            pack.sha256
        );
    }
    Ok(())
}
