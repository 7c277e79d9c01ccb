//! A text in the form in which folded terms are compared.
//!
//! In: a text. Out: its form, and where a part of the form stands in the text. Invariant: marks go with the letter
//! that they stand on, so a part of the form always covers whole characters of the text; memory grows with what
//! the form changes, not with the text twice.

use cloakgate_vocab::Span;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// A run whose form has another length than the run.
#[derive(Clone, Copy, Debug)]
struct Change {
    form: Span,
    text: Span,
}

/// A folded text: NFKC, small letters, one blank for a run of blanks.
#[derive(Debug)]
pub(super) struct Folded {
    form: String,
    changes: Vec<Change>, // ascending
}

impl Folded {
    pub(super) fn of(text: &str) -> Self {
        let mut folded = Self { form: String::with_capacity(text.len()), changes: Vec::new() };
        let mut characters = text.char_indices().peekable();
        while let Some((start, character)) = characters.next() {
            let begin = folded.form.len();
            let mut end = start.saturating_add(character.len_utf8());
            let is_blank = character.is_whitespace();
            let goes_on = |next: char| {
                if is_blank {
                    next.is_whitespace()
                } else {
                    !next.is_ascii() && canonical_combining_class(next) != 0
                }
            };
            while let Some((at, next)) = characters.next_if(|(_, next)| goes_on(*next)) {
                end = at.saturating_add(next.len_utf8());
            }
            let run = text.get(start..end).unwrap_or_default();
            if is_blank {
                folded.form.push(' ');
            } else if character.is_ascii() && run.len() == 1 {
                folded.form.push(character.to_ascii_lowercase());
            } else {
                folded.form.extend(run.nfkc().flat_map(char::to_lowercase));
            }
            let form = Span::sized(begin, folded.form.len().saturating_sub(begin));
            if form.len() != run.len() {
                folded.changes.push(Change { form, text: Span::sized(start, run.len()) });
            }
        }
        folded
    }

    /// The form.
    pub(super) fn text(&self) -> &str {
        &self.form
    }

    /// The part of the text whose form covers `span`.
    pub(super) fn original(&self, span: Span) -> Option<Span> {
        Span::new(self.place(span.start(), Side::Start), self.place(span.end(), Side::End))
    }

    fn place(&self, at: usize, side: Side) -> usize {
        let before = self.changes.partition_point(|change| match side {
            Side::Start => change.form.start() <= at,
            Side::End => change.form.start() < at,
        });
        let last = before.checked_sub(1).and_then(|index| self.changes.get(index));
        match (last, side) {
            (None, _) => at,
            (Some(change), Side::Start) if at < change.form.end() => change.text.start(),
            (Some(change), Side::End) if at < change.form.end() => change.text.end(),
            (Some(change), _) => change.text.end().saturating_add(at.saturating_sub(change.form.end())),
        }
    }
}

#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_form_covers_whole_characters_of_the_text() {
        for (text, form, part, covered) in [
            ("Project  Heron", "project heron", "heron", "Heron"),
            ("a\u{a0}\n B", "a b", "a b", "a\u{a0}\n B"),
            ("ＨＥＲＯＮ x", "heron x", "heron", "ＨＥＲＯＮ"),
            ("O\u{308}zil y", "özil y", "özil", "O\u{308}zil"),
            ("ﬁn end", "fin end", "in", "ﬁn"),
            ("x ﬁ", "x fi", "f", "ﬁ"),
            ("ÄÖ ß", "äö ß", "ö ß", "Ö ß"),
            ("", "", "", ""),
        ] {
            let folded = Folded::of(text);
            assert_eq!(folded.text(), form, "{text}");
            let start = form.find(part).expect("in the form");
            let span = folded.original(Span::sized(start, part.len())).expect("in order");
            assert_eq!(span.of(text), Some(covered), "{text}");
        }
    }
}
