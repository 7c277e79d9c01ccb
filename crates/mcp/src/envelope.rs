//! Decides what one JSON-RPC message is.
//!
//! In: a scanned message. Out: request, notification or response, with the places of its parts. Invariant: what is
//! returned has `jsonrpc` 2.0, no key twice, `params` that are an object where there are any, and an id that can be
//! written back. Not here: what methods mean.

use cloakgate_json::{Document, Kind, NodeId};

use crate::ids::{IdError, RawId};

/// One readable message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Envelope {
    /// Wants an answer.
    Request(Request),
    /// Wants none.
    Notification(Notification),
    /// Is an answer.
    Response(Response),
}

/// A request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Request {
    /// Its id as written.
    pub id: RawId,
    /// Where the id stands.
    pub id_node: NodeId,
    /// Decoded name of the method.
    pub method: String,
    /// The object of parameters, if there is one.
    pub params: Option<NodeId>,
}

/// A notification.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Notification {
    /// Decoded name of the method.
    pub method: String,
    /// The object of parameters, if there is one.
    pub params: Option<NodeId>,
}

/// An answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Response {
    /// Id of the request that it answers; `null` when the answerer could not read it.
    pub id: RawId,
    /// Where the id stands.
    pub id_node: NodeId,
    /// What the answer is.
    pub outcome: Outcome,
}

/// What an answer says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// The value of `result`.
    Result(NodeId),
    /// The value of `error`.
    Error(NodeId),
}

/// A message that is no JSON-RPC message that we take.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct Invalid {
    /// What is wrong.
    pub why: InvalidReason,
    /// The id, where it could be read without doubt.
    pub id: Option<RawId>,
    /// Whether the message has a `method`, and so is no answer.
    pub has_method: bool,
}

/// What is wrong with a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidReason {
    /// An array of messages.
    #[error("batches are not supported: send one message a line")]
    Batch,
    /// Not an object.
    #[error("a message must be an object")]
    NotAnObject,
    /// A key of the envelope stands twice.
    #[error("a message may not have a key twice")]
    DuplicateKey,
    /// `jsonrpc` is missing or other than 2.0.
    #[error("`jsonrpc` must be \"2.0\"")]
    Version,
    /// `method` is no string.
    #[error("`method` must be a string")]
    Method,
    /// `params` is no object.
    #[error("`params` must be an object")]
    Params,
    /// The id cannot be one.
    #[error(transparent)]
    Id(#[from] IdError),
    /// A request with the id `null`.
    #[error("the id of a request may not be null")]
    NullId,
    /// Neither a method nor exactly one of result and error.
    #[error("a message must have a method, a result or an error")]
    Shape,
}

/// The members of an envelope that have a meaning.
#[derive(Default)]
struct Members {
    jsonrpc: Option<NodeId>,
    id: Option<NodeId>,
    method: Option<NodeId>,
    params: Option<NodeId>,
    result: Option<NodeId>,
    error: Option<NodeId>,
}

/// Reads the envelope of a scanned message.
///
/// # Errors
/// When it is none that we take; with the id where there is one to answer to.
pub fn read(document: &Document, bytes: &[u8]) -> Result<Envelope, Invalid> {
    let nowhere = |why| Invalid { why, id: None, has_method: false };
    match document.kind(NodeId::ROOT) {
        Kind::Object => {}
        Kind::Array => return Err(nowhere(InvalidReason::Batch)),
        _ => return Err(nowhere(InvalidReason::NotAnObject)),
    }
    let members = members(document, bytes);
    let twice = document.duplicates().iter().filter(|pair| document.parent(pair.again) == Some(NodeId::ROOT));
    let (mut any_twice, mut id_twice) = (false, false);
    for pair in twice {
        any_twice = true;
        id_twice |= Some(pair.first) == members.id;
    }
    let id = members.id.filter(|_| !id_twice).map(|node| (node, raw_id(document, bytes, node)));
    let has_method = members.method.is_some();
    let invalid = |why| {
        let id = id.as_ref().and_then(|(_, id)| id.clone().ok()).filter(|id| *id != RawId::null());
        Invalid { why, id, has_method }
    };
    if any_twice {
        return Err(invalid(InvalidReason::DuplicateKey));
    }
    if members.jsonrpc.and_then(|node| document.text(bytes, node)).is_none_or(|version| version != "2.0") {
        return Err(invalid(InvalidReason::Version));
    }
    let id = match id.clone() {
        Some((node, Ok(id))) => Some((node, id)),
        Some((_, Err(error))) => return Err(invalid(error.into())),
        None => None,
    };
    if members.method.is_some() {
        return call(document, bytes, &members, id).map_err(invalid);
    }
    answer(&members, id).map_err(invalid)
}

