//! A client that says what a test tells it and writes down every byte that comes back.
//!
//! Invariant: lines of the peer are kept raw and in order; waiting has an end.
//! Not here: understanding what is said.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The newest protocol version with a handshake.
pub const NEWEST_VERSION: &str = "2025-11-25";
const DEFAULT_PATIENCE: Duration = Duration::from_secs(180);
const CLOSE_PATIENCE: Duration = Duration::from_secs(120);

/// Who said a line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LineDirection {
    /// The client.
    Sent,
    /// The server.
    Received,
}

/// One line of the conversation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Line {
    /// Who said it.
    pub direction: LineDirection,
    /// The line without its end, byte for byte.
    pub text: String,
}

/// An answer: as a value, and as it came.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The whole message.
    pub message: Value,
    /// The line, byte for byte.
    pub raw: String,
}

impl Answer {
    /// The result; `null` when the answer is an error.
    #[must_use]
    pub fn result(&self) -> &Value {
        self.message.get("result").unwrap_or(&Value::Null)
    }

    /// The error; `null` when the answer is a result.
    #[must_use]
    pub fn error(&self) -> &Value {
        self.message.get("error").unwrap_or(&Value::Null)
    }

    /// The text of the result's first content block.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.result().pointer("/content/0/text").and_then(Value::as_str)
    }
}

/// Why the conversation broke.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The server could not be started or spoken to.
    #[error("cannot speak to the server")]
    Pipe(#[from] io::Error),
    /// The server said nothing that was waited for.
    #[error("no answer to {waiting_for} within {patience:?}; the server's last words: {last_words}")]
    Late {
        /// What was waited for.
        waiting_for: String,
        /// How long.
        patience: Duration,
        /// The end of its error output.
        last_words: String,
    },
    /// The server ended its output.
    #[error("the server left before {waiting_for}; its last words: {last_words}")]
    Left {
        /// What was waited for.
        waiting_for: String,
        /// The end of its error output.
        last_words: String,
    },
}

/// The client.
#[derive(Debug)]
pub struct ScriptedClient {
    child: Option<Child>,
    writer: Option<Box<dyn WriteSend>>,
    lines: Receiver<String>,
    unclaimed: Vec<Answer>,
    transcript: Vec<Line>,
    errors: Arc<Mutex<String>>,
    threads: Vec<JoinHandle<()>>,
    next_id: u64,
    patience: Duration,
}

/// What a client writes to.
trait WriteSend: Write + Send {}
impl<W: Write + Send> WriteSend for W {}

impl std::fmt::Debug for dyn WriteSend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Write")
    }
}

