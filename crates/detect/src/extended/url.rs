//! Web addresses: `https://www.example.org/u/marie?x=1`, `www.example.org/page`.
//!
//! In: a `://`, or a word `www`. Out: the address up to a blank, quote or closing bracket, without the full stop of
//! its sentence.

use cloakgate_vocab::Span;

use super::context::{after, before};

/// Most bytes of an address.
const MAX_URL_BYTES: usize = 2048;
const SCHEMES: &[&str] = &["https", "http", "ftp", "ftps", "sftp"];

/// Reads an address at its `://`.
pub(super) fn at_scheme(text: &str, at: usize) -> Option<(Span, &'static str)> {
    let left = before(text, at, 8);
    let scheme = SCHEMES.iter().find(|scheme| left.to_ascii_lowercase().ends_with(**scheme))?;
    let start = at - scheme.len();
    let len = address_len(after(text, at + 3, MAX_URL_BYTES));
    (len >= 3).then(|| (Span::sized(start, scheme.len() + 3 + len), "url"))
}

/// Reads an address without a scheme.
pub(super) fn at_word(text: &str, word: Span) -> Option<(Span, &'static str)> {
    if !word.of(text)?.eq_ignore_ascii_case("www") || before(text, word.start(), 3).ends_with(['/', '.', '@'])
    {
        return None;
    }
    let rest = after(text, word.start(), MAX_URL_BYTES);
    let len = address_len(rest);
    let host = rest.get(..len)?.split('/').next()?;
    (host.matches('.').count() >= 2).then(|| (Span::sized(word.start(), len), "url"))
}

fn address_len(text: &str) -> usize {
    let end = text
        .find(|c: char| {
            c.is_whitespace()
                || matches!(c, '"' | '\'' | '<' | '>' | '`' | '|' | '\\' | '{' | '}' | '»' | '，' | '。')
        })
        .unwrap_or(text.len());
    let mut address = text.get(..end).unwrap_or_default();
    loop {
        let shorter = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*']);
        let unopened = |close: char, open: char| {
            shorter.ends_with(close) && shorter.matches(close).count() > shorter.matches(open).count()
        };
        let shorter = if unopened(')', '(') || unopened(']', '[') {
            shorter.get(..shorter.len() - 1).unwrap_or_default()
        } else {
            shorter
        };
        if shorter.len() == address.len() {
            return address.len();
        }
        address = shorter;
    }
}
