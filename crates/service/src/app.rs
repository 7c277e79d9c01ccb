//! The service put together: databases, records, keys, limits, texts.
//!
//! In: a configuration. Out: what routes and commands work with. Invariant: every region of the configuration is open, or
//! there is no service.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cloakgate_names::{Effort, Readers};
use cloakgate_vault::{
    Database, DatabaseConfig, KeySource, MASTER_KEY_VARIABLE, Moment, RegionName, Regions, Sessions,
};
use moka::future::Cache;
use uuid::Uuid;

use crate::config::ServiceConfig;
use crate::fault::Fault;
use crate::limits::Buckets;
use crate::records::{Country, Kept, Page, Records, Service, Token, failed};
use crate::servers::{MAX_KEPT, STALE, ServerKeys};
use crate::start::StartError;
use crate::texts::Texts;
use crate::usage::Usage;

/// How often counts are written.
const FLUSH_EVERY: Duration = Duration::from_secs(5);
/// How often sessions that ended are erased.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// The service. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    config: ServiceConfig,
    regions: Arc<Regions>,
    texts: Arc<Texts>,
    records: Records,
    servers: ServerKeys,
    tokens: Cache<Uuid, (u64, Kept<Token>)>,
    requests: Buckets<Uuid>,
    calls: Buckets<Uuid>,
    usage: Usage,
}

impl App {
    /// Opens the databases of all regions and loads what reads names.
    ///
    /// # Errors
    /// When a database or its key cannot be used, or a model is damaged.
    pub async fn open(config: ServiceConfig) -> Result<Self, StartError> {
        let regions = Arc::new(open_regions(&config).await?);
        let efforts = Effort::WORDS.map(|(_, effort)| effort);
        let readers = Readers::load(efforts.into_iter().filter(|effort| config.reads_names(*effort)), &[])?;
        crate::self_test::run(&readers, config.names)?;
        let texts = Texts::new(Arc::clone(&regions), readers)?.with_max_message_bytes(config.message_bytes);
        let records = Records::new(regions.catalog().clone());
        Ok(Self(Arc::new(Inner {
            servers: ServerKeys::new(records.clone(), config.names),
            tokens: Cache::builder().max_capacity(MAX_KEPT).time_to_live(STALE).build(),
            requests: Buckets::new(config.rate),
            calls: Buckets::new(config.call_rate),
            usage: Usage::default(),
            texts: Arc::new(texts),
            regions,
            records,
            config,
        })))
    }

    /// What the operator decided.
    #[must_use]
    pub fn config(&self) -> &ServiceConfig {
        &self.0.config
    }

    /// What cloaks and uncloaks.
    #[must_use]
    pub fn texts(&self) -> &Arc<Texts> {
        &self.0.texts
    }

    pub(crate) fn records(&self) -> &Records {
        &self.0.records
    }

    pub(crate) fn usage(&self) -> &Usage {
        &self.0.usage
    }

    pub(crate) fn server_keys(&self) -> &ServerKeys {
        &self.0.servers
    }

    /// The token with this id, no older than `STALE`, and never older than the last write of this process.
    pub(crate) async fn token(&self, id: Uuid) -> Result<Option<Kept<Token>>, Fault> {
        let writes = self.0.records.writes();
        if let Some((at, token)) = self.0.tokens.get(&id).await
            && at == writes
        {
            return Ok(Some(token));
        }
        let token = self.0.records.anywhere::<Token>(id).await?;
        if let Some(token) = &token {
            self.0.tokens.insert(id, (writes, token.clone())).await;
        }
        Ok(token)
    }

    /// Lets one more request of a token through, or says when.
    pub(crate) fn take_request(&self, who: Uuid, now: Instant) -> Result<(), Fault> {
        self.0.requests.take(who, now).map_err(Fault::too_many)
    }

    /// Lets one more call of a server through, or says in how many seconds.
    pub(crate) fn take_call(&self, server: Uuid, now: Instant) -> Result<(), u64> {
        self.0.calls.take(server, now)
    }

    /// The database of a region.
    pub(crate) fn database(&self, region: &str) -> Result<Database, Fault> {
        let region: RegionName = region.parse().map_err(failed)?;
        self.0.regions.database(&region).map_err(failed)
    }

    /// The sessions of a region.
    pub(crate) fn sessions(&self, region: &str) -> Result<Sessions, Fault> {
        self.database(region).map(Sessions::new)
    }

    /// The regions that an environment keeps data in and that are active here.
    pub(crate) async fn regions_of(&self, environment: Uuid) -> Result<Vec<String>, Fault> {
        let countries = self.records().list::<Country>(environment, Page::default()).await?;
        let named: BTreeSet<String> = countries.into_iter().map(|country| country.record.region).collect();
        let is_active = |region: &String| self.config().regions.iter().any(|known| known.name == *region);
        Ok(named.into_iter().filter(is_active).collect())
    }

