//! The records of the service, typed: what is kept of environments, regions, services, settings, servers and tokens.
//!
//! In: records. Out: versioned documents of the catalog, and back. Invariant: a record is found under its parent only,
//! so that nobody reaches another environment's; a write names the version that it changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cloakgate_vault::{After, Catalog, Changed, Document, MAX_PAGE, Moment, Precondition, StoreError};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::fault::Fault;
use crate::keys::KeptKey;
use crate::settings::Settings;

/// Most records of one kind under one parent.
const MAX_RECORDS: usize = 10_000;

/// A kind of record.
pub(crate) trait Record: Serialize + DeserializeOwned {
    /// Its name in the catalog.
    const KIND: &'static str;
    /// Its name in a sentence.
    const NOUN: &'static str;
}

/// A record with what the catalog knows of it.
#[derive(Clone, Debug)]
pub(crate) struct Kept<R> {
    pub(crate) id: Uuid,
    pub(crate) parent: Uuid,
    pub(crate) version: u64,
    pub(crate) created_at: Moment,
    pub(crate) updated_at: Moment,
    pub(crate) record: R,
}

impl<R> Kept<R> {
    /// Its place in a list.
    pub(crate) fn place(&self) -> After {
        After { created_at: self.created_at, id: self.id }
    }
}

/// Part of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Page {
    pub(crate) after: Option<After>,
    pub(crate) limit: Option<usize>,
}

/// Who owns settings and services: a tenant.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Environment {
    pub(crate) name: String,
}

/// A country that an environment keeps data in.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Country {
    /// The region of the configuration.
    pub(crate) region: String,
    pub(crate) name: String,
}

/// A service in a country.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Service {
    pub(crate) name: String,
    pub(crate) country_id: Uuid,
}

/// Which settings count, by direction.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Directions {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prompts_cloak_settings_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) requests_cloak_settings_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) responses_cloak_settings_id: Option<Uuid>,
}

/// Who pays; kept and counted, never charged.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Billing {
    pub(crate) tier: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) provider: Option<String>,
    #[serde(default, rename = "customerId", skip_serializing_if = "Option::is_none")]
    pub(crate) customer_id: Option<String>,
}

/// An endpoint with the tools `cloak` and `uncloak`.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) cloak_settings_id: Uuid,
    #[serde(flatten)]
    pub(crate) directions: Directions,
    pub(crate) billing: Billing,
    /// Newest first.
    pub(crate) keys: Vec<KeptKey>,
}

impl Server {
    /// The settings that texts of requests are cloaked by.
    pub(crate) fn request_settings(&self) -> Uuid {
        self.directions.requests_cloak_settings_id.unwrap_or(self.cloak_settings_id)
    }

    /// All settings that it names.
    pub(crate) fn all_settings(&self) -> impl Iterator<Item = Uuid> {
        let Directions { prompts_cloak_settings_id, requests_cloak_settings_id, responses_cloak_settings_id } =
            self.directions;
        let directions = [prompts_cloak_settings_id, requests_cloak_settings_id, responses_cloak_settings_id];
        std::iter::once(self.cloak_settings_id).chain(directions.into_iter().flatten())
    }
}

/// A server of somebody else that is to be put behind the gateway.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Proxy {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) cloak_settings_id: Uuid,
    /// What happens to arguments: `cloak`, `restore` or `pass`.
    pub(crate) requests: String,
    /// What happens to results: `cloak`, `restore` or `pass`.
    pub(crate) responses: String,
}

/// What a token may do.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    Admin,
    Editor,
    Auditor,
    Viewer,
}

impl Role {
    /// Every role.
    pub(crate) const ALL: [Self; 4] = [Self::Admin, Self::Editor, Self::Auditor, Self::Viewer];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Editor => "editor",
            Self::Auditor => "auditor",
            Self::Viewer => "viewer",
        }
    }
}

/// A bearer token of the management API.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Token {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// The one environment that it may reach; all where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) environment_id: Option<Uuid>,
    pub(crate) key: KeptKey,
}

/// A request that was done, by its key.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Done {
    /// Hash of what was asked.
    pub(crate) request: String,
    pub(crate) status: u16,
    /// What was answered, without keys.
    pub(crate) body: Value,
    /// Unix seconds.
    pub(crate) until: i64,
}

