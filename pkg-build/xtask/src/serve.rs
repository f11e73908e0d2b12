//! `cargo xtask serve`: runs the service on local workerd, installing and building what is missing.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use process_wrap::std::{ChildWrapper, CommandWrap};
use serde::Deserialize;
use toponym_terminal::process;
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

use super::runs;
use super::toponym::{self, Indexes};

/// Interval between checks of the running service.
const LOOK: Duration = Duration::from_millis(100);

/// Start-up timeout: wrangler starts in a few seconds.
const LONGEST_START: Duration = Duration::from_secs(180);

/// Time to stop: wrangler stops workerd and itself in less than a second; after this it is killed.
const LONGEST_STOP: Duration = Duration::from_secs(10);

/// Timeout of a health check, so that a hanging one does not block everything.
const LONGEST_ANSWER: Duration = Duration::from_secs(2);

/// The signal that asks a process to terminate, on every Unix.
#[cfg(unix)]
const SIGTERM: i32 = 15;

/// The demo key, which exists in local runs only.
const DEMO_KEY: &str = "gck_localdemo";

/// Secret of the demo key.
const DEMO_SECRET: &str = "gcs_localdemo";

/// Installs what is missing, starts the service on `port`, and runs it until the process is stopped.
pub fn run(workspace: &Workspace, port: u16, indexes: &Indexes, pages: Option<&str>) -> Result<()> {
    require_free(port)?;
    runs::prepare(workspace, &["packages and pages"])?;
    let mut prepare = toponym::command(workspace, &["deploy", "locally"])?;
    prepare.args(indexes.arguments()?).args(pages.map(|store| format!("--pages={store}")));
    let LocalRun { configuration, variables } = serde_json::from_str(&process::output(prepare)?)?;
    let stop = stop_signal()?;
    // Its build command puts the indexes into the Worker.
    let mut command = workspace.wrangler(Some(&configuration))?;
    command.args(["dev", "--local", "--ip", "127.0.0.1", "--port", &port.to_string()]);
    command.arg("--show-interactive-dev-session=false").envs(variables);
    let mut server = Server::start(command)?;
    if server.wait_until_healthy(port, &stop)? {
        println!("{}", welcome(port));
        server.wait(&stop)?;
    }
    drop(server);
    report::remark("the service has stopped");
    Ok(())
}

/// Settings of the indexes for wrangler: `toponym deploy locally` prints them.
#[derive(Deserialize)]
struct LocalRun {
    configuration: String,
    variables: BTreeMap<String, String>,
}

fn require_free(port: u16) -> Result<()> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop).with_context(|| {
        format!("port {port} of 127.0.0.1 is taken: stop what runs there, or choose another with --port")
    })
}

/// Returns a channel that receives a message on Ctrl-C or a termination signal.
fn stop_signal() -> Result<Receiver<()>> {
    let (sender, receiver) = channel();
    let notify = move || {
        // The receiver is gone if the process is already ending.
        let _ = sender.send(());
    };
    ctrlc::set_handler(notify).context("cannot handle signals")?;
    Ok(receiver)
}

/// wrangler and its child processes in a separate process group: Ctrl-C reaches only this program, which then stops the
/// group in order.
struct Server {
    child: Box<dyn ChildWrapper>,
}

impl Server {
    fn start(mut command: Command) -> Result<Self> {
        command.stdin(Stdio::null());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        Ok(Self { child: command.spawn().context("wrangler could not be started")? })
    }

    /// Waits until the service is healthy; false if it was stopped before.
    fn wait_until_healthy(&mut self, port: u16, stop: &Receiver<()>) -> Result<bool> {
        let start = Instant::now();
        while !is_healthy(port) {
            if start.elapsed() > LONGEST_START {
                bail!("the service did not become healthy within {}", report::duration(LONGEST_START));
            }
            if self.is_over(stop)? {
                return Ok(false);
            }
        }
        report::remark(&format!("workerd was up after {}", report::duration(start.elapsed())));
        Ok(true)
    }

    fn wait(&mut self, stop: &Receiver<()>) -> Result<()> {
        while !self.is_over(stop)? {}
        Ok(())
    }

