//! One run of a script against one server, or against the gateway.
//!
//! In: how to start it, the steps, and what the client is shown. Out: a transcript.
//! Invariant: the client writes only what it was shown: a value that reached it as a token goes back as that token.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::alignment::{Bindings, align};
use super::script::{self, Answer, Step};
use super::servers::Ask;
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
    /// Requests of the servers, as they came.
    pub(super) asked: Vec<String>,
    /// What the tokens stand for.
    pub(super) bindings: Bindings,
    /// Where a cloaked answer is not the server's with tokens in it.
    pub(super) misfits: Vec<String>,
}

impl Transcript {
    /// Several transcripts as one, step by step in turn.
    pub(super) fn in_turn<'a>(transcripts: impl Iterator<Item = &'a Self>) -> Self {
        let mut together = Self::default();
        let mut rest: Vec<_> = transcripts
            .map(|transcript| {
                together.handshake.clone_from(&transcript.handshake);
                together.aside.extend(transcript.aside.iter().cloned());
                together.asked.extend(transcript.asked.iter().cloned());
                transcript.exchanges.iter()
            })
            .collect();
        loop {
            let before = together.exchanges.len();
            together.exchanges.extend(rest.iter_mut().filter_map(|exchanges| exchanges.next().cloned()));
            if together.exchanges.len() == before {
                return together;
            }
        }
    }

    /// Every line that the client received.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        let answers = self.exchanges.iter().map(|(_, line)| line.as_str());
        let others = self.aside.iter().chain(&self.asked).map(String::as_str);
        std::iter::once(self.handshake.as_str()).chain(answers).chain(others)
    }
}

/// How tools and prompts are called.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Names {
    /// As the server does.
    Own,
    /// With the server's name before them.
    Prefixed,
}

/// Where a session runs.
pub(super) struct Setting<'a> {
    /// Command of the server or the gateway.
    pub(super) command: Vec<String>,
    /// Variables added to its environment.
    pub(super) environment: Vec<(String, String)>,
    /// Folder that it is started in.
    pub(super) root: &'a Path,
    /// Requests in order.
    pub(super) steps: Vec<Step>,
    /// What the servers ask, and what the client answers.
    pub(super) asks: Vec<Ask>,
    /// Folder of the filesystem server, when it serves: a file with a forged token is tried there.
    pub(super) writable: Option<&'a Path>,
    /// File for what the process writes to its standard error.
    pub(super) errors: &'a Path,
    /// How tools and prompts are called.
    pub(super) names: Names,
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
    let mut client =
        Client::start_with(&setting.command, &setting.environment, setting.root, setting.errors)?;
    let mut transcript = Transcript {
        handshake: client.ask(&json!("handshake"), "initialize", &setting.handshake())?,
        ..Transcript::default()
    };
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    for (position, step) in setting.steps.iter().cloned().enumerate() {
        let view = View { planted, bindings: &transcript.bindings, names: setting.names };
        let params = view.request(&step);
        if step.answer == Answer::Nothing {
            client.send(&json!({"jsonrpc": "2.0", "method": step.method, "params": params}))?;
            transcript.exchanges.push((step, String::new()));
            continue;
        }
        let mut asked = Vec::new();
        let mut respond = |line: &str, method: &str| {
            let ask = setting.asks.iter().find(|ask| ask.method == method)?;
            asked.push(line.to_owned());
            Some(view.rewritten(&ask.answer))
        };
        let answer = client
            .ask_and_answer((&step.id, step.method, &params), &mut respond)
            .with_context(|| step.name.clone())?;
        transcript.hear(asked, direct, planted);
        if let Some((_, original)) = direct.and_then(|direct| direct.exchanges.get(position)) {
            transcript.learn(&step, original, &answer, planted);
        }
        transcript.exchanges.push((step, answer));
    }
    if let Some(folder) = setting.writable.filter(|_| direct.is_some()) {
        transcript.forge(&mut client, folder)?;
    }
    transcript.aside = client.finish()?;
    Ok(transcript)
}

impl Setting<'_> {
    fn handshake(&self) -> Value {
        let capabilities: Map<String, Value> = self
            .asks
            .iter()
            .map(|Ask { capability: (name, contents), .. }| ((*name).to_owned(), contents.clone()))
            .collect();
        script::handshake(&Value::Object(capabilities))
    }
}

