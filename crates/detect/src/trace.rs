//! Why what was looked at is no finding, for people who ask.
//!
//! In: hits that rules against them drop, and the text that is left. Out: each with its reason. Invariant: a scan that
//! nobody asks about keeps nothing and looks at nothing twice; with a trace the findings are the same.
//! Not here: the rules themselves.

use cloakgate_vocab::{Category, Detector, Finding, Span};

use crate::fields::{self, Extent};
use crate::hints::Hints;
use crate::keys::{self, Meaning};
use crate::recognise::Hit;

/// Something that looked like a value and is none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Dropped {
    /// Where it is.
    pub span: Span,
    /// What it looked like.
    pub category: Category,
    /// The rule that proposed it.
    pub detector: Detector,
    /// What spoke against it.
    pub reason: Reason,
}

/// What speaks against a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// It is part of a longer code: letters, signs or more groups are glued to it.
    Glued,
    /// The word before it, here, names numbers of machines.
    MachineWord(Span),
    /// The words after it name a part, an order or a serial number.
    NamedAfter,
    /// Its key names something of machines.
    MachineKey,
    /// It has the form of something that machines write, named here.
    MachineForm(&'static str),
    /// Its category is switched off.
    Off,
    /// A list of values that are let through has it.
    Allowed,
    /// A finding of this category that is surer or longer covers it.
    Covered(Category),
    /// Under a fitting key it would be a value, but nothing here says so.
    NoEvidence,
}

/// What a scan with questions gives.
#[derive(Clone, Debug, Default)]
pub struct Explained {
    /// The findings, as a scan without questions gives them.
    pub findings: Vec<Finding>,
    /// What was dropped, in order.
    pub dropped: Vec<Dropped>,
}

/// Where dropped hits go: nowhere, unless somebody asks.
pub(crate) struct Trace(Option<Vec<Dropped>>);

impl Trace {
    /// Keeps nothing.
    pub(crate) const fn off() -> Self {
        Self(None)
    }

    /// Keeps everything.
    pub(crate) const fn on() -> Self {
        Self(Some(Vec::new()))
    }

    /// Notes a dropped hit. Always false, so that it can end a filter.
    pub(crate) fn drop(&mut self, hit: &Hit, reason: Reason) -> bool {
        if let Some(dropped) = &mut self.0 {
            dropped.push(Dropped { span: hit.span, category: hit.category, detector: hit.detector, reason });
        }
        false
    }

    /// Notes a finding that a list lets through. Always false.
    pub(crate) fn allow(&mut self, finding: &Finding) -> bool {
        if let Some(dropped) = &mut self.0 {
            dropped.push(of_finding(finding, Reason::Allowed));
        }
        false
    }

    /// The findings as they are before overlaps are resolved.
    pub(crate) fn before(&self, findings: &[Finding]) -> Vec<Finding> {
        if self.0.is_some() { findings.to_vec() } else { Vec::new() }
    }

    /// Notes those that are not among the resolved ones.
    pub(crate) fn resolved(&mut self, before: &[Finding], resolved: &[Finding]) {
        let Some(dropped) = &mut self.0 else { return };
        for finding in before {
            let hull = finding.hull();
            let after = resolved.partition_point(|kept| kept.hull().start() <= hull.start());
            let Some(kept) = after.checked_sub(1).and_then(|index| resolved.get(index)) else { continue };
            // Two rules that say the same are no news.
            if kept.category != finding.category {
                dropped.push(of_finding(finding, Reason::Covered(kept.category)));
            }
        }
    }

    /// Everything that was noted, with what else in the text looks like a value, in order.
    pub(crate) fn finish(self, text: &str, key: Option<Meaning>, findings: Vec<Finding>) -> Explained {
        let mut dropped = self.0.unwrap_or_default();
        dropped.sort_by_key(|dropped| dropped.span);
        dropped.dedup_by_key(|dropped| (dropped.span, dropped.category));
        let beside = considered(text, key, &findings, &dropped);
        dropped.extend(beside);
        dropped.sort_by_key(|dropped| dropped.span);
        Explained { findings, dropped }
    }
}

fn of_finding(finding: &Finding, reason: Reason) -> Dropped {
    Dropped { span: finding.hull(), category: finding.category, detector: finding.detector, reason }
}

