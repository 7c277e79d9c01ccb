//! What servers can do, and what the gateway can do for them together.
//!
//! In: a server's answer to the handshake. Out: the abilities that the gateway can route; merged, the object that the
//! client gets. Invariant: nothing is advertised that no server has. Not here: the handshake.

use cloakgate_json::NodeId;

use crate::changes::Kind;
use crate::message::Message;

/// Abilities that can be routed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Capabilities {
    pub(crate) tools: Option<Changes>,
    pub(crate) prompts: Option<Changes>,
    pub(crate) resources: Option<Changes>,
    pub(crate) completions: bool,
    pub(crate) logging: bool,
    pub(crate) tasks: Option<Tasks>,
}

/// What can be done with tasks.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Tasks {
    pub(crate) list: bool,
    pub(crate) cancel: bool,
    /// Whether tools run as tasks.
    pub(crate) call: bool,
}

impl Tasks {
    fn merged(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(Self {
                list: one.list || other.list,
                cancel: one.cancel || other.cancel,
                call: one.call || other.call,
            }),
            (one, other) => one.or(other),
        }
    }

    fn to_json(self) -> String {
        let members = [
            (self.list, r#""list":{}"#),
            (self.cancel, r#""cancel":{}"#),
            (self.call, r#""requests":{"tools":{"call":{}}}"#),
        ];
        let members: Vec<&str> = members.into_iter().filter(|(has, _)| *has).map(|(_, text)| text).collect();
        format!("{{{}}}", members.join(","))
    }
}

/// What is told about changes of a list.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Changes {
    list_changed: bool,
    subscribe: bool,
}

impl Changes {
    fn merged(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(Self {
                list_changed: one.list_changed || other.list_changed,
                subscribe: one.subscribe || other.subscribe,
            }),
            (one, other) => one.or(other),
        }
    }

    fn to_json(self) -> String {
        let mut flags = Vec::new();
        if self.subscribe {
            flags.push(r#""subscribe":true"#);
        }
        if self.list_changed {
            flags.push(r#""listChanged":true"#);
        }
        format!("{{{}}}", flags.join(","))
    }
}

impl Capabilities {
    /// Reads the object `capabilities` of a handshake.
    pub(crate) fn read(message: &Message, capabilities: NodeId) -> Self {
        let is_there = |path: &[&str]| message.find(capabilities, path).is_some();
        let has = |name: &str| is_there(&[name]);
        let flag = |path: &[&str]| {
            let node = message.find(capabilities, path);
            node.is_some_and(|node| message.document.kind(node) == cloakgate_json::Kind::True)
        };
        let changes = |name: &str| {
            has(name).then(|| Changes {
                list_changed: flag(&[name, "listChanged"]),
                subscribe: flag(&[name, "subscribe"]),
            })
        };
        Self {
            tools: changes("tools"),
            prompts: changes("prompts"),
            resources: changes("resources"),
            completions: has("completions"),
            logging: has("logging"),
            tasks: has("tasks").then(|| Tasks {
                list: is_there(&["tasks", "list"]),
                cancel: is_there(&["tasks", "cancel"]),
                call: is_there(&["tasks", "requests", "tools", "call"]),
            }),
        }
    }

    /// What two servers can do together.
    pub(crate) fn merged(self, other: Self) -> Self {
        Self {
            tools: Changes::merged(self.tools, other.tools),
            prompts: Changes::merged(self.prompts, other.prompts),
            resources: Changes::merged(self.resources, other.resources),
            completions: self.completions || other.completions,
            logging: self.logging || other.logging,
            tasks: Tasks::merged(self.tasks, other.tasks),
        }
    }

    /// Whether changes of a list are told.
    pub(crate) fn tells_of(self, kind: Kind) -> bool {
        let changes = match kind {
            Kind::Tools => self.tools,
            Kind::Prompts => self.prompts,
            Kind::Resources => self.resources,
        };
        changes.is_some_and(|changes| changes.list_changed)
    }

    /// The object that a client gets.
    pub(crate) fn to_json(self) -> String {
        let lists = [("tools", self.tools), ("prompts", self.prompts), ("resources", self.resources)];
        let mut members: Vec<String> = lists
            .into_iter()
            .filter_map(|(name, changes)| Some(format!("\"{name}\":{}", changes?.to_json())))
            .collect();
        for (name, has) in [("completions", self.completions), ("logging", self.logging)] {
            if has {
                members.push(format!("\"{name}\":{{}}"));
            }
        }
        members.extend(self.tasks.map(|tasks| format!("\"tasks\":{}", tasks.to_json())));
        format!("{{{}}}", members.join(","))
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use cloakgate_json::NodeId;

    use super::Capabilities;
    use crate::message::Message;

    async fn read(capabilities: &str) -> Capabilities {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"capabilities":{capabilities}}}}}"#);
        let message = Message::read(Bytes::from(text)).await.expect("a message");
        let node = message.find(NodeId::ROOT, &["result", "capabilities"]).expect("an object");
        Capabilities::read(&message, node)
    }

    #[tokio::test]
    async fn only_what_a_server_has_is_advertised() {
        let one = read(r#"{"tools":{"listChanged":true},"experimental":{"x":{}}}"#).await;
        let two = read(r#"{"tools":{},"resources":{"subscribe":true},"logging":{}}"#).await;
        assert_eq!(one.to_json(), r#"{"tools":{"listChanged":true}}"#);
        assert_eq!(
            one.merged(two).to_json(),
            r#"{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}}"#
        );
        assert_eq!(Capabilities::default().to_json(), "{}");
        let one = read(r#"{"tasks":{"list":{},"requests":{"tools":{"call":{}},"vendor":{"x":{}}}}}"#).await;
        let two = read(r#"{"tasks":{"cancel":{}}}"#).await;
        assert_eq!(
            one.merged(two).to_json(),
            r#"{"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}"#
        );
    }
}
