//! What a key phrase leads to: its value, lists, tables, sentences that state a password.
//!
//! In: a key phrase. Out: hits, and marks of machines. Invariant: a table is read once. Not here: whether the value
//! counts (`values`).

use cloakgate_vocab::{Category, Span};

use super::{Pass, Structure};
use crate::fields::{self, Extent};
use crate::hints::Hints;
use crate::keys::{KeyPhrase, Meaning};
use crate::{credentials, lists, named_value, recovery_codes, stated, structure, table};

/// Longest name of an element before the phrase that ends it.
const MAX_TAG_BYTES: usize = 64;

impl Pass<'_> {
    pub(super) fn phrase_found(&mut self, phrase: Option<KeyPhrase>) {
        let Some(phrase) = phrase else { return };
        let end = phrase.end;
        if ends_element(self.text, phrase) {
            return;
        }
        self.phrase = Some(phrase);
        self.line_keys += 1;
        self.html_table(phrase);
        if phrase.meaning.is_machine() {
            self.machine.push(Span::sized(phrase.start, end - phrase.start));
            if phrase.meaning == Meaning::Surname {
                self.surname(phrase);
            }
            return;
        }
        if phrase.meaning == Meaning::RecoveryCodes {
            if let Some(span) = recovery_codes::codes_after(self.text, end) {
                self.push(span, Category::Secret, "recovery_codes");
            }
            return;
        }
        let verb = self.text.get(phrase.start..end).is_some_and(|word| word.eq_ignore_ascii_case("pass"));
        if matches!(phrase.meaning, Meaning::Password | Meaning::Secret) {
            let span = stated::behind_account(self.text, phrase.start, end).filter(|span| {
                span.of(self.text)
                    .is_some_and(|word| credentials::is_stated(word) || credentials::is_enciphered(word))
            });
            if let Some(span) = span {
                self.push(span, Category::Password, "stated");
            }
        }
        if !verb && matches!(phrase.meaning, Meaning::Password | Meaning::Passphrase) {
            self.stated_password(phrase);
        }
        if credentials::is_credential(phrase.meaning) {
            self.named_value(phrase);
        }
        let of_people = matches!(phrase.meaning, Meaning::Role | Meaning::FullName)
            && self.text.get(phrase.start..end).is_some_and(lists::is_list_key);
        if of_people {
            for name in lists::below(self.text, end) {
                self.push(name, Category::Person, "list");
            }
        }
        let Some(slot) = structure::value_after(self.text, phrase.start, end) else {
            self.column_below(phrase);
            return;
        };
        if slot.extent != Extent::Blank {
            self.keyed.push((phrase.start, phrase.meaning));
        }
        self.judge(phrase, slot, of_people);
    }

    /// `Nationality   Sex   Date of birth` over `FRA   F   12.03.1984`: the last of the columns that a form sets with blanks.
    fn column_below(&mut self, phrase: KeyPhrase) {
        let head = self.text.get(..phrase.start).unwrap_or_default();
        let rest = self.text.get(phrase.end..).and_then(|rest| rest.strip_prefix('\n')).unwrap_or_default();
        if phrase.meaning != Meaning::Birth || rest.is_empty() || !head.ends_with("  ") {
            return;
        }
        let rest = rest.get(..rest.floor_char_boundary(fields::MAX_VALUE_BYTES)).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default().trim_end();
        let Some(at) = line.rfind("  ").map(|at| at + 2) else { return };
        let cell = line.get(at..).unwrap_or_default();
        if let Some(found) = fields::judge(Meaning::Birth, cell, Extent::Whole, Hints::default()) {
            self.push(found.span.shifted(phrase.end + 1 + at), found.category, "key.column");
        }
    }

    /// The other names of a list.
    pub(super) fn more_names(&mut self, end: usize) {
        for name in lists::more(self.text, end) {
            self.push(name, Category::Person, "list");
        }
    }

    /// `<th>Name</th>` in the first row of a table.
    pub(super) fn html_table(&mut self, phrase: KeyPhrase) {
        let ends_cell = |close: &str| {
            self.text
                .as_bytes()
                .get(phrase.end..phrase.end + 5)
                .is_some_and(|tag| tag.eq_ignore_ascii_case(close.as_bytes()))
        };
        if self.structure == Structure::Skip || phrase.start < self.html_end || !ends_cell("</th>") {
            return;
        }
        let Some(row) = table::html::row_of(self.text, phrase.start).filter(|row| *row >= self.html_end)
        else {
            return;
        };
        let mut found = table::Found { hits: &mut self.hits, machine: &mut self.machine };
        let end = table::html::read(self.text, row, &mut found);
        self.html_end = end.unwrap_or(phrase.end);
    }

    /// `name: DB_PASSWORD` with `value: X`, `define('DB_PASSWORD', 'X')`, `setPassword("X")`.
    fn named_value(&mut self, phrase: KeyPhrase) {
        let Some(slot) = named_value::value_of(self.text, phrase.end) else { return };
        let Some(value) = slot.of(self.text) else { return };
        let found = fields::judge(phrase.meaning, value, Extent::Whole, Hints::default());
        // a call or a name says less than a mark between key and value
        let sure = |verdict: &fields::Verdict| {
            verdict.category != Category::Password || verdict.span.of(value).is_some_and(credentials::is_told)
        };
        if let Some(verdict) = found.filter(sure) {
            self.push(verdict.span.shifted(slot.start()), verdict.category, "named_value");
        }
    }

    /// `sn: Roca`, `<Attribute Name="sn"><AttributeValue>Roca`: waits for what else the record holds.
    fn surname(&mut self, phrase: KeyPhrase) {
        let Some(slot) = structure::value_after(self.text, phrase.start, phrase.end) else { return };
        let value = slot.span.of(self.text).unwrap_or_default();
        let value = value.split(['<', ',', ';', '|']).next().unwrap_or_default();
        let named = slot.extent != Extent::Blank && !value.contains(char::is_numeric);
        if let Some(verdict) = fields::judge(Meaning::NamePart, value, Extent::Whole, Hints::default())
            .filter(|verdict| named && verdict.category == Category::Person)
        {
            self.names.push((phrase.start, verdict.span.shifted(slot.span.start())));
        }
    }

    /// `password for the account is X`, `use X as the password`.
    pub(super) fn stated_password(&mut self, phrase: KeyPhrase) {
        // a sentence goes on with a blank
        let later = matches!(self.text.as_bytes().get(phrase.end), Some(b' ' | b':'))
            .then(|| stated::later(self.text, phrase.end))
            .flatten()
            .and_then(|span| {
                let found =
                    fields::judge(Meaning::Password, span.of(self.text)?, Extent::Verb, Hints::default())?;
                let span = found.span.shifted(span.start());
                span.of(self.text).is_some_and(credentials::is_stated).then_some(span)
            });
        let before = || {
            stated::before(self.text, phrase.start)
                .filter(|span| span.of(self.text).is_some_and(credentials::is_stated))
        };
        if let Some(span) = later.or_else(before) {
            self.push(span, Category::Password, "stated");
        }
    }
}

/// `</cac:PayeeFinancialAccount>`: the phrase ends the name of an element that closes.
fn ends_element(text: &str, phrase: KeyPhrase) -> bool {
    let head = text.as_bytes().get(..phrase.start).unwrap_or_default();
    if text.as_bytes().get(phrase.end) != Some(&b'>') {
        return head.ends_with(b"</");
    }
    let name = head
        .iter()
        .rev()
        .take(MAX_TAG_BYTES)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-' | b'.'))
        .count();
    head.get(..head.len() - name).is_some_and(|head| head.ends_with(b"</"))
}