impl ScriptedClient {
    /// Starts a server. Its standard streams are taken over.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(mut command: Command) -> Result<Self, ClientError> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(ClientError::Pipe(io::Error::other("the process has no pipes")));
        };
        let mut client = Self::over(stdout, stdin);
        let errors = Arc::clone(&client.errors);
        client.threads.push(std::thread::spawn(move || collect_errors(stderr, &errors)));
        client.child = Some(child);
        Ok(client)
    }

    /// Speaks over any two streams: a socket, a pipe to a server in the same process.
    pub fn over(reader: impl Read + Send + 'static, writer: impl Write + Send + 'static) -> Self {
        let (sender, lines) = channel();
        let thread = std::thread::spawn(move || {
            let mut reader = BufReader::with_capacity(64 << 10, reader);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned();
                if sender.send(text).is_err() {
                    return;
                }
                line.clear();
            }
        });
        Self {
            child: None,
            writer: Some(Box::new(writer)),
            lines,
            unclaimed: Vec::new(),
            transcript: Vec::new(),
            errors: Arc::default(),
            threads: vec![thread],
            next_id: 1,
            patience: DEFAULT_PATIENCE,
        }
    }

    /// How long each answer is waited for; 20 s unless set.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Performs the handshake with the newest version and no capabilities, and says that it is done.
    ///
    /// # Errors
    /// When no answer comes.
    pub fn initialize(&mut self) -> Result<Answer, ClientError> {
        self.initialize_as(NEWEST_VERSION, &json!({}))
    }

    /// Performs the handshake with the given version and capabilities, and says that it is done.
    ///
    /// # Errors
    /// When no answer comes.
    pub fn initialize_as(&mut self, version: &str, capabilities: &Value) -> Result<Answer, ClientError> {
        let client = json!({"name": "testkit", "version": "1.0"});
        let params = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client});
        let answer = self.request("initialize", &params)?;
        self.notify("notifications/initialized", &json!({}))?;
        Ok(answer)
    }

    /// Asks and waits for the answer. Whatever else comes meanwhile stays in the transcript.
    ///
    /// # Errors
    /// When no answer comes.
    pub fn request(&mut self, method: &str, params: &Value) -> Result<Answer, ClientError> {
        let id = self.start(method, params)?;
        self.answer(id)
    }

    /// Calls a tool and waits for the answer.
    ///
    /// # Errors
    /// When no answer comes.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Answer, ClientError> {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Asks without waiting; gives the request's id.
    ///
    /// # Errors
    /// When the server has left.
    pub fn start(&mut self, method: &str, params: &Value) -> Result<u64, ClientError> {
        let id = self.next_id;
        self.next_id += 1;
        self.send_raw(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string())?;
        Ok(id)
    }

    /// Waits for the answer to a request that was started.
    ///
    /// # Errors
    /// When no answer comes.
    pub fn answer(&mut self, id: u64) -> Result<Answer, ClientError> {
        let is_answer =
            move |message: &Value| message.get("method").is_none() && message.get("id") == Some(&json!(id));
        self.wait_for(&format!("request {id}"), is_answer)
    }

    /// Says something that wants no answer.
    ///
    /// # Errors
    /// When the server has left.
    pub fn notify(&mut self, method: &str, params: &Value) -> Result<(), ClientError> {
        self.send_raw(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string())
    }

    /// Sends a line as it is; the line end is added.
    ///
    /// # Errors
    /// When the server has left.
    pub fn send_raw(&mut self, line: &str) -> Result<(), ClientError> {
        self.transcript.push(Line { direction: LineDirection::Sent, text: line.to_owned() });
        let writer = self.writer.as_mut().ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
        writer.write_all(format!("{line}\n").as_bytes())?;
        writer.flush()?;
        Ok(())
    }

    /// Waits for the first message, not yet given out, that `wanted` accepts.
    ///
    /// # Errors
    /// When none comes.
    pub fn wait_for(
        &mut self,
        waiting_for: &str,
        wanted: impl Fn(&Value) -> bool,
    ) -> Result<Answer, ClientError> {
        if let Some(at) = self.unclaimed.iter().position(|answer| wanted(&answer.message)) {
            return Ok(self.unclaimed.remove(at));
        }
        let deadline = Instant::now() + self.patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let raw = match self.lines.recv_timeout(left) {
                Ok(raw) => raw,
                Err(RecvTimeoutError::Timeout) => {
                    let (waiting_for, last_words) = (waiting_for.to_owned(), self.errors());
                    return Err(ClientError::Late { waiting_for, patience: self.patience, last_words });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ClientError::Left {
                        waiting_for: waiting_for.to_owned(),
                        last_words: self.errors(),
                    });
                }
            };
            self.transcript.push(Line { direction: LineDirection::Received, text: raw.clone() });
            let Ok(message) = serde_json::from_str::<Value>(&raw) else { continue };
            let answer = Answer { message, raw };
            if wanted(&answer.message) {
                return Ok(answer);
            }
            self.unclaimed.push(answer);
        }
    }

    /// Everything said so far, in order of arrival here.
    #[must_use]
    pub fn transcript(&self) -> &[Line] {
        &self.transcript
    }

    /// What the server wrote to its error output so far.
    #[must_use]
    pub fn errors(&self) -> String {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The operating system's number of the server that was started.
    #[must_use]
    pub fn server_id(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Closes the server's input, takes in what it still says and waits for its end. Gives the whole
    /// conversation, and the exit status of a server that was started.
    ///
    /// # Errors
    /// When the server does not end.
    pub fn close(mut self) -> Result<(Vec<Line>, Option<ExitStatus>), ClientError> {
        self.writer = None;
        let deadline = Instant::now() + CLOSE_PATIENCE;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(text) => self.transcript.push(Line { direction: LineDirection::Received, text }),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let last_words = self.errors();
                    let waiting_for = "the end of input".to_owned();
                    return Err(ClientError::Late { waiting_for, patience: CLOSE_PATIENCE, last_words });
                }
            }
        }
        let status = self.child.take().map(|mut child| child.wait()).transpose()?;
        for thread in self.threads.drain(..) {
            // A thread of ours that panicked has ended as well, and that is all that is waited for.
            let _ended = thread.join();
        }
        Ok((std::mem::take(&mut self.transcript), status))
    }
}

impl Drop for ScriptedClient {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // The only failure is that it has ended already.
            let _ended = child.kill().and_then(|()| child.wait().map(drop));
        }
    }
}

fn collect_errors(stderr: impl Read, errors: &Mutex<String>) {
    let mut reader = BufReader::new(stderr);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        errors.lock().unwrap_or_else(PoisonError::into_inner).push_str(&String::from_utf8_lossy(&line));
        line.clear();
    }
}
