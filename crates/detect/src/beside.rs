//! Parts of a person's name beside the whole of it: `call Stewart back` in the row of `Stewart May`.
//!
//! In: a text and what was found in it, or names from other values of the same record. Out: findings. A part counts where
//! it is written as a name and belongs to no longer name; a part that is also a common word (`May`, `Mark`, `Rose`)
//! only after a title or a greeting. Invariant: words are read once, within `REACH` of a name or in the first
//! `MAX_TEXT_BYTES` of a value; cost is linear in text and names. Not here: whole names (`known`).

use std::collections::HashMap;

use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

use crate::canonical::{Words, is_word_char, stands_alone};
use crate::lexicon::{Roles, lexicon};
use crate::word_hash::hash;
use crate::{known, people, vocabulary, work};

/// How far from a name, in bytes, its parts are looked for in the same text.
const REACH: usize = 320;
/// Most bytes of another value of the record that are read.
const MAX_TEXT_BYTES: usize = 4096;
/// Most names of one record.
const MAX_NAMES: usize = 64;
/// Most bytes of one name.
const MAX_NAME_BYTES: usize = 120;

const RULE: Detector = Detector("beside");

/// Names of people, by their parts.
#[derive(Clone, Debug, Default)]
pub struct Names {
    words: HashMap<u64, Vec<Span>>, // by hash; where the names stand, in order
    runs: Vec<(String, Span)>,      // given names in scripts without blanks
    count: usize,
}

impl Names {
    /// Adds the people among findings of a text.
    pub fn add(&mut self, text: &str, findings: &[Finding]) {
        for finding in findings.iter().filter(|finding| is_person(finding)) {
            let hull = finding.hull();
            if let Some(name) = hull.of(text).filter(|name| name.len() <= MAX_NAME_BYTES) {
                self.add_name(name, hull);
            }
        }
    }

    fn add_name(&mut self, name: &str, at: Span) {
        self.count += 1;
        for span in Tokens::of(name, Span::sized(0, name.len())) {
            let Some(part) = span.of(name).filter(|part| is_part(part)) else { continue };
            self.words.entry(hash(part.as_bytes())).or_default().push(at);
        }
        if let Some(given) = unspaced_given(name) {
            self.runs.push((given.to_owned(), at));
        }
        for part in name.split([' ', '・', '·']).filter(|part| *part != name) {
            if people::is_unspaced_name(part) {
                self.runs.push((part.to_owned(), at));
            }
        }
    }

    /// True when there is nothing to look for, or too much to belong to one record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0 || self.count > MAX_NAMES
    }

    /// Parts of the names in another value of the same record.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Finding> {
        let window = Span::sized(0, text.floor_char_boundary(MAX_TEXT_BYTES));
        let mut found = Vec::new();
        self.words_in(text, window, &mut found, |_, _| true);
        for (run, _) in &self.runs {
            runs_in(text, window, run, &mut found);
        }
        found
    }

    fn words_in(
        &self,
        text: &str,
        window: Span,
        found: &mut Vec<Finding>,
        near: impl Fn(&[Span], Span) -> bool,
    ) {
        if self.words.is_empty() {
            return;
        }
        for token in Tokens::of(text, window) {
            work::count(token.len());
            // Most words have no capital.
            let Some(word) = token.of(text).filter(|word| !begins_small(word)) else { continue };
            let Some(names) = self.words.get(&hash(word.as_bytes())).filter(|_| is_part(word)) else {
                continue;
            };
            if near(names, token) && self.stands_as_name(text, token, word) {
                found.push(Finding::new(Category::Person, token, RULE, Strength::Context));
            }
        }
    }

    /// Whether a word is a name where it stands: no part of an address or a path, and of no longer name.
    fn stands_as_name(&self, text: &str, token: Span, word: &str) -> bool {
        let (Some(before), Some(after)) = (text.get(..token.start()), text.get(token.end()..)) else {
            return false;
        };
        let mut next = after.chars();
        let glued = before.ends_with(['@', '/', '\\', '_', '%', '#', '&', '+', '$', '.', '-', '~'])
            || match next.next() {
                Some('@' | '/' | '\\' | '_' | '-' | '(' | '=') => true,
                Some('.' | ':') => next.next().is_some_and(|c| is_word_char(c) || c == ':'),
                _ => false,
            };
        if glued {
            return false;
        }
        let before_word = word_before(before);
        let introduced = before_word.is_some_and(introduces);
        if is_common(word) {
            return introduced;
        }
        let part = |other: &str| self.words.contains_key(&hash(other.as_bytes()));
        let other_name = |other: &str| {
            let firm = people::is_firm_word(other);
            written_big(other) && !part(other) && (firm || (!is_common(other) && !introduces(other)))
        };
        let follows = before_word.is_some_and(other_name);
        let goes_on = after.strip_prefix(' ').and_then(word_at).is_some_and(other_name);
        introduced || (!follows && !goes_on)
    }
}

