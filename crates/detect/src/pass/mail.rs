//! People around addresses of mail: heads of mails, names beside an address.
//!
//! In: the place of a head word or of an address. Out: names. Invariant: looks a bounded way. Not here: addresses of
//! mail themselves (`recognise`).

use cloakgate_vocab::{Category, Span};

use super::Pass;
use crate::fields::{self, Extent};
use crate::hints::Hints;
use crate::keys::Meaning;
use crate::{letters, people};

impl Pass<'_> {
    /// `From: Marie Dubois` and its like, at the start of a line.
    pub(super) fn mail_head(&mut self, start: usize, end: usize) {
        let head = self.text.get(self.line_start..start).unwrap_or_default();
        let starts_line = head.chars().all(|c| matches!(c, ' ' | '>' | '*' | '\t'));
        let Some(rest) = self.text.get(end..).and_then(|rest| rest.trim_start_matches('*').strip_prefix(':'))
        else {
            return;
        };
        if !starts_line || head.len() > 8 {
            return;
        }
        let at = self.text.len() - rest.trim_start_matches([' ', '*']).len();
        let value = self.text.get(at..).unwrap_or_default();
        let found = fields::judge(Meaning::FullName, value, Extent::Open, Hints::default());
        if let Some(verdict) = found.filter(|found| people::ends_line(self.text, at + found.span.end())) {
            self.push(verdict.span.shifted(at), Category::Person, "mail_head");
            self.more_names(at + verdict.span.end());
        }
    }

    /// `Marie Dubois <marie@example.eu>`.
    pub(super) fn name_before(&mut self, address: Span) {
        let bytes = self.text.as_bytes();
        let bracket = match address.start().checked_sub(1).and_then(|at| Some((at, *bytes.get(at)?))) {
            Some((at, b'<' | b'(')) => at,
            Some((at, b':')) if self.text.get(..at).is_some_and(|head| head.ends_with("mailto")) => {
                at.saturating_sub(7)
            }
            _ => return,
        };
        if matches!(bytes.get(bracket), Some(b'<' | b'(' | b'[')) {
            self.person(people::before_bracket(self.text, bracket), "mailbox");
        }
    }

    /// Names around an address of mail: those it is made of, and the heading of its card.
    pub(super) fn names_of_address(&mut self, address: Span) {
        for name in letters::names_near(self.text, address) {
            self.push(name, Category::Person, "address_of");
        }
        // `<a href="mailto:...">`, `<td>m@...`
        let before = address.start().checked_sub(1).and_then(|at| self.text.as_bytes().get(at));
        if matches!(before, Some(b':' | b'>')) {
            self.person(letters::heading_before(self.text, address.start()), "heading");
        }
    }
}
