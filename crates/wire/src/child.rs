//! Starts a server as a child process and wires up its pipes.
//!
//! In: command, arguments, environment, folder. Out: a frame reader on its output, a writer on its input, the
//! process. Invariant: its error output is drained from the first moment; its end is tied to the value's.
//! Not here: restarting, the handshake.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};

use cloakgate_vocab::UpstreamName;
use tokio::process::{ChildStdin, ChildStdout, Command};

use crate::environment::{Inherit, environment};
use crate::process::Process;
use crate::{FrameReader, MAX_MESSAGE_BYTES, UpstreamWriter, stderr};

/// How to start a server.
#[derive(Clone)]
pub struct ChildSpec {
    /// Whose server it is; names it in logs and errors.
    pub upstream: UpstreamName,
    /// Program, by path or by name on the child's `PATH`.
    pub command: String,
    /// Arguments, passed without a shell.
    pub args: Vec<String>,
    /// Variables written out in the settings; they win over inherited ones.
    pub env: Vec<(String, String)>,
    /// Which of our own variables it gets besides.
    pub inherit: Inherit,
    /// Folder to start in; ours when `None`.
    pub cwd: Option<PathBuf>,
    /// Longest message that is read from it, in bytes.
    pub max_message_bytes: usize,
}

impl ChildSpec {
    /// A server with no arguments, the default environment and the default message limit.
    #[must_use]
    pub fn new(upstream: UpstreamName, command: impl Into<String>) -> Self {
        Self {
            upstream,
            command: command.into(),
            args: Vec::new(),
            env: Vec::new(),
            inherit: Inherit::Default,
            cwd: None,
            max_message_bytes: MAX_MESSAGE_BYTES,
        }
    }
}

/// Values of variables are credentials more often than not, and arguments sometimes: only names are shown.
impl fmt::Debug for ChildSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.env.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("ChildSpec")
            .field("upstream", &self.upstream)
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field("env", &names)
            .field("inherit", &self.inherit)
            .field("cwd", &self.cwd)
            .field("max_message_bytes", &self.max_message_bytes)
            .finish()
    }
}

/// Why a server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The folder to start in is none.
    #[error("`cwd` of upstream `{upstream}` is no folder: {}", cwd.display())]
    Folder {
        /// Whose server.
        upstream: UpstreamName,
        /// The folder of the settings.
        cwd: PathBuf,
    },
    /// There is no such program.
    #[error(
        "upstream `{upstream}`: command `{command}` was not found; give its full path or set PATH in `env`"
    )]
    NotFound {
        /// Whose server.
        upstream: UpstreamName,
        /// The program of the settings.
        command: String,
    },
    /// The operating system refused.
    #[error("upstream `{upstream}`: cannot start `{command}`")]
    Start {
        /// Whose server.
        upstream: UpstreamName,
        /// The program of the settings.
        command: String,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
}

/// A running server. Reader, writer and process may be taken apart, to live in tasks of their own; dropping the
/// process ends it.
#[derive(Debug)]
pub struct Child {
    /// What it says.
    pub reader: FrameReader<ChildStdout>,
    /// What it is told. Dropping it closes the server's input.
    pub writer: UpstreamWriter<ChildStdin>,
    /// The process itself.
    pub process: Process,
}

impl Child {
    /// Starts a server. Must be called inside a runtime.
    ///
    /// # Errors
    /// When there is no such program or folder, or the operating system refuses.
    pub fn spawn(spec: &ChildSpec) -> Result<Self, SpawnError> {
        // A missing folder and a missing program are the same error of the operating system, so look first.
        if let Some(cwd) = spec.cwd.as_ref().filter(|cwd| !cwd.is_dir()) {
            return Err(SpawnError::Folder { upstream: spec.upstream.clone(), cwd: cwd.clone() });
        }
        let mut child = command(spec).spawn().map_err(|error| start_error(spec, error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(start_error(spec, io::Error::other("the process has no pipes")));
        };
        let drained = tokio::spawn(stderr::drain(stderr, spec.upstream.clone()));
        Ok(Self {
            reader: FrameReader::new(stdout, spec.max_message_bytes),
            writer: UpstreamWriter::new(stdin),
            process: Process::new(child, Some(drained)),
        })
    }

    /// Ends the server: closes its input, waits, asks by signal, waits, forces. Five seconds at most.
    ///
    /// # Errors
    /// What the operating system gives; the process is ended in any case.
    pub async fn shutdown(self) -> io::Result<ExitStatus> {
        let Self { mut reader, writer, process } = self;
        drop(writer);
        // A server that is writing does not see that its input was closed until somebody reads.
        let drain = async {
            while let Ok(Some(_)) = reader.next().await {}
            std::future::pending::<()>().await;
        };
        tokio::select! {
            status = process.shutdown() => status,
            () = drain => Err(io::Error::other("unreachable: the drain never ends")),
        }
    }
}

fn command(spec: &ChildSpec) -> Command {
    let mut command = Command::new(&spec.command);
    command
        .args(&spec.args)
        .env_clear()
        .envs(environment(std::env::vars_os(), &spec.inherit, &spec.env))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(cwd) = &spec.cwd {
        command.current_dir(cwd);
    }
    #[cfg(unix)]
    command.process_group(0);
    command
}

fn start_error(spec: &ChildSpec, source: io::Error) -> SpawnError {
    let (upstream, command) = (spec.upstream.clone(), spec.command.clone());
    match source.kind() {
        io::ErrorKind::NotFound => SpawnError::NotFound { upstream, command },
        _ => SpawnError::Start { upstream, command, source },
    }
}
