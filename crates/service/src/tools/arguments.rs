//! The arguments of a call, read where they stand.
//!
//! In: a request whose keys are unique. Out: texts. Invariant: a text comes out as the characters that the caller wrote,
//! or not at all: the escape of half a character is refused, since it cannot be given back. What is wrong is said
//! without quoting. Unknown arguments are left alone.

use std::borrow::Cow;

use cloakgate_cloak::text::Mode;
use cloakgate_json::{Decoded, Kind, NodeId};
use cloakgate_wire::http::Call;

use super::answer::Shape;
use crate::texts::MAX_MESSAGES;

/// A call of a tool.
pub(super) struct Arguments<'a> {
    call: &'a Call,
    tool: Cow<'a, str>,
    /// The value of `arguments`, if there is one.
    node: Option<NodeId>,
}

/// What `cloak` is asked.
pub(super) struct CloakArguments {
    pub(super) messages: Vec<String>,
    pub(super) id: Option<String>,
    pub(super) shape: Shape,
}

/// What `uncloak` is asked.
pub(super) struct UncloakArguments<'a> {
    pub(super) message: Cow<'a, str>,
    pub(super) id: Cow<'a, str>,
    pub(super) mode: Mode,
}

/// What is wrong with arguments, to be shown to the caller.
type Wrong = &'static str;

impl<'a> Arguments<'a> {
    /// The call of a request; `None` when it names no tool.
    pub(super) fn read(call: &'a Call) -> Option<Self> {
        let params = call.params?;
        let name = call.document.member(&call.bytes, params, "name")?;
        let tool = call.document.text(&call.bytes, name)?;
        Some(Self { call, tool, node: call.document.member(&call.bytes, params, "arguments") })
    }

    pub(super) fn tool(&self) -> &str {
        &self.tool
    }

    pub(super) fn cloak(&self) -> Result<CloakArguments, Wrong> {
        let id = self.text("id", "`id` must be a string")?.map(Cow::into_owned);
        let message = self.text("message", "`message` must be a string")?;
        let list = self.member("messages")?;
        match (message, list) {
            (Some(message), None) => {
                Ok(CloakArguments { messages: vec![message.into_owned()], id, shape: Shape::One })
            }
            (None, Some(list)) => {
                Ok(CloakArguments { messages: self.texts(list)?, id, shape: Shape::Several })
            }
            (None, None) => Err("`message` is missing: give the text to cloak as `message`"),
            (Some(_), Some(_)) => Err("give `message` or `messages`, not both"),
        }
    }

    pub(super) fn uncloak(&self) -> Result<UncloakArguments<'a>, Wrong> {
        let message = self.text("message", "`message` must be a string")?;
        let message = message.ok_or("`message` is missing: give the text to uncloak as `message`")?;
        let id = self.text("id", "`id` must be a string")?;
        let id = id.ok_or("`id` is missing: give the id that `cloak` answered with as `id`")?;
        let mode = match self.text("mode", "`mode` must be `strict` or `lenient`")?.as_deref() {
            None | Some("lenient") => Mode::Lenient,
            Some("strict") => Mode::Strict,
            Some(_) => return Err("`mode` must be `strict` or `lenient`"),
        };
        Ok(UncloakArguments { message, id, mode })
    }

    /// An argument; one that is null is not given.
    fn member(&self, name: &str) -> Result<Option<NodeId>, Wrong> {
        let (document, bytes) = (&self.call.document, &self.call.bytes);
        let Some(node) = self.node else { return Ok(None) };
        if document.kind(node) != Kind::Object {
            return Err("`arguments` must be an object");
        }
        Ok(document.member(bytes, node, name).filter(|node| document.kind(*node) != Kind::Null))
    }

    fn text(&self, name: &str, wrong: Wrong) -> Result<Option<Cow<'a, str>>, Wrong> {
        self.member(name)?.map(|node| self.text_of(node, wrong)).transpose()
    }

    fn texts(&self, list: NodeId) -> Result<Vec<String>, Wrong> {
        const WRONG: Wrong = "`messages` must be an array of strings";
        if self.call.document.kind(list) != Kind::Array {
            return Err(WRONG);
        }
        // One more than there may be shows whoever counts that there are too many.
        let some = self.call.document.children(list).take(MAX_MESSAGES + 1);
        some.map(|node| self.text_of(node, WRONG).map(Cow::into_owned)).collect()
    }

    fn text_of(&self, node: NodeId, wrong: Wrong) -> Result<Cow<'a, str>, Wrong> {
        let (document, bytes) = (&self.call.document, &self.call.bytes);
        let text = document.text(bytes, node).ok_or(wrong)?;
        if document.escaped(node) && text.contains('\u{fffd}') {
            let span = document.span(node);
            let raw =
                bytes.get(span.start() + 1..span.end() - 1).and_then(|raw| std::str::from_utf8(raw).ok());
            if raw.is_none_or(|raw| Decoded::new(raw).is_lossy()) {
                return Err("a text holds the escape of half a character (a lone surrogate)");
            }
        }
        Ok(text)
    }
}
