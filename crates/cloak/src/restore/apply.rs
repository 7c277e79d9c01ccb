//! Writes the values of a message's tokens into it.

use bytes::Bytes;
use cloakgate_json::{Edit, Kind, NodeId};
use cloakgate_vocab::{Category, Span, TokenId};

use super::uses::{Reads, Use};
use super::{Destination, TokenScope, Unresolved};
use crate::error::CloakError;
use crate::interpreted::{Interpreter, armoured};
use crate::message::Restored;
use crate::place::{Context, Place};
use crate::schema::Types;
use crate::vault::{Entry, Form};

/// Token-like texts that are none, in one call: more than that is guessing, and refused in any case.
const MAX_FAILING_TOKENS: usize = 16;
/// Restoring may grow a message to so many times its size ...
const MAX_GROWTH_FACTOR: usize = 4;
/// ... and so many bytes more.
const MAX_GROWTH_BYTES: usize = 1 << 20;

/// Writes the message. `entries` answer `reads.ids()` one by one; `edits` are the gateway's own (ids, names).
///
/// # Errors
/// A refusal, when a token is not of this session, may not go to this destination, or cannot be written where
/// it stands without changing what an interpreted argument does.
pub fn restore(
    reads: &Reads,
    entries: &[Option<Entry>],
    destination: &Destination,
    mut edits: Vec<Edit>,
) -> Result<Restored<Bytes>, CloakError> {
    if entries.len() != reads.ids().len() {
        return Err(CloakError::Answers { asked: reads.ids().len(), answered: entries.len() });
    }
    let mut failing = reads.failing.clone();
    let mut keys_restored = Vec::new();
    for token in &reads.uses {
        let entry = entries.get(token.id).and_then(Option::as_ref);
        // The value is looked at to compare its shape.
        let named = |entry: &&Entry| {
            token.stand_in.as_ref().is_none_or(|stand_in| stand_in.is_for(entry.form.value.expose()))
        };
        let Some(entry) = entry.filter(named) else {
            // A number or a date that only happens to verify is what it looks like.
            if token.stand_in.is_none() {
                failing.extend(reads.ids().get(token.id));
            }
            continue;
        };
        check_destination(entry, destination)?;
        if token.key {
            keys_restored.push(token.node);
        }
        edits.push(write(&reads.original, token, entry)?);
    }
    refuse_failing(&failing, destination.unresolved)?;
    if edits.is_empty() {
        return Ok(Restored::made(reads.original.clone()));
    }
    let max = reads.original.len().saturating_mul(MAX_GROWTH_FACTOR).saturating_add(MAX_GROWTH_BYTES);
    let grown = edits.iter().map(|edit| edit.text.len()).fold(reads.original.len(), usize::saturating_add);
    if grown > max {
        return Err(CloakError::Growth { max });
    }
    edits.sort_by_key(|edit| edit.span);
    let bytes = cloakgate_json::splice(&reads.original, &edits).map_err(CloakError::Splice)?;
    check_keys(&bytes, &keys_restored)?;
    Ok(Restored::made(bytes))
}

/// After a key was restored, no object may hold a key twice: neither the message nor JSON in the strings whose
/// keys were restored, nor JSON in those.
fn check_keys(bytes: &[u8], restored: &[NodeId]) -> Result<(), CloakError> {
    if restored.is_empty() {
        return Ok(());
    }
    let document = cloakgate_json::scan(bytes).map_err(|_| CloakError::Invalid)?;
    if !document.duplicates().is_empty() {
        return Err(CloakError::DuplicateKeys);
    }
    let nested_twice =
        restored.iter().filter_map(|node| document.text(bytes, *node)).any(|text| holds_twice(&text));
    if nested_twice { Err(CloakError::DuplicateKeys) } else { Ok(()) }
}

