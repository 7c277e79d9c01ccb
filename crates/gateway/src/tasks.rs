//! Tasks: what began each of them, and what the other side calls it.
//!
//! In: tasks that servers run for the client, and tasks that the client runs for servers. Out: names for the other
//! side: sealed texts that say which request began the task, and the way back. Invariant: a name opens in this
//! session only, and a task of the client only for the server that it is run for; a task has one name; what is
//! remembered is bounded, and a name still leads to its task when that is forgotten. Not here: messages.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cloakgate_mcp::RawId;
use cloakgate_vocab::UpstreamName;
use tokio::sync::watch;

use crate::asks::{self, Ask};
use crate::seal::Seal;
use crate::upstream::Upstream;

/// Tasks of one server, and of the client, that are remembered.
pub(crate) const MAX_TASKS: usize = 10_000;

const OF_SERVER: &str = "task of a server";
const OF_CLIENT: &str = "task of the client";

/// What a name stands for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Task {
    /// The server that runs it, or that it is run for.
    pub(crate) upstream: UpstreamName,
    /// The method of the request that began it.
    pub(crate) method: String,
    /// The tool that was called, by its server's name for it.
    pub(crate) tool: Option<String>,
    /// What the one who runs it calls it.
    pub(crate) id: String,
}

/// A request of the client that may be answered with a task.
#[derive(Clone, Debug)]
pub(crate) struct Begins {
    pub(crate) method: String,
    pub(crate) tool: Option<String>,
    /// The request's id, as the client wrote it.
    pub(crate) request: RawId,
    /// Whether the client wants it to be run as a task.
    pub(crate) wanted: bool,
}

/// Held until the client has been told of a task; whatever is said of the task waits for it.
pub(crate) type Announcing = watch::Sender<()>;

/// A task that a server runs.
#[derive(Debug)]
struct OfServer {
    begins: Begins,
    progress: Option<u64>,
    announced: watch::Receiver<()>,
    has_ended: bool,
}

/// The tasks of one server.
#[derive(Debug, Default)]
struct Server {
    tasks: Remembered<OfServer>,
    /// What the client calls the progress of tasks that have not ended, by our name for it.
    progress: HashMap<u64, RawId>,
}

/// The newest tasks of somebody, by id.
#[derive(Debug)]
struct Remembered<T> {
    tasks: HashMap<String, T>,
    order: VecDeque<String>,
}

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self { tasks: HashMap::new(), order: VecDeque::new() }
    }
}

impl<T> Remembered<T> {
    /// Adds a task; gives the one that is forgotten for it.
    fn insert(&mut self, id: String, task: T) -> Option<T> {
        let replaced = self.tasks.insert(id.clone(), task);
        if replaced.is_some() {
            return replaced;
        }
        self.order.push_back(id);
        if self.order.len() <= MAX_TASKS {
            return None;
        }
        self.tasks.remove(&self.order.pop_front()?)
    }
}

#[derive(Debug, Default)]
struct Known {
    servers: HashMap<UpstreamName, Server>,
    client: Remembered<Ask>,
}

/// The tasks of one session.
#[derive(Debug)]
pub(crate) struct Tasks {
    seal: Arc<Seal>,
    known: Mutex<Known>,
}

