//! Decides what of a message must be replaced. Pure: the vault is asked afterwards, then `finish` writes.
//!
//! In: a scanned message, a treatment per node, the session's keys and known values. Out: a `Plan`: the places
//! to replace and, for each, the value that wants a token.
//! Invariant: no text that restoring would change or refuse is left, other than the tokens that `finish` will
//! write: each rewritten string is read back as restoring would read it, and where that does not give exactly
//! the planned tokens in their places, the string is planned more strictly, at last as one whole.
//! Not here: the vault, writing, whether an upstream may be trusted.

mod blob;
mod contract;
mod findings;
mod forced;
mod seam;
mod strings;
mod tripwire;

use std::collections::HashSet;

use bytes::Bytes;
use cloakgate_detect::{CategorySet, Engine, FieldKind, KnownValues, Reach, Records};
use cloakgate_json::{Document, Edit, Kind, NodeId};
use cloakgate_vocab::{Category, Span, TokenId, UpstreamName};

use crate::beside;
use crate::data::Documents;
use crate::error::CloakError;
use crate::find;
use crate::keys::{Fingerprint, SessionKeys};
use crate::message::Cloaked;
use crate::schema::{Step, ToolSchema};
use crate::token::{self, Look};
use crate::treatment::Treatment;
use crate::vault::{Source, Wanted};

pub use findings::is_guessable;
pub use forced::Forced;

/// A message on its way to the model.
#[derive(Clone, Copy)]
pub struct CloakRequest<'a> {
    /// The message as it came.
    pub original: &'a Bytes,
    /// Its structure.
    pub document: &'a Document,
    /// One treatment a node.
    pub treatments: &'a [Treatment],
    /// Keys of the session.
    pub keys: &'a SessionKeys,
    /// The detectors that are switched on.
    pub engine: &'a Engine,
    /// What the session has cloaked before, in one index or several.
    pub known: &'a [&'a KnownValues],
    /// Who sent the message.
    pub upstream: &'a UpstreamName,
    /// Where values from this upstream are recognised again.
    pub reach: &'a Reach,
    /// The structured content of a tool's answer and the schemas of the tool.
    pub structured: Option<(NodeId, &'a ToolSchema)>,
    /// Categories whose values are blacked out for good instead of getting a token.
    pub redact: CategorySet,
    /// Longest text in characters; a longer one is an error.
    pub max_text_chars: Option<usize>,
    /// Values of few possibilities that the model wrote itself.
    pub written_by_model: &'a HashSet<Fingerprint>,
    /// What the tripwire found in an earlier plan of the same message.
    pub forced: &'a [Forced],
}

/// What is to be replaced, and what wants a token for it.
#[derive(Clone, Debug)]
pub struct Plan {
    original: Bytes,
    slots: Vec<Slot>,
    wanted: Vec<Wanted>,
    blobs: Vec<blob::Blob>,
    unread: Vec<NodeId>,
    /// Something is replaced in content that an output schema speaks about.
    under_contract: bool,
}

/// One place in the message that a token will take.
#[derive(Clone, Debug)]
struct Slot {
    /// Bytes of the message that go.
    raw: Span,
    fill: Fill,
    look: Look,
    /// Layers of JSON escapes around the quotes that a number's token needs; `None` for strings.
    quotes: Option<u8>,
    /// Where it stands in structured content, if it is all of a string or number that a schema speaks about.
    path: Option<Vec<Step>>,
}

/// What takes the place of a value.
#[derive(Clone, Copy, Debug)]
enum Fill {
    /// The token that answers this want.
    Token(usize),
    /// `[CATEGORY_REDACTED]`, which stands for nothing.
    Redacted(Category),
}

impl Plan {
    /// The values that want tokens, in order of appearance.
    #[must_use]
    pub fn wanted(&self) -> &[Wanted] {
        &self.wanted
    }

    /// Values that leave unread: the policy says so, or they are base64 of no text.
    #[must_use]
    pub fn unread(&self) -> &[NodeId] {
        &self.unread
    }

