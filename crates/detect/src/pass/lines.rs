//! Rules that read a line as a whole: address book cards, signatures, chats, tables.
//!
//! In: the end of a line. Out: hits, and lines that may be the name in a letter. Invariant: a line is judged by its
//! first byte before a rule reads it. Not here: what lines mean to each other (`ending`).

use cloakgate_vocab::Span;

use super::{Pass, Structure};
use crate::{letters, people, table, vcard};

impl Pass<'_> {
    pub(super) fn line_end(&mut self, at: usize) {
        if self.structure == Structure::Read {
            let line = Span::sized(self.line_start, at - self.line_start);
            let opens =
                self.text.as_bytes().get(self.line_start).is_some_and(|byte| matches!(byte, b'B' | b'b'));
            if opens || self.card == vcard::Card::Inside {
                self.card = vcard::line(self.text, line, self.card, &mut self.hits);
            }
            let first = self.text.as_bytes().get(self.line_start).copied();
            if matches!(first, Some(b'A' | b'O' | b'a' | b'o')) {
                self.person(vcard::common_name(self.text, line), "calendar");
            }
            if first == Some(b'-') && self.text.get(self.line_start..at).map(str::trim_end) == Some("--") {
                self.person(people::after_dashes(self.text, at), "signature");
            }
            if matches!(self.text.as_bytes().get(self.line_start), Some(b'[' | b'0'..=b'9' | 0xe2)) {
                self.person(people::chat_line(self.text, self.line_start, at), "chat");
            }
            if matches!(first, Some(b'A'..=b'Z' | 0xc3..)) && at - self.line_start <= letters::MAX_LINE_BYTES
            {
                self.name_lines.extend(letters::name_line(self.text, self.line_start, at));
            }
            if self.line_keys > 0 && self.line_start >= self.table_end {
                let line = Span::sized(self.line_start, at - self.line_start);
                if let Some(end) = table::read(
                    self.text,
                    line,
                    &mut table::Found { hits: &mut self.hits, machine: &mut self.machine },
                ) {
                    self.table_end = end;
                }
            }
        }
        self.line_start = at + 1;
        self.line_keys = 0;
    }
}