    /// Erases all sessions of a tenant; how many there were.
    pub(crate) async fn erase_tenant(&self, tenant: Uuid) -> Result<u64, Fault> {
        let mut erased = 0;
        // All regions, not only those of today's countries: nothing may stay behind.
        for region in &self.config().regions {
            erased += self.sessions(&region.name)?.erase_tenant(tenant).await.map_err(failed)?;
        }
        self.forget_sessions();
        tracing::info!(environment.id = %tenant, sessions = erased, "all sessions of an environment were erased");
        Ok(erased)
    }

    /// Binds the sessions of a server to another one of its service; how many there were.
    pub(crate) async fn rebind(&self, service: &Kept<Service>, from: Uuid, to: Uuid) -> Result<u64, Fault> {
        let country = self.records().get::<Country>(service.parent, service.record.country_id).await?;
        let sessions = self.sessions(&country.record.region)?;
        let bound = sessions.rebind(service.parent, from, to).await.map_err(failed)?;
        self.forget_sessions();
        tracing::info!(server.from = %from, server.to = %to, sessions = bound, "sessions were bound to another server");
        Ok(bound)
    }

    /// Wipes what of sessions is held in memory.
    pub(crate) fn forget_sessions(&self) {
        self.0.texts.forget();
    }

    pub(crate) fn note_use(&self, key: Uuid, at: i64) {
        self.0.usage.note_use(key, at);
    }

    /// Where clients of a service find the tools.
    pub(crate) async fn service_url(&self, service: &Kept<Service>) -> Result<String, Fault> {
        let country = self.records().get::<Country>(service.parent, service.record.country_id).await?;
        Ok(self.mcp_url(&country.record.region))
    }

    /// Where clients of a region find the tools.
    pub(crate) fn mcp_url(&self, region: &str) -> String {
        let config = self.config();
        let found = config.regions.iter().find(|other| other.name == region);
        let public = found.and_then(|region| region.public_url.clone());
        let scheme = if config.tls.is_some() { "https" } else { "http" };
        format!("{}/mcp", public.unwrap_or_else(|| format!("{scheme}://{}", config.listen)))
    }

    /// Asks every database for a sign of life.
    pub(crate) async fn ping(&self) -> Result<(), Fault> {
        for region in &self.config().regions {
            self.database(&region.name)?.ping().await.map_err(failed)?;
        }
        Ok(())
    }

    /// Writes counts and erases what ended, until it is dropped.
    pub async fn keep_house(&self) {
        let mut flush = tokio::time::interval(FLUSH_EVERY);
        let mut sweep = tokio::time::interval(SWEEP_EVERY);
        loop {
            let done = tokio::select! {
                _ = flush.tick() => {
                    // What was measured waits in memory until it is put into its buckets.
                    if let Some(recorder) = crate::http::recorder() {
                        recorder.run_upkeep();
                    }
                    self.0.usage.flush(&self.0.records).await
                }
                _ = sweep.tick() => self.sweep().await,
            };
            if let Err(fault) = done {
                tracing::warn!(cause = fault.message(), "housekeeping failed; it is tried again");
            }
        }
    }

    async fn sweep(&self) -> Result<(), Fault> {
        for region in &self.config().regions {
            let erased = self.sessions(&region.name)?.sweep(Moment::now()).await.map_err(failed)?;
            if erased > 0 {
                tracing::info!(region = region.name, sessions = erased, "sessions that ended were erased");
            }
        }
        crate::once::sweep(&self.0.records).await
    }

    /// Writes what waits and closes the databases.
    pub async fn close(&self) {
        if let Err(fault) = self.0.usage.flush(&self.0.records).await {
            tracing::warn!(cause = fault.message(), "counts could not be written");
        }
        self.0.regions.close().await;
    }
}

/// Opens the databases of all regions of a configuration.
///
/// # Errors
/// When there is no region, or a database or its key cannot be used.
pub async fn open_regions(config: &ServiceConfig) -> Result<Regions, StartError> {
    let keys = key_source(&config.data);
    let mut opened: Option<Regions> = None;
    for region in &config.regions {
        let file = || config.file_of(region).display().to_string();
        let database = DatabaseConfig {
            address: region.database.clone().unwrap_or_else(file),
            keys: keys.clone(),
            region: region.name.parse()?,
        };
        match &opened {
            None => opened = Some(Regions::open(&database).await?),
            Some(regions) => regions.activate(&database).await?,
        }
    }
    opened.ok_or(StartError::NoRegion)
}

/// Where the master keys are: the variable if it is set, else the file of the data folder.
fn key_source(data: &Path) -> KeySource {
    match std::env::var_os(MASTER_KEY_VARIABLE) {
        Some(value) if !value.is_empty() => KeySource::Variable(MASTER_KEY_VARIABLE.to_owned()),
        _ => KeySource::File(data.join("master.key")),
    }
}
