//! The real program: exit codes, and what it says where.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("cloakgate-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("our own folder");
    }
}

fn run(folder: &Path, arguments: &[&str], variable: Option<&str>) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cloakgate"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env_remove("CLOAKGATE_CONFIG");
    if let Some(variable) = variable {
        command.env("CLOAKGATE_CONFIG", variable);
    }
    let Output { status, stdout, stderr } = command.output().expect("the program runs");
    (status.code(), String::from_utf8(stdout).expect("text"), String::from_utf8(stderr).expect("text"))
}

const VALID: &str = r#"{"upstreams": {"fs": {"command": "npx", "env": {"TOKEN": "hunter22"}}}, "detection": {"locale": "de"}}"#;
const TYPO: &str =
    "{\"upstreams\": {\"fs\": {\"command\": \"npx\"}},\n\"detection\": {\"detect_emials\": true}}";

#[test]
fn a_bad_configuration_ends_with_two_and_says_where() {
    let folder = Folder::new("bad");
    folder.write("typo.json", TYPO);
    folder.write("broken.toml", "upstreams = [");
    for (arguments, said) in [
        (
            vec!["check", "--config", "typo.json"],
            "typo.json:2: unknown key `detection.detect_emials`; did you mean",
        ),
        (vec!["gateway", "--config", "typo.json"], "typo.json:2: unknown key"),
        (vec!["--config", "typo.json"], "typo.json:2: unknown key"),
        (vec!["check", "--config", "broken.toml"], "broken.toml:1: "),
        (vec!["check", "--config", "missing.json"], "cannot read missing.json: "),
        (vec!["check"], "no configuration: give --config FILE"),
        (vec!["gateway", "--log-level", "loud"], "invalid value 'loud'"),
        (vec!["bogus"], "unrecognized subcommand"),
    ] {
        let (code, stdout, stderr) = run(&folder.0, &arguments, None);
        assert_eq!(code, Some(2), "{arguments:?}: {stderr}");
        assert!(stdout.is_empty() && stderr.contains(said), "{arguments:?}: {stderr}");
    }
    let (code, stdout, stderr) = run(&folder.0, &[], None);
    assert_eq!((code, stderr.as_str()), (Some(2), ""));
    assert!(stdout.contains("Usage: cloakgate"), "{stdout}");
}

#[test]
fn check_says_what_a_configuration_does_and_repeats_no_credential() {
    let folder = Folder::new("check");
    folder.write("cloakgate.json", VALID);
    for (arguments, variable) in [
        (vec!["check", "--no-upstreams"], None),
        (vec!["check", "--no-upstreams", "--config", "cloakgate.json"], None),
        (vec!["check", "--no-upstreams"], Some("cloakgate.json")),
    ] {
        let (code, stdout, stderr) = run(&folder.0, &arguments, variable);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{arguments:?}");
        for said in [
            "cloaking: on",
            "EMAIL",
            "upstream fs: npx",
            "`detection.locale` has no effect",
            "not inspected: ",
        ] {
            assert!(stdout.contains(said), "{said}: {stdout}");
        }
        assert!(!stdout.contains("hunter22"), "{stdout}");
    }
}

#[test]
fn packagers_get_completions_and_a_manual_page() {
    let folder = Folder::new("manual");
    for (arguments, said) in [
        (vec!["completions", "bash"], "_cloakgate()"),
        (vec!["completions", "fish"], "complete -c cloakgate"),
        (vec!["man"], ".TH cloakgate 1"),
        (vec!["--version"], "cloakgate 0."),
        (vec!["gateway", "--help"], "--log-level <LEVEL>"),
        (vec!["--help"], "Commands:"),
    ] {
        let (code, stdout, stderr) = run(&folder.0, &arguments, None);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(stdout.contains(said), "{arguments:?}: {stdout}");
        let is_for_people = arguments[0] != "completions";
        assert!(!(is_for_people && stdout.contains("demo-server")), "a hidden command shows: {arguments:?}");
    }
}