    /// Waits briefly. Returns whether the process was stopped; an error if the service ended by itself.
    fn is_over(&mut self, stop: &Receiver<()>) -> Result<bool> {
        if let Some(status) = self.exit_status()? {
            bail!("wrangler ended by itself ({status}); what it printed is above");
        }
        Ok(!matches!(stop.recv_timeout(LOOK), Err(RecvTimeoutError::Timeout)))
    }

    fn exit_status(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().context("cannot get the state of wrangler")
    }

    /// Asks the whole group to stop, and kills it if it does not.
    fn stop(&mut self) -> Result<()> {
        #[cfg(unix)]
        self.child.signal(SIGTERM)?;
        #[cfg(windows)]
        self.child.start_kill()?;
        let start = Instant::now();
        while self.child.try_wait()?.is_none() {
            if start.elapsed() > LONGEST_STOP {
                return Ok(self.child.kill()?);
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }
}

impl Drop for Server {
    /// Leaves no process of the service behind, however the command ends.
    fn drop(&mut self) {
        // This only fails if the group has already ended.
        let _ = self.stop();
    }
}

fn is_healthy(port: u16) -> bool {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(LONGEST_ANSWER)).build().into();
    agent.get(format!("http://127.0.0.1:{port}/health")).call().is_ok_and(|response| response.status() == 200)
}

/// Returns example commands for the running service: two lines that work in any POSIX shell.
fn welcome(port: u16) -> String {
    format!(
        r#"
Toponym runs at http://127.0.0.1:{port}
  demo key     {DEMO_KEY}
  demo secret  {DEMO_SECRET}

Try it in another shell:

TOKEN=$(curl -s http://127.0.0.1:{port}/api-clients/token -H 'Content-Type: application/json' -d '{{"apiKey":"{DEMO_KEY}","apiSecret":"{DEMO_SECRET}"}}' | sed 's/.*"token":"\([^"]*\)".*/\1/')
curl -s -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:{port}/v1/geocoding/forward?query=Paris,%20Texas&limit=1"

Ctrl-C stops it.
"#
    )
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    fn free_port() -> u16 {
        let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
        holder.local_addr().expect("it is bound").port()
    }

    #[test]
    fn a_taken_port_is_named() {
        let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
        let port = holder.local_addr().expect("it is bound").port();
        let error = require_free(port).expect_err("the port is held").to_string();
        assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");
        // Somebody else may take a port as soon as it is free.
        let is_free = |_| require_free(free_port()).is_ok();
        assert!((0..10).any(is_free), "no port is free");
    }

    #[test]
    fn health_is_an_answer_of_200() {
        let check = |answer: &'static str, expect: bool| {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
            let port = listener.local_addr().expect("it is bound").port();
            let server = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().expect("a request comes");
                let mut request = [0; 1024];
                stream.read(&mut request).and_then(|_| stream.write_all(answer.as_bytes())).expect("the peer waits");
            });
            assert_eq!(is_healthy(port), expect, "{answer}");
            server.join().expect("the server ends");
        };
        check("HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{\"ok\":true}", true);
        check("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 12\r\n\r\n{\"ok\":false}", false);
        check("not HTTP\r\n\r\n", false);
    }

    #[cfg(unix)]
    #[test]
    fn the_whole_group_is_stopped() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo $!; wait"]).stdout(Stdio::piped());
        let mut server = Server::start(command).expect("sh runs");
        let mut pipe = server.child.stdout().take().expect("it was piped");
        let mut first = [0];
        pipe.read_exact(&mut first).expect("sh prints the id of its child");
        drop(server);
        // The pipe closes only after the last process that holds it has ended.
        pipe.read_to_end(&mut Vec::new()).expect("the pipe ends");
    }

    #[test]
    fn the_example_is_two_lines() {
        let text = welcome(8787);
        let lines: Vec<_> = text.lines().filter(|line| line.contains("curl ")).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].contains(r#"'{"apiKey":"gck_localdemo","apiSecret":"gcs_localdemo"}'"#), "{text}");
        assert!(lines[0].ends_with(r#"sed 's/.*"token":"\([^"]*\)".*/\1/')"#), "{text}");
    }
}
