//! One tool in a process of its own.
//!
//! In: commands. Out: answers, line by line. Invariant: the process ends with the value.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context;
use serde_json::Value;

use crate::console;
use crate::eval::labels;
use crate::eval::record::Span;

/// A tool that answers.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) version: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// What a run cost, in seconds.
pub(super) struct Cost {
    pub(super) wall: f64,
    pub(super) processor: f64,
}

impl Tool {
    /// Starts a tool. `None`, with a line that says why, when it does not work here.
    ///
    /// # Errors
    /// When the process cannot be started at all.
    pub(super) fn start(
        name: &'static str,
        program: &Path,
        arguments: &[&str],
        folder: &Path,
    ) -> anyhow::Result<Option<Self>> {
        let mut child = Command::new(program)
            .args(arguments)
            .envs(["OMP_NUM_THREADS", "RAYON_NUM_THREADS", "MKL_NUM_THREADS"].map(|name| (name, "1")))
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let mut tool = Self { name, version: String::new(), child, input, output };
        let ready = tool.answer()?;
        if let Some(version) = ready.get("ready").and_then(Value::as_str) {
            version.clone_into(&mut tool.version);
            return Ok(Some(tool));
        }
        let why = ready.get("missing").and_then(Value::as_str).unwrap_or("it says nothing");
        console::line(format_args!("left out: {name}: {why}"));
        Ok(None)
    }

    /// Seconds of so many runs over a text.
    ///
    /// # Errors
    /// When the tool does not answer.
    pub(super) fn time(&mut self, id: &str, runs: usize) -> anyhow::Result<f64> {
        let answer = self.ask(&format!("time\t{id}\t{runs}"))?;
        answer.get("seconds").and_then(Value::as_f64).with_context(|| format!("{} tells no time", self.name))
    }

    /// What a single run over a text costs.
    ///
    /// # Errors
    /// When the tool does not answer.
    pub(super) fn once(&mut self, id: &str) -> anyhow::Result<Cost> {
        let answer = self.ask(&format!("once\t{id}"))?;
        let figure = |key: &str| {
            let figure = answer.get(key).and_then(Value::as_f64);
            figure.with_context(|| format!("{} tells no time", self.name))
        };
        Ok(Cost { wall: figure("seconds")?, processor: figure("processor")? })
    }

    /// What it finds in a text; `None` when it does not say where.
    ///
    /// # Errors
    /// When the tool does not answer.
    pub(super) fn find(&mut self, id: &str) -> anyhow::Result<Option<Vec<Span>>> {
        let answer = self.ask(&format!("find\t{id}"))?;
        let Some(spans) = answer.get("spans").and_then(Value::as_array) else { return Ok(None) };
        let span = |span: &Value| {
            let at = |key: &str| usize::try_from(span.get(key)?.as_u64()?).ok();
            let label = labels::canonical(span.get("label").and_then(Value::as_str).unwrap_or(labels::OTHER));
            Some(Span { start: at("start")?, end: at("end")?, label })
        };
        Ok(Some(spans.iter().filter_map(span).collect()))
    }

    fn ask(&mut self, command: &str) -> anyhow::Result<Value> {
        writeln!(self.input, "{command}").with_context(|| format!("{} has ended", self.name))?;
        self.answer()
    }

    fn answer(&mut self) -> anyhow::Result<Value> {
        let mut line = String::new();
        self.output.read_line(&mut line).with_context(|| format!("{} has ended", self.name))?;
        serde_json::from_str(&line).with_context(|| format!("{} gave no answer", self.name))
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
