//! `toponym serve-local`: the geocoding routes of the service over HTTP on this machine, without keys, for notebooks and apps.
//!
//! Each connection is a task. The engine computes and never waits, so a thread for each core is all that helps; a client
//! that stops sending costs memory, holds up no other, and a stop for a second at most.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use bytes::Bytes;
use clap::Args;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::HeaderMap;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use toponym_edge::http::{Body, BodyError, READ_HEADERS, Request};
use toponym_edge::response::Response;
use toponym_edge::unmetered;
use toponym_engine::Engine;
use toponym_terminal::report;

use crate::index_files::IndexFiles;

/// Time that a stop waits for requests that are still arriving: longer than a request of a working client takes.
const GRACE: Duration = Duration::from_secs(1);

/// A pause when no connection can be taken, as when too many files are open: others end meanwhile.
const PAUSE: Duration = Duration::from_millis(50);

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

/// Serves until Ctrl-C or SIGTERM. Requests that have arrived are answered first.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let engine = arguments.index.open(root)?.engine;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or(cores).max(1);
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    ctrlc::set_handler(move || stopped.notify_one()).context("cannot handle signals")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(jobs).enable_all().build()?;
    runtime.block_on(listen((arguments.host, arguments.port).into(), Service::new(engine), &stop))?;
    report::remark("stopped");
    Ok(())
}

/// Takes connections until `stop`.
async fn listen(address: SocketAddr, service: Arc<Service>, stop: &Notify) -> Result<()> {
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    let bound = listener.local_addr()?;
    report::say(&format!("• http://{bound}/v1/geocoding/forward?query=Paris (Ctrl-C stops)"));
    if !bound.ip().is_loopback() {
        report::remark("every machine that reaches this address can ask, without a key");
    }
    let connections = GracefulShutdown::new();
    loop {
        tokio::select! {
            taken = listener.accept() => match taken {
                Ok((stream, peer)) => connect(stream, peer, &service, &connections),
                Err(_) => tokio::time::sleep(PAUSE).await,
            },
            () = stop.notified() => break,
        }
    }
    // What is still arriving then may never be all there.
    let _ = tokio::time::timeout(GRACE, connections.shutdown()).await;
    Ok(())
}

/// Answers the requests of a connection, in a task of its own.
fn connect(stream: TcpStream, peer: SocketAddr, service: &Arc<Service>, connections: &GracefulShutdown) {
    let service = Arc::clone(service);
    let answer = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move { Ok::<_, Infallible>(service.answer(request, peer.ip()).await) }
    });
    let connection = http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), answer);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        // A client that has gone needs no answer.
        let _ = connection.await;
    });
}

/// The service: the engine, and how many requests it was sent.
struct Service {
    engine: Engine,
    requests: AtomicU64,
}

impl Service {
    fn new(engine: Engine) -> Arc<Self> {
        Arc::new(Self { engine, requests: AtomicU64::new(0) })
    }

    async fn answer(&self, sent: hyper::Request<Incoming>, peer: IpAddr) -> hyper::Response<Full<Bytes>> {
        let id = format!("local-{}", self.requests.fetch_add(1, Ordering::Relaxed) + 1);
        into_hyper(unmetered::answer(&self.engine, request(sent, peer), id).await)
    }
}

/// A body as it arrives.
struct Arriving(Incoming);

impl Body for Arriving {
    /// Reads the body to its end whatever its length, but keeps no more than `cap`: a client that is still sending when
    /// it is answered would see a broken connection in place of the answer.
    async fn read(mut self, cap: usize) -> Result<Vec<u8>, BodyError> {
        let mut bytes = Vec::new();
        let mut length = 0;
        while let Some(frame) = self.0.frame().await {
            let Ok(data) = frame.map_err(|_| BodyError::Broken)?.into_data() else { continue };
            length += data.len();
            if length <= cap {
                bytes.extend_from_slice(&data);
            }
        }
        if length > cap { Err(BodyError::TooLarge) } else { Ok(bytes) }
    }
}

/// Converts a request to the form that the service reads.
fn request(sent: hyper::Request<Incoming>, peer: IpAddr) -> Request<Arriving> {
    let (head, body) = sent.into_parts();
    Request {
        method: head.method.as_str().to_owned(),
        is_secure: false,
        host: "localhost".to_owned(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: READ_HEADERS.into_iter().filter_map(|name| Some((name, value(&head.headers, name)?))).collect(),
        ip: Some(peer),
        body: Arriving(body),
    }
}

/// Returns all values of a header, if it was sent.
fn value(headers: &HeaderMap, name: &str) -> Option<String> {
    let values: Vec<_> = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

fn into_hyper(response: Response) -> hyper::Response<Full<Bytes>> {
    let mut outgoing = hyper::Response::builder().status(response.status);
    for (name, value) in &response.headers {
        outgoing = outgoing.header(*name, value.as_ref());
    }
    let body = Full::new(response.body.unwrap_or_default().into());
    outgoing.body(body).expect("the service makes headers that can be sent")
}
