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

const VALID: &str = r#"{
    "upstreams": {"fs": {
        "command": "npx", "env": {"TOKEN": "hunter22"}, "categories": {"IBAN": "on"},
        "tools": {"read": {"categories": {"EMAIL": false}}}
    }},
    "categories": {"IBAN": "off", "JWT": {"operator": "redact"}},
    "deny": ["Heron"],
    "detection": {"locale": "de"}
}"#;
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
            "categories: the core set; without IBAN; redacted JWT; denied terms: 1",
            "  categories: as above; with IBAN",
            "  tool read: as above; without EMAIL",
            "tokens of other servers: 64 a call, 600 a minute; values that the model wrote: passed and counted, 50 a call; values brought: 200000",
            "upstream fs: npx",
            "`detection.locale` has no effect",
            "not inspected: ",
            "self-test: values of ",
        ] {
            assert!(stdout.contains(said), "{said}: {stdout}");
        }
        assert!(!stdout.contains("hunter22") && !stdout.contains("Heron"), "{stdout}");
        assert!(stdout.lines().count() <= 24, "more than a screen: {stdout}");
    }
}

#[test]
fn check_lists_withheld_variables_only_when_asked() {
    let folder = Folder::new("withheld");
    folder.write("cloakgate.json", VALID);
    let brief = run(&folder.0, &["check", "--no-upstreams"], Some("cloakgate.json")).1;
    assert!(brief.contains("variables not handed on: ") && !brief.contains("CLOAKGATE_CONFIG"), "{brief}");
    let all = run(&folder.0, &["check", "--no-upstreams", "--verbose"], Some("cloakgate.json")).1;
    for said in ["CLOAKGATE_CONFIG", "categories on: ", "categories off: ", "not inspected: tools/list: "] {
        assert!(all.contains(said), "{said}: {all}");
    }
}

#[test]
fn check_as_json_is_one_object_with_everything() {
    let folder = Folder::new("json");
    folder.write("cloakgate.json", VALID);
    let (code, stdout, _) = run(&folder.0, &["check", "--no-upstreams", "--json"], Some("cloakgate.json"));
    assert_eq!(code, Some(0));
    assert!(!stdout.contains("hunter22") && !stdout.contains("Heron"), "{stdout}");
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    for (pointer, value) in [
        ("/valid", "true"),
        ("/warnings/0/path", "\"detection.locale\""),
        ("/flow/token_scope", "\"session\""),
        ("/detection/redacted/0", "\"JWT\""),
        ("/detection/denied_terms", "1"),
        ("/upstreams/fs/budgets/max_entries", "200000"),
        ("/upstreams/fs/tools/read/denied_terms", "1"),
        ("/upstreams/fs/serves", "null"),
        ("/self_test/error", ""),
    ] {
        let shown = report.pointer(pointer).map(ToString::to_string).unwrap_or_default();
        assert_eq!(shown, value, "{pointer}");
    }
    let tested = report["self_test"]["passed"].as_array().expect("categories");
    // The server switches IBAN on for itself; nobody switches user names on.
    assert!(tested.contains(&"IBAN".into()) && !tested.contains(&"USERNAME".into()), "{tested:?}");
    let withheld = report["upstreams"]["fs"]["withheld_variables"].as_array().expect("names");
    assert!(withheld.contains(&"CLOAKGATE_CONFIG".into()), "{withheld:?}");
}

#[test]
fn the_examples_pass_check() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for example in ["examples/cloakgate.json", "examples/cloakgate.toml"] {
        let (code, stdout, stderr) = run(&root, &["check", "--no-upstreams", "--config", example], None);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{example}");
        assert!(!stdout.contains("warning"), "{stdout}");
    }
}

#[test]
fn packagers_get_completions_and_a_manual_page() {
    let folder = Folder::new("manual");
    for (arguments, said) in [
        (vec!["completions", "bash"], "_cloakgate()"),
        (vec!["completions", "fish"], "complete -c cloakgate"),
        (vec!["man"], ".TH cloakgate 1"),
        (vec!["schema"], "https://json-schema.org/draft/2020-12/schema"),
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
