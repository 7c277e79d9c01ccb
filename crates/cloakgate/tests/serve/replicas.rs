//! Two processes on one PostgreSQL are one service.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::connection::{Acknowledged, content};
use crate::load::{CLIENTS, all_come_back, mail, text};
use crate::process::{Folder, PATIENCE, Serve, Service, postgres};

/// Sessions of each client.
const SESSIONS: usize = 12;
/// Texts of each session, and of each client in the session that all of them share.
const TEXTS: usize = 4;
/// How long a revoked key may still open another process: what the documentation says, and a busy machine's share.
const REVOKED_WITHIN: Duration = Duration::from_secs(5);

/// Both processes, started at the same moment on an empty database.
fn pair(folder: &Folder) -> [Service; 2] {
    let database = postgres().new_database().expect("a database");
    folder.share_master_key(&["one", "two"]);
    let start = |data: &str| Serve::new(folder, data).managed(Some(&database)).start();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| start("two"));
        [start("one"), other.join().expect("it starts")]
    })
}

#[test]
fn two_processes_on_one_database_are_one_service() {
    let folder = Folder::new("replicas");
    let pair = pair(&folder);
    let end = Instant::now() + PATIENCE;
    while !pair.iter().any(Service::told_secrets) {
        assert!(Instant::now() < end, "nobody told the secrets");
        std::thread::sleep(Duration::from_millis(10));
    }
    let [one, two] = &pair;
    assert!(!(one.told_secrets() && two.told_secrets()), "of two first starts one is the first");

    // What is made on one is served by the other at once.
    let key = one.new_server("made on one");
    sessions_of_each_client(&pair, &key);
    one_session_of_all_clients(&pair, &key);
    what_dies_on_one_dies_on_the_other(&pair, &key);

    for service in pair {
        let log = service.stop();
        assert!(!log.contains(r#""level":"ERROR""#), "{log}");
        assert!(!log.contains("example.org") && !log.contains(&key), "{log}");
    }
}

/// Every text is cloaked on one and uncloaked on the other; sessions go on where they were not begun.
fn sessions_of_each_client([one, two]: &[Service; 2], key: &str) {
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let all = &all;
            let mut pair = [one.connect(), two.connect()];
            scope.spawn(move || {
                for session in 0..SESSIONS {
                    let mut texts: Vec<Acknowledged> = Vec::new();
                    for number in 0..TEXTS {
                        pair.swap(0, 1);
                        let [here, there] = &mut pair;
                        let id = texts.first().map(|first| first.id.clone());
                        let number = (client * SESSIONS + session) * TEXTS + number;
                        let text = here.cloak(key, &text(number), id.as_deref()).expect("an answer");
                        assert!(!text.cloaked.contains(&mail(number)), "{}", text.cloaked);
                        there.restores(key, &text);
                        texts.push(text);
                    }
                    assert!(texts.iter().all(|text| text.id == texts[0].id));
                    all.lock().expect("no panic").extend(texts);
                }
            });
        }
    });
    let all = all.into_inner().expect("no panic");
    assert_eq!(all.len(), CLIENTS * SESSIONS * TEXTS);
    all_come_back(one, key, &all);
    all_come_back(two, key, &all);
}

/// All clients go on with one session at once, on both processes.
fn one_session_of_all_clients([one, two]: &[Service; 2], key: &str) {
    let first = one.connect().cloak(key, &text(50_000), None).expect("an answer");
    let all = Mutex::new(vec![first.clone()]);
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (all, id) = (&all, &*first.id);
            let (mut here, mut there) =
                if client % 2 == 0 { (one.connect(), two.connect()) } else { (two.connect(), one.connect()) };
            scope.spawn(move || {
                for number in 0..TEXTS {
                    let number = 60_000 + client * TEXTS + number;
                    let text = here.cloak(key, &text(number), Some(id)).expect("an answer");
                    there.restores(key, &text);
                    all.lock().expect("no panic").push(text);
                }
            });
        }
    });
    let all = all.into_inner().expect("no panic");
    all_come_back(one, key, &all);
    all_come_back(two, key, &all);
}

fn what_dies_on_one_dies_on_the_other([one, two]: &[Service; 2], key: &str) {
    let (environment, place) = one.place();
    let mut there = two.connect();
    let text = there.cloak(key, &text(70_000), None).expect("an answer");

    // A session that was erased is gone at once: every use asks the database.
    let other = there.cloak(key, "person@example.org", None).expect("an answer");
    assert_eq!(one.ask("DELETE", &format!("{environment}/sessions/{}", other.id), &Value::Null).status, 204);
    let arguments = json!({ "message": other.cloaked, "id": other.id });
    let gone = there.tool(key, "uncloak", &arguments).expect("an answer").expect(200);
    assert_eq!(gone["result"]["isError"], true, "{gone}");

    // A new key opens at once, also where the old one is still remembered; the old one dies soon.
    there.restores(key, &text);
    let server = key.split(':').next().expect("an id");
    let path = format!("{place}/mcp-servers/{server}");
    let rotated =
        one.ask("POST", &format!("{path}/rotate-key"), &json!({ "overlap_seconds": 0 })).expect(200);
    let revoked = Instant::now();
    let new = rotated["api_key"].as_str().expect("a key");
    there.restores(new, &text);
    dies(two, key, revoked);
    there.restores(new, &text);

    // And with the server dies the last of its keys.
    assert_eq!(one.ask("DELETE", &path, &Value::Null).status, 204);
    dies(two, new, Instant::now());
}

/// Holds that a key that was revoked elsewhere opens nothing, in time.
fn dies(service: &Service, key: &str, revoked: Instant) {
    let mut connection = service.connect();
    loop {
        let answer = connection.tool(key, "cloak", &json!({ "message": "a" })).expect("an answer");
        if answer.status == 403 {
            return;
        }
        content(answer);
        assert!(revoked.elapsed() < REVOKED_WITHIN, "a revoked key opens after {:?}", revoked.elapsed());
        std::thread::sleep(Duration::from_millis(100));
    }
}
