//! Rules that read a line as a whole: address book cards, signatures, chats, tables.
//!
//! In: the end of a line. Out: hits, and lines that may be the name in a letter. Invariant: a line is judged by its
//! first byte before a rule reads it. Not here: what lines mean to each other (`ending`).

use cloakgate_vocab::{Category, Span};

use super::{Pass, Structure};
use crate::{block, edifact, hl7, letters, named_lines, people, phone_list, stamped, swift, table, vcard};

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
                self.person(stamped::behind(self.text, self.line_start, at), "chat");
            }
            self.line_of_people(first, at);
            if self.text.as_bytes().get(at.saturating_sub(1)).is_some_and(u8::is_ascii_digit)
                && let Some(number) = phone_list::number(self.text, line)
            {
                self.push(number, Category::Phone, "phone_list");
            }
            if matches!(first, Some(b'A'..=b'Z' | 0xc3.. | b'#' | b'*' | b'1'..=b'9'))
                && at - self.line_start <= letters::MAX_LINE_BYTES
            {
                self.name_lines.extend(letters::name_line(self.text, self.line_start, at));
            }
            if matches!(first, Some(b'C' | b'I')) && self.line_start >= self.table_end {
                self.dump(at);
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

    /// `CREATE TABLE` and `INSERT INTO` of a dump.
    fn dump(&mut self, end: usize) {
        let start = self.line_start;
        let line = self.text.get(start..end).unwrap_or_default();
        if line.starts_with(table::sql::CREATE) {
            self.created = Some(start);
        }
        let Some(created) = self.created.filter(|_| line.starts_with("INSERT INTO ")) else { return };
        let mut found = table::Found { hits: &mut self.hits, machine: &mut self.machine };
        if let Some(end) = table::sql::insert(self.text, Span::sized(start, line.len()), created, &mut found)
        {
            self.table_end = end;
        }
    }

    /// Lines whose form says that a person stands in them.
    fn line_of_people(&mut self, first: Option<u8>, end: usize) {
        let start = self.line_start;
        if matches!(first, Some(b'A'..=b'Z' | 0xc3..)) {
            if end - start <= stamped::MAX_LINE_BYTES {
                self.person(stamped::before(self.text, start, end), "chat");
            }
            let fourth = self.text.as_bytes().get(start + 3);
            if fourth == Some(&b'|') && matches!(first, Some(b'G' | b'I' | b'M' | b'N' | b'O' | b'P')) {
                hl7::line(self.text, Span::sized(start, end - start), &mut self.hits);
            }
            if matches!(fourth, Some(b'+' | b':')) && matches!(first, Some(b'C' | b'D' | b'N' | b'U')) {
                edifact::line(self.text, Span::sized(start, end - start), &mut self.hits);
            }
        }
        match first {
            Some(b':') => {
                swift::party(self.text, start, &mut self.hits);
                swift::statement(self.text, start, &mut self.hits);
            }
            Some(b'<') => self.person(named_lines::voice(self.text, start, end), "caption"),
            _ => {}
        }
        if matches!(first, Some(b'0'..=b'9' | b'a'..=b'f' | b'^')) {
            self.person(stamped::behind_revision(self.text, start, end), "revision");
        }
        // A number stands in the last line of a block.
        if self.told_to > start
            && end - start <= block::MAX_LINE_BYTES
            && matches!(first, Some(b'A'..=b'Z' | b'0'..=b'9' | b' ' | 0xc3..))
            && let Some(block) = block::ending(self.text, start, end)
        {
            self.person(Some(block.name), "block");
            self.push(block.street, Category::Address, "block");
            if let Some(code) = block.code {
                self.push(code, Category::Address, "block");
            }
        }
    }
}
