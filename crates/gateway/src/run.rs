//! Runs a session: starts the servers, serves the client, ends everything.
//!
//! In: a configuration, a pipeline, a client's streams. Out: how it ended. Invariant: every task and every server that is
//! started here is ended here, with its input closed first; where the future is dropped half-way, the same is done by
//! a task of its own, for as long as the runtime lives. Not here: what is said.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use cloakgate_vocab::UpstreamName;
use cloakgate_wire::{Child, ClientWriter, FrameReader, SpawnError};
use ring::rand::SystemRandom;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::JoinSet;

use crate::client::{Client, End};
use crate::config::{Config, UpstreamConfig};
use crate::error::GatewayError;
use crate::hub::{Hub, Settings};
use crate::outbox::outbox;
use crate::pipeline::Pipeline;
use crate::seal::Seal;
use crate::session::Session;
use crate::upstream::{Connection, Keeper, Stop, Terms, Upstream};

/// How long the last messages may take to leave once the session has ended.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Serves one client until it leaves or `stop` comes.
pub(crate) async fn run<R, W>(
    config: &Config,
    pipeline: Pipeline,
    (reader, writer): (R, W),
    stop: impl Future<Output = ()>,
) -> Result<(), GatewayError>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (outbox, outgoing) = outbox();
    let seal = Seal::new(&SystemRandom::new()).ok_or(GatewayError::Random)?;
    let hub = Arc::new(Hub::new(settings(config), pipeline, outbox, seal));
    let (mut keepers, mut upstreams) = (Keepers::default(), Vec::new());
    for (name, settings) in &config.upstreams {
        let upstream = Arc::new(Upstream::new(terms(name, settings)));
        keepers.start(Arc::clone(&upstream), Arc::clone(&hub), connector(config, name, settings));
        upstreams.push(upstream);
    }
    let session = Arc::new(Session::new(Arc::clone(&hub), upstreams));
    let mut writing = JoinSet::new();
    writing.spawn(outgoing.write_to(ClientWriter::new(writer)));
    let mut telling = JoinSet::new();
    let teller = Arc::clone(&hub);
    telling.spawn(async move { teller.changes.tell(&teller.outbox).await });
    drop(hub);
    let reader = FrameReader::new(reader, config.max_message_bytes);
    let ended = tokio::select! {
        ended = Client::new(Arc::clone(&session)).run(reader) => ended.map_err(GatewayError::Client),
        written = writing.join_next() => {
            log_client_end(written);
            Ok(End::Served)
        }
        () = stop => Ok(End::Served),
    };
    keepers.ended().await;
    telling.shutdown().await;
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

/// The keepers of all servers.
#[derive(Debug, Default)]
struct Keepers {
    stop: Stop,
    keepers: Vec<Keeper>,
}

impl Keepers {
    fn start<C>(&mut self, upstream: Arc<Upstream>, hub: Arc<Hub>, connect: C)
    where
        C: FnMut() -> Result<Connection<ChildStdout, ChildStdin>, SpawnError> + Send + 'static,
    {
        self.keepers.push(Keeper::start(upstream, hub, connect, &self.stop));
    }

    /// Ends all servers at the same time.
    async fn ended(mut self) {
        end(self.stop.clone(), std::mem::take(&mut self.keepers)).await;
    }
}

impl Drop for Keepers {
    fn drop(&mut self) {
        if self.keepers.is_empty() {
            return;
        }
        let (stop, keepers) = (self.stop.clone(), std::mem::take(&mut self.keepers));
        // Outside of a runtime nothing can be waited for: the keepers are dropped, and the processes killed.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(end(stop, keepers));
        }
    }
}

async fn end(stop: Stop, keepers: Vec<Keeper>) {
    stop.send_replace(true);
    for keeper in keepers {
        keeper.ended().await;
    }
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
        person_text: config.person_text,
        unknown_methods: config.unknown_methods,
    }
}

fn terms(name: &UpstreamName, upstream: &UpstreamConfig) -> Terms {
    Terms {
        name: name.clone(),
        sanitize: upstream.sanitize,
        startup_timeout: upstream.startup_timeout,
        call_timeout: upstream.call_timeout,
        tool_timeouts: upstream.tools.iter().map(|(name, tool)| (name.clone(), tool.call_timeout)).collect(),
    }
}

/// Starts the server's process, as often as it is asked to.
fn connector(
    config: &Config,
    name: &UpstreamName,
    upstream: &UpstreamConfig,
) -> impl FnMut() -> Result<Connection<ChildStdout, ChildStdin>, SpawnError> + Send + 'static {
    let spec = upstream.child_spec(name.clone(), config.max_message_bytes);
    move || {
        let Child { reader, writer, process } = Child::spawn(&spec)?;
        Ok(Connection { reader, writer, process: Some(process) })
    }
}
