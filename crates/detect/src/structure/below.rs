//! Values in the line below their key.
//!
//! In: the gap behind a key. Out: how far below the value begins: `name: KEY` over `value: x`, `1) "key"` over `2) "x"`,
//! `Surname/Nom` over `Dubois`, `Born:` over `12.03.1984`, `Bill to:` over an indented line. Invariant: a bounded part of the two lines is read.
//! Not here: values beside their key (`structure`).

use super::{Gap, MAX_FLAG_BYTES, MAX_GAP_BYTES};
use crate::keys;

/// Most blanks before a value under its label.
const MAX_INDENT_BYTES: usize = 8;

impl Gap<'_> {
    /// `- name: DB_PASSWORD` over `value: x`: the key is itself the value of `name`.
    pub(super) fn is_name_of_pair(&self) -> bool {
        let head = self.text.get(..self.floor).unwrap_or_default();
        let from = head.ceil_char_boundary(head.len().saturating_sub(MAX_GAP_BYTES));
        let line = head.get(from..).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let name = line.trim_start_matches([' ', '-', '\t']);
        ["name:", "key:", "name =", "key ="].iter().any(|mark| name.starts_with(mark))
    }

    /// How far below the value of a pair begins.
    pub(super) fn value_below(&self) -> Option<usize> {
        let rest = self.rest();
        let line = rest.trim_start_matches('\r').strip_prefix('\n')?.trim_start_matches([' ', '\t']);
        let value = line.strip_prefix("value:").or_else(|| line.strip_prefix("value ="))?;
        let value = value.trim_start_matches(' ');
        (!value.starts_with(['\n', '\r'])).then_some(rest.len() - value.len())
    }

    /// `Surname/Nom` over `Dubois`, `3. Given names` over `Marie`: whether the key is a line of its own and the next line
    /// may be its value.
    pub(super) fn labels_line(&self, key: usize) -> bool {
        let head = self.text.get(self.text.ceil_char_boundary(key.saturating_sub(MAX_FLAG_BYTES))..key);
        let lead = head.and_then(|head| head.rsplit('\n').next()).unwrap_or_default();
        let numbered = lead.trim_end_matches([' ', '.', ')']).bytes().all(|byte| byte.is_ascii_digit());
        let other = lead.strip_suffix(['/', ' ']).map(|lead| lead.trim_end_matches(['/', ',', ' ']));
        let translated = lead.trim_end().ends_with(['/', ','])
            && other.is_some_and(|other| {
                other.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '\'' | '(' | ')'))
            });
        let mut lines = self.rest().lines().skip(1);
        let line = lines.next().unwrap_or_default();
        let value = line.trim();
        (numbered || translated)
            && lead.len() < MAX_FLAG_BYTES
            && line.len() - line.trim_start().len() <= MAX_INDENT_BYTES
            && (2..=80).contains(&value.len())
            && !value.contains([':', '=', '{', '}', '|', '<', ';', '`', '#', '*'])
            && !keys::is_label(value)
    }

    /// `1) "name"` over `2) "Marie"`: how far below the value begins.
    pub(super) fn numbered_below(&self) -> Option<usize> {
        let line = self.rest().strip_prefix('\n')?.trim_start_matches(' ');
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let value = line.get(digits..)?.strip_prefix(") ")?;
        let head = self
            .text
            .get(self.text.ceil_char_boundary(self.floor.saturating_sub(MAX_FLAG_BYTES))..self.floor)?;
        let listed = head.rfind('"').and_then(|at| head.get(..at)?.strip_suffix(") "));
        (digits > 0 && value.starts_with('"') && listed.is_some()).then_some(self.rest().len() - value.len())
    }

    /// `Bill to:` at the end of a line: the value stands on the next, indented or as a line of its own.
    pub(super) fn next_line(&mut self) {
        let Some((lead, nested)) = self.value_on_next_line() else { return };
        self.at += lead;
        self.below |= !nested;
    }

    /// How far below the value begins, and whether it is indented.
    fn value_on_next_line(&self) -> Option<(usize, bool)> {
        let rest = self.rest();
        let line = rest.trim_start_matches('\r').strip_prefix('\n')?;
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let value = line.get(indent..)?.split('\n').next()?.trim_end();
        let lead = rest.len() - line.len() + indent;
        // A nested mapping is no value.
        let mapping = value.contains([':', '=', '{', '"']) && !value.starts_with("string(");
        if mapping || indent > 24 {
            return None;
        }
        if indent > 0 {
            return Some((lead, true));
        }
        // `Date of birth:` over `12.03.1984`
        let listed = value.starts_with(['-', '*', '#', '<', '>', '|', '`']);
        (value.len() >= 2 && !listed && self.begins_line() && !keys::is_label(value)).then_some((lead, false))
    }
}
