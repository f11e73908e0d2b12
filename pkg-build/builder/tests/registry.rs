//! Fetches packages with the real npm and pip from a registry on this machine, which serves whole and broken files.
//!
//! The clients read the address of the registry from their environment, so each case runs in a process of its own: this test
//! program again, with [`a_fetch`] as its only test.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};
use toponym_builder::{Manifest, Registry, Source, fetch};

/// Variables in which [`a_fetch`] finds its case: the folder of the cache, and the manifest.
const CACHE: &str = "TOPONYM_TEST_CACHE";
const MANIFEST: &str = "TOPONYM_TEST_MANIFEST";

/// Answer of the registry in place of the package.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Served {
    /// The package.
    Whole,
    /// Another package, of which the registry itself says that it is right.
    Changed,
    /// Half of the package, and then the end of the connection.
    Half,
    /// Status 404 for the file.
    NotFound,
    /// Status 404 for everything.
    Unknown,
}

#[test]
fn a_whole_package_is_fetched_and_kept() {
    for registry in [Registry::Npm, Registry::Pypi] {
        let (outcome, kept) = fetch_from(registry, Served::Whole);
        assert_eq!((outcome.as_str(), kept), ("", true), "{registry:?}");
    }
}

/// Checks that each message says which package, what is wrong, and what to do, and that nothing is left behind.
#[test]
fn a_broken_download_says_what_to_do() {
    let npm = advice("npm");
    let pip = advice("pip");
    check(Registry::Npm, Served::Changed, &["SHA-256", "nothing of it was kept"]);
    check(Registry::Npm, Served::Half, &["`npm pack", &npm]);
    check(Registry::Npm, Served::NotFound, &["404", &npm]);
    check(Registry::Npm, Served::Unknown, &["404", &npm]);
    check(Registry::Pypi, Served::Changed, &["SHA-256", "nothing of it was kept"]);
    check(Registry::Pypi, Served::Half, &["pip download", &pip]);
    check(Registry::Pypi, Served::NotFound, &["404", &pip]);
    check(Registry::Pypi, Served::Unknown, &["pip download", &pip]);
}

fn advice(client: &str) -> String {
    format!("check the connection and the registry that {client} uses")
}

fn check(registry: Registry, served: Served, expect: &[&str]) {
    let (message, kept) = fetch_from(registry, served);
    for part in ["places 1.0.0", "build again"].iter().chain(expect) {
        assert!(message.contains(part), "{registry:?} {served:?}: no {part:?} in {message:?}");
    }
    assert!(!kept, "{registry:?} {served:?}: {message}");
}

/// Runs one case in a process of its own: fetches what its environment says, and prints the error.
#[test]
#[ignore = "run by the other tests, with a registry"]
fn a_fetch() {
    let manifest = std::fs::read_to_string(std::env::var_os(MANIFEST).expect("a test runs this")).expect("it is there");
    let manifest: Manifest = toml::from_str(&manifest).expect("the test wrote it");
    let cache = std::env::var_os(CACHE).expect("a test runs this");
    if let Err(error) = fetch(&manifest, Path::new(&cache)) {
        println!("{START}{error}{END}");
    }
}

/// Around the error in the output of the process.
const START: &str = "<error>";
const END: &str = "</error>";

/// Returns the message of fetching a package from a registry that serves this, and whether the package is in the cache.
/// Nothing else may be there.
fn fetch_from(registry: Registry, served: Served) -> (String, bool) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let cache = folder.path().join("cache");
    let source = source(registry);
    let manifest = folder.path().join("sources.toml");
    std::fs::write(&manifest, as_toml(&source)).expect("the folder can be written");
    let address = serve(registry, served);
    let mut process = Command::new(std::env::current_exe().expect("this program runs"));
    process.args(["--exact", "a_fetch", "--ignored", "--nocapture"]).env(CACHE, &cache).env(MANIFEST, &manifest);
    process.env("npm_config_registry", &address).env("npm_config_cache", folder.path().join("npm"));
    process.env("npm_config_fetch_retries", "0").env("npm_config_update_notifier", "false");
    process.env("PIP_INDEX_URL", format!("{address}/simple")).env("PIP_NO_CACHE_DIR", "1").env("PIP_RETRIES", "0");
    process.env("PIP_CONFIG_FILE", "/dev/null").env("PIP_DISABLE_PIP_VERSION_CHECK", "1").env("NO_PROXY", "127.0.0.1");
    let output = process.stdin(Stdio::null()).output().expect("this program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let message = text.split_once(START).and_then(|(_, rest)| rest.rsplit_once(END)).map_or("", |(error, _)| error);
    let left: Vec<_> = std::fs::read_dir(&cache)
        .map(|files| files.flatten().map(|file| file.file_name()))
        .into_iter()
        .flatten()
        .collect();
    let kept = left == [source.file.as_str()];
    assert!(kept || left.is_empty(), "{registry:?} {served:?} leaves {left:?}");
    (message.to_owned(), kept)
}

