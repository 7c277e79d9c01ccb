//! The real program on texts and files: what `detect`, `scan` and `explain` print, and how they end.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("cloakgate-tools-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &[u8]) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

struct Ended {
    code: i32,
    out: String,
    err: String,
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> Ended {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cloakgate"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("CLOAKGATE_CONFIG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).ok();
    let output = child.wait_with_output().unwrap();
    Ended {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// What each object of a list says under a name.
fn each<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|object| object[name].as_str().unwrap()).collect()
}

#[test]
fn detect_answers_each_line_in_order_and_in_code_points() {
    let folder = Folder::new("lines");
    let input = concat!(
        r#"{"id":"one","text":"é😀 mail m@example.org"}"#,
        "\n",
        r#"{"id":2,"text":"{\"full_name\":\"Marie Dubois\",\"ip\":\"203.0.113.7\"}"}"#,
        "\n",
        r#"{"id":null,"text":"nothing"}"#
    );
    let ended = run(&folder.0, &["detect", "--jsonl"], input);
    let lines: Vec<Value> = ended.out.lines().map(json).collect();
    assert_eq!((ended.code, lines.len()), (0, 3), "{}", ended.err);
    assert_eq!(lines[0], json(r#"{"id":"one","spans":[{"start":8,"end":21,"label":"EMAIL","score":1.0}]}"#));
    assert_eq!(each(&lines[1]["spans"], "label"), ["PERSON", "IP"]);
    assert_eq!(lines[2], json(r#"{"id":null,"spans":[]}"#));
}

#[test]
fn detect_answers_a_line_before_the_next_is_written() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cloakgate"))
        .args(["detect", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(input, "{{\"id\":{id},\"text\":\"m@example.org\"}}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(json(&line)["id"], id);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn detect_tells_bad_lines_and_goes_on() {
    let folder = Folder::new("bad-lines");
    let input = "{\"id\":1,\"text\":\"a\"}\nhunter22\n{\"id\":3,\"text\":\"b\"}\n";
    let ended = run(&folder.0, &["detect", "--jsonl"], input);
    assert_eq!(ended.code, 1);
    assert_eq!(ended.out.lines().count(), 3);
    assert_eq!(
        json(ended.out.lines().nth(1).unwrap()),
        json(r#"{"id":null,"error":"line 2 is no JSON object"}"#)
    );
    assert_eq!(ended.err, "cloakgate: standard input, line 2 is no JSON object\n");
}

#[test]
fn detect_takes_categories_and_a_configuration() {
    let folder = Folder::new("categories");
    folder.write(
        "off.json",
        br#"{"upstreams":{"a":{"command":"x"}},"categories":{"EMAIL":"off"},"deny":["Heron"]}"#,
    );
    folder.write("text.txt", "Lyon, m@example.org, Heron, 203.0.113.7\n".as_bytes());
    folder.write(
        "fields.json",
        br#"{"upstreams":{"a":{"command":"x"}},"allow":[{"field":"owner.email"}],
            "deny":[{"field":"**.notes","category":"MEDICAL"}]}"#,
    );
    folder.write(
        "data.json",
        br#"{"owner":{"email":"a@example.org"},"rows":[{"notes":"sleeps well","email":"b@example.org"}]}"#,
    );
    folder.write("data.csv", b"id,notes\n1,sleeps well\n");
    for (arguments, expected) in [
        (vec!["detect", "--json", "text.txt"], vec!["EMAIL", "IP_ADDRESS"]),
        (vec!["detect", "--json", "--labels", "IP", "text.txt"], vec!["IP_ADDRESS"]),
        (vec!["detect", "--json", "--config", "off.json", "text.txt"], vec!["CUSTOM", "IP_ADDRESS"]),
        (
            vec!["detect", "--json", "--config", "off.json", "--labels", "EMAIL", "text.txt"],
            vec!["EMAIL", "CUSTOM"],
        ),
        (vec!["detect", "--json", "--config", "fields.json", "data.json"], vec!["MEDICAL", "EMAIL"]),
        (vec!["detect", "--json", "--config", "fields.json", "data.csv"], vec!["MEDICAL"]),
    ] {
        let ended = run(&folder.0, &arguments, "");
        let found = json(&ended.out);
        let names = each(&found["findings"], "category");
        assert_eq!(names, expected, "{arguments:?} {}", ended.err);
    }
    for arguments in [
        vec!["detect", "--labels", "EMIAL"],
        vec!["detect", "--config", "missing.json"],
        vec!["detect", "--json", "--jsonl"],
    ] {
        assert_eq!(run(&folder.0, &arguments, "").code, 2, "{arguments:?}");
    }
    let ended = run(&folder.0, &["detect", "missing.txt", "text.txt"], "");
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("missing.txt: cannot be opened") && ended.out.contains("text.txt:1:7"));
}

#[test]
fn names_in_running_text_are_read_as_much_as_is_said() {
    let folder = Folder::new("names");
    folder.write("off.json", br#"{"upstreams":{"a":{"command":"x"}},"names":"off"}"#);
    let text = "We agreed with Thomas Bergmann on a date, and sent him the report.";
    for (arguments, found) in [
        (&["detect", "--json"] as &[&str], 1),
        (&["detect", "--json", "--names", "off"], 0),
        (&["detect", "--json", "--names", "fast"], 1),
        (&["detect", "--json", "--names", "balanced"], 1),
        (&["detect", "--json", "--names", "recall"], 1),
        (&["detect", "--json", "--config", "off.json"], 0),
        (&["detect", "--json", "--config", "off.json", "--names", "fast"], 1),
        (&["explain", "--json", "-"], 1),
    ] {
        let ended = run(&folder.0, arguments, text);
        let findings = json(&ended.out)["findings"].as_array().unwrap().clone();
        assert_eq!(findings.len(), found, "{arguments:?} {}", ended.err);
        assert!(findings.iter().all(|finding| finding["category"] == "PERSON"), "{arguments:?}");
        assert!(findings.iter().all(|finding| finding["detector"].as_str().unwrap().starts_with("names ")));
    }
    assert_eq!(run(&folder.0, &["detect", "--names", "loud"], "").code, 2);
}

fn project(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("src/app.py", "# é\nADMIN = 'm@example.org'\n".as_bytes());
    folder.write("src/b c.env", b"DB_PASSWORD=Tulip-Falls-93\n");
    folder.write("clean.md", b"# Nothing here\n");
    folder.write("ignored/a.txt", b"n@example.org\n");
    folder.write(".gitignore", b"ignored/\n");
    folder.write(".hidden", b"h@example.org\n");
    folder.write("image.bin", b"\x89PNG\0\0m@example.org");
    folder.write("large.txt", "x@example.org ".repeat(20_000).as_bytes());
    folder
}

#[test]
fn scan_lists_places_and_never_values() {
    let folder = project("scan");
    let ended = run(&folder.0, &["scan", ".", "--max-bytes", "100000"], "");
    assert_eq!(ended.code, 1, "{}", ended.err);
    let lines: Vec<&str> = ended.out.lines().collect();
    assert!(lines[0].starts_with("src/app.py:2:10") && lines[0].contains("EMAIL"), "{}", ended.out);
    assert!(lines[1].starts_with("src/b c.env:1:13") && lines[1].contains("PASSWORD"), "{}", ended.out);
    assert!(ended.out.contains("2 findings: 1 critical, 1 high"), "{}", ended.out);
    assert!(
        ended.out.contains("found in 2 files; 3 files read, 1 binary left out, 1 too large"),
        "{}",
        ended.out
    );
    for hidden in ["example.org", "Tulip", "Falls", "\u{1b}"] {
        assert!(!ended.out.contains(hidden) && !ended.err.contains(hidden), "{hidden}");
    }
}

#[test]
fn scan_reads_what_it_is_told_to() {
    let folder = project("scan-rules");
    for (arguments, files, code) in [
        (vec!["scan", "clean.md"], vec![], 0),
        (vec!["scan", "ignored/a.txt", ".hidden"], vec![".hidden", "ignored/a.txt"], 1),
        (vec!["scan", "--hidden", "--no-ignore", "ignored", ".hidden"], vec![".hidden", "ignored/a.txt"], 1),
        (vec!["scan", "src", "--min-severity", "critical"], vec!["src/b c.env"], 1),
        (vec!["scan", "src", "--categories", "EMAIL"], vec!["src/app.py"], 1),
        (vec!["scan", "src", "--threads", "1", "--categories", "IBAN"], vec![], 0),
    ] {
        let mut arguments = arguments;
        arguments.push("--json");
        let ended = run(&folder.0, &arguments, "");
        let found = json(&ended.out);
        let names = each(&found["findings"], "file");
        assert_eq!((names, ended.code), (files, code), "{arguments:?}");
    }
    for arguments in [
        vec!["scan"],
        vec!["scan", "nowhere"],
        vec!["scan", "src", "--min-severity", "huge"],
        vec!["scan", "src", "--baseline", "nowhere"],
    ] {
        let ended = run(&folder.0, &arguments, "");
        assert!(ended.code == 2 && !ended.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn scan_reports_only_what_its_baseline_does_not_list() {
    let folder = project("baseline");
    assert_eq!(run(&folder.0, &["scan", "src", "--write-baseline", "known.json"], "").code, 0);
    let known = std::fs::read_to_string(folder.0.join("known.json")).unwrap();
    assert!(known.contains("src/app.py") && !known.contains("example.org"), "{known}");
    assert_eq!(run(&folder.0, &["scan", "src", "--baseline", "known.json"], "").code, 0);
    folder.write("src/app.py", b"# one\n# two\nADMIN = 'm@example.org'\nNEW = 'n@example.org'\n");
    let ended = run(&folder.0, &["scan", "src", "--baseline", "known.json", "--json"], "");
    assert_eq!((ended.code, json(&ended.out)["findings"].as_array().unwrap().len()), (1, 1));
}

#[test]
fn sarif_has_what_its_schema_requires() {
    let folder = project("sarif");
    let ended = run(&folder.0, &["scan", "src", "--sarif"], "");
    let log = json(&ended.out);
    assert_eq!((ended.code, log["version"].as_str()), (1, Some("2.1.0")));
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "cloakgate");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].is_string());
    }
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/app.py");
    assert_eq!(place["region"], json(r#"{"startLine":2,"startColumn":10,"endLine":2,"endColumn":23}"#));
    assert_eq!(results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "src/b%20c.env");
    assert!(!ended.out.contains("example.org"));
}

#[test]
fn explain_says_why_and_why_not() {
    let folder = Folder::new("explain");
    let text = "full_name: Marie Dubois, ts 1719674297, order 966-909-1111";
    let ended = run(&folder.0, &["explain", text], "");
    assert_eq!(ended.code, 0, "{}", ended.err);
    for said in [
        "1 finding",
        "PERSON",
        "the words `full_name`",
        "1719674297",
        "seconds since 1970",
        "`order` before it",
    ] {
        assert!(ended.out.contains(said), "{said}: {}", ended.out);
    }
    assert!(!ended.out.contains("Dubois"));
    assert!(run(&folder.0, &["explain", "--values", text], "").out.contains("Marie Dubois"));
}

#[test]
fn explain_reads_files_keys_and_standard_input() {
    let folder = Folder::new("explain-input");
    folder.write("a.txt", b"marie dubois");
    for arguments in
        [vec!["explain", "-"], vec!["explain", "marie dubois"], vec!["explain", "--file", "a.txt"]]
    {
        let mut arguments = arguments;
        arguments.extend(["--key", "full_name", "--json"]);
        let told = json(&run(&folder.0, &arguments, "marie dubois").out);
        assert_eq!(told["findings"][0]["category"], "PERSON", "{arguments:?}");
        assert_eq!(told["findings"][0]["key"], "full_name");
        assert_eq!(told["left"], json("[]"));
    }
    assert_eq!(run(&folder.0, &["explain"], "").code, 2);
    assert_eq!(run(&folder.0, &["explain", "a", "--file", "a.txt"], "").code, 2);
}

#[test]
fn manual_and_completions_know_the_commands() {
    let folder = Folder::new("manual");
    for command in ["detect", "scan", "explain"] {
        let page = run(&folder.0, &["man", command], "");
        assert!(page.code == 0 && page.out.contains(&format!("cloakgate\\-{command}")), "{}", page.out);
        assert!(
            run(&folder.0, &["completions", "bash"], "")
                .out
                .contains(&format!("cloakgate__subcmd__{command}"))
        );
        assert!(run(&folder.0, &["man"], "").out.contains(&format!("cloakgate\\-{command}")));
    }
    assert_eq!(run(&folder.0, &["man", "nothing"], "").code, 1);
}
