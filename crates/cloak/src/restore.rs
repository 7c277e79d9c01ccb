//! Turns tokens into values, for the place that each stands in.
//!
//! In: a scanned message towards an upstream, then the vault's entries. Out: `Restored` bytes, or a refusal that
//! the model can act on. One pass over the strings, independent of how many tokens the session has.
//! Invariant: this is the one place where a value is put back, in every direction, so every rule about who may
//! receive what is checked here. Restored text is never read again. Not here: finding the entries.

mod apply;
mod fresh;
mod uses;

use cloakgate_detect::{FieldKind, Hints};
use cloakgate_vocab::{Span, TokenId, UpstreamName};

use crate::context::Contexts;
use crate::interpreted::{QuoteReader, Quotes};
use crate::keys::SessionKeys;
use crate::place::{Context, Place};
use crate::reader::{self, Verdict};
use crate::stand_in::{self, Shapes};
use crate::texts::{Outer, Text, walk};

pub use apply::restore;
pub use fresh::{FreshValue, fresh_values};
pub use uses::{Reads, RestoreRequest, read};

/// Whether a token may go to another server than the one its value came from.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum TokenScope {
    /// Anywhere in the session, secrets excepted.
    #[default]
    Session,
    /// Only to a server that has shown this very spelling.
    Upstream,
}

/// What happens to token-like text that is none of this session.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Unresolved {
    /// The call is refused, naming the token.
    #[default]
    Refuse,
    /// It passes as text.
    Pass,
}

/// Who receives the message, and what that one may have.
#[derive(Clone, Debug)]
pub struct Destination {
    /// The receiving upstream.
    pub upstream: UpstreamName,
    /// Scope of tokens.
    pub scope: TokenScope,
    /// What happens to unresolved tokens.
    pub unresolved: Unresolved,
}

/// A token in a string, with its place.
pub(crate) struct TokenAt {
    pub(crate) in_string: Span,
    pub(crate) place: Place,
    pub(crate) id: TokenId,
    pub(crate) verdict: Verdict,
    /// What its innermost text is.
    pub(crate) kind: FieldKind,
    /// The token is all there is in its innermost text.
    pub(crate) whole: bool,
    /// Nearest key inside the string, where it holds JSON.
    pub(crate) key: Option<String>,
    /// Quotes that are open in front of it.
    pub(crate) quotes: Quotes,
    /// How it is known, where it is no token but a stand-in that is read only as all there is.
    pub(crate) stand_in: Option<StandIn>,
}

/// A stand-in that verifies by its place and a few bits, so that it counts only where the session has its entry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct StandIn {
    /// Its text, where it has the shape of its value.
    pub(crate) shape: Option<String>,
}

impl StandIn {
    /// Whether it can stand for a value.
    pub(crate) fn is_for(&self, value: &str) -> bool {
        self.shape.as_ref().is_none_or(|text| stand_in::same_shape(text, value))
    }
}

/// Reads all tokens of a string, through JSON that it may hold. `shapes` speaks of the string as a whole, `key` is
/// the nearest key above it.
pub(crate) fn tokens(
    string: &str,
    kind: FieldKind,
    keys: &SessionKeys,
    (shapes, key): (Shapes, Option<&str>),
) -> Vec<TokenAt> {
    let mut tokens = Vec::new();
    let outer = Outer { kind, key: None, siblings: Hints::default(), lossy: false, within: None };
    walk(string, outer, &mut |text| {
        let readings =
            if text.kind == FieldKind::Number { Vec::new() } else { reader::read(text.text, keys) };
        if readings.is_empty() {
            let own = if text.depth == 0 { shapes } else { Shapes::ByKey };
            tokens.extend(whole_stand_in(text, keys, own, text.key.or(key)));
            return;
        }
        let mut contexts = Contexts::of(text.text);
        let mut quotes = QuoteReader::default();
        for reading in readings {
            tokens.push(TokenAt {
                in_string: text.in_string(reading.span),
                place: Place { depth: text.depth, context: contexts.at(reading.span) },
                id: reading.id,
                verdict: reading.verdict,
                kind: text.kind,
                whole: reading.whole,
                key: text.key.map(str::to_owned),
                quotes: quotes.at(text.text, reading.span.start()),
                stand_in: None,
            });
        }
    });
    tokens
}

/// A text that is a stand-in as a whole.
fn whole_stand_in(text: &Text<'_>, keys: &SessionKeys, shapes: Shapes, key: Option<&str>) -> Option<TokenAt> {
    if text.kind == FieldKind::Key {
        return None;
    }
    let found = stand_in::read_whole(text.text, keys, (shapes, key))?;
    let context = if text.kind == FieldKind::Number { Context::Number } else { Context::Plain };
    Some(TokenAt {
        in_string: text.in_string(Span::sized(0, text.text.len())),
        place: Place { depth: text.depth, context },
        id: found.id,
        verdict: Verdict::Verified,
        kind: text.kind,
        whole: true,
        key: text.key.map(str::to_owned),
        quotes: Quotes::default(),
        stand_in: Some(StandIn { shape: found.shaped.then(|| text.text.to_owned()) }),
    })
}
