//! Puts a session together.
//!
//! In: a configuration, a client's streams. Out: a served session. Invariant: each session has keys and a vault of its
//! own, which end with it; the models of names are loaded once, and all scopes share them. Not here: running it, what
//! is said.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use cloakgate_cloak::{Destination, SessionKeys};
use cloakgate_detect::{Engine, Settings};
use cloakgate_names::Readers;
use cloakgate_vault::{Limits, MemoryVault, StateFile};
use cloakgate_vocab::{Secret, UpstreamName};
use ring::rand::{SecureRandom, SystemRandom};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::config::{Config, Detection, Effort, TokenStyle, Trust, UpstreamConfig};
use crate::error::GatewayError;
use crate::pipeline::{self, Budget, Detectors, Pipeline, UpstreamPolicy};
use crate::run::run;
use crate::self_test::self_test;

/// A gateway for one client.
pub struct Gateway {
    config: Config,
    readers: Readers,
    pipeline: Pipeline,
}

impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gateway").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Gateway {
    /// A gateway with keys and a vault of its own, which end with it. Where names are read their models are loaded
    /// here, which takes tens of milliseconds: not on a thread that others wait for.
    ///
    /// # Errors
    /// When there are no random bytes for the keys, or a model is damaged.
    pub fn new(config: Config) -> Result<Self, GatewayError> {
        let readers = Readers::load(efforts(&config), &config.models)?;
        Self::with_readers(config, readers)
    }

    /// The same with readers of names that are loaded already.
    ///
    /// # Errors
    /// As [`Gateway::new`], and when the configuration wants a reader that is not among them.
    pub fn with_readers(config: Config, readers: Readers) -> Result<Self, GatewayError> {
        let mut root = [0u8; 32];
        SystemRandom::new().fill(&mut root).map_err(|_| GatewayError::Random)?;
        let keys = SessionKeys::derive(&Secret::new(root));
        let session = "stdio".parse().map_err(GatewayError::Session)?;
        let vault = MemoryVault::new(Limits {
            upstreams: config
                .upstreams
                .iter()
                .map(|(name, upstream)| (name.clone(), upstream.max_entries))
                .collect(),
            ..Limits::default()
        });
        let (keys, vault) = match config.token_style {
            TokenStyle::Default => (keys, vault),
            TokenStyle::Plain => {
                let numbers = StateFile::open(&state_folder(&config)?, config.profile.as_str())?;
                (keys.in_style(cloakgate_cloak::TokenStyle::Plain), vault.with_numbers(Box::new(numbers)))
            }
        };
        let policies = config
            .upstreams
            .iter()
            .map(|(name, upstream)| Ok((name.clone(), policy(&config, &readers, (name, upstream))?)))
            .collect::<Result<_, GatewayError>>()?;
        let pipeline =
            Pipeline::new(Arc::new(vault), session, keys, policies).with_max_text(config.max_input_length);
        Ok(Self { config, readers, pipeline })
    }

    /// Starts the servers and serves one client until it leaves.
    ///
    /// # Errors
    /// When the self-test fails, no server serves, or the client cannot be read from.
    pub async fn serve<R, W>(self, reader: R, writer: W) -> Result<(), GatewayError>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        self.serve_until(reader, writer, std::future::pending()).await
    }

    /// As [`Gateway::serve`], but ends in order when `stop` comes: what is under way is given up, and the servers'
    /// inputs are closed before they are made to end.
    ///
    /// # Errors
    /// As [`Gateway::serve`].
    pub async fn serve_until<R, W>(
        self,
        reader: R,
        writer: W,
        stop: impl Future<Output = ()>,
    ) -> Result<(), GatewayError>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        if self.config.upstreams.values().any(|upstream| upstream.sanitize) {
            self_test(&self.config, &self.readers).await?;
        }
        let unread = self.pipeline.clone();
        let served = run(&self.config, self.pipeline, (reader, writer), stop).await;
        for (position, values) in unread.unread() {
            tracing::info!(position, values, "left without being read");
        }
        served
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
    made(config).await?.serve(reader, writer).await
}

