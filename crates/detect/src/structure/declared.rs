//! The type that stands between a name and its value where a program declares it.
//!
//! In: the gap behind a key. Out: how far behind the key the value begins: `key: &str = "x"` (Rust, TypeScript, Kotlin,
//! Swift, Python), `key string = "x"` (Go), `key[] = "x"` (C). The value stands in quotes. Invariant: at most
//! `MAX_TYPE_BYTES` are read. Not here: names without a type (`structure`), what makes a value a secret (`credentials`).

use super::Gap;

/// Longest type with the marks around it.
const MAX_TYPE_BYTES: usize = 48;
/// Types that begin with a small letter and hold texts.
const SMALL: &[&str] =
    &["string", "str", "char", "any", "bytes", "text", "varchar", "optional", "const", "auto"];

impl Gap<'_> {
    /// How far behind the key the equals sign of a declaration ends.
    pub(super) fn declared(&self) -> Option<usize> {
        let rest = self.rest();
        let kind =
            rest.as_bytes().first().filter(|first| matches!(first, b':' | b' ' | b'[' | b'?' | b'!'))?;
        let window = rest.get(..rest.floor_char_boundary(MAX_TYPE_BYTES))?;
        let equals = window.find('=')?;
        let value = rest.get(equals + 1..)?.trim_start_matches(' ');
        if !value.starts_with(['"', '\'', '`']) {
            return None;
        }
        let name = window.get(..equals)?.trim_start_matches(['?', '!']).trim_start_matches(':').trim();
        let fits = match kind {
            b' ' => matches!(name, "string" | "*string" | "text" | "varchar"),
            b'[' => name == "[]",
            _ => is_type(name),
        };
        fits.then_some(equals + 1)
    }
}

/// `&'static str`, `Option<String>`, `str | None`, `Final[str]`
fn is_type(name: &str) -> bool {
    let word = name.trim_start_matches(['&', '*', '?']);
    let word = word.strip_prefix("'static ").unwrap_or(word);
    let first = word.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let marks = |c: char| c.is_ascii_alphanumeric() || "&*?|<>[]_'. ".contains(c);
    // `Bearer realm="x"` is no type
    let joined = !word.contains(' ') || word.contains(" | ");
    name.chars().all(marks)
        && joined
        && (SMALL.contains(&first) || first.starts_with(|c: char| c.is_ascii_uppercase()))
}
