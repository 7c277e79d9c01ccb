//! What programs put around a value when they print it, and where forms of documents keep it.
//!
//! In: the gap behind a key. Out: the place where the value inside begins. Forms: `~D[1984-03-12]` (Elixir),
//! `#<Date: 1984-03-12 (...)>` (Ruby), `string(5) "Marie"` and `s:5:"Marie"` (PHP), `Some("Marie")` (Rust),
//! `<label>KEY</label><input value="Marie">`, `KEY: ____Marie____` and `KEY: ..... Marie` (forms on paper). Invariant: a bounded part of the gap is read. Not here: calls that make
//! dates, marks between key and value (`structure`).

use cloakgate_vocab::Span;

use super::{Gap, Slot};
use crate::fields::Extent;

/// What stands right before a value, and is closed behind it.
const OPENINGS: &[&str] = &["~D[", "~U[", "~N[", "#<Date: ", "#<Date ", "Some(", "Just ", "Optional["];
/// Fewest marks that are a line to write on; names of programs begin with two.
const MIN_LINE_BYTES: usize = 3;
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

    /// Passes the line or the dots that a form keeps for a value; tells whether a line was drawn and a value written on it.
    pub(super) fn filled(&mut self) -> bool {
        let marks = |mark: u8| self.rest().bytes().take_while(|byte| *byte == mark).count();
        let (line, dots) = (marks(b'_'), marks(b'.'));
        let value = self.rest().get(line.max(dots)..).unwrap_or_default();
        let blanks = value.len() - value.trim_start_matches(' ').len();
        let written = line >= MIN_LINE_BYTES
            && value.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '+' | '('));
        self.at += match (written, dots) {
            (true, _) => line,
            (false, 3..) => dots + blanks,
            (false, _) => 0,
        };
        written
    }

    /// The value on the line of a form, up to where the line goes on.
    pub(super) fn field(&self, flag: bool) -> Option<Slot> {
        let line = self.rest_of_line()?;
        let value = line.of(self.text)?;
        let value = value.get(..value.find("__").unwrap_or(value.len()))?.trim_end();
        let span = Span::sized(line.start(), value.len());
        Some(Slot { span, extent: Extent::Whole, flag, bare: false, below: false })
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
