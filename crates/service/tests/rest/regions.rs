//! Two regions behind one service: each has a database of its own, and nothing of one is found in the other's.

use cloakgate_service::{App, RegionConfig, ServiceConfig, StartError};
use cloakgate_vault::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::{ADMIN, Service, config, data_with_key, folder, postgres};

fn regional(databases: [Option<String>; 2]) -> ServiceConfig {
    let region = |(name, database): (&str, Option<String>)| RegionConfig {
        name: name.to_owned(),
        database,
        public_url: Some(format!("https://{name}.example.org")),
    };
    let mut config = config();
    config.regions = ["home", "far"].into_iter().zip(databases).map(region).collect();
    config
}

/// The key of a new server in the region `far`.
fn far_key(service: &Service, (environment, place): (&str, &str)) -> String {
    let servers = format!("{place}/mcp-servers");
    let first = service.ask("GET", &servers, &Value::Null).expect(200)[0].clone();
    assert_eq!(first["mcp_server_url"], "https://home.example.org/mcp");
    let country = json!({ "name": "Far away", "region": "far" });
    let country = service.ask("POST", &format!("{environment}/countries"), &country).expect(201);
    let body = json!({ "name": "far", "country_id": country["id"] });
    let made = service.ask("POST", &format!("{environment}/services"), &body).expect(201);
    let servers = format!("{environment}/services/{}/mcp-servers", made["id"].as_str().expect("an id"));
    let settings = &first["cloak_settings_id"];
    let body = json!({ "name": "far", "cloak_settings_id": settings, "billing": { "tier": "free" } });
    let made = service.ask("POST", &servers, &body).expect(201);
    assert_eq!(made["mcp_server_url"], "https://far.example.org/mcp");
    made["api_key"].as_str().expect("a key").to_owned()
}

/// `holds` says whether the database of a region holds a session.
fn are_apart(service: &Service, holds: &dyn Fn(&str, Uuid) -> bool) {
    let (environment, place) = service.place();
    let far = far_key(service, (&environment, &place));
    let home = service.first.as_ref().expect("a first run").api_key.clone();
    let text = "Write to alice@example.org.";
    let (at_home, in_far) = (service.cloak(&home, text), service.cloak(&far, text));
    for ((_, id), region, other) in [(&at_home, "home", "far"), (&in_far, "far", "home")] {
        let bytes: Uuid = id.parse().expect("an id");
        assert!(holds(region, bytes) && !holds(other, bytes), "{region} in {other}");
        let shown = service.ask("GET", &format!("{environment}/sessions/{id}"), &Value::Null).expect(200);
        assert_eq!(shown["region"], region);
    }

    // An id of another region is none, whatever is done with it, and the answer is that to any other id.
    let refused = |key: &str, tool: &str, id: &str| {
        let answer = service.call(key, tool, &json!({ "message": at_home.0, "id": id })).expect(200);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"].clone()
    };
    let nobody = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
    for tool in ["cloak", "uncloak"] {
        assert_eq!(refused(&far, tool, &at_home.1), refused(&far, tool, nobody));
        assert_eq!(refused(&home, tool, &in_far.1), refused(&home, tool, nobody));
    }
    for (key, (cloaked, id)) in [(&home, &at_home), (&far, &in_far)] {
        let back = service.call(key, "uncloak", &json!({ "message": cloaked, "id": id })).expect(200);
        assert_eq!(back["result"]["structuredContent"]["result"], text);
    }

    // What is asked of an environment is asked of all its regions.
    let path = format!("{environment}/sessions");
    let mut regions: Vec<String> = Vec::new();
    let mut next = format!("{path}?limit=1");
    loop {
        let page = service.ask("GET", &next, &Value::Null);
        let more = page.header("link").and_then(|link| link.split(['<', '>']).nth(1)).map(str::to_owned);
        let page = page.json();
        regions.extend(page.as_array().expect("a list").iter().map(|one| one["region"].to_string()));
        let Some(more) = more else { break };
        next = format!("{path}{more}");
    }
    assert_eq!(regions, [r#""far""#, r#""home""#]);
    let erased = service.ask("POST", &format!("{path}/erase"), &json!({ "value": "alice@example.org" }));
    assert_eq!(erased.expect(200), json!({ "sessions": 2 }));
    assert_eq!(service.ask("GET", &path, &Value::Null).expect(200), json!([]));
}

#[test]
fn regions_are_apart_in_files() {
    let service = Service::start_with(regional([None, None]), folder(), Some(ADMIN));
    are_apart(&service, &|region, id| {
        let read =
            |ending| std::fs::read(service.data.join(format!("{region}.{ending}"))).unwrap_or_default();
        [read("db"), read("db-wal")]
            .iter()
            .any(|bytes| bytes.windows(16).any(|window| window == id.as_bytes()))
    });
}

#[test]
fn regions_are_apart_in_postgres() {
    let databases = [0, 1].map(|_| postgres().new_database().expect("a database"));
    let config = regional(databases.clone().map(Some));
    let service = Service::start_with(config, data_with_key(), Some(ADMIN));
    are_apart(&service, &|region, id| {
        let dump = postgres().dump(&databases[usize::from(region == "far")]).expect("readable");
        dump.contains(&id.simple().to_string())
    });
}

#[test]
fn a_database_is_never_opened_as_another_regions() {
    let service = Service::start_with(regional([None, None]), folder(), Some(ADMIN)).keep();
    let data = service.data.clone();
    drop(service);
    let file = |name: &str| Some(data.join(name).display().to_string());
    let mut config = regional([file("far.db"), file("home.db")]);
    config.data.clone_from(&data);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let Err(StartError::Store(error)) = runtime.block_on(App::open(config)).map(drop) else {
        panic!("it was opened");
    };
    assert!(matches!(error, StoreError::WrongRegion { .. }), "{error}");
    std::fs::remove_dir_all(&data).expect("our own folder");
}
