//! Numbers of a text: what words before them say of them, and houses and post codes.
//!
//! In: a number with the pass. Out: hits, and the cue for the kinds of numbers. Invariant: looks a bounded way around
//! the number. Not here: digit runs that check themselves (`recognise`).

use cloakgate_vocab::{Category, Span};

use super::{Pass, Structure, cue_of};
use crate::keys::KeyPhrase;
use crate::recognise::{self, Cue, DigitRun};
use crate::{address, birth, named_lines};

/// How far, in bytes, a key word speaks for a number after it.
const CUE_REACH: usize = 40;

/// Whether a digit group is a part of a number that was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Claim {
    /// It may be a number of its own: of a house, a day, an amount.
    Free,
    /// It belongs to a card, a telephone number or another that is found as a whole.
    Taken,
}

impl Pass<'_> {
    /// The numbers of all kinds that a run of digit groups may hold.
    pub(super) fn whole_run(&mut self, groups: &[Span]) {
        let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return };
        let length = last.end() - first.start();
        // Too short for every kind of number: most runs of most texts.
        if length < 6 {
            return;
        }
        let cue = self.cue(first.start());
        let goes_on = || matches!(self.text.as_bytes().get(last.end()), Some(b'-' | b'+'));
        if length < 7 && cue == Cue::None && groups.len() < 4 && !goes_on() {
            return;
        }
        recognise::digit_run(&DigitRun { text: self.text, groups }, cue, &mut self.hits);
    }

    /// A digit group that is a word of its own.
    #[inline]
    pub(super) fn single_number(&mut self, number: Span, claim: Claim) {
        let (start, end) = (number.start(), number.end());
        recognise::word_at(self.text, start, &mut self.hits);
        if self.text.as_bytes().get(end) == Some(&b':') {
            self.hits.extend(recognise::password_file_at(self.text, start, end));
            self.person(named_lines::user(self.text, start, end), "user_list");
        }
        if claim == Claim::Taken {
            return;
        }
        self.house_number(start, end);
        if let Some(extended) = self.extended.as_mut().filter(|_| self.structure == Structure::Read) {
            extended.number(number, &mut self.hits);
        }
    }

    pub(super) fn cue(&self, at: usize) -> Cue {
        match self.phrase {
            Some(phrase) if at.saturating_sub(phrase.end) <= CUE_REACH && phrase.end <= at => {
                match cue_of(phrase.meaning) {
                    _ if self.is_part_of_name(phrase) || self.line_between(phrase.end, at) => self.field_cue,
                    _ if self.value_between(phrase.end, at) => self.field_cue,
                    Cue::Phone if counts_phones(self.text, phrase.end) => self.field_cue,
                    Cue::None if !phrase.meaning.is_machine() => self.field_cue,
                    cue => cue,
                }
            }
            _ => self.field_cue,
        }
    }

    /// Whether more than a label's marks stand between a word and a number in another line.
    pub(super) fn line_between(&self, from: usize, to: usize) -> bool {
        let gap = self.text.as_bytes().get(from..to).unwrap_or_default();
        gap.contains(&b'\n') && gap.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
    }

    /// `tel=312 HTTP/2" 200`: whether a value ends at a quote between a word and a number.
    fn value_between(&self, from: usize, to: usize) -> bool {
        let gap = self.text.as_bytes().get(from..to).unwrap_or_default();
        gap.windows(3).any(|bytes| matches!(bytes, [last, b'"', b' '] if last.is_ascii_alphanumeric()))
    }

    /// `IOCTL_SMS_ATN`, `nhs.example.uk`: the phrase is a part of a longer name.
    fn is_part_of_name(&self, phrase: KeyPhrase) -> bool {
        let bytes = self.text.as_bytes();
        let lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
        let host = bytes.get(phrase.end) == Some(&b'.') && lower(phrase.end + 1) && lower(phrase.end - 1);
        host || self.names_a_constant(phrase)
    }

    /// `IOCTL_SMS_ATN`: the phrase is a part of a longer name in capitals.
    pub(super) fn names_a_constant(&self, phrase: KeyPhrase) -> bool {
        let bytes = self.text.as_bytes();
        matches!((bytes.get(phrase.end), bytes.get(phrase.end + 1)), (Some(b'_'), Some(next)) if next.is_ascii_uppercase())
            && phrase.end.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_uppercase)
    }

    /// A number that may be of a house, or a post code.
    #[inline]
    pub(super) fn house_number(&mut self, start: usize, end: usize) {
        if self.structure == Structure::Skip {
            return;
        }
        let head = self.text.as_bytes().get(..start).unwrap_or_default();
        if matches!(head, [.., b'*'] | [.., b'b' | b's' | b'n' | b'f', b'.', b' ']) {
            let span = birth::behind_mark(self.text, start);
            if let Some(span) = span {
                self.push(span, Category::DateOfBirth, "born");
            }
        }
        if ends_capital_word(head) {
            let span = address::around_number(&mut self.reader, start);
            self.address(span);
        }
        if matches!(head.last(), Some(b' ' | b'-' | b'\n')) && is_code_like(self.text.as_bytes(), start, end)
        {
            let span = address::around_code(&mut self.reader, start);
            self.address(span);
        }
    }

    pub(super) fn address(&mut self, span: Option<Span>) {
        if let Some(span) = span {
            self.push(span, Category::Address, "street");
        }
    }
}

/// `mobile users`, `phone calls`, `phone_type_id`: the number is of something else.
fn counts_phones(text: &str, end: usize) -> bool {
    const COUNTED: &[&str] = &[
        "users",
        "calls",
        "lines",
        "type",
        "types",
        "subscribers",
        "sessions",
        "visits",
        "traffic",
        "app",
        "apps",
        "devices",
        "views",
        "models",
        "plans",
        "version",
        "orders",
        "leads",
        "clicks",
        "downloads",
        "installs",
    ];
    let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix([' ', '_', '-'])) else {
        return false;
    };
    let len = rest.bytes().take(12).take_while(u8::is_ascii_alphabetic).count();
    rest.get(..len).is_some_and(|word| COUNTED.iter().any(|other| word.eq_ignore_ascii_case(other)))
}

/// Whether a text ends with a word that has a capital and five bytes or more, and a blank.
fn ends_capital_word(head: &[u8]) -> bool {
    let Some((b' ', head)) = head.split_last() else { return false };
    let word = head
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'.' | b'-' | 0x80..));
    let len = word.clone().count();
    len >= 5 && word.last().is_some_and(|byte| byte.is_ascii_uppercase() || *byte >= 0x80)
}

/// Whether a word may begin a post code such as `SW1A 1AA`.
#[inline]
pub(super) fn begins_code(bytes: &[u8], word: &[u8], end: usize) -> bool {
    word.len() <= 4
        && bytes.get(end) == Some(&b' ')
        && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
        && word.first().is_some_and(u8::is_ascii_uppercase)
        && word.iter().any(u8::is_ascii_digit)
}

/// Whether a number is as long as post codes are, with letters and a number, or what stands for one, near before it.
fn is_code_like(bytes: &[u8], start: usize, end: usize) -> bool {
    let near = |reach: usize| bytes.get(start.saturating_sub(reach)..start).unwrap_or_default();
    let far = if near(2).first().is_some_and(|byte| *byte >= 0x80) { 208 } else { 64 };
    (2..=8).contains(&(end - start))
        && near(24).iter().any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
        && (near(far).iter().any(u8::is_ascii_digit)
            || near(64).windows(2).any(|two| matches!(two, b"/n" | b"/N"))
            || matches!(near(4), [b' ', b'A', b'A' | b'E' | b'P', b' ']))
}
