//! One session's way through detection, vault and writing, in both directions.
//!
//! In: a scanned message with a treatment per node. Out: bytes that may leave, or an error. Invariant: between a
//! message that came and bytes that leave stands this file, unless cloaking is off; a failure of any stage means
//! that nothing leaves. Work on big messages, and all reading for names, happens off the reactor, on as many threads as
//! there are cores.
//! Not here: which treatment a node has, routing, the text of tokens.

mod budget;
mod known;
mod own_terms;
mod policy;
mod unread;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::{
    CloakError, CloakRequest, Cloaked, Finished, Forced, Interned, Plan, RestoreRequest, Restored,
    SessionKeys, ToolSchema, Treatment, Vault, VaultError, finish, fresh_values, plan, read, restore,
};
use cloakgate_detect::Reach;
use cloakgate_json::{Document, Edit, NodeId};
use cloakgate_mcp::{Direction, Part, is_known_method, position};
use cloakgate_vocab::{Category, SessionId, UpstreamName};
use tokio::sync::Semaphore;

use crate::config::Binary;

pub use budget::Budget;
pub use own_terms::TermsError;
pub(crate) use own_terms::compile;
pub use policy::{Detectors, UpstreamPolicy};

use budget::Spending;
use known::SharedKnown;
use unread::Unread;

/// Messages up to this size are worked on where they are: a hop to another thread costs more. Where names are read
/// it costs less, whatever the size.
const INLINE_BYTES: usize = 16 << 10;
/// Longest time that one look at a message may take, the wait for a thread included.
const MAX_LOOK: Duration = Duration::from_secs(120);
/// How often a message is planned again because another message's values became known meanwhile.
const MAX_REPLANS: usize = 2;

/// A message on its way to the model.
#[derive(Clone, Debug)]
pub struct Down {
    /// Whose message it is.
    pub upstream: UpstreamName,
    /// Its method, for an answer that of the request; and which part of the exchange it is.
    pub message: (String, Part),
    /// The tool that answers, by the server's name for it; it may have detectors of its own.
    pub tool: Option<Arc<str>>,
    /// One treatment a node.
    pub treatments: Vec<Treatment>,
    /// The structured content of a tool's answer, with the tool's schemas.
    pub structured: Option<(NodeId, Arc<ToolSchema>)>,
    /// The gateway's own changes: ids, names, cursors.
    pub edits: Vec<Edit>,
}

/// A message on its way to an upstream.
#[derive(Clone, Debug)]
pub struct Up {
    /// Who receives it.
    pub upstream: UpstreamName,
    /// One treatment a node.
    pub treatments: Vec<Treatment>,
    /// The arguments of a tool call, with the tool's schemas.
    pub arguments: Option<(NodeId, Arc<ToolSchema>)>,
    /// The gateway's own changes: ids, names, cursors.
    pub edits: Vec<Edit>,
}

/// Why nothing leaves.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The call cannot be done as it is; the text says what to do and holds no value.
    #[error("{0}")]
    Refused(String),
    /// A stage failed.
    #[error("cloaking failed")]
    Failed(#[source] CloakError),
    /// The worker that read the message ended without an answer.
    #[error("a worker ended without an answer")]
    Worker,
    /// The message took too long to be read.
    #[error("the message was not read in time")]
    TooLong,
}

impl From<CloakError> for PipelineError {
    fn from(error: CloakError) -> Self {
        if error.is_refusal() { Self::Refused(error.to_string()) } else { Self::Failed(error) }
    }
}

impl From<VaultError> for PipelineError {
    fn from(error: VaultError) -> Self {
        Self::Failed(error.into())
    }
}

/// One session's pipeline. Cheap to clone.
#[derive(Clone)]
pub struct Pipeline(Arc<Shared>);

struct Shared {
    vault: Arc<dyn Vault>,
    session: SessionId,
    keys: SessionKeys,
    policies: HashMap<UpstreamName, UpstreamPolicy>,
    max_text_chars: Option<usize>,
    known: SharedKnown,
    spending: Spending,
    unread: Unread,
    workers: Arc<Semaphore>,
    max_look: Duration,
    /// What the tripwire has found that was warned of.
    tripped: Mutex<HashSet<Category>>,
}

