//! A client of one MCP server process: lines out, lines in.
//!
//! In: how to start the server. Out: the raw lines it wrote, in order.
//! Invariant: every wait has an end; the process is gone when the client is dropped.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;

/// How long an answer may take on a busy machine.
const ANSWER: Duration = Duration::from_secs(60);
/// How long a server may take to end once its input is closed.
const GOODBYE: Duration = Duration::from_secs(10);

/// A running server.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    aside: Vec<String>,
}

impl Client {
    /// Starts `command`; what it writes to its standard error goes to `errors`.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn start(command: &[String], folder: &Path, errors: &Path) -> anyhow::Result<Self> {
        Self::start_with(command, &[], folder, errors)
    }

    /// As `start`, with variables added to the environment.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn start_with(
        command: &[String],
        environment: &[(String, String)],
        folder: &Path,
        errors: &Path,
    ) -> anyhow::Result<Self> {
        let (program, arguments) = command.split_first().context("no command")?;
        let errors = File::create(errors).context("cannot keep the server's messages")?;
        let mut child = Command::new(program)
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .with_context(|| format!("cannot start `{program}`"))?;
        let output = child.stdout.take().context("no output")?;
        let input = child.stdin.take();
        let (sender, lines) = channel();
        // Ends with the process's output.
        std::thread::spawn(move || {
            for line in BufReader::with_capacity(1 << 16, output).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, lines, aside: Vec::new() })
    }

    /// Sends one message.
    ///
    /// # Errors
    /// When the server does not read any more.
    pub(crate) fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        self.send_raw(&format!("{message}\n"))
    }

    /// Sends lines that end in a line break.
    ///
    /// # Errors
    /// When the server does not read any more.
    pub(crate) fn send_raw(&mut self, lines: &str) -> anyhow::Result<()> {
        let input = self.input.as_mut().context("the input is closed")?;
        input.write_all(lines.as_bytes()).and_then(|()| input.flush()).context("the server does not read")
    }

    /// Sends a request and waits for the line that answers it; other lines are kept aside.
    ///
    /// # Errors
    /// When no answer comes in time.
    pub(crate) fn ask(&mut self, id: &Value, method: &str, params: &Value) -> anyhow::Result<String> {
        self.ask_and_answer((id, method, params), &mut |_, _| None)
    }

    /// As `ask`, with `answer` for what the server asks meanwhile; it is given the line and the method.
    ///
    /// # Errors
    /// When no answer comes in time.
    pub(crate) fn ask_and_answer(
        &mut self,
        (id, method, params): (&Value, &str, &Value),
        answer: &mut dyn FnMut(&str, &str) -> Option<Value>,
    ) -> anyhow::Result<String> {
        self.send(&serde_json::json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let deadline = Instant::now() + ANSWER;
        loop {
            let line = self.line(deadline).with_context(|| format!("no answer to {method}"))?;
            let message: Value = serde_json::from_str(&line).context("the server wrote no JSON")?;
            let asked = message.get("method").and_then(Value::as_str);
            match (asked, message.get("id")) {
                (None, other) if other == Some(id) => return Ok(line),
                (Some(asked), Some(other)) => match answer(&line, asked) {
                    Some(result) => {
                        self.send(&serde_json::json!({"jsonrpc": "2.0", "id": other, "result": result}))?;
                    }
                    None => self.aside.push(line),
                },
                _ => self.aside.push(line),
            }
        }
    }

    /// The next line, whatever it is.
    ///
    /// # Errors
    /// When none comes in time.
    pub(crate) fn next_line(&mut self) -> anyhow::Result<String> {
        self.line(Instant::now() + ANSWER)
    }

    fn line(&self, deadline: Instant) -> anyhow::Result<String> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => anyhow::bail!("the server is silent"),
            Err(RecvTimeoutError::Disconnected) => anyhow::bail!("the server has ended"),
        }
    }

    /// The process, for a look at its memory.
    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the input, waits for the end, and returns the lines that answered nothing.
    ///
    /// # Errors
    /// When the server does not end by itself.
    pub(crate) fn finish(mut self) -> anyhow::Result<Vec<String>> {
        self.input = None;
        let deadline = Instant::now() + GOODBYE;
        while let Ok(line) = self.line(deadline) {
            self.aside.push(line);
        }
        while self.child.try_wait().context("cannot wait for the server")?.is_none() {
            anyhow::ensure!(Instant::now() < deadline, "the server does not end when its input is closed");
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(std::mem::take(&mut self.aside))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        if matches!(self.child.try_wait(), Ok(None)) {
            self.child.kill().ok();
        }
        self.child.wait().ok();
    }
}