/// Parts of the names among `findings` elsewhere in the same text, near them.
pub(crate) fn in_text(text: &str, findings: &[Finding]) -> Vec<Finding> {
    let mut names = Names::default();
    names.add(text, findings);
    let mut found = Vec::new();
    if names.count == 0 {
        return found;
    }
    let near = |names: &[Span], token: Span| {
        let from = names.partition_point(|name| name.end() + REACH < token.start());
        names.get(from).is_some_and(|name| name.start() <= token.end() + REACH)
    };
    let mut window: Option<Span> = None;
    for finding in findings.iter().filter(|finding| is_person(finding)) {
        let around = around(text, finding.hull());
        window = match window {
            Some(open) if open.end() >= around.start() => Span::new(open.start(), around.end()),
            Some(open) => {
                names.words_in(text, open, &mut found, near);
                Some(around)
            }
            None => Some(around),
        };
    }
    if let Some(open) = window {
        names.words_in(text, open, &mut found, near);
    }
    let mut read: HashMap<&str, usize> = HashMap::new();
    for (run, at) in &names.runs {
        // What the same run was looked for in before is left out.
        let window = around(text, *at);
        let from = read.insert(run, window.end()).unwrap_or(0).max(window.start());
        runs_in(text, Span::sized(from, window.end().saturating_sub(from)), run, &mut found);
    }
    found.retain(|part| {
        let at = findings.partition_point(|other| other.hull().end() <= part.hull().start());
        findings.get(at).is_none_or(|other| !other.hull().overlaps(part.hull()))
    });
    found
}

fn is_person(finding: &Finding) -> bool {
    finding.category == Category::Person && finding.detector != RULE
}

/// The span with `REACH` bytes on either side.
fn around(text: &str, span: Span) -> Span {
    let start = text.floor_char_boundary(span.start().saturating_sub(REACH));
    let end = text.floor_char_boundary((span.end() + REACH).min(text.len()));
    Span::sized(start, end.saturating_sub(start))
}

/// A word that is a part of names: three letters with a capital, or two of a script that has none.
fn is_part(word: &str) -> bool {
    let Some(first) = word.chars().next().filter(|c| c.is_alphabetic() && !c.is_lowercase()) else {
        return false;
    };
    let least = if first.is_uppercase() { 3 } else { 2 };
    word.chars().count() >= least
        && !word.chars().any(|c| c.is_numeric() || stands_alone(c))
        && !lexicon().roles(word.as_bytes()).any(Roles::TITLE)
}