/// True when a string holds JSON in which an object has a key twice, at any layer that is opened.
fn holds_twice(text: &str) -> bool {
    let mut texts = vec![text.to_owned()];
    for _ in 0..=crate::texts::MAX_LAYERS {
        let mut inner = Vec::new();
        for text in &texts {
            let Ok(document) = cloakgate_json::scan(text.as_bytes()) else { continue };
            if !document.duplicates().is_empty() {
                return true;
            }
            inner.extend(
                document
                    .nodes()
                    .filter_map(|node| document.text(text.as_bytes(), node))
                    .filter_map(|text| text.starts_with(['{', '[']).then(|| text.into_owned())),
            );
        }
        texts = inner;
    }
    false
}

fn refuse_failing(failing: &[TokenId], unresolved: Unresolved) -> Result<(), CloakError> {
    if failing.len() > MAX_FAILING_TOKENS {
        return Err(CloakError::TooManyUnresolved { found: failing.len(), max: MAX_FAILING_TOKENS });
    }
    match failing.first() {
        Some(id) if unresolved == Unresolved::Refuse => Err(CloakError::Unresolved { token: name(*id) }),
        _ => Ok(()),
    }
}

/// A token's name for people; the check characters stay out, so that an error never teaches one.
fn name(id: TokenId) -> String {
    format!("[{}_{}{}_...]", id.category, id.number, id.spelling)
}

fn check_destination(entry: &Entry, destination: &Destination) -> Result<(), CloakError> {
    if entry.is_home(&destination.upstream) {
        return Ok(());
    }
    let (token, target) = (name(entry.id), destination.upstream.clone());
    if entry.id.category.is_secret() {
        return Err(CloakError::ForeignSecret { token, target });
    }
    match destination.scope {
        TokenScope::Session => Ok(()),
        TokenScope::Upstream => Err(CloakError::WrongUpstream { token, target }),
    }
}

fn write(original: &[u8], token: &Use, entry: &Entry) -> Result<Edit, CloakError> {
    if token.whole
        && !token.key
        && let Some(edit) = as_number(original, token, entry)?
    {
        return Ok(edit);
    }
    let text = match &token.interpreter {
        Some((reader, argument)) if !token.whole => interpreted(token, entry, *reader, argument)?,
        _ => written(&entry.form, token.place)
            .ok_or_else(|| CloakError::Unwritable { token: name(entry.id) })?,
    };
    let mut escaped = Vec::with_capacity(text.len() + 8);
    if token.number {
        // Digits that stand for a text where text may stand.
        escaped.push(b'"');
    }
    cloakgate_json::encode(&text, &mut escaped);
    if token.number {
        escaped.push(b'"');
    }
    Ok(Edit { span: token.raw, text: escaped })
}

/// The characters to write at `place`: the raw form at home, else the value encoded for the place.
fn written(form: &Form, place: Place) -> Option<String> {
    // The value is looked at to be written into the message that asked for it.
    match &form.raw {
        Some(raw) if raw.home.is_none_or(|home| home == place) => Some(raw.text.expose().to_owned()),
        _ => place.encode(form.value.expose()).ok(),
    }
}

/// Inside a longer text that something runs, only the category's safe alphabet is written.
fn interpreted(
    token: &Use,
    entry: &Entry,
    reader: Interpreter,
    argument: &str,
) -> Result<String, CloakError> {
    let refused = || CloakError::Unsafe { token: name(entry.id), argument: argument.to_owned() };
    let category = entry.id.category;
    // The value is looked at to judge and write it.
    let value = entry.form.value.expose();
    let place = Place { depth: token.place.depth, context: Context::Plain };
    let encoded = token.place.context.is_url() && token.place.context != Context::UrlHost;
    if let Some(raw) = &entry.form.raw
        && raw.home.is_none_or(|home| home == token.place)
    {
        // The encoded form is what stood there: the percent signs of a file name, say.
        let raw = raw.text.expose();
        let plain = raw.replace(['%', '='], "-");
        let safe =
            encoded || armoured(category, &plain, reader, token.quotes).is_some_and(|text| text == plain);
        return if safe && !category.is_secret() && !raw.contains("--") {
            Ok(raw.to_owned())
        } else {
            Err(refused())
        };
    }
    if encoded && !category.is_secret() && value.chars().any(char::is_alphanumeric) {
        // Percent-encoded, no character keeps a meaning.
        return token.place.encode(value).map_err(|_| refused());
    }
    if token.place.context == Context::UrlHost && value.contains(char::is_whitespace) {
        return Err(refused());
    }
    let text = armoured(category, value, reader, token.quotes).ok_or_else(refused)?;
    place.encode(&text).map_err(|_| refused())
}

