//! What the table tests of the recognisers share: spans marked with `«` and `»`, and a stand-in for the lexer.

use cloakgate_vocab::{Category, Span};

use super::{Cue, DigitRun, Hit, digit_run, word_at};

/// Removes the marks and returns the clean text and the marked values.
pub(super) fn unmark(marked: &str) -> (String, Vec<String>) {
    let (mut text, mut values) = (String::new(), Vec::new());
    for piece in marked.split('«') {
        match piece.split_once('»') {
            Some((value, rest)) => {
                values.push(value.to_owned());
                text.push_str(value);
                text.push_str(rest);
            }
            None => text.push_str(piece),
        }
    }
    (text, values)
}

fn joins(separator: &str) -> bool {
    matches!(separator, " " | "." | "-" | "/" | "(" | ")" | "+" | "\u{a0}" | ") " | " (")
}

/// Splits a text into digit runs as the lexer does.
pub(super) fn runs(text: &str) -> Vec<Vec<Span>> {
    let mut groups = Vec::new();
    let mut start = None;
    for (index, byte) in text.bytes().chain([0]).enumerate() {
        match (byte.is_ascii_digit(), start) {
            (true, None) => start = Some(index),
            (false, Some(begin)) => {
                groups.push(Span::sized(begin, index - begin));
                start = None;
            }
            _ => {}
        }
    }
    let mut runs: Vec<Vec<Span>> = Vec::new();
    for group in groups {
        match runs.last_mut() {
            Some(run) if joins(text.get(run.last().unwrap().end()..group.start()).unwrap()) => run.push(group),
            _ => runs.push(vec![group]),
        }
    }
    runs
}

/// The values of a category that the digit kinds find.
pub(super) fn spans_with(category: Category, cue: Cue, text: &str) -> Vec<String> {
    let mut hits = Vec::new();
    for groups in runs(text) {
        digit_run(&DigitRun { text, groups: &groups }, cue, &mut hits);
    }
    values(text, category, hits)
}

fn values(text: &str, category: Category, hits: Vec<Hit>) -> Vec<String> {
    let wanted = hits.into_iter().filter(|hit| hit.category == category);
    wanted.map(|hit| hit.span.of(text).unwrap().to_owned()).collect()
}

/// Checks that exactly the marked values of a category are found in each text.
pub(super) fn check_digit_runs(category: Category, cue: Cue, texts: &[&str]) {
    for marked in texts {
        let (text, expected) = unmark(marked);
        assert_eq!(spans_with(category, cue, &text), expected, "{marked}");
    }
}

/// All hits at the word starts of a text.
pub(super) fn word_hits(text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut previous = ' ';
    for (index, character) in text.char_indices() {
        if character.is_ascii_alphanumeric() && !previous.is_ascii_alphanumeric() {
            word_at(text, index, &mut hits);
        }
        previous = character;
    }
    hits
}

/// Checks that exactly the marked values of a category are found at the word starts of each text.
pub(super) fn check_words(category: Category, texts: &[&str]) {
    for marked in texts {
        let (text, expected) = unmark(marked);
        assert_eq!(values(&text, category, word_hits(&text)), expected, "{marked}");
    }
}

/// Checks that exactly the marked values are found by a recogniser that is asked at every occurrence of a mark.
pub(super) fn check_at(trigger: &str, recognise: impl Fn(&str, usize) -> Option<Hit>, texts: &[&str]) {
    for marked in texts {
        let (text, expected) = unmark(marked);
        let hits = text.match_indices(trigger).filter_map(|(index, _)| recognise(&text, index));
        let found: Vec<_> = hits.map(|hit| hit.span.of(&text).unwrap().to_owned()).collect();
        assert_eq!(found, expected, "{marked}");
    }
}
