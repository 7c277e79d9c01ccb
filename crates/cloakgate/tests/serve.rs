//! The real program: the first start of the service, the commands that cloak with and without it, several processes on
//! one database, how they end, what they write, and TLS.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "serve/certificate.rs"]
mod certificate;
#[path = "serve/connection.rs"]
mod connection;
#[path = "serve/endings.rs"]
mod endings;
#[path = "serve/keys.rs"]
mod keys;
#[path = "serve/load.rs"]
mod load;
#[path = "serve/process.rs"]
mod process;
#[path = "serve/replicas.rs"]
mod replicas;
#[path = "serve/sinks.rs"]
mod sinks;
#[path = "serve/tls.rs"]
mod tls;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use process::{Folder, Serve, program};

const TEXT: &str = "Write to alice.johnson@example.org, or call +1 415 555 2671.\n";

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

#[test]
fn the_first_start_prints_what_works_when_it_is_pasted() {
    let folder = Folder::new("first");
    let service = Serve::new(&folder, "data").start();
    let url = service.word("export INC_MCP_URL=").split(' ').next().expect("a URL").to_owned();
    let key = service.word("server key");
    assert!(service.word("admin token").starts_with("cgt_"));
    let told = service.told();
    let curl = told.lines().map(str::trim).find(|line| line.starts_with("curl ")).expect("a line");
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
    let service = Serve::new(&folder, "data").start();
    service.terminate();
    assert_eq!(service.ended().out, "");
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
