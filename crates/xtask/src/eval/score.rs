//! The figures: what of the marked values was covered, and what was covered beside them.
//!
//! In: marked texts, what was found in each, the labels that count. Out: counts, whose quotients are the figures.
//! Invariant: only letters and digits count as characters. A marked value whose label does not count is neither
//! missed nor a false alarm; neither is a finding whose label the set does not mark.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::characters::{is_letter_or_digit, tokens};
use super::labels::{OTHER, Selection};
use super::record::{Record, Span};

/// Counts over a set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) gold: usize,
    pub(crate) predicted: usize,
    gold_characters: usize,
    covered: usize,
    predicted_characters: usize,
    predicted_right: usize,
    strict: usize,
    overlap_aware: usize,
    tokens: usize,
    alarms: usize,
    negative_tokens: usize,
    negative_alarms: usize,
}

/// A quotient in per cent; `None` when there is nothing to divide by.
fn percent(part: usize, whole: usize) -> Option<f64> {
    quotient(part * 100, whole)
}

#[expect(clippy::cast_precision_loss, reason = "counts of a set are far below 2^52")]
fn quotient(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl Totals {
    /// Letters and digits of marked values that nothing covers, in per cent.
    pub(crate) fn leak(&self) -> Option<f64> {
        percent(self.gold_characters - self.covered, self.gold_characters)
    }

    /// Letters and digits of findings that belong to a marked value, in per cent.
    pub(crate) fn precision(&self) -> Option<f64> {
        percent(self.predicted_right, self.predicted_characters)
    }

    /// F1 of findings that overlap a marked value of the same label, one to one.
    pub(crate) fn f1(&self) -> Option<f64> {
        percent(2 * self.overlap_aware, self.gold + self.predicted)
    }

    /// F1 of findings with exactly the extent of a marked value.
    pub(crate) fn strict_f1(&self) -> Option<f64> {
        percent(2 * self.strict, self.gold + self.predicted)
    }

    /// Findings off any marked value in 1,000 tokens.
    pub(crate) fn alarms(&self) -> Option<f64> {
        quotient(self.alarms * 1000, self.tokens)
    }

    /// The same in texts without a marked value.
    pub(crate) fn negative_alarms(&self) -> Option<f64> {
        quotient(self.negative_alarms * 1000, self.negative_tokens)
    }
}

/// A value that was missed at least in part, or a false alarm.
pub(crate) struct Mistake {
    kind: &'static str,
    id: String,
    label: &'static str,
    value: String,
    around: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, id, label, value, around } = self;
        write!(f, "{kind} {id} {label} {value:?} in {around:?}")
    }
}

/// What came of a set.
pub(crate) struct Score {
    pub(crate) total: Totals,
    pub(crate) by_label: BTreeMap<&'static str, Totals>,
    pub(crate) errors: Vec<Mistake>,
}

impl Score {
    /// Scores what was `found` in `records`; at most so many `errors` of each kind are kept.
    pub(crate) fn of(records: &[Record], found: &[Vec<Span>], labels: &Selection, errors: usize) -> Self {
        let mut score = Self { total: Totals::default(), by_label: BTreeMap::new(), errors: Vec::new() };
        let mut left = Left { misses: errors, alarms: errors };
        for (record, found) in records.iter().zip(found) {
            let text = Text::of(record, found, labels);
            score.values(&text, &mut left);
            score.findings(&text, &mut left);
            score.pairs(&text);
        }
        for of_label in score.by_label.values_mut() {
            of_label.tokens = score.total.tokens;
            of_label.negative_tokens = score.total.negative_tokens;
        }
        score
    }

    fn label(&mut self, label: &'static str) -> &mut Totals {
        self.by_label.entry(label).or_default()
    }

    /// What of the marked values is covered.
    fn values(&mut self, text: &Text<'_>, left: &mut Left) {
        self.total.tokens += text.tokens;
        if text.record.gold.is_empty() {
            self.total.negative_tokens += text.tokens;
        }
        for value in &text.gold {
            let characters = text.letters(*value).count();
            let covered = text.letters(*value).filter(|at| text.covered.contains(at)).count();
            for totals in [&mut self.total, self.by_label.entry(value.label).or_default()] {
                totals.gold += 1;
                totals.gold_characters += characters;
                totals.covered += covered;
            }
            if covered < characters && left.misses > 0 {
                left.misses -= 1;
                self.errors.push(text.mistake("missed", *value));
            }
        }
    }

