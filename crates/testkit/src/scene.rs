//! The servers of one test: their scripts, what they were sent, and the file that names them.
//!
//! In: servers and keys. Out: the text of a configuration; records. Invariant: each scene has a folder of its own,
//! which goes with it unless the test failed. Not here: whatever reads the configuration.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::programs::{ECHO, HOSTILE, program};

const PATIENCE: Duration = Duration::from_secs(120);
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Servers and the folder that holds their scripts and records.
#[derive(Debug)]
pub struct Scene {
    folder: PathBuf,
    keys: Vec<(String, Value)>,
    upstreams: Vec<(String, Value)>, // in the order of the file
}

#[expect(clippy::expect_used, reason = "a test that cannot be set up ends here")]
impl Scene {
    /// A scene without servers, and without the models of names, whose loading takes time; `name` is unique among
    /// the tests of one program.
    ///
    /// # Panics
    /// When there is no folder to be had.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let test = std::env::current_exe().ok();
        let program = test.as_deref().and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
        let folder = std::env::temp_dir().join(format!("cloakgate-{program}-{}-{name}", std::process::id()));
        let _left_over = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { folder, keys: vec![("names".to_owned(), json!("off"))], upstreams: Vec::new() }
    }

    /// Sets a key of the file.
    #[must_use]
    pub fn with(mut self, key: &str, value: Value) -> Self {
        self.keys.retain(|(known, _)| known != key);
        self.keys.push((key.to_owned(), value));
        self
    }

    /// Adds the honest server.
    ///
    /// # Panics
    /// When it cannot be built.
    #[must_use]
    pub fn echo(self, name: &str) -> Self {
        self.server(name, json!({"command": program(ECHO).expect("the testkit builds")}))
    }

    /// Adds the scripted server. Its script may change while it runs.
    ///
    /// # Panics
    /// When it cannot be built.
    #[must_use]
    pub fn scripted(self, name: &str, script: &Value) -> Self {
        self.script(name, &script.to_string());
        let live = self.file(name, "json");
        let args = json!(["--live", live, "--received", self.file(name, "received")]);
        self.server(name, json!({"command": program(HOSTILE).expect("the testkit builds"), "args": args}))
    }

    /// Adds any server.
    #[must_use]
    pub fn server(mut self, name: &str, server: Value) -> Self {
        self.upstreams.push((name.to_owned(), server));
        self
    }

    /// Sets a key of the server that was added last.
    #[must_use]
    pub fn and(mut self, key: &str, value: Value) -> Self {
        if let Some(Value::Object(server)) = self.upstreams.last_mut().map(|(_, server)| server) {
            server.insert(key.to_owned(), value);
        }
        self
    }

    /// Replaces the script of a scripted server; it holds from the next line that the server reads.
    ///
    /// # Panics
    /// When the file cannot be written.
    pub fn script(&self, name: &str, script: &str) {
        let fresh = self.file(name, "new");
        std::fs::write(&fresh, script).expect("a script");
        // A server that reads at this moment sees the old one or the new one.
        std::fs::rename(&fresh, self.file(name, "json")).expect("a script");
    }

    /// A file of the scene.
    #[must_use]
    pub fn file(&self, name: &str, extension: &str) -> PathBuf {
        self.folder.join(format!("{name}.{extension}"))
    }

    /// What a scripted server was sent so far, line by line.
    #[must_use]
    pub fn received(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.file(name, "received")).unwrap_or_default();
        text.lines().map(ToOwned::to_owned).collect()
    }

    /// Waits for the newest line that a scripted server was sent and that `wanted` accepts.
    ///
    /// # Panics
    /// When none comes.
    pub fn wait_received(&self, name: &str, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let lines = self.received(name);
            if let Some(line) = lines.iter().rev().find(|line| wanted(line)) {
                return line.clone();
            }
            assert!(Instant::now() < deadline, "{name} was never sent what was waited for: {lines:#?}");
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// The configuration, in JSON, with servers and keys in the order in which they were added.
    #[must_use]
    pub fn config(&self) -> String {
        // Put together by hand, since a `Value` sorts its members.
        let member = |(name, value): &(String, Value)| format!("{}:{value}", json!(name));
        let upstreams: Vec<_> = self.upstreams.iter().map(member).collect();
        let mut members = vec![format!("\"upstreams\":{{{}}}", upstreams.join(","))];
        members.extend(self.keys.iter().map(member));
        format!("{{{}}}", members.join(","))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _left_over = std::fs::remove_dir_all(&self.folder);
        }
    }
}
