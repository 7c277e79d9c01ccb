//! What programs put around a value when they print it, and where forms of documents keep it.
//!
//! In: the gap behind a key. Out: the place where the value inside begins. Forms: `~D[1984-03-12]` (Elixir),
//! `#<Date: 1984-03-12 (...)>` (Ruby), `string(5) "Marie"` and `s:5:"Marie"` (PHP), `Some("Marie")` (Rust),
//! `<label>KEY</label><input value="Marie">`. Invariant: a bounded part of the gap is read. Not here: calls that make
//! dates, marks between key and value (`structure`).

use super::Gap;

/// What stands right before a value, and is closed behind it.
const OPENINGS: &[&str] = &["~D[", "~U[", "~N[", "#<Date: ", "#<Date ", "Some(", "Just ", "Optional["];
/// Most bytes of an element that holds a value as an attribute.
const MAX_ELEMENT_BYTES: usize = 240;

impl Gap<'_> {
    /// Passes what a program wrote around the value.
    pub(super) fn wrapping(&mut self) {
        let rest = self.rest();
        let len = OPENINGS
            .iter()
            .find(|opening| rest.starts_with(**opening))
            .map_or_else(|| counted(rest).unwrap_or(0), |opening| opening.len());
        self.at += len;
    }

    /// `";s:5:"` between a key and its value in what PHP serialises.
    pub(super) fn serialised(&self) -> Option<usize> {
        let rest = self.rest().strip_prefix(";s:")?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let value = rest.get(digits..)?.strip_prefix(':')?;
        (digits > 0 && value.starts_with('"')).then_some(";s:".len() + digits + 1)
    }

    /// `</label><input id="f1" value="Marie">`: how far behind the label the value of its field begins.
    pub(super) fn labelled_field(&self) -> Option<usize> {
        let rest = self.text.get(self.at..)?;
        let rest = rest.get(..rest.floor_char_boundary(MAX_ELEMENT_BYTES))?;
        let element = rest.strip_prefix("</label>")?.trim_start();
        let lead = rest.len() - element.len();
        let tag = element.get(..element.find('>')?)?;
        if tag.starts_with("<textarea") {
            return Some(lead + tag.len() + 1);
        }
        let value = tag.strip_prefix("<input").and_then(|tag| tag.find(" value="))?;
        Some(lead + "<input".len() + value + " value=".len())
    }
}

/// `string(5) ` before a value in quotes.
fn counted(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix("string(")?;
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    let value = inner.get(digits..)?.strip_prefix(") ")?;
    (digits > 0 && value.starts_with('"')).then_some("string(".len() + digits + ") ".len())
}
