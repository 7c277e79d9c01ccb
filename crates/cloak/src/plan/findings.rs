//! From findings to replacements: which characters of a string go, and which value each stands for.

use cloakgate_detect::{FieldKind, KnownValue, KnownValues, admit, canonical};
use cloakgate_vocab::{Category, Detector, Finding, Sensitive, Span, Spelling, Strength, TokenId};

use super::forced::ForcedInString;
use super::strings::MessageString;
use super::{CloakRequest, source};
use crate::context::Contexts;
use crate::error::CloakError;
use crate::find::{
    Found, Memory, Search, add, field, is_part, learn, read_names, recognise, replaced, values,
};
use crate::keys::TokenStyle;
use crate::place::{Context, Place};
use crate::reader;
use crate::restore::{TokenAt, tokens};
use crate::stand_in::{self, Shapes};
use crate::texts::{Text, walk};
use crate::token::{self, Look};
use crate::treatment::Treatment;
use crate::vault::{Form, RawForm, Wanted};

/// The rule that finds text which looks like one of our tokens.
const LITERAL: Detector = Detector("token-shaped text");

/// One replacement within one string.
pub(super) struct Replacement {
    pub(super) in_string: Span,
    pub(super) place: Place,
    pub(super) look: Look,
    pub(super) quotes: Option<u8>,
    pub(super) wanted: Wanted,
}

/// Runs the detectors over all strings.
pub(super) fn detect(
    request: &CloakRequest<'_>,
    strings: &[MessageString<'_>],
) -> Result<Vec<Found>, CloakError> {
    let search = Search { engine: request.engine, known: request.known, upstream: Some(request.upstream) };
    let mut found: Vec<Found> =
        strings.iter().map(|string| search.of(string.text(), string.outer())).collect();
    if request.engine.names().is_some() {
        let texts: Vec<_> = strings.iter().map(|string| (string.text(), string.outer())).collect();
        read_names(request.engine, &texts, &mut found)?;
    }
    Ok(found)
}

/// The values of this message itself, to be recognised in the rest of it. `None` when nothing was found.
pub(super) fn own_known_values(
    request: &CloakRequest<'_>,
    strings: &[MessageString<'_>],
    found: &[Found],
) -> Option<KnownValues> {
    let memory = Memory { key: request.keys.known_key(), reach: request.reach };
    let mut own: Option<KnownValues> = None;
    for (string, found) in strings.iter().zip(found) {
        learn(string.text(), string.outer(), found, memory, &mut own);
    }
    own
}

/// How tokens look in a string; the second is taken when reading back did not give the planned tokens.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Looks {
    /// Without brackets where a URI wants it.
    ByPlace,
    /// With brackets everywhere.
    Bracketed,
}

/// All replacements of one string, read back and found good.
pub(super) fn replacements(
    request: &CloakRequest<'_>,
    string: &MessageString<'_>,
    mut found: Found,
    own: Option<&KnownValues>,
    forced: &[ForcedInString],
) -> Vec<Replacement> {
    let mut index = 0;
    let mut placed = 0;
    walk(string.text(), string.outer(), &mut |text| {
        if let Some(found) = found.get_mut(index) {
            if let Some(own) = own {
                recognise(text, own, Some(request.upstream), found);
                if request.engine.fields().is_some() {
                    request.engine.drop_allowed(&field(text), found);
                }
            }
            let literals = literals(request, text, found);
            add(found, literals);
            let here: Vec<Finding> = forced.iter().filter_map(|forced| forced.in_text(text)).collect();
            placed += here.len();
            add(found, here);
        }
        index += 1;
    });
    if placed == forced.len() {
        if found.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        if let Some(planned) = read_back_plan(request, string, &found) {
            return planned;
        }
    }
    let mut whole = whole(request, string);
    let _ = read_back(request, string, &mut whole);
    whole
}

/// The plan of a string that reads back as planned, in the first look that does.
fn read_back_plan(
    request: &CloakRequest<'_>,
    string: &MessageString<'_>,
    found: &Found,
) -> Option<Vec<Replacement>> {
    for looks in [Looks::ByPlace, Looks::Bracketed] {
        let mut planned = planned(request, string, found, looks);
        if read_back(request, string, &mut planned) {
            return Some(planned);
        }
    }
    None
}

/// Text that restoring would change or refuse, and that is no token of this message. What is replaced as a whole
/// anyway is not read as a whole.
fn literals(request: &CloakRequest<'_>, text: &Text<'_>, found: &[Finding]) -> Vec<Finding> {
    let literal = |span| Finding::new(Category::Literal, span, LITERAL, Strength::Shape);
    let literals: Vec<_> =
        reader::read(text.text, request.keys).into_iter().map(|reading| literal(reading.span)).collect();
    let all = Span::sized(0, text.text.len());
    let alone = literals.is_empty()
        && text.kind != FieldKind::Key
        && !matches!(found, [one] if one.pieces == [all])
        && stand_in::read_whole(text.text, request.keys, (Shapes::ByKey, text.key)).is_some();
    if alone { vec![literal(all)] } else { literals }
}

fn planned(
    request: &CloakRequest<'_>,
    string: &MessageString<'_>,
    found: &Found,
    looks: Looks,
) -> Vec<Replacement> {
    let mut planned = Vec::new();
    let mut lists = found.iter();
    walk(string.text(), string.outer(), &mut |text| {
        let Some(findings) = lists.next().filter(|findings| !findings.is_empty()) else { return };
        let mut contexts = Contexts::of(text.text);
        for finding in findings {
            for (value, piece) in values(finding, text) {
                let stand = Stand { text, piece, context: contexts.at(piece), looks };
                planned.extend(replacement(request, string, finding, &value, &stand));
            }
        }
    });
    planned
}

/// Where a value stands in its text.
struct Stand<'a> {
    text: &'a Text<'a>,
    piece: Span,
    context: Context,
    looks: Looks,
}

