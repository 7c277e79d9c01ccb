//! What the demo's client does: reads customers, a mail and a log, and has a note written.
//!
//! In: a session, and the folder of the sample server. Out: each step from both sides of the gateway.
//! Invariant: the note is made of what the session was shown and of nothing else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use super::compare::{Part, compare};
use super::session::Session;
use super::{sample, server};

/// Who speaks first in a step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Flow {
    /// The server says something and the model sees it.
    ToModel,
    /// The model writes something and the tool receives it.
    ToTool,
}

/// One step from both sides.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) tool: &'static str,
    pub(super) flow: Flow,
    /// The server's side: values.
    pub(super) values: String,
    /// The model's side: tokens.
    pub(super) tokens: String,
}

/// The whole demo.
#[derive(Debug)]
pub(super) struct Story {
    pub(super) steps: Vec<Step>,
    /// The note, and what it holds on disk.
    pub(super) note: PathBuf,
    pub(super) content: String,
    /// Values that the server said and that were replaced on the way to the model.
    pub(super) hidden: usize,
    /// Tokens that the model wrote and that reached the tool as values.
    pub(super) restored: usize,
    /// Replaced values that reached the model all the same.
    pub(super) leaked: Vec<String>,
}

/// Plays the story.
///
/// # Errors
/// When a call fails, or the sample server's record cannot be read.
pub(super) async fn play<R, W>(session: &mut Session<R, W>, folder: &Path) -> anyhow::Result<Story>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let customers = session.call("list_customers", json!({})).await?;
    let mail = session.call("read_mail", json!({})).await?;
    let log = session.call("read_log", json!({})).await?;
    let note = note(&customers).context("the customers are not there")?;
    session.call("write_note", note.clone()).await?;

    let record = std::fs::read_to_string(folder.join(server::RECORD)).context("cannot read the record")?;
    let calls: Vec<Value> = record.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let seen = [customers, mail, log, note];
    let tools = ["list_customers", "read_mail", "read_log", "write_note"];
    let mut steps = Vec::new();
    for ((tool, call), seen) in tools.into_iter().zip(&calls).zip(&seen) {
        let flow = if tool == "write_note" { Flow::ToTool } else { Flow::ToModel };
        let side = if flow == Flow::ToTool { "arguments" } else { "result" };
        let values = readable(call.get(side).unwrap_or(&Value::Null));
        steps.push(Step { tool, flow, values, tokens: readable(seen) });
    }
    anyhow::ensure!(steps.len() == tools.len(), "the sample server was not called as often as it should");
    finish(steps, &calls, folder, session.received())
}

fn finish(steps: Vec<Step>, calls: &[Value], folder: &Path, received: &str) -> anyhow::Result<Story> {
    let name = calls.last().and_then(|call| call.pointer("/arguments/name")).and_then(Value::as_str);
    let note = folder.join(server::NOTES).join(name.context("the note has no name")?);
    let content = std::fs::read_to_string(&note).context("cannot open the note")?;
    let swapped = |flow| {
        let steps = steps.iter().filter(move |step| step.flow == flow);
        steps.flat_map(|step| swapped(&step.values, &step.tokens)).collect::<Vec<String>>()
    };
    let hidden: BTreeSet<String> = swapped(Flow::ToModel).into_iter().collect();
    let restored = swapped(Flow::ToTool).len();
    let received = received.to_lowercase();
    let leaked = hidden.iter().filter(|value| received.contains(&value.to_lowercase())).cloned().collect();
    Ok(Story { hidden: hidden.len(), restored, leaked, steps, note, content })
}

/// The note that the model writes about the first customer.
fn note(customers: &Value) -> Option<Value> {
    let first = customers.pointer("/structuredContent/customers/0")?;
    let field = |name| first.get(name).and_then(Value::as_str);
    let (name, phone, iban) = (field("full_name")?, field("phone")?, field("iban")?);
    Some(json!({
        "name": "order 4711.md",
        "text": format!("# Order 4711\n\n{name} was charged twice.\nRefund {iban}\nthen call {phone}\n"),
    }))
}

/// A result or the arguments of a call as a person would read them.
fn readable(value: &Value) -> String {
    let texts = [value.pointer("/content/0/text"), value.get("text")];
    if let Some(rows) = value.pointer("/structuredContent/customers").and_then(Value::as_array) {
        return rows.iter().map(row).collect::<Vec<_>>().join("\n");
    }
    texts.into_iter().flatten().find_map(Value::as_str).unwrap_or_default().to_owned()
}

fn row(row: &Value) -> String {
    let field = |name: &&str| Some(format!("{name}: {}\n", row.get(*name)?.as_str()?));
    sample::FIELDS.iter().filter_map(field).collect()
}

fn swapped(values: &str, tokens: &str) -> Vec<String> {
    let (values, _) = compare(values, tokens);
    values
        .into_iter()
        .filter_map(|part| match part {
            Part::Swapped(text) => Some(text.to_owned()),
            Part::Same(_) => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{note, readable, sample, swapped};

    #[test]
    fn customers_are_read_row_by_row() {
        let result = json!({"structuredContent": {"customers": sample::customers()}});
        let text = readable(&result);
        assert!(text.starts_with("full_name: Marie Dubois\nemail: marie.dubois@example.eu\n"), "{text}");
        assert_eq!(text.matches("full_name").count(), 2);
    }

    #[test]
    fn the_note_is_made_of_what_was_shown() {
        let shown = json!({"full_name": "[PERSON_0_k7q]", "phone": "[PHONE_0_k7q]", "iban": "[IBAN_0_k7q]"});
        let note = note(&json!({"structuredContent": {"customers": [shown]}})).unwrap();
        let text = note["text"].as_str().unwrap();
        for token in ["[PERSON_0_k7q]", "[PHONE_0_k7q]", "[IBAN_0_k7q]"] {
            assert!(text.contains(token), "{token}");
        }
    }

    #[test]
    fn swapped_values_are_told_from_the_rest() {
        assert_eq!(swapped("to a@example.org now", "to [EMAIL_0_k7q] now"), ["a@example.org"]);
    }
}
