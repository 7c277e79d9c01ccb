//! One run of the script against one server.
//!
//! In: how to start the server, and what the client is shown. Out: a transcript.
//! Invariant: the client writes only what it was shown: a value that reached it as a token goes back as that token.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::alignment::{Bindings, align};

use super::script::{self, Answer, Step};
use super::world::Planted;
use crate::client::Client;

/// What a session heard.
#[derive(Default)]
pub(super) struct Transcript {
    /// The answer to the handshake.
    pub(super) handshake: String,
    /// Each step with its answer as it came.
    pub(super) exchanges: Vec<(Step, String)>,
    /// Lines that answered nothing.
    pub(super) aside: Vec<String>,
    /// What the tokens stand for.
    pub(super) bindings: Bindings,
    /// Where a cloaked answer is not the server's with tokens in it.
    pub(super) misfits: Vec<String>,
}

impl Transcript {
    /// Every line that the client received.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        let answers = self.exchanges.iter().map(|(_, line)| line.as_str());
        std::iter::once(self.handshake.as_str()).chain(answers).chain(self.aside.iter().map(String::as_str))
    }
}

/// Where a session runs.
pub(super) struct Setting<'a> {
    /// Command of the server or the gateway.
    pub(super) command: Vec<String>,
    /// Folder that the server serves.
    pub(super) root: &'a Path,
    /// File for what the process writes to its standard error.
    pub(super) errors: &'a Path,
    /// What tool names start with.
    pub(super) prefix: &'a str,
}

/// Runs the script. With a `direct` transcript, the client learns from it what its tokens stand for.
///
/// # Errors
/// When the server does not start, answer or end.
pub(super) fn run(
    setting: &Setting<'_>,
    planted: &[Planted],
    direct: Option<&Transcript>,
) -> anyhow::Result<Transcript> {
    let mut client = Client::start(&setting.command, setting.root, setting.errors)?;
    let mut transcript = Transcript {
        handshake: client.ask(&json!("handshake"), "initialize", &script::handshake())?,
        ..Transcript::default()
    };
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    for (position, step) in script::steps(setting.root).into_iter().enumerate() {
        let params =
            View { planted, bindings: &transcript.bindings, prefix: setting.prefix }.request(&step.params);
        let answer =
            client.ask(&Step::id(position), step.method, &params).with_context(|| step.name.clone())?;
        if let Some((_, original)) = direct.and_then(|direct| direct.exchanges.get(position)) {
            transcript.learn(&step, original, &answer, planted);
        }
        transcript.exchanges.push((step, answer));
    }
    if direct.is_some() {
        transcript.forge(&mut client, setting)?;
    }
    transcript.aside = client.finish()?;
    Ok(transcript)
}

impl Transcript {
    fn learn(&mut self, step: &Step, original: &str, answer: &str, planted: &[Planted]) {
        if step.answer != Answer::Upstream && step.answer != Answer::Timed {
            return;
        }
        let (original, answer) = (untimed(step, original), untimed(step, answer));
        match align(&original, &answer, planted, &self.bindings) {
            Ok(bindings) => self.bindings = bindings,
            Err(place) => self.misfits.push(format!("{}: {place}", step.name)),
        }
    }

    /// Tries to write a token that was never handed out; the file must not come to be, which the look at the
    /// folder tells.
    fn forge(&mut self, client: &mut Client, setting: &Setting<'_>) -> anyhow::Result<()> {
        let Some(forged) = self.bindings.keys().find_map(|token| forged(token)) else {
            self.misfits.push("no token was seen at all".to_owned());
            return Ok(());
        };
        let path = setting.root.join("forged.txt").display().to_string();
        let params = json!({
            "name": format!("{}write_file", setting.prefix),
            "arguments": {"path": path, "content": forged},
        });
        let answer = client.ask(&json!("forged"), "tools/call", &params)?;
        let message: Value = serde_json::from_str(&answer).context("no JSON")?;
        let refused = message.get("error").is_some()
            || message.pointer("/result/isError").and_then(Value::as_bool).unwrap_or_default();
        if !refused {
            self.misfits.push(format!("{forged} was never handed out, and a call with it was not refused"));
        }
        Ok(())
    }
}

