//! What all tasks of one client share.
//!
//! In: settings and started servers. Out: the servers that serve, by name and in order. Invariant: which servers serve
//! is decided once, by the handshake. Not here: reading the client, carrying out requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use cloakgate_json::NodeId;
use cloakgate_mcp::RawId;
use cloakgate_mcp::errors::Code;

use crate::failure::Failure;
use crate::message::Message;
use crate::outbox::Outbox;
use crate::passage::Cloaker;
use crate::turns::Turn;
use crate::upstream::{Upstream, Upstreams};

/// Settings that are not of one upstream.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) request_timeout: Duration,
    pub(crate) name_budget: usize,
    pub(crate) max_message_bytes: usize,
    pub(crate) allow_unknown_protocol_version: bool,
    pub(crate) sanitize: bool,
}

/// One client's session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) settings: Settings,
    pub(crate) cloaker: Cloaker,
    pub(crate) outbox: Outbox,
    /// All that could be started, in the order of the configuration.
    pub(crate) started: Upstreams,
    serving: OnceLock<Upstreams>,
    warned_of_shared: AtomicBool,
}

impl Session {
    pub(crate) fn new(settings: Settings, cloaker: Cloaker, outbox: Outbox, started: Upstreams) -> Self {
        Self {
            settings,
            cloaker,
            outbox,
            started,
            serving: OnceLock::new(),
            warned_of_shared: AtomicBool::new(false),
        }
    }

    /// The servers that went through the handshake; none before it.
    pub(crate) fn serving(&self) -> &[Arc<Upstream>] {
        self.serving.get().map_or(&[], Vec::as_slice)
    }

    /// Settles which servers serve.
    pub(crate) fn set_serving(&self, upstreams: Upstreams) {
        let _settled_before = self.serving.set(upstreams);
    }

    /// Those that serve and can do something.
    pub(crate) fn able(&self, can: impl Fn(&Upstream) -> bool) -> Upstreams {
        self.serving().iter().filter(|upstream| can(upstream)).cloned().collect()
    }

    /// Warns once of addresses that several servers have: only the first of them is asked.
    pub(crate) fn warn_of_shared_addresses(&self, listed: &[Arc<Upstream>]) {
        if self.warned_of_shared.load(Ordering::Relaxed) {
            return;
        }
        for (place, upstream) in listed.iter().enumerate() {
            for first in listed.iter().take(place) {
                let addresses = upstream.uris.shared_with(&first.uris);
                if addresses > 0 && !self.warned_of_shared.swap(true, Ordering::Relaxed) {
                    tracing::warn!(
                        upstream.name = %upstream.name(),
                        upstream.first = %first.name(),
                        addresses,
                        "two servers list the same addresses; the first in the configuration is asked"
                    );
                }
            }
        }
    }

    /// The server that a published name begins with.
    pub(crate) fn owner(&self, published: &str) -> Result<Arc<Upstream>, Failure> {
        let named = |upstreams: &[Arc<Upstream>]| {
            let (name, _) = cloakgate_mcp::split(published)?;
            upstreams.iter().find(|upstream| upstream.name().as_str() == name).cloned()
        };
        if let Some(upstream) = named(self.serving()) {
            return Ok(upstream);
        }
        Err(match named(&self.started) {
            Some(down) => Failure::new(Code::Internal, format!("upstream `{}` is not running", down.name())),
            None => Failure::new(
                Code::InvalidParams,
                format!(
                    "unknown name: it must be `upstream__name`, with one of {}",
                    crate::fan_out::names(self.serving())
                ),
            ),
        })
    }
}

/// A request as its server knows it.
type Sent = (Arc<Upstream>, u64);

/// Where a request went, so that it can be called off there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Target(Arc<Mutex<Option<Sent>>>);

impl Target {
    /// Notes where the request goes.
    pub(crate) fn set(&self, upstream: &Arc<Upstream>, id: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Arc::clone(upstream), id));
    }

    /// Where it went; `None` while it has not, and for those that go to several.
    pub(crate) fn take(&self) -> Option<Sent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A request of the client on its way.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) message: Message,
    pub(crate) id: RawId,
    pub(crate) id_node: NodeId,
    pub(crate) method: String,
    pub(crate) params: Option<NodeId>,
    pub(crate) target: Target,
    /// Its place in the order towards a server, where that matters.
    pub(crate) turn: Option<Turn>,
}

impl Call {
    /// The parameter at a path.
    pub(crate) fn param(&self, path: &[&str]) -> Option<NodeId> {
        self.message.find(self.params?, path)
    }

    /// The string parameter at a path.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn text_param(&self, path: &[&str]) -> Result<(NodeId, String), Failure> {
        let node = self.param(path);
        let text = node.and_then(|node| Some((node, self.message.text(node)?.into_owned())));
        text.ok_or_else(|| {
            Failure::new(Code::InvalidParams, format!("`params.{}` must be a string", path.join(".")))
        })
    }
}
