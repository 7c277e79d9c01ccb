//! Master keys are made, and everything is wrapped with the newest while the service runs.

use std::path::Path;

use crate::connection::Acknowledged;
use crate::load::text;
use crate::piped;
use crate::process::{Folder, Serve, postgres, program};

/// Sessions that are there when the key is rotated.
const SESSIONS: usize = 20;

/// Runs `cloakgate key`, which must do it.
#[track_caller]
fn key(folder: &Folder, arguments: &[&str], database: Option<&str>) -> (String, String) {
    let mut command = program(&folder.0, &[&["key"], arguments].concat());
    if let Some(database) = database {
        command.env("CLOAKGATE_DATABASE", database);
    }
    let (code, out, said) = piped(command, "");
    assert_eq!(code, Some(0), "{out}{said}");
    (out, said)
}

fn lines(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).expect("a key file").lines().map(str::to_owned).collect()
}

fn is_rotated(name: &str, database: Option<&str>) {
    let folder = Folder::new(name);
    let file = folder.0.join("data/master.key");
    if database.is_some() {
        std::fs::create_dir_all(folder.0.join("data")).expect("a data folder");
        key(&folder, &["new", "--file", "data/master.key"], None);
    }
    let start = || Serve::new(&folder, "data").managed(database).start();
    let service = start();
    let server = service.word("server key");
    let mut connection = service.connect();
    let cloak = |connection: &mut crate::connection::Connection, number| {
        connection.cloak(&server, &text(number), None).expect("an answer")
    };
    let all: Vec<Acknowledged> = (0..SESSIONS).map(|number| cloak(&mut connection, number)).collect();
    service.stop();

    let (out, said) = key(&folder, &["new", "--file", "data/master.key"], None);
    let [old, new] = lines(&file).try_into().expect("two keys");
    assert!(out.is_empty() && !said.contains(&new) && said.contains("is now the newest"), "{said}");
    let service = start();
    let (out, said) = key(&folder, &["rotate", "--data", "data"], database);
    // One for each session, one for look-ups and one for the catalog.
    let rewrapped = format!("local: {} data keys are wrapped with the newest master key\n", SESSIONS + 2);
    assert!(out.starts_with(&rewrapped) && out.contains("is needed no more"), "{out}");
    assert!(!out.contains(&old) && !out.contains(&new) && said.is_empty(), "{out}{said}");
    let (out, _) = key(&folder, &["rotate", "--data", "data"], database);
    assert_eq!(out, "local: 0 data keys are wrapped with the newest master key\n");
    // The service went on meanwhile, with the same sessions.
    let mut connection = service.connect();
    let further = cloak(&mut connection, SESSIONS);
    for one in all.iter().chain([&further]) {
        connection.restores(&server, one);
    }
    service.stop();

    std::fs::write(&file, format!("{new}\n")).expect("a key file");
    let service = start();
    let mut connection = service.connect();
    for one in all.iter().chain([&further]) {
        connection.restores(&server, one);
    }
    service.stop();
}

#[test]
fn the_master_key_is_rotated_on_sqlite() {
    is_rotated("key-file", None);
}

#[test]
fn the_master_key_is_rotated_on_postgres() {
    let database = postgres().new_database().expect("a database");
    is_rotated("key-server", Some(&database));
}

#[test]
fn a_key_is_printed_where_no_file_is_named_and_a_wrong_place_is_left_alone() {
    let folder = Folder::new("key-new");
    let (one, said) = key(&folder, &["new"], None);
    let (two, _) = key(&folder, &["new"], None);
    assert!(one != two && said.is_empty());
    assert!(one.len() == 65 && one.trim_end().bytes().all(|byte| byte.is_ascii_hexdigit()), "not 64 digits");
    let run = |arguments: &[&str]| piped(program(&folder.0, arguments), "");
    let (code, out, said) = run(&["key", "rotate", "--data", "nowhere"]);
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(said.contains("there is no database nowhere/local.db"), "{said}");
    assert!(!folder.0.join("nowhere").exists());
    let (code, out, _) = run(&["key", "rotate", "--help"]);
    assert!(code == Some(0) && out.contains("run it again"), "{out}");
    let (_, out, _) = run(&["completions", "bash"]);
    assert!(out.contains("cloakgate__subcmd__key__subcmd__rotate") || out.contains("cloakgate__key__rotate"));
}
