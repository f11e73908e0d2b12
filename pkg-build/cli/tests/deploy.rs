//! Deploys with programs in place of Cargo and wrangler, to a service on this machine: which steps are taken, and who sees a secret.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread;

use toponym_engine::Gazetteer;

/// Runs wrangler in reality. It notes its arguments, and answers as an account without a Worker.
const NODE: &str = r#"#!/bin/sh
echo "$*" >> arguments
case "$*" in
  *"secret list"*) echo 'Worker "toponym" not found' >&2; exit 1 ;;
  *"secret bulk"*) cat > uploaded.json ;;
  *deploy*) echo "{\"type\":\"deploy\",\"targets\":[\"$SERVICE\"]}" > "$WRANGLER_OUTPUT_FILE_PATH" ;;
esac
"#;

/// Installs wrangler in reality.
const CARGO: &str = "#!/bin/sh\necho \"cargo $*\" >> arguments\n";

/// Answers two requests: whether the service is healthy, and for a new key. Returns what they were.
fn serve(listener: &TcpListener) -> [String; 2] {
    [r#"{"ok":true}"#, r#"{"apiKey":"gck_1","apiSecret":"gcs_1","name":"First key"}"#].map(|answer| {
        let (mut stream, _) = listener.accept().expect("a request comes");
        let mut reader = BufReader::new(stream.try_clone().expect("it is open"));
        let mut head = String::new();
        let mut length = 0;
        while reader.read_line(&mut head).expect("a request is text") > 2 {
            let last = head.lines().next_back().unwrap_or_default().to_ascii_lowercase();
            length = last.strip_prefix("content-length: ").map_or(length, |number| number.parse().expect("a number"));
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("the body comes");
        let head_of_answer =
            format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", answer.len());
        stream.write_all((head_of_answer + answer).as_bytes()).expect("the peer waits");
        head + &String::from_utf8(body).expect("a body is text")
    })
}

#[test]
fn secrets_reach_the_account_and_nobody_else() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let write = |path: &str, text: &[u8]| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder is ours");
        std::fs::write(&path, text).expect("the folder is ours");
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("the file is ours");
    };
    write("Cargo.lock", b"");
    write("wrangler.toml", b"name = \"toponym\"\nworkers_dev = true\n");
    write("build/index.toponym", &toponym_engine::index::write(&Gazetteer::default()).expect("it is sound"));
    write("edge-worker/node_modules/.bin/node", NODE.as_bytes());
    write("edge-worker/node_modules/.bin/cargo", CARGO.as_bytes());
    let listener = TcpListener::bind("127.0.0.1:0").expect("some port is free");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    let service = thread::spawn(move || serve(&listener));
    let deployed = Command::new(env!("CARGO_BIN_EXE_toponym"))
        .args(["deploy", "--whole", "--first-key"])
        .env("CARGO_MANIFEST_DIR", folder.path())
        .env("SERVICE", &url)
        .env("TOPONYM_ADMIN_SECRET", "of-this-machine".repeat(3))
        .output()
        .expect("the program is built");
    let [out, err] = [deployed.stdout, deployed.stderr].map(|text| String::from_utf8(text).expect("it is text"));
    assert!(deployed.status.success(), "{out}\n{err}");
    let [health, key] = service.join().expect("both requests came");
    assert!(health.starts_with("GET /health "), "{health}");
    assert!(key.starts_with("POST /admin/keys ") && key.contains(r#""plan":"free""#), "{key}");

    let read = |path: &Path| std::fs::read_to_string(folder.path().join(path)).expect("it was written");
    let uploaded: BTreeMap<String, String> =
        serde_json::from_str(&read(Path::new("uploaded.json"))).expect("it is JSON");
    let names = ["TOPONYM_ADMIN_SECRET", "TOPONYM_KEY_MARK", "TOPONYM_PEPPER", "TOPONYM_SIGNING_KEYS"];
    assert_eq!(uploaded.keys().collect::<Vec<_>>(), names);
    let kept = read(Path::new(".deploy.vars"));
    let arguments = read(Path::new("arguments"));
    for secret in uploaded.values() {
        assert!(kept.contains(secret.as_str()));
        assert!(![&out, &err, &arguments].iter().any(|text| text.contains(secret.as_str())), "a secret is shown");
    }
    assert!(kept.contains(&format!("TOPONYM_ADDRESS='{url}'")), "the admin secret is sent to no other address");
    let expect = ["cargo xtask wrangler", "secret list", "secret bulk", "deploy"];
    assert_eq!(arguments.lines().count(), expect.len(), "{arguments}");
    assert!(arguments.lines().zip(expect).all(|(line, part)| line.contains(part)), "{arguments}");
    for part in
        ["1/6 ask which", "it lacks TOPONYM_", "6/6 make the first API key", "gcs_1", &format!("{url} is deployed.")]
    {
        assert!(out.contains(part) || err.contains(part), "no {part:?} in\n{out}\n{err}");
    }
}
