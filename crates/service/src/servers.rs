//! Whom a server's key opens, and what counts there.
//!
//! In: a key. Out: the server with its tenant, region and profile. Invariant: a change made here counts at once, one made
//! by another process within `STALE`, and a key that it made at once; whoever has no key learns nothing about servers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cloakgate_cloak::text::Access;
use cloakgate_names::Effort;
use moka::future::Cache;
use uuid::Uuid;

use crate::app::App;
use crate::context::{AuthFault, ServerContext, Servers, SettingsInForce, Used};
use crate::fault::Fault;
use crate::keys::{KeptKey, split};
use crate::records::{Country, Kept, Records, Server, Service, now};
use crate::settings::{Acl, Settings};
use crate::usage::Counted;

/// How old what is known of servers and tokens may be.
pub(crate) const STALE: Duration = Duration::from_secs(2);
/// Most servers and tokens that are kept in memory.
pub(crate) const MAX_KEPT: u64 = 10_000;

/// A server with its keys, as of a number of writes of this process.
struct Known {
    writes: u64,
    keys: Vec<KeptKey>,
    acl: Acl,
    context: ServerContext,
}

impl Known {
    /// The server and the id of the key, if the secret opens it.
    fn opened_by(&self, secret: &str) -> Option<(ServerContext, Uuid)> {
        let now = now();
        let key = self.keys.iter().find(|key| key.opens(secret, now))?;
        let access = self.acl.of(key.role.as_deref());
        Some((ServerContext { access, ..self.context.clone() }, key.id()))
    }
}

/// Servers by their keys.
pub(crate) struct ServerKeys {
    records: Records,
    /// What is done to find names where settings do not say.
    names: Effort,
    known: Cache<Uuid, Arc<Known>>,
}

impl ServerKeys {
    /// The servers of a catalog.
    pub(crate) fn new(records: Records, names: Effort) -> Self {
        let known = Cache::builder().max_capacity(MAX_KEPT).time_to_live(STALE).build();
        Self { records, names, known }
    }

    /// The server that a key opens, and the id of the key; `None` when it opens none.
    ///
    /// # Errors
    /// When records cannot be read.
    pub(crate) async fn open(&self, key: &str) -> Result<Option<(ServerContext, Uuid)>, Fault> {
        let Some((id, secret)) = split(key) else { return Ok(None) };
        let writes = self.records.writes();
        let known = self.known.get(&id).await.filter(|known| known.writes == writes);
        if let Some(opened) = known.and_then(|known| known.opened_by(secret)) {
            return Ok(Some(opened));
        }
        // What is remembered may only let in: a key that it does not know may have been made elsewhere a moment ago.
        let Some(known) = self.read(id, writes).await? else { return Ok(None) };
        self.known.insert(id, known.clone()).await;
        Ok(known.opened_by(secret))
    }

    async fn read(&self, id: Uuid, writes: u64) -> Result<Option<Arc<Known>>, Fault> {
        let Some(server) = self.records.anywhere::<Server>(id).await? else { return Ok(None) };
        let Some(service) = self.records.anywhere::<Service>(server.parent).await? else { return Ok(None) };
        let tenant = service.parent;
        let country = self.records.find::<Country>(tenant, service.record.country_id).await?;
        let Some(country) = country else { return Ok(None) };
        let settings = self.records.find::<Settings>(tenant, server.record.request_settings()).await?;
        let acl = settings.as_ref().map(|kept| kept.record.acl()).unwrap_or_default();
        let settings = settings.map(|kept| self.settings(&kept)).transpose()?;
        let region = country.record.region.into();
        let context = ServerContext { server: id, tenant, region, settings, access: Access::EVERYTHING };
        Ok(Some(Arc::new(Known { writes, keys: server.record.keys, acl, context })))
    }

    fn settings(&self, kept: &Kept<Settings>) -> Result<SettingsInForce, Fault> {
        Ok(SettingsInForce {
            id: kept.id,
            version: kept.version,
            profile: Arc::new(kept.record.profile()?),
            names: kept.record.names().unwrap_or(self.names),
            lifetime: kept.record.session_lifetime_seconds().map(Duration::from_secs),
        })
    }
}

impl Servers for App {
    async fn server_by_key(&self, key: &str) -> Result<ServerContext, AuthFault> {
        let opened = self.server_keys().open(key).await.map_err(|_| AuthFault::Unavailable)?;
        let (context, key) = opened.ok_or(AuthFault::Wrong)?;
        self.take_call(context.server, Instant::now())
            .map_err(|retry_after_s| AuthFault::TooMany { retry_after_s })?;
        self.note_use(key, now());
        Ok(context)
    }

    fn note(&self, server: &ServerContext, used: Used<'_>) {
        match used {
            Used::Cloaked(fields) => {
                metrics::counter!("cloakgate_calls_total", "tool" => "cloak").increment(1);
                for (field, count) in fields {
                    metrics::counter!("cloakgate_values_total", "field" => field.name())
                        .increment(u64::from(*count));
                }
                let fields = fields.iter().map(|(field, count)| (Counted::Cloaked(*field), *count));
                self.usage().count(server.server, std::iter::once((Counted::Cloak, 1)).chain(fields));
            }
            Used::Uncloaked { restored, masked, withheld, unresolved } => {
                metrics::counter!("cloakgate_calls_total", "tool" => "uncloak").increment(1);
                metrics::counter!("cloakgate_restored_total").increment(u64::from(restored));
                metrics::counter!("cloakgate_masked_total").increment(u64::from(masked));
                metrics::counter!("cloakgate_withheld_total").increment(u64::from(withheld));
                metrics::counter!("cloakgate_unresolved_total").increment(u64::from(unresolved));
                let counts = [
                    (Counted::Uncloak, 1),
                    (Counted::Restored, restored),
                    (Counted::Masked, masked),
                    (Counted::Withheld, withheld),
                    (Counted::Unresolved, unresolved),
                ];
                self.usage().count(server.server, counts);
            }
        }
    }
}