fn source(registry: Registry) -> Source {
    Source {
        package: "places".into(),
        registry,
        version: "1.0.0".into(),
        file: file(registry).into(),
        sha256: Sha256::digest(package(registry, "as pinned")).iter().map(|byte| format!("{byte:02x}")).collect(),
        files: vec!["places.json".into()],
        title: "Places".into(),
        url: "https://example.org".into(),
        licence: "CC0-1.0".into(),
        attribution: "Places".into(),
        notice: None,
        required: false,
        date: None,
    }
}

fn as_toml(source: &Source) -> String {
    let registry = if source.registry == Registry::Npm { "npm" } else { "pypi" };
    let Source { package, version, file, sha256, .. } = source;
    format!(
        "[[source]]\npackage = {package:?}\nregistry = {registry:?}\nversion = {version:?}\nfile = {file:?}\nsha256 = {sha256:?}\n\
         files = []\ntitle = \"\"\nurl = \"\"\nlicence = \"\"\nattribution = \"\"\n"
    )
}

fn file(registry: Registry) -> &'static str {
    match registry {
        Registry::Npm => "places-1.0.0.tgz",
        Registry::Pypi => "places-1.0.0-py3-none-any.whl",
    }
}

/// Makes a package with `text` as its only file.
fn package(registry: Registry, text: &str) -> Vec<u8> {
    match registry {
        Registry::Npm => {
            let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
            let manifest = r#"{"name": "places", "version": "1.0.0"}"#;
            for (path, text) in [("package/package.json", manifest), ("package/places.json", text)] {
                let mut header = tar::Header::new_gnu();
                header.set_size(text.len() as u64);
                header.set_mode(0o644);
                header.set_cksum();
                tar.append_data(&mut header, path, text.as_bytes()).expect("memory can be written");
            }
            tar.into_inner().expect("memory can be written").finish().expect("memory can be written")
        }
        Registry::Pypi => {
            let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
            let wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
            let metadata = "Metadata-Version: 2.1\nName: places\nVersion: 1.0.0\n";
            let files = [("places.json", text), ("places-1.0.0.dist-info/WHEEL", wheel)];
            let files = files
                .into_iter()
                .chain([("places-1.0.0.dist-info/METADATA", metadata), ("places-1.0.0.dist-info/RECORD", "")]);
            for (path, text) in files {
                zip.start_file(path, zip::write::SimpleFileOptions::default()).expect("memory can be written");
                zip.write_all(text.as_bytes()).expect("memory can be written");
            }
            zip.finish().expect("memory can be written").into_inner()
        }
    }
}

/// Starts a registry and returns its address. It ends with the process.
fn serve(registry: Registry, served: Served) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    let bytes = package(registry, if served == Served::Changed { "changed" } else { "as pinned" });
    let index = match registry {
        Registry::Npm => format!(
            r#"{{"name": "places", "dist-tags": {{"latest": "1.0.0"}}, "versions": {{"1.0.0": {{"name": "places",
               "version": "1.0.0", "dist": {{"tarball": "{address}/files/places-1.0.0.tgz"}}}}}}}}"#
        ),
        Registry::Pypi => format!("<!DOCTYPE html><a href=\"{address}/files/{0}\">{0}</a>", file(registry)),
    };
    let kind = if registry == Registry::Npm { "application/json" } else { "text/html" };
    let answers = HashMap::from([(true, (bytes, "application/octet-stream")), (false, (index.into_bytes(), kind))]);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that goes away is not a reason to end.
            let _ = answer(stream, served, &answers);
        }
    });
    address
}

/// Answers one request: with the file (`true`) or with the page that lists it.
fn answer(mut stream: TcpStream, served: Served, answers: &HashMap<bool, (Vec<u8>, &str)>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let is_file = request.contains("/files/");
    let is_known = request.contains("places") && served != Served::Unknown && !(is_file && served == Served::NotFound);
    if !is_known {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
    }
    let (bytes, kind) = &answers[&is_file];
    let sent = if is_file && served == Served::Half { bytes.len() / 2 } else { bytes.len() };
    let length = bytes.len();
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n")?;
    stream.write_all(&bytes[..sent])
}