/// Fewest characters of a run that is looked at, and most.
const RUN_BYTES: std::ops::RangeInclusive<usize> = 7..=128;
/// Fewest digits of a number that is looked at.
const FEWEST_DIGITS: usize = 7;
/// Fewest characters of a word that may be a secret.
const FEWEST_SECRET_BYTES: usize = 16;
/// Meanings of keys under which a number would be a value.
const OF_NUMBERS: [Meaning; 4] = [Meaning::Phone, Meaning::Card, Meaning::Ssn, Meaning::NationalId];

/// Runs that would be a value under a fitting key, beside what is found or dropped already.
fn considered(text: &str, key: Option<Meaning>, findings: &[Finding], dropped: &[Dropped]) -> Vec<Dropped> {
    let mut taken: Vec<Span> = findings.iter().map(Finding::hull).collect();
    taken.extend(dropped.iter().map(|dropped| dropped.span));
    taken.sort();
    let mut all = Vec::new();
    let mut free = taken.iter().peekable();
    for run in runs(text) {
        while free.next_if(|taken| taken.end() <= run.start()).is_some() {}
        if free.peek().is_some_and(|taken| taken.overlaps(run)) {
            continue;
        }
        let value = run.of(text).unwrap_or_default();
        let meanings: &[Meaning] = if is_number(value) { &OF_NUMBERS } else { &[Meaning::Secret] };
        let verdict = meanings
            .iter()
            .find_map(|meaning| fields::judge(*meaning, value, Extent::Whole, Hints::default()));
        if let Some(verdict) = verdict {
            let reason = machine_form(value)
                .map(Reason::MachineForm)
                .or_else(|| machine_word(text, run.start()).map(Reason::MachineWord))
                .or_else(|| key.is_some_and(Meaning::is_machine).then_some(Reason::MachineKey))
                .unwrap_or(Reason::NoEvidence);
            let detector = Detector(verdict.rule);
            all.push(Dropped { span: run, category: verdict.category, detector, reason });
        }
    }
    all
}

/// Numbers with their separators, and long words of letters and digits.
fn runs(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        loop {
            let start = at + bytes.get(at..)?.iter().position(u8::is_ascii_alphanumeric)?;
            let length = bytes
                .get(start..)?
                .iter()
                .position(|byte| !byte.is_ascii_alphanumeric() && !b"-_./+=".contains(byte))
                .unwrap_or(bytes.len() - start);
            at = start + length;
            let run = text.get(start..at)?.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            if RUN_BYTES.contains(&run.len()) && (is_number(run) || is_code(run)) {
                return Some(Span::sized(start, run.len()));
            }
        }
    })
}

