//! The tools `cloak` and `uncloak`, as an endpoint of MCP.
//!
//! In: calls with a server's key. Out: `{result, id}` as structured content and as the same JSON in a text; what the
//! caller can mend as a result with `isError`, what it cannot as error -32603. Invariant: an error says nothing of the
//! message, and the answer to an id that is not the caller's is that to an id that there is not.
//! Not here: how texts are cloaked, how keys are kept, the frames of HTTP.

mod answer;
mod arguments;
mod key;

use std::sync::Arc;

use cloakgate_cloak::text::Uncloaked;
use cloakgate_mcp::Revision;
use cloakgate_vocab::causes;
use cloakgate_wire::http::{About, Answer, Call, Endpoint, Head, Refusal};

use self::arguments::{Arguments, CloakArguments, UncloakArguments};
use crate::context::{AuthFault, ServerContext, Servers, Used};
use crate::texts::{Texts, TextsError};

/// What `tools/list` answers, apart from how long it holds.
const TOOLS: &str = include_str!("tools/list.json");
/// How long clients may keep the list, in milliseconds.
const LIST_TTL_MS: u64 = 3_600_000;

const ABOUT: About = About {
    name: "cloakgate",
    title: "Cloakgate",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Call `cloak` before a text leaves, and keep the id that it answers with. Work with the cloaked \
                   text. Call `uncloak` with that id to put the values back. Give `cloak` the same id for further \
                   texts of one conversation, so that equal values stay equal.",
    capabilities: r#"{"tools":{"listChanged":false}}"#,
};

/// What whoever has no key is told, whatever is wrong with it.
const WRONG_KEY: &str = "the header x-inc-agentcloak-api-key is missing or its key is wrong";

/// The endpoint with both tools.
pub struct Tools<S> {
    servers: S,
    texts: Arc<Texts>,
    list: [String; 2], // before and since 2026-07-28
}

impl<S: Servers> Tools<S> {
    /// The tools of the servers that these keys open.
    pub fn new(servers: S, texts: Arc<Texts>) -> Self {
        let tools = TOOLS.trim_end();
        let modern = format!(r#""ttlMs":{LIST_TTL_MS},"cacheScope":"public",{tools}"#);
        Self { servers, texts, list: [tools.to_owned(), modern] }
    }

    async fn call(&self, server: &ServerContext, call: &Call) -> Answer {
        let Some(arguments) = Arguments::read(call) else {
            return Answer::InvalidParams("`name` must be the name of a tool");
        };
        let outcome = match arguments.tool() {
            "cloak" => match arguments.cloak() {
                Ok(arguments) => self.cloak(server, arguments).await,
                Err(text) => return Answer::Result(answer::refused(text)),
            },
            "uncloak" => match arguments.uncloak() {
                Ok(arguments) => self.uncloak(server, &arguments).await,
                Err(text) => return Answer::Result(answer::refused(text)),
            },
            _ => return Answer::InvalidParams("there are the tools `cloak` and `uncloak`"),
        };
        match outcome {
            Ok(members) => Answer::Result(members),
            Err(error) if error.is_refusal() => Answer::Result(answer::refused(&error.to_string())),
            Err(error) => {
                let causes = causes(&error);
                tracing::error!(server.id = %server.server, causes, "a tool failed");
                Answer::Failed
            }
        }
    }

    async fn cloak(&self, server: &ServerContext, arguments: CloakArguments) -> Result<String, TextsError> {
        let shape = arguments.shape;
        let cloaked = self.texts.cloak(server, arguments.messages, arguments.id.as_deref()).await?;
        self.servers.note(server, Used::Cloaked(&cloaked.counts));
        Ok(answer::cloaked(&cloaked, shape))
    }

    async fn uncloak(
        &self,
        server: &ServerContext,
        arguments: &UncloakArguments<'_>,
    ) -> Result<String, TextsError> {
        let uncloaked =
            self.texts.uncloak(server, (&arguments.message, &arguments.id), arguments.mode).await?;
        let Uncloaked { restored, masked, withheld, unresolved, .. } = uncloaked;
        self.servers.note(server, Used::Uncloaked { restored, masked, withheld, unresolved });
        Ok(answer::uncloaked(&uncloaked, &arguments.id, server.access))
    }
}

impl<S: Servers> Endpoint for Tools<S> {
    type Caller = ServerContext;

    async fn admit(&self, head: Head<'_>) -> Result<ServerContext, Refusal> {
        let key = key::of(head.headers).ok_or(Refusal::Forbidden(WRONG_KEY))?;
        let server = self.servers.server_by_key(key).await.map_err(|fault| match fault {
            AuthFault::Wrong => Refusal::Forbidden(WRONG_KEY),
            AuthFault::TooMany { retry_after_s } => Refusal::TooMany { retry_after_s },
            AuthFault::Unavailable => Refusal::Unavailable,
        })?;
        if key::fits(head.path, server.server) { Ok(server) } else { Err(Refusal::Forbidden(WRONG_KEY)) }
    }

    fn about(&self) -> &About {
        &ABOUT
    }

    async fn answer(&self, server: &ServerContext, call: Call) -> Answer {
        match call.method.as_str() {
            "tools/call" => self.call(server, &call).await,
            "tools/list" => Answer::Result(self.list(call.revision).to_owned()),
            _ => Answer::UnknownMethod,
        }
    }
}

impl<S> Tools<S> {
    fn list(&self, revision: Revision) -> &str {
        let [legacy, modern] = &self.list;
        if revision.has_handshake() { legacy } else { modern }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_json_with_schemas_for_both_directions() {
        let document: serde_json::Value = serde_json::from_str(&format!("{{{TOOLS}}}")).expect("JSON");
        let tools = document["tools"].as_array().expect("tools");
        assert_eq!(tools.len(), 2);
        for (tool, name, needs) in
            [(&tools[0], "cloak", vec![]), (&tools[1], "uncloak", vec!["message", "id"])]
        {
            assert_eq!(tool["name"], name);
            let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
            assert_eq!(required, needs, "{name}");
            assert_eq!(tool["outputSchema"]["required"], serde_json::json!(["result", "id"]), "{name}");
            assert!(tool["title"].is_string() && tool["annotations"]["readOnlyHint"].is_boolean(), "{name}");
        }
    }
}