impl Tasks {
    pub(crate) fn new(seal: Arc<Seal>) -> Self {
        Self { seal, known: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A server has begun a task; `progress` is our name for its progress and the client's.
    pub(crate) fn began(
        &self,
        upstream: &UpstreamName,
        id: String,
        begins: Begins,
        progress: Option<(u64, RawId)>,
    ) -> Announcing {
        let (announcing, announced) = watch::channel(());
        let mut known = self.lock();
        let server = known.servers.entry(upstream.clone()).or_default();
        let number = progress.as_ref().map(|(number, _)| *number);
        server.progress.extend(progress);
        let task = OfServer { begins, progress: number, announced, has_ended: false };
        if let Some(number) = server.tasks.insert(id, task).and_then(|forgotten| forgotten.progress) {
            server.progress.remove(&number);
        }
        announcing
    }

    /// A server's task is over, so nothing is said of its progress any more.
    pub(crate) fn ended(&self, upstream: &UpstreamName, id: &str) {
        let mut known = self.lock();
        let Some(server) = known.servers.get_mut(upstream) else { return };
        let Some(task) = server.tasks.tasks.get_mut(id) else { return };
        task.has_ended = true;
        if let Some(number) = task.progress.take() {
            server.progress.remove(&number);
        }
    }

    /// What the client calls the progress of a server's task.
    pub(crate) fn progress(&self, upstream: &UpstreamName, number: u64) -> Option<RawId> {
        self.lock().servers.get(upstream)?.progress.get(&number).cloned()
    }

    /// The task that goes on although the request that began it was answered.
    pub(crate) fn begun_by(&self, request: &RawId) -> Option<(UpstreamName, String)> {
        let known = self.lock();
        known.servers.iter().find_map(|(name, server)| {
            let is_it = |task: &OfServer| !task.has_ended && task.begins.request == *request;
            let (id, _) = server.tasks.tasks.iter().find(|(_, task)| is_it(task))?;
            Some((name.clone(), id.clone()))
        })
    }

    /// Waits until the client has been told of a server's task.
    pub(crate) async fn announced(&self, upstream: &UpstreamName, id: &str) {
        let announced = {
            let known = self.lock();
            let task = known.servers.get(upstream).and_then(|server| server.tasks.tasks.get(id));
            task.map(|task| task.announced.clone())
        };
        if let Some(mut announced) = announced {
            // Nothing is ever sent: an error means that the other end is gone, which is what is waited for.
            let _told = announced.changed().await;
        }
    }

    /// The client runs a task for a server that has asked.
    pub(crate) fn began_at_client(&self, id: String, ask: Ask) {
        self.lock().client.insert(id, ask);
    }

    /// What a task of the client was begun for.
    pub(crate) fn at_client(&self, id: &str) -> Option<Ask> {
        self.lock().client.tasks.get(id).cloned()
    }

    /// The task of the client that a server's request has begun, by the server's id of the request.
    pub(crate) fn begun_at_client(&self, upstream: &UpstreamName, request: &RawId) -> Option<String> {
        let known = self.lock();
        let is_it = |ask: &Ask| ask.upstream.name() == upstream && ask.id == *request;
        known.client.tasks.iter().find(|(_, ask)| is_it(ask)).map(|(id, _)| id.clone())
    }

    /// What began the task whose progress the client speaks of, by our name for it.
    pub(crate) fn progress_at_client(&self, token: &RawId) -> Option<Ask> {
        let known = self.lock();
        known.client.tasks.values().find(|ask| asks::is_progress_of(ask, token)).cloned()
    }

    /// The method and the tool that began a server's task.
    pub(crate) fn origin(&self, upstream: &UpstreamName, id: &str) -> Option<(String, Option<String>)> {
        let known = self.lock();
        let begins = &known.servers.get(upstream)?.tasks.tasks.get(id)?.begins;
        Some((begins.method.clone(), begins.tool.clone()))
    }

    /// What the client is to call a task that a server speaks of: one that it runs, or one that the client runs for
    /// it. `None` for tasks that this session has not begun: nobody knows by which rules their results are cloaked.
    pub(crate) fn for_client(&self, upstream: &Upstream, id: &str) -> Option<String> {
        let begun = self.origin(upstream.name(), id);
        if begun.is_none()
            && let Some(task) = self.of_client(upstream.name(), id)
        {
            return Some(task.id);
        }
        // Without cloaking there are no such rules.
        let begun = begun.or_else(|| (!upstream.terms.sanitize).then(|| ("tools/call".to_owned(), None)));
        let (method, tool) = begun?;
        let task = Task { upstream: upstream.name().clone(), method, tool, id: id.to_owned() };
        self.seal.seal(OF_SERVER, task.written())
    }

    /// What a server is to call a task that the client speaks of: one that the server runs, or one that the client
    /// runs for it.
    pub(crate) fn for_server(&self, upstream: &Upstream, id: &str) -> Option<String> {
        if let Some(task) = self.of_server(id) {
            return (task.upstream == *upstream.name()).then_some(task.id);
        }
        let ask = self.at_client(id).filter(|ask| ask.upstream.name() == upstream.name())?;
        let task =
            Task { upstream: upstream.name().clone(), method: ask.method, tool: None, id: id.to_owned() };
        self.seal.seal(OF_CLIENT, task.written())
    }

    /// The task of a server behind a name that the client uses.
    pub(crate) fn of_server(&self, name: &str) -> Option<Task> {
        Task::read(&self.seal.open(OF_SERVER, name)?)
    }

    /// The task of the client behind a name that a server uses.
    pub(crate) fn of_client(&self, upstream: &UpstreamName, name: &str) -> Option<Task> {
        Task::read(&self.seal.open(OF_CLIENT, name)?).filter(|task| task.upstream == *upstream)
    }
}

impl Task {
    /// Its parts, each after its length.
    fn written(&self) -> Vec<u8> {
        let mut written = Vec::new();
        // A task without a tool has one part less.
        let parts = [Some(self.upstream.as_str()), Some(&self.method), Some(&self.id), self.tool.as_deref()];
        for part in parts.into_iter().flatten() {
            written.extend_from_slice(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            written.extend_from_slice(part.as_bytes());
        }
        written
    }

    fn read(mut written: &[u8]) -> Option<Self> {
        let mut part = || {
            let (length, rest) = written.split_first_chunk()?;
            let (part, rest) = rest.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
            written = rest;
            std::str::from_utf8(part).ok().map(ToOwned::to_owned)
        };
        let (upstream, method, id, tool) = (part()?, part()?, part()?, part());
        Some(Self { upstream: upstream.parse().ok()?, method, tool, id })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cloakgate_mcp::RawId;
    use ring::rand::SystemRandom;

    use super::{Begins, MAX_TASKS, Task, Tasks};
    use crate::seal::Seal;
    use crate::upstream::{Terms, Upstream};

    fn tasks() -> Tasks {
        Tasks::new(Arc::new(Seal::new(&SystemRandom::new()).expect("random bytes")))
    }

    fn upstream(name: &str) -> Upstream {
        Upstream::new(Terms::of_test(name))
    }

    fn begins(tool: &str) -> Begins {
        let request = RawId::own(1);
        Begins { method: "tools/call".to_owned(), tool: Some(tool.to_owned()), request, wanted: true }
    }

    #[test]
    fn a_name_says_what_began_the_task_and_opens_in_its_session_only() {
        let (ours, theirs) = (tasks(), tasks());
        let (one, two) = (upstream("one"), upstream("two"));
        assert_eq!(ours.for_client(&one, "marie@example.eu"), None, "nobody has begun it");
        drop(ours.began(one.name(), "marie@example.eu".to_owned(), begins("export"), None));
        let name = ours.for_client(&one, "marie@example.eu").expect("it is known");
        assert_eq!(ours.for_client(&one, "marie@example.eu").as_ref(), Some(&name), "one name");
        assert_eq!(ours.for_client(&two, "marie@example.eu"), None, "another server's");
        let task = Task {
            upstream: one.name().clone(),
            method: "tools/call".to_owned(),
            tool: Some("export".to_owned()),
            id: "marie@example.eu".to_owned(),
        };
        assert_eq!(ours.of_server(&name), Some(task));
        assert_eq!(ours.for_server(&one, &name).as_deref(), Some("marie@example.eu"));
        assert_eq!(ours.for_server(&two, &name), None);
        assert_eq!(ours.of_client(one.name(), &name), None, "the client does not run it");
        assert_eq!(theirs.of_server(&name), None, "another session's");
    }

    #[test]
    fn progress_and_request_are_known_until_the_task_ends() {
        let (tasks, one) = (tasks(), upstream("one"));
        let progress = Some((7, RawId::own(3)));
        drop(tasks.began(one.name(), "t".to_owned(), begins("export"), progress));
        assert_eq!(tasks.progress(one.name(), 7), Some(RawId::own(3)));
        assert_eq!(tasks.begun_by(&RawId::own(1)), Some((one.name().clone(), "t".to_owned())));
        tasks.ended(one.name(), "t");
        assert_eq!(tasks.progress(one.name(), 7), None);
        assert_eq!(tasks.begun_by(&RawId::own(1)), None);
        assert!(tasks.for_client(&one, "t").is_some(), "its result can still be had");
    }

    #[test]
    fn the_oldest_tasks_are_forgotten_and_their_names_still_lead_to_them() {
        let (tasks, one) = (tasks(), upstream("one"));
        drop(tasks.began(one.name(), "first".to_owned(), begins("export"), Some((0, RawId::own(0)))));
        let name = tasks.for_client(&one, "first").expect("it is known");
        for number in 0..MAX_TASKS {
            drop(tasks.began(one.name(), number.to_string(), begins("export"), None));
        }
        assert_eq!(tasks.for_client(&one, "first"), None);
        assert_eq!(tasks.progress(one.name(), 0), None);
        assert_eq!(tasks.of_server(&name).map(|task| task.id).as_deref(), Some("first"));
    }

    #[tokio::test]
    async fn what_is_said_of_a_task_waits_until_the_client_knows_it() {
        let (tasks, one) = (tasks(), upstream("one"));
        let announcing = tasks.began(one.name(), "t".to_owned(), begins("export"), None);
        let mut waiting = std::pin::pin!(tasks.announced(one.name(), "t"));
        assert!(futures_poll(waiting.as_mut()).await.is_pending());
        drop(announcing);
        waiting.await;
        tasks.announced(one.name(), "unknown").await;
    }

    /// Polls once.
    async fn futures_poll(mut future: std::pin::Pin<&mut impl Future<Output = ()>>) -> std::task::Poll<()> {
        std::future::poll_fn(|context| std::task::Poll::Ready(future.as_mut().poll(context))).await
    }
}
