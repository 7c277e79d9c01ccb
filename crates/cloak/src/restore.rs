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
use crate::place::Place;
use crate::reader::{self, Verdict};
use crate::texts::{Outer, walk};

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
}

/// Reads all tokens of a string, through JSON that it may hold.
pub(crate) fn tokens(string: &str, kind: FieldKind, keys: &SessionKeys) -> Vec<TokenAt> {
    let mut tokens = Vec::new();
    let outer = Outer { kind, key: None, siblings: Hints::default(), lossy: false };
    walk(string, outer, &mut |text| {
        if text.kind == FieldKind::Number {
            return;
        }
        let readings = reader::read(text.text, keys);
        if readings.is_empty() {
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
            });
        }
    });
    tokens
}
