//! A service on a port of its own and a client that sees bytes as they are.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use cloakgate_service::{App, FirstRun, ServiceConfig};
use cloakgate_testkit::Postgres;
use serde_json::{Value, json};

pub(crate) const ADMIN: &str = "an-administrators-token-of-the-tests";

/// A service that runs until it is dropped.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pub(crate) data: PathBuf,
    pub(crate) first: Option<FirstRun>,
    pub(crate) app: App,
    runtime: Option<tokio::runtime::Runtime>,
    keeps: bool,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {} {}", self.status, self.text))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.head.lines().filter_map(|line| line.split_once(": "));
        found.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        if self.text.is_empty() { Value::Null } else { self.json() }
    }
}

pub(crate) fn folder() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("cloakgate-rest-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

/// A configuration without models, which most of what is tested here does not need.
pub(crate) fn config() -> ServiceConfig {
    ServiceConfig::read(json!({ "names": "off" })).expect("valid")
}

/// The PostgreSQL of this test process.
pub(crate) fn postgres() -> &'static Postgres {
    static SERVER: OnceLock<Postgres> = OnceLock::new();
    SERVER.get_or_init(|| Postgres::start().unwrap_or_else(|error| panic!("{error}")))
}

/// A data folder with a master key, which is never made by itself where several processes may share a database.
pub(crate) fn data_with_key() -> PathBuf {
    let data = folder();
    cloakgate_vault::add_key(&data.join("master.key")).expect("a key");
    data
}

impl Service {
    pub(crate) fn start() -> Self {
        Self::start_with(config(), folder(), Some(ADMIN))
    }

    /// A service on a database of its own in PostgreSQL.
    pub(crate) fn start_on_postgres() -> Self {
        let mut config = config();
        config.regions[0].database = Some(postgres().new_database().expect("a database"));
        Self::start_with(config, data_with_key(), Some(ADMIN))
    }

    pub(crate) fn start_with(mut config: ServiceConfig, data: PathBuf, token: Option<&str>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let (address, app, first) = runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            config.data = data.clone();
            config.listen = address.to_string();
            let app = App::open(config).await.unwrap_or_else(|error| panic!("{error:?}"));
            let first = app.first_run(token).await.expect("a first run");
            if let Some(first) = &first {
                app.told(first).await.expect("noted");
            }
            let router = app.router().expect("routes");
            let house = app.clone();
            tokio::spawn(async move { house.keep_house().await });
            tokio::spawn(async move { axum::serve(listener, router).await });
            (address, app, first)
        });
        Self { address, data, first, app, runtime: Some(runtime), keeps: false }
    }

    /// The same, whose folder stays when it is dropped.
    pub(crate) fn keep(mut self) -> Self {
        self.keeps = true;
        self
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.send_to(&self.address.to_string(), (method, path), headers, body)
    }

    /// The same by another name of the host.
    pub(crate) fn send_to(
        &self,
        host: &str,
        (method, path): (&str, &str),
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        // A server that refuses a long body may hang up before it has read all of it.
        let _unread = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        let mut bytes = Vec::new();
        let _cut = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).expect("text");
        let (head, text) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, head: head.replace("\r\n", "\n"), text: text.to_owned() }
    }

    /// Asks the API as an administrator.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.ask_as(ADMIN, method, path, body)
    }

    pub(crate) fn ask_as(&self, token: &str, method: &str, path: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {token}");
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let headers = [("authorization", &*bearer), ("content-type", "application/json")];
        self.send(method, path, &headers, &text)
    }

    /// Calls a tool as the reference's clients do.
    pub(crate) fn call(&self, key: &str, tool: &str, arguments: &Value) -> Answer {
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments },
        });
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("x-inc-agentcloak-api-key", key),
        ];
        self.send("POST", "/mcp", &headers, &body.to_string())
    }

    /// Cloaks a message and returns text and id.
    #[track_caller]
    pub(crate) fn cloak(&self, key: &str, message: &str) -> (String, String) {
        let answer = self.call(key, "cloak", &json!({ "message": message })).expect(200);
        let content = &answer["result"]["structuredContent"];
        let text = |name: &str| content[name].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text("result"), text("id"))
    }

    /// The first environment and service.
    pub(crate) fn place(&self) -> (String, String) {
        let environments = self.ask("GET", "/api/environments", &Value::Null).expect(200);
        let environment = format!("/api/environments/{}", environments[0]["id"].as_str().expect("an id"));
        let services = self.ask("GET", &format!("{environment}/services"), &Value::Null).expect(200);
        let service = format!("{environment}/services/{}", services[0]["id"].as_str().expect("an id"));
        (environment, service)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.block_on(self.app.close());
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
        if !self.keeps {
            let _gone = std::fs::remove_dir_all(&self.data);
        }
    }
}