impl Pipeline {
    /// A pipeline for one session; `policies` names every upstream.
    #[must_use]
    pub fn new(
        vault: Arc<dyn Vault>,
        session: SessionId,
        keys: SessionKeys,
        policies: HashMap<UpstreamName, UpstreamPolicy>,
    ) -> Self {
        let known = SharedKnown::new(*keys.known_key());
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let workers = Arc::new(Semaphore::new(cores));
        Self(Arc::new(Shared {
            spending: Spending::default(),
            unread: Unread::default(),
            vault,
            session,
            keys,
            policies,
            max_text_chars: None,
            known,
            workers,
            max_look: MAX_LOOK,
            tripped: Mutex::default(),
        }))
    }

    /// The same, refusing messages with a text of more characters than this.
    #[must_use]
    pub fn with_max_text(mut self, max_chars: Option<usize>) -> Self {
        // Nobody else has it yet.
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.max_text_chars = max_chars;
        }
        self
    }

    /// Makes a message fit for the model.
    ///
    /// # Errors
    /// When it must not leave, or a stage failed.
    pub async fn cloak(
        &self,
        original: Bytes,
        document: Document,
        down: Down,
    ) -> Result<Cloaked<Bytes>, PipelineError> {
        let shared = &self.0;
        let size = Size::of(&original);
        let mut job = Arc::new(Job { original, document, down, forced: Vec::new() });
        let mut replans = 0;
        loop {
            let planning = Arc::clone(&job);
            let reading = if shared.reads_names(&job) { Size::Big } else { size };
            let planned = self.run(reading, move |shared| shared.with_request(&planning, plan)).await?;
            shared.check_binary(&job, planned.unread())?;
            let ids = if planned.wanted().is_empty() {
                Vec::new()
            } else {
                let since = shared.known.version();
                let interned = shared.vault.intern(&shared.session, since, planned.wanted().to_vec()).await?;
                if shared.learn(&planned, &interned) && replans < MAX_REPLANS {
                    replans += 1;
                    continue;
                }
                interned.ids
            };
            let unread = planned.unread().to_vec();
            let finishing = Arc::clone(&job);
            let finished = self
                .run(size, move |shared| {
                    let edits = finishing.down.edits.clone();
                    shared.with_request(&finishing, |request| finish(request, &planned, &ids, edits))
                })
                .await?;
            match finished {
                Finished::Sealed(cloaked) => {
                    shared.unread.count(&job.document, &job.original, &unread);
                    return Ok(cloaked);
                }
                Finished::Tripped(forced) => {
                    shared.warn_of_tripwire(&job, &forced);
                    job = Arc::new(Job { forced, ..Job::clone(&job) });
                }
            }
        }
    }

    /// Makes a message fit for an upstream.
    ///
    /// # Errors
    /// A refusal when a token may not be restored there, or a failure of a stage.
    pub async fn restore(
        &self,
        original: Bytes,
        document: Document,
        up: Up,
    ) -> Result<Restored<Bytes>, PipelineError> {
        let shared = &self.0;
        let Up { upstream, treatments, arguments, edits } = up;
        let size = Size::of(&original);
        let policy = shared
            .policies
            .get(&upstream)
            .ok_or_else(|| PipelineError::Refused(format!("`{upstream}` is not configured")))?;
        let engine = policy.detectors.engine.clone();
        let (reads, fresh) = self
            .run(size, move |shared| {
                let request = RestoreRequest {
                    original: &original,
                    document: &document,
                    treatments: &treatments,
                    keys: &shared.keys,
                    arguments: arguments.as_ref().map(|(node, schema)| (*node, schema.as_ref())),
                };
                Ok((read(&request)?, fresh_values(&request, &engine)))
            })
            .await?;
        shared.spending.fresh(&upstream, &fresh, &policy.budget)?;
        let entries = if reads.ids().is_empty() {
            Vec::new()
        } else {
            shared.vault.resolve(&shared.session, reads.ids().to_vec()).await?
        };
        shared.spending.foreign(&upstream, &entries, &policy.budget)?;
        Ok(restore(&reads, &entries, &policy.destination, edits)?)
    }

    /// Strings that left unread because the policy says so, by the key of their position.
    #[must_use]
    pub fn unread(&self) -> Vec<(String, u64)> {
        self.0.unread.counts()
    }

    /// Runs work on a message: here when it is small, on a worker thread when it is big. Work that takes too long is
    /// not waited for; its thread counts as taken until it ends.
    async fn run<T: Send + 'static>(
        &self,
        size: Size,
        work: impl FnOnce(&Shared) -> Result<T, CloakError> + Send + 'static,
    ) -> Result<T, PipelineError> {
        if size == Size::Small {
            return Ok(work(&self.0)?);
        }
        let done = async {
            let workers = Arc::clone(&self.0.workers);
            let permit = workers.acquire_owned().await.map_err(|_| PipelineError::Worker)?;
            let shared = Arc::clone(&self.0);
            let done = tokio::task::spawn_blocking(move || {
                let result = work(&shared);
                drop(permit);
                result
            });
            Ok(done.await.map_err(|_| PipelineError::Worker)??)
        };
        tokio::time::timeout(self.0.max_look, done).await.map_err(|_| PipelineError::TooLong)?
    }
}