fn is_number(run: &str) -> bool {
    run.bytes().filter(u8::is_ascii_digit).count() >= FEWEST_DIGITS
        && !run.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn is_code(run: &str) -> bool {
    run.len() >= FEWEST_SECRET_BYTES
        && run.bytes().any(|byte| byte.is_ascii_digit())
        && run.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// What machines write in this form.
fn machine_form(value: &str) -> Option<&'static str> {
    let hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let groups: Vec<usize> = value.split('-').map(str::len).collect();
    match value.len() {
        36 if groups == [8, 4, 4, 4, 12] && value.split('-').all(hex) => Some("a UUID"),
        10 if value.starts_with('1') && is_number(value) => Some("seconds since 1970"),
        13 if value.starts_with('1') && is_number(value) => Some("milliseconds since 1970"),
        32 | 40 | 64 | 96 | 128 if hex(value) => Some("a hash"),
        _ => None,
    }
}

/// Words before a value that are looked at for what they say of it.
const WORDS_BEFORE: usize = 4;
/// How far before a value such a word may stand.
const CUE_BYTES: usize = 64;

fn machine_word(text: &str, at: usize) -> Option<Span> {
    phrases_before(text, at).find(|(_, meaning)| meaning.is_machine()).map(|(span, _)| span)
}

/// The key or cue phrase on the same line that says what the value at `at` is; the nearest one.
#[must_use]
pub fn cue_before(text: &str, at: usize) -> Option<Span> {
    phrases_before(text, at).find(|(_, meaning)| !meaning.is_machine()).map(|(span, _)| span)
}

/// Key phrases that end with one of the last words before `at`, the nearest first.
fn phrases_before(text: &str, at: usize) -> impl Iterator<Item = (Span, Meaning)> + '_ {
    let floor = text.floor_char_boundary(at.saturating_sub(CUE_BYTES));
    let head = text.get(floor..at).unwrap_or_default();
    let mut end = head.len();
    let line = head.rfind('\n').map_or(0, |at| at + 1);
    let mut left = WORDS_BEFORE;
    std::iter::from_fn(move || {
        while left > 0 {
            left -= 1;
            let word = head.get(line..end)?.trim_end_matches(|c: char| !c.is_alphanumeric());
            let word_end = line + word.len();
            if word.is_empty() {
                return None;
            }
            let phrase =
                keys::phrase_ending(head, word_end).or_else(|| keys::unspaced_ending(head, word_end));
            let word_start = word.rfind(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
            end = line + word_start.unwrap_or(0);
            if let Some(phrase) = phrase {
                return Some((Span::sized(floor + phrase.start, phrase.end - phrase.start), phrase.meaning));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Category;

    use super::{Reason, cue_before};
    use crate::engine::{Engine, Field, FieldKind};
    use crate::hints::Hints;
    use crate::settings::{CategorySet, Settings};

    fn dropped(text: &str, key: Option<&str>) -> Vec<(String, Category, String)> {
        let field = Field { text, kind: FieldKind::Text, key, siblings: Hints::default(), within: None };
        let engine = Engine::new(Settings::default());
        let explained = engine.explain(&field);
        let plain: Vec<_> =
            engine.scan(&field).iter().map(|finding| (finding.hull(), finding.category)).collect();
        let asked: Vec<_> =
            explained.findings.iter().map(|finding| (finding.hull(), finding.category)).collect();
        assert_eq!(plain, asked, "{text}");
        explained
            .dropped
            .iter()
            .map(|dropped| {
                let value = dropped.span.of(text).unwrap().to_owned();
                let reason = match dropped.reason {
                    Reason::MachineWord(word) => format!("MachineWord {}", word.of(text).unwrap()),
                    other => format!("{other:?}"),
                };
                (value, dropped.category, reason)
            })
            .collect()
    }

    #[test]
    fn what_is_dropped_has_its_reason() {
        for (text, key, value, category, reason) in [
            ("ts 1719674297", None, "1719674297", Category::Phone, "MachineForm(\"seconds since 1970\")"),
            ("order 966-909-1111", None, "966-909-1111", Category::Phone, "MachineWord order"),
            (
                "id 3d7eb08c-7d1e-4bd5-9a1e-6a1d3a0f5c11",
                None,
                "3d7eb08c-7d1e-4bd5-9a1e-6a1d3a0f5c11",
                Category::Secret,
                "MachineForm(\"a UUID\")",
            ),
            ("reach 2025550143 there", None, "2025550143", Category::Phone, "NoEvidence"),
            ("Lyon", Some("city"), "Lyon", Category::Location, "Off"),
        ] {
            let dropped = dropped(text, key);
            assert_eq!(dropped, [(value.to_owned(), category, reason.to_owned())], "{text}");
        }
    }

    #[test]
    fn what_is_found_is_not_dropped() {
        for text in ["", "mail m@example.org", "phone: 202-555-0143", "nothing to see 12"] {
            assert_eq!(dropped(text, None), [], "{text}");
        }
    }

    #[test]
    fn everything_that_overlaps_is_named() {
        let field = Field::text("mail: m@example.org");
        let all = Engine::new(Settings { categories: CategorySet::all() });
        assert!(all.explain(&field).dropped.iter().all(|d| matches!(d.reason, Reason::Covered(_))));
    }

    #[test]
    fn the_nearest_cue_is_told() {
        for (text, cue) in [
            ("full_name: Marie", Some("full_name")),
            ("the password is hunter22", Some("password")),
            ("phone:\n202-555-0143", None),
            ("nothing here 5", None),
        ] {
            let at = text.rfind([' ', '\n']).unwrap() + 1;
            assert_eq!(cue_before(text, at).and_then(|span| span.of(text)), cue, "{text}");
        }
    }
}
