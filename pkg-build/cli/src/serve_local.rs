//! `toponym serve-local`: the geocoding routes of the service over HTTP on this machine, without keys, for notebooks and apps.
//!
//! Threads of a small HTTP library hand requests to the code of the service. The engine computes and never waits, so a
//! thread for each core is all that helps.

use std::future::Future;
use std::io::Read;
use std::net::IpAddr;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tiny_http::{Header, Request as Incoming, Response as Outgoing, Server, StatusCode};
use toponym_edge::http::{Body, BodyError, READ_HEADERS, Request};
use toponym_edge::response::Response;
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
    // Each call wakes one thread.
    ctrlc::set_handler(move || (0..jobs).for_each(|_| stopped.unblock())).context("cannot handle signals")?;
    let address = server.server_addr();
    report::say(&format!("• http://{address}/v1/geocoding/forward?query=Paris (Ctrl-C stops)"));
    if !arguments.host.is_loopback() {
        report::remark("every machine that reaches this address can ask, without a key");
    }
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| serve(&server, &engine));
        }
    });
    report::remark("stopped");
    Ok(())
}

/// Answers requests until the server is unblocked.
fn serve(server: &Server, engine: &Engine) {
    let mut count: u64 = 0;
    while let Ok(mut incoming) = server.recv() {
        count += 1;
        let id = format!("{:?}-{count}", std::thread::current().id());
        let id = id.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "");
        let response = finished(unmetered::answer(engine, request(&mut incoming), id));
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

/// The body of a request, read when it is asked for.
struct Incomplete<'r>(&'r mut dyn Read);

impl Body for Incomplete<'_> {
    async fn read(self, cap: usize) -> Result<Vec<u8>, BodyError> {
        let mut bytes = Vec::new();
        self.0.take(cap as u64 + 1).read_to_end(&mut bytes).map_err(|_| BodyError::Broken)?;
        if bytes.len() > cap { Err(BodyError::TooLarge) } else { Ok(bytes) }
    }
}

/// A request as the service reads it.
fn request(incoming: &mut Incoming) -> Request<Incomplete<'_>> {
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
        body: Incomplete(incoming.as_reader()),
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
