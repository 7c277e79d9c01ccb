//! A service without records: two servers of one environment and one of another, on a database of its own.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use cloakgate_cloak::text::{Access, AgeOption, NameOption, Profile};
use cloakgate_names::{Effort, Preset, Readers};
use cloakgate_service::{AuthFault, ServerContext, Servers, SettingsInForce, Texts, Tools};
use cloakgate_vault::{DatabaseConfig, KeySource, Regions};
use cloakgate_wire::http::{Settings, router};
use serde_json::{Value, json};
use uuid::Uuid;

/// Key of the first server, which replaces names by names and ages by words.
pub(crate) const NATIVE: &str = "00000000-0000-0000-0000-000000000001:native";
/// Key of its neighbour, which replaces all by placeholders.
pub(crate) const PLACEHOLDERS: &str = "00000000-0000-0000-0000-000000000002:placeholders";
/// Key of a server of another environment.
pub(crate) const FOREIGN: &str = "00000000-0000-0000-0000-000000000003:foreign";
/// Key of the first server after its settings were deleted.
pub(crate) const BARE: &str = "00000000-0000-0000-0000-000000000001:bare";
/// Key of the first server whose sessions end at once.
pub(crate) const SHORT_LIVED: &str = "00000000-0000-0000-0000-000000000001:short";

/// Key of a server that does not read names.
pub(crate) const PATTERNS: &str = "00000000-0000-0000-0000-000000000004:patterns";

/// Servers by keys that tests know.
struct Known(Vec<(&'static str, ServerContext)>);

impl Servers for Known {
    async fn server_by_key(&self, key: &str) -> Result<ServerContext, AuthFault> {
        self.0
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, server)| server.clone())
            .ok_or(AuthFault::Wrong)
    }
}

fn known() -> Known {
    let native = Profile { name: NameOption::Native, age: AgeOption::Categories, ..Profile::default() };
    let server = |key: &'static str, tenant: u128, settings: u128, profile: &Profile, lifetime| {
        let settings = SettingsInForce {
            id: Uuid::from_u128(settings),
            version: 1,
            profile: Arc::new(profile.clone()),
            names: Preset::Fast.into(),
            lifetime,
        };
        let id = key.split(':').next().and_then(|id| id.parse().ok()).expect("a uuid");
        let tenant = Uuid::from_u128(tenant);
        let (settings, access) = (Some(settings), Access::EVERYTHING);
        (key, ServerContext { server: id, tenant, region: "local".into(), settings, access })
    };
    let plain = Profile::default();
    let mut patterns = server(PATTERNS, 10, 25, &plain, None);
    patterns.1.settings =
        patterns.1.settings.map(|settings| SettingsInForce { names: Effort::OFF, ..settings });
    let mut bare = server(BARE, 10, 21, &native, None);
    bare.1.settings = None;
    Known(vec![
        server(NATIVE, 10, 21, &native, None),
        server(PLACEHOLDERS, 10, 22, &plain, None),
        server(FOREIGN, 11, 23, &plain, None),
        bare,
        patterns,
        server(SHORT_LIVED, 10, 24, &plain, Some(Duration::from_millis(1))),
    ])
}

/// Readers of names, loaded once.
fn readers() -> Readers {
    static READERS: OnceLock<Readers> = OnceLock::new();
    READERS.get_or_init(|| Readers::load([Preset::Fast.into()], &[]).expect("whole")).clone()
}

/// A service on a port of its own.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pub(crate) texts: Arc<Texts>,
    folder: PathBuf,
}

impl Service {
    pub(crate) async fn start() -> Self {
        // The client speaks TLS by it, also where there is none.
        rustls::crypto::ring::default_provider().install_default().ok();
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("cloakgate-tools-{}-{count}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        std::fs::create_dir_all(&folder).expect("a folder");
        let config = DatabaseConfig {
            address: folder.join("local.db").display().to_string(),
            keys: KeySource::File(folder.join("master.key")),
            region: "local".parse().expect("a region"),
        };
        let regions = Arc::new(Regions::open(&config).await.expect("a database"));
        let texts = Arc::new(Texts::new(regions, readers()).expect("randomness"));
        let tools = Tools::new(known(), Arc::clone(&texts));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = router(&["/mcp", "/mcp/{server}"], tools, Settings::default());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, texts, folder }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// What a message is answered with.
    pub(crate) async fn post(&self, key: &str, message: &Value) -> Value {
        let response = reqwest::Client::new()
            .post(self.url())
            .header("x-inc-agentcloak-api-key", key)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(message.to_string())
            .send()
            .await
            .expect("an answer");
        assert_eq!(response.status(), 200);
        response.json().await.expect("JSON")
    }

    /// What a call of a tool is answered with.
    pub(crate) async fn call(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.post(key, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await
    }

    /// The structured content of a call that works.
    pub(crate) async fn done(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let answer = self.call(key, tool, arguments).await;
        let copy = answer["result"]["content"][0]["text"].as_str().expect("a text");
        let content = answer["result"]["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(copy).expect("JSON"), content);
        assert_eq!(answer["result"].get("isError"), None, "{answer}");
        content
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}
