//! What the tasks of one session share, whichever server they are about.
//!
//! In: settings, the way to the client. Out: the same, with what the client has said about itself. Invariant: what the
//! client said in its handshake is settled once. Not here: servers, reading the client.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::Restored;
use tokio::sync::watch;

use crate::asks::Asks;
use crate::changes::Changes;
use crate::config::{PersonText, UnknownMethods};
use crate::cursors::Cursors;
use crate::hello::Hello;
use crate::message::Message;
use crate::outbox::Outbox;
use crate::passage::Cloaker;
use crate::pipeline::Pipeline;
use crate::seal::Seal;
use crate::tasks::Tasks;

/// Settings that are not of one upstream.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) request_timeout: Duration,
    pub(crate) name_budget: usize,
    pub(crate) max_message_bytes: usize,
    pub(crate) allow_unknown_protocol_version: bool,
    pub(crate) sanitize: bool,
    pub(crate) person_text: PersonText,
    pub(crate) unknown_methods: UnknownMethods,
}

/// What all tasks share.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) settings: Settings,
    pub(crate) cloaker: Cloaker,
    pub(crate) outbox: Outbox,
    pub(crate) asks: Asks,
    pub(crate) changes: Changes,
    pub(crate) cursors: Cursors,
    pub(crate) tasks: Arc<Tasks>,
    has_tasks: AtomicBool,
    hello: watch::Sender<Option<Arc<Hello>>>,
    initialized: OnceLock<Restored<Bytes>>,
    answered: AtomicBool,
    level: Mutex<Option<Message>>,
}

impl Hub {
    pub(crate) fn new(settings: Settings, pipeline: Pipeline, outbox: Outbox, seal: Seal) -> Self {
        let seal = Arc::new(seal);
        let tasks = Arc::new(Tasks::new(Arc::clone(&seal)));
        Self {
            settings,
            cloaker: Cloaker::new(pipeline, Arc::clone(&tasks)),
            outbox,
            asks: Asks::default(),
            changes: Changes::default(),
            cursors: Cursors::new(seal),
            tasks,
            has_tasks: AtomicBool::new(false),
            hello: watch::Sender::new(None),
            initialized: OnceLock::new(),
            answered: AtomicBool::new(false),
            level: Mutex::new(None),
        }
    }

    /// What the client said in its handshake; `None` before it.
    pub(crate) fn hello(&self) -> Option<Arc<Hello>> {
        self.hello.borrow().clone()
    }

    /// Waits for the client's handshake.
    pub(crate) async fn greeted(&self) -> Arc<Hello> {
        let mut hello = self.hello.subscribe();
        loop {
            // Cloned out at once: the guard holds a lock.
            let said = hello.borrow_and_update().clone();
            if let Some(said) = said {
                return said;
            }
            if hello.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    /// Notes what the client said in its handshake, and so has the servers shake hands.
    pub(crate) fn set_hello(&self, hello: Hello) {
        self.hello.send_replace(Some(Arc::new(hello)));
    }

    /// What the client said when it had its answer; `None` until then.
    pub(crate) fn initialized(&self) -> Option<&Restored<Bytes>> {
        self.initialized.get()
    }

    /// Notes that the client is ready.
    pub(crate) fn set_initialized(&self, message: Restored<Bytes>) {
        let _said_again = self.initialized.set(message);
    }

    /// Whether the version of the session has tasks.
    pub(crate) fn has_tasks(&self) -> bool {
        self.has_tasks.load(Ordering::Acquire)
    }

    /// Notes whether it has.
    pub(crate) fn set_has_tasks(&self, has_tasks: bool) {
        self.has_tasks.store(has_tasks, Ordering::Release);
    }

    /// Whether the client's handshake was answered, so that what comes later is a change.
    pub(crate) fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    /// Notes that the client's handshake was answered.
    pub(crate) fn set_answered(&self) {
        self.answered.store(true, Ordering::Release);
    }

    /// The client's newest request for a level of logging.
    pub(crate) fn level(&self) -> Option<Message> {
        self.level.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes such a request.
    pub(crate) fn set_level(&self, request: Message) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = Some(request);
    }
}
