//! The parts of a message that a fake server looks at; everything else stays raw.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// What came in, borrowed from its line.
#[derive(Deserialize)]
pub(crate) struct Incoming<'a> {
    /// Raw, so that it goes back as it came.
    #[serde(borrow)]
    pub(crate) id: Option<&'a RawValue>,
    /// Missing in answers.
    #[serde(borrow)]
    pub(crate) method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) params: Option<&'a RawValue>,
}

impl<'a> Incoming<'a> {
    pub(crate) fn read(line: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }

    pub(crate) fn params(&self) -> Params<'a> {
        self.params.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }
}

/// Parameters that the fake servers know.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Params<'a> {
    #[serde(borrow)]
    pub(crate) name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) uri: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "protocolVersion")]
    pub(crate) protocol_version: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) arguments: HashMap<Cow<'a, str>, &'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    pub(crate) meta: HashMap<Cow<'a, str>, &'a RawValue>,
}

/// Appends an answer with a raw result.
pub(crate) fn result(out: &mut Vec<u8>, id: &RawValue, result: &[u8]) {
    outcome(out, id, b"result", result);
}

/// Appends an answer with a raw error.
pub(crate) fn error(out: &mut Vec<u8>, id: &RawValue, error: &[u8]) {
    outcome(out, id, b"error", error);
}

fn outcome(out: &mut Vec<u8>, id: &RawValue, member: &[u8], raw: &[u8]) {
    for piece in [b"{\"jsonrpc\":\"2.0\",\"id\":", id.get().as_bytes(), b",\"", member, b"\":", raw, b"}\n"] {
        out.extend_from_slice(piece);
    }
}