/// Serves the client that started this process.
///
/// # Errors
/// As [`serve`], and when the standard streams cannot be used.
pub async fn serve_stdio(config: Config) -> Result<(), GatewayError> {
    serve_stdio_until(config, std::future::pending()).await
}

/// As [`serve_stdio`], but ends in order when `stop` comes.
///
/// # Errors
/// As [`serve_stdio`].
pub async fn serve_stdio_until(config: Config, stop: impl Future<Output = ()>) -> Result<(), GatewayError> {
    let (input, output) = cloakgate_wire::standard_streams().map_err(GatewayError::Streams)?;
    made(config).await?.serve_until(input, output, stop).await
}

/// A gateway, made where nobody waits for it.
async fn made(config: Config) -> Result<Gateway, GatewayError> {
    tokio::task::spawn_blocking(|| Gateway::new(config)).await.map_err(|_| GatewayError::Worker)?
}

/// How much is done to find names, in every scope that is cloaked.
pub fn efforts(config: &Config) -> impl Iterator<Item = Effort> {
    let cloaked = config.upstreams.values().filter(|upstream| upstream.sanitize);
    cloaked.flat_map(|upstream| {
        let tools = upstream.tools.values().map(|tool| tool.detection.names);
        tools.chain([upstream.detection.names])
    })
}

fn policy(
    config: &Config,
    readers: &Readers,
    (name, upstream): (&UpstreamName, &UpstreamConfig),
) -> Result<UpstreamPolicy, GatewayError> {
    let nobody = Readers::default();
    let detectors = |detection: &Detection| {
        if upstream.sanitize {
            return detectors(detection, readers);
        }
        // What is not cloaked is not read, so that no model was loaded for it.
        detectors(&Detection { names: Effort::OFF, ..detection.clone() }, &nobody)
    };
    let special = upstream.tools.iter().filter(|(_, tool)| tool.detection != upstream.detection);
    let tools = special.map(|(name, tool)| Ok((name.as_str().into(), detectors(&tool.detection)?)));
    Ok(UpstreamPolicy {
        third_party: upstream.trust == Trust::ThirdParty,
        destination: Destination {
            upstream: name.clone(),
            scope: config.token_scope,
            unresolved: upstream.unresolved,
        },
        budget: Budget {
            foreign_per_call: upstream.max_foreign_tokens_per_call,
            foreign_per_minute: upstream.max_foreign_tokens_per_minute,
            fresh_per_call: upstream.max_fresh_values_per_call,
            fresh: upstream.fresh_pii,
        },
        detectors: detectors(&upstream.detection)?,
        tools: tools.collect::<Result<_, GatewayError>>()?,
        binary: upstream.binary,
    })
}

/// Where state files are kept: what the configuration says, or the user's folder for such files.
fn state_folder(config: &Config) -> Result<PathBuf, GatewayError> {
    if let Some(folder) = &config.state_dir {
        return Ok(folder.clone());
    }
    let of_variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = of_variable("XDG_STATE_HOME")
        .or_else(|| of_variable("LOCALAPPDATA"))
        .or_else(|| Some(of_variable("HOME")?.join(".local").join("state")));
    user.map(|folder| folder.join("cloakgate")).ok_or(GatewayError::NoStateFolder)
}

/// The detectors that a scope of the configuration switches on, with its lists and its reader of names.
///
/// # Errors
/// When the patterns of the lists are too many to be compiled together, or its reader was not loaded.
pub fn detectors(detection: &Detection, readers: &Readers) -> Result<Detectors, GatewayError> {
    let mut engine = Engine::new(Settings { categories: detection.categories });
    if let Some(names) = readers.of(detection.names)? {
        engine = engine.with_names(names);
    }
    let engine = match pipeline::compile(detection)? {
        Some(terms) => engine.with_terms(terms),
        None => engine,
    };
    Ok(Detectors { engine, redact: detection.redact })
}