    /// What of the findings is right.
    fn findings(&mut self, text: &Text<'_>, left: &mut Left) {
        let mut characters = BTreeSet::new();
        for finding in &text.found {
            characters.extend(text.letters(*finding));
            self.total.predicted += 1;
            let right = text.letters(*finding).filter(|at| text.marked.contains(at)).count();
            let all = text.letters(*finding).count();
            let of_label = self.label(finding.label);
            of_label.predicted += 1;
            of_label.predicted_characters += all;
            of_label.predicted_right += right;
            if !(finding.start..finding.end).any(|at| text.marked.contains(&at)) {
                let negative = usize::from(text.record.gold.is_empty());
                for totals in [&mut self.total, self.by_label.entry(finding.label).or_default()] {
                    totals.alarms += 1;
                    totals.negative_alarms += negative;
                }
                if left.alarms > 0 {
                    left.alarms -= 1;
                    self.errors.push(text.mistake("false alarm", *finding));
                }
            }
        }
        self.total.predicted_characters += characters.len();
        self.total.predicted_right += characters.iter().filter(|at| text.marked.contains(*at)).count();
    }

    /// Marked values and findings that go together.
    fn pairs(&mut self, text: &Text<'_>) {
        let mut rest: Vec<(usize, usize)> = text.found.iter().map(|span| (span.start, span.end)).collect();
        for value in &text.gold {
            if let Some(at) = rest.iter().position(|extent| *extent == (value.start, value.end)) {
                rest.swap_remove(at);
                self.total.strict += 1;
            }
        }
        for label in matched_labels(&text.gold, &text.found) {
            self.total.overlap_aware += 1;
            self.label(label).overlap_aware += 1;
        }
    }
}

/// Mistakes that may still be listed.
struct Left {
    misses: usize,
    alarms: usize,
}

/// Labels of the marked values that pair with a finding of their label, the longest overlaps first.
fn matched_labels(gold: &[Span], found: &[Span]) -> Vec<&'static str> {
    let mut candidates = Vec::new();
    for (index, value) in gold.iter().enumerate() {
        for (other, finding) in found.iter().enumerate() {
            let shared = value.shared(*finding);
            if shared > 0 && value.label == finding.label {
                candidates.push((std::cmp::Reverse(shared), index, other, value.label));
            }
        }
    }
    candidates.sort_unstable();
    let (mut used_gold, mut used_found) = (BTreeSet::new(), BTreeSet::new());
    let mut labels = Vec::new();
    for (_, value, finding, label) in candidates {
        if !used_gold.contains(&value) && !used_found.contains(&finding) {
            used_gold.insert(value);
            used_found.insert(finding);
            labels.push(label);
        }
    }
    labels
}

/// One text, ready to be counted.
struct Text<'a> {
    record: &'a Record,
    characters: Vec<char>,
    /// Marked values that count.
    gold: Vec<Span>,
    /// Findings that count.
    found: Vec<Span>,
    /// Code points that any finding covers.
    covered: BTreeSet<usize>,
    /// Code points of any marked value.
    marked: BTreeSet<usize>,
    tokens: usize,
}

impl<'a> Text<'a> {
    fn of(record: &'a Record, found: &[Span], labels: &Selection) -> Self {
        let characters: Vec<char> = record.text.chars().collect();
        let (gold, beside): (Vec<Span>, Vec<Span>) =
            record.gold.iter().partition(|value| labels.contains(value.label));
        let mut found: Vec<Span> = found
            .iter()
            .filter(|span| span.end > span.start)
            .map(|span| Span { end: span.end.min(characters.len()), ..*span })
            .collect();
        found.sort_unstable();
        found.dedup();
        let covered = found.iter().flat_map(|span| span.start..span.end).collect();
        let marked = record.gold.iter().flat_map(|span| span.start..span.end).collect();
        let in_scope = |label: &str| record.scope.as_ref().is_none_or(|scope| scope.contains(&label));
        let touches = |finding: &Span, values: &[Span]| values.iter().any(|value| value.shared(*finding) > 0);
        found.retain(|finding| {
            let counts =
                finding.label == OTHER || (in_scope(finding.label) && labels.contains(finding.label));
            counts && (touches(finding, &gold) || !touches(finding, &beside))
        });
        let tokens = tokens(&record.text);
        Self { record, characters, gold, found, covered, marked, tokens }
    }

    /// Places of the letters and digits of a span.
    fn letters(&self, span: Span) -> impl Iterator<Item = usize> + '_ {
        (span.start..span.end).filter(|at| self.characters.get(*at).copied().is_some_and(is_letter_or_digit))
    }

    fn mistake(&self, kind: &'static str, span: Span) -> Mistake {
        let part = |start: usize, end: usize| {
            self.characters.iter().skip(start).take(end.saturating_sub(start)).collect::<String>()
        };
        Mistake {
            kind,
            id: self.record.id.as_str().map_or_else(|| self.record.id.to_string(), str::to_owned),
            label: span.label,
            value: part(span.start, span.end),
            around: part(span.start.saturating_sub(40), span.end + 40),
        }
    }
}

#[cfg(test)]
mod tests;