fn members(document: &Document, bytes: &[u8]) -> Members {
    let mut members = Members::default();
    for child in document.children(NodeId::ROOT) {
        let Some(key) = document.key(bytes, child) else { continue };
        let slot = match key.as_ref() {
            "jsonrpc" => &mut members.jsonrpc,
            "id" => &mut members.id,
            "method" => &mut members.method,
            "params" => &mut members.params,
            "result" => &mut members.result,
            "error" => &mut members.error,
            _ => continue,
        };
        slot.get_or_insert(child);
    }
    members
}

fn raw_id(document: &Document, bytes: &[u8], node: NodeId) -> Result<RawId, IdError> {
    RawId::from_raw(bytes.get(document.span(node).range()).unwrap_or_default())
}

fn call(
    document: &Document,
    bytes: &[u8],
    members: &Members,
    id: Option<(NodeId, RawId)>,
) -> Result<Envelope, InvalidReason> {
    let method = members.method.and_then(|node| document.text(bytes, node)).ok_or(InvalidReason::Method)?;
    let method = method.into_owned();
    let params = match members.params.map(|node| (node, document.kind(node))) {
        Some((node, Kind::Object)) => Some(node),
        // Clients that serialise absent parameters as null exist, and servers take it.
        Some((_, Kind::Null)) | None => None,
        Some(_) => return Err(InvalidReason::Params),
    };
    Ok(match id {
        Some((_, id)) if id == RawId::null() => return Err(InvalidReason::NullId),
        Some((id_node, id)) => Envelope::Request(Request { id, id_node, method, params }),
        None => Envelope::Notification(Notification { method, params }),
    })
}

fn answer(members: &Members, id: Option<(NodeId, RawId)>) -> Result<Envelope, InvalidReason> {
    let outcome = match (members.result, members.error) {
        (Some(result), None) => Outcome::Result(result),
        (None, Some(error)) => Outcome::Error(error),
        _ => return Err(InvalidReason::Shape),
    };
    let (id_node, id) = id.ok_or(InvalidReason::Shape)?;
    Ok(Envelope::Response(Response { id, id_node, outcome }))
}

#[cfg(test)]
mod tests {
    use super::{Envelope, InvalidReason, Outcome, read};

    fn shape(text: &str) -> String {
        let document = cloakgate_json::scan(text.as_bytes()).expect("valid JSON");
        match read(&document, text.as_bytes()) {
            Ok(Envelope::Request(request)) => {
                format!("request {} {} {}", request.id, request.method, request.params.is_some())
            }
            Ok(Envelope::Notification(note)) => {
                format!("notification {} {}", note.method, note.params.is_some())
            }
            Ok(Envelope::Response(response)) => match response.outcome {
                Outcome::Result(_) => format!("result {}", response.id),
                Outcome::Error(_) => format!("error {}", response.id),
            },
            Err(invalid) => format!("{:?} {:?}", invalid.why, invalid.id.map(|id| id.to_string())),
        }
    }

    #[test]
    fn messages_are_told_apart() {
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":"1","method":"ping"}"#, r#"request "1" ping false"#),
            (r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{}}"#, "request 1 a true"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"a","params":null}"#, "request 1 a false"),
            (r#"{"jsonrpc":"2.0","method":"a\u002fb","params":{}}"#, "notification a/b true"),
            (r#"{"id":1e0,"result":null,"jsonrpc":"2.0"}"#, "result 1e0"),
            (r#"{"jsonrpc":"2.0","id":null,"error":{}}"#, "error null"),
        ] {
            assert_eq!(shape(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_message_says_why_and_to_whom() {
        for (text, why, id) in [
            ("[]", InvalidReason::Batch, None),
            ("1", InvalidReason::NotAnObject, None),
            (r#"{"id":1,"method":"a"}"#, InvalidReason::Version, Some("1")),
            (r#"{"jsonrpc":"2.0","id":1,"method":2}"#, InvalidReason::Method, Some("1")),
            (r#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#, InvalidReason::Params, Some("1")),
            (r#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, InvalidReason::NullId, None),
            (r#"{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"a"}"#, InvalidReason::DuplicateKey, None),
            (r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}"#, InvalidReason::DuplicateKey, Some("1")),
            (r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#, InvalidReason::Shape, Some("1")),
            (r#"{"jsonrpc":"2.0","result":1}"#, InvalidReason::Shape, None),
            (r#"{"jsonrpc":"2.0","id":1}"#, InvalidReason::Shape, Some("1")),
        ] {
            assert_eq!(shape(text), format!("{why:?} {:?}", id.map(ToOwned::to_owned)), "{text}");
        }
        assert_eq!(shape(r#"{"jsonrpc":"2.0","id":{},"method":"a"}"#), "Id(Kind) None");
    }
}
