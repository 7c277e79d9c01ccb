//! A gateway in a thread of its own, joined to a client by pipes, with servers of the testkit behind it.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use cloakgate_gateway::config::{Config, Format};
use cloakgate_gateway::{Gateway, GatewayError};
use cloakgate_names::Readers;
use cloakgate_testkit::{ECHO, HOSTILE, ScriptedClient, TASKS, program};
use serde_json::{Value, json};
use tokio::net::unix::pipe;

/// Servers of one test and the folder that holds their scripts and records.
pub(crate) struct Setup {
    folder: PathBuf,
    config: Value,
    upstreams: Vec<(String, Value)>, // in the order of the file
}

/// A running gateway.
pub(crate) struct Running {
    pub(crate) client: ScriptedClient,
    gateway: JoinHandle<Result<(), GatewayError>>,
}

impl Setup {
    /// A test without servers yet and without the models of names, whose loading takes time; `name` is unique among
    /// tests.
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("cloakgate-{}-{name}", std::process::id()));
        let _left_over = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { folder, config: json!({"names": "off"}), upstreams: Vec::new() }
    }

    /// Sets a key of the configuration.
    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        self.config[key] = value;
        self
    }

    /// Adds the honest server.
    pub(crate) fn echo(mut self, name: &str) -> Self {
        let command = program(ECHO).expect("the testkit builds");
        self.upstreams.push((name.to_owned(), json!({"command": command})));
        self
    }

    /// Adds the scripted server.
    pub(crate) fn scripted(mut self, name: &str, script: &Value) -> Self {
        let command = program(HOSTILE).expect("the testkit builds");
        let file = self.folder.join(format!("{name}.json"));
        std::fs::write(&file, script.to_string()).expect("a script");
        let args = json!(["--script", file, "--received", self.received_file(name)]);
        self.upstreams.push((name.to_owned(), json!({"command": command, "args": args})));
        self
    }

    /// Adds the server of tasks, which says that it speaks `version`.
    pub(crate) fn tasks(mut self, name: &str, version: &str) -> Self {
        let command = program(TASKS).expect("the testkit builds");
        let args = json!(["--received", self.received_file(name), "--version", version]);
        self.upstreams.push((name.to_owned(), json!({"command": command, "args": args})));
        self
    }

    /// Replaces the script of a scripted server by text that is not put together as a value.
    pub(crate) fn rewrite(&self, name: &str, script: &str) {
        std::fs::write(self.folder.join(format!("{name}.json")), script).expect("a script");
    }

    /// Sets a key of a server.
    pub(crate) fn upstream(mut self, name: &str, key: &str, value: Value) -> Self {
        match self.upstreams.iter_mut().find(|(known, _)| known == name) {
            Some((_, upstream)) => upstream[key] = value,
            None => self.upstreams.push((name.to_owned(), json!({key: value}))),
        }
        self
    }

    fn received_file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.received"))
    }

    /// The lines that a scripted server was sent so far.
    pub(crate) fn received(&self, name: &str) -> Vec<String> {
        lines(&self.received_file(name))
    }

    /// Waits until a scripted server was sent a line that holds `part`.
    pub(crate) fn wait_received(&self, name: &str, part: &str) -> String {
        for _ in 0..200 {
            if let Some(line) = self.received(name).into_iter().find(|line| line.contains(part)) {
                return line;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{name} was never sent {part}: {:?}", self.received(name));
    }

    /// Starts the gateway.
    pub(crate) fn start(&self) -> Running {
        self.start_on(2, None)
    }

    /// Starts the gateway on so many threads, with readers of names of the test's own where it has some.
    pub(crate) fn start_on(&self, threads: usize, readers: Option<Readers>) -> Running {
        // Put together by hand, since a `Value` sorts its members.
        let upstreams: Vec<_> =
            self.upstreams.iter().map(|(name, upstream)| format!("\"{name}\":{upstream}")).collect();
        let mut text = format!("{{\"upstreams\":{{{}}}", upstreams.join(","));
        for (key, value) in self.config.as_object().expect("an object") {
            text.push_str(&format!(",\"{key}\":{value}"));
        }
        text.push('}');
        let (config, _) = Config::parse(&text, Format::Json).expect("a configuration");
        let (to_gateway, from_client) = pipes();
        let (to_client, from_gateway) = pipes();
        let gateway = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                let reader = pipe::Receiver::from_owned_fd(from_client.into()).expect("a pipe");
                let writer = pipe::Sender::from_owned_fd(to_client.into()).expect("a pipe");
                let Some(readers) = readers else {
                    return cloakgate_gateway::serve(config, reader, writer).await;
                };
                Gateway::with_readers(config, readers)?.serve(reader, writer).await
            })
        });
        Running { client: ScriptedClient::over(from_gateway, to_gateway), gateway }
    }

    /// Starts the gateway and shakes hands.
    pub(crate) fn serve(&self) -> Running {
        Self::greeted(self.start())
    }

    /// The same with readers of names of the test's own.
    pub(crate) fn serve_with(&self, readers: Readers) -> Running {
        self.serve_on(2, readers)
    }

    /// The same on so many threads.
    pub(crate) fn serve_on(&self, threads: usize, readers: Readers) -> Running {
        Self::greeted(self.start_on(threads, Some(readers)))
    }

    fn greeted(mut running: Running) -> Running {
        let answer = running.client.initialize().expect("an answer");
        assert!(answer.error().is_null(), "{}", answer.raw);
        running
    }
}

fn pipes() -> (std::io::PipeWriter, std::io::PipeReader) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    (writer, reader)
}

impl Drop for Setup {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _left_over = std::fs::remove_dir_all(&self.folder);
        }
    }
}

impl Running {
    /// Ends the session from the client's side and gives how the gateway ended.
    pub(crate) fn end(self) -> Result<(), GatewayError> {
        let (_, _) = self.client.close().expect("the gateway leaves");
        self.gateway.join().expect("no panic")
    }
}

fn lines(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap_or_default().lines().map(ToOwned::to_owned).collect()
}
