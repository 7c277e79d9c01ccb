//! Keeps the structured content of a tool's answer within the tool's output schema.
//!
//! In: a plan, then the ids of its values. Out: for a value that is all of its string or number, a token if the
//! schema allows one there, else the first stand-in that it allows. Values in a text that could not hold their tokens
//! become one value with it.
//! Invariant: content that obeyed its schema obeys it when it leaves, as far as we understand the schema, or nothing
//! leaves. Content that did not obey gets tokens as if there were no schema. Not here: how stand-ins are written.

use cloakgate_detect::FieldKind;
use cloakgate_vocab::{Category, Sensitive, Span, TokenId};
use serde_json::Value;

use super::findings::{self, Replacement};
use super::strings::MessageString;
use super::{CloakRequest, Plan, Slot, path_below};
use crate::error::CloakError;
use crate::keys::TokenStyle;
use crate::schema::{Step, ToolSchema};
use crate::stand_in::{self, Family, OF_STRINGS};
use crate::token::{self, Look};

/// Stand-ins of numbers so high take the place of those that are not known yet.
const LIKELY_NUMBER: u32 = 9999;

/// Where a string stands in the structured content; `None` outside of it, and where nothing says what it must be.
pub(super) fn path(request: &CloakRequest<'_>, string: &MessageString<'_>) -> Option<Vec<Step>> {
    let (root, schema) = request.structured?;
    if !schema.has_output() {
        return None;
    }
    path_below(request.document, request.original, root, string.node)
}

/// Makes a string one value where its tokens would break the contract.
pub(super) fn settle(
    request: &CloakRequest<'_>,
    string: &MessageString<'_>,
    path: &[Step],
    replacements: &mut Vec<Replacement>,
) {
    let Some((_, schema)) = request.structured else { return };
    if string.kind != FieldKind::Text || string.outer().lossy || is_whole(string, replacements) {
        return;
    }
    let Some((text, _)) = findings::rewrite(request, string, replacements, LIKELY_NUMBER) else { return };
    let fits = |text: &str| schema.output_fits(path, &Value::from(text));
    if fits(&text) || !fits(string.text()) {
        return;
    }
    let category = replacements.iter().map(|one| one.wanted.category).find(|one| *one != Category::Literal);
    *replacements = vec![findings::one_value(request, string, category.unwrap_or(Category::Literal))];
}

/// True when one value is all of the string or number.
pub(super) fn is_whole(string: &MessageString<'_>, replacements: &[Replacement]) -> bool {
    let all = Span::sized(0, string.text().len());
    matches!(replacements, [one] if one.in_string == all && one.place.depth == 0)
}

/// The text that takes the place of a value: a token, or what the schema allows.
pub(super) fn stand_in(
    request: &CloakRequest<'_>,
    slot: &Slot,
    id: TokenId,
    value: &Sensitive,
) -> Result<String, CloakError> {
    let usual = token::write(id, request.keys, slot.look);
    // The value is looked at for its shape, and to see whether it obeyed the schema itself.
    let value = value.expose();
    if slot.quotes.is_some() {
        return number(request, slot, &usual, (id, value));
    }
    let bare = match request.keys.style() {
        TokenStyle::Checked => Some(token::write(id, request.keys, Look::Bare)),
        TokenStyle::Plain => None,
    };
    let families = OF_STRINGS.iter().filter_map(|family| family.write(id, value, request.keys));
    choose(request, slot, usual, bare.into_iter().chain(families), &Value::from(value))
}

/// The text that takes the place of a value that is gone for good.
pub(super) fn redacted(
    request: &CloakRequest<'_>,
    slot: &Slot,
    category: Category,
) -> Result<String, CloakError> {
    let usual = token::redacted(category, slot.look);
    if let Some(layers) = slot.quotes {
        let quoted = super::quoted(&usual, layers);
        return if fits(request, slot, &Value::from(usual)) { Ok(quoted) } else { Err(none(request, slot)) };
    }
    let families = OF_STRINGS.iter().filter_map(|family: &Family| family.redacted(category));
    // Whether the value obeyed is not asked: it is not kept.
    choose(request, slot, usual, families, &Value::Null)
}

fn number(
    request: &CloakRequest<'_>,
    slot: &Slot,
    token: &str,
    (id, value): (TokenId, &str),
) -> Result<String, CloakError> {
    let quoted = super::quoted(token, slot.quotes.unwrap_or_default());
    if fits(request, slot, &Value::from(token)) {
        return Ok(quoted);
    }
    let parse = |digits: &str| serde_json::from_str::<Value>(digits).ok();
    if let Some(digits) = stand_in::number(id, value, request.keys)
        && parse(&digits).is_some_and(|number| fits(request, slot, &number))
    {
        return Ok(digits);
    }
    if parse(value).is_some_and(|number| fits(request, slot, &number)) {
        Err(none(request, slot))
    } else {
        Ok(quoted)
    }
}

/// The first text that fits; the usual one where the value itself did not fit.
fn choose(
    request: &CloakRequest<'_>,
    slot: &Slot,
    usual: String,
    others: impl Iterator<Item = String>,
    value: &Value,
) -> Result<String, CloakError> {
    if fits(request, slot, &Value::from(usual.as_str())) {
        return Ok(usual);
    }
    for text in others {
        if fits(request, slot, &Value::from(text.as_str())) {
            return Ok(text);
        }
    }
    if value.is_null() || fits(request, slot, value) { Err(none(request, slot)) } else { Ok(usual) }
}

fn fits(request: &CloakRequest<'_>, slot: &Slot, value: &Value) -> bool {
    let (Some((_, schema)), Some(path)) = (request.structured, &slot.path) else { return true };
    schema.output_fits(path, value)
}

fn none(request: &CloakRequest<'_>, slot: &Slot) -> CloakError {
    let path = slot.path.as_deref().unwrap_or_default();
    let pointer = request.structured.map(|(_, schema)| schema.output_pointer(path)).unwrap_or_default();
    CloakError::NoStandIn { pointer }
}

/// Looks at the structured content as it would leave.
///
/// # Errors
/// When it does not obey its schema any more.
pub(super) fn check(request: &CloakRequest<'_>, plan: &Plan, bytes: &[u8]) -> Result<(), CloakError> {
    let Some((root, schema)) = request.structured.filter(|_| plan.under_contract) else { return Ok(()) };
    let document = cloakgate_json::scan(bytes).map_err(|_| CloakError::Invalid)?;
    let written = bytes.get(document.span(root).range());
    let original = request.original.get(request.document.span(root).range());
    if obeys(schema, written) || !obeys(schema, original) { Ok(()) } else { Err(CloakError::BrokenContract) }
}

/// What cannot be parsed into ordinary values (numbers beyond all bounds, half characters) is not judged.
fn obeys(schema: &ToolSchema, content: Option<&[u8]>) -> bool {
    let parsed = content.and_then(|content| serde_json::from_slice::<Value>(content).ok());
    parsed.is_none_or(|content| schema.output_obeyed(&content))
}
