//! `toponym serve-local`: real HTTP on this machine.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Folder;

/// A running service.
struct Service {
    child: Child,
    address: String,
}

/// A wait that is too long: what waits so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Connections that stall at once: more than a pool of threads has.
const CROWD: usize = 100;

impl Service {
    fn start(folder: &Folder, options: &[&str]) -> Self {
        let mut command = folder.command(&["serve-local", "--port", "0"]);
        command.args(options);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program is built");
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().expect("it is a pipe"))
            .read_line(&mut line)
            .expect("it prints its address");
        let address = line.split_whitespace().nth(1).and_then(|url| url.split("/v1").next()).expect("an address");
        Self { address: address.to_owned(), child }
    }

    fn get(&self, path: &str) -> (u16, String) {
        let mut response = agent().get(format!("{}{path}", self.address)).call().expect("it answers");
        (response.status().as_u16(), response.body_mut().read_to_string().expect("it has a body"))
    }

    fn post(&self, path: &str, body: &str) -> (u16, Value) {
        let mut response = agent().post(format!("{}{path}", self.address)).send(body).expect("it answers");
        let text = response.body_mut().read_to_string().expect("it has a body");
        (response.status().as_u16(), serde_json::from_str(&text).expect("it is JSON"))
    }

    /// Sends a request whose body does not arrive.
    fn stall(&self, head: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address.trim_start_matches("http://")).expect("it listens");
        write!(stream, "POST {head}\r\nHost: localhost\r\n\r\n").expect("it reads");
        stream
    }

    /// Sends SIGTERM, and waits for the end.
    fn stop(mut self) {
        let stopped = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(stopped.expect("kill is part of the system").success());
        let since = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it is a child") {
                break status;
            }
            assert!(since.elapsed() < PATIENCE, "it did not stop");
            sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status}");
    }
}

/// A test that fails leaves no service behind.
impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build().into()
}

#[test]
fn it_answers_as_the_terminal_does_and_stops() {
    let folder = Folder::new();
    let service = Service::start(&folder, &[]);
    assert!(service.address.starts_with("http://127.0.0.1:"), "{}", service.address);
    let (status, body) = service.get("/v1/geocoding/forward?query=M%C3%BCnchen&limit=1");
    assert_eq!((status, format!("{body}\n")), (200, folder.run("forward München --limit 1").out));
    let (status, body) = service.get("/v1/geocoding/reverse?lat=48.86&lon=2.34");
    assert_eq!((status, format!("{body}\n")), (200, folder.run("reverse 48.86,2.34").out));
    let (status, body) = service.get("/v1/geocoding/forward");
    assert_eq!((status, body.contains("query parameter is required")), (400, true), "{body}");
    assert_eq!(service.get("/v1/geocoding/place/6").0, 200);
    assert_eq!(service.get("/unknown").0, 404);
    let (status, batch) =
        service.post("/v1/geocoding/batch", r#"{"queries":["Paris",{"city":"Paris","country":"US"}]}"#);
    assert_eq!((status, &batch["successful"]), (200, &json!(2)));
    let large = format!("{{\"queries\":[\"{}\"]}}", "x".repeat(2_000_000));
    assert_eq!(service.post("/v1/geocoding/batch", &large).0, 400);
    service.stop();
}

/// A client that sends half of a request holds up nobody else, and no stop.
#[test]
fn a_body_that_does_not_arrive() {
    let folder = Folder::new();
    let service = Service::start(&folder, &["--jobs", "1"]);
    let half = [
        "/v1/geocoding/batch HTTP/1.1\r\nContent-Length: 5000",
        "/v1/geocoding/batch HTTP/1.1\r\nTransfer-Encoding: chunked",
        "/v1/geocoding/batch HTTP/1.1\r\nContent-Length: 5000000",
        "/unknown HTTP/1.1\r\nContent-Length: 5000",
        "/v1/geocoding/forward?query=Paris HTTP/1.1\r\nContent-Length: 5000",
    ];
    let mut streams: Vec<_> = half.iter().cycle().take(CROWD).map(|head| service.stall(head)).collect();
    // More than is taken, and still not all.
    streams[2].write_all(&vec![b'x'; 2_000_000]).expect("it reads");
    assert_eq!(service.get("/v1/geocoding/place/6").0, 200);
    // The rest of one: it is answered as any other.
    let body = format!("{:5000}", r#"{"queries":["Paris"]}"#);
    streams[0].write_all(body.as_bytes()).expect("it reads");
    let mut answer = String::new();
    BufReader::new(&streams[0]).read_line(&mut answer).expect("it answers");
    assert_eq!(answer.trim_end(), "HTTP/1.1 200 OK");
    service.stop();
}