impl Transcript {
    /// The contents of the servers' requests, in order; those that have none come when they like.
    pub(super) fn questions(&self) -> Vec<String> {
        self.asked.iter().filter_map(|line| question(line)).collect()
    }

    /// Keeps requests, and learns from them what the tokens in them stand for.
    fn hear(&mut self, asked: Vec<String>, direct: Option<&Self>, planted: &[Planted]) {
        let heard = self.questions().len();
        self.asked.extend(asked);
        let originals = direct.map(Self::questions).unwrap_or_default();
        for (original, question) in originals.iter().zip(self.questions()).skip(heard) {
            match align(original, &question, planted, &self.bindings) {
                Ok(bindings) => self.bindings = bindings,
                Err(place) => self.misfits.push(format!("a server's request: {place}")),
            }
        }
    }

    fn learn(&mut self, step: &Step, original: &str, answer: &str, planted: &[Planted]) {
        if step.answer != Answer::Upstream {
            return;
        }
        let (original, answer) = (step.filter.apply(original), step.filter.apply(answer));
        match align(&original, &answer, planted, &self.bindings) {
            Ok(bindings) => self.bindings = bindings,
            Err(place) => self.misfits.push(format!("{}: {place}", step.name)),
        }
    }

    /// Tries to write a token that was never handed out; the file must not come to be, which the look at the
    /// folder tells.
    fn forge(&mut self, client: &mut Client, folder: &Path) -> anyhow::Result<()> {
        let Some(forged) = self.bindings.keys().find_map(|token| forged(token)) else {
            self.misfits.push("no token was seen at all".to_owned());
            return Ok(());
        };
        let path = folder.join("forged.txt").display().to_string();
        let params = json!({
            "name": "fs__write_file",
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

/// The contents of a request, byte for byte.
fn question(line: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Request<'a> {
        #[serde(borrow)]
        params: &'a RawValue,
    }
    serde_json::from_str::<Request<'_>>(line).ok().map(|request| request.params.get().to_owned())
}

/// The same token with another check character.
fn forged(token: &str) -> Option<String> {
    let body = token.strip_suffix(']')?;
    let last = body.chars().last()?;
    let other = if last == 'x' { 'y' } else { 'x' };
    Some(format!("{}{other}]", body.strip_suffix(last)?))
}

/// What the client knows: the values it may write, in the form in which it was shown them.
struct View<'a> {
    planted: &'a [Planted],
    bindings: &'a Bindings,
    names: Names,
}

impl View<'_> {
    fn request(&self, step: &Step) -> Value {
        let mut params = self.rewritten(&step.params);
        if self.names == Names::Own {
            return params;
        }
        for pointer in ["/name", "/ref/name"] {
            if let Some(name) = params.pointer_mut(pointer)
                && let Some(own) = name.as_str()
            {
                *name = json!(format!("{}{own}", step.prefix()));
            }
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

    use super::{Bindings, Names, View, forged};
    use crate::acceptance::script::tool_call;
    use crate::acceptance::world::planted;

    #[test]
    fn the_client_writes_what_it_was_shown() {
        let planted = planted();
        let index = planted.iter().position(|planted| planted.text == "marie.dubois@example.eu").unwrap();
        let bindings = Bindings::from([("[EMAIL_0_k7q]".to_owned(), index)]);
        let view = View { planted: &planted, bindings: &bindings, names: Names::Prefixed };
        let request = view.request(&tool_call("fs", "a", json!({"b": ["to marie.dubois@example.eu", 7]})));
        assert_eq!(request, json!({"name": "fs__a", "arguments": {"b": ["to [EMAIL_0_k7q]", 7]}}));
    }

    #[test]
    fn a_forged_token_differs_in_its_check() {
        assert_eq!(forged("[EMAIL_0_k7q]").as_deref(), Some("[EMAIL_0_k7x]"));
        assert_eq!(forged("[EMAIL_0_k7x]").as_deref(), Some("[EMAIL_0_k7y]"));
        assert_eq!(forged("EMAIL_0_k7x"), None);
    }
}