    /// Counts of what will be replaced, by category, for logs.
    pub fn categories(&self) -> impl Iterator<Item = Category> + '_ {
        self.slots.iter().filter_map(|slot| match slot.fill {
            Fill::Token(want) => self.wanted.get(want).map(|wanted| wanted.category),
            Fill::Redacted(category) => Some(category),
        })
    }

    /// Adds what is replaced in one string.
    fn add(
        &mut self,
        request: &CloakRequest<'_>,
        string: &strings::MessageString<'_>,
        mut replacements: Vec<findings::Replacement>,
    ) {
        let mut path = contract::path(request, string);
        if let Some(path) = &path {
            self.under_contract = true;
            contract::settle(request, string, path, &mut replacements);
        }
        if string.kind == FieldKind::Key || !contract::is_whole(string, &replacements) {
            path = None;
        }
        for replacement in replacements {
            let category = replacement.wanted.category;
            let redacted = request.redact.contains(category);
            let fill = if redacted { Fill::Redacted(category) } else { Fill::Token(self.wanted.len()) };
            self.slots.push(Slot {
                raw: string.in_message(replacement.in_string),
                fill,
                look: replacement.look,
                quotes: replacement.quotes,
                path: path.clone(),
            });
            if !redacted {
                self.wanted.push(replacement.wanted);
            }
        }
    }

    /// The text of one slot.
    fn text(&self, request: &CloakRequest<'_>, slot: &Slot, ids: &[TokenId]) -> Result<String, CloakError> {
        let unanswered = || CloakError::Answers { asked: self.wanted.len(), answered: ids.len() };
        let token = match (slot.fill, &slot.path) {
            (Fill::Token(want), path) => {
                let id = ids.get(want).copied().ok_or_else(unanswered)?;
                if path.is_some() {
                    let wanted = self.wanted.get(want).ok_or_else(unanswered)?;
                    return contract::stand_in(request, slot, id, &wanted.form.value);
                }
                token::write(id, request.keys, slot.look)
            }
            (Fill::Redacted(category), Some(_)) => return contract::redacted(request, slot, category),
            (Fill::Redacted(category), None) => token::redacted(category, slot.look),
        };
        Ok(slot.quotes.map_or_else(|| token.clone(), |layers| quoted(&token, layers)))
    }
}

/// Finds what must be replaced.
///
/// # Errors
/// When the treatments do not fit the document, a text is too long, or names could not be read.
pub fn plan(request: &CloakRequest<'_>) -> Result<Plan, CloakError> {
    if request.treatments.len() != request.document.len() {
        return Err(CloakError::Treatments {
            nodes: request.document.len(),
            treatments: request.treatments.len(),
        });
    }
    let records = Records::of(request.document, request.original);
    let documents = Documents::of(request.engine.fields(), (request.document, request.original), &records);
    let strings = strings::strings(request, &records, &documents);
    if let Some(max) = request.max_text_chars
        && strings.iter().any(|string| string.text().len() > max && string.text().chars().count() > max)
    {
        return Err(CloakError::TextTooLong { max });
    }
    let mut found = findings::detect(request, &strings)?;
    seam::join(request, &strings, &mut found);
    let units: Vec<_> = strings.iter().map(|string| (string.text(), string.outer(), string.record)).collect();
    beside::join(&units, &mut found);
    for (string, found) in strings.iter().zip(&mut found) {
        find::drop_allowed(request.engine, string.text(), string.outer(), found);
    }
    let own = findings::own_known_values(request, &strings, &found);
    let (blobs, unread) = blob::blobs(request)?;
    let mut plan = Plan {
        original: request.original.clone(),
        slots: Vec::new(),
        wanted: Vec::new(),
        blobs,
        unread,
        under_contract: false,
    };
    for (string, found) in strings.iter().zip(found) {
        let forced = forced::of_string(request, string);
        let replacements = findings::replacements(request, string, found, own.as_ref(), &forced);
        if !replacements.is_empty() {
            plan.add(request, string, replacements);
        }
    }
    for blob in &plan.blobs {
        plan.wanted.extend_from_slice(blob.plan.wanted());
    }
    Ok(plan)
}

/// Steps from `root` down to `node`, or `None` when the node is not below the root.
pub(crate) fn path_below(document: &Document, bytes: &[u8], root: NodeId, node: NodeId) -> Option<Vec<Step>> {
    let mut path = Vec::new();
    let mut at = node;
    while at != root {
        let parent = document.parent(at)?;
        path.push(match document.kind(parent) {
            Kind::Array => Step::Index(document.index(at) as usize),
            _ => Step::Key(document.key(bytes, at)?.into_owned()),
        });
        at = parent;
    }
    path.reverse();
    Some(path)
}

