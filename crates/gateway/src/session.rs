//! What all tasks of one client share.
//!
//! In: the configured servers. Out: those that can do something, by name and in order. Invariant: their order is that of
//! the configuration. Not here: reading the client, carrying out requests, whether a server runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cloakgate_json::{Edit, Kind, NodeId};
use cloakgate_mcp::RawId;
use cloakgate_mcp::errors::Code;
use cloakgate_vocab::UpstreamName;

use crate::failure::Failure;
use crate::hub::Hub;
use crate::message::Message;
use crate::tasks::{Announcing, Begins, Task};
use crate::turns::Turn;
use crate::upstream::{Upstream, Upstreams};

/// One client's session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) hub: Arc<Hub>,
    /// All that are configured, in the order of the configuration.
    pub(crate) upstreams: Upstreams,
    warned_of_shared: AtomicBool,
}

impl Session {
    pub(crate) fn new(hub: Arc<Hub>, upstreams: Upstreams) -> Self {
        Self { hub, upstreams, warned_of_shared: AtomicBool::new(false) }
    }

    /// Those that have shaken hands, even if they are down now, and can do something.
    pub(crate) fn able(&self, can: impl Fn(&Upstream) -> bool) -> Upstreams {
        let able = self.upstreams.iter().filter(|upstream| upstream.greeting().is_some() && can(upstream));
        able.cloned().collect()
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

    /// The server of this name.
    pub(crate) fn upstream(&self, name: &UpstreamName) -> Option<Arc<Upstream>> {
        self.upstreams.iter().find(|upstream| upstream.name() == name).cloned()
    }

    /// Cancels the task that goes on although the request that began it was answered.
    pub(crate) fn cancel_task_of(&self, request: &RawId) {
        if let Some((upstream, task)) = self.hub.tasks.begun_by(request)
            && let Some(upstream) = self.upstream(&upstream)
        {
            upstream.cancel_task(&task);
        }
    }

    /// The server that a published name begins with.
    ///
    /// # Errors
    /// When there is none, or it is down.
    pub(crate) fn owner(&self, published: &str) -> Result<Arc<Upstream>, Failure> {
        let named = cloakgate_mcp::split(published)
            .and_then(|(name, _)| self.upstreams.iter().find(|upstream| upstream.name().as_str() == name));
        let Some(upstream) = named else {
            let names = crate::fan_out::names(&self.upstreams);
            let text = format!("unknown name: it must be `upstream__name`, with one of {names}");
            return Err(Failure::new(Code::InvalidParams, text));
        };
        match upstream.link() {
            Ok(_) => Ok(Arc::clone(upstream)),
            Err(error) => Err(Failure::upstream(upstream.name(), error)),
        }
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
    /// The tool it calls, by its server's name for it, once that is known.
    pub(crate) tool: Option<String>,
    /// The task that it is about, once that is known.
    pub(crate) task: Option<Task>,
    /// Held until the client has been told of the task that the request has begun.
    pub(crate) announcing: Option<Announcing>,
    pub(crate) target: Target,
    /// Its place in the order towards a server, where that matters.
    pub(crate) turn: Option<Turn>,
}

impl Call {
    /// The parameter at a path.
    pub(crate) fn param(&self, path: &[&str]) -> Option<NodeId> {
        self.message.find(self.params?, path)
    }

    /// The method by whose rules the answer is read: that of the request that began the task, for its result.
    pub(crate) fn answered_as(&self) -> &str {
        match &self.task {
            Some(task) if self.method == "tasks/result" => &task.method,
            _ => &self.method,
        }
    }

    /// Whether the client wants the request to be run as a task.
    pub(crate) fn wants_task(&self) -> bool {
        self.param(&["task"]).is_some_and(|node| self.message.document.kind(node) == Kind::Object)
    }

    /// What is to be remembered where the request is answered with a task.
    pub(crate) fn begins(&self) -> Begins {
        Begins {
            method: self.method.clone(),
            tool: self.tool.clone(),
            request: self.id.clone(),
            wanted: self.wants_task(),
        }
    }

    /// What the client calls the progress of this request.
    pub(crate) fn progress(&self) -> Option<(NodeId, RawId)> {
        let node = self.param(&["_meta", "progressToken"])?;
        Some((node, RawId::from_raw(&self.message.raw(node)).ok().filter(|token| *token != RawId::null())?))
    }

    /// The edits with which a server gets the request under our own id: the id, and the name of its progress.
    pub(crate) fn numbered(&self, id: u64) -> Vec<Edit> {
        let mut edits = vec![self.message.replaced(self.id_node, id.to_string())];
        edits.extend(self.progress().map(|(node, token)| {
            let quoted = token.as_str().starts_with('"');
            self.message.replaced(node, if quoted { format!("\"{id}\"") } else { id.to_string() })
        }));
        edits
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
