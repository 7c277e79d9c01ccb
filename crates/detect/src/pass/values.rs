//! Whether the value after a key phrase counts, and how far it goes.
//!
//! In: a key phrase with its slot. Out: hits. Invariant: each byte of a long secret is read once for its border.
//! Not here: where a value stands (`structure`), what it must look like (`fields`).

use cloakgate_vocab::{Category, Span};

use super::Pass;
use crate::fields::{self, Extent, Verdict};
use crate::hints::Hints;
use crate::keys::{KeyPhrase, Meaning};
use crate::secret_end::secret_border;
use crate::structure::Slot;
use crate::{block, credentials, people, stated};

/// Most bytes that a rule leaves out at the end of a secret.
const MAX_TRIMMED_BYTES: usize = 16;

/// Most numbers of a list.
const MAX_NUMBERS: usize = 64;
/// What stands between the numbers of a list.
const LINKS: &[&str] =
    &[" and ", ", and ", ", ", " or ", " & ", "; ", " und ", " oder ", " et ", " y ", " e ", " en ", " i "];

/// What stands between a value and the one that takes its place, both in quotes.
const ARROWS: &[&str] = &["\" -> \"", "' -> '", "\" => \"", "' => '"];

/// Words for a password that are words for a key, a code or a saying too.
const AMBIGUOUS: &[&str] = &["clave", "parola", "κωδικός"];

/// The end of the last secret that was longer than what rules read of it.
#[derive(Clone, Copy)]
pub(super) struct LongSecret {
    from: usize,
    border: usize,
    end: usize, // where the secret ends, marks before the border left out
}

/// The last value that was judged, and how. What the keys of the same record say depends on the meaning alone.
#[derive(Clone, Copy)]
pub(super) struct Judged {
    meaning: Meaning,
    extent: Extent,
    value: Span,
    found: Option<Verdict>,
}

/// `--- PASS: TestReadsRows (0.00s)`, `PASS: tests/rows.sh`: what a program says of a test.
fn is_test_result(text: &str, start: usize, value: &str) -> bool {
    let name = value.split([' ', '\t']).next().unwrap_or_default();
    let timed = value.get(name.len()..).is_some_and(|rest| rest.starts_with(" ("));
    let path = name.contains('/') && name.contains('.');
    text.get(..start).is_some_and(|head| head.ends_with("--- ")) || timed || path
}