/// How much work a message is.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Size {
    Small,
    Big,
}

impl Size {
    fn of(message: &Bytes) -> Self {
        if message.len() <= INLINE_BYTES { Self::Small } else { Self::Big }
    }
}

/// A message with all that planning needs; shared with a worker thread.
#[derive(Clone)]
struct Job {
    original: Bytes,
    document: Document,
    down: Down,
    forced: Vec<Forced>,
}

impl Job {
    /// Method and position of a value, in words of the policy's table only.
    fn place_of(&self, node: NodeId) -> (&str, String) {
        let (method, part) = &self.down.message;
        let place = (method.as_str(), *part, Direction::Down);
        let position = position(&self.document, &self.original, place, node);
        (if is_known_method(method) { method } else { "unknown" }, position)
    }
}

impl Shared {
    /// True when a model reads the message.
    fn reads_names(&self, job: &Job) -> bool {
        let policy = self.policies.get(&job.down.upstream);
        policy.is_some_and(|policy| policy.detectors(&job.down).engine.names().is_some())
    }

    fn with_request<T>(
        &self,
        job: &Job,
        work: impl FnOnce(&CloakRequest<'_>) -> Result<T, CloakError>,
    ) -> Result<T, CloakError> {
        let upstream = &job.down.upstream;
        let policy =
            self.policies.get(upstream).ok_or_else(|| CloakError::UnknownUpstream(upstream.clone()))?;
        let detectors = policy.detectors(&job.down);
        let reach = if policy.third_party { Reach::Upstream(upstream.clone()) } else { Reach::Everywhere };
        let known = self.known.snapshot();
        let written = self.spending.written();
        work(&CloakRequest {
            original: &job.original,
            document: &job.document,
            treatments: &job.down.treatments,
            keys: &self.keys,
            engine: &detectors.engine,
            known: &known.indexes(),
            upstream,
            reach: &reach,
            structured: job.down.structured.as_ref().map(|(node, schema)| (*node, schema.as_ref())),
            redact: detectors.redact,
            max_text_chars: self.max_text_chars,
            written_by_model: &written,
            forced: &job.forced,
        })
    }

    /// Says that planning missed something, once for each kind; the message itself is planned again.
    fn warn_of_tripwire(&self, job: &Job, forced: &[Forced]) {
        for forced in forced {
            if self.is_first_trip(forced.category()) {
                let (method, position) = job.place_of(forced.node());
                tracing::warn!(
                    upstream.name = %job.down.upstream,
                    category = %forced.category(),
                    method,
                    position,
                    "the tripwire found a value that planning had missed; the message was planned again, and \
                     further ones of this kind are not logged"
                );
            }
        }
    }

    fn is_first_trip(&self, category: Category) -> bool {
        self.tripped.lock().unwrap_or_else(PoisonError::into_inner).insert(category)
    }

    /// Content that could not be read passes, is remarked on, or stops its message.
    fn check_binary(&self, job: &Job, unread: &[NodeId]) -> Result<(), PipelineError> {
        let Some(first) = unread.first() else { return Ok(()) };
        let upstream = &job.down.upstream;
        let position = job.document.key(&job.original, *first).unwrap_or_default();
        match self.policies.get(upstream).map(|policy| policy.binary) {
            Some(Binary::Block) => Err(PipelineError::Refused(format!(
                "`{upstream}` answered with content at `{position}` that cannot be read, and may not (`binary: block`)"
            ))),
            Some(Binary::Flag) => {
                tracing::warn!(upstream.name = %upstream, %position, values = unread.len(), "content left without being read");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Takes in what became known. True when some of it did not come from this plan: then the message must be
    /// read once more, or it could show a value that another message has just cloaked.
    fn learn(&self, planned: &Plan, interned: &Interned) -> bool {
        let own: HashSet<_> = planned.wanted().iter().filter_map(|wanted| wanted.known.as_ref()).collect();
        let foreign = interned.known.iter().any(|known| !own.contains(known));
        self.known.learn(&interned.known, interned.version);
        foreign
    }
}

#[cfg(test)]
mod tests;
