//! The real program: the first start of the service, and the commands that cloak with and without it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

const TEXT: &str = "Write to alice.johnson@example.org, or call +1 415 555 2671.\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("cloakgate-serve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("our own folder");
    }
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
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

fn piped(mut command: Command, input: &str) -> (Option<i32>, String, String) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // It may end without having read anything.
    let _unread = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    (status.code(), String::from_utf8(stdout).expect("text"), String::from_utf8(stderr).expect("text"))
}

/// A service that was started, and what it printed until it was ready.
struct Service {
    child: Child,
    told: String,
    log: BufReader<std::process::ChildStderr>,
}

impl Service {
    fn start(folder: &Path, wanted: &str) -> Self {
        let arguments = ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--log-format", "json"];
        let mut child = program(folder, &arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut log = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains("serving") {
            line.clear();
            assert!(log.read_line(&mut line).expect("text") > 0, "it ended");
            serde_json::from_str::<serde_json::Value>(&line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        }
        let mut told = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        while !wanted.is_empty() && !told.contains(wanted) {
            assert!(out.read_line(&mut told).expect("text") > 0, "{told}");
        }
        Self { child, told, log }
    }

    /// What stands behind a word on a line of its own.
    fn word(&self, name: &str) -> String {
        let line = self.told.lines().find_map(|line| line.trim().strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name}: {}", self.told)).trim().to_owned()
    }

    /// Asks it to stop and returns what else it logged.
    fn stop(mut self) -> String {
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(asked.expect("kill runs").success());
        assert!(self.child.wait().expect("it ends").success());
        let mut rest = String::new();
        self.log.read_to_string(&mut rest).expect("text");
        rest
    }
}

#[test]
fn the_first_start_prints_what_works_when_it_is_pasted() {
    let folder = Folder::new("first");
    let service = Service::start(&folder.0, "/api/docs");
    let url = service.word("export INC_MCP_URL=").split(' ').next().expect("a URL").to_owned();
    let key = service.word("server key");
    assert!(service.word("admin token").starts_with("cgt_"));
    let curl = service.told.lines().map(str::trim).find(|line| line.starts_with("curl ")).expect("a line");
    if let Ok(answer) = Command::new("sh").args(["-c", curl]).output() {
        let answer = String::from_utf8(answer.stdout).expect("text");
        assert!(answer.contains("structuredContent") && !answer.contains("Alice Johnson"), "{answer}");
    }
    let remote = |arguments: &[&str], key: &str, input: &str| {
        let mut command = program(&folder.0, arguments);
        command.env("INC_MCP_URL", &url).env("INC_MCP_API_KEY", key);
        piped(command, input)
    };
    let (code, cloaked, said) = remote(&["cloak", "--remote", "-"], &key, TEXT);
    assert_eq!(code, Some(0), "{said}");
    assert!(!cloaked.contains("alice"), "{cloaked}");
    let id = said.trim().strip_prefix("cloakgate: id ").expect("an id").to_owned();
    let (code, text, said) = remote(&["uncloak", "--remote", "--id", &id], &key, &cloaked);
    assert_eq!((code, &*text, &*said), (Some(0), TEXT, ""));
    let (_, printed, _) = remote(&["cloak", "--remote", "--json", "--id", &id], &key, TEXT);
    let printed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!((&printed["id"], &printed["result"]), (&serde_json::json!(id), &serde_json::json!(cloaked)));
    let (code, out, said) = remote(&["cloak", "--remote"], "wrong", TEXT);
    assert_eq!(
        (code, &*out, &*said),
        (Some(1), "", "cloakgate: the server refuses the key of INC_MCP_API_KEY\n")
    );
    let (code, out, said) = remote(&["uncloak", "--remote", "--id", "nobody"], &key, "a");
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(said.starts_with("cloakgate: the server says: "), "{said}");
    let log = service.stop();
    assert!(!log.contains("alice") && !log.contains(&key), "{log}");

    // The next start tells no secret, and what was cloaked before comes back.
    let service = Service::start(&folder.0, "");
    assert!(service.told.is_empty());
    drop(service.stop());
}

#[test]
fn a_text_is_cloaked_and_restored_without_a_service() {
    let folder = Folder::new("local");
    std::fs::write(folder.0.join("letter.txt"), TEXT).expect("a file");
    let run = |arguments: &[&str], input: &str| piped(program(&folder.0, arguments), input);
    let (code, cloaked, said) = run(&["cloak", "--session", "s", "letter.txt"], "");
    assert_eq!((code, &*said), (Some(0), ""));
    assert!(!cloaked.contains("alice"), "{cloaked}");
    assert_eq!(run(&["uncloak", "--session", "s"], &cloaked), (Some(0), TEXT.to_owned(), String::new()));
    // A second text of the session has the same placeholder for the same value.
    let (_, again, _) = run(&["cloak", "--session", "s", "-"], TEXT);
    assert_eq!(again, cloaked);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(folder.0.join("s")).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    std::fs::write(
        folder.0.join("keep.json"),
        r#"{"anonymization_options":{},"extended_options":{"email":{"option":"keep"}}}"#,
    )
    .expect("a file");
    let (_, kept, _) = run(&["cloak", "--session", "t", "--settings", "keep.json"], TEXT);
    assert!(kept.contains("alice.johnson@example.org"), "{kept}");
    std::fs::write(folder.0.join("wrong.json"), r#"{"anonymization_option":{}}"#).expect("a file");
    let (code, out, said) = run(&["cloak", "--session", "u", "--settings", "wrong.json"], TEXT);
    assert_eq!((code, &*out), (Some(2), ""), "{said}");
    for (arguments, code) in [
        (&["cloak"][..], 2),
        (&["uncloak", "--remote"], 2),
        (&["uncloak", "--session", "missing"], 1),
        (&["uncloak", "--session", "letter.txt"], 1),
        (&["cloak", "--remote"], 1),
    ] {
        let (ended, out, said) = run(arguments, TEXT);
        assert_eq!((ended, &*out), (Some(code), ""), "{arguments:?}: {said}");
        assert!(!said.contains("alice"), "{said}");
    }
}

#[test]
fn a_wrong_configuration_ends_with_two_and_names_the_key() {
    let folder = Folder::new("wrong");
    std::fs::write(folder.0.join("a.json"), r#"{"lisen": "127.0.0.1:0"}"#).expect("a file");
    std::fs::write(folder.0.join("b.toml"), "listen = \n").expect("a file");
    for (file, reason) in [
        ("a.json", "unknown field `lisen`; did you mean `listen`?"),
        ("b.toml", "the configuration is not valid at line 1"),
        ("c.json", "cannot read the configuration c.json"),
    ] {
        let (code, out, said) = piped(program(&folder.0, &["serve", "--config", file]), "");
        assert_eq!((code, &*out), (Some(2), ""), "{said}");
        assert!(said.contains(reason), "{said}");
    }
}