fn replacement(
    request: &CloakRequest<'_>,
    string: &MessageString<'_>,
    finding: &Finding,
    value: &str,
    at: &Stand<'_>,
) -> Option<Replacement> {
    let number = at.text.kind == FieldKind::Number;
    let in_string = at.text.in_string(replaced(at.text, at.piece));
    let written = in_string.of(string.text())?;
    let context = if number { Context::Number } else { at.context };
    let place = Place { depth: at.text.depth, context };
    let value = if number { written } else { value };
    // The raw form is kept only where writing the value at its place would not give it back.
    let canonical_here = !number && place.encode(value).is_ok_and(|encoded| encoded == written);
    // A number is one spelling at whatever depth it stands.
    let home = if number { Place { depth: 0, context } } else { place };
    let raw = (!canonical_here).then(|| RawForm { text: Sensitive::new(written), home: Some(home) });
    let bare = string.treatment == Treatment::CloakUri || context.is_url();
    Some(Replacement {
        in_string,
        place,
        look: if bare && at.looks == Looks::ByPlace { Look::Bare } else { Look::Bracketed },
        quotes: number.then_some(place.depth),
        wanted: Wanted {
            known: if is_part(finding) { None } else { known(request, finding.category, value, at.text.key) },
            ..wanted(request, finding.category, value, raw)
        },
    })
}

fn wanted(request: &CloakRequest<'_>, category: Category, value: &str, raw: Option<RawForm>) -> Wanted {
    Wanted {
        category,
        identity: Sensitive::new(identity(request, category, value, raw.as_ref())),
        known: None,
        form: Form { value: Sensitive::new(value), raw },
        source: source(request),
    }
}

/// What makes two values the same. In plain style every exact form is an identity of its own. A value of few
/// possibilities that the model itself wrote is another identity than the same value in somebody's data: else a
/// model could write all of them, read them back, and learn from the one that comes back as an old token.
fn identity(request: &CloakRequest<'_>, category: Category, value: &str, raw: Option<&RawForm>) -> String {
    let canonical = canonical(category, value);
    if request.keys.style() == TokenStyle::Plain {
        // The raw form is looked at to tell it from others.
        let raw = raw.map(|raw| format!("\0{:?}\0{}", raw.home, raw.text.expose())).unwrap_or_default();
        return format!("{value}{raw}");
    }
    let written = request.written_by_model;
    if written.is_empty() || !is_guessable(category, &canonical) {
        return canonical;
    }
    if written.contains(&request.keys.fingerprint(category, &canonical)) {
        format!("\0written by the model\0{canonical}")
    } else {
        canonical
    }
}

/// True for values that a model could write out one by one: dates, short numbers and short words.
#[must_use]
pub fn is_guessable(category: Category, canonical: &str) -> bool {
    matches!(
        category,
        Category::DateOfBirth | Category::Date | Category::Age | Category::Weight | Category::Gender
    ) || canonical.chars().count() <= 9
}

