//! A service that ends under load, by force or because it was asked to, keeps what it acknowledged.

use std::io;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::connection::{Acknowledged, Connection, Lost, content};
use crate::load::{all_come_back, text, until_it_ends};
use crate::process::{Folder, Serve, Service, postgres};

/// Texts that are acknowledged before it ends.
const ENOUGH: usize = 120;
/// How often it is killed.
const KILLS: usize = 3;
/// How long it may take to end once the last request is answered; idle connections must not hold it up.
const SOON: Duration = Duration::from_secs(10);

fn outlives_kills(name: &str, database: Option<&str>) {
    let folder = Folder::new(name);
    if database.is_some() {
        folder.share_master_key(&["data"]);
    }
    let start = || Serve::new(&folder, "data").managed(database).start();
    let mut service = start();
    let key = service.word("server key");
    let mut all = Vec::new();
    for _ in 0..KILLS {
        let outcome = until_it_ends(&mut service, &key, ENOUGH, Service::kill);
        assert!(outcome.acknowledged.len() >= ENOUGH);
        all.extend(outcome.acknowledged);
        drop(service);
        service = start();
        all_come_back(&service, &key, &all);
    }
    // Sessions from before go on.
    let last = all.last().expect("texts");
    let mut connection = service.connect();
    let further = connection.cloak(&key, &text(90_000), Some(&last.id)).expect("an answer");
    connection.restores(&key, &further);
    connection.restores(&key, last);
    let log = service.stop();
    assert!(!log.contains(r#""level":"ERROR""#), "{log}");
}

#[test]
fn what_was_acknowledged_outlives_kill_9_on_sqlite() {
    outlives_kills("killed-file", None);
}

#[test]
fn what_was_acknowledged_outlives_kill_9_on_postgres() {
    let database = postgres().new_database().expect("a database");
    outlives_kills("killed-server", Some(&database));
}

#[test]
fn requests_under_way_are_answered_when_it_is_asked_to_stop() {
    let folder = Folder::new("asked");
    let mut service = Serve::new(&folder, "data").managed(None).start();
    let key = service.word("server key");
    let address = service.address;
    let idle = service.connect();
    // One of which half has been sent, and one that takes longer than the others.
    let mut half = service.connect();
    let half_text = text(80_000);
    let request = half.tool_request(&key, "cloak", &json!({ "message": half_text }));
    let (begun, rest) = request.split_at(request.len() / 2);
    let mut long = service.connect();
    let long_text: String = (81_000..81_500).map(text).collect();
    let long_request = long.tool_request(&key, "cloak", &json!({ "message": long_text }));
    let outcome = until_it_ends(&mut service, &key, ENOUGH, |service| {
        half.send(begun);
        long.send(&long_request);
        std::thread::sleep(Duration::from_millis(100));
        service.terminate();
        let asked = Instant::now();
        while Connection::open(address).is_ok_and(|mut late| late.ask("GET", "/healthz", &[], b"").is_ok()) {
            assert!(asked.elapsed() < SOON, "it takes further connections");
        }
    });
    half.send(rest);
    let mut all = outcome.acknowledged;
    for (connection, sent) in [(&mut half, half_text), (&mut long, long_text)] {
        let (cloaked, id) = content(connection.answer().expect("what is under way is answered"));
        all.push(Acknowledged { text: sent, cloaked, id });
    }
    let answered = Instant::now();
    // A client may have sent just when its idle connection ended; no answer ever breaks off.
    assert!(!outcome.ends.contains(&Lost::Within), "{:?}", outcome.ends);
    let ended = service.ended();
    assert!(answered.elapsed() < SOON, "it takes {:?} to end", answered.elapsed());
    assert_eq!(ended.status.code(), Some(0), "{}", ended.log);
    assert!(ended.log.contains("asked to stop") && ended.log.contains(r#""stopped""#), "{}", ended.log);
    assert!(!ended.log.contains(r#""level":"ERROR""#), "{}", ended.log);
    drop(idle);
    let refused = Connection::open(address).map(drop).map_err(|error| error.kind());
    assert_eq!(refused, Err(io::ErrorKind::ConnectionRefused));

    let service = Serve::new(&folder, "data").managed(None).start();
    all_come_back(&service, &key, &all);
    service.stop();
}
