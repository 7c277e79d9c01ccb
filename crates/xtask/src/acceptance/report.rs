//! The report of an acceptance run, and the three transcripts side by side.
//!
//! In: checks and transcripts. Out: lines on the terminal.
//! Invariant: every contradiction is shown in full; values here are invented and may be shown.

use serde_json::Value;

use super::findings::Check;
use super::session::Transcript;
use crate::console;

/// The claims of a run, counted.
#[derive(Default)]
pub(super) struct Report {
    passed: usize,
    failed: usize,
}

impl Report {
    /// Prints the checks of one server, or of several together.
    pub(super) fn section(&mut self, servers: &str, checks: Vec<Check>) {
        for check in checks {
            let holds = check.contradictions.is_empty();
            let word = if holds { "ok  " } else { "FAIL" };
            console::line(format_args!("   {word} {servers:<14} {:<9} {}", check.session, check.claim));
            for contradiction in &check.contradictions {
                console::line(format_args!("                     - {contradiction}"));
            }
            *(if holds { &mut self.passed } else { &mut self.failed }) += 1;
        }
    }

    /// Prints the sum.
    ///
    /// # Errors
    /// When a claim was contradicted, or none was made.
    pub(super) fn verdict(&self) -> anyhow::Result<()> {
        let Self { passed, failed } = self;
        console::line(format_args!("   acceptance: {passed} claims hold, {failed} do not"));
        anyhow::ensure!(*failed == 0, "{failed} of {} claims do not hold", passed + failed);
        anyhow::ensure!(*passed > 0, "nothing was claimed");
        Ok(())
    }
}

/// Prints where the sessions differ: `-` straight, `~` off, `+` on.
pub(super) fn print_differences(direct: &Transcript, off: &Transcript, on: &Transcript) {
    print_one("initialize", &direct.handshake, &off.handshake, &on.handshake);
    for ((step, straight), ((_, off), (_, on))) in
        direct.exchanges.iter().zip(off.exchanges.iter().zip(&on.exchanges))
    {
        print_one(&step.name, straight, off, on);
    }
}

fn print_one(name: &str, straight: &str, off: &str, on: &str) {
    if straight == off && straight == on {
        console::line(format_args!("== {name}: the same in all three"));
        return;
    }
    console::line(format_args!("== {name}"));
    let (straight, off, on) = (readable(straight), readable(off), readable(on));
    let count = straight.len().max(off.len()).max(on.len());
    for index in 0..count {
        let line = |lines: &[String]| lines.get(index).cloned().unwrap_or_default();
        let (straight, off, on) = (line(&straight), line(&off), line(&on));
        if straight == off && straight == on {
            continue;
        }
        console::line(format_args!(" - {straight}"));
        if off != straight {
            console::line(format_args!(" ~ {off}"));
        }
        if on != straight {
            console::line(format_args!(" + {on}"));
        }
    }
}

/// A message with one line for each value, and one for each line of a text.
fn readable(line: &str) -> Vec<String> {
    let Ok(message) = serde_json::from_str::<Value>(line) else { return vec![line.to_owned()] };
    let mut lines = Vec::new();
    append(&message, "", &mut lines);
    lines
}

fn append(value: &Value, path: &str, lines: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                append(member, &format!("{path}/{key}"), lines);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                append(item, &format!("{path}/{index}"), lines);
            }
        }
        Value::String(text) => lines.extend(text.split('\n').map(|line| format!("{path}: {line}"))),
        other => lines.push(format!("{path}: {other}")),
    }
}
