//! Looks for several values in a text at once, whatever the case of their ASCII letters.
//!
//! In: values, texts. Out: where one of them stands, leftmost and longest, apart from one another. Invariant: both ways
//! to look find the same; the direct one is taken where it costs a few milliseconds at the worst, and is many times
//! faster there, since an automaton for one short text takes longer to make than to run.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use cloakgate_vocab::Span;

/// Bytes of the text times bytes of the values, up to which they are compared directly.
const MAX_COMPARED: usize = 1 << 20;

/// Values to look for.
pub(super) struct Needles<'v> {
    /// Longest first.
    values: Vec<&'v str>,
    way: Way,
}

enum Way {
    /// By comparing, wherever a byte stands that some value begins with.
    Direct(Box<[bool; 256]>),
    Automaton(AhoCorasick),
}

impl<'v> Needles<'v> {
    /// Values to be looked for in texts of so many bytes in all; `None` when there are too many of them. Empty ones are
    /// not looked for.
    pub(super) fn new(values: impl Iterator<Item = &'v str>, text_bytes: usize) -> Option<Self> {
        let mut values: Vec<&str> = values.filter(|value| !value.is_empty()).collect();
        values.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        let bytes: usize = values.iter().map(|value| value.len()).sum();
        if bytes.saturating_mul(text_bytes) <= MAX_COMPARED {
            let mut begins = Box::new([false; 256]);
            for first in values.iter().filter_map(|value| value.bytes().next()) {
                for byte in [first.to_ascii_lowercase(), first.to_ascii_uppercase()] {
                    if let Some(place) = begins.get_mut(usize::from(byte)) {
                        *place = true;
                    }
                }
            }
            return Some(Self { values, way: Way::Direct(begins) });
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            // It reads one text, so it must be made fast rather than be fast.
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(&values)
            .ok()?;
        Some(Self { values, way: Way::Automaton(automaton) })
    }

    /// Calls `visit` with each place and the value that stands there.
    pub(super) fn each(&self, text: &str, visit: &mut dyn FnMut(Span, &'v str)) {
        match &self.way {
            Way::Direct(begins) => {
                let bytes = text.as_bytes();
                let mut at = 0;
                while let Some(byte) = bytes.get(at) {
                    let may = begins.get(usize::from(*byte)).copied().unwrap_or(false);
                    let found = if may { self.at(bytes, at) } else { None };
                    let Some(value) = found else {
                        at += 1;
                        continue;
                    };
                    visit(Span::sized(at, value.len()), value);
                    at += value.len();
                }
            }
            Way::Automaton(automaton) => {
                for found in automaton.find_iter(text) {
                    if let Some(value) = self.values.get(found.pattern().as_usize()) {
                        visit(Span::sized(found.start(), found.len()), value);
                    }
                }
            }
        }
    }

    /// The longest value that stands at a place.
    fn at(&self, bytes: &[u8], at: usize) -> Option<&'v str> {
        self.values.iter().copied().find(|value| {
            let there = bytes.get(at..at + value.len());
            there.is_some_and(|there| there.eq_ignore_ascii_case(value.as_bytes()))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found<'v>(values: &[&'v str], text: &str, text_bytes: usize) -> Vec<(usize, &'v str)> {
        let mut all = Vec::new();
        let needles = Needles::new(values.iter().copied(), text_bytes).expect("few");
        needles.each(text, &mut |span, value| all.push((span.start(), value)));
        all
    }

    #[test]
    fn the_leftmost_longest_is_found_in_any_case() {
        let values = ["Ann", "Anna Ley", "ÉMILE", "nn"];
        let text = "ANN, anna ley, Émile, émile; a nN";
        let expected = [(0, "Ann"), (5, "Anna Ley"), (15, "ÉMILE"), (33, "nn")];
        assert_eq!(found(&values, text, text.len()), expected);
        assert_eq!(found(&[], text, text.len()), []);
    }

    proptest! {
        #[test]
        fn both_ways_find_the_same(values in proptest::collection::vec("[abAé]{1,4}", 1..5), text in "[abABé ]{0,40}") {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let direct: Vec<_> = found(&values, &text, text.len()).into_iter().map(|(at, value)| (at, value.len())).collect();
            let automaton = found(&values, &text, usize::MAX);
            let automaton: Vec<_> = automaton.into_iter().map(|(at, value)| (at, value.len())).collect();
            prop_assert_eq!(direct, automaton);
        }
    }
}