/// The same token with another check character.
fn forged(token: &str) -> Option<String> {
    let body = token.strip_suffix(']')?;
    let last = body.chars().last()?;
    let other = if last == 'x' { 'y' } else { 'x' };
    Some(format!("{}{other}]", body.strip_suffix(last)?))
}

/// `line` without the times of a file, which differ between runs.
pub(super) fn untimed(step: &Step, line: &str) -> String {
    if step.answer != Answer::Timed {
        return line.to_owned();
    }
    let mut text = line.to_owned();
    for label in ["created: ", "modified: ", "accessed: "] {
        let parts: Vec<String> = text
            .split(label)
            .enumerate()
            .map(|(index, part)| {
                let time = if index == 0 { 0 } else { part.find(['\\', '"']).unwrap_or(part.len()) };
                part.get(time..).unwrap_or_default().to_owned()
            })
            .collect();
        text = parts.join(label);
    }
    text
}

/// What the client knows: the values it may write, in the form in which it was shown them.
struct View<'a> {
    planted: &'a [Planted],
    bindings: &'a Bindings,
    prefix: &'a str,
}

impl View<'_> {
    fn request(&self, params: &Value) -> Value {
        let mut params = self.rewritten(params);
        if let Some(name) = params.get_mut("name")
            && let Some(tool) = name.as_str()
        {
            *name = json!(format!("{}{tool}", self.prefix));
        }
        params
    }

    fn rewritten(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.rewritten(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(key, member)| (key.clone(), self.rewritten(member))).collect()
            }
            other => other.clone(),
        }
    }

    fn text(&self, text: &str) -> String {
        let mut shown: Vec<(&str, &str)> = self
            .bindings
            .iter()
            .filter_map(|(token, index)| Some((self.planted.get(*index)?.text.as_str(), token.as_str())))
            .collect();
        shown.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        shown.iter().fold(text.to_owned(), |text, (value, token)| text.replace(value, token))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Bindings, View, forged, untimed};
    use crate::acceptance::script::{Answer, Step};
    use crate::acceptance::world::planted;

    #[test]
    fn the_client_writes_what_it_was_shown() {
        let planted = planted();
        let index = planted.iter().position(|planted| planted.text == "marie.dubois@example.eu").unwrap();
        let bindings = Bindings::from([("[EMAIL_0_k7q]".to_owned(), index)]);
        let view = View { planted: &planted, bindings: &bindings, prefix: "fs__" };
        let request =
            view.request(&json!({"name": "a", "arguments": {"b": ["to marie.dubois@example.eu", 7]}}));
        assert_eq!(request, json!({"name": "fs__a", "arguments": {"b": ["to [EMAIL_0_k7q]", 7]}}));
    }

    #[test]
    fn times_are_left_out_where_a_step_says_so() {
        let step = |answer| Step { name: String::new(), method: "", params: json!({}), answer };
        let line = r#"{"text":"size: 3\ncreated: Mon\nmodified: Tue"}"#;
        assert_eq!(untimed(&step(Answer::Timed), line), r#"{"text":"size: 3\ncreated: \nmodified: "}"#);
        assert_eq!(untimed(&step(Answer::Upstream), line), line);
    }

    #[test]
    fn a_forged_token_differs_in_its_check() {
        assert_eq!(forged("[EMAIL_0_k7q]").as_deref(), Some("[EMAIL_0_k7x]"));
        assert_eq!(forged("[EMAIL_0_k7x]").as_deref(), Some("[EMAIL_0_k7y]"));
        assert_eq!(forged("EMAIL_0_k7x"), None);
    }
}
