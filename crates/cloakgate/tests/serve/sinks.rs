//! Values that were planted are looked for wherever the process writes.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::process::{ADMIN, Folder, Serve, Service, postgres};

const MAIL: &str = "quetzal.marigold@example.org";
const CARD: &str = "4111 1111 1111 1111";
const NAME: &str = "Quetzalina Marigold";
const TERM: &str = "Zanzibar-Planted-Term";
const NOBODY: &str = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

/// What a sink holds.
type Sink = (String, Vec<u8>);

#[test]
fn no_planted_value_reaches_a_sink_on_sqlite() {
    let folder = Folder::new("sinks-file");
    let service = Serve::new(&folder, "data").managed(None).with(&["--log-level", "debug"]).start();
    assert!(folder.0.join("data/local.db").is_file());
    no_value_is_anywhere(service, &folder, None);
}

#[test]
fn no_planted_value_reaches_a_sink_on_postgres() {
    let folder = Folder::new("sinks-server");
    folder.share_master_key(&["data"]);
    let database = postgres().new_database().expect("a database");
    let service =
        Serve::new(&folder, "data").managed(Some(&database)).with(&["--log-level", "debug"]).start();
    no_value_is_anywhere(service, &folder, Some(&database));
}

fn no_value_is_anywhere(mut service: Service, folder: &Folder, database: Option<&str>) {
    let first_key = service.word("server key");
    let (environment, _) = service.place();
    let settings = json!({ "anonymization_options": {}, "knowledge_base": { "terms": [{ "text": TERM }] } });
    service.ask("POST", &format!("{environment}/cloak-settings"), &settings).expect(201);
    let key = service.new_server("planted");
    let token = json!({ "name": "planted", "role": "viewer" });
    let token =
        service.ask("POST", "/api/tokens", &token).expect(201)["token"].as_str().expect("one").to_owned();

    let mut sinks = used(&service, &key);
    sinks.extend(malformed_calls(&service, &key));
    sinks.extend(malformed_requests(&service));
    assert!(sinks.len() > 50);
    let metrics = service.connect().ask("GET", "/metrics", &[], b"").expect("an answer");
    assert!(metrics.body.contains("cloakgate_calls_total"), "{}", metrics.body);
    sinks.push(("metrics".to_owned(), metrics.body.into_bytes()));
    // The files as they are while it runs, and as a kill leaves them.
    sinks.extend(files(&folder.0));
    service.kill();
    let ended = service.ended();
    assert!(ended.log.contains(r#""level":"DEBUG""#), "{}", ended.log);
    // The first start tells the first key, once and there alone.
    let told = ended.out.replace(&first_key, "");
    sinks.extend([("log".to_owned(), ended.log.into_bytes()), ("output".to_owned(), told.into_bytes())]);
    sinks.extend(files(&folder.0));
    if let Some(database) = database {
        let dump = postgres().dump(database).expect("a dump");
        assert!(dump.contains("session_values"), "{dump}");
        sinks.push(("dump".to_owned(), dump.into_bytes()));
        // Its pages, its own log of writes, and what it logs.
        let cluster = files(Path::new(database.split("host=").nth(1).expect("a folder")));
        assert!(cluster.iter().any(|(name, _)| name.contains("pg_wal/")));
        sinks.extend(cluster);
    }
    let secret = |key: &str| key.split(':').nth(1).expect("a secret").to_owned();
    let secrets = [secret(&key), secret(&first_key), token, ADMIN.to_owned()];
    let bare: String = CARD.split(' ').collect();
    let values = [MAIL, CARD, &bare, NAME, "Quetzalina", "Marigold", TERM].map(str::to_owned);
    let planted: Vec<String> = values.into_iter().chain(secrets).map(|value| value.to_lowercase()).collect();
    let mut leaks = Vec::new();
    for (name, bytes) in &sinks {
        // Case of ASCII letters does not count; other bytes stay as they are.
        let text = String::from_utf8_lossy(&bytes.to_ascii_lowercase()).into_owned();
        let found = planted.iter().filter(|value| text.contains(*value));
        leaks.extend(found.map(|value| format!("{value} in {name}")));
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}

/// What ordinary use answers where values must not be.
fn used(service: &Service, key: &str) -> Vec<Sink> {
    let mut connection = service.connect();
    let text = format!("{NAME} wrote from {MAIL} about {CARD} and nothing else.");
    let cloaked = connection.cloak(key, &text, None).expect("an answer");
    connection.restores(key, &cloaked);
    let further = connection.cloak(key, &format!("{MAIL} again"), Some(&cloaked.id)).expect("an answer");
    connection.restores(key, &further);
    let sessions = service.ask("GET", &format!("{}/sessions", service.place().0), &Value::Null);
    assert_eq!(sessions.status, 200);
    [("cloaked", cloaked.cloaked), ("extended", further.cloaked), ("sessions", sessions.body)]
        .map(|(name, text)| (name.to_owned(), text.into_bytes()))
        .into()
}

/// Answers to calls of the tools that are wrong somewhere and hold a value.
fn malformed_calls(service: &Service, key: &str) -> Vec<Sink> {
    let mut sinks = Vec::new();
    let call = |params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let tool =
        |name: &str, arguments: Value| call(json!({ "name": name, "arguments": arguments })).to_string();
    for body in [
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"cloak","arguments":{{"message":"{MAIL}"#
        ),
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"cloak","arguments":{{"message":"{MAIL} \ud800"}}}}}}"#
        ),
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"cloak","name":"{MAIL}","arguments":{{}}}}}}"#
        ),
        format!(r#""{MAIL}""#),
        MAIL.to_owned(),
        format!(r#"[{{"jsonrpc":"2.0","id":1,"method":"{MAIL}"}}]"#),
        tool("cloak", json!({ "message": { "text": MAIL } })),
        tool("cloak", json!({ "messages": [MAIL, 5] })),
        tool("cloak", json!({ "message": MAIL, "messages": [CARD] })),
        tool("cloak", json!({ "message": format!("{NAME} {MAIL}").repeat(40_000) })),
        tool("cloak", json!({ "message": NAME, "id": MAIL })),
        tool("uncloak", json!({ "message": format!("{NAME} {CARD}"), "id": NOBODY })),
        tool("uncloak", json!({ "message": NAME, "id": MAIL })),
        tool("uncloak", json!({ "message": NAME, "id": NOBODY, "mode": MAIL })),
        tool("uncloak", json!({ "message": MAIL })),
        tool("uncloak", json!(MAIL)),
        tool(MAIL, json!({ "message": NAME })),
        call(json!([MAIL])).to_string(),
        call(json!({ "name": { "x": MAIL } })).to_string(),
        json!({ "jsonrpc": MAIL, "id": 1, "method": "tools/list" }).to_string(),
        json!({ "jsonrpc": "2.0", "id": 1, "method": MAIL }).to_string(),
        json!({ "jsonrpc": "2.0", "id": { "x": MAIL }, "method": "tools/list" }).to_string(),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": MAIL } })
            .to_string(),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "reason": MAIL } })
            .to_string(),
    ] {
        ask(service, &mut sinks, ("POST", "/mcp"), &[("x-inc-agentcloak-api-key", key)], &body);
    }
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    let server = key.split(':').next().expect("an id");
    let wrong_secret = format!("{server}:{MAIL}");
    let host = "quetzal.marigold@example.org:80";
    for headers in [
        [("x-inc-agentcloak-api-key", MAIL), ("accept", "*/*")],
        [("x-inc-agentcloak-api-key", &*wrong_secret), ("accept", "*/*")],
        [("x-inc-agentcloak-api-key", key), ("mcp-protocol-version", MAIL)],
        [("x-inc-agentcloak-api-key", key), ("mcp-session-id", MAIL)],
        [("x-inc-agentcloak-api-key", key), ("mcp-method", MAIL)],
        [("x-inc-agentcloak-api-key", key), ("last-event-id", MAIL)],
        [("x-inc-agentcloak-api-key", key), ("accept", MAIL)],
        [("x-inc-agentcloak-api-key", key), ("content-encoding", MAIL)],
        [("x-inc-agentcloak-api-key", key), ("origin", "http://quetzal.marigold@example.org")],
        [("x-inc-agentcloak-api-key", key), ("host", host)],
    ] {
        ask(service, &mut sinks, ("POST", "/mcp"), &headers, &list);
    }
    for method in ["GET", "PUT", "DELETE", "QUETZALINA"] {
        ask(service, &mut sinks, (method, &format!("/mcp/{MAIL}?{MAIL}={CARD}")), &[], MAIL);
    }
    sinks
}

