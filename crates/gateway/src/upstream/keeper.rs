//! Keeps one server running: starts it, shakes hands, and starts it again when it has stopped.
//!
//! In: a way to start the server. Out: a server that serves, is down for a named reason, or is about to be tried again.
//! Invariant: one process at a time; what was under way when it stopped has ended before the next one starts; after a
//! restart the server knows what the one before it knew: the handshake, the level of logging, subscriptions. A
//! server that fails at the start is treated like one that stops. Not here: pipes, how long pauses are.

use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::Duration;

use cloakgate_vocab::UpstreamName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::actor::{Connection, Listener, write};
use super::backoff::{Backoff, Next};
use super::notes::{Note, emit};
use super::{Down, Link, Mail, State, Upstream, WAITING, WAITING_NOTES, WAITING_REPLIES};
use crate::greeting::greet;
use crate::hub::Hub;
use crate::mailbox::mailbox;
use crate::{levels, subscriptions};

/// How long the end of a server waits for its input to take what is queued, and for its last words to be read.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Tells keepers to stop.
pub(crate) type Stop = watch::Sender<bool>;

/// The tasks of one server. Dropping it ends them and the process.
#[derive(Debug)]
pub(crate) struct Keeper {
    upstream: Arc<Upstream>,
    keeping: JoinSet<()>,
}

impl Keeper {
    /// Keeps a server running from now on, until `stop` says so. `connect` starts it.
    pub(crate) fn start<C, E, R, W>(upstream: Arc<Upstream>, hub: Arc<Hub>, connect: C, stop: &Stop) -> Self
    where
        C: FnMut() -> Result<Connection<R, W>, E> + Send + 'static,
        E: fmt::Display + Send + 'static,
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (notes, waiting_notes) = mpsc::channel(WAITING_NOTES);
        let mut keeping = JoinSet::new();
        keeping.spawn(emit(Arc::clone(&hub), Arc::clone(&upstream), waiting_notes));
        let keep = Keep { hub, upstream: Arc::clone(&upstream), notes, stopping: stop.subscribe() };
        keeping.spawn(keep.run(connect));
        Self { upstream, keeping }
    }

    /// Whose tasks they are.
    pub(crate) fn name(&self) -> &UpstreamName {
        self.upstream.name()
    }

    /// Waits until the server has ended, once it was told to stop.
    pub(crate) async fn ended(mut self) {
        while let Some(ended) = self.keeping.join_next().await {
            if ended.is_err() {
                tracing::error!(upstream.name = %self.name(), "a task of the server has failed");
            }
        }
    }
}

/// How a connection ended.
struct Ended {
    down: Down,
    served: Option<Duration>,
}

/// What keeping a server takes.
struct Keep {
    hub: Arc<Hub>,
    upstream: Arc<Upstream>,
    notes: mpsc::Sender<Note>,
    stopping: watch::Receiver<bool>,
}

impl Keep {
    async fn run<C, E, R, W>(mut self, mut connect: C)
    where
        C: FnMut() -> Result<Connection<R, W>, E> + Send + 'static,
        E: fmt::Display + Send + 'static,
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let mut backoff = Backoff::default();
        loop {
            let ended = match connect() {
                Ok(connection) => self.connected(connection).await,
                Err(error) => {
                    tracing::error!(upstream.name = %self.upstream.name(), %error, "the server cannot be started");
                    Ended { down: Down::NotStarted, served: None }
                }
            };
            if *self.stopping.borrow() {
                return;
            }
            let (down, pause) = match backoff.stopped(Instant::now(), ended.served) {
                Next::After(pause) => (ended.down, pause),
                Next::TooOften(pause) => (Down::TooOften, pause),
            };
            self.upstream.state.send_replace(State::Down(down));
            let pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
            tracing::warn!(upstream.name = %self.upstream.name(), pause_ms, "the server is down: {down}");
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = stopped(&mut self.stopping) => return,
            }
        }
    }

    /// Lives through one connection.
    async fn connected<R, W>(&mut self, connection: Connection<R, W>) -> Ended
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let Connection { reader, writer, process } = connection;
        let (mail, letters) = mailbox(WAITING);
        let (replies, waiting_replies) = mpsc::channel(WAITING_REPLIES);
        let link = Arc::new(Link::new(mail, replies));
        let (mut writing, mut listening) = (JoinSet::new(), JoinSet::new());
        writing.spawn(write(letters, waiting_replies, writer, Arc::clone(&self.upstream)));
        let (hub, upstream) = (Arc::clone(&self.hub), Arc::clone(&self.upstream));
        let listener = Listener::new(hub, upstream, Arc::clone(&link), self.notes.clone());
        listening.spawn(listener.run(reader));
        let since = OnceLock::new();
        let down = tokio::select! {
            down = serve(&self.hub, &self.upstream, &link, &since) => down,
            _ended = listening.join_next() => Down::Stopped,
            () = link.useless.notified() => Down::Stopped,
            () = stopped(&mut self.stopping) => Down::Stopped,
        };
        if !matches!(*self.upstream.state.borrow(), State::Starting) {
            self.upstream.state.send_replace(State::Down(down));
        }
        let close = link.mail.send(Mail::Close, 0);
        let _gone = timeout(CLOSE_TIMEOUT, close).await;
        if let Some(process) = process {
            // The listener goes on reading meanwhile: a server that is writing would not see its input's end.
            if let Err(error) = process.shutdown().await {
                tracing::debug!(upstream.name = %self.upstream.name(), %error, "cannot end the server");
            }
        }
        link.pending.close();
        // With its pipes closed the tasks end by themselves, once what the server said last has left.
        let ended = async {
            while writing.join_next().await.is_some() {}
            while listening.join_next().await.is_some() {}
        };
        if timeout(CLOSE_TIMEOUT, ended).await.is_err() {
            writing.shutdown().await;
            listening.shutdown().await;
        }
        Ended { down, served: since.get().map(Instant::elapsed) }
    }
}

/// Shakes hands and serves; ends only when the handshake fails.
async fn serve(hub: &Hub, upstream: &Upstream, link: &Arc<Link>, since: &OnceLock<Instant>) -> Down {
    let hello = hub.greeted().await;
    let greeting = match greet(hub, upstream, link, &hello).await {
        Ok(greeting) => greeting,
        Err(error) => {
            tracing::error!(upstream.name = %upstream.name(), %error, "the server does not serve");
            return error.down();
        }
    };
    let before = upstream.greeting.lock().unwrap_or_else(PoisonError::into_inner).replace(Arc::new(greeting));
    if before.is_some() {
        upstream.forget_lists();
    }
    // A server that is told late must be told before it is called.
    if let Some(initialized) = hub.initialized() {
        let _stopped = link.introduce(initialized.clone()).await;
    }
    let _set_once = since.set(Instant::now());
    upstream.state.send_replace(State::Serving(Arc::clone(link)));
    // And one that came to serve while the client said so was not among those that heard it.
    if let Some(initialized) = hub.initialized() {
        let _stopped = link.introduce(initialized.clone()).await;
    }
    if hub.is_answered() {
        tracing::info!(upstream.name = %upstream.name(), "the server serves");
        hub.changes.mark_all();
        levels::renew(hub, upstream, link).await;
        subscriptions::renew(hub, upstream, link).await;
    }
    std::future::pending().await
}

async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // An error means that nobody is left who could say so, which says it as well.
    let _stop = stopping.wait_for(|stop| *stop).await;
}
