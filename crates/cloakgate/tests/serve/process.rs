//! A real `cloakgate serve`, started, asked, stopped and killed.
//!
//! Invariant: whatever it writes is read as it comes, so that no full pipe holds it up; it ends with the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cloakgate_testkit::Postgres;
use serde_json::{Value, json};

use crate::connection::{Answer, Connection};

/// The administrator of the tests.
pub(crate) const ADMIN: &str = "an-administrators-token-of-the-tests";
/// How long anything may take on a machine that does other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A folder that goes with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("cloakgate-serve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Self(folder)
    }

    /// Makes data folders with one new master key, as operators of PostgreSQL do.
    pub(crate) fn share_master_key(&self, data: &[&str]) {
        let mut bytes = [0; 32];
        let mut random = std::fs::File::open("/dev/urandom").expect("randomness");
        random.read_exact(&mut bytes).expect("randomness");
        let line: String = bytes.iter().map(|byte| format!("{byte:02x}")).chain(["\n".to_owned()]).collect();
        for data in data {
            std::fs::create_dir_all(self.0.join(data)).expect("a data folder");
            let mut options = std::fs::OpenOptions::new();
            std::os::unix::fs::OpenOptionsExt::mode(options.write(true).create_new(true), 0o600);
            let mut file = options.open(self.0.join(data).join("master.key")).expect("a key file");
            file.write_all(line.as_bytes()).expect("a key file");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("our own folder");
    }
}

/// The PostgreSQL of this test process.
pub(crate) fn postgres() -> &'static Postgres {
    static SERVER: OnceLock<Postgres> = OnceLock::new();
    SERVER.get_or_init(|| Postgres::start().unwrap_or_else(|error| panic!("{error}")))
}

/// The program in a folder, without what the machine's own environment says of services.
pub(crate) fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cloakgate"));
    command.args(arguments).current_dir(folder);
    for variable in [
        "CLOAKGATE_ADMIN_TOKEN",
        "CLOAKGATE_MASTER_KEY",
        "CLOAKGATE_DATABASE",
        "INC_MCP_URL",
        "INC_MCP_API_KEY",
    ] {
        command.env_remove(variable);
    }
    command
}

/// A service that is to be started.
pub(crate) struct Serve(Command);

impl Serve {
    /// On a port of its own, with its data in this folder.
    pub(crate) fn new(folder: &Folder, data: &str) -> Self {
        let arguments = ["serve", "--data", data, "--listen", "127.0.0.1:0", "--log-format", "json"];
        Self(program(&folder.0, &arguments))
    }

    /// With its data in a database, if one is named, and the administrator of the tests.
    pub(crate) fn managed(mut self, database: Option<&str>) -> Self {
        self.0.env("CLOAKGATE_ADMIN_TOKEN", ADMIN);
        if let Some(database) = database {
            self.0.env("CLOAKGATE_DATABASE", database);
        }
        self
    }

    pub(crate) fn with(mut self, arguments: &[&str]) -> Self {
        self.0.args(arguments);
        self
    }

    /// Starts it and waits until it serves.
    pub(crate) fn start(mut self) -> Service {
        self.0.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.0.spawn().expect("the program runs");
        let out = Output::of(child.stdout.take().expect("a pipe"));
        let log = Output::of(child.stderr.take().expect("a pipe"));
        let address = log.wait_for(|log| {
            let line = log.lines().find(|line| line.contains(r#""serving""#))?;
            let line: Value = serde_json::from_str(line).expect("JSON");
            Some(line["listen"].as_str()?.parse().expect("an address"))
        });
        Service { child, address, out, log }
    }
}

/// A service that serves.
pub(crate) struct Service {
    child: Child,
    pub(crate) address: SocketAddr,
    out: Output,
    log: Output,
}

/// How a service ended, and all that it wrote.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) log: String,
}

impl Service {
    /// What it told on its first start.
    pub(crate) fn told(&self) -> String {
        self.out.wait_for(|told| told.contains("/api/docs\n").then(|| told.to_owned()))
    }

    /// True when it told the secrets of a first start by now.
    pub(crate) fn told_secrets(&self) -> bool {
        self.out.text().contains("server key")
    }

    /// What stands behind a word on a line of its own.
    pub(crate) fn word(&self, name: &str) -> String {
        let told = self.told();
        let line = told.lines().find_map(|line| line.trim().strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name}: {told}")).trim().to_owned()
    }

    /// A connection that stays open.
    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.address).expect("a connection")
    }

    /// Asks the API as the administrator.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {ADMIN}");
        let headers = [("authorization", &*bearer), ("content-type", "application/json")];
        let text = if body.is_null() { String::new() } else { body.to_string() };
        self.connect().ask(method, path, &headers, text.as_bytes()).expect("an answer")
    }

    /// The paths of the first environment and of its first service.
    pub(crate) fn place(&self) -> (String, String) {
        let environments = self.ask("GET", "/api/environments", &Value::Null).expect(200);
        let environment = format!("/api/environments/{}", environments[0]["id"].as_str().expect("an id"));
        let services = self.ask("GET", &format!("{environment}/services"), &Value::Null).expect(200);
        let service = format!("{environment}/services/{}", services[0]["id"].as_str().expect("an id"));
        (environment, service)
    }

    /// Makes a server with the settings of the first one and returns its key.
    pub(crate) fn new_server(&self, name: &str) -> String {
        let servers = format!("{}/mcp-servers", self.place().1);
        let first = self.ask("GET", &servers, &Value::Null).expect(200)[0].clone();
        let settings = &first["cloak_settings_id"];
        let body = json!({ "name": name, "cloak_settings_id": settings, "billing": { "tier": "free" } });
        let made = self.ask("POST", &servers, &body).expect(201);
        made["api_key"].as_str().expect("a key").to_owned()
    }

    /// Asks it to stop.
    pub(crate) fn terminate(&self) {
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(asked.expect("kill runs").success());
    }

    /// Ends it as `kill -9` does: it learns nothing of it.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
    }

    /// Waits until it has ended.
    pub(crate) fn ended(mut self) -> Ended {
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("our child") {
                break status;
            }
            assert!(Instant::now() < end, "it does not end: {}", self.log.text());
            std::thread::sleep(Duration::from_millis(10));
        };
        Ended { status, out: self.out.whole(), log: self.log.whole() }
    }

    /// Asks it to stop, and returns what it logged.
    pub(crate) fn stop(self) -> String {
        self.terminate();
        let ended = self.ended();
        assert!(ended.status.success(), "{}: {}", ended.status, ended.log);
        ended.log
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// What a process writes.
struct Output {
    text: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Output {
    fn of(pipe: impl Read + Send + 'static) -> Self {
        let text = Arc::new(Mutex::new(String::new()));
        let written = Arc::clone(&text);
        let reader = std::thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            let mut line = String::new();
            while pipe.read_line(&mut line).expect("text") > 0 {
                written.lock().expect("no panic").push_str(&line);
                line.clear();
            }
        });
        Self { text, reader: Some(reader) }
    }

    fn text(&self) -> String {
        self.text.lock().expect("no panic").clone()
    }

    fn wait_for<T>(&self, found: impl Fn(&str) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            let over = self.reader.as_ref().is_none_or(JoinHandle::is_finished) || Instant::now() > end;
            let text = self.text();
            if let Some(found) = found(&text) {
                return found;
            }
            assert!(!over, "it was not written: {text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// All of it, once the process has ended.
    fn whole(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            reader.join().expect("no panic");
        }
        self.text()
    }
}