/// A server that was deleted, by its own id: its sessions can be bound to another one of its service.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct GoneServer {
    pub(crate) name: String,
}

/// That this database was set up.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct SetUp {
    /// Version of the program that did it.
    pub(crate) by: String,
    /// True once its secrets were told, so that somebody has them.
    #[serde(default = "told")]
    pub(crate) told: bool,
    /// Unix seconds until which a set-up that was not told yet is under way.
    #[serde(default)]
    pub(crate) until: i64,
    /// The first environment.
    #[serde(default)]
    pub(crate) environment: Uuid,
    /// The first administrator's token, where one was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<Uuid>,
}

/// What a set-up says that was written before it was noted.
const fn told() -> bool {
    true
}

/// When a key was last used.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct LastUse {
    /// Unix seconds.
    pub(crate) at: i64,
}

macro_rules! records {
    ($($record:ty: $kind:literal, $noun:literal;)*) => {
        $(impl Record for $record {
            const KIND: &'static str = $kind;
            const NOUN: &'static str = $noun;
        })*
    };
}

records! {
    Environment: "environment", "environment";
    Country: "country", "country";
    Service: "service", "service";
    Settings: "cloak-settings", "cloak settings";
    Server: "mcp-server", "MCP server";
    Proxy: "mcp-proxy", "MCP proxy";
    Token: "token", "token";
    Done: "idempotency", "idempotency key";
    GoneServer: "gone-mcp-server", "deleted MCP server";
    SetUp: "set-up", "set-up";
    LastUse: "last-use", "use";
}

/// The catalog, typed.
#[derive(Clone)]
pub(crate) struct Records {
    catalog: Catalog,
    /// Counts this process's writes, so that what was read before one is known to be old.
    writes: Arc<AtomicU64>,
}

impl Records {
    /// The records of a catalog.
    pub(crate) fn new(catalog: Catalog) -> Self {
        Self { catalog, writes: Arc::default() }
    }

    /// A number that grows with each write of this process.
    pub(crate) fn writes(&self) -> u64 {
        self.writes.load(Ordering::Acquire)
    }

    /// The record with this id under this parent, if there is one.
    pub(crate) async fn find<R: Record>(&self, parent: Uuid, id: Uuid) -> Result<Option<Kept<R>>, Fault> {
        let found = self.anywhere(id).await?;
        Ok(found.filter(|kept: &Kept<R>| kept.parent == parent))
    }

    /// The record with this id under this parent.
    pub(crate) async fn get<R: Record>(&self, parent: Uuid, id: Uuid) -> Result<Kept<R>, Fault> {
        self.find(parent, id).await?.ok_or_else(|| Fault::unknown(R::NOUN))
    }

    /// The record with this id, whoever its parent is.
    pub(crate) async fn anywhere<R: Record>(&self, id: Uuid) -> Result<Option<Kept<R>>, Fault> {
        self.catalog.get(R::KIND, id).await.map_err(failed)?.map(read).transpose()
    }

    /// Records under a parent, oldest first.
    pub(crate) async fn list<R: Record>(&self, parent: Uuid, page: Page) -> Result<Vec<Kept<R>>, Fault> {
        let limit = page.limit.unwrap_or(MAX_RECORDS).min(MAX_RECORDS);
        let mut found: Vec<Kept<R>> = Vec::new();
        let mut after = page.after;
        while found.len() < limit {
            let wanted = u32::try_from(limit - found.len()).unwrap_or(MAX_PAGE).min(MAX_PAGE);
            let part = self.catalog.list(R::KIND, parent, after, wanted).await.map_err(failed)?;
            let is_last = part.len() < wanted as usize;
            for document in part {
                found.push(read(document)?);
            }
            after = found.last().map(Kept::place);
            if is_last {
                break;
            }
        }
        Ok(found)
    }

    /// A new record with an id of its own.
    pub(crate) async fn add<R: Record>(&self, parent: Uuid, record: R) -> Result<Kept<R>, Fault> {
        self.add_as(Uuid::now_v7(), parent, record).await
    }

    /// A new record with this id.
    pub(crate) async fn add_as<R: Record>(
        &self,
        id: Uuid,
        parent: Uuid,
        record: R,
    ) -> Result<Kept<R>, Fault> {
        let body = write(&record)?;
        let added = self.catalog.insert(R::KIND, id, parent, &body).await;
        self.wrote();
        read(added.map_err(failed)?)
    }

