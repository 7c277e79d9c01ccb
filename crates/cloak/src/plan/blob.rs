//! Text that travels as base64: decoded, cloaked like any text, and encoded again.
//!
//! In: strings that the policy says are base64. Out: a plan for the text inside each. What does not decode to text
//! (images, archives) is left as it is and counted. Not here: base64 that detectors come upon inside other text;
//! that is masked whole.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use bytes::Bytes;
use cloakgate_json::{Document, Edit, Kind, NodeId};
use cloakgate_vocab::{Span, TokenId};

use super::{CloakRequest, Finished, Plan};
use crate::error::CloakError;
use crate::treatment::Treatment;

/// Reads with and without padding.
const DECODER: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A base64 string whose text holds something.
#[derive(Clone, Debug)]
pub(super) struct Blob {
    /// The string's contents in the message, quotes not included.
    raw: Span,
    /// The text as a JSON document of one string.
    text: Bytes,
    document: Document,
    pub(super) plan: Plan,
}

/// Plans the blobs of a message. Also returns the nodes that are no text.
pub(super) fn blobs(request: &CloakRequest<'_>) -> Result<(Vec<Blob>, Vec<NodeId>), CloakError> {
    let mut blobs = Vec::new();
    let mut unread = Vec::new();
    for (node, treatment) in request.document.nodes().zip(request.treatments) {
        match treatment {
            Treatment::Scan => unread.push(node),
            Treatment::CloakBase64 if request.document.kind(node) == Kind::String => {
                match decoded(request, node) {
                    Some((raw, text)) => blobs.extend(blob(request, raw, &text)?),
                    None => unread.push(node),
                }
            }
            _ => {}
        }
    }
    Ok((blobs, unread))
}

/// The contents of a base64 string and the text in it, if it is text.
fn decoded(request: &CloakRequest<'_>, node: NodeId) -> Option<(Span, String)> {
    let span = request.document.span(node);
    let raw = Span::new(span.start() + 1, span.end().checked_sub(1)?)?;
    // Escapes (`\/`) and line ends are no part of the base64.
    let mut written = request.document.text(request.original, node)?.into_owned();
    written.retain(|c| !c.is_ascii_whitespace());
    let bytes = DECODER.decode(written).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let binary =
        text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}'));
    (!binary).then_some((raw, text))
}

fn blob(request: &CloakRequest<'_>, raw: Span, text: &str) -> Result<Option<Blob>, CloakError> {
    let mut quoted = Vec::with_capacity(text.len() + 2);
    quoted.push(b'"');
    cloakgate_json::encode(text, &mut quoted);
    quoted.push(b'"');
    let text = Bytes::from(quoted);
    let document = cloakgate_json::scan(&text).map_err(|_| CloakError::Invalid)?;
    let plan = super::plan(&inner(request, &text, &document))?;
    Ok((!plan.slots.is_empty()).then_some(Blob { raw, text, document, plan }))
}

fn inner<'a>(request: &CloakRequest<'a>, text: &'a Bytes, document: &'a Document) -> CloakRequest<'a> {
    CloakRequest {
        original: text,
        document,
        treatments: &[Treatment::Cloak],
        structured: None,
        forced: &[],
        ..*request
    }
}

impl Blob {
    /// The edit that writes the blob with its tokens.
    pub(super) fn edit(&self, request: &CloakRequest<'_>, ids: &[TokenId]) -> Result<Edit, CloakError> {
        let request = inner(request, &self.text, &self.document);
        let written = match super::finish(&request, &self.plan, ids, Vec::new())? {
            Finished::Sealed(written) => written,
            Finished::Tripped(hits) => {
                let category = hits.first().map_or(cloakgate_vocab::Category::Other, super::Forced::category);
                return Err(CloakError::Tripwire { category });
            }
        };
        let document = cloakgate_json::scan(written.bytes()).map_err(|_| CloakError::Invalid)?;
        let text = document.text(written.bytes(), NodeId::ROOT).ok_or(CloakError::Invalid)?;
        Ok(Edit { span: self.raw, text: STANDARD.encode(text.as_bytes()).into_bytes() })
    }
}
