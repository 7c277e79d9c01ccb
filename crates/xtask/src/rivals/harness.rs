//! Our own side: the detectors in a process that speaks as `eval/peers/harness.py` does.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use cloakgate_detect::Field;
use cloakgate_names::Effort;
use serde_json::{Value, json};

use crate::{console, eval};

/// Answers commands until there are no more. Speed is that of the detectors on one text, as others are timed; what is
/// found includes what stands elsewhere again.
///
/// # Errors
/// When the texts cannot be read or a command is none.
pub(crate) fn serve(file: &Path, names: Effort) -> anyhow::Result<()> {
    let finder = eval::finder(&eval::Selection::Core, names)?;
    let mut texts = HashMap::new();
    for line in std::fs::read_to_string(file).context("cannot read the texts")?.lines() {
        let value: Value = serde_json::from_str(line)?;
        let member = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        texts.extend(member("id").zip(member("text")));
    }
    console::line(json!({"ready": env!("CARGO_PKG_VERSION")}));
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut parts = line.split('\t');
        let (command, id, runs) = (parts.next(), parts.next(), parts.next());
        let text = id.and_then(|id| texts.get(id)).context("no such text")?;
        if command == Some("time") {
            let runs: usize = runs.unwrap_or("1").parse()?;
            let field = Field::text(text);
            let started = Instant::now();
            for _ in 0..runs {
                std::hint::black_box(finder.engine().scan(std::hint::black_box(&field)));
            }
            console::line(json!({"seconds": started.elapsed().as_secs_f64()}));
        } else if command == Some("once") {
            let (started, used) = (Instant::now(), processor_seconds());
            std::hint::black_box(finder.find(std::hint::black_box(text), None)?);
            let wall = started.elapsed().as_secs_f64();
            console::line(json!({"seconds": wall, "processor": processor_seconds() - used}));
        } else {
            let spans: Vec<Value> = eval::look(&finder, text)?
                .iter()
                .map(|span| json!({"start": span.start, "end": span.end, "label": span.label}))
                .collect();
            console::line(json!({"spans": spans}));
        }
    }
    Ok(())
}

/// Seconds of processor time of this process so far, all threads together.
#[cfg(unix)]
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    seconds
}

/// Nothing, where the system does not tell.
#[cfg(not(unix))]
fn processor_seconds() -> f64 {
    0.0
}