    /// Another record in the place of one that was read.
    pub(crate) async fn replace<R: Record>(&self, old: &Kept<R>, record: R) -> Result<Kept<R>, Fault> {
        let body = write(&record)?;
        let put = self.catalog.put(R::KIND, old.id, &body, Precondition::Version(old.version)).await;
        self.wrote();
        match put.map_err(failed)? {
            Changed::Version(version) => Ok(Kept {
                id: old.id,
                parent: old.parent,
                version,
                created_at: old.created_at,
                updated_at: Moment::now(),
                record,
            }),
            Changed::Conflict => {
                Err(Fault::conflict("changed", "the record was changed by somebody else; read it again"))
            }
            Changed::Missing => Err(Fault::unknown(R::NOUN)),
        }
    }

    /// Takes a record away. True when it was there.
    pub(crate) async fn delete<R: Record>(&self, id: Uuid) -> Result<bool, Fault> {
        let deleted = self.catalog.delete(R::KIND, id, Precondition::Any).await;
        self.wrote();
        Ok(deleted.map_err(failed)? != Changed::Missing)
    }

    /// Deletes all records of a kind under a parent.
    pub(crate) async fn delete_all<R: Record>(&self, parent: Uuid) -> Result<(), Fault> {
        for kept in self.list::<R>(parent, Page::default()).await? {
            self.delete::<R>(kept.id).await?;
        }
        Ok(())
    }

    /// Adds to counters.
    pub(crate) async fn count(&self, kind: &str, id: Uuid, counts: &[(&str, i64)]) -> Result<(), Fault> {
        self.catalog.count(kind, id, counts).await.map_err(failed)
    }

    /// All counters of something.
    pub(crate) async fn counters(&self, kind: &str, id: Uuid) -> Result<Vec<(String, i64)>, Fault> {
        self.catalog.counts(kind, id).await.map_err(failed)
    }

    /// Notes when a key was last used. Whoever reads a key needs no news of it, so this is no write that counts.
    pub(crate) async fn put_last_use(&self, key: Uuid, used: &LastUse) -> Result<(), Fault> {
        let body = write(used)?;
        if self.catalog.put(LastUse::KIND, key, &body, Precondition::Any).await.map_err(failed)?
            != Changed::Missing
        {
            return Ok(());
        }
        match self.catalog.insert(LastUse::KIND, key, Uuid::nil(), &body).await {
            // Another process was first: its moment is as good as ours.
            Ok(_) | Err(StoreError::Exists { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// When a key was last used, in Unix seconds.
    pub(crate) async fn last_use(&self, key: Uuid) -> Result<Option<i64>, Fault> {
        Ok(self.anywhere::<LastUse>(key).await?.map(|kept| kept.record.at))
    }

    fn wrote(&self) {
        self.writes.fetch_add(1, Ordering::AcqRel);
    }
}

/// Unix seconds.
pub(crate) fn now() -> i64 {
    Timestamp::now().as_second()
}

fn read<R: Record>(document: Document) -> Result<Kept<R>, Fault> {
    let Document { id, parent, version, created_at, updated_at, body, .. } = document;
    let record = serde_json::from_str(&body).map_err(|error| Fault::internal(&Damaged(error.classify())))?;
    Ok(Kept { id, parent, version, created_at, updated_at, record })
}

fn write<R: Record>(record: &R) -> Result<String, Fault> {
    serde_json::to_string(record).map_err(|error| Fault::internal(&Damaged(error.classify())))
}

/// A record that cannot be read; what is in it is not told.
#[derive(Debug, thiserror::Error)]
#[error("a record cannot be read: {0:?}")]
struct Damaged(serde_json::error::Category);

/// What a failure of the store is to a client.
pub(crate) fn failed(error: StoreError) -> Fault {
    match error {
        StoreError::Exists { .. } => Fault::conflict("exists", "the record exists already"),
        StoreError::TooMuch { .. } => Fault::bad("too_much", error.to_string()),
        StoreError::Busy | StoreError::TimedOut { .. } | StoreError::Closed => Fault::busy(&error),
        error => Fault::internal(&error),
    }
}