/// Answers to requests of the API that are wrong somewhere and hold a value.
fn malformed_requests(service: &Service) -> Vec<Sink> {
    let mut sinks = Vec::new();
    let (environment, place) = service.place();
    let bearer = format!("Bearer {ADMIN}");
    let settings = |more: Value| {
        let mut body = json!({ "anonymization_options": {} });
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more);
        }
        body.to_string()
    };
    let of_settings = [
        json!({ "anonymization_options": { "name": { "option": MAIL } } }),
        json!({ "anonymization_options": { "name": MAIL } }),
        json!({ "anonymization_options": MAIL }),
        json!({ "extended_options": { "email": { "option": { "x": MAIL } } } }),
        json!({ "age_ranges": [MAIL] }),
        json!({ "age_ranges": MAIL }),
        json!({ "names": MAIL }),
        json!({ "session_lifetime_seconds": MAIL }),
        json!({ "prompt_language": MAIL }),
        json!({ "knowledge_base": MAIL }),
        json!({ "knowledge_base": { "terms": [MAIL] } }),
        json!({ "knowledge_base": { "terms": [{ "regex": format!("({MAIL}") }] } }),
        json!({ "knowledge_base": { "terms": [{ "regex": format!("(?:{TERM}){{1000}}{{1000}}") }] } }),
        json!({ "knowledge_base": { "terms": [{ "text": MAIL, "field": NAME }] } }),
        json!({ "knowledge_base": { "terms": [{ "text": MAIL, "regex": TERM }] } }),
        json!({ "knowledge_base": { "allow": { "x": MAIL } } }),
        json!({ "role_based_acl": MAIL }),
    ];
    let (settings_path, servers) = (format!("{environment}/cloak-settings"), format!("{place}/mcp-servers"));
    let mut bodies: Vec<(&str, String, String)> =
        of_settings.into_iter().map(|more| ("POST", settings_path.clone(), settings(more))).collect();
    let post = |path: &str, body: Value| ("POST", path.to_owned(), body.to_string());
    bodies.extend([
        post("/api/environments", json!({ "name": MAIL.repeat(20) })),
        post("/api/environments", json!({ "name": { "x": MAIL } })),
        post("/api/environments", json!([MAIL])),
        ("POST", "/api/environments".to_owned(), format!(r#"{{"name": "{MAIL}"#)),
        ("POST", "/api/environments".to_owned(), format!(r#"{{"name": {MAIL}}}"#)),
        post("/api/tokens", json!({ "name": NAME, "role": MAIL })),
        post("/api/tokens", json!({ "name": NAME, "role": "viewer", "environment_id": MAIL })),
        post(&format!("{environment}/countries"), json!({ "name": NAME, "region": MAIL })),
        post(&format!("{environment}/services"), json!({ "name": NAME, "country_id": MAIL })),
        post(&servers, json!({ "name": NAME, "cloak_settings_id": MAIL, "billing": { "tier": "free" } })),
        post(&servers, json!({ "name": NAME, "cloak_settings_id": NOBODY, "billing": { "tier": "free" } })),
        post(&servers, json!({ "name": NAME, "cloak_settings_id": NOBODY, "billing": { "tier": MAIL } })),
        post(&format!("{servers}/{NOBODY}/rotate-key"), json!({ "overlap_seconds": MAIL })),
        post(&format!("{environment}/sessions/erase"), json!({ "value": { "x": MAIL } })),
        post(&format!("{environment}/sessions/rebind"), json!({ "from": MAIL, "to": NAME })),
        post(&format!("{environment}/import"), json!({ "version": MAIL })),
        post(&format!("{environment}/import"), json!({ "version": 1, "cloakSettings": [MAIL] })),
        post(
            &format!("{environment}/import"),
            json!({ "version": 1, "mcpServers": [{ "name": { "x": MAIL } }] }),
        ),
        post(&format!("{environment}/import?dry_run={MAIL}"), json!({ "version": 1 })),
        ("GET", format!("{environment}/sessions?limit={MAIL}"), String::new()),
        ("GET", format!("{environment}/sessions?cursor={MAIL}"), String::new()),
        ("GET", format!("{environment}/sessions/{MAIL}"), String::new()),
        ("DELETE", format!("/api/environments/{MAIL}"), String::new()),
        ("GET", format!("/api/{MAIL}"), String::new()),
        ("GET", format!("/{MAIL}?{MAIL}"), String::new()),
        ("PATCH", format!("{servers}/{MAIL}"), json!({ "name": NAME }).to_string()),
    ]);
    let json_type = ("content-type", "application/json");
    for (method, path, body) in bodies {
        ask(service, &mut sinks, (method, &path), &[("authorization", &bearer), json_type], &body);
    }
    let body = json!({ "name": { "x": MAIL } }).to_string();
    let long = MAIL.repeat(12);
    for headers in [
        [("authorization", MAIL), json_type],
        [("authorization", "Bearer quetzal.marigold@example.org"), json_type],
        [("authorization", &bearer), ("content-type", MAIL)],
        [("authorization", &bearer), ("idempotency-key", MAIL)],
        [("authorization", &bearer), ("idempotency-key", &long)],
    ] {
        ask(service, &mut sinks, ("POST", "/api/environments"), &headers, &body);
    }
    let headers = [("authorization", &*bearer), json_type, ("if-match", MAIL)];
    ask(service, &mut sinks, ("PATCH", &environment), &headers, &json!({ "name": "other" }).to_string());
    sinks
}

/// What a request that is refused is answered; only what says so may be taken.
#[track_caller]
fn ask(
    service: &Service,
    sinks: &mut Vec<Sink>,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &str,
) {
    let mut with_type = headers.to_vec();
    if !headers.iter().any(|(name, _)| *name == "content-type") {
        with_type.push(("content-type", "application/json"));
    }
    let answer = service.connect().ask(method, path, &with_type, body.as_bytes()).expect("an answer");
    assert!(answer.status < 500, "{method} {path} {body}: {} {}", answer.status, answer.body);
    let name = format!("the answer {} to {method} {path} {headers:?} {body:.300}", answer.status);
    sinks.push((name, [answer.head.as_bytes(), answer.body.as_bytes()].concat()));
}

/// All files below a folder that can be read as they are.
fn files(folder: &Path) -> Vec<Sink> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // A running database takes files and folders away.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                found.push((path.display().to_string(), bytes));
            }
        }
    }
    assert!(!found.is_empty());
    found
}
