//! The recognisers: each knows one kind of value by its published format and says where it is.
//!
//! In: a text and a position that the one scan of the core proposes (a digit run, an `@`, a `://`, the start of
//! a word, `-----BEGIN`). Out: hits; those of one call may overlap when two kinds claim the same text.
//! Invariant: spans lie on character boundaries of the text that was passed in; no call looks further than the
//! longest value of its kinds, so the whole scan stays linear.
//! Not here: deciding which positions to look at, key words and field names, vetoes by context (UUID, ISBN,
//! part number), resolving overlaps.

use cloakgate_vocab::{Category, Detector, Span, Strength};

mod accounts;
mod authorization;
mod azure;
mod base58;
mod base64;
mod bech32;
mod boundary;
mod card;
mod crypt_hash;
mod digits;
mod discord;
mod email;
mod hex_key;
mod iban;
mod inner_mark;
mod ipv4;
mod ipv6;
mod jwt;
mod keccak;
mod legacy_vault;
mod mac;
mod named_key;
mod national;
mod numbering;
mod pem;
mod phone;
mod plausible;
mod putty;
mod sha256;
mod ssn;
mod upi;
mod url_credentials;
mod vendor;
mod vendor_table;
mod wallet;
mod word;

pub(crate) use accounts::{data_source_at, password_file_at};
pub(crate) use authorization::{authorization_at, is_basic};
pub(crate) use digits::{Cue, DigitRun, digit_run};
pub(crate) use email::email_at;
pub(crate) use national::{Bar, in_word, is_shaped, kind_of, kinds, may_be_number};
pub(crate) use pem::pem_at;
pub(crate) use plausible::{plausible_password, plausible_secret};
pub(crate) use url_credentials::url_credentials_at;
#[cfg(test)]
pub(crate) use vendor::heads;
pub(crate) use word::{may_begin_word, word_at};

/// One value that a recogniser claims.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Hit {
    /// From the first to the last byte of the value.
    pub(crate) span: Span,
    /// What it is.
    pub(crate) category: Category,
    /// Which recogniser says so.
    pub(crate) detector: Detector,
    /// How sure it is.
    pub(crate) strength: Strength,
    /// One span per line of a value over several lines, inside `span`; empty when the value is one piece.
    pub(crate) pieces: Vec<Span>,
}

impl Hit {
    /// A value in one piece that its place says to be one.
    pub(crate) const fn by_context(span: Span, category: Category, detector: &'static str) -> Self {
        Self { span, category, detector: Detector(detector), strength: Strength::Context, pieces: Vec::new() }
    }

    fn new(start: usize, end: usize, category: Category, detector: &'static str, strength: Strength) -> Self {
        let span = Span::sized(start, end.saturating_sub(start));
        Self { span, category, detector: Detector(detector), strength, pieces: Vec::new() }
    }
}

#[cfg(test)]
mod tests;
