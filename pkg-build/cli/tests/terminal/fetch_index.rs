//! Tests `toponym fetch-index` against a server that can misbehave.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::{Receiver, channel};

use sha2::{Digest, Sha256};
use toponym_builder::{Compressor, pack};

use crate::support::{Folder, Run, finish, program};

/// An answer of the server.
enum Answer {
    /// The whole file, or what a range asks for.
    File(Vec<u8>),
    /// The file, but the connection ends after so many bytes.
    Cut(Vec<u8>, usize),
    /// A status without a file.
    Status(&'static str),
}

/// Serves the answers, one for each request, and returns its address and the ranges that were asked for.
fn serve(answers: Vec<Answer>) -> (String, Receiver<Option<usize>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let address = format!("http://{}/files", listener.local_addr().expect("it listens"));
    let (sender, ranges) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().expect("a request comes");
            let lines = BufReader::new(stream.try_clone().expect("it is a socket")).lines();
            let head: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            let range =
                head.iter().find_map(|line| line.strip_prefix("range: bytes=")?.strip_suffix('-')?.parse().ok());
            sender.send(range).expect("the test waits for it");
            let from = range.unwrap_or(0);
            let status = if range.is_some() { "206 Partial Content" } else { "200 OK" };
            let (status, declared, body) = match &answer {
                Answer::File(file) => (status, file.len() - from, &file[from..]),
                Answer::Cut(file, end) => (status, file.len() - from, &file[from..*end]),
                Answer::Status(status) => (*status, 0, &[][..]),
            };
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {declared}\r\nconnection: close\r\n\r\n");
            // A client that has enough closes the connection.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        }
    });
    (address, ranges)
}

/// A folder of an installed program, whose release has one packed index.
struct Installed {
    folder: Folder,
    file: Vec<u8>,
}

impl Installed {
    fn new() -> Self {
        let folder = Folder::new();
        let file = pack(&folder.bytes("places.toponym"), Compressor::Gzip).expect("it can be packed");
        let sha256: String = Sha256::digest(&file).iter().map(|byte| format!("{byte:02x}")).collect();
        let entry = format!(r#"{{"file": "default.bin", "size": {}, "sha256": "{sha256}"}}"#, file.len());
        let list = format!(
            r#"{{"version": "1.2.3", "address": null, "indexes": {{"default": {entry}}}, "attribution": ["© somebody"]}}"#
        );
        folder.write("indexes.json", list);
        Self { folder, file }
    }

    /// Runs the program in its folder, as far from a repository as it is for those who install it.
    fn run(&self, line: &str) -> Run {
        let home = self.folder.path("home");
        let mut command = program(&self.folder.path(""));
        command.args(line.split(' ')).env("TOPONYM_HOME", home).env("CARGO_MANIFEST_DIR", self.folder.path(""));
        finish(command, "")
    }

    fn fetch(&self, mirror: &str) -> Run {
        self.run(&format!("fetch-index --list indexes.json --mirror {mirror}"))
    }
}

#[test]
fn a_fetched_index_answers() {
    let installed = Installed::new();
    let missing = installed.run("forward Munich --format csv");
    assert!(missing.err.contains("toponym fetch-index"), "{missing:?}");
    let (mirror, ranges) = serve(vec![Answer::File(installed.file.clone())]);
    let fetched = installed.fetch(&mirror);
    assert_eq!(fetched.code, Some(0), "{fetched:?}");
    assert!(fetched.err.contains("of version 1.2.3") && fetched.err.contains("© somebody"), "{fetched:?}");
    assert_eq!(installed.folder.bytes("home/index.toponym"), installed.folder.bytes("places.toponym"));
    let answer = installed.run("forward Munich --limit 1 --format csv");
    assert!(answer.out.contains("Munich, Germany"), "{answer:?}");
    // The server answers once only.
    let again = installed.fetch(&mirror);
    assert!(again.code == Some(0) && again.err.contains("is up to date"), "{again:?}");
    assert_eq!(ranges.iter().collect::<Vec<_>>(), [None]);
}

#[test]
fn a_download_that_is_cut_goes_on() {
    let installed = Installed::new();
    let whole = &installed.file;
    let cut = installed.file.len() / 3;
    let (mirror, ranges) = serve(vec![
        Answer::Cut(whole.clone(), cut),
        Answer::Status("503 Service Unavailable"),
        Answer::File(whole.clone()),
    ]);
    let fetched = installed.fetch(&mirror);
    assert_eq!(fetched.code, Some(0), "{fetched:?}");
    assert_eq!(installed.folder.bytes("home/index.toponym"), installed.folder.bytes("places.toponym"));
    assert_eq!(ranges.iter().collect::<Vec<_>>(), [None, Some(cut), Some(cut)]);
}

#[test]
fn another_file_is_refused() {
    let installed = Installed::new();
    installed.folder.write("kept", "");
    for other in
        [vec![7; installed.file.len()], vec![7; installed.file.len() + 9], [&installed.file[..], b"x"].concat()]
    {
        let (mirror, _ranges) = serve(vec![Answer::File(other)]);
        let refused = installed.fetch(&mirror);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.err.contains("default.bin is not the file of the release: its SHA-256 is"), "{refused:?}");
        let left = std::fs::read_dir(installed.folder.path("home")).expect("it was made").count();
        assert_eq!(left, 0, "nothing stays of it");
    }
}

#[test]
fn failures_say_what_to_do() {
    let installed = Installed::new();
    let (mirror, ranges) = serve(vec![Answer::Status("404 Not Found")]);
    let check = |line: &str, expect: &str| {
        let run = installed.run(line);
        assert!(run.code == Some(1) && run.err.contains(expect), "{line}: {run:?}");
    };
    check(&format!("fetch-index --list indexes.json --mirror {mirror}"), "default.bin: the server answered 404");
    assert_eq!(ranges.iter().count(), 1, "it is not asked again");
    assert_eq!(std::fs::read_dir(installed.folder.path("home")).expect("it was made").count(), 0);
    check("fetch-index --list indexes.json", "names no address: give one with --mirror");
    check("fetch-index everything --list indexes.json", "has no index \"everything\", but default");
    check("fetch-index --list places.toponym", "is not the list of a release");
    check("fetch-index", "was not installed from a release");
    check("fetch-index --list indexes.json --mirror nowhere", "nowhere is not an address such as");
}