/// A message that was written and looked at once more.
#[derive(Clone, Debug)]
pub enum Finished {
    /// It may leave.
    Sealed(Cloaked<Bytes>),
    /// Something was still in it: the message must be planned again with these findings.
    Tripped(Vec<Forced>),
}

/// Writes the message, all tokens and all of `edits` (ids, names, cursors) in one splice, and lets the tripwire
/// look at the result.
///
/// # Errors
/// When `ids` does not answer the plan's wants one by one, edits overlap, a schema allows nothing in a value's place,
/// or a message that was planned with forced findings still holds something.
pub fn finish(
    request: &CloakRequest<'_>,
    plan: &Plan,
    ids: &[TokenId],
    edits: Vec<Edit>,
) -> Result<Finished, CloakError> {
    let unanswered = || CloakError::Answers { asked: plan.wanted.len(), answered: ids.len() };
    if ids.len() != plan.wanted.len() {
        return Err(unanswered());
    }
    let mut writing: Vec<(Edit, Origin)> = edits.into_iter().map(|edit| (edit, Origin::Gateway)).collect();
    for slot in &plan.slots {
        let text = plan.text(request, slot, ids)?;
        writing.push((Edit { span: slot.raw, text: text.into_bytes() }, Origin::Token));
    }
    let of_blobs: usize = plan.blobs.iter().map(|blob| blob.plan.wanted().len()).sum();
    let mut blob_ids = ids.get(plan.wanted.len() - of_blobs..).unwrap_or_default();
    for blob in &plan.blobs {
        let (own, rest) = blob_ids.split_at_checked(blob.plan.wanted().len()).ok_or_else(unanswered)?;
        writing.push((blob.edit(request, own)?, Origin::Gateway));
        blob_ids = rest;
    }
    writing.sort_by_key(|(edit, _)| edit.span);
    let written = Written::of(&writing);
    let edits: Vec<Edit> = writing.into_iter().map(|(edit, _)| edit).collect();
    let bytes = if edits.is_empty() {
        plan.original.clone()
    } else {
        cloakgate_json::splice(&plan.original, &edits).map_err(CloakError::Splice)?.into()
    };
    contract::check(request, plan, &bytes)?;
    let hits = tripwire::look(request, &bytes, &written.tokens)?;
    match hits.first() {
        None => Ok(Finished::Sealed(Cloaked::made(bytes))),
        Some(hit) if !request.forced.is_empty() => Err(CloakError::Tripwire { category: hit.category }),
        Some(_) => {
            Ok(Finished::Tripped(hits.into_iter().map(|hit| Forced::from_hit(hit, &written)).collect()))
        }
    }
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Origin {
    Gateway,
    Token,
}

/// Where edits stand in the written message, and the way back.
struct Written {
    /// Spans of tokens in the written message, in order.
    tokens: Vec<Span>,
    /// For each edit: its end in the original and its end in the written message.
    ends: Vec<(usize, usize)>,
}

impl Written {
    /// `edits` are sorted and do not overlap, or writing will fail.
    fn of(edits: &[(Edit, Origin)]) -> Self {
        let mut written = Self { tokens: Vec::new(), ends: Vec::with_capacity(edits.len()) };
        let (mut original_end, mut written_end) = (0, 0);
        for (edit, origin) in edits {
            let start = written_end + edit.span.start().saturating_sub(original_end);
            (original_end, written_end) = (edit.span.end(), start + edit.text.len());
            written.ends.push((original_end, written_end));
            if *origin == Origin::Token {
                written.tokens.push(Span::sized(start, edit.text.len()));
            }
        }
        written
    }

    /// The offset in the original of one in the written message that lies in no edit.
    fn in_original(&self, offset: usize) -> usize {
        let before = self.ends.partition_point(|(_, written_end)| *written_end <= offset);
        let (original_end, written_end) =
            before.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or_default();
        original_end + offset.saturating_sub(written_end)
    }
}

/// A token as a JSON string, inside so many layers of JSON.
fn quoted(token: &str, layers: u8) -> String {
    let mut text = format!("\"{token}\"");
    for _ in 0..layers {
        let mut escaped = Vec::with_capacity(text.len() + 4);
        cloakgate_json::encode(&text, &mut escaped);
        // Tokens are ASCII, so escaping them gives ASCII.
        text = String::from_utf8_lossy(&escaped).into_owned();
    }
    text
}

/// Who brought the values of this message.
fn source(request: &CloakRequest<'_>) -> Source {
    Source::Upstream(request.upstream.clone())
}

#[cfg(test)]
mod tests;
