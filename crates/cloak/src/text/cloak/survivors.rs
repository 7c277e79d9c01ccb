//! The last look: values that were replaced at one place and still stand at another.
//!
//! In: the values of a text with what stands for them, the text. Out: edits for each place where one is left. Invariant:
//! one pass over the text for all values. Not here: ages, weights and words of gender, which are values only where a
//! person is spoken of, and keys of JSON that are more than the value or stand for what keys are made of.

use std::collections::HashMap;

use cloakgate_detect::FieldKind;
use cloakgate_vocab::Span;

use super::OF_KEYS;
use super::edits::{Edit, Edits};
use super::needles::Needles;
use crate::error::CloakError;
use crate::find::Finder;
use crate::text::field::Field;
use crate::text::operators::{Replacement, Spot};
use crate::texts::{Text, walk};

/// Shorter values, in characters, occur by chance.
const LEAST_CHARS: usize = 4;
/// Values of so many characters do not occur by chance within longer words.
const LONG_CHARS: usize = 8;

/// The values of one text.
#[derive(Default)]
pub(super) struct Survivors {
    values: HashMap<String, (Field, String, bool)>, // what stands for each, and whether for it alone
}

impl Survivors {
    /// Takes down what stands for a value.
    pub(super) fn learn(&mut self, spot: &Spot<'_>, replacement: &Replacement) {
        let told = matches!(spot.field, Field::Age | Field::Weight | Field::Gender);
        let value = spot.written();
        if told || value.chars().take(LEAST_CHARS).count() < LEAST_CHARS || replacement.text.contains(value) {
            return;
        }
        if !self.values.contains_key(value) {
            let stand_in = (spot.field, replacement.text.clone(), replacement.unique);
            self.values.insert(value.to_owned(), stand_in);
        }
    }

    /// Adds an edit wherever a value is left.
    pub(super) fn look(&self, text: &str, finder: &Finder, edits: &mut Edits) -> Result<(), CloakError> {
        if self.values.is_empty() {
            return Ok(());
        }
        let needles = Needles::new(self.values.keys().map(String::as_str), text.len());
        let needles = needles.ok_or(CloakError::Invalid)?;
        let mut more = Vec::new();
        let mut failed = None;
        let mut first = 0;
        walk(text, finder.outer(None), &mut |inner| {
            let here = edits.within(first, inner.in_string(Span::sized(0, inner.text.len())));
            first += here.len();
            let mut from = 0;
            let ends = here.iter().map(|edit| (edit.inner.start(), edit.inner.end()));
            for (end, next) in ends.chain([(inner.text.len(), inner.text.len())]) {
                let part = inner.text.get(from..end).unwrap_or_default();
                needles.each(part, &mut |found, value| {
                    let span = found.shifted(from);
                    let Some((field, shown, unique)) = self.values.get(value) else { return };
                    let is_left = match inner.kind {
                        FieldKind::Key => {
                            *unique && span.len() == inner.text.len() && OF_KEYS.contains(field)
                        }
                        _ => is_value(inner, span),
                    };
                    if is_left {
                        let replacement = Replacement { span, text: shown.clone(), unique: *unique };
                        match Edit::new(inner, &replacement, *field) {
                            Ok(edit) => more.push(edit),
                            Err(error) => failed = Some(error),
                        }
                    }
                });
                from = next;
            }
        });
        edits.extend(more);
        failed.map_or(Ok(()), Err)
    }
}

/// Whether a match is the value, and no part of another word.
fn is_value(inner: &Text<'_>, span: Span) -> bool {
    let value = span.of(inner.text).unwrap_or_default();
    if inner.kind == FieldKind::Number {
        return value.len() == inner.text.len();
    }
    let before = inner.text.get(..span.start()).and_then(|head| head.chars().next_back());
    let after = inner.text.get(span.end()..).and_then(|tail| tail.chars().next());
    let joined = |inner: Option<char>, outer: Option<char>| {
        inner.is_some_and(char::is_alphanumeric) && outer.is_some_and(char::is_alphanumeric)
    };
    let alone = !joined(value.chars().next(), before) && !joined(value.chars().next_back(), after);
    alone || value.chars().take(LONG_CHARS).count() == LONG_CHARS
}
