//! A server's process from start to end.
//!
//! Invariant: the process leads a group of its own, so what it started ends with it and a terminal's Ctrl-C
//! reaches only us; whoever drops a `Process` ends it. Not here: what is said over its pipes.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use tokio::process::Child as TokioChild;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long a process may take to end by itself once its input is closed.
pub const CLOSE_GRACE: Duration = Duration::from_secs(2);
/// How long a process may take to end once it was asked by signal.
pub const TERM_GRACE: Duration = Duration::from_secs(2);
/// How long the end of its error output is waited for after it has ended.
const STDERR_GRACE: Duration = Duration::from_millis(100);

/// A running server process without its pipes.
#[derive(Debug)]
pub struct Process {
    child: TokioChild,
    group: Option<Group>,
    stderr: Option<JoinHandle<()>>,
}

impl Process {
    pub(crate) fn new(child: TokioChild, stderr: Option<JoinHandle<()>>) -> Self {
        let group = child.id().and_then(Group::of_leader);
        Self { child, group, stderr }
    }

    /// The operating system's number of the process; `None` once its end was seen.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for the end of the process. Safe to drop and call again.
    ///
    /// # Errors
    /// What the operating system gives.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await;
        self.forget_group();
        status
    }

    /// Waits for the process to end, helping by and by: asked by signal after `CLOSE_GRACE`, forced after
    /// `TERM_GRACE` more. Close its input first. Takes five seconds at most.
    ///
    /// # Errors
    /// What the operating system gives; the process is ended in any case.
    pub async fn shutdown(mut self) -> io::Result<ExitStatus> {
        let status = match timeout(CLOSE_GRACE, self.child.wait()).await {
            Ok(status) => status,
            Err(_) => self.end_by_signal().await,
        };
        self.forget_group();
        if let Some(mut stderr) = self.stderr.take()
            && timeout(STDERR_GRACE, &mut stderr).await.is_err()
        {
            stderr.abort();
        }
        status
    }

    async fn end_by_signal(&mut self) -> io::Result<ExitStatus> {
        self.signal(Signal::Term);
        match timeout(TERM_GRACE, self.child.wait()).await {
            Ok(status) => status,
            Err(_) => {
                self.signal(Signal::Kill);
                self.child.kill().await?;
                self.child.wait().await
            }
        }
    }

    /// The leader has left: whatever it started and forgot goes too, at once, for its number may soon name
    /// somebody else.
    fn forget_group(&mut self) {
        self.signal(Signal::Kill);
        self.group = None;
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            group.signal(signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal(Signal::Kill);
        if let Some(stderr) = &self.stderr {
            stderr.abort();
        }
        // The leader itself is ended and reaped by the runtime: it was started with `kill_on_drop`.
    }
}

#[derive(Clone, Copy)]
enum Signal {
    Term,
    Kill,
}

#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
struct Group(rustix::process::Pid);

#[cfg(unix)]
impl Group {
    fn of_leader(id: u32) -> Option<Self> {
        rustix::process::Pid::from_raw(i32::try_from(id).ok()?).map(Self)
    }

    fn signal(self, signal: Signal) {
        let signal = match signal {
            Signal::Term => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        // The only failure in practice is that nobody of the group is left, which is what was wanted.
        let _gone = rustix::process::kill_process_group(self.0, signal);
    }
}

/// Without process groups the runtime's own kill has to do.
#[cfg(not(unix))]
#[derive(Clone, Copy, Debug)]
struct Group;

#[cfg(not(unix))]
impl Group {
    fn of_leader(_: u32) -> Option<Self> {
        None
    }

    fn signal(self, _: Signal) {}
}
