//! `toponym serve-local`: real HTTP on this machine.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::Folder;

/// A running service.
struct Service {
    child: Child,
    address: String,
}

impl Service {
    fn start(folder: &Folder) -> Self {
        let mut command = folder.command(&["serve-local", "--port", "0"]);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program is built");
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().expect("it is a pipe"))
            .read_line(&mut line)
            .expect("it prints its address");
        let address = line.split_whitespace().nth(1).and_then(|url| url.split("/v1").next()).expect("an address");
        Self { address: address.to_owned(), child }
    }

    fn get(&self, path: &str) -> (u16, String) {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut response = agent.get(format!("{}{path}", self.address)).call().expect("it answers");
        (response.status().as_u16(), response.body_mut().read_to_string().expect("it has a body"))
    }

    fn post(&self, path: &str, body: &str) -> (u16, Value) {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut response = agent.post(format!("{}{path}", self.address)).send(body).expect("it answers");
        let text = response.body_mut().read_to_string().expect("it has a body");
        (response.status().as_u16(), serde_json::from_str(&text).expect("it is JSON"))
    }
}

#[test]
fn it_answers_as_the_terminal_does_and_stops() {
    let folder = Folder::new();
    let mut service = Service::start(&folder);
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
    let stopped = Command::new("kill").args(["-TERM", &service.child.id().to_string()]).status();
    assert!(stopped.expect("kill is part of the system").success());
    assert!(service.child.wait().expect("it ends").success());
}
