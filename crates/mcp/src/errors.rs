//! Answers that the gateway writes itself.
//!
//! In: an id as its sender wrote it and a text of ours. Out: one complete message. Invariant: apart from the id and
//! names out of the configuration nothing in them comes from a client or an upstream, so they may go anywhere.
//! Not here: deciding when something is an error.

use crate::ids::RawId;

/// JSON-RPC error codes that the gateway answers with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Code {
    /// The message is no JSON.
    Parse,
    /// The message is no request that we take.
    InvalidRequest,
    /// No such method here.
    MethodNotFound,
    /// The parameters cannot be used.
    InvalidParams,
    /// Something failed that the sender cannot mend.
    Internal,
    /// No upstream has the resource.
    ResourceNotFound,
    /// The request is turned away before it is read.
    Refused,
    /// Headers of HTTP and the body disagree.
    HeaderMismatch,
    /// Nobody here speaks that revision.
    UnsupportedVersion,
}

impl Code {
    /// The number on the wire.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::Parse => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::Internal => -32603,
            Self::ResourceNotFound => -32002,
            Self::Refused => -32000,
            Self::HeaderMismatch => -32020,
            Self::UnsupportedVersion => -32022,
        }
    }
}

/// An error answer.
#[must_use]
pub fn error(id: &RawId, code: Code, text: &str) -> String {
    let (number, text) = (code.number(), quoted(text));
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{number},"message":{text}}}}}"#)
}

/// The result of a tool call that failed, in the form that reaches the model.
#[must_use]
pub fn tool_error(id: &RawId, text: &str) -> String {
    let text = quoted(text);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":{text}}}],"isError":true}}}}"#
    )
}

/// The answer to `ping` and to other requests whose success says nothing.
#[must_use]
pub fn empty_result(id: &RawId) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

/// Tells an upstream that an answer to our request `number` is no longer wanted.
#[must_use]
pub fn cancelled(number: u64) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{number}}}}}"#)
}

/// `text` as a JSON string.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut inside = Vec::with_capacity(text.len());
    cloakgate_json::encode(text, &mut inside);
    format!("\"{}\"", String::from_utf8_lossy(&inside))
}

#[cfg(test)]
mod tests {
    use super::{Code, cancelled, empty_result, error, tool_error};
    use crate::ids::RawId;

    #[test]
    fn answers_are_messages_with_the_id_as_written() {
        let id = RawId::from_raw(br#""a\"1""#).expect("an id");
        for text in [
            error(&id, Code::Internal, "upstream `fs` said \"no\"\nand left"),
            tool_error(&id, "a \\ b"),
            empty_result(&id),
        ] {
            let document = cloakgate_json::scan(text.as_bytes()).expect("valid JSON");
            assert!(crate::read(&document, text.as_bytes()).is_ok(), "{text}");
            assert!(text.contains(r#""id":"a\"1""#), "{text}");
            assert!(!text.contains('\n'), "{text}");
        }
        assert!(cancelled(7).contains(r#""requestId":7"#));
    }
}
