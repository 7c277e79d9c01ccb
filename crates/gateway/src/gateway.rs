//! Puts a session together and takes it apart.
//!
//! In: a configuration, a client's streams. Out: a served session. Invariant: every task and every server that is started
//! here is ended here, also when the future is dropped. Not here: what is said.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use cloakgate_cloak::{Destination, SessionKeys};
use cloakgate_detect::Engine;
use cloakgate_vault::MemoryVault;
use cloakgate_vocab::{Secret, UpstreamName};
use cloakgate_wire::{Child, ClientWriter, FrameReader};
use ring::rand::{SecureRandom, SystemRandom};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;

use crate::client::{Client, End};
use crate::config::{self, Config, UpstreamConfig};
use crate::error::GatewayError;
use crate::outbox::outbox;
use crate::passage::Cloaker;
use crate::pipeline::{Pipeline, UpstreamPolicy};
use crate::session::{Session, Settings};
use crate::upstream::{Actor, Connection, Emitter, Terms, Upstream, start};

/// How long the last messages may take to leave once the session has ended.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// A gateway for one client.
pub struct Gateway {
    config: Config,
    pipeline: Pipeline,
}

impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gateway").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Gateway {
    /// A gateway with keys and a vault of its own, which end with it.
    ///
    /// # Errors
    /// When there are no random bytes for the keys.
    pub fn new(config: Config) -> Result<Self, GatewayError> {
        let mut root = [0u8; 32];
        SystemRandom::new().fill(&mut root).map_err(|_| GatewayError::Random)?;
        let keys = SessionKeys::derive(&Secret::new(root));
        let session = "stdio".parse().map_err(GatewayError::Session)?;
        let policies =
            config.upstreams.iter().map(|(name, upstream)| policy(&config, name, upstream)).collect();
        let engine = Engine::new(cloakgate_detect::Settings { categories: config.categories });
        let pipeline = Pipeline::new(engine, Arc::new(MemoryVault::default()), session, keys, policies);
        Ok(Self { config, pipeline })
    }

    /// Starts the servers and serves one client until it leaves.
    ///
    /// # Errors
    /// When no server serves, or the client cannot be read from.
    pub async fn serve<R, W>(self, reader: R, writer: W) -> Result<(), GatewayError>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let cloaker = Cloaker::new(self.pipeline);
        let (outbox, outgoing) = outbox();
        let emitter = Emitter { cloaker: cloaker.clone(), outbox: outbox.clone() };
        let (mut started, mut actors) = (Vec::new(), Vec::new());
        for (name, config) in &self.config.upstreams {
            if let Some((upstream, actor)) = start_child(&self.config, name, config, emitter.clone()) {
                started.push(upstream);
                actors.push(actor);
            }
        }
        drop(emitter);
        let session = Arc::new(Session::new(settings(&self.config), cloaker, outbox, started));
        let mut writing = JoinSet::new();
        writing.spawn(outgoing.write_to(ClientWriter::new(writer)));
        let reader = FrameReader::new(reader, self.config.max_message_bytes);
        let mut closing = JoinSet::new();
        let ended = {
            let idle = || {
                for actor in actors.extract_if(.., |actor| !serves(&session, actor)) {
                    closing.spawn(actor.stop());
                }
            };
            let served = Client::new(Arc::clone(&session)).run(reader, idle);
            tokio::select! {
                ended = served => ended.map_err(GatewayError::Client),
                written = writing.join_next() => {
                    log_client_end(written);
                    Ok(End::Served)
                }
            }
        };
        for actor in actors {
            closing.spawn(actor.stop());
        }
        while closing.join_next().await.is_some() {}
        // The last sender goes with the session, and with it the writer.
        drop(session);
        let flushed = async { while writing.join_next().await.is_some() {} };
        if tokio::time::timeout(FLUSH_TIMEOUT, flushed).await.is_err() {
            tracing::debug!("the client does not read its last messages");
        }
        match ended? {
            End::Served => Ok(()),
            End::NoUpstream => Err(GatewayError::NoUpstream),
        }
    }
}

/// Serves one client over any streams.
///
/// # Errors
/// As [`Gateway::new`] and [`Gateway::serve`].
pub async fn serve<R, W>(config: Config, reader: R, writer: W) -> Result<(), GatewayError>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    Gateway::new(config)?.serve(reader, writer).await
}

/// Serves the client that started this process.
///
/// # Errors
/// As [`serve`], and when the standard streams cannot be used.
pub async fn serve_stdio(config: Config) -> Result<(), GatewayError> {
    let (input, output) = cloakgate_wire::standard_streams().map_err(GatewayError::Streams)?;
    serve(config, input, output).await
}

fn serves(session: &Session, actor: &Actor) -> bool {
    session.serving().iter().any(|upstream| upstream.name() == actor.name())
}

fn log_client_end(written: Option<Result<io::Result<()>, tokio::task::JoinError>>) {
    match written {
        Some(Ok(Err(error))) => tracing::info!(%error, "the client has closed its input"),
        Some(Err(error)) => tracing::error!(panicked = error.is_panic(), "the writer has ended"),
        Some(Ok(Ok(()))) | None => {}
    }
}

fn settings(config: &Config) -> Settings {
    Settings {
        request_timeout: config.request_timeout,
        name_budget: config.name_budget,
        max_message_bytes: config.max_message_bytes,
        allow_unknown_protocol_version: config.allow_unknown_protocol_version,
        sanitize: config.upstreams.values().all(|upstream| upstream.sanitize),
    }
}

fn start_child(
    config: &Config,
    name: &UpstreamName,
    upstream: &UpstreamConfig,
    emitter: Emitter,
) -> Option<(Arc<Upstream>, Actor)> {
    let spec = upstream.child_spec(name.clone(), config.max_message_bytes);
    match Child::spawn(&spec) {
        Ok(Child { reader, writer, process }) => {
            let terms = Terms {
                name: name.clone(),
                sanitize: upstream.sanitize,
                startup_timeout: upstream.startup_timeout,
                call_timeout: upstream.call_timeout,
            };
            Some(start(terms, Connection { reader, writer, process: Some(process) }, emitter))
        }
        Err(error) => {
            tracing::error!(upstream.name = %name, %error, "the server cannot be started");
            None
        }
    }
}

fn policy(config: &Config, name: &UpstreamName, upstream: &UpstreamConfig) -> (UpstreamName, UpstreamPolicy) {
    let destination =
        Destination { upstream: name.clone(), scope: config.token_scope, unresolved: upstream.unresolved };
    let third_party = upstream.trust == config::Trust::ThirdParty;
    (name.clone(), UpstreamPolicy { third_party, destination })
}
