//! How a token is written.
//!
//! In: an id and the session's keys. Out: `[EMAIL_0b_k7q]`, or `EMAIL_0b_k7q` where brackets cannot stand.
//! Grammar: `\[?[A-Z][A-Z_]*[A-Z]_[0-9]+[a-z]*_[0-9a-hjkmnp-tv-z]{3}\]?`; in plain style
//! `\[[A-Z][A-Z_]*[A-Z]_[0-9]+\]`.

use std::fmt::Write as _;

use cloakgate_vocab::{Category, TokenId};

use crate::keys::{SessionKeys, TokenStyle};

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

/// Writes a token. The text is ASCII and needs no escape in JSON, HTML or CSV, nor, in the bare look, in a URI.
pub(crate) fn write(id: TokenId, keys: &SessionKeys, look: Look) -> String {
    let (open, close) = match (look, keys.style()) {
        (Look::Bracketed, _) => ("[", "]"),
        (Look::Bare, TokenStyle::Checked) => ("", ""),
        // Without check characters only brackets make a token.
        (Look::Bare, TokenStyle::Plain) => ("%5B", "%5D"),
    };
    let mut text = String::with_capacity(id.category.name().len() + 16);
    text.push_str(open);
    // Writing to a string cannot fail.
    let _ = write!(text, "{}_{}{}", id.category, id.number, id.spelling);
    if keys.style() == TokenStyle::Checked {
        text.push('_');
        text.extend(keys.check(id).map(char::from));
    }
    text.push_str(close);
    text
}

/// The name of a token in lower case, with its check characters in either style: what stand-ins are made of.
pub(crate) fn name(id: TokenId, keys: &SessionKeys) -> String {
    let mut text = format!("{}_{}{}_", id.category.name().to_ascii_lowercase(), id.number, id.spelling);
    text.extend(keys.check(id).map(char::from));
    text
}

/// What stands for a value that is gone for good. No digit follows the category, so it is never read as a token.
pub(crate) fn redacted(category: Category, look: Look) -> String {
    match look {
        Look::Bracketed => format!("[{category}_REDACTED]"),
        Look::Bare => format!("{category}_REDACTED"),
    }
}