fn known(
    request: &CloakRequest<'_>,
    category: Category,
    value: &str,
    key: Option<&str>,
) -> Option<KnownValue> {
    admit(request.keys.known_key(), category, value, key, request.reach.clone())
}

/// The whole string as one value: the last resort, for text that imitates tokens around real values.
fn whole(request: &CloakRequest<'_>, string: &MessageString<'_>) -> Vec<Replacement> {
    let text = string.text();
    let place = Place { depth: 0, context: Context::Plain };
    let raw = RawForm { text: Sensitive::new(text), home: None };
    vec![Replacement {
        in_string: Span::sized(0, text.len()),
        place,
        look: Look::Bracketed,
        quotes: None,
        wanted: wanted(request, Category::Literal, text, Some(raw)),
    }]
}

/// The whole string as one value of a category.
pub(super) fn one_value(
    request: &CloakRequest<'_>,
    string: &MessageString<'_>,
    category: Category,
) -> Replacement {
    let text = string.text();
    Replacement {
        in_string: Span::sized(0, text.len()),
        place: Place { depth: 0, context: Context::Plain },
        look: Look::Bracketed,
        quotes: None,
        wanted: Wanted {
            known: known(request, category, text, string.key.as_deref()),
            ..wanted(request, category, text, None)
        },
    }
}

/// Writes the string with tokens that all have the same number, and reads it as restoring would. False when that
/// does not give the planned tokens; where only their places differ, their raw forms are marked to be restored
/// everywhere.
fn read_back(request: &CloakRequest<'_>, string: &MessageString<'_>, planned: &mut [Replacement]) -> bool {
    let text = string.text();
    let Some((rewritten, expected)) = rewrite(request, string, planned, 0) else { return false };
    // A number's token is a string.
    let kind = if string.kind == FieldKind::Number { FieldKind::Text } else { string.kind };
    let read = tokens(&rewritten, kind, request.keys, (Shapes::ByKey, string.key.as_deref()));
    let same = read.len() == expected.len()
        && read.iter().zip(&expected).all(|(TokenAt { in_string, .. }, expected)| in_string == expected);
    if !same {
        return false;
    }
    let tokens =
        planned.iter_mut().filter(|replacement| !request.redact.contains(replacement.wanted.category));
    for (replacement, token) in tokens.zip(&read) {
        if token.place != replacement.place && replacement.quotes.is_none() {
            let written = replacement.in_string.of(text).unwrap_or_default();
            let raw = RawForm { text: Sensitive::new(written), home: None };
            let wanted = &mut replacement.wanted;
            // The value is looked at: in plain style its raw form is part of its identity.
            let identity = identity(request, wanted.category, wanted.form.value.expose(), Some(&raw));
            wanted.identity = Sensitive::new(identity);
            wanted.form.raw = Some(raw);
        }
    }
    true
}

/// The string with tokens of one number, and where these stand in it. `None` when replacements overlap.
pub(super) fn rewrite(
    request: &CloakRequest<'_>,
    string: &MessageString<'_>,
    planned: &[Replacement],
    number: u32,
) -> Option<(String, Vec<Span>)> {
    let text = string.text();
    let mut rewritten = String::with_capacity(text.len());
    let mut written: Vec<Span> = Vec::with_capacity(planned.len());
    let mut done = 0;
    for replacement in planned {
        let span = replacement.in_string;
        rewritten.push_str(text.get(done..span.start())?);
        done = span.end();
        let category = replacement.wanted.category;
        let redacted = request.redact.contains(category);
        let token = if redacted {
            token::redacted(category, replacement.look)
        } else {
            let id = TokenId { category, number, spelling: Spelling::new(0) };
            token::write(id, request.keys, replacement.look)
        };
        let start = rewritten.len();
        // The quotes of a number in the message itself are no part of the string.
        let quoted = match replacement.quotes {
            Some(layers) if layers > 0 => super::quoted(&token, layers - 1),
            _ => token.clone(),
        };
        // What is redacted stands for nothing, so nothing is to be read there.
        if !redacted {
            let inset = quoted.len().saturating_sub(token.len()) / 2;
            written.push(Span::sized(start + inset, token.len()));
        }
        rewritten.push_str(&quoted);
    }
    rewritten.push_str(text.get(done..).unwrap_or_default());
    Some((rewritten, written))
}