fn begins_small(word: &str) -> bool {
    word.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn is_common(word: &str) -> bool {
    vocabulary::is_common(word) || known::is_common_word(word) || people::is_no_name(word)
}

fn written_big(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Titles, greetings and words beside them.
fn introduces(word: &str) -> bool {
    const MORE: &[&str] =
        &["hi", "hey", "thanks", "thx", "merci", "danke", "gracias", "grazie", "obrigado", "bedankt"];
    let roles = lexicon().roles(word.as_bytes());
    roles.any(Roles::TITLE)
        || roles.any(Roles::GREETING)
        || MORE.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// The word that ends before a blank at the end of the text.
fn word_before(text: &str) -> Option<&str> {
    let head = text.strip_suffix(' ')?;
    let head = head.strip_suffix('.').unwrap_or(head);
    let len: usize = head.chars().rev().take(24).take_while(|c| is_word_char(*c)).map(char::len_utf8).sum();
    head.get(head.len() - len..).filter(|word| !word.is_empty())
}

fn word_at(text: &str) -> Option<&str> {
    let len: usize = text.chars().take(24).take_while(|c| is_word_char(*c)).map(char::len_utf8).sum();
    text.get(..len).filter(|word| !word.is_empty())
}

/// The given name in a name of three or four characters that no blank parts: the last two.
fn unspaced_given(name: &str) -> Option<&str> {
    let letters = name.chars().count();
    if !(3..=4).contains(&letters) || !name.chars().all(stands_alone) {
        return None;
    }
    let (at, _) = name.char_indices().nth(letters - 2)?;
    name.get(at..)
}

fn runs_in(text: &str, window: Span, run: &str, found: &mut Vec<Finding>) {
    let Some(part) = window.of(text).filter(|_| run.chars().count() >= 2) else { return };
    work::count(part.len());
    for at in memchr::memmem::find_iter(part.as_bytes(), run.as_bytes()) {
        let span = Span::sized(window.start() + at, run.len());
        found.push(Finding::new(Category::Person, span, RULE, Strength::Context));
    }
}

/// Words of a window, those that a dash or an apostrophe joins as one, without a possessive ending.
struct Tokens<'a> {
    text: &'a str,
    words: std::iter::Peekable<Words<'a>>,
    end: usize,
}

impl<'a> Tokens<'a> {
    fn of(text: &'a str, window: Span) -> Self {
        Self { text, words: Words::from(text, window.start()).peekable(), end: window.end() }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let mut token = self.words.next().filter(|word| word.end() <= self.end)?;
        while let Some(next) = self.words.peek().copied() {
            let joint = self.text.get(token.end()..next.start()).unwrap_or_default();
            let possessive = matches!(next.of(self.text), Some("s" | "S"));
            if !matches!(joint, "-" | "'" | "’" | "‐") || next.end() > self.end {
                break;
            }
            if possessive && joint != "-" {
                self.words.next();
                break;
            }
            token = token.union(next);
            self.words.next();
        }
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

    use super::{Names, in_text};

    fn person(text: &str, name: &str) -> Finding {
        let span = Span::sized(text.find(name).unwrap(), name.len());
        Finding::new(Category::Person, span, Detector("test"), Strength::Context)
    }

    fn shown<'a>(text: &'a str, findings: &[Finding]) -> Vec<&'a str> {
        findings.iter().filter_map(|finding| finding.hull().of(text)).collect()
    }

    #[test]
    fn parts_of_a_name_near_it_are_the_same_person() {
        for (text, name, parts) in [
            ("Stewart May\tnote\tcall Stewart back", "Stewart May", &["Stewart"][..]),
            ("Stewart May asked. Mrs. May called in May. May I?", "Stewart May", &["May"]),
            ("Hi Mark, it's Mark Lopez. Mark it done.", "Mark Lopez", &["Mark"]),
            ("Rosa Gil: hi\nGil's mail, Gil Street, gil, gil@x, /Gil/", "Rosa Gil", &["Gil"]),
            ("Franz-Josef Ott\n> Franz-Josef\n", "Franz-Josef Ott", &["Franz-Josef"]),
            ("山崎太一 call 太一 back", "山崎太一", &["太一"]),
            ("近藤 花子: it's 花子", "近藤 花子", &["花子"]),
            ("Anna van Dam, Van, Anna Karenina, Dam Inc", "Anna van Dam", &[]),
        ] {
            let findings = [person(text, name)];
            assert_eq!(shown(text, &in_text(text, &findings)), parts, "{text}");
        }
        let far = format!("Rosa Gil{}Rosa", " .".repeat(400));
        assert!(in_text(&far, &[person(&far, "Rosa Gil")]).is_empty());
    }

    #[test]
    fn names_of_a_record_are_known_in_its_other_values() {
        let mut names = Names::default();
        names.add("Kelly Williams", &[person("Kelly Williams", "Kelly Williams")]);
        let text = "Kelly is off sick, tell Williams Ltd";
        assert_eq!(shown(text, &names.find(text)), ["Kelly"]);
        assert!(Names::default().is_empty());
    }
}