/// Where a number is wanted, or the value was one: the number, in place of the whole string.
fn as_number(original: &[u8], token: &Use, entry: &Entry) -> Result<Option<Edit>, CloakError> {
    // The value is looked at to be written into the message that asked for it.
    let value = entry.form.value.expose();
    let home = entry.form.raw.as_ref().and_then(|raw| raw.home);
    let born = home.is_some_and(|home| home.context == Context::Number);
    let wrong =
        |wanted| CloakError::WrongType { token: name(entry.id), argument: token.argument.clone(), wanted };
    let any = Types { integer: true, number: true, ..Types::default() };
    if token.place.depth > 0 {
        if token.number {
            let text = number(entry.id.category, value, any).ok_or_else(|| wrong("number"))?;
            return Ok(Some(Edit { span: token.raw, text: text.into_bytes() }));
        }
        let quoted = born && token.stand_in.is_none();
        return Ok(if quoted { nested_number(original, token, value) } else { None });
    }
    let Some(leaf) = token.leaf else { return Ok(None) };
    match token.types {
        Some(Types { string: true, .. }) => Ok(None),
        Some(types) if types.integer || types.number => {
            let wanted = if types.number { "number" } else { "integer" };
            let text = number(entry.id.category, value, types).ok_or_else(|| wrong(wanted))?;
            Ok(Some(Edit { span: leaf, text: text.into_bytes() }))
        }
        Some(types) if types.boolean => Err(wrong("boolean")),
        _ if token.number => {
            Ok(number(entry.id.category, value, any).map(|text| Edit { span: leaf, text: text.into_bytes() }))
        }
        // Digits in a text that stand for a number stay a text.
        _ if born && token.stand_in.is_none() => {
            Ok(Some(Edit { span: leaf, text: value.as_bytes().to_vec() }))
        }
        _ => Ok(None),
    }
}

/// The value as a JSON number of the wanted type: as it is, or, for numbers that people write in groups, its
/// digits.
fn number(category: Category, value: &str, types: Types) -> Option<String> {
    let is_number = |text: &str| {
        cloakgate_json::scan(text.as_bytes())
            .is_ok_and(|document| document.kind(NodeId::ROOT) == Kind::Number && !text.contains(' '))
    };
    let integer = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if is_number(value) && (types.number || integer(value)) {
        return Some(value.to_owned());
    }
    let grouped = matches!(
        category,
        Category::CreditCard
            | Category::Phone
            | Category::Ssn
            | Category::NationalId
            | Category::TaxId
            | Category::HealthId
            | Category::BankAccount
            | Category::OtherId
    );
    let digits: String = value.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')')).collect();
    (grouped && digits.bytes().all(|byte| byte.is_ascii_digit()) && is_number(&digits)).then_some(digits)
}

/// The edit that turns a token of a nested document, with the escaped quotes on both sides, into a number.
/// `None` when the quotes are not written in the usual way; then the value stays a string.
fn nested_number(original: &[u8], token: &Use, value: &str) -> Option<Edit> {
    // In the message's bytes one layer writes a quote as `\"`, the next as `\\\"`: the length doubles.
    let length = 1usize << token.place.depth.min(8);
    let mut quote = vec![b'\\'; length - 1];
    quote.push(b'"');
    let start = token.raw.start().checked_sub(length)?;
    let end = token.raw.end() + length;
    let quoted =
        original.get(start..token.raw.start())? == quote && original.get(token.raw.end()..end)? == quote;
    quoted.then_some(Edit { span: Span::new(start, end)?, text: value.as_bytes().to_vec() })
}