impl Pass<'_> {
    pub(super) fn judge(&mut self, phrase: KeyPhrase, slot: Slot, of_people: bool) {
        let Some(value) = slot.span.of(self.text) else { return };
        // `<given>Rita</given>`
        if matches!(phrase.meaning, Meaning::RecordName | Meaning::FormattedName) && self.is_element(phrase) {
            let value = value.split('<').next().unwrap_or_default();
            if let Some(found) = fields::judge(phrase.meaning, value, Extent::Whole, Hints::default()) {
                self.push(found.span.shifted(slot.span.start()), found.category, found.rule);
            }
            return;
        }
        // A line that ends with a key is a heading as often as a label: names, dates and numbers under it have a form.
        if slot.below && (credentials::is_credential(phrase.meaning) || phrase.meaning == Meaning::Role) {
            return;
        }
        if self.speaks_of_something_else(phrase, slot, value) {
            return;
        }
        let extent = match (slot.extent, phrase.meaning) {
            // `--token value`: as good as `=`; a password must look like one all the same.
            (Extent::Blank, Meaning::Password) if slot.flag => Extent::Verb,
            (Extent::Blank, _) if slot.flag => Extent::Open,
            // `@author Marie Dubois`
            (Extent::Blank, Meaning::Role)
                if self.text.get(..phrase.start).is_some_and(|head| head.ends_with('@')) =>
            {
                Extent::Open
            }
            (Extent::Blank, Meaning::Password) if stated::in_login_entry(self.text, phrase.start) => {
                Extent::Verb
            }
            (Extent::Blank, Meaning::Password) if stated::is_setting(self.text, phrase.start, value) => {
                Extent::Open
            }
            (Extent::Blank, Meaning::Password) => return,
            // `with password 'value'`, `identified by 'value'`
            (Extent::Whole, Meaning::Password) if slot.bare && self.is_given(phrase) => Extent::Whole,
            // `password 'value'`: the value itself must look like one.
            (Extent::Whole, Meaning::Password) if slot.bare && !slot.flag => Extent::Verb,
            (extent, _) => extent,
        };
        // A bare name and the line of an address wait for what else the record holds.
        let hints = match phrase.meaning {
            Meaning::Name => Hints::of_keys(std::iter::once("email")),
            _ => Hints::default(),
        };
        let Some(verdict) = self.verdict((phrase.meaning, extent, hints), slot.span) else { return };
        let span = self.whole_secret(verdict.span.shifted(slot.span.start()), verdict.category, extent);
        // What is no name is hidden for its key alone only where the key surely is one.
        if verdict.category == Category::Opaque && !self.is_quoted_key(phrase) {
            return;
        }
        if phrase.meaning == Meaning::Name {
            self.names.push((phrase.start, span));
            return;
        }
        self.push(span, verdict.category, verdict.rule);
        if slot.extent == Extent::Whole {
            self.changed_value(phrase.meaning, slot.span.end());
        }
        if of_people && verdict.category == Category::Person {
            self.more_names(span.end());
        }
        if matches!(phrase.meaning, Meaning::BankAccount | Meaning::OtherId) {
            self.more_numbers((phrase.meaning, verdict.category), span);
        }
        match verdict.category {
            Category::DateOfBirth => self.person(people::before_birth(self.text, phrase.start), "born"),
            Category::Address => self.address_goes_on(span.end()),
            _ => {}
        }
    }

    /// `password = "old" -> "new"`: what a plan puts in the place of the value that ends at `end`.
    fn changed_value(&mut self, meaning: Meaning, end: usize) {
        let rest = self.text.get(end..).unwrap_or_default();
        let Some(lead) = ARROWS.iter().find(|arrow| rest.starts_with(**arrow)).map(|arrow| arrow.len())
        else {
            return;
        };
        let rest = rest.get(lead..).unwrap_or_default();
        let window = rest.get(..rest.floor_char_boundary(fields::MAX_VALUE_BYTES)).unwrap_or_default();
        let quote = if self.text.as_bytes().get(end) == Some(&b'"') { '"' } else { '\'' };
        let Some(value) = window.split_once([quote, '\n']).map(|(value, _)| value) else { return };
        if let Some(found) = fields::judge(meaning, value, Extent::Whole, Hints::default())
            .filter(|found| found.category != Category::Opaque)
        {
            self.push(found.span.shifted(end + lead), found.category, found.rule);
        }
    }

    /// `accounts 12345678 and 87654321`: the other numbers of a list, each with as many digits as the one before it.
    fn more_numbers(&mut self, (meaning, category): (Meaning, Category), first: Span) {
        let digits =
            |span: Span| span.of(self.text).unwrap_or_default().bytes().filter(u8::is_ascii_digit).count();
        let mut last = first;
        for _ in 0..MAX_NUMBERS {
            let rest = self.text.get(last.end()..).unwrap_or_default();
            let Some(link) = LINKS.iter().find(|link| rest.starts_with(**link)) else { return };
            let at = last.end() + link.len();
            let value = self.text.get(at..).unwrap_or_default();
            let found = fields::judge(meaning, value, Extent::Verb, Hints::default())
                .filter(|found| found.span.start() == 0)
                .map(|found| found.span.shifted(at))
                .filter(|found| digits(*found) == digits(last));
            let Some(next) = found else { return };
            self.push(next, category, "list");
            last = next;
        }
    }

    /// Judges a value. Equal keys with equal values often follow one another: what was found the last time counts again.
    fn verdict(&mut self, (meaning, extent, hints): (Meaning, Extent, Hints), span: Span) -> Option<Verdict> {
        let value = span.of(self.text)?;
        let again = self.judged.filter(|last| {
            (last.meaning, last.extent) == (meaning, extent) && last.value.of(self.text) == Some(value)
        });
        let found = match again {
            Some(last) => last.found,
            None => fields::judge(meaning, value, extent, hints),
        };
        self.judged = Some(Judged { meaning, extent, value: span, found });
        found
    }

    /// A secret that is longer than what its rule has read goes on to its border. Each byte is read once for that:
    /// keys that stand inside one secret share its border.
    pub(super) fn whole_secret(&mut self, span: Span, category: Category, extent: Extent) -> Span {
        let secret = matches!(category, Category::ApiKey | Category::Secret) && extent != Extent::Whole;
        if !secret || span.len() + MAX_TRIMMED_BYTES < fields::MAX_LOOK_BYTES {
            return span;
        }
        let from = span.end();
        let known = self.long_secret.filter(|long| (long.from..=long.border).contains(&from));
        let long = known.unwrap_or_else(|| {
            let border = secret_border(self.text, from);
            let tail = self.text.get(from..border).unwrap_or_default();
            let end = from + tail.trim_end_matches([',', ';', ')', ']', '}', '.', ':']).len();
            LongSecret { from, border, end }
        });
        self.long_secret = Some(long);
        Span::sized(span.start(), long.end.max(from) - span.start())
    }

    /// Words that are keys in data and words of sentences or of code elsewhere.
    pub(super) fn speaks_of_something_else(&self, phrase: KeyPhrase, slot: Slot, value: &str) -> bool {
        let quote = |mark: char| {
            slot.span.start().checked_sub(1).and_then(|at| self.text.as_bytes().get(at)).copied()
                == Some(mark as u8)
        };
        let word = self.text.get(phrase.start..phrase.end).unwrap_or_default();
        // `Rg 537402`: two letters before a number are the name of one in capitals alone.
        if slot.extent == Extent::Blank
            && phrase.meaning != Meaning::Birth
            && word.len() <= 2
            && word.bytes().any(|byte| byte.is_ascii_lowercase())
        {
            return true;
        }
        match phrase.meaning {
            // `signingkey = 5D8813E63C128696`: the number of a public key
            Meaning::Secret
                if ["signingkey", "signing_key", "signing key"]
                    .iter()
                    .any(|name| word.eq_ignore_ascii_case(name)) =>
            {
                let id = value.split([' ', '\n', '"', '\'']).next().unwrap_or_default();
                matches!(id.len(), 8 | 16 | 40) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
            }
            Meaning::RecordName | Meaning::FormattedName => slot.bare || !self.is_quoted_key(phrase),
            // "written by `cargo doc`", "given to 'merge'"
            Meaning::FullName | Meaning::NamePart | Meaning::Role => {
                slot.bare
                    && slot.extent == Extent::Whole
                    && !(slot.flag && people::is_unspaced_name(value))
                    && (quote('`') || !value.contains(' ') || !people::is_written_as_name(value))
            }
            // "pass `-x`", "pass to 'f'"
            Meaning::Password => {
                let word = self.text.get(phrase.start..phrase.end).unwrap_or_default();
                let gap = self.text.get(phrase.end..slot.span.start()).unwrap_or_default();
                let marked = gap.starts_with([':', '=', '"', '\'', '：', '<', '>'])
                    || gap.starts_with(" |")
                    || [" =", " ->", " →"].iter().any(|mark| gap.starts_with(mark));
                if AMBIGUOUS.iter().any(|other| word.eq_ignore_ascii_case(other)) {
                    return !value.split([' ', '"', ',', ';']).next().is_some_and(credentials::is_stated);
                }
                let told = slot.extent == Extent::Verb
                    && value.split(' ').next().is_some_and(credentials::is_unmistakable);
                if word == "PASS" && is_test_result(self.text, phrase.start, value) {
                    return true;
                }
                (!marked && !told && word.eq_ignore_ascii_case("pass"))
                    || (slot.bare && value.starts_with('-'))
            }
            // `arn:...:secret:name`
            Meaning::Secret | Meaning::Token | Meaning::ApiKey => {
                let colon = |at: Option<usize>| at.and_then(|at| self.text.as_bytes().get(at)) == Some(&b':');
                slot.span.start() == phrase.end + 1
                    && colon(Some(phrase.end))
                    && colon(phrase.start.checked_sub(1))
            }
            _ => false,
        }
    }

    /// `WITH PASSWORD`, `IDENTIFIED BY`: the quotes behind hold the password, whatever it looks like.
    fn is_given(&self, phrase: KeyPhrase) -> bool {
        let head = |len: usize| self.text.get(phrase.end.saturating_sub(len)..phrase.end).unwrap_or_default();
        head("with password".len()).eq_ignore_ascii_case("with password")
            || head("identified by".len()).eq_ignore_ascii_case("identified by")
    }

    /// `<key>`
    fn is_element(&self, phrase: KeyPhrase) -> bool {
        let byte = |at: Option<usize>| at.and_then(|at| self.text.as_bytes().get(at)).copied();
        // `<dc:creator>`
        let opens = byte(phrase.start.checked_sub(1)) == Some(b'<')
            || (byte(phrase.start.checked_sub(1)) == Some(b':')
                && byte(phrase.start.checked_sub(4)) == Some(b'<'));
        opens && byte(Some(phrase.end)) == Some(b'>')
    }

    /// `"key":`, `'key' =>`, `\"key\":`
    pub(super) fn is_quoted_key(&self, phrase: KeyPhrase) -> bool {
        let mark = |at: Option<usize>| at.and_then(|at| self.text.as_bytes().get(at)).copied();
        matches!(mark(phrase.start.checked_sub(1)), Some(b'"' | b'\''))
            && matches!(mark(Some(phrase.end)), Some(b'"' | b'\'' | b'\\'))
    }

    /// `12 Elm Street<br>69003 Lyon`: the next line of an address in a document.
    pub(super) fn address_goes_on(&mut self, end: usize) {
        let rest = self.text.get(end..).unwrap_or_default();
        if rest.starts_with(['\n', '\r']) {
            let start = end + rest.find('\n').map_or(0, |at| at + 1);
            if let Some(code) = block::code_of_line(self.text, start) {
                self.push(code, Category::Address, "key.address");
            }
            return;
        }
        let Some(tag) = ["<br>", "<br/>", "<br />"].iter().find(|tag| rest.starts_with(**tag)) else {
            return;
        };
        let start = end + tag.len();
        let line = self
            .text
            .get(start..)
            .and_then(|rest| rest.find(['<', '\n']).filter(|len| (1..=80).contains(len)));
        if let Some(len) = line {
            self.push(Span::sized(start, len), Category::Address, "key.address");
        }
    }
}
