//! `toponym serve-local`: the geocoding routes of the service over HTTP on this machine, without keys, for notebooks and apps.
//!
//! Threads of a small HTTP library hand requests to the code of the service. The engine computes and never waits, so a
//! thread for each core is all that helps.
//!
//! ```text
//! HTTP library ─> taken ────────────────────> workers ─> responses
//!                   └─> a thread for a body ───^
//! ```
//!
//! A worker gets a request when its body is there: a client that stops sending holds up no other, and no stop. The library
//! cannot cut its connection, so a thread waits for it as long as the client does.

use std::future::Future;
use std::io::{self, Read};
use std::net::IpAddr;
use std::path::Path;
use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Poll, Waker};
use std::thread;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tiny_http::{Header, Request as Incoming, Response as Outgoing, Server, StatusCode};
use toponym_edge::http::{Body, BodyError, READ_HEADERS, Request};
use toponym_edge::response::Response;
use toponym_edge::routes::batch::MAX_BODY;
use toponym_edge::unmetered;
use toponym_engine::Engine;
use toponym_terminal::report;

use crate::index_files::IndexFiles;

/// Arguments of `toponym serve-local`.
#[derive(Args)]
pub struct Arguments {
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 8788)]
    port: u16,
    /// The address to listen on: only this machine, unless another one is given
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Number of threads that answer [default: one for each core]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,
    #[command(flatten)]
    index: IndexFiles,
}

/// Serves until Ctrl-C or SIGTERM. Requests that are being answered are answered first.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let engine = arguments.index.open(root)?.engine;
    let address = (arguments.host, arguments.port);
    let server =
        Server::http(address).map_err(|error| anyhow!("cannot listen on {}:{}: {error}", address.0, address.1))?;
    let server = Arc::new(server);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or(cores).max(1);
    let stopped = Arc::clone(&server);
    ctrlc::set_handler(move || stopped.unblock()).context("cannot handle signals")?;
    let address = server.server_addr();
    report::say(&format!("• http://{address}/v1/geocoding/forward?query=Paris (Ctrl-C stops)"));
    if !arguments.host.is_loopback() {
        report::remark("every machine that reaches this address can ask, without a key");
    }
    let (queue, complete) = channel();
    let complete = &Mutex::new(complete);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| serve(complete, &engine));
        }
        take(&server, &queue);
        // Behind the requests that are complete. A body that is still arriving may never be.
        (0..jobs).for_each(|_| drop(queue.send(None)));
    });
    report::remark("stopped");
    Ok(())
}

/// A request whose body is there.
struct Complete {
    incoming: Incoming,
    body: Received,
}

/// The first bytes of a body: at least one more than the service takes, if there are so many.
struct Received(io::Result<Vec<u8>>);

/// Puts requests into the queue as soon as they are complete, until the server is unblocked.
fn take(server: &Server, queue: &Sender<Option<Complete>>) {
    while let Ok(mut incoming) = server.recv() {
        if !has_body(&incoming) {
            drop(queue.send(Some(Complete { incoming, body: Received(Ok(Vec::new())) })));
            continue;
        }
        let queue = queue.clone();
        thread::spawn(move || {
            let body = Received(received(incoming.as_reader()));
            drop(queue.send(Some(Complete { incoming, body })));
        });
    }
}

/// Whether the client announces a body.
fn has_body(incoming: &Incoming) -> bool {
    let is_coded = incoming.headers().iter().any(|header| header.field.equiv("Transfer-Encoding"));
    is_coded || incoming.body_length().is_some_and(|length| length > 0)
}

/// The beginning of a body, which is read to its end: the library would otherwise wait for the rest before it responds.
fn received(body: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    body.take(MAX_BODY as u64 + 1).read_to_end(&mut bytes)?;
    io::copy(body, &mut io::sink())?;
    Ok(bytes)
}

/// Answers complete requests until there are no more.
fn serve(queue: &Mutex<Receiver<Option<Complete>>>, engine: &Engine) {
    let mut count: u64 = 0;
    loop {
        let next = queue.lock().map(|queue| queue.recv());
        let Ok(Ok(Some(Complete { incoming, body }))) = next else { return };
        count += 1;
        let id = format!("{:?}-{count}", thread::current().id());
        let id = id.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "");
        let response = finished(unmetered::answer(engine, request(&incoming, body), id));
        // A client that has gone needs no answer.
        let _ = incoming.respond(outgoing(response));
    }
}

/// The result of a future that never waits: nothing of the service does, without a platform.
fn finished<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = TaskContext::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

impl Body for Received {
    async fn read(self, cap: usize) -> Result<Vec<u8>, BodyError> {
        let bytes = self.0.map_err(|_| BodyError::Broken)?;
        if bytes.len() > cap { Err(BodyError::TooLarge) } else { Ok(bytes) }
    }
}

/// A request as the service reads it.
fn request(incoming: &Incoming, body: Received) -> Request<Received> {
    let (path, query) = incoming.url().split_once('?').unwrap_or((incoming.url(), ""));
    let (path, query) = (path.to_owned(), query.split('#').next().unwrap_or_default().to_owned());
    let value = |name: &'static str| {
        let sent = incoming.headers().iter().filter(|header| header.field.as_str().as_str().eq_ignore_ascii_case(name));
        let values: Vec<&str> = sent.map(|header| header.value.as_str()).collect();
        (!values.is_empty()).then(|| (name, values.join(", ")))
    };
    Request {
        method: incoming.method().as_str().to_owned(),
        is_secure: false,
        host: "localhost".to_owned(),
        path,
        query,
        headers: READ_HEADERS.into_iter().filter_map(value).collect(),
        ip: incoming.remote_addr().map(|address| address.ip()),
        body,
    }
}

fn outgoing(response: Response) -> Outgoing<std::io::Cursor<Vec<u8>>> {
    let header = |(name, value): &(&'static str, std::borrow::Cow<'static, str>)| {
        Header::from_bytes(name.as_bytes(), value.as_bytes()).ok()
    };
    let headers: Vec<Header> = response.headers.iter().filter_map(header).collect();
    let mut outgoing = Outgoing::from_data(response.body.unwrap_or_default());
    // The type of the data is among the headers.
    outgoing = outgoing.with_status_code(StatusCode(response.status));
    headers.into_iter().fold(outgoing, Outgoing::with_header)
}
