//! How a token is written.
//!
//! In: an id and the session's keys. Out: `[EMAIL_0b_k7q]`, or `EMAIL_0b_k7q` where brackets cannot stand.
//! Grammar: `\[?[A-Z][A-Z_]*[A-Z]_[0-9]+[a-z]*_[0-9a-hjkmnp-tv-z]{3}\]?`.

use std::fmt::Write as _;

use cloakgate_vocab::TokenId;

use crate::keys::SessionKeys;

/// Whether a token carries its brackets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Look {
    /// `[EMAIL_0_k7q]`, everywhere but where brackets are not allowed.
    Bracketed,
    /// `EMAIL_0_k7q`, in URIs, file names and identifiers.
    Bare,
}

/// The canonical text of a token, with brackets: what the model is shown.
#[must_use]
pub fn token_text(id: TokenId, keys: &SessionKeys) -> String {
    write(id, keys, Look::Bracketed)
}

/// Writes a token. The text is ASCII and needs no escape in JSON, HTML, CSV, or, bare, in a URI.
pub(crate) fn write(id: TokenId, keys: &SessionKeys, look: Look) -> String {
    let mut text = String::with_capacity(id.category.name().len() + 16);
    if look == Look::Bracketed {
        text.push('[');
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "{}_{}{}_", id.category, id.number, id.spelling);
    text.extend(keys.check(id).map(char::from));
    if look == Look::Bracketed {
        text.push(']');
    }
    text
}
